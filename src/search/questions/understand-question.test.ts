import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokenize } from '../../base/tokenize.ts'
import { conceptTermsOf } from './concept-terms.ts'
import { expandWord } from './expand-word.ts'
import { thesaurus } from './thesaurus.ts'
import { understandQuestion } from './understand-question.ts'
import type { Facet, UnderstoodQuestion, Vocabulary } from './question.ts'

/** 2026-11-21, a Saturday */
const NOW = Date.UTC(2026, 10, 21, 12)

test('titles, topics and places of a question become facets', () => {
  const cases: readonly (readonly [question: string, facets: readonly string[], words?: string])[] =
    [
      ['PM in fintech in London', ['title pm', 'topic fintech', 'location london']],
      ['investors who like climate', ['title investors', 'topic climate']],
      ['who do I know in NYC?', ['location nyc']],
      ['designers in the Bay Area', ['title designers', 'location bay area']],
      ['who do I know in LA', ['location la']],
      ['VP Engineering in the UK', ['title vp engineering', 'location uk']],
      ['fintech London', ['topic fintech', 'location london']],
      ['nice people in Nice', ['location nice']],
      ['people who know about beekeeping in Lisbon', ['location lisbon'], 'beekeeping'],
      ['wer arbeitet bei Siemens in München', ['company siemens', 'location munchen']],
      ['Anwältin in Köln', ['title anwaltin', 'location koln']],
      ['wen kenne ich in Muenchen', ['location muenchen']],
      ['qui travaille dans la santé à Lyon', ['topic sante', 'location lyon']],
      ['¿quién trabaja en Telefónica?', ['company telefonica']],
      ['conozco a alguna abogada en Sevilla', ['title abogada', 'location sevilla'], ''],
      ['avvocati a Milano', ['title avvocati', 'location milano']],
      ['advogados em São Paulo', ['title advogados', 'location sao paulo']],
      ['wie werkt er bij Philips in Eindhoven', ['company philips', 'location eindhoven']],
      ['lawyers in Milan or New York', ['title lawyers', 'location milan new york']],
      ['nurse or doctor', ['title nurse doctor']],
      ['people in Munich, Germany', ['location munich', 'location germany']],
      ['東京の投資家', ['location 東 京', 'title 投 資 家']],
    ]
  for (const [question, facets, words = ''] of cases) {
    const understood = ask(question)
    assert.deepEqual(understood.facets.map(shown), facets, question)
    assert.equal(understood.words.join(' '), words, question)
  }
})

test('relations to a company or an event become facets', () => {
  const cases: readonly (readonly [question: string, facets: readonly string[]])[] = [
    ['people I met at Web Summit', ['event web summit']],
    [
      'who did I meet at the Slush conference in Helsinki',
      ['event slush conference', 'location helsinki'],
    ],
    ['who left Stripe', ['former-company stripe']],
    ['wer hat Stripe verlassen', ['former-company stripe']],
    ['who used to work at Lumen Pay', ['former-company lumen pay']],
    ['ex-Google engineers', ['former-company google', 'title engineers']],
    [
      'who works at Acme Robotics and lives in Lisbon',
      ['company acme robotics', 'location lisbon'],
    ],
    ['former CTO', ['title cto']],
    ['left-handed guitarist', []],
  ]
  for (const [question, facets] of cases)
    assert.deepEqual(ask(question).facets.map(shown), facets, question)
})

test('dates of a question become ranges of days', () => {
  const cases: readonly (readonly [question: string, dates: UnderstoodQuestion['dates']])[] = [
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
    ['gente que conocí en marzo de 2024', [{ about: 'met', from: '2024-03-01', to: '2024-04-01' }]],
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
    const { words, dates } = ask(question)
    assert.deepEqual([words.join(' '), dates], [question, []])
  }
})

test('what people must have or lack becomes a condition', () => {
  const cases: readonly (readonly [question: string, presence: string, facets?: string])[] = [
    ['people without an email in Kenya', '-email', 'location kenya'],
    ['who in Bristol has no phone number', '-phone', 'location bristol'],
    ["who doesn't have a phone number", '-phone'],
    ['contacts without notes', '-note'],
    ['people with no tags', '-tag'],
    ['nurses in the UK with an email', '+email', 'title nurses,location uk'],
    ['wer hat keine Telefonnummer in Berlin', '-phone', 'location berlin'],
    ['avocats sans adresse mail à Paris', '-email', 'title avocats,location paris'],
    ['abogados sin teléfono', '-phone', 'title abogados'],
    ['email marketing', ''],
    ['people with email marketing experience', '', 'company email,title marketing'],
  ]
  for (const [question, conditions, facets = ''] of cases) {
    const understood = ask(question)
    const presence = understood.presence.map(
      ({ what, isMissing }) => `${isMissing ? '-' : '+'}${what}`,
    )
    assert.equal(presence.join(), conditions, question)
    assert.equal(understood.facets.map(shown).join(), facets, question)
  }
})

test('places, titles and companies can be excluded', () => {
  const vocabulary: Vocabulary = {
    has: (field, words) => field === 'company' && words.join(' ') === 'acme robotics',
  }
  const cases: readonly (readonly [question: string, excluded: string])[] = [
    ['nurses outside the Netherlands', 'location netherlands'],
    ['Ledgerly people not in London', 'location london'],
    ['engineers not at Acme Robotics', 'company acme robotics'],
    ['everyone in Berlin except lawyers', 'title lawyers'],
    ['Anwälte nicht in Berlin', 'location berlin'],
    ['infirmières sauf à Lyon', 'location lyon'],
    ['abogados fuera de Madrid', 'location madrid'],
    ['people not spoken to', ''],
  ]
  for (const [question, expected] of cases) {
    const { excluded } = understandQuestion(question, { now: NOW, vocabulary })
    const shownExcluded = excluded.map(({ field, asked }) => `${field} ${asked.join(' ')}`)
    assert.equal(shownExcluded.join(), expected, question)
  }
})

test('today depends on the time zone', () => {
  const late = Date.UTC(2026, 10, 21, 23)
  const { dates } = understandQuestion('who did I see today', { now: late, timeZone: 'Asia/Tokyo' })
  assert.deepEqual(dates, [{ about: 'interaction', from: '2026-11-22', to: '2026-11-23' }])
})

test('asking words are dropped, but never all words', () => {
  assert.deepEqual(ask('The Who').words, ['the', 'who'])
  assert.deepEqual(ask('who').words, ['who'])
  assert.deepEqual(ask('who knows about sourdough').words, ['sourdough'])
  assert.deepEqual(ask('wer kennt sich mit Orgeln aus').words, ['orgeln'])
  assert.equal(ask('who is ada.lovelace@example.org?').text, 'ada.lovelace@example.org')
  assert.equal(ask('who has +49 30 1234-567').text, '+49 30 1234-567')
})

test('a name in the network passes through unchanged, even if its words have other meanings', () => {
  for (const name of ['Will Cook', 'April London', 'Paris Baker', 'An Do', 'Sales Grant'])
    assert.deepEqual(
      understandQuestion(name, { now: NOW, vocabulary: named(name) }),
      unchanged(name),
    )
  for (const name of ['Austin Baker', 'Juan de Marco', 'Will Smith', 'Tim Cook', 'Paris Hilton'])
    assert.deepEqual(ask(name), unchanged(name))
})

test('companies and tags of the network are recognized', () => {
  const vocabulary: Vocabulary = {
    has: (field, words) =>
      (field === 'company' && words.join(' ') === 'left bank design') ||
      (field === 'tag' && words.join(' ') === 'beekeeping'),
  }
  const { facets } = understandQuestion('beekeeping people at Left Bank Design', {
    now: NOW,
    vocabulary,
  })
  assert.deepEqual(facets.map(shown), ['company left bank design', 'tag beekeeping'])
})

test('any text is understood without an error, the same each time, and keeps something to search for', () => {
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
      const understood = ask(question)
      assert.deepEqual(ask(question), understood)
      const { words, facets, dates } = understood
      const hasWords = tokenize(question).length > 0
      assert.equal(words.length + facets.length + dates.length > 0, hasWords)
      for (const { asked, alternatives } of facets) {
        assert.ok(asked.length > 0 && alternatives[0]?.weight === 1)
        assert.ok(alternatives.every(({ weight }) => weight > 0 && weight <= 1))
      }
      for (const { from, to } of dates)
        assert.ok(from === undefined || to === undefined || from < to)
    }),
    { numRuns: 100 },
  )
})

test('a name of the network is idempotent: asking for its words again changes nothing', () => {
  const part = fc.constantFrom(
    ...'Ada Will Van De May Cook London An Müller 李 Иван Who'.split(' '),
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const name = parts.join(' ')
      const context = { now: NOW, vocabulary: named(name) }
      const { text, words } = understandQuestion(name, context)
      assert.deepEqual(words, tokenize(name))
      assert.deepEqual(understandQuestion(text, context), unchanged(name))
    }),
    { numRuns: 100 },
  )
})

test('a word expands to synonyms before related words, in the fields where they belong', () => {
  assert.ok(weightOf('pm', 'title', 'product manager') > weightOf('pm', 'title', 'head of product'))
  assert.ok(weightOf('fintech', 'company', 'payments') > 0)
  assert.ok(weightOf('uk', 'location', 'london') > 0)
  assert.equal(weightOf('london', 'location', 'uk'), 0)
  assert.ok(weightOf('Bay Area', 'location', 'oakland') > 0)
  assert.ok(weightOf('CTO', 'title', 'head of engineering') > 0)
  assert.deepEqual(expandWord('pm', 'name'), [])
  assert.deepEqual(expandWord('zzyzx', 'note'), [])
  assert.ok(!expandWord('berlin', 'location').some(({ words }) => words.join(' ') === 'berlin'))
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
  ]
  for (const [text, field, question] of cases) {
    const indexed = conceptTermsOf(text, field)
    const asked = ask(question).facets.flatMap(({ terms }) => terms.map(({ term }) => term))
    assert.ok(
      asked.some((term) => indexed.includes(term)),
      `${text}: ${question}`,
    )
  }
  assert.deepEqual(conceptTermsOf('London Baker', 'name'), [])
  assert.deepEqual(conceptTermsOf('zzyzx', 'note'), [])
})

test('a medical specialty ranks before other doctors, and doctors include every specialty', () => {
  const [asked] = ask('cardiologists in Athens').facets
  const weights = new Map(asked?.terms.map(({ term, weight }) => [term, weight]))
  const [specialist, other] = ['Cardiologist', 'Doctor'].map((text) =>
    Math.max(...conceptTermsOf(text, 'title').map((term) => weights.get(term) ?? 0)),
  )
  assert.deepEqual([specialist, other], [1, 0.5])
  const doctors = new Set(
    ask('doctors in Athens').facets.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  for (const title of ['Surgeon', 'GP', 'Radiologist', 'Pediatrician'])
    assert.ok(
      conceptTermsOf(title, 'title').some((term) => doctors.has(term)),
      title,
    )
})

test('what someone can help with is a subject, and a company only if the network has it', () => {
  const cases: readonly (readonly [question: string, facets: readonly string[], words: string])[] =
    [
      ['wer hilft bei Teppichen in Berlin', ['location berlin'], 'teppichen'],
      ['Wer hilft bei Arbeitsrecht in Spanien?', ['topic arbeitsrecht', 'location spanien'], ''],
      ['¿quién puede ayudarme con una patente en Perú?', ['topic patente', 'location peru'], ''],
      ['wer hilft bei Siemens', ['company siemens'], ''],
      ['wer hilft bei patents in Japan', ['topic patents', 'location japan'], ''],
    ]
  const companies = new Set(['siemens', 'patents'])
  const vocabulary: Vocabulary = {
    has: (field, words) => field === 'company' && words.every((word) => companies.has(word)),
  }
  for (const [question, facets, words] of cases) {
    const understood = understandQuestion(question, { now: NOW, vocabulary })
    assert.deepEqual(understood.facets.map(shown), facets, question)
    assert.equal(understood.words.join(' '), words, question)
  }
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

function ask(question: string): UnderstoodQuestion {
  return understandQuestion(question, { now: NOW, timeZone: 'Europe/Berlin' })
}

function shown({ kind, asked }: Facet): string {
  return `${kind} ${asked.join(' ')}`
}

function named(name: string): Vocabulary {
  const known = new Set(tokenize(name))
  return { has: (field, words) => field === 'name' && words.every((word) => known.has(word)) }
}

function unchanged(name: string): UnderstoodQuestion {
  return {
    text: name,
    words: tokenize(name),
    asking: [],
    incidental: [],
    facets: [],
    dates: [],
    presence: [],
    excluded: [],
  }
}

function weightOf(word: string, field: Parameters<typeof expandWord>[1], phrase: string): number {
  return expandWord(word, field).find(({ words }) => words.join(' ') === phrase)?.weight ?? 0
}
