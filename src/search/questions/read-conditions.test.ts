import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokenize } from '../../base/tokenize.ts'
import { conceptSpans, conceptTermsOf } from './concept-terms.ts'
import { readConditions, type Conditions, type QuestionContext } from './read-conditions.ts'
import { thesaurus } from './thesaurus.ts'

/** 2026-11-21, a Saturday */
const NOW = Date.UTC(2026, 10, 21, 12)

test('dates of a question become ranges of days', () => {
  const cases: readonly (readonly [question: string, dates: Conditions['dates']])[] = [
    [
      "founders in Berlin I haven't spoken to since March",
      [{ about: 'last-interaction', to: '2026-03-01' }],
    ],
    ["people I haven't talked to in 6 months", [{ about: 'last-interaction', to: '2026-05-21' }]],
    ["who haven't I seen for over a year", [{ about: 'last-interaction', to: '2025-11-21' }]],
    ['who have I lost touch with', [{ about: 'last-interaction', to: '2025-11-21' }]],
    ['wen habe ich seit Januar nicht gesehen', [{ about: 'last-interaction', to: '2026-01-01' }]],
    [
      "investisseurs que je n'ai pas vus depuis 3 mois",
      [{ about: 'last-interaction', to: '2026-08-21' }],
    ],
    ['who did I meet last summer', [{ about: 'met', from: '2026-06-01', to: '2026-09-01' }]],
    ['who did I meet last winter', [{ about: 'met', from: '2025-12-01', to: '2026-03-01' }]],
    ['met in December', [{ about: 'met', from: '2025-12-01', to: '2026-01-01' }]],
    [
      'spoke to in the last 3 months',
      [{ about: 'interaction', from: '2026-08-21', to: '2026-11-22' }],
    ],
    ['who did I call last week', [{ about: 'interaction', from: '2026-11-09', to: '2026-11-16' }]],
    ['people met before 2023', [{ about: 'met', to: '2023-01-01' }]],
    ['connected since 2024-05-06', [{ about: 'connected', from: '2024-05-06' }]],
    ['people I met after March 2024', [{ about: 'met', from: '2024-04-01' }]],
    [
      'gente que conocí en marzo de 2024',
      [{ about: 'first-met', from: '2024-03-01', to: '2024-04-01' }],
    ],
    [
      'wen habe ich 2017 kennengelernt',
      [{ about: 'first-met', from: '2017-01-01', to: '2018-01-01' }],
    ],
    ['who did I meet in the year 2017', [{ about: 'met', from: '2017-01-01', to: '2018-01-01' }]],
    ['who did I meet at Expo 2017', []],
    ['who have I never called', [{ about: 'last-interaction', to: '0000-00-00' }]],
    ['wen habe ich noch nie getroffen', [{ about: 'last-met', to: '0000-00-00' }]],
    ['who have I not talked to yet', [{ about: 'last-interaction', to: '0000-00-00' }]],
    ["who haven't I written to at all", [{ about: 'last-interaction', to: '0000-00-00' }]],
    ['wen habe ich noch nicht kontaktiert', [{ about: 'last-interaction', to: '0000-00-00' }]],
    [
      'people I met in 2019 and never contacted',
      [
        { about: 'last-interaction', to: '0000-00-00' },
        { about: 'met', from: '2019-01-01', to: '2020-01-01' },
      ],
    ],
    [
      'people I never called but met in 2019',
      [
        { about: 'last-interaction', to: '0000-00-00' },
        { about: 'met', from: '2019-01-01', to: '2020-01-01' },
      ],
    ],
    [
      "people I met who I haven't talked to since March",
      [{ about: 'last-interaction', to: '2026-03-01' }],
    ],
    ['wen lernte ich 2017 kennen', [{ about: 'first-met', from: '2017-01-01', to: '2018-01-01' }]],
    ['who have I never called since 2025', [{ about: 'last-interaction', to: '2025-01-01' }]],
    [
      'wen habe ich vor 3 Monaten getroffen',
      [{ about: 'met', from: '2026-08-01', to: '2026-09-01' }],
    ],
    [
      'who did I meet between January and March 2025',
      [{ about: 'met', from: '2025-01-01', to: '2025-04-01' }],
    ],
    ['between 2022 and 2024', [{ about: 'interaction', from: '2022-01-01', to: '2025-01-01' }]],
    ['who did I see yesterday', [{ about: 'interaction', from: '2026-11-20', to: '2026-11-21' }]],
  ]
  for (const [question, dates] of cases) assert.deepEqual(ask(question).dates, dates, question)
})

test('birthdays of a question become days of a year', () => {
  const cases: readonly (readonly [question: string, from: string, to: string])[] = [
    ['birthday in March', '03-01', '04-01'],
    ['birthdays in December', '12-01', '01-01'],
    ['nurses with birthdays in June', '06-01', '07-01'],
    ['May birthdays', '05-01', '06-01'],
    ['whose birthday is on 13 April', '04-13', '04-14'],
    ['birthdays before June', '01-01', '06-01'],
    ['birthdays this month', '11-01', '12-01'],
    ['birthdays next week', '11-23', '11-30'],
    ['birthdays in the next 2 months', '11-21', '01-21'],
    ['upcoming birthdays', '11-21', '12-21'],
    ['whose birthday is tomorrow', '11-22', '11-23'],
    ['Wer hat im August Geburtstag?', '08-01', '09-01'],
    ['wer hat nächste Woche Geburtstag', '11-23', '11-30'],
    ['qui a son anniversaire le 13 avril', '04-13', '04-14'],
    ['anniversaires le mois prochain', '12-01', '01-01'],
    ['quién cumple años en mayo', '05-01', '06-01'],
  ]
  for (const [question, from, to] of cases)
    assert.deepEqual(ask(question).dates, [{ about: 'birthday', from, to }], question)
})

test('a birthday without a day, or with only a year, stays as words', () => {
  for (const question of ['birthday cake', 'born in 1984']) {
    const { rest, dates } = ask(question)
    assert.deepEqual([rest, dates], [question, []])
  }
})

test('what people must have or lack becomes a condition', () => {
  const cases: readonly (readonly [question: string, presence: string, rest: string])[] = [
    ['people without an email in Kenya', '-email', 'people in Kenya'],
    ['who in Bristol has no phone number', '-phone', 'who in Bristol'],
    ["who doesn't have a phone number", '-phone', 'who'],
    ['contacts without notes', '-note', 'contacts'],
    ['people with no tags', '-tag', 'people'],
    ['people without phone and email', '-phone,-email', 'people'],
    ['who has neither an email nor a phone number', '-email,-phone', 'who'],
    ['nurses in the UK with an email', '+email', 'nurses in the UK'],
    ['wer hat keine Telefonnummer in Berlin', '-phone', 'wer in Berlin'],
    ['avocats sans adresse mail à Paris', '-email', 'avocats à Paris'],
    ['email marketing', '', 'email marketing'],
    ['people with email marketing experience', '', 'people with email marketing experience'],
  ]
  for (const [question, conditions, rest] of cases) {
    const read = ask(question)
    const presence = read.presence.map(({ what, isMissing }) => `${isMissing ? '-' : '+'}${what}`)
    assert.deepEqual([presence.join(), read.rest], [conditions, rest], question)
  }
})

test('places, titles and companies can be excluded', () => {
  const has: QuestionContext['has'] = (field, words) =>
    field === 'company' && words.join(' ') === 'acme robotics'
  const cases: readonly (readonly [question: string, excluded: string])[] = [
    ['nurses outside the Netherlands', 'location netherlands'],
    ['Ledgerly people not in London', 'location london'],
    ['engineers not at Acme Robotics', 'company acme robotics'],
    ['everyone in Berlin except lawyers', 'title lawyers'],
    ['Anwälte nicht in Berlin', 'location berlin'],
    ['infirmières sauf à Lyon', 'location lyon'],
    ['abogados fuera de Madrid', 'location madrid'],
    ['people not sure yet', ''],
  ]
  for (const [question, expected] of cases) {
    const { excluded } = readConditions(question, { now: NOW, has })
    const shown = excluded.map(({ field, asked }) => `${field} ${asked.join(' ')}`)
    assert.equal(shown.join(), expected, question)
  }
})

test('silence is asked for in many words', () => {
  for (const question of [
    "who haven't I contacted for a year",
    "people I haven't messaged in a year",
    "who didn't I call for over a year",
    'people I have never written to for a year',
  ])
    assert.deepEqual(
      ask(question).dates,
      [{ about: 'last-interaction', to: '2025-11-21' }],
      question,
    )
})

test('today depends on the time zone', () => {
  const late = Date.UTC(2026, 10, 21, 23)
  const context = { now: late, timeZone: 'Asia/Tokyo', has: () => false }
  const { dates } = readConditions('who did I see today', context)
  assert.deepEqual(dates, [{ about: 'interaction', from: '2026-11-22', to: '2026-11-23' }])
})

test('a name in the network passes through unchanged, even if its words have other meanings', () => {
  const name = 'April London'
  const has: QuestionContext['has'] = (field) => field === 'name'
  assert.equal(readConditions('last April', { now: NOW, has }).rest, 'last April')
  assert.equal(ask(name).rest, name)
})

test('any text is read without an error, the same each time, and keeps something to search for', () => {
  const word = fc.oneof(
    fc.constantFrom(
      ..."who in at since left met ago last haven't not 3 2024 March PM Berlin de la".split(' '),
    ),
    fc.constantFrom(
      ...'fintech investors months depuis vor nicht gesprochen Q1 31 February'.split(' '),
    ),
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.constantFrom(
      '東京',
      'ελλάδα',
      '👩‍💻',
      'İ',
      '\u{1F468}\u200d',
      'ﬁ',
      'ا',
      '@',
      '+49',
      'https://x.example/',
    ),
  )
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(text, (question) => {
      const read = ask(question)
      assert.deepEqual(ask(question), read)
      const { rest, dates, presence, excluded } = read
      const conditions = dates.length + presence.length + excluded.length
      if (tokenize(question).length > 0) assert.ok(tokenize(rest).length + conditions > 0)
      for (const { from, to } of dates)
        assert.ok(from === undefined || to === undefined || from < to)
    }),
    { numRuns: 100 },
  )
})

test('a text and a question about it share a term in any language', () => {
  const cases: readonly (readonly [
    text: string,
    field: Parameters<typeof conceptTermsOf>[1],
    question: string,
  ])[] = [
    ['Produktmanagerin', 'title', 'PM in Berlin'],
    ['Technischer Leiter', 'title', 'CTOs in Berlin'],
    ['Senior Product Owner, Payments', 'title', 'product managers'],
    ['München, Deutschland', 'location', 'people in Munich'],
    ['Oakland, California', 'location', 'who lives in the Bay Area'],
    ['Glasgow', 'location', 'people in the UK'],
    ['Brightpenny Payments Ltd', 'company', 'paiements'],
    ['Künstliche Intelligenz', 'tag', 'who works on machine learning'],
    ['Kardiolog', 'title', 'cardiologists'],
    ['치과의사', 'title', 'dentists in Seoul'],
    ['助産師', 'title', 'Hebammen'],
    ['Sjuksköterska', 'title', 'nurses in Malmö'],
    ['Tischlermeisterin, Schreinerin', 'title', 'carpenters'],
    ['Avukat', 'title', 'lawyers in Ankara'],
    ['Fontanero', 'title', 'plumbers'],
    ['Abogada de derecho laboral', 'title', 'who can help with employment law'],
    ['Fachanwältin für Mietrecht', 'title', 'lawyer in Leipzig'],
    ['Elektroinstallateur', 'title', 'electricians'],
  ]
  for (const [text, field, question] of cases) {
    const indexed = conceptTermsOf(text, field)
    const asked = termsAsked(question).map(({ term }) => term)
    assert.ok(
      asked.some((term) => indexed.includes(term)),
      `${text}: ${question}`,
    )
  }
  assert.deepEqual(conceptTermsOf('London Baker', 'name'), [])
  assert.deepEqual(conceptTermsOf('zzyzx', 'note'), [])
})

test('a medical specialty ranks before other doctors, and doctors include every specialty', () => {
  const weights = new Map(termsAsked('cardiologists').map(({ term, weight }) => [term, weight]))
  const [specialist, other] = ['Cardiologist', 'Doctor'].map((text) =>
    Math.max(...conceptTermsOf(text, 'title').map((term) => weights.get(term) ?? 0)),
  )
  assert.deepEqual([specialist, other], [1, 0.5])
  const doctors = new Set(termsAsked('doctors').map(({ term }) => term))
  for (const title of ['Surgeon', 'GP', 'Radiologist', 'Pediatrician'])
    assert.ok(
      conceptTermsOf(title, 'title').some((term) => doctors.has(term)),
      title,
    )
})

test('a specialty is a concept of its own, and not a name of the general one', () => {
  for (const [phrase, name] of [
    ['historian', 'historian'],
    ['trademark attorney', 'patent attorney'],
    ['headteacher', 'head of school'],
    ['winzer', 'winemaker'],
  ] as const)
    assert.equal(thesaurus().find(phrase)[0]?.phrases[0], name, phrase)
})

test('the thesaurus reads every line of its files', () => {
  for (const [phrase, kind] of [
    ['co founder', 'title'],
    ['produktmanagerinnen', 'title'],
    ['machine learning', 'topic'],
    ['koebenhavn', 'location'],
    ['monchengladbach', undefined],
  ] as const)
    assert.equal(thesaurus().find(phrase)[0]?.kind, kind, phrase)
})

function ask(question: string): Conditions {
  return readConditions(question, { now: NOW, timeZone: 'Europe/Berlin', has: () => false })
}

function termsAsked(question: string) {
  const spans = conceptSpans(tokenize(question), () => true)
  return spans.flatMap(({ concepts }) => concepts.flatMap(({ terms }) => terms))
}
