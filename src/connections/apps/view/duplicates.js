// Groups of probable duplicates, side by side, to merge or to mark as different people.

import { action, callTool, connect, element, main, say, tellModel, textOf } from './host.js'

function showGroups({ groups = [], total = groups.length }) {
  const count = groups.length === 0 ? 'No duplicates found.' : `${groups.length} of ${total} groups`
  main.replaceChildren(
    element('h1', { textContent: 'Possible duplicates' }),
    element('p', { className: 'muted', textContent: count }),
    ...groups.map(groupBox),
  )
}

function groupBox(group, index) {
  const ids = [group.keep_id, ...group.merge_ids]
  const name = `keep-${index}`
  const box = element('section', { className: 'group' })
  const keep = () => box.querySelector(`input[name="${name}"]:checked`).value
  const finish = (text, undo) => {
    box.replaceChildren(
      element('p', { textContent: text }),
      element('div', { className: 'actions' }, undo),
    )
    say(text)
    tellModel(text)
  }
  const merge = action('Merge', async () => {
    const kept = keep()
    const merge_ids = ids.filter((id) => id !== kept)
    const { groups } = await callTool('resolve_duplicates', {
      action: 'merge',
      keep_id: kept,
      merge_ids,
    })
    const [{ activity_id, connection }] = groups
    const text = `Merged ${merge_ids.join(', ')} into ${connection.name} (${kept}).`
    finish(
      text,
      undoButton(activity_id, () => box.replaceWith(groupBox(group, index))),
    )
  })
  const differ = action('Different people', async () => {
    await callTool('resolve_duplicates', { action: 'different', merge_ids: ids })
    finish(`Marked as different people: ${ids.join(', ')}.`)
  })
  box.append(
    element(
      'fieldset',
      { className: 'sides' },
      element('legend', { textContent: 'Keep' }),
      ...sidesOf(group, name),
    ),
    element('p', { className: 'muted', textContent: evidenceOf(group) }),
    element('div', { className: 'actions' }, merge, differ),
  )
  return box
}

function sidesOf({ connections, keep_id }, name) {
  return connections.map(({ connection_id: id, ...person }) => {
    const details = [person.title, person.company, person.email, person.location]
      .map(textOf)
      .filter(Boolean)
    const choice = element('input', { type: 'radio', name, value: id })
    choice.checked = id === keep_id
    return element(
      'label',
      { className: 'side' },
      choice,
      element('strong', { textContent: ` ${person.name} ` }),
      element('span', { className: 'muted', textContent: id }),
      element('br'),
      details.join(' · '),
    )
  })
}

function evidenceOf({ evidence = [] }) {
  return evidence.map(({ reason, value }) => `${reason.replaceAll('_', ' ')}: ${value}`).join('; ')
}

function undoButton(activity_id, done) {
  return action('Undo', async () => {
    await callTool('undo', { activity_id })
    tellModel(`The person undid ${activity_id}.`)
    done()
    say('Undone.')
  })
}

await connect({ title: 'Duplicates', show: showGroups })
