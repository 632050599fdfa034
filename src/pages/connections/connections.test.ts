import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../../base/clock.ts'
import { contact, mergeContacts } from '../../../test/fixtures/network.ts'
import {
  createTestWorld,
  remainingCredits,
  type Person,
  type World,
  personOf,
} from '../../../test/fixtures/member.ts'
import { connectionsCsv, importFile } from '../../../test/fixtures/import.ts'
import {
  jobPath,
  connectionPath,
  CONNECTIONS_PATH,
  CONNECTION_SUGGESTIONS_PATH,
  DELETED_CONNECTIONS_PATH,
  DUPLICATES_PATH,
  NEW_CONNECTION_PATH,
} from '../../html/site-map.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import { onOneEngine } from '../../../test/support/engine-options.ts'

const HOSTILE = '<img src=x onerror=alert(1)> ‮ & co'

const show = ({ visitor }: Person, path: string = CONNECTIONS_PATH) => visitor.get(path)
const C1 = connectionPath('c_1')

async function followed(person: Person, sent: Promise<Page>): Promise<Page> {
  return person.visitor.follow(await sent)
}

async function addAll(person: Person, ...people: readonly object[]): Promise<void> {
  for (const one of people) await person.ask('add_connections', one)
}

function namesOn({ html }: Page): string[] {
  return [
    ...html.matchAll(
      /href="\/user\/connections\/c_\d+[^"]*"\s*(?:dir="auto">|>\s*<bdi>)(.*?)<\/(?:a|bdi)>/g,
    ),
  ].map(([, name = '']) => name.replaceAll(/<\/?mark>/g, ''))
}

async function fillNetwork({ service }: World, { memberId }: Person, size: number): Promise<void> {
  const now = service.clock.now()
  const contacts = Array.from({ length: size }, (_, at) =>
    contact({ name: `Person ${String(at).padStart(3, '0')}`, company: 'Navy' }),
  )
  await service.database
    .member(memberId)
    .write((tx) => mergeContacts(tx, contacts, { source: 'linkedin', jobId: 1, now }))
}

test('an empty list links to the import', onOneEngine, async () => {
  await using world = await createTestWorld()
  const page = await show(await world.join('ada'))
  assert.equal(page.status, 200)
  assert.match(page.text, /No people yet\./)
  assert.equal(page.links['Import contacts'], `${world.service.url}/user/import`)
})

test('connections are found by words, company, tag and location, as with the tool', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Grace Hopper', company: 'US Navy', title: 'Admiral', location: 'Arlington' },
    { name: 'Alan Turing', company: 'Bletchley Park', tags: ['pioneer'], note: 'Met at tea' },
    { name: 'Edith Clarke', company: 'GE', location: 'Schenectady', tags: ['pioneer', 'power'] },
  )
  const found = async (query: string) => namesOn(await show(ada, `${CONNECTIONS_PATH}?${query}`))
  assert.deepEqual(await found(''), ['Alan Turing', 'Edith Clarke', 'Grace Hopper'])
  assert.deepEqual(await found('q=hopp&company=&tag=&place='), ['Grace Hopper'])
  assert.deepEqual(await found('q=tea'), ['Alan Turing'])
  assert.deepEqual(await found('company=navy'), ['Grace Hopper'])
  assert.deepEqual(await found('tag=pioneer'), ['Alan Turing', 'Edith Clarke'])
  assert.deepEqual(await found('tag=pioneer&place=schenectady'), ['Edith Clarke'])
  const none = await show(ada, `${CONNECTIONS_PATH}?q=zzz&place=paris`)
  assert.match(none.text, /No results\./)
  assert.equal(none.links['Clear search'], world.service.url + CONNECTIONS_PATH)
  assert.deepEqual(
    { q: none.forms.find(({ method }) => method === 'get')?.fields['q'] },
    { q: 'zzz' },
  )
  assert.match((await show(ada)).text, /Admiral US Navy Arlington/)
})

test(
  'a result shows the matching note and which words match, and a misspelt query finds the nearest name',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await addAll(ada, { name: 'Alan Kowalski', note: 'Met at tea in Bletchley' })
    const found = await show(ada, `${CONNECTIONS_PATH}?q=bletchley`)
    assert.match(found.text, /Met at tea in Bletchley/)
    const partial = await show(ada, `${CONNECTIONS_PATH}?q=notary+bletchley`)
    assert.match(partial.text, /Bletchley, not notary Alan Kowalski Met at tea in Bletchley/)
    assert.deepEqual(namesOn(await show(ada, `${CONNECTIONS_PATH}?q=kofalzkji`)), ['Alan Kowalski'])
  },
)

test(
  'complete matches come first, then one divider and weaker ones, each reason once',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await addAll(
      ada,
      { name: 'Ida Berg', title: 'Electrician' },
      { name: 'Noah Bauer', title: 'Elektriker' },
      { name: 'Rui Costa', title: 'Eletricista' },
    )
    const found = await show(ada, `${CONNECTIONS_PATH}?q=electrician`)
    assert.deepEqual(namesOn(found), ['Ida Berg', 'Noah Bauer', 'Rui Costa'])
    assert.match(found.text, /Ida Berg.*Weaker matches: 2.*Noah Bauer.*Rui Costa/)
    assert.equal(found.text.split('Other words for electrician').length, 2)
    assert.match(found.text, /Select all 1 /)
    const none = await show(ada, `${CONNECTIONS_PATH}?q=Quentin+Delacourt`)
    assert.match(none.text, /No person named Quentin Delacourt\./)
    const similar = await show(ada, `${CONNECTIONS_PATH}?q=Noah+Baueer`)
    assert.match(
      similar.text,
      /No person is named exactly Noah Baueer; similar spelling: Noah Bauer\./,
    )
    const weaker = await show(ada, `${CONNECTIONS_PATH}?q=Noah+Delacourt`)
    assert.match(weaker.text, /No person named Noah Delacourt\..*Weaker matches: 1.*Noah Bauer/)
    assert.doesNotMatch(weaker.text, /Select all/)
    assert.match(weaker.text, /no match, 1 weaker/)
    const sorted = await show(ada, `${CONNECTIONS_PATH}?q=electrician&sort=-name`)
    assert.doesNotMatch(sorted.text, /Weaker matches/)
  },
)

test('weaker matches with the same words stand together, those with the most words first', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const berlin = { title: 'Engineer', location: 'Berlin' }
  await addAll(
    ada,
    { name: 'Ida Berg', title: 'Founder', company: 'Solar AG' },
    { name: 'Noah Bauer', title: 'Founder', location: 'Berlin' },
    { name: 'Rui Costa', company: 'Solar AG' },
    { name: 'Uwe Voss', title: 'Founder', location: 'Berlin' },
    { name: 'Kim Alb', ...berlin },
    { name: 'Lee Alb', ...berlin },
    { name: 'Roy Alb', ...berlin },
    { name: 'Sam Alb', ...berlin },
    { name: 'Zoe Ost', title: 'Founder', company: 'Solar AG' },
  )
  const { html } = await show(ada, `${CONNECTIONS_PATH}?q=founder+solar+berlin`)
  const headings = [...html.matchAll(/<bdi>([^<]*, not [^<]*)<\/bdi>/g)].map(([, text]) => text)
  assert.equal(new Set(headings).size, headings.length, 'no heading is repeated')
  const lacking = headings.map((text = '') => text.split(', not ')[1]?.split(/,? /).length ?? 0)
  assert.deepEqual(
    lacking,
    lacking.toSorted((a, b) => a - b),
    headings.join(' | '),
  )
  assert.equal(headings.indexOf('Founder solar, not berlin'), 0)
  assert.equal(headings.indexOf('Founder, berlin, not solar'), 1)
  const meant = await show(ada, `${CONNECTIONS_PATH}?q=founder+solar+berlin&sort=-name`)
  assert.doesNotMatch(meant.html, /, not /)
})

test('a reason is shown from a few words before the match, and only if it has it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const note = 'Vegetarian, plays the cello, and knows everyone in the world of grid hardware'
  await addAll(ada, { name: 'Ida Berg', note })
  const { html } = await show(ada, `${CONNECTIONS_PATH}?q=hardware`)
  assert.match(html, /<p class="why">\s*<bdi>… (\S+ ){1,4}<mark>hardware<\/mark><\/bdi>/)
})

test(
  'words such as of are neither counted nor marked, and what a row shows is no reason',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await addAll(
      ada,
      { name: 'Ida Berg', title: 'Head of Partnerships', location: 'Hamburg' },
      { name: 'Noah Bauer', title: 'Head of Partnerships' },
      { name: 'Rui Costa', title: 'Chief of Staff', location: 'Hamburg' },
    )
    await ada.ask('save_note', { people: 'c_1', text: 'Runs partnerships from Hamburg.' })
    await ada.ask('save_note', { people: 'c_3', text: 'Partnerships are not for him.' })
    const { text, html } = await show(
      ada,
      `${CONNECTIONS_PATH}?q=head+of+partnerships+in+hamburg&columns=title,location`,
    )
    assert.match(text, /1 match, 2 weaker/)
    const reasons = [...html.matchAll(/<tr class="divider">.*?<\/tr>/gs)]
      .map(([row]) => row)
      .join('')
    assert.match(reasons, /Head of partnerships, not hamburg/)
    assert.match(reasons, /Partnerships in hamburg, not head/)
    assert.match(html, /<mark>Head of Partnerships<\/mark>/)
    assert.doesNotMatch(html, /<mark>of<\/mark>/)
    assert.doesNotMatch(html, /Runs/)
    const onlyTitle = await show(
      ada,
      `${CONNECTIONS_PATH}?q=head+of+partnerships+in+hamburg&columns=title`,
    )
    assert.match(onlyTitle.html, /<p class="why">\s*<bdi>Runs/)
    assert.match(text, /Partnerships are not for him/)
  },
)

test('a large network is paginated without gaps or duplicates', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await fillNetwork(world, ada, 120)
  for (const query of ['', '?q=person', '?company=navy']) {
    let page = await show(ada, CONNECTIONS_PATH + query)
    const seen = namesOn(page)
    for (let next = page.links['Next']; next !== undefined; next = page.links['Next']) {
      page = await ada.visitor.get(next)
      seen.push(...namesOn(page))
    }
    assert.equal(seen.length, 120, query)
    assert.equal(new Set(seen).size, 120, query)
    assert.ok(page.links['Previous'])
  }
})

test('invalid queries return 400, never 500', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Grace Hopper' })
  for (const query of [
    'page=x',
    'page=0',
    'sort=x',
    'before=2026-13-01',
    'has=x',
    'source=x',
    `q=${'x'.repeat(501)}`,
    'q=%00',
    'tag=%00',
    'place=a%00b',
  ])
    assert.equal((await show(ada, `${CONNECTIONS_PATH}?${query}`)).status, 400, query)
  for (const id of ['c_0', 'c_99', 'x', '%00', 'a%0d%0ab', 'c_1%2F..'])
    for (const act of ['', '/edit'])
      assert.equal((await show(ada, `${CONNECTIONS_PATH}/${id}${act}`)).status, 404, id + act)
  const form_token = (await show(ada)).formToken
  for (const act of ['note', 'tags', 'follow-up', 'contact', 'cadence', 'done', 'edit', 'delete'])
    for (const id of ['c_99', 'x', '%00', 'a%0d%0ab']) {
      const named = { note: 'x', tag: 'x', contact_kind: 'call', cadence: '1 week' }
      const fields = { form_token, ...named, follow_up: 'x', due_on: '2027-01-01' }
      const path = `${CONNECTIONS_PATH}/${id}/${act}`
      assert.equal((await ada.visitor.post(path, fields, SAME_ORIGIN)).status, 404, path)
    }
})

test('a connection’s page shows all fields, escaped', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, {
    name: HOSTILE,
    company: HOSTILE,
    title: 'Admiral',
    emails: ['grace@navy.example'],
    phones: ['+1 555 0100'],
    profile_url: 'https://www.linkedin.com/in/grace',
    links: ['https://grace.example/'],
    birthday: '--12-09',
    connected_on: '2020-02-29',
    tags: [HOSTILE],
    note: HOSTILE,
  })
  const page = await show(ada, C1)
  assert.equal(page.status, 200)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.html, /<h1><bdi>&#60;img/)
  for (const told of ['grace@navy.example', '+1 555 0100', 'linkedin.com/in/grace'])
    assert.ok(page.text.includes(told), told)
  assert.match(page.text, /Birthday 9 Dec Where this comes from Added just now · Updated just now/)
  assert.equal(page.links['grace@navy.example'], 'mailto:grace@navy.example')
  assert.ok(!(await show(ada)).html.includes('<img'))
  assert.ok(!(await show(ada, `${C1}/edit`)).html.includes('<img'))
})

test('notes, tags and follow-ups are changed on the page for free, and undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Grace Hopper' })
  const credits = await remainingCredits(ada)
  const submit = async (fields: Readonly<Record<string, string>>, button?: string) =>
    followed(ada, ada.visitor.submit(await show(ada, C1), fields, button))
  const noted = await submit({ note: 'Met at Harvard\r\nTwice', note_on: '2026-11-01' })
  assert.match(noted.text, /Added a note about Grace Hopper \. Undo/)
  assert.match(noted.text, /Met at Harvard Twice By you · 1 Nov 2026/)
  const undone = await followed(ada, ada.visitor.submit(noted, {}, 'a_2'))
  assert.equal(new URL(undone.address).pathname, C1)
  assert.doesNotMatch(undone.text, /Add note Met at Harvard/)
  assert.match((await submit({ tag: 'pioneer' })).text, /Changed the tags of Grace Hopper \. Undo/)
  assert.equal(
    (await show(ada, C1)).links['pioneer'],
    `${world.service.url + CONNECTIONS_PATH}?tag=pioneer`,
  )
  assert.ok(!((await submit({}, 'pioneer')).links['pioneer'] ?? ''))
  const planned = await submit({ follow_up: 'Write', due_on: '2026-11-20', recurrence: 'monthly' })
  assert.match(planned.text, /Done: Write Write Every month · 1 day late/)
  const done = await submit({}, 'f_1')
  assert.match(done.text, /Completed a follow-up with Grace Hopper/)
  assert.match(done.text, /Done: Write Write Every month · 20 Dec/)
  assert.deepEqual(await remainingCredits(ada), credits)
  const { activity } = await ada.ask('list_activity')
  const [last] = activity as { by: string }[]
  assert.equal(last?.by, 'Member ada')
})

test('the timeline lists notes and changes with their authors, page by page, and undoes them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Grace Hopper' }, { name: 'Alan Turing' })
  await ada.ask('update_connections', {
    people: ['c_1', 'c_2'],
    tags: { add: ['pioneer'] },
  })
  await ada.visitor.submit(await show(ada, C1), { note: 'Met at Harvard' })
  const page = await show(ada, C1)
  const told =
    /Timeline .* Met at Harvard By you · just now .*Tags: \+ pioneer , and for 1 other By Claude Agent .*Added By Claude/
  assert.match(page.text, told)
  const undone = await followed(ada, ada.visitor.submit(page, {}, 'a_3'))
  assert.equal(new URL(undone.address).pathname, C1)
  assert.match(undone.text, /Undid: Changed the tags of Grace Hopper and Alan Turing \./)
  assert.doesNotMatch(undone.text, /pioneer/, 'the timeline has neither the change nor its undo')
  assert.partialDeepStrictEqual(await ada.ask('list_tags'), { tags: [], has_more: false })
  world.service.clock.advance(MINUTE)
  for (let title = 1; title <= 20; title += 1)
    await ada.ask('update_connections', { people: 'c_1', title: `Title ${title}` })
  const longer = await show(ada, C1)
  assert.doesNotMatch(longer.text, /Met at Harvard/)
  const older = await ada.visitor.get(longer.links['Older'] ?? '')
  assert.match(older.text, /Timeline .* Met at Harvard By you .*Added By Claude/)
  assert.ok(!('Older' in older.links))
  const all = await ada.visitor.get(longer.links['View full history'] ?? '')
  assert.match(all.text, /Claude added Grace Hopper/)
})

test('an imported connection links to the import’s report', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await importFile(ada, connectionsCsv([['Grace', 'Hopper', 'Navy']]))
  const page = await show(ada, C1)
  assert.match(page.text, /Timeline .* Imported from Connections\.csv just now/)
  assert.equal(page.links['Connections.csv'], world.service.url + jobPath(jobId))
})

test('errors appear beside their fields and the input is kept', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Grace Hopper' })
  const submit = async (fields: Readonly<Record<string, string>>) =>
    ada.visitor.submit(await show(ada, C1), fields)
  const errorsOf = (page: Page) => Object.assign({}, ...page.forms.map(({ errors }) => errors))
  const note = await submit({ note: 'Kept', note_on: '2026-02-30' })
  assert.equal(note.status, 422)
  assert.deepEqual(errorsOf(note), {
    note_on:
      'Day is a date that does not exist: 2026-02-30. Write it as 5 Mar 2027 or next Friday.',
  })
  assert.equal(note.forms.find(({ fields }) => 'note' in fields)?.fields['note'], 'Kept')
  assert.deepEqual(errorsOf(await submit({ note: '  ' })), { note: 'Note is required.' })
  assert.deepEqual(errorsOf(await submit({ tag: ' ' })), { tag: 'Tag is required.' })
  const tag = await submit({ tag: 'x'.repeat(101) })
  assert.deepEqual(errorsOf(tag), { tag: 'Tag must have at most 100 characters.' })
  assert.deepEqual(errorsOf(await submit({ follow_up: '', due_on: '2026-12-01' })), {
    follow_up: 'What to do is required.',
  })
  assert.deepEqual(errorsOf(await submit({ follow_up: 'Call', due_day: '', due_on: '' })), {
    due_on: 'Due date is required.',
  })
  assert.equal((await submit({ tag: 'a\0b' })).status, 400)
})

test('a connection is added manually with tags and a note, for free, and undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const credits = await remainingCredits(ada)
  const form = await ada.visitor.get((await show(ada)).links['Add person'] ?? '')
  const typed = {
    name: ' Grace  Hopper ',
    title: 'Admiral',
    company: 'US Navy',
    'emails-0-value': 'Grace@navy.example',
    'phones-0-value': '+1 555 0100',
    location: 'Arlington',
    profile_url: 'linkedin.com/in/grace',
    birthday: '--12-09',
    tags: 'pioneer, navy,, ',
    note: 'Met at Harvard\r\nTwice',
  }
  const page = await followed(ada, ada.visitor.submit(form, typed))
  assert.match(page.text, /Added Grace Hopper \. Undo/)
  const told = await personOf(ada)
  const { name, emails, phones, profile_url, birthday, tags } = told
  assert.deepEqual(
    { name, emails, phones, profile_url, birthday, tags },
    {
      name: 'Grace Hopper',
      emails: ['grace@navy.example'],
      phones: ['+1 555 0100'],
      profile_url: 'https://www.linkedin.com/in/grace',
      birthday: '--12-09',
      tags: ['navy', 'pioneer'],
    },
  )
  assert.match(page.text, /Met at Harvard Twice By you · just now/)
  assert.match(page.text, /Timeline .* Added By you · just now/)
  assert.equal(await remainingCredits(ada), credits - 1)
  // Redirects to the list, because the page of the connection no longer exists.
  const undone = await followed(ada, ada.visitor.submit(page, {}, 'a_1'))
  assert.equal(new URL(undone.address).pathname, CONNECTIONS_PATH)
  assert.match(undone.text, /Undid: Added Grace Hopper/)
})

test('a likely duplicate is shown first and added only after confirmation', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: HOSTILE, emails: ['grace@navy.example'] })
  const form = await show(ada, NEW_CONNECTION_PATH)
  assert.ok(!form.forms.some(({ buttons }) => buttons.some(({ name }) => name === 'anyway')))
  const typed = { name: 'Grace Hopper', 'emails-0-value': 'GRACE@navy.example', note: 'Kept' }
  const asked = await ada.visitor.submit(form, typed)
  assert.equal(asked.status, 409)
  assert.ok(!asked.html.includes('<img'))
  assert.match(asked.text, /is already in your network and seems to be the same person/)
  assert.equal(asked.links[HOSTILE], world.service.url + C1)
  const kept = asked.forms.find(({ fields }) => 'note' in fields)
  assert.equal(kept?.fields['note'], 'Kept')
  // Enter presses the first one.
  const saving = kept?.buttons.filter(({ name }) => !name?.endsWith('_row'))
  assert.deepEqual(
    saving?.map(({ label }) => label),
    ['Add', 'Add anyway', 'Add'],
  )
  assert.equal(kept?.buttons[0], saving?.[0])
  assert.equal((await ada.ask('get_network_summary'))['connections'], 1)
  const added = await followed(ada, ada.visitor.submit(asked, {}, 'Add anyway'))
  assert.equal(new URL(added.address).pathname, connectionPath('c_2'))
})

test(
  'errors in the form for a new connection appear beside their fields, and the input is kept',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    const form = await show(ada, NEW_CONNECTION_PATH)
    const wrongs = [
      [{ name: ' ' }, { name: 'Name is required.' }],
      [{ name: 'x'.repeat(301) }, { name: 'Name must have at most 300 characters.' }],
      [
        { 'emails-0-value': 'x' },
        {
          'emails-0-value': 'Email address must be an email address such as ada@example.com.',
        },
      ],
      [{ 'phones-0-value': 'x' }, { 'phones-0-value': 'Phone number must be a phone number.' }],
      [{ 'phones-0-label': 'work' }, { 'phones-0-value': 'Phone number is required.' }],
      [{ profile_url: 'x y' }, { profile_url: 'Profile must be a web address.' }],
      [{ tags: 'y'.repeat(101) }, { tags: 'Tags must have at most 100 characters.' }],
      [
        { birthday: '--02-30' },
        { birthday: 'Birthday must be a valid date (YYYY-MM-DD or --MM-DD).' },
      ],
    ] as const
    for (const [wrong, errors] of wrongs) {
      const typed = { name: 'Grace Hopper', company: 'Navy', note: 'Kept', ...wrong }
      const page = await ada.visitor.submit(form, typed)
      assert.equal(page.status, 422)
      const again = page.forms.find(({ fields }) => 'note' in fields)
      assert.deepEqual(again?.errors, errors)
      for (const [name, value] of Object.entries(typed)) assert.equal(again?.fields[name], value)
    }
    const forged = await ada.visitor.post(
      NEW_CONNECTION_PATH,
      { form_token: 'x', name: 'Eve' },
      SAME_ORIGIN,
    )
    assert.equal(forged.status, 403)
    const broken = { form_token: form.formToken, name: 'a\0b' }
    assert.equal((await ada.visitor.post(NEW_CONNECTION_PATH, broken, SAME_ORIGIN)).status, 400)
    assert.equal((await ada.ask('get_network_summary'))['connections'], 0)
  },
)

test('the edit form shows errors and does not overwrite concurrent changes', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, {
    name: 'Grace Hopper',
    company: 'Navy',
    emails: ['g@navy.example', 'b@x.example'],
  })
  const form = await show(ada, `${C1}/edit`)
  const wrong = await ada.visitor.submit(form, { name: ' ', title: 'Admiral' })
  assert.equal(wrong.status, 422)
  const editForm = wrong.forms.find(({ fields }) => 'title' in fields)
  assert.equal(editForm?.fields['title'], 'Admiral')
  assert.deepEqual(editForm?.errors, { name: 'Name is required.' })
  const address = await ada.visitor.submit(form, {
    'emails-1-value': 'nonsense',
    title: 'Admiral',
  })
  assert.deepEqual(
    Object.keys(address.forms.find(({ fields }) => 'title' in fields)?.errors ?? {}),
    ['emails-1-value'],
  )
  const typed = {
    company: '',
    title: 'Admiral',
    'emails-0-value': 'b@x.example',
    'emails-1-value': 'New@X.example',
    birthday: '--02-30',
  }
  const day = await ada.visitor.submit(form, typed)
  assert.match(
    day.forms.find(({ fields }) => 'title' in fields)?.errors['birthday'] ?? '',
    /valid date/,
  )
  const saved = await followed(ada, ada.visitor.submit(day, { birthday: '' }))
  assert.match(saved.text, /Changed Grace Hopper \. Undo/)
  const { company, title, emails } = await personOf(ada)
  assert.deepEqual(
    { company, title, emails },
    {
      company: undefined,
      title: 'Admiral',
      emails: ['b@x.example', 'new@x.example'],
    },
  )
  const stale = await ada.visitor.submit(form, { title: 'Rear admiral' })
  assert.equal(stale.status, 409)
  assert.match(stale.text, /while you were editing/)
  const again = await followed(ada, ada.visitor.submit(stale, {}, 'Save'))
  assert.match(again.text, /Rear admiral/)
  const same = await ada.visitor.submit(await show(ada, `${C1}/edit`), {}, 'Save')
  assert.equal(same.location, world.service.url + C1)
})

test('people who changed jobs are listed with the position that they left', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Grace Hopper', company: 'Navy', title: 'Admiral' },
    { name: 'Jean Bartik', company: 'Navy' },
  )
  const path = `${CONNECTIONS_PATH}?jobs=changed`
  assert.match((await show(ada, path)).text, /No job changes/)
  await ada.ask('update_connections', { people: 'c_1', company: 'DEC', title: 'Consultant' })
  const page = await show(ada, path)
  assert.deepEqual(namesOn(page), ['Grace Hopper'])
  assert.match(page.text, /Was Admiral at Navy until 2[0-9] Nov 2026/)
})

test('details are shown, and parts of the name and custom fields are edited', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('set_custom_field', { name: 'Score', kind: 'number' })
  await ada.ask('set_custom_field', { name: HOSTILE })
  await addAll(ada, {
    name: 'Grace Hopper',
    emails: ['g@navy.example'],
    details: {
      nickname: 'Amazing Grace',
      labels: { 'g@navy.example': 'work' },
      addresses: [{ label: 'home', street: '1 Main St', city: 'Arlington' }],
      organizations: [{ name: 'Vassar', title: 'Professor', until: '1943', current: false }],
      relations: [{ name: 'Vincent', relation: 'spouse' }],
      custom: { Score: '7', [HOSTILE]: HOSTILE },
    },
  })
  const page = await show(ada, C1)
  for (const text of [
    /Email g@navy\.example work/,
    /Nickname Amazing Grace/,
    /Former position Professor at Vassar until 1943/,
    /Address 1 Main St, Arlington home/,
    /Vincent spouse/,
    /Score 7/,
  ])
    assert.match(page.text, text)
  assert.ok(!page.html.includes('<img'))
  const form = await show(ada, `${C1}/edit`)
  assert.ok(!form.html.includes('<img'))
  const wrong = await ada.visitor.submit(form, { 'custom.1': 'high', nickname: 'Gracie' })
  const editForm = wrong.forms.find(({ fields }) => 'nickname' in fields)
  assert.deepEqual(editForm?.errors, { 'custom.1': 'Score must be a number such as 12 or 2.5.' })
  assert.equal(editForm?.fields['nickname'], 'Gracie')
  await ada.visitor.submit(wrong, { 'custom.1': '8', 'custom.2': '' })
  const { details } = await personOf(ada)
  const { nickname, custom } = details as { nickname: string; custom: object }
  assert.deepEqual([nickname, custom], ['Gracie', { Score: '8' }])
})

test('a deleted person is restored from the notice or the list of deleted connections', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Grace Hopper' }, { name: 'Alan Turing' })
  const remove = async () => followed(ada, ada.visitor.submit(await show(ada, C1), {}, 'Delete'))
  const deleted = await remove()
  assert.match(deleted.text, /Deleted Grace Hopper \. Undo/)
  assert.deepEqual(namesOn(deleted), ['Alan Turing'])
  const gone = await show(ada, C1)
  assert.equal(gone.status, 404)
  assert.equal(gone.links['Deleted people'], world.service.url + DELETED_CONNECTIONS_PATH)
  assert.deepEqual(namesOn(await followed(ada, ada.visitor.submit(deleted, {}, 'a_3'))).length, 2)
  await remove()
  const list = await show(ada, DELETED_CONNECTIONS_PATH)
  assert.match(
    list.text,
    /Grace Hopper Deleted just now · can be restored until 21 Dec 2026 Restore/,
  )
  const restored = await followed(ada, ada.visitor.submit(list, {}, 'c_1'))
  assert.match(restored.text, /Restored Grace Hopper \. Undo .*No deleted people\./)
  assert.equal(namesOn(await show(ada)).length, 2)
  await ada.ask('update_connections', { people: 'c_1', title: 'Admiral' })
  assert.equal((await ada.visitor.submit(list, {}, 'c_1')).status, 404)
})

test('duplicates are shown side by side with evidence, merged into the chosen one, and undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  assert.match((await show(ada, DUPLICATES_PATH)).text, /No duplicates found\./)
  await addAll(
    ada,
    { name: 'Grace Hopper', emails: ['g@navy.example'], company: 'Navy', title: 'Admiral' },
    { name: 'G. Hopper', emails: ['g@navy.example'], location: HOSTILE, allow_duplicate: true },
  )
  const page = await show(ada, DUPLICATES_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /1 of 1 to review\./)
  assert.match(page.text, /Same email: g@navy\.example/)
  assert.match(page.text, /Name Grace Hopper G\. Hopper Title Admiral/)
  // Only the differences.
  assert.doesNotMatch(page.text, /Email g@navy/)
  const form = page.forms.find(({ action }) => action.endsWith(DUPLICATES_PATH))
  assert.equal(form?.fields['keep'], 'c_1')
  const form_token = page.formToken
  const merge = (fields: string) =>
    ada.visitor.post(DUPLICATES_PATH, parsed({ form_token }, fields), SAME_ORIGIN)
  assert.equal((await merge('')).status, 400)
  assert.equal((await merge('keep=c_2&same=c_2')).status, 400)
  assert.equal((await merge('keep=c_2&same=c_9')).status, 404)
  const merged = await followed(ada, merge('keep=c_2&same=c_1'))
  assert.match(merged.text, /Merged 1 person into G\. Hopper \. Undo .*No duplicates/)
  const gone = await show(ada, C1)
  assert.equal(gone.links['View merged person'], world.service.url + connectionPath('c_2'))
  assert.match((await show(ada, connectionPath('c_2'))).text, /Admiral at Navy/)
  const undone = await followed(ada, ada.visitor.submit(merged, {}, 'a_3'))
  assert.equal(new URL(undone.address).pathname, DUPLICATES_PATH)
  assert.match(undone.text, /Undid: Merged 1 person into G\. Hopper/)
  assert.equal((await show(ada, C1)).status, 200)
})

function parsed(fields: Readonly<Record<string, string>>, query: string) {
  return { ...fields, ...Object.fromEntries(new URLSearchParams(query)) }
}

test('certain duplicates are merged at once and undone at once', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const names = [
    ['Grace Hopper', 'Grace Hopper'],
    ['Alan Turing', 'Alan Turing'],
  ]
  for (const [at, pair] of names.entries())
    for (const name of pair)
      await addAll(ada, { name, emails: [`${at}@x.example`], allow_duplicate: true })
  await addAll(
    ada,
    { name: 'Ann Lee', company: 'Acme' },
    { name: 'Anne Lee', company: 'Acme', allow_duplicate: true },
  )
  const page = await show(ada, DUPLICATES_PATH)
  assert.match(page.text, /2.certain duplicates .*Merge 2 certain .*1 of 1 to review.*Anne? Lee/)
  const merged = await followed(ada, ada.visitor.submit(page, {}, 'Merge 2 certain'))
  assert.match(merged.text, /Merged 2.certain duplicates\. Undo all/)
  assert.doesNotMatch(merged.text, /Merge 2 certain/)
  assert.equal(namesOn(await show(ada)).length, 4)
  const undone = await followed(ada, ada.visitor.submit(merged, {}, 'Undo all'))
  assert.match(undone.text, /Merge 2 certain/)
  assert.equal(namesOn(await show(ada)).length, 6)
  const again = await ada.visitor.submit(merged, {}, 'Undo all')
  assert.equal(again.status, 303)
  const eve = await world.join('eve')
  assert.doesNotMatch((await show(eve, `${DUPLICATES_PATH}?merged=a_7-a_8`)).text, /Undo all/)
})

test('duplicates to review come one at a time, with a choice per field, and can be skipped', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const pairs = [
    { name: 'Ann Lee', company: 'Acme', title: 'Boss' },
    { name: 'Anne Lee', company: 'Acme', title: 'CEO', allow_duplicate: true },
    { name: 'Grace Hopper', emails: ['g@x.example'] },
    { name: 'G. Hopper', emails: ['g@x.example'], allow_duplicate: true },
  ]
  await addAll(ada, ...pairs)
  const first = await show(ada, DUPLICATES_PATH)
  assert.match(first.text, /1 of 2 to review/)
  const second = await ada.visitor.get(first.links['Skip'] ?? '')
  assert.match(second.text, /2 of 2 to review/)
  const end = await ada.visitor.get(second.links['Skip'] ?? '')
  assert.match(end.text, /That was the last one\. You skipped 2\. Start again/)
  const lees = [first, second].find(({ text }) => text.includes('Lee'))
  assert.ok(lees)
  assert.match(lees.html, /type="radio" name="take_title" value="c_2"/)
  const chosen = { keep: 'c_1', same: 'c_2', take_title: 'c_2', take_name: 'c_2' }
  const form = { form_token: lees.formToken, ...chosen }
  const kept = await followed(ada, ada.visitor.post(DUPLICATES_PATH, form, SAME_ORIGIN))
  assert.match(kept.text, /1 of 1 to review/)
  const { text } = await show(ada, C1)
  assert.match(text, /Anne Lee .*CEO/)
  await ada.visitor.submit(kept, {}, 'a_5')
  assert.match((await show(ada, C1)).text, /Ann Lee .*Boss/)
})

test('the proposed values are those of the kept person, whichever it is', async () => {
  for (const [keep, same] of [
    ['c_1', 'c_2'],
    ['c_2', 'c_1'],
  ] as const) {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await addAll(
      ada,
      { name: 'Ann Lee', company: 'Acme', title: 'Boss' },
      { name: 'Anne Lee', company: 'Acme', title: 'CEO', location: 'Turin', allow_duplicate: true },
    )
    const page = await show(ada, DUPLICATES_PATH)
    assert.match(page.html, /name="take_title"\s+value=""[^>]*checked/)
    assert.equal([...page.html.matchAll(/name="take_location"/g)].length, 0)
    assert.match(page.html, /class="taken"><bdi>Turin/)
    const merged = await followed(ada, ada.visitor.submit(page, { keep, same }))
    assert.match(merged.text, /Merged 1.person into/)
    const { text } = await show(ada, connectionPath(keep))
    assert.match(text, keep === 'c_1' ? /Ann Lee .*Boss .*Turin/ : /Anne Lee .*CEO .*Turin/)
  }
})

test('members of a larger group can be deselected', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const emails = ['g@navy.example']
  for (const name of ['Grace Hopper', 'Grace B. Hopper', 'G. Hopper'])
    await addAll(ada, { name, emails, allow_duplicate: true })
  const page = await show(ada, DUPLICATES_PATH)
  assert.equal([...page.html.matchAll(/type="checkbox"\s+name="same"/g)].length, 3)
  const merged = await followed(ada, ada.visitor.submit(page, { keep: 'c_1', same: 'c_3' }))
  assert.match(merged.text, /Merged 1 person into Grace Hopper/)
  assert.match(merged.text, /Grace B\. Hopper/)
})

test('connections of other members are not accessible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await addAll(ada, { name: 'Grace Hopper', emails: ['g@x.example'] }, { name: 'Alan Turing' })
  await ada.ask('delete_connections', { people: ['c_2'] })
  const form_token = (await show(eve)).formToken
  for (const path of [
    CONNECTIONS_PATH,
    C1,
    `${C1}/edit`,
    DUPLICATES_PATH,
    DELETED_CONNECTIONS_PATH,
  ])
    assert.doesNotMatch((await show(eve, path)).text, /Grace|Alan/, path)
  for (const [path, fields] of [
    [`${C1}/note`, { note: 'x' }],
    [`${C1}/tags`, { tag: 'x' }],
    [`${C1}/follow-up`, { follow_up: 'x', due_on: '2027-01-01' }],
    [`${C1}/edit`, { name: 'x' }],
    [`${C1}/delete`, {}],
    [DELETED_CONNECTIONS_PATH, { connection_id: 'c_2' }],
    [DUPLICATES_PATH, { keep: 'c_1', same: 'c_2' }],
  ] as const) {
    assert.equal(
      (await eve.visitor.post(path, { form_token, ...fields }, SAME_ORIGIN)).status,
      404,
      path,
    )
    const forged = await eve.visitor.post(path, { form_token: 'x', ...fields }, SAME_ORIGIN)
    assert.equal(forged.status, 403)
  }
  assert.match((await show(ada, C1)).text, /Grace Hopper/)
})

test('a pair marked as not the same is no longer offered as duplicates, and the decision is undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Ann Lee', emails: ['ann@x.org'], company: 'Acme' },
    { name: 'Anne Lee', company: 'Acme', allow_duplicate: true },
  )
  const page = await show(ada, DUPLICATES_PATH)
  assert.match(page.text, /Not the same/)
  assert.equal(page.text.match(/Ann Lee \/ Anne Lee/g)?.length, 1)
  const form = new URLSearchParams('keep=c_1&same=c_1&same=c_2&decision=different')
  form.set('form_token', page.formToken)
  const decided = await followed(ada, ada.visitor.post(DUPLICATES_PATH, form, SAME_ORIGIN))
  assert.match(decided.text, /Marked as different people: Ann Lee and Anne Lee \./)
  assert.match(decided.text, /No duplicates found/)
  const undone = await followed(ada, ada.visitor.submit(decided, {}, 'a_3'))
  assert.match(undone.text, /Undid: Marked as different people: Ann Lee and Anne Lee/)
  assert.match(undone.text, /Not the same/)
})

test('a person who was merged is split off on the page of the connection', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(ada, { name: 'Ann Lee', emails: ['ann@x.org'] }, { name: 'Anna Li', title: 'Boss' })
  assert.doesNotMatch((await show(ada, C1)).text, /Split/)
  await ada.ask('resolve_duplicates', { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  const page = await show(ada, C1)
  assert.match(page.text, /Split off Anna Li They were merged into this person\./)
  const split = await followed(
    ada,
    ada.visitor.post(`${C1}/split`, { form_token: page.formToken }, SAME_ORIGIN),
  )
  assert.match(split.text, /Split Ann Lee/)
  assert.doesNotMatch(split.text, /Split off/)
  assert.deepEqual(namesOn(await show(ada)).toSorted(), ['Ann Lee', 'Anna Li'])
  const again = await ada.visitor.post(`${C1}/split`, { form_token: page.formToken })
  assert.equal(again.status, 422)
  assert.match(again.text, /Nothing that can be split off was merged/)
})

test('people are suggested for a name after an @, to the signed-in member only', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Grace Hopper', title: 'Rear admiral', company: 'Navy' },
    { name: HOSTILE },
    { name: 'Hopper Graceland' },
    { name: 'Rosa Luz', company: 'Oxide' },
    { name: 'Rosa Luz', company: 'Navy', allow_duplicate: true },
    { name: 'Rosa Luz', allow_duplicate: true },
    { name: 'anna de vries', company: 'Hopper' },
  )
  const suggestionsFor = async (q: string) => {
    const path = `${CONNECTION_SUGGESTIONS_PATH}?${new URLSearchParams({ q }).toString()}`
    const { html, headers } = await show(ada, path)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(headers.get('cache-control'), 'no-store')
    return (JSON.parse(html) as { options: string[] }).options.map((option) => ({
      mention: /data-mention="([^"]*)"/.exec(option)?.[1] ?? '',
      text: option
        .replaceAll(/<[^>]*>|\s+/g, ' ')
        .trim()
        .replaceAll(/ +/g, ' '),
    }))
  }
  assert.deepEqual(await suggestionsFor('grac hop'), [
    { mention: '@Grace Hopper', text: 'GH Grace Hopper Rear admiral · Navy' },
    { mention: '@Hopper Graceland', text: 'HG Hopper Graceland' },
  ])
  // Not people who only work at a company with this name. Who was met last comes first.
  await ada.ask('log_interaction', { people: ['c_3'], kind: 'call', on: '2026-11-20' })
  assert.deepEqual(
    (await suggestionsFor('hop')).map(({ mention }) => mention),
    ['@Hopper Graceland', '@Grace Hopper'],
  )
  const rosas = await suggestionsFor('rosa')
  assert.deepEqual(rosas.map(({ mention, text }) => `${mention} ${text}`).sort(), [
    '@Rosa Luz (c_4) RL Rosa Luz Oxide',
    '@Rosa Luz (c_5) RL Rosa Luz Navy',
    '@Rosa Luz (c_6) RL Rosa Luz',
  ])
  // Without work, the place or the email tells who is meant, and the ID only if nothing else does.
  const sol = { name: 'Eva Sol', allow_duplicate: true }
  await addAll(ada, { ...sol, location: 'Rome' }, { ...sol, emails: ['eva@sol.example'] }, sol, sol)
  const evas = await suggestionsFor('eva')
  assert.deepEqual(evas.map(({ text }) => text.slice('ES Eva Sol '.length)).sort(), [
    'Rome',
    'c_10',
    'c_11',
    'eva@sol.example',
  ])
  assert.equal((await suggestionsFor('anna'))[0]?.mention, '@anna de vries (c_7)')
  for (const none of ['', ' ', 'zzz', '?!']) assert.deepEqual(await suggestionsFor(none), [])
  const other = await world.join('other')
  const { html } = await show(other, `${CONNECTION_SUGGESTIONS_PATH}?q=grace`)
  assert.deepEqual(JSON.parse(html), { options: [] })
  // Each is written so that the note links this person, also with a hostile name.
  const [hostile] = await suggestionsFor('onerror')
  const text = [...rosas, hostile].map((one) => `Ask ${one?.mention}, please`).join('\n')
  await ada.visitor.submit(await show(ada, C1), { note: text }, 'Add note')
  const written = await show(ada, C1)
  const links = [...written.html.matchAll(/<a href="\/user\/connections\/(c_\d+)">@/g)]
  assert.deepEqual(new Set(links.map(([, id]) => id)), new Set(['c_2', 'c_4', 'c_5', 'c_6']))
  assert.doesNotMatch(written.html, /<img src=x/)
})

test('a search says how many people it found, and marks where', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Grace Hopper', title: 'Rear admiral' },
    { name: 'Ada Admiral', tags: ['vice admiral'] },
    { name: 'Alan Turing' },
  )
  const { html, text } = await show(ada, `${CONNECTIONS_PATH}?q=admiral`)
  assert.deepEqual(html.match(/[^>]*<mark>\w+<\/mark>/g), [
    'Ada <mark>Admiral</mark>',
    'vice <mark>admiral</mark>',
    'Rear <mark>admiral</mark>',
  ])
  assert.match(text, /People 2 of 3/)
  assert.doesNotMatch((await show(ada)).text, /Found in|of 3/)
  const none = await show(ada, `${CONNECTIONS_PATH}?q=zzz`)
  assert.match(none.text, /No results\. Try another word\. Clear search/)
  assert.match(
    (await show(ada, `${CONNECTIONS_PATH}?company=zzz`)).text,
    /No results\. Remove a filter\./,
  )
})

test(
  'a search by meaning is offered beside the words, however many have them',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await ada.ask('add_connections', { name: 'Grace Hopper', title: 'Investor' })
    const shown = async (query: string) =>
      (await ada.visitor.get(`${CONNECTIONS_PATH}?${query}`)).text
    assert.doesNotMatch(await shown(''), /By meaning/)
    for (const query of ['q=investor', 'q=investor+sailing', 'q=sailing'])
      assert.match(await shown(query), /By words By meaning/, query)
    assert.match(await shown('q=investor&mode=meaning'), /By words By meaning/)
  },
)

test('each filter is a chip that leads to the list without it, and a column sorts both ways', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addAll(
    ada,
    { name: 'Grace Hopper', title: 'Rear admiral', company: 'Navy', emails: ['g@navy.example'] },
    { name: 'Alan Turing', title: 'Fellow', company: 'NPL', phones: ['+44 20 7946 0000'] },
    { name: 'Edith Clarke', connected_on: '2019-05-01' },
  )
  await ada.ask('log_interaction', { kind: 'call', people: ['c_1'], on: '2026-11-20' })
  const list = async (query: string) => show(ada, `${CONNECTIONS_PATH}?${query}`)
  const found = async (query: string) => namesOn(await list(query))
  assert.deepEqual(await found('sort=title'), ['Alan Turing', 'Grace Hopper', 'Edith Clarke'])
  assert.deepEqual(await found('sort=-title'), ['Grace Hopper', 'Alan Turing', 'Edith Clarke'])
  assert.equal((await found('sort=contact'))[0], 'Grace Hopper')
  assert.equal((await found('sort=since'))[0], 'Edith Clarke')
  assert.deepEqual(await found('has=email'), ['Grace Hopper'])
  assert.deepEqual(await found('lacks=email&has=phone'), ['Alan Turing'])
  assert.deepEqual(await found('silent=90'), ['Alan Turing', 'Edith Clarke'])
  assert.deepEqual(await found('has=contact'), ['Grace Hopper'])
  assert.deepEqual(await found('lacks=contact'), ['Alan Turing', 'Edith Clarke'])
  assert.deepEqual(await found('silent=90&has=contact'), [])
  assert.match((await list('lacks=contact')).text, /No last contact ×/)
  assert.deepEqual(await found('before=2026-11-21'), [
    'Alan Turing',
    'Edith Clarke',
    'Grace Hopper',
  ])
  await ada.ask('keep_in_touch', { people: ['c_2'], every: 5 })
  await ada.ask('keep_in_touch', { people: ['c_1'], every: 3 })
  assert.deepEqual(await found('due=7'), ['Grace Hopper', 'Alan Turing'])
  assert.deepEqual(await found('due=7&sort=-due'), ['Alan Turing', 'Grace Hopper'])
  assert.deepEqual(await found('sort=due'), ['Grace Hopper', 'Alan Turing', 'Edith Clarke'])
  assert.deepEqual(await found('due=0&q=turing'), [])
  assert.match((await list('due=7')).text, /Due within 7 days ×.*Due ↑/)
  await ada.ask('keep_in_touch', { people: ['c_1'], paused_until: '2099-01-01' })
  for (const q of ['', '&q=grace', '&q=navy'])
    assert.ok(
      !(await found(`due=30${q}`)).includes('Grace Hopper'),
      'people who are paused are not due',
    )
  await ada.ask('keep_in_touch', { people: ['c_1'], paused_until: 'yesterday' })
  assert.deepEqual(await found('met=2019'), ['Edith Clarke'])
  assert.deepEqual(await found('source=google'), [])
  assert.equal((await found('added=1&q=turing'))[0], 'Alan Turing')
  const page = await list('company=navy&has=email&sort=-name')
  assert.deepEqual(namesOn(page), ['Grace Hopper'])
  const links = Object.entries(page.links).filter(([text]) => text.endsWith('remove'))
  assert.deepEqual(
    links.map(([, path]) => path.slice(path.indexOf('?') + 1)),
    ['has=email&sort=-name', 'company=navy&sort=-name'],
  )
  const kept = page.forms.find(({ fields }) => 'q' in fields)?.fields
  assert.deepEqual([kept?.['company'], kept?.['has'], kept?.['sort']], ['navy', 'email', '-name'])
})

test('a tag in any case is one option of the filter, with its count', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (const [name, tag] of Object.entries({ Ann: 'Climate', Ben: 'climate', Cay: 'CLIMATE' }))
    await ada.ask('add_connections', { name, tags: [tag] })
  for (const tag of ['climate', 'CLIMATE', 'Climate']) {
    const { text, html, forms } = await ada.visitor.get(`${CONNECTIONS_PATH}?tag=${tag}`)
    assert.match(text, /People 3 of 3/, tag)
    assert.equal(html.match(/aria-current="true"><bdi>climate</gi)?.length, 1, tag)
    assert.equal(html.match(/<bdi>climate<\/bdi><\/a>/gi)?.length, 1, tag)
    assert.equal(forms.find(({ fields }) => 'tag' in fields)?.fields['tag'], 'Climate')
  }
})

test('paths with a trailing slash lead to the page', onOneEngine, async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const { url } = world.service
  for (const [path, page] of [
    ['/user/', '/user'],
    [`${CONNECTIONS_PATH}/?q=a%20b`, `${CONNECTIONS_PATH}?q=a%20b`],
    ['/sign-in/', '/sign-in'],
  ] as const) {
    const { status, location } = await visitor.get(path)
    assert.deepEqual([status, location], [303, url + page], path)
  }
  for (const path of ['/nowhere/', `${url}//evil.example/`, '/api/human/ada/'])
    assert.equal((await visitor.get(path)).status, 404, path)
  const sandbox = (await visitor.get('/')).links['the sandbox'] ?? ''
  const about = await visitor.get(sandbox)
  assert.ok(about.html.includes(`id="${new URL(sandbox).hash.slice(1)}"`))
})

test('the columns of the list are chosen and ordered, and a saved view keeps them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', {
    name: 'Grace',
    company: 'Navy',
    title: 'Admiral',
    emails: ['g@navy.example'],
    phones: ['+49 30 23125 000'],
    birthday: '1906-12-09',
  })
  const usual = await visitor.get('/user/connections?q=Grace')
  assert.match(usual.text, /Name Title Company Location Tags Last contact(?! Since)/)
  assert.doesNotMatch(usual.html, /columns-menu"[^>]* open/)
  /** Sends the menu with these columns checked, in its order, and one button. */
  const choose = (names: readonly string[], [button, name]: readonly [string, string]) => {
    const asked = new URLSearchParams({ in: 'q=Grace', [button]: name })
    for (const one of names) asked.append('column', one)
    return visitor.get(`/user/connections/columns?${asked.toString()}`)
  }
  const names = ['birthday', 'company', 'email', 'phone', 'nothing', 'phone']
  const applied = await choose(names, ['up', 'email'])
  assert.equal(applied.status, 303)
  const back = /q=Grace&columns=birthday%2Cemail%2Ccompany%2Cphone&choosing=email$/
  assert.match(applied.location ?? '', back)
  // The first cannot move up, and the last not down.
  for (const press of [
    ['up', 'birthday'],
    ['down', 'phone'],
  ] as const)
    assert.match(
      (await choose(['birthday', 'phone'], press)).location ?? '',
      /columns=birthday%2Cphone&/,
    )
  const list = await visitor.follow(applied)
  assert.match(
    list.text,
    /Name Birthday Email Company Phone .*Grace 9 Dec 1906 g@navy\.example Navy \+49/,
  )
  // The menu is still open, at the column that moved.
  assert.match(list.html, /columns-menu"[^>]* open/)
  assert.match(list.html, /name="up" value="email" autofocus/)
  const saved = await visitor.submit(list, { name: 'Birthdays' }, 'Save')
  assert.match((await visitor.follow(saved)).text, /Name Birthday Email Company Phone/)
  // Unknown columns are left out, and hostile ones are no state of a list.
  assert.match(
    (await visitor.get('/user/connections?columns=email,nothing')).text,
    /Name ↑ Email Grace g@navy/,
  )
  assert.equal((await visitor.get('/user/connections?columns=%3Cb%3E')).status, 400)
})

test('a row of the list has few elements', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connections = Array.from({ length: 50 }, (_, at) => ({
    name: `Person ${at}`,
    company: 'Acme',
    title: 'Engineer',
    location: 'Berlin',
    tags: ['climate', 'founder'],
    connected_on: '2020-01-01',
  }))
  await ada.ask('add_connections', { connections })
  const { html } = await ada.visitor.get('/user/connections')
  const rows = html.slice(html.indexOf('<tbody>'), html.indexOf('</tbody>'))
  assert.equal([...rows.matchAll(/<tr>/g)].length, 50)
  assert.ok([...rows.matchAll(/<[a-z]/g)].length <= 50 * 16)
})
