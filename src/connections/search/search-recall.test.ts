/** What else than the words themselves is found: other forms, names and spellings, follow-ups, relatives, yearly days. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { namesWithAllWords, searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { deleteFollowUpTool } from '../follow-ups/delete-follow-up.tool.ts'
import { analyzeQuery } from '../../search/query/analyze-query.ts'
import { phoneTerm, urlTerm } from '../../search/index/special-terms.ts'
import { readConditions } from '../../search/questions/read-conditions.ts'
import type { PageOfMatches } from './connection-page.ts'

async function matches(member: Acting, query: string): Promise<PageOfMatches['connections']> {
  return (await member.ask<PageOfMatches>(searchConnectionsTool, { query })).connections
}

async function assertFinds(
  member: Acting,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [query, names] of Object.entries(expected)) {
    const connections = await matches(member, query)
    assert.deepEqual(namesWithAllWords({ connections }), names, query)
  }
}

async function add(member: Acting, people: readonly object[]): Promise<void> {
  for (const person of people)
    await member.ask(addConnectionTool, { allow_duplicate: true, ...person })
}

test('other forms of a word are found in notes and titles, below the word itself', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', note: 'Invested in two robotics companies.' },
    { name: 'Ben', note: 'Is investing in bakeries.' },
    { name: 'Cleo', note: 'Hat das Dach gedeckt.' },
    { name: 'Dan', note: 'Ein Vertrag über Turbinen.' },
    { name: 'Eve', title: 'Sailing instructor' },
  ])
  await assertFinds(member, {
    investing: ['Ben', 'Ann'],
    'investing in robotics': ['Ann'],
    'Dach decken': ['Cleo'],
    Verträge: ['Dan'],
    sails: ['Eve'],
  })
  const [found] = await matches(member, 'Verträge')
  assert.deepEqual(
    [found?.matched_fields, found?.snippet],
    [['notes'], 'Ein Vertrag über Turbinen.'],
  )
})

test('a name in the network is not searched for in other forms', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Jimmy Carter' },
    { name: 'Ann', note: 'Carted the boxes away.' },
    { name: 'Bo Carting', note: 'Likes trains.' },
  ])
  await assertFinds(member, { carter: ['Jimmy Carter'], Carting: ['Bo Carting'] })
})

test('a form in a text does not hide a name with a typo', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Carl Carter' },
    { name: 'Ann Fisher' },
    { name: 'Bo', note: 'Carted the boxes away, then fished.' },
    { name: 'Cleo', note: 'Owns a fishery and a charter boat.' },
  ])
  await assertFinds(member, { Carters: ['Bo', 'Carl Carter'], Fishers: ['Bo', 'Ann Fisher'] })
})

test('a name that also asks for follow-ups is a name, unless a question word comes before', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Owe Berg', company: 'Siemens' },
    { name: 'Katja Lund', company: 'Siemens' },
  ])
  await member.ask(saveFollowUpTool, {
    people: 'c_2',
    text: 'Send Siemens a contract',
    due_on: '2099-01-01',
  })
  await assertFinds(member, {
    'Owe Siemens': ['Owe Berg'],
    'do I owe a contract': ['Katja Lund'],
    'who do I owe a contract': ['Katja Lund'],
  })
})

test('a name in two words is found above its other spelling', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Jane McDonald' }, { name: 'John MacDonald' }])
  await assertFinds(member, {
    'mac donald': ['John MacDonald', 'Jane McDonald'],
    'mc donald': ['Jane McDonald', 'John MacDonald'],
  })
})

test('a form is found only in texts, not in names, companies and places', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ann Baker', company: 'Bakers', location: 'Bakerloo' }])
  await assertFinds(member, { baking: [] })
})

test('open follow-ups are found until they are completed, deleted or changed', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ann' }, { name: 'Ben' }, { name: 'Cleo', note: 'An intro to jazz.' }])
  const plan = async (person: string, text: string) => {
    const input = { people: [person], text, due_on: '2026-12-01' }
    return (await askOne<{ follow_up_id: string }>(member, saveFollowUpTool, input)).follow_up_id
  }
  const one = await plan('c_1', 'Owe her an intro to Grace')
  const other = await plan('c_2', 'Send the revised contract')
  await assertFinds(member, {
    'who do I owe an intro': ['Ann', 'Cleo'],
    'follow up about the contract': ['Ben'],
    'revising contracts': ['Ben'],
  })
  const [found] = await matches(member, 'contract')
  assert.deepEqual(
    [found?.matched_fields, found?.snippet],
    [['follow_ups'], 'Send the revised contract'],
  )
  await member.ask(saveFollowUpTool, { follow_up_id: other, people: 'c_3' })
  await assertFinds(member, { contract: ['Cleo'] })
  await member.ask(saveFollowUpTool, { follow_up_id: other, text: 'Send the invoice' })
  await assertFinds(member, { contract: [], invoice: ['Cleo'] })
  await member.ask(saveFollowUpTool, { follow_up_id: other, done: true })
  await assertFinds(member, { invoice: [] })
  await member.ask(deleteFollowUpTool, { follow_up_id: one })
  await assertFinds(member, { grace: [] })
})

test('relatives are found by what they are to a person, in several languages', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Anna Kowalska', details: { relations: [{ name: 'Tomasz', relation: 'husband' }] } },
    { name: 'Darren Cole', details: { relations: [{ name: 'Alfie', relation: 'child' }] } },
    { name: 'Gus', note: 'Met his uncle.' },
  ])
  await assertFinds(member, {
    "Anna's husband": ['Anna Kowalska'],
    "Tomasz's wife": ['Anna Kowalska'],
    "Alfie's dad": ['Darren Cole'],
    'Vater von Alfie': ['Darren Cole'],
    "Gertrude's husband": [],
  })
})

test('anniversaries are found by date, apart from birthdays', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const dates = [{ label: 'anniversary', date: '2011-05-21' }]
  await add(member, [
    { name: 'Ann', details: { dates } },
    { name: 'Ben', birthday: '1990-05-03' },
    { name: 'Cleo', details: { dates: [{ label: 'wedding', date: '--12-30' }] } },
  ])
  await assertFinds(member, {
    'anniversary in May': ['Ann'],
    'birthday in May': ['Ben'],
    'Jubiläum im Dezember': ['Cleo'],
  })
})

test('values of custom fields are found with the name of the field', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Salary expectation' })
  await add(member, [
    { name: 'Ann', details: { custom: { 'Salary expectation': '62k' } } },
    { name: 'Ben', note: 'Lives 62k away.' },
  ])
  await assertFinds(member, { 'salary 62k': ['Ann'] })
})

test('a company is found by its other names', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', company: 'PricewaterhouseCoopers GmbH' },
    { name: 'Ben', company: 'BCG' },
    { name: 'Cleo', company: 'Johnson & Johnson' },
    { name: 'Dan', company: 'J&J' },
    { name: 'Eve', company: 'Hewlett-Packard' },
    { name: 'Fay', title: 'R&D manager' },
  ])
  await assertFinds(member, {
    pwc: ['Ann'],
    'Boston Consulting Group': ['Ben'],
    'J&J': ['Cleo', 'Dan'],
    'johnson and johnson': ['Cleo', 'Dan'],
    hp: ['Eve'],
    'R&D': ['Fay'],
    'r & d manager': ['Fay'],
  })
})

test('a company is found in another script, and a word that is also a short name of one is not', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', company: '카카오' },
    { name: 'Ben', company: 'Alibaba Group' },
    { name: 'Cleo', company: 'トヨタ自動車株式会社' },
    { name: 'Dan', company: '다온소프트' },
    { name: 'Eve', company: 'Яндекс' },
    { name: 'Fay', company: 'Tim Hortons' },
    { name: 'Gus', company: 'أرامكو السعودية' },
    { name: 'Hal', company: 'Daumnet' },
  ])
  await assertFinds(member, {
    kakao: ['Ann'],
    'people at Kakao': ['Ann'],
    阿里巴巴: ['Ben'],
    'who works at Toyota': ['Cleo'],
    Daonsopeuteu: ['Dan'],
    Yandex: ['Eve'],
    'Telecom Italia': [],
    'Saudi Aramco': ['Gus'],
    다음넷: ['Hal'],
  })
})

test('trades, shops and services are found in other languages, in titles, notes and names of shops', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Schlüsseldienst Özkan (Murat)' },
    { name: 'Torben', note: 'Unser Elektriker' },
    { name: 'Bäckerei Lienhart' },
    { name: 'Anna Baker', company: 'Fischer GmbH' },
    { name: 'Pia', note: 'Macht ein Praktikum bei uns' },
    { name: 'Rui', title: 'Apicultor' },
    { name: 'Ola', title: 'Notariusz' },
  ])
  await assertFinds(member, {
    locksmith: ['Schlüsseldienst Özkan (Murat)'],
    cerrajero: ['Schlüsseldienst Özkan (Murat)'],
    électricien: ['Torben'],
    bakery: ['Bäckerei Lienhart'],
    piekarnia: ['Bäckerei Lienhart'],
    panadería: ['Bäckerei Lienhart'],
    fishmonger: [],
    internship: ['Pia'],
    Imker: ['Rui'],
    notary: ['Ola'],
  })
})

test('names are found with their parts joined or split', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Fiona McDonald' },
    { name: 'Ingrid van der Berg' },
    { name: 'Carmen Delacruz' },
    { name: 'Flann O’Brien' },
  ])
  await assertFinds(member, {
    'mac donald': ['Fiona McDonald'],
    macdonald: ['Fiona McDonald'],
    'mc donald': ['Fiona McDonald'],
    vanderberg: ['Ingrid van der Berg'],
    'de la cruz': ['Carmen Delacruz'],
    'o brien': ['Flann O’Brien'],
  })
})

test('names in Arabic letters are found in Latin ones, and in Persian spelling', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'عمر حداد' },
    { name: 'عبد الرحمن الشريف' },
    { name: 'لیلا حسینی' },
    { name: 'Mary Hudd' },
  ])
  await assertFinds(member, {
    'omar haddad': ['عمر حداد'],
    haddad: ['عمر حداد'],
    'Abdulrahman Al-Sharif': ['عبد الرحمن الشريف'],
    'ليلا حسيني': ['لیلا حسینی'],
    mayor: [],
  })
})

test('names in Latin letters are found in Arabic, Hebrew and Korean ones and in kana, and names in kana in Latin ones', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Khalid Al-Rashid' },
    { name: 'Abdullah Omar' },
    { name: 'Moshe Cohen' },
    { name: 'Lee Ji-eun' },
    { name: 'Shinji Sato' },
    { name: 'ワタナベ ジュン' },
    { name: 'Al', note: 'Wrote about Omar.' },
  ])
  await assertFinds(member, {
    'خالد الرشيد': ['Khalid Al-Rashid'],
    'عبد الله': ['Abdullah Omar'],
    عمر: ['Abdullah Omar'],
    כהן: ['Moshe Cohen'],
    이지은: ['Lee Ji-eun'],
    'さとう しんじ': ['Shinji Sato'],
    'Jun Watanabe': ['ワタナベ ジュン'],
    'خالد عمر': [],
    'さいとう しんじ': [],
  })
})

test('accounts are found with their service, and by their whole handle', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const handles = (service: string, value: string) => ({ handles: [{ service, value }] })
  await add(member, [
    { name: 'Ann', details: handles('mastodon', '@annie@social.example') },
    { name: 'Ben', details: handles('github', 'ben-codes'), emails: ['ben+x@acme.example'] },
    { name: 'Cleo', details: handles('mastodon', 'cleo') },
  ])
  await assertFinds(member, {
    '@annie@social.example': ['Ann'],
    'mastodon annie': ['Ann'],
    'cleo mastodon': ['Cleo'],
    'ben github': ['Ben'],
    'who used to work at Github': ['Ben'],
    'mailto:ben%2Bx%40acme.example': ['Ben'],
  })
})

test('an email that no one has is searched for by parts of its mailbox and its domain, which are guesses', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Khalid Al-Rashid', emails: ['k.alrashid@gulfsteel.example'] },
    { name: 'Omar Said', emails: ['o.said@gulfsteel.example'] },
    { name: 'Annie Walker', company: 'Acme', emails: ['annie.walker@acme.com'] },
    { name: 'Walt Dean', company: 'Acme', emails: ['walt@acme.com'] },
  ])
  for (const [email, name] of [
    ['alrashid@gulfsteel', 'Khalid Al-Rashid'],
    ['rashid@gulfsteel', 'Khalid Al-Rashid'],
    ['annie.w@acme', 'Annie Walker'],
    ['walker@acme.com', 'Annie Walker'],
  ] as const) {
    const found = await matches(member, email)
    assert.deepEqual(
      found.map((one) => [one.name, one.partial_match, one.email]),
      [[name, `part of ${email}`, undefined]],
    )
    const change = { where: { query: email }, tags: { add: ['Guessed'] } }
    assert.equal((await member.refused(updateConnectionsTool, change)).code, 'not_found', email)
  }
  await assertFinds(member, {
    'annie.w acme': ['Annie Walker'],
    'walt@acme.com': ['Walt Dean'],
    '@acme': ['Annie Walker', 'Walt Dean'],
    'acme.com people': ['Annie Walker', 'Walt Dean'],
    'omar.walker@acme': [],
    'omar@acme.com': [],
    'nobody@gulfsteel': [],
  })
})

test('longer names do not hide the singular', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ty Investor' }, { name: 'Tia Investorsen' }, { name: 'Al Invester' }])
  await assertFinds(member, { Investors: ['Tia Investorsen', 'Ty Investor'] })
  await add(member, [{ name: 'Ann', title: 'Investors relations' }])
  const [first] = await matches(member, 'Investors')
  assert.equal(first?.name, 'Ann')
})

test('people of a similar profession rank after those who know the topic', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Geologist' },
    { name: 'Ben', title: 'Researcher' },
    { name: 'Cleo', title: 'Historian', note: 'Writes about solar energy.' },
  ])
  assert.deepEqual(
    (await matches(member, 'researchers')).map(({ name, partial_match }) => [name, partial_match]),
    [
      ['Ben', undefined],
      ['Ann', 'related to researchers'],
      ['Cleo', 'related to researchers'],
    ],
  )
  const found = await matches(member, 'solar energy researchers')
  assert.deepEqual(
    found.map(({ name, partial_match }) => [name, partial_match]),
    [
      ['Cleo', '2 of 3 words: solar, energy; related to researchers'],
      ['Ben', '1 of 3 words: researchers'],
      ['Ann', 'related to researchers'],
    ],
  )
})

test('labels of fields are no words, and minus and NOT exclude places, companies and titles', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Professor', location: 'Kyoto, Japan', tags: ['retail'] },
    { name: 'Ben', title: 'Professor', location: 'Oslo, Norway', company: 'Acme' },
  ])
  await assertFinds(member, {
    'tag:retail': ['Ann'],
    'company: acme': ['Ben'],
    'professor -japan': ['Ben'],
    'professor NOT Norway': ['Ann'],
  })
})

test('texts of any length and repetition are read in linear time', () => {
  const readers = [
    phoneTerm,
    urlTerm,
    analyzeQuery,
    (text: string) => readConditions(text, { now: 0, has: () => false }),
  ]
  // With quadratic patterns, each of these would take minutes.
  for (const piece of [' ', '/', 'a', '-', 'a.', '(', '!', 'ext '])
    for (const read of readers) read(`1${piece.repeat(100_000 / piece.length)}\u0001b`)
})

test('names in Hebrew, Korean and Chinese letters are found in Latin ones, and the other way around', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'נועה לוי' },
    { name: '한지민' },
    { name: '陈晓明' },
    { name: 'Tariq Mahmood' },
    { name: 'Zeng Guoqiang' },
    { name: 'Ann Lewis', location: 'Chennai', note: '小明' },
  ])
  await assertFinds(member, {
    'Noa Levi': ['נועה לוי'],
    'Han Jimin': ['한지민'],
    'Ji-min Han': ['한지민'],
    'Chen Xiaoming': ['陈晓明'],
    'Xiao Ming Chen': ['陈晓明'],
    'Тарик Махмуд': ['Tariq Mahmood'],
    曾国强: ['Zeng Guoqiang'],
    'Chen Xiaomei': [],
    'Noa Cohen': [],
    王晓明: [],
  })
})

test('a question finds people without its verb where no one has it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', note: 'Spielt Cello.' },
    { name: 'Ben', note: 'Plays chess.' },
    { name: 'Cleo', note: 'Adore l’escalade.' },
  ])
  for (const [query, name] of Object.entries({
    'who plays the cello': 'Ann',
    'who plays chess': 'Ben',
    'qui fait de l’escalade': 'Cleo',
  }))
    assert.equal((await matches(member, query))[0]?.name, name, query)
})

test('places have cases in Polish and Czech, and masters have a trade', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Rechtsanwältin', location: 'Hamburg, Germany' },
    { name: 'Ben', title: 'Bäckermeister', location: 'Warszawa, Poland' },
    { name: 'Cleo', title: 'Bürgermeisterin', location: 'Brno, Czechia' },
  ])
  await assertFinds(member, {
    'prawnik w Hamburgu': ['Ann'],
    'kto mieszka w Warszawie': ['Ben'],
    'lidé v Brně': ['Cleo'],
    'bakker in Warschau': ['Ben'],
    bakers: ['Ben'],
    mayor: ['Cleo'],
  })
})

test('solar and wind power are found apart, and both as renewables', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Climate adviser' },
    { name: 'Ben', title: 'Wind turbine engineer' },
    { name: 'Cleo', title: 'Solar installer' },
  ])
  assert.equal((await matches(member, 'who works in renewables')).length, 3)
  for (const [query, first] of [
    ['who works in wind energy', 'Ben'],
    ['who works in solar energy', 'Cleo'],
  ] as const)
    assert.equal((await matches(member, query))[0]?.name, first, query)
})

test('a similar spelling of a given name ranks above a nickname', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Sam Taylor' }, { name: 'Samantha Taylor' }])
  await assertFinds(member, { 'samanta taylor': ['Samantha Taylor', 'Sam Taylor'] })
})
