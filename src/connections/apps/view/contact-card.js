// A connection as a card: contact data, follow-ups that can be completed, notes, and a form for a new note.

import {
  action,
  callTool,
  connect,
  dateText,
  element,
  main,
  say,
  tellModel,
  textOf,
} from './host.js'

const FACTS = [
  ['Email', 'emails'],
  ['Phone', 'phones'],
  ['Profile', 'profile_url'],
  ['Links', 'links'],
  ['Birthday', 'birthday'],
  ['Connected', 'connected_on'],
]

// One person as a card; of several, only their names.
function show({ connections = [] }) {
  const [person, ...others] = connections
  if (person && others.length === 0) return showCard(person)
  const names = connections.map(({ name }) => element('li', { textContent: name }))
  return main.replaceChildren(element('ul', {}, ...names))
}

function showCard(person) {
  const {
    name,
    title,
    company,
    location,
    tags = [],
    notes = [],
    follow_ups: followUps = [],
  } = person
  const work = [title, company, location].map(textOf).filter(Boolean).join(' · ')
  main.replaceChildren(
    element('h1', { textContent: name }),
    element('p', { className: 'muted', textContent: work }),
    element(
      'p',
      {},
      ...tags.map((tag) => element('span', { className: 'tag', textContent: textOf(tag) })),
    ),
    element(
      'ul',
      {},
      ...FACTS.flatMap(([label, field]) => factOf(label, dateText(textOf(person[field])))),
    ),
    ...section(
      'Follow-ups',
      followUps.map((followUp) => followUpItem(person, followUp)),
    ),
    ...section('Notes', notes.map(noteItem)),
    ...noteForm(person),
  )
}

function factOf(label, value) {
  if (value === '') return []
  return [
    element('li', {}, element('span', { className: 'muted', textContent: `${label}: ` }), value),
  ]
}

function section(title, items) {
  if (items.length === 0) return []
  return [element('h2', { textContent: title }), element('ul', {}, ...items)]
}

function followUpItem(person, { follow_up_id, text, due_on }) {
  const done = action('Mark as done', async () => {
    await callTool('save_follow_up', { follow_up_id, done: true })
    tellModel(`The person completed the follow-up ${follow_up_id} with ${person.name}.`)
    await reload(person, 'Follow-up completed.')
  })
  return element('li', {}, `${dateText(due_on)}: ${text} `, done)
}

function noteItem({ text, on, created_at }) {
  return element(
    'li',
    {},
    element('span', {
      className: 'muted',
      textContent: `${dateText(on ?? created_at.slice(0, 10))} `,
    }),
    text,
  )
}

function noteForm(person) {
  const text = element('textarea', { id: 'note', maxLength: 20000 })
  const add = action('Add note', async () => {
    if (text.value.trim() === '') return say('Type a note first.', true)
    await callTool('save_note', { people: person.connection_id, text: text.value })
    tellModel(`The person added a note about ${person.name} (${person.connection_id}).`)
    return reload(person, 'Note added.')
  })
  if (!add) return []
  return [
    element('h2', {}, element('label', { htmlFor: 'note', textContent: 'New note' })),
    text,
    add,
  ]
}

async function reload({ connection_id }, message) {
  show(await callTool('get_connections', { people: [connection_id] }))
  say(message)
}

await connect({ title: 'Contact card', show })
