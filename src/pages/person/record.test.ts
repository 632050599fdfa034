import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../../base/clock.ts'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { connectionsCsv, importFile } from '../../../test/fixtures/import.ts'
import {
  ACTIVITY_PATH,
  connectionPath,
  CONNECTIONS_PATH,
  DUPLICATES_PATH,
  INTRODUCTIONS_PATH,
  introductionsPath,
} from '../../html/site-map.ts'

const C1 = `${CONNECTIONS_PATH}/c_1`

/** A connection with every kind of date. */
async function addGrace(person: Person): Promise<void> {
  await person.ask('set_custom_field', { name: 'Met', kind: 'date' })
  await person.ask('set_custom_field', { name: 'Code' })
  await person.ask('add_connections', {
    name: 'Grace Hopper',
    company: 'Navy',
    emails: ['g@navy.example'],
    birthday: '--12-09',
    connected_on: '2019-03-14',
    details: {
      labels: { 'g@navy.example': 'work' },
      handles: [{ service: 'x', value: 'grace' }],
      organizations: [
        { name: 'Vassar', title: 'Professor', from: '1934', until: '1943-12', current: false },
      ],
      dates: [{ label: 'anniversary', date: '1930-06-15' }],
      relations: [{ name: 'Vincent', relation: 'spouse' }],
      custom: { Met: '2019-03', Code: '2019-03-14' },
    },
  })
  const connection_id = 'c_1'
  await person.ask('log_interaction', { people: ['c_1'], kind: 'message', on: '2026-03-04' })
  await person.ask('save_note', { people: connection_id, text: 'Lunch', on: '2026-11-02' })
  await person.ask('save_follow_up', { people: connection_id, text: 'Write', due_on: '2026-12-01' })
  await person.ask('update_connections', {
    people: connection_id,
    birthday: '1906-12-09',
    connected_on: '2019-03-15',
    details: {
      dates: { replace: [{ label: 'anniversary', date: '1930-06-16' }] },
      custom: { Met: '2019-04' },
    },
  })
}

/** Without the custom text, which is no date. */
function withoutCode(text: string): string {
  return text.replaceAll('Code 2019-03-14', '')
}

test('an international number can be called, and written to with the apps of a phone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    name: 'Grace Hopper',
    phones: ['+49 (0)30 123456', '030 123456'],
  })
  const { html } = await ada.visitor.get(C1)
  const [, contact = ''] = html.split('<h2 id="details">')
  const apps = [...contact.matchAll(/href="((?:tel|sms|https:\/\/(?:wa|signal))[^"]*)"/g)]
  assert.deepEqual(
    apps.map(([, href]) => href),
    [
      'tel:+4930123456',
      'sms:+4930123456',
      'https://wa.me/4930123456',
      'https://signal.me/#p/+4930123456',
      'tel:030123456',
    ],
  )
})

test('a contact is logged in two taps', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const { visitor } = ada
  const open = await visitor.get((await visitor.get(C1)).links['Log contact'] ?? '')
  const logged = await visitor.follow(await visitor.submit(open, {}, 'Log contact'))
  assert.match(logged.text, /Logged a call/)
})

test('every date of a connection is written out, and exact in datetime', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addGrace(ada)
  const { text, html } = await ada.visitor.get(C1)
  for (const [shown, datetime] of [
    ['Birthday 9 Dec 1906', '1906-12-09'],
    ['Anniversary 16 Jun 1930', '1930-06-16'],
    ['Connected 15 Mar 2019 View', '2019-03-15'],
    ['Message By Claude Agent · 4 Mar 2026', '2026-03-04'],
    ['Professor at Vassar 1934 – Dec 1943', '1943-12'],
    ['Met Apr 2019', '2019-04'],
    ['Lunch By Claude Agent · 2 Nov 2026', '2026-11-02'],
  ] as const) {
    assert.ok(text.includes(shown), `${shown}: ${text}`)
    assert.ok(html.includes(`<time datetime="${datetime}">`), datetime)
  }
  assert.match(html, /<time\s+datetime="2026-12-01" title="Tue,? 1 Dec(ember)? 2026"\s*>/)
  assert.doesNotMatch(withoutCode(text), /\d{4}-\d\d/)
})

test('the record says where changed fields are from and since when', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addGrace(ada)
  const { text } = await ada.visitor.get(C1)
  const expected = /Updated just now Birthday, Connected on, Dates, Met ?: edited, 21 Nov 2026/
  assert.match(text, expected)
})

test('the timeline names changed fields instead of the connection, and shows values as text', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await addGrace(ada)
  const { text } = await ada.visitor.get(C1)
  assert.match(text, /Changed birthday, connected on, dates and Met By Claude Agent/)
  assert.match(
    text,
    /Follow-up: Write , 1 Dec 2026 By Claude .* Added By Claude .* Lunch By .* 2 Nov/,
  )
  assert.match(text, /Message By Claude Agent · 4 Mar 2026 More Edit message/)
  const activity = await ada.visitor.get(ACTIVITY_PATH)
  assert.match(activity.text, /People ?:? Grace Hopper Kind ?:? Message Date ?:? 4 Mar 2026/)
  assert.match(activity.text, /Claude changed Grace Hopper/)
  const changed = [
    'Birthday 9 Dec becomes 9 Dec 1906',
    'Connected on 14 Mar 2019 becomes 15 Mar 2019',
    'Dates Anniversary: 15 Jun 1930 becomes Anniversary: 16 Jun 1930',
    'Met Mar 2019 becomes Apr 2019',
  ]
  // The page of the person has what was added.
  const added = [
    'Labels g@navy.example: work',
    'Accounts X: grace',
    'Positions Professor at Vassar (1934 to Dec 1943)',
    'Relations Spouse: Vincent',
  ]
  for (const [page, all] of [
    [text, changed],
    [activity.text, [...changed, ...added]],
  ] as const) {
    for (const shown of all) assert.ok(page.includes(shown), `${shown}: ${page}`)
    assert.doesNotMatch(page, /[{}]/)
    assert.doesNotMatch(withoutCode(page), /\d{4}-\d\d/)
  }
})

test('dates of possible duplicates are written out', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const person = { name: 'Grace Hopper', emails: ['g@navy.example'], connected_on: '2019-03-14' }
  await ada.ask('add_connections', person)
  const other = { birthday: '--12-09', connected_on: '2019-03-15', allow_duplicate: true }
  await ada.ask('add_connections', { ...person, ...other })
  const { text } = await ada.visitor.get(DUPLICATES_PATH)
  assert.match(text, /Birthday 9 Dec Connected 1[45] Mar 2019 1[45] Mar 2019/)
})

test('a connection without details says so and links to its form', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const { text, links } = await ada.visitor.get(C1)
  assert.match(text, /No contact details yet/)
  assert.equal(links['Add details'], `${world.service.url}${C1}/edit`)
})

test('one field is edited in place, with dates in words, and its change is undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('set_custom_field', { name: 'Met', kind: 'date' })
  await ada.ask('add_connections', {
    name: 'Grace Hopper',
    title: 'Analyst',
    birthday: '1906-12-09',
    details: { custom: { Met: '2019-03-14' } },
  })
  const edit = async (field: string, text: string) => {
    const page = await ada.visitor.get(`${C1}?edit=${field}`)
    return ada.visitor.submit(page, { field_value: text }, 'Save')
  }
  assert.match((await ada.visitor.get(C1)).html, /edit&#61;birthday"\s+aria-label="Edit Birthday"/)
  const typed = async (field: string) =>
    /name="field_value" type="text" value="([^"]*)"/.exec(
      (await ada.visitor.get(`${C1}?edit=${field}`)).html.replaceAll(/\s+/g, ' '),
    )?.[1]
  assert.deepEqual(
    [await typed('birthday'), await typed('custom.1'), await typed('title')],
    ['9 Dec 1906', '14 Mar 2019', 'Analyst'],
  )
  const saved = await edit('title', 'Rear admiral')
  assert.match(saved.location ?? '', /\/c_1\?change=a_3#title$/)
  assert.match((await ada.visitor.follow(saved)).text, /Rear admiral/)
  await edit('birthday', '10 Dec')
  await edit('custom.1', 'yesterday')
  const { text, html } = await ada.visitor.get(C1)
  assert.match(text, /Birthday 10 Dec /)
  assert.match(html, /datetime="2026-11-20">20 Nov 2026/)
  const wrong = await edit('birthday', '03/04/1906')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Birthday must be a valid date/)
  assert.equal(wrong.forms.find(({ action }) => action.endsWith('field'))?.fields['was'], '--12-10')
  await edit('title', '')
  assert.doesNotMatch((await ada.visitor.get(C1)).html, /Edit Title/)
  const stale = await ada.visitor.get(`${C1}?edit=birthday`)
  await edit('birthday', '1906-12-11')
  const rejected = await ada.visitor.submit(stale, { field_value: '1 Jan 1900' }, 'Save')
  assert.equal(rejected.status, 422)
  assert.match(rejected.text, /Someone changed this field/)
})

test('a page that was opened from the list knows the people before and after, and keeps them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (const name of ['Ada King', 'Grace Hopper', 'Zoe Adams'])
    await ada.ask('add_connections', { name, company: name === 'Ada King' ? 'Babbage' : 'Navy' })
  const list = await ada.visitor.get(`${CONNECTIONS_PATH}?company=navy`)
  const page = await ada.visitor.get(list.links['Grace Hopper'] ?? '')
  assert.match(page.text, /People 1 of 2 Next/)
  assert.ok(!('Previous' in page.links))
  assert.match(page.html, /connections\?company&#61;navy">People<\/a>/)
  const next = await ada.visitor.get(page.links['Next'] ?? '')
  assert.match(next.text, /People 2 of 2 Previous .*Zoe Adams/)
  const noted = await ada.visitor.follow(
    await ada.visitor.submit(next, { note: 'Met' }, 'Add note'),
  )
  assert.match(noted.text, /2 of 2 Previous/)
  const undone = await ada.visitor.follow(await ada.visitor.submit(noted, {}, 'a_4'))
  assert.match(undone.text, /2 of 2 Previous/)
  assert.doesNotMatch((await ada.visitor.get(`${C1}?in=company%3Dnavy`)).text, / of 2/)
  assert.equal((await ada.visitor.get(`${C1}?in=page%3Dx`)).status, 200)
})

test('a person’s page has their work, the time where they are, and notes as their author wrote them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace Hopper', title: 'Admiral', company: 'Navy', location: 'Tokyo, Japan' },
      { name: 'Rosa Luz' },
    ],
  })
  await ada.ask('update_connections', {
    people: ['c_1'],
    details: ['relations=[{"name":"Rosa Luz","relation":"introduced by"}]'],
  })
  await ada.ask('save_note', { people: 'c_1', text: '- **two** children\nAsk @Rosa <b>' })
  const { text, html } = await ada.visitor.get(C1)
  assert.match(text, /Grace Hopper Admiral at Navy Tokyo, Japan , 21:00 there/)
  assert.match(text, /Know each other through Rosa Luz/)
  assert.match(html, /<strong>two<\/strong> children/)
  assert.match(html, /<a href="\/user\/connections\/c_2">@Rosa<\/a> &#60;b&#62;/)
  assert.equal(html.match(/<(?:button|a) class="button"/g)?.length, 1)
})

test('the timeline ends with the imports, and the day on which the two connected', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await importFile(ada, connectionsCsv([['Grace', 'Hopper']]))
  await ada.ask('update_connections', { people: ['c_1'], connected_on: '2019-02-11' })
  const { text } = await ada.visitor.get(C1)
  assert.match(
    text,
    /Imported from Connections\.csv just now Connected 11 Feb 2019 View full history/,
  )
})

test('the timeline is in the order of what it tells, across its pages', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await importFile(ada, connectionsCsv([['Grace', 'Hopper']]))
  world.service.clock.advance(MINUTE)
  await ada.ask('save_note', { people: 'c_1', text: 'Met at school', on: '2018-05-02' })
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: '2026-08-02' })
  const shown = (await ada.visitor.get(C1)).text
  assert.match(
    shown,
    /Imported from Connections\.csv .* Call By .* 2 Aug 2026 .* Met at school By .* 2 May 2018/,
  )
  for (let day = 1; day <= 25; day += 1)
    await ada.ask('save_note', { people: 'c_1', text: `Day ${day}`, on: `2026-09-${day + 1}` })
  const first = await ada.visitor.get(C1)
  const second = await ada.visitor.get(first.links['Older'] ?? '')
  const texts = [first, second].map(({ text }) => text.replace(/^.*?Timeline/, '')).join(' ')
  const days = [...texts.matchAll(/Day (\d+) /g)].map(([, day]) => Number(day))
  assert.deepEqual(
    days,
    Array.from({ length: 25 }, (_, at) => 25 - at),
  )
  assert.equal(texts.match(/Imported from/g)?.length, 1)
  assert.ok(texts.indexOf('Imported from') < texts.indexOf('Day 25 '))
})

test('a change is one line with its values, and what was undone is not in the timeline', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { connections: [{ name: 'Grace' }, { name: 'Rosa' }] })
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Send the deck', due_on: '2026-11-22' })
  await ada.ask('save_follow_up', { follow_up_id: 'f_1', completed: true })
  await ada.ask('keep_in_touch', { people: ['c_1', 'c_2'], every: 2, unit: 'month' })
  await ada.ask('keep_in_touch', { people: ['c_1'], every: 0 })
  await ada.ask('update_connections', { people: ['c_1', 'c_2'], tags: ['climate'] })
  await ada.ask('update_connections', { people: ['c_1'], title: 'Founder' })
  await ada.ask('update_connections', { people: ['c_1'], title: 'CTO' })
  const { text, html } = await ada.visitor.get(C1)
  for (const line of [
    'Completed: Send the deck By',
    'Follow-up: Send the deck , tomorrow By',
    'Cadence: Every 2 months , and for 1 other By',
    'Cadence: Every 2 months → No cadence By',
    'Title : Founder By',
    'Title : Founder → CTO By',
  ])
    assert.ok(text.includes(line), `${line}: ${text}`)
  assert.ok(!html.includes('<summary><small>Details'))
  await ada.ask('undo', {})
  const after = (await ada.visitor.get(C1)).text.replace(/^.*?Timeline/, '')
  assert.ok(!after.includes('CTO') && !after.includes('Undid'), after)
  assert.match((await ada.visitor.get(ACTIVITY_PATH)).text, /undid: changed Grace/)
})

test('the tag that an import brought is not called new when it is added to several people', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Grace\r\nCATEGORIES:climate\r\nEND:VCARD\r\n'
  await importFile(ada, card)
  await ada.ask('add_connections', { name: 'Rosa' })
  await ada.ask('update_connections', { people: ['c_1', 'c_2'], tags: { add: ['climate'] } })
  const { text } = await ada.visitor.get(C1)
  assert.match(text, /Changed the tags, and for 1 other By Claude/)
  assert.doesNotMatch(text, /Tags: (?:,|By)/)
})

test('a person is merged with another one from their menu', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [{ name: 'Mia Winter' }, { name: 'Mia W.' }, { name: 'Bob Sommer' }],
  })
  const { visitor } = ada
  const page = await visitor.get((await visitor.get(C1)).links['Merge with another person'] ?? '')
  assert.match(page.text, /Merge with .*Mia W\. Merge/)
  assert.doesNotMatch(page.text, /Bob Sommer/)
  const found = await visitor.get(`${C1}?edit=merge&with=sommer`)
  const merged = await visitor.follow(
    await visitor.submit(found, {}, 'Merge Bob Sommer into this person'),
  )
  assert.match(merged.text, /Merged 1 person into Mia Winter/)
})

test('a person sees the notes about others that mention them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [{ name: 'Mia Winter' }, { name: 'Tom Winter' }, { name: 'Tom Winterbottom' }],
  })
  await ada.ask('save_note', {
    people: 'c_1',
    text: 'Long walk. Ask @Tom Winter about <schools>. Rain.',
  })
  await ada.ask('save_note', { people: 'c_1', text: 'Tom Winter called' })
  await ada.ask('save_note', { people: 'c_1', text: '@Tom Winterbottom is another' })
  const { text, html } = await ada.visitor.get(`${CONNECTIONS_PATH}/c_2`)
  assert.equal(text.match(/Mentioned in a note about Mia Winter/g)?.length, 1, text)
  assert.match(
    text,
    /Mentioned in a note about Mia Winter Ask @Tom Winter about <schools>\. just now/,
  )
  assert.match(html, /href="\/user\/connections\/c_1#n_1"/)
})

test('people who can introduce the member are found, with the reason', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [{ name: 'Grace Hopper', company: 'Navy' }, { name: 'Alan <i>' }],
  })
  await ada.ask('save_note', { people: 'c_2', text: 'Knows everyone at Navy' })
  const { text } = await ada.visitor.get(introductionsPath('Navy'))
  assert.match(text, /Who can introduce you .*Alan <i> named in a note .*Knows everyone at Navy/)
  assert.match(text, /People you know there 1 Grace Hopper Navy Today/)
  assert.match((await ada.visitor.get(introductionsPath('zzz'))).text, /No one in your network/)
  assert.equal((await ada.visitor.get(INTRODUCTIONS_PATH)).status, 200)
})

test('a title at a company is understood, and people without contact are met through others', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connections = [
    { name: 'Greta Brandt', title: 'Nurse', company: 'Heron Health' },
    { name: 'Mia Berg', title: 'Clerk', company: 'Heron Health' },
    { name: 'Tom Ray', title: 'Nurse', company: 'Navy' },
  ]
  await ada.ask('add_connections', { connections })
  const asked = await ada.visitor.get(introductionsPath('Nurse at Heron Health'))
  assert.match(asked.text, /People you know there 1 Greta Brandt Nurse · Heron Health Today/)
  assert.doesNotMatch(asked.text, /Mia Berg|Tom Ray/)
  const menuOf = async (id: string) => (await ada.visitor.get(connectionPath(id))).links
  await ada.ask('log_interaction', { people: 'c_2', kind: 'call', on: '2025-01-02' })
  const path = (await menuOf('c_1'))['Who can introduce you'] ?? ''
  const through = await ada.visitor.get(path)
  assert.match(
    through.text,
    /Who can introduce you You .* Mia Berg works at the same company Greta/,
  )
  await ada.ask('log_interaction', { people: 'c_1', kind: 'call', on: '2025-01-02' })
  assert.equal((await menuOf('c_1'))['Who can introduce you'], undefined)
  assert.match((await ada.visitor.get(path)).text, /You know them already/)
})

test('a relation adds the person whose name no one has, and one undo reverts both', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { connections: [{ name: 'Grace Hopper' }, { name: 'Jo Day' }] })
  const add = async (fields: Readonly<Record<string, string>>) => {
    const page = await visitor.get(C1)
    return visitor.submit(page, fields, 'Add relation')
  }
  const refused = await add({ related: ' ', relation: 'son' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Name is required/)
  const long = await add({ related: 'x'.repeat(400), relation: 'son' })
  assert.equal(long.status, 422)
  const created = await visitor.follow(
    await add({ related: '<i>Vin</i> "Hopper"', relation: 'son' }),
  )
  assert.ok(!created.html.includes('<i>Vin'))
  assert.equal(created.links['<i>Vin</i> "Hopper"'], `${world.service.url}${CONNECTIONS_PATH}/c_3`)
  assert.match(created.text, /<i>Vin<\/i> "Hopper" son/)
  const labels = created.forms.flatMap(({ buttons }) => buttons.map(({ label }) => label))
  await visitor.submit(
    created,
    {},
    labels.find((label) => label.startsWith('Undo')),
  )
  const { links } = await visitor.get(C1)
  assert.ok(!Object.keys(links).some((name) => name.includes('Vin')))
  assert.doesNotMatch((await visitor.get(CONNECTIONS_PATH)).text, /Vin/)
  const known = await visitor.follow(await add({ related: 'jo day', relation: 'friend' }))
  assert.match(known.text, /Jo Day friend/)
  const only = await visitor.follow(await add({ related: 'Rex', relation: 'dog', create: '' }))
  assert.match(only.text, /Rex dog/)
})
