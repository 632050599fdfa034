import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEARCHES } from '../../connections/search/search.ts'
import { DAY } from '../../base/clock.ts'
import { dayCount, daysLater } from '../../dates/calendar-day.ts'
import { dateText } from '../../dates/format-date.ts'
import { capitalized } from '../../languages/capitalized.ts'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { SETTING_PAGES } from './palette-pages.ts'
import {
  ACCOUNT_PATH,
  CONNECTION_SUGGESTIONS_PATH,
  CONNECTIONS_PATH,
  LOG_PATH,
  PALETTE_PATH,
  SEARCH_PATH,
  SHARE_PATH,
  connectionPath,
  logContactPath,
} from '../../html/site-map.ts'

test('people, views, pages and actions are found by what is typed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  const people = [{ name: '<b>Impala</b> Hopper', company: 'Navy' }]
  await ada.ask('add_connections', { connections: people })
  const empty = await ada.visitor.get(PALETTE_PATH)
  assert.match(empty.text, /Actions Log contact Add person .* Pages Today .* Keyboard shortcuts/)
  assert.doesNotMatch(empty.text, /People Impala/)
  const found = await ada.visitor.get(`${PALETTE_PATH}?q=imp`)
  assert.match(
    found.text,
    /People <b>Impala<\/b> Hopper Navy All results for “imp” Actions Import contacts Help/,
  )
  assert.ok(!found.html.includes('<b>Impala'))
  assert.equal(found.links['All results for “imp”'], `${url + CONNECTIONS_PATH}?q=imp`)
  assert.ok(Object.values(found.links).includes(url + connectionPath('c_1')))
  const none = await ada.visitor.get(`${PALETTE_PATH}?q=zzzzzz`)
  assert.match(none.text, /No results/)
  assert.equal(none.links['Docs about “zzzzzz”'], `${url}/docs?q=zzzzzz`)
  assert.equal((await ada.visitor.get(`${PALETTE_PATH}?q=${'x'.repeat(600)}`)).status, 400)
  const eve = await world.join('eve')
  assert.doesNotMatch((await eve.visitor.get(`${PALETTE_PATH}?q=imp`)).text, /Impala/)
})

test('of people with one name, each row says who is meant', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jonas = { name: 'Jonas Novák', allow_duplicate: true }
  for (const one of [{ location: 'Lisbon' }, {}, {}])
    await ada.ask('add_connections', { connections: [{ ...jonas, ...one }] })
  for (const q of ['jonas novák', 'log jonas', 'lunch jonas novák yesterday']) {
    const { text } = await ada.visitor.get(
      `${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`,
    )
    for (const detail of ['Lisbon', 'c_2', 'c_3'])
      assert.equal(text.split(` ${detail} `).length, 2, `${q}: ${detail} in ${text}`)
  }
})

test('what was typed is marked, a place is found, and people who are there say so', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const work = { company: 'Navy', location: 'Lisbon' }
  await ada.ask('add_connections', {
    connections: [
      { ...work, name: 'Grace Hopper' },
      { ...work, name: 'Élise Lisbon' },
    ],
  })
  const { html, links } = await ada.visitor.get(`${PALETTE_PATH}?q=lis&person=c_1`)
  assert.match(html, /Grace Hopper<\/bdi> <small><bdi>Navy · <mark>Lis<\/mark>bon</)
  assert.match(html, /Élise <mark>Lis<\/mark>bon<\/bdi> <small><bdi>Navy<\/bdi>/)
  assert.match(html, /<bdi>All results for “lis”<\/bdi>/)
  assert.ok(Object.values(links).includes(`${world.service.url}${CONNECTIONS_PATH}?place=Lisbon`))
  assert.doesNotMatch(html, /c_1#tags/, 'adding a tag is no list')
  const accents = await ada.visitor.get(`${PALETTE_PATH}?q=elise`)
  assert.match(accents.html, /<mark>Élise<\/mark> Lisbon/)
})

test('people who are found by a tag or a note say so', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const connections = [
    { name: 'Mia Berg', title: 'Head', company: 'Verdant', tags: ['Lisboa trip'] },
    { name: 'Tom Ray', company: 'Hooli', tags: ['Friends'] },
  ]
  await ada.ask('add_connections', { connections })
  await ada.ask('save_note', { people: ['c_2'], text: 'Likes cocoa and the <sea>.' })
  const detailOf = async (q: string) =>
    /<small>(.*?)<\/small>/.exec(
      (await visitor.get(`${PALETTE_PATH}?q=${q}`)).html.split('class="found"')[1] ?? '',
    )?.[1]
  assert.equal(
    await detailOf('lisb'),
    '<bdi>Tagged <mark>Lisb</mark>oa trip · Head · Verdant</bdi>',
  )
  assert.match((await detailOf('cocoa')) ?? '', /Likes <mark>cocoa<\/mark> and the &#60;sea/)
  assert.equal(await detailOf('hooli'), '<bdi><mark>Hooli</mark></bdi>')
  const list = await visitor.get(`${CONNECTIONS_PATH}?q=lisboa`)
  assert.match(list.html, /class="why narrow"><bdi>Tagged <mark>Lisboa<\/mark> trip</)
})

test('the people whose pages were opened last come first, for this member', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const people = ['Grace Hopper', 'Alan Turing', 'Mary Somerville'].map((name) => ({ name }))
  await ada.ask('add_connections', { connections: people })
  for (const id of ['c_1', 'c_3', 'c_2', 'c_1']) await visitor.get(connectionPath(id))
  await ada.ask('delete_connections', { people: ['c_3'] })
  const recent = /Recent people Grace Hopper Alan Turing (Actions|<)/
  assert.match((await visitor.get(PALETTE_PATH)).text, recent)
  const eve = await world.join('eve')
  await eve.ask('add_connections', { name: 'Someone else' })
  const { weft_recent: kept } = visitor.cookies
  const cookie = `${eve.visitor.cookie}; weft_recent=${kept}`
  assert.doesNotMatch((await eve.visitor.get(PALETTE_PATH, { cookie })).text, /Recent people/)
})

test('people of one first name come in one order, the closest first, and one who is due is among them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const families = ['Abbas', 'Busch', 'Cohen', 'Dahl', 'Egan', 'Frey', 'Gray', 'Hall']
  await ada.ask('add_connections', {
    connections: families.map((one) => ({ name: `Leila ${one}` })),
  })
  const call = { kind: 'call', on: '2026-11-20' }
  const person = (family: string) => ({ people: `Leila ${family}` })
  await ada.ask('save_note', { ...person('Hall'), text: 'Likes tea.' })
  await ada.ask('save_follow_up', { ...person('Gray'), text: 'Write', due_on: '2027-01-01' })
  await ada.ask('keep_in_touch', { ...person('Frey'), every: '1 month' })
  await ada.ask('log_interaction', { ...person('Frey'), ...call, on: '2026-01-02' })
  await ada.ask('log_interaction', { ...person('Egan'), ...call })
  const opened = Object.entries((await visitor.get(`${PALETTE_PATH}?q=leila+dahl`)).links)
  await visitor.get(opened.find(([label]) => label === 'Leila Dahl')?.[1] ?? '')
  const closest = ['Egan', 'Dahl', 'Frey', 'Gray', 'Hall', 'Abbas', 'Busch', 'Cohen']
  const shown = async (q: string) => {
    const { html } = await visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`)
    const rows = [...html.matchAll(/<li>.*?<\/li>/gs)].flatMap(([row]) =>
      row.includes('All results') ? [] : row.replaceAll(/<[^>]*>/g, ''),
    )
    return [...new Set(rows.flatMap((row) => /Leila (\w+)/.exec(row)?.[1] ?? []))]
  }
  assert.deepEqual(await shown('leila'), closest)
  for (const q of ['leil', 'log leil', 'note Leila likes tea', 'remind me to call Leila tomorrow'])
    assert.deepEqual((await shown(q)).slice(0, 3), closest.slice(0, 3), q)
  // Three others are closer.
  for (const family of ['Abbas', 'Busch', 'Cohen'])
    await ada.ask('log_interaction', { ...person(family), ...call })
  const due = await shown('remind me to call Leila tomorrow')
  assert.equal(due.length, 3)
  assert.ok(due.includes('Frey'), due.join(', '))
  const mentioned = await visitor.get(`${CONNECTION_SUGGESTIONS_PATH}?q=leila`)
  assert.match(mentioned.text, /Leila Frey/)
})

test('birthdays of a time are listed by day, and no one else, on every day around the end of the year', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const days = Array.from({ length: 60 }, (_, at) => daysLater('2026-11-15', at))
  const born = days.map((day, at) => ({
    name: `Person ${at}`,
    birthday: at % 2 === 0 ? `1980-${day.slice(5)}` : `--${day.slice(5)}`,
  }))
  const note = { name: 'Anna Note', title: 'Birthday planner', note: 'Birthdays this week.' }
  await ada.ask('add_connections', { connections: [...born.toReversed(), note] })
  const listed = async (q: string, language: string) => {
    const path = `${CONNECTIONS_PATH}?${new URLSearchParams({ q }).toString()}`
    const { html } = await ada.visitor.get(path, { 'accept-language': language })
    // The day stands in place of the last contact.
    assert.doesNotMatch(html, /<td class="contact"/)
    return [...html.matchAll(/dir="auto">(Person \d+|Anna Note)<\/a>/g)].map(([, name]) => name)
  }
  for (let day = '2026-11-21'; day < '2027-01-05'; day = daysLater(day, 4)) {
    const monday = daysLater(day, -((dayCount(day) + 3) % 7))
    const inMonth = (one: string) => one.slice(0, 7) === day.slice(0, 7)
    const inWeek = (one: string) => one >= monday && one < daysLater(monday, 7)
    for (const [q, language, isIn] of [
      ['birthdays this week', 'en', inWeek],
      ['Geburtstage diese Woche', 'de', inWeek],
      ['birthdays today', 'en', (one: string) => one === day],
      ['wer hat heute Geburtstag', 'de', (one: string) => one === day],
      ['birthdays this month', 'en', inMonth],
      ['Geburtstage diesen Monat', 'de', inMonth],
    ] as const) {
      const names = days.flatMap((one, at) => (isIn(one) ? `Person ${at}` : []))
      assert.deepEqual(await listed(q, language), names, `${q} on ${day}`)
    }
    const { text } = await ada.visitor.get(`${PALETTE_PATH}?q=birthdays+today`)
    const at = days.indexOf(day)
    assert.match(text, new RegExp(`People Person ${at} ${dateText(`--${day.slice(5)}`)} All`))
    world.service.clock.advance(4 * DAY)
  }
})

test('an email to a person with several addresses offers each, and without one it can be added', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connections = [
    { name: 'Yuki Dubois', emails: ['y@a.example', 'a&b?@b.example'] },
    { name: 'Peter Moos' },
  ]
  await ada.ask('add_connections', { connections })
  const palette = async (q: string) =>
    (await ada.visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`)).links
  const yuki = await palette('email Yuki Dubois')
  assert.equal(yuki['Write to Yuki Dubois y@a.example'], 'mailto:y@a.example')
  assert.equal(yuki['Write to Yuki Dubois a&b?@b.example'], 'mailto:a%26b%3F@b.example')
  assert.ok(Object.keys(yuki).some((label) => label.startsWith('Log an email with Yuki Dubois')))
  const peter = await palette('email Peter Moos')
  const edit = peter['Add an email for Peter Moos No email on file.'] ?? ''
  const [path = '', field = ''] = edit.split('#')
  assert.ok((await ada.visitor.get(path)).html.includes(`id="${field}"`))
})

test('a contact is logged with a person who is found by name', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [{ name: 'Grace Hopper' }, { name: 'Grace Kelly' }],
  })
  const page = await ada.visitor.get(LOG_PATH)
  assert.doesNotMatch(page.text, /Actions|Keyboard shortcuts/)
  const found = await ada.visitor.get(`${LOG_PATH}&q=hop`)
  assert.match(found.html, /<input type="hidden" name="then" value="log"/)
  assert.equal(found.links['Grace Hopper'], world.service.url + logContactPath('c_1'))
})

test('people that the member may have talked to are offered before a name is typed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: ['Grace Hopper', 'Alan Turing', 'Mary Somerville'].map((name) => ({ name })),
  })
  const added = await ada.visitor.get(LOG_PATH)
  assert.match(added.text, /Added last Mary Somerville Alan Turing Grace Hopper/)
  await ada.ask('log_interaction', { people: 'c_1', kind: 'call', on: '2025-01-02' })
  await ada.ask('keep_in_touch', { people: 'c_1', every: '1 month' })
  await ada.visitor.get(connectionPath('c_2'))
  const { text, links } = await ada.visitor.get(LOG_PATH)
  assert.match(text, /Due Grace Hopper Recent people Alan Turing Added last Mary Somerville/)
  assert.equal(links['Alan Turing'], world.service.url + logContactPath('c_2'))
  await ada.ask('keep_in_touch', { people: 'c_1', paused_until: '2027-06-01' })
  const snoozed = await ada.visitor.get(LOG_PATH)
  assert.doesNotMatch(snoozed.text, /Due Grace/)
  assert.match(snoozed.text, /Contacted last Grace Hopper/)
})

test('a word of an action and a name are the action for this person', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  await ada.ask('add_connections', {
    connections: [{ name: 'Mia Berg' }, { name: 'Logan Ray', company: 'Mia Ltd' }],
  })
  const found = async (q: string) =>
    (await ada.visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`)).links
  assert.equal((await found('log mia'))['Log contact: Mia Berg'], url + logContactPath('c_1'))
  const note = `${url}${connectionPath('c_1')}#write`
  assert.equal((await found('remember mia'))['Write a note: Mia Berg'], note)
  assert.equal((await found('log mia'))['Log contact: Logan Ray'], undefined)
  for (const other of ['xyz mia', 'log', 'log zzz', `log ${'zz '.repeat(100)}`])
    assert.ok(!Object.keys(await found(other)).some((label) => /: Mia/.test(label)), other)
})

test('what is typed as a command acts at once, and can be undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', {
    connections: [{ name: 'Mia Berg', tags: ['Climate'] }, { name: 'Tom Ray' }],
  })
  const palette = async (q: string) =>
    visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`)
  const act = async (q: string, button: string) =>
    visitor.follow(await visitor.submit(await palette(q), {}, button))
  // The tag has the spelling that it has already; what is only begun is completed.
  const tagged = await act('tag tom climate', 'Tag Tom Ray with Climate')
  assert.match(tagged.text, /^(?=.*Tom Ray).*Changed the tags.*Undo/)
  assert.match(
    (await palette('tag tom cli')).text,
    /Tag Tom Ray with Climate Tag Tom Ray with cli /,
  )
  // Only the newest change of the member is offered.
  assert.match((await visitor.get(connectionPath('c_2'))).text, /Tom Ray Climate .*Add tag /)
  const undo = await palette('undo')
  assert.match(undo.text, /Actions Undo Changed the tags of Tom Ray Help/)
  for (const [q, language] of [
    ['undo my last change', 'en'],
    ['letzte Änderung rückgängig machen', 'de'],
  ] as const) {
    const path = `${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`
    const { text } = await visitor.get(path, { 'accept-language': language })
    assert.match(text, /(?:Undo|Rückgängig) .*Tom Ray/, q)
  }
  await visitor.submit(undo, {}, 'Undo Changed the tags of Tom Ray')
  assert.match((await visitor.get(connectionPath('c_2'))).text, /Tom Ray Add tag /)
  for (const q of ['new person Jo Doe', 'add Jo Doe'])
    assert.match((await palette(q)).text, /Actions Add person: Jo Doe ↑/, q)
  const added = await act('create contact Jo Doe', 'Add person: Jo Doe')
  assert.match(added.text, /Added Jo Doe/)
  assert.match((await visitor.get(connectionPath('c_3'))).text, /Jo Doe/)
  // These are searches, or actions of their own.
  for (const q of ['new york', 'add passkey', 'add', 'new person', 'add tag'])
    assert.doesNotMatch((await palette(q)).text, /Add person:/, q)
  assert.match(
    (await visitor.get(`${PALETTE_PATH}?person=c_2&q=tag+climate`)).text,
    /Actions Tag Tom Ray with Climate/,
  )
  const left = await visitor.follow(await visitor.submit(await palette('sign out'), {}, 'Sign out'))
  assert.equal((await visitor.get(ACCOUNT_PATH)).status, 303)
  assert.equal(left.status, 200)
})

test('words for an action without a person ask for one', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', {
    connections: ['Mia Berg', 'Tom Ray'].map((name) => ({ name })),
  })
  const { url } = world.service
  const links = async (q: string) => (await visitor.get(`${PALETTE_PATH}?q=${q}`)).links
  const cadence = (await links('cadence'))['Set the cadence'] ?? ''
  assert.ok((await links('reminder'))['Add follow-up'])
  assert.ok((await links('merge'))['Merge duplicates'])
  const asked = await visitor.get(cadence)
  assert.match(asked.text, /Set the cadence .*Added last Tom Ray Mia Berg/)
  const found = await visitor.get(`${cadence}&q=mi`)
  assert.equal(found.links['Mia Berg'], `${url}${connectionPath('c_1')}#cadence-panel`)
  const merge = await links('merge+mia+tom')
  assert.equal(
    merge['Merge Mia Berg with tom'],
    `${url}${connectionPath('c_1')}?edit=merge&with=tom#merge`,
  )
  const own = await visitor.get(`${PALETTE_PATH}?person=c_1&q=merge`)
  assert.match(own.text, /Mia Berg Merge with another person Actions Merge duplicates/)
})

test('commands work in German', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { connections: [{ name: 'Mia Berg' }] })
  const german = { 'accept-language': 'de' }
  const palette = async (q: string) =>
    (await visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`, german)).text
  for (const q of ['neue Person Jo Doe', 'Jo Doe hinzufügen', 'füge Jo Doe hinzu'])
    assert.match(await palette(q), /Aktionen Person hinzufügen: Jo Doe/, q)
  assert.match(await palette('tag mia klima'), /Mia Berg: Schlagwort klima/)
  assert.match(await palette('abmelden'), /Aktionen Abmelden/)
  assert.match(await palette('rhythmus'), /Aktionen Rhythmus festlegen/)
})

test('without scripts, the search of every member page leads to the list of people', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const { html } = await visitor.get(ACCOUNT_PATH)
  assert.match(html, /<a class="open-search" href="\/user\/search"/)
  const { status, location } = await visitor.get(`${SEARCH_PATH}?q=a+%26+b`)
  assert.deepEqual([status, location], [303, `${world.service.url + CONNECTIONS_PATH}?q=a+%26+b`])
})

test('single keys are turned off and on again in the account', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const page = await visitor.get(ACCOUNT_PATH)
  const off = await visitor.follow(await visitor.submit(page, {}, 'Turn off single keys'))
  assert.match(off.text, /Keyboard shortcuts Single keys are off/)
  const on = await visitor.follow(await visitor.submit(off, {}, 'Turn on single keys'))
  assert.match(on.text, /Keyboard shortcuts Single keys such as/)
})

test('light or dark colors are chosen in the account, for this browser', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const page = await visitor.get(ACCOUNT_PATH)
  assert.doesNotMatch(page.html, /data-theme/)
  const choose = async (theme: string) =>
    visitor.follow(await visitor.submit(page, { theme }, 'Change colors'))
  const dark = await choose('dark')
  assert.match(dark.text, /Appearance changed\./)
  assert.match(dark.html, /<html[^>]* data-theme="dark"/)
  assert.match((await visitor.get(CONNECTIONS_PATH)).html, /<html[^>]* data-theme="dark"/)
  for (const other of ['', '" onload="x'])
    assert.doesNotMatch((await choose(other)).html, /data-theme/)
})

test('actions for a person, synonyms, tags and companies are found', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy', tags: ['nautical'] })
  const opened = await ada.visitor.get(`${PALETTE_PATH}?person=c_1`)
  assert.match(opened.text, /Grace Hopper Log contact c Write a note n Follow up Add a tag t/)
  assert.match(opened.html, /<input type="hidden" name="person" value="c_1"/)
  const rhythm = await ada.visitor.get(`${PALETTE_PATH}?person=c_1&q=rhythm`)
  assert.equal(rhythm.links['Set the cadence'], `${url + connectionPath('c_1')}#cadence-panel`)
  const german = { 'accept-language': 'de', accept: 'text/html' }
  for (const word of ['erinnerung', 'reminder'])
    assert.match(
      (await ada.visitor.get(`${PALETTE_PATH}?person=c_1&q=${word}`, german)).text,
      /Wiedervorlage/,
      word,
    )
  const found = await ada.visitor.get(`${PALETTE_PATH}?q=na`)
  assert.match(found.text, /Go to nautical 1 person Navy 1 person/)
  const other = await world.join('other')
  for (const id of ['c_1', 'c_99', 'x'])
    assert.doesNotMatch(
      (await other.visitor.get(`${PALETTE_PATH}?person=${id}`)).text,
      /Grace|Set the cadence/,
    )
})

test('the parts of the account and the share page are found', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const account = world.service.url + ACCOUNT_PATH
  const found = async (q: string) => (await visitor.get(`${PALETTE_PATH}?q=${q}`)).links
  assert.equal((await found('sess'))['Where you are signed in'], `${account}#sessions`)
  assert.equal((await found('passk'))['Passkeys'], `${account}#passkeys`)
  assert.equal((await found('lang'))['Language'], `${account}#language-heading`)
  assert.equal((await found('dark'))['Appearance'], `${account}#appearance`)
  const share = (await found('bookmark'))['Save from other pages and apps']
  assert.equal(share, world.service.url + SHARE_PATH)
  for (const { path } of SETTING_PAGES) {
    const [page = '', id] = path.split('#')
    assert.ok((await visitor.get(page)).html.includes(`id="${id}"`), path)
  }
})

test('usual words lead to the pages and settings before people who match less', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const connections = [{ name: 'Apinya Tim', note: 'Invited to the zone.' }, { name: 'Lang Zon' }]
  await ada.ask('add_connections', { connections })
  for (const [language, rows] of [
    [
      'en',
      {
        token: 'API tokens',
        tokens: 'API tokens',
        api: 'API tokens',
        csv: 'Import contacts',
        bday: 'Birthdays this month',
        'time zone': 'Time zone',
        timezone: 'Time zone',
        language: 'Language',
        agents: 'Agents',
        settings: 'Account',
        trash: 'Deleted',
        carddav: 'Contacts apps',
        webhook: 'Webhooks',
        'delete account': 'Delete account',
        'change my password': 'Password',
      },
    ],
    [
      'de',
      {
        token: 'API-Tokens',
        csv: 'Kontakte importieren',
        bday: 'Geburtstage diesen Monat',
        zeitzone: 'Zeitzone',
        sprache: 'Sprache',
        papierkorb: 'Gelöscht',
        einstellungen: 'Konto',
      },
    ],
  ] as const)
    for (const [q, label] of Object.entries(rows)) {
      const query = new URLSearchParams({ q }).toString()
      const headers = { 'accept-language': language }
      const { html } = await visitor.get(`${PALETTE_PATH}?${query}`, headers)
      const first = /<li>.*?<bdi>(.*?)<\/bdi>/s.exec(html)?.[1]?.replaceAll(/<\/?mark>/g, '')
      assert.equal(first, label, q)
    }
})

test('actions for the selection of the list are parts of its bar; two people can be merged', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', {
    connections: [{ name: 'Grace Hopper' }, { name: 'Grace Kelly' }],
  })
  const list = await visitor.get(CONNECTIONS_PATH)
  const three = await visitor.get(`${PALETTE_PATH}?selected=3&person=c_1`)
  assert.match(
    three.text,
    /3 selected people Log contact Follow up Add a tag Set the cadence Recent|3 selected people Log contact Follow up Add a tag Set the cadence Actions Add person/,
  )
  assert.match(three.html, /<input type="hidden" name="selected" value="3"/)
  const two = await visitor.get(`${PALETTE_PATH}?selected=2`)
  for (const [, id = ''] of two.html.matchAll(/href="#(bulk-[a-z]+)"/g))
    assert.ok(list.html.includes(`id="${id}"`), id)
  assert.match(two.text, /2 selected people .* Merge /)
  for (const [word, label] of [
    ['reminder', 'Follow up'],
    ['rhythm', 'Set the cadence'],
    ['cadence', 'Set the cadence'],
  ] as const)
    assert.match(
      (await visitor.get(`${PALETTE_PATH}?selected=2&q=${word}`)).text,
      new RegExp(`2 selected people ${label}`),
    )
  for (const wrong of ['-1', 'x', '1e999', ''])
    assert.doesNotMatch(
      (await visitor.get(`${PALETTE_PATH}?selected=${wrong}`)).text,
      /\d selected pe/,
    )
})

test('weaker matches have their own heading, and a reason only if another word was found', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', {
    connections: [
      { name: 'Anna Carver', company: 'Navy' },
      { name: 'Anna Moss', company: 'Oxide' },
      { name: 'Anna Carter' },
    ],
  })
  const { text } = await visitor.get(`${PALETTE_PATH}?q=anna+zebra`)
  assert.match(text, /Search Weaker matches .*Anna Carver Navy .*All results for/)
  assert.match(text, /Anna Moss Oxide /)
  assert.doesNotMatch(text, /1 of 2 words/)
  const similar = await visitor.get(`${PALETTE_PATH}?q=carverr`)
  assert.match(
    similar.text,
    /Weaker matches Anna Carver similar spelling: Carver for carverr · Navy/,
  )
  const settings = await visitor.get(`${PALETTE_PATH}?q=settings`)
  assert.match(settings.text, /Pages Account/)
})

test('a question is read as the list of people reads it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const connections = [
    { name: 'Mia Berg', company: 'Hooli', title: 'Attorney', birthday: '1980-12-05' },
    { name: 'Tom Ray', company: 'Hooli', location: 'Hamburg', tags: ['family'] },
    { name: 'Ana Ruiz', title: 'General Partner', location: 'Hamburg', birthday: '1990-03-01' },
    { name: 'Lea Kern', tags: ['family'], phones: ['+49 40 1234567'], connected_on: '2016-05-01' },
    { name: 'Kai Moos', company: 'Northwind', note: 'December works, who knows the people?' },
  ]
  await ada.ask('add_connections', { connections })
  await ada.ask('log_interaction', { people: 'c_2', kind: 'call', on: '2025-01-02' })
  const idsIn = (html: string) => [
    ...new Set([...html.matchAll(/\/connections\/(c_\d+)(?:\?[^"]*)?"/g)].map(([, id]) => id)),
  ]
  for (const [q, exact] of [
    ['birthdays in December', ['c_1']],
    ['investors', []],
    ['lawyer', []],
    ['people I met in 2016', ['c_4']],
    ['family without a phone number', ['c_2']],
    ['who works at Hooli', ['c_1', 'c_2']],
    ['people in Hamburg I have not contacted', ['c_2', 'c_3']],
    ['Wer arbeitet bei Hooli?', ['c_1', 'c_2']],
  ] as const) {
    const asked = new URLSearchParams({ q }).toString()
    const palette = (await visitor.get(`${PALETTE_PATH}?${asked}`)).html
    const list = (await visitor.get(`${CONNECTIONS_PATH}?${asked}`)).html
    const [people = ''] = palette.split('Weaker matches')
    assert.deepEqual(idsIn(people), exact, q)
    assert.deepEqual(idsIn(palette), idsIn(list), q)
    assert.ok(idsIn(palette).length > 0, q)
  }
})

test('small words of a sentence are not marked, and a part of a note has no marks of Markdown', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { connections: [{ name: 'Mia Berg' }] })
  const text = '# Trip\n\nTo *Lisbon*, **Lisbon\nwith cocoa** and `next` [week](https://a.example/)'
  await ada.ask('save_note', { people: ['c_1'], text })
  const palette = await visitor.get(`${PALETTE_PATH}?q=to+lisbon+with+cocoa`)
  assert.match(palette.html, /To <mark>Lisbon<\/mark>, <mark>Lisbon<\/mark> with <mark>cocoa/)
  const list = await visitor.get(`${CONNECTIONS_PATH}?q=cocoa`)
  for (const { text: shown } of [palette, list]) {
    assert.match(shown, /Lisbon with cocoa and next week/)
    assert.doesNotMatch(shown, /[*`[\]]/)
  }
})

test('an action is found with the small words of a sentence, which may be names', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const links = async (q: string, language = 'en') =>
    (
      await visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`, {
        'accept-language': language,
      })
    ).links
  assert.ok((await links('change my password'))['Password'])
  assert.ok((await links('mein Passwort ändern', 'de'))['Passwort'])
  assert.match((await visitor.get(`${PALETTE_PATH}?q=add+Will+An`)).text, /Add person: Will An/)
})

test('a sentence with an action, a person and a day is a command', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const connections = ['Mia Berg', 'Tom Ray', 'Tom Lund', 'Björn Ek', 'Mena Cal', 'June Day'].map(
    (name) => ({ name }),
  )
  await ada.ask('add_connections', { connections })
  await ada.ask('save_note', { people: ['c_1'], text: 'Wants to meet Tom next friday, call me.' })
  const palette = async (q: string, headers?: Record<string, string>) =>
    visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`, headers)
  for (const [q, first] of [
    ['log a call with mia', 'Log a call with Mia Berg'],
    ['coffee with mia yesterday', 'Log a meeting with Mia Berg'],
    ['note for bjorn: likes tea', 'Add a note to Björn Ek'],
    ['follow up tom ray', 'Follow up: Tom Ray'],
    ['remind me to call tom lund', 'Add a follow-up for Tom Lund'],
    ['remind me to call mia in june', 'Add a follow-up for Mia Berg'],
    // Nothing is done with one of several people.
    [
      'remind me to call tom next friday',
      'Add a follow-up for Tom Lund · Fri 27 Nov Call tom Add a follow-up for Tom Ray',
    ],
  ] as const)
    assert.match((await palette(q)).text, new RegExp(`Actions ${first}`), q)
  const german = await palette('erinnere mich nächsten Freitag, Björn anzurufen', {
    'accept-language': 'de',
  })
  assert.match(german.text, /Aktionen Wiedervorlage für Björn Ek hinzufügen · Fr.* Björn anzurufen/)
  for (const q of [
    'remind me to call tom ray next friday',
    'remind me next friday to call tom ray',
  ]) {
    const label = 'Add a follow-up for Tom Ray · Fri 27 Nov Call tom ray'
    await visitor.submit(await palette(q), {}, label)
  }
  const { follow_ups } = await ada.ask('list_follow_ups')
  assert.deepEqual(
    (follow_ups as { text: string; due_on: string }[]).map(({ text, due_on }) => [text, due_on]),
    [
      ['Call tom ray', '2026-11-27'],
      ['Call tom ray', '2026-11-27'],
    ],
  )
  for (const q of [
    'remind me to',
    `remind me ${'to call '.repeat(60)}`,
    'log a call',
    'note for zzz',
  ])
    assert.doesNotMatch((await palette(q)).text, /: (?:Mia|Mena|June)/, q)
})

test('a sentence in the palette asks the search at most four times, however many words it has', async (t) => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const words = 'call anna berta carla dora emma frida gerda hanna ida jana karla lena mona'.split(
    ' ',
  )
  const connections = words.map((word) => ({ name: `${capitalized(word)} Berg` }))
  await ada.ask('add_connections', { connections })
  const run = t.mock.method(SEARCHES, 'run')
  for (const q of [
    `remind me to ${words.join(' ')}`,
    `remind me to visit the big old house by the river on some other day`,
    'remind me to anna berta',
    'tag anna berta carla dora emma frida',
    'tag zzz of this name ever',
    'note for zzz yyy xxx www vvv',
    'log anna berta carla',
  ]) {
    run.mock.resetCalls()
    const path = `${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`
    assert.equal((await ada.visitor.get(path)).status, 200)
    // One more is the list of people.
    const asked = run.mock.callCount()
    assert.ok(asked <= 5, `${q}: ${asked}`)
  }
})

test('a command in some hours is due at that time', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { connections: [{ name: 'Tom Ray' }] })
  const q = new URLSearchParams({ q: 'remind me to call tom ray in 3 hours' }).toString()
  const page = await ada.visitor.get(`${PALETTE_PATH}?${q}`)
  const [label = ''] =
    /Add a follow-up for Tom Ray · \w+ \d+ \w+ \d+:\d\d Call tom ray/.exec(page.text) ?? []
  await ada.visitor.submit(page, {}, label)
  await ada.ask('save_follow_up', { people: ['c_1'], text: 'Write', due_on: 'in 3 hours' })
  const { follow_ups } = await ada.ask('list_follow_ups')
  const due = (follow_ups as { due_on: string; time?: string }[]).map(
    ({ due_on, time }) => `${due_on} ${time}`,
  )
  assert.equal(due.length, 2)
  assert.equal(due[0], due[1])
  assert.match(due[0] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d$/)
})

test('what a sentence says is saved and can be undone, or is in the form that opens', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const names = ['Sofia Khan', 'Jonas Novák', 'Jonas Nakamura']
  await ada.ask('add_connections', { connections: names.map((name) => ({ name })) })
  const palette = async (q: string) =>
    visitor.get(`${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`)
  const act = async (q: string, button: string) =>
    visitor.follow(await visitor.submit(await palette(q), {}, button))
  const noted = await act(
    'note Sofia Khan: allergic to nuts',
    'Add a note to Sofia Khan allergic to nuts',
  )
  assert.match(noted.text, /Added a note.*Undo.*allergic to nuts/)
  const logged = await act(
    'had lunch with Sofia Khan yesterday about the cello',
    'Log a meeting with Sofia Khan · Fri 20 Nov Lunch with Sofia Khan about the cello',
  )
  assert.match(logged.text, /Undo.*Meeting.*Lunch with Sofia Khan about the cello/)
  const kept = await act(
    'stay in touch with Sofia Khan every month',
    'Set the cadence of Sofia Khan Every month',
  )
  assert.match(kept.text, /Undo/)
  const born = await act(
    'birthday Sofia Khan 3 May 1986',
    'Set the birthday of Sofia Khan 3 May 1986',
  )
  assert.match(born.text, /3 May 1986/)
  const later = await act('buy milk tomorrow', 'Add a follow-up · Sun 22 Nov Buy milk')
  assert.match(later.text, /Buy milk tomorrow.*Undo/)
  const { links } = await palette('coffee with Jonas yesterday')
  const [path = ''] = Object.entries(links).flatMap(([label, href]) =>
    label.startsWith('Log a meeting with Jonas Novák') ? [href] : [],
  )
  const form = await visitor.get(path)
  assert.match(form.html, /<details id="log"[^>]* open/)
  assert.match(form.html, /value="meeting"\s+checked/)
  assert.match(form.html, /name="contact_on"[^>]*value="20 Nov 2026"/)
  const note = (await palette('note Sofia Kahn: <b>nuts')).links
  const written = Object.values(note).find((href) => href.includes('note=')) ?? ''
  assert.match((await visitor.get(written)).html, /&#60;b&#62;nuts<\/textarea/)
  const added = (await palette('add Otto Krähe otto@kraehe.example from Mosaic Bank')).links
  const filled = Object.values(added).find((href) => href.includes('company=')) ?? ''
  const person = (await visitor.get(filled)).html
  for (const value of ['Otto Krähe', 'otto@kraehe.example', 'Mosaic Bank'])
    assert.match(person, new RegExp(`value="${value}"`), value)
})

test('hostile sentences are read in a bounded time and name no one', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Mia Berg' })
  for (const q of [
    'note '.repeat(100),
    'Mia:'.repeat(125),
    'every '.repeat(83),
    `remind me ${'Friday '.repeat(70)}`,
    `tag ${':'.repeat(490)}`,
    '@'.repeat(500),
  ]) {
    const { status, text } = await ada.visitor.get(
      `${PALETTE_PATH}?${new URLSearchParams({ q: q.slice(0, 500) }).toString()}`,
    )
    assert.equal(status, 200, q)
    assert.doesNotMatch(text, /with Mia Berg|to Mia Berg|for Mia Berg/, q)
  }
})
