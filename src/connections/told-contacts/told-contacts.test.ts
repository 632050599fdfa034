import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDataSections } from '../../base/data-file.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { contactsToldIn, peopleHintedIn } from './told-contacts.ts'

const PEOPLE = new Map([
  ['Rosa', { connectionId: 7, name: 'Rosa Luz' }],
  ['Ben', { connectionId: 8, name: 'Ben Ode' }],
  ['c_9', { connectionId: 9, name: 'anna de vries' }],
])

/** Saturday 28 November 2026. */
const NOW = { timeZone: 'Europe/Berlin', now: Date.UTC(2026, 10, 28, 12) }

function told(text: string, on?: string): string[] {
  return contactsToldIn({ text, mentioned: PEOPLE, on }, NOW).map(
    ({ kind, people, day }) =>
      `${kind} ${people.map(({ connectionId }) => connectionId).join('+')} ${day}`,
  )
}

const [TODAY, YESTERDAY] = ['2026-11-28', '2026-11-27']

test('a sentence that says so is a contact, in eight languages', () => {
  for (const [text, expected] of [
    ['met @Rosa', `meeting 7 ${TODAY}`],
    ['Met @Rosa.', `meeting 7 ${TODAY}`],
    ['I just met with @Rosa today, she is fine', `meeting 7 ${TODAY}`],
    ['called @Rosa yesterday', `call 7 ${YESTERDAY}`],
    ['Yesterday, I called @Rosa about the flat', `call 7 ${YESTERDAY}`],
    ['- We had lunch with @Rosa and @Ben on 3 Nov 2026', 'meeting 7+8 2026-11-03'],
    ['Met @anna de vries (c_9) on Monday.', 'meeting 9 2026-11-23'],
    ['emailed @Ben 3 days ago', 'message 8 2026-11-25'],
    ['Monday I called @Rosa', 'call 7 2026-11-23'],
    ['Habe @Rosa 23.11.2026 getroffen', 'meeting 7 2026-11-23'],
    ['habe @Rosa getroffen', `meeting 7 ${TODAY}`],
    ['Habe gestern mit @Rosa telefoniert, sie zieht um', `call 7 ${YESTERDAY}`],
    ['Ich habe @Rosa am 3. November 2026 getroffen.', 'meeting 7 2026-11-03'],
    ['Gestern @Rosa angerufen', `call 7 ${YESTERDAY}`],
    ['Heute habe ich mich mit @Ben und @Rosa getroffen', `meeting 8+7 ${TODAY}`],
    ['Wir haben @Rosa besucht', `meeting 7 ${TODAY}`],
    ["J'ai vu @Rosa hier", `meeting 7 ${YESTERDAY}`],
    ['Hier j’ai déjeuné avec @Rosa', `meeting 7 ${YESTERDAY}`],
    ['Llamé a @Rosa ayer', `call 7 ${YESTERDAY}`],
    ['Me encontré con @Rosa', `meeting 7 ${TODAY}`],
    ['Ho incontrato @Rosa ieri', `meeting 7 ${YESTERDAY}`],
    ['Parlato con @Rosa', `call 7 ${TODAY}`],
    ['Ik heb gisteren @Rosa gesproken', `call 7 ${YESTERDAY}`],
    ['Heb @Rosa ontmoet', `meeting 7 ${TODAY}`],
    ['Falei com @Rosa ontem no café', `call 7 ${YESTERDAY}`],
    ['Encontrei @Rosa', `meeting 7 ${TODAY}`],
    ['Вчера я встретился с @Rosa', `meeting 7 ${YESTERDAY}`],
    ['Позвонила @Rosa', `call 7 ${TODAY}`],
  ] as const)
    assert.deepEqual(told(text), [expected], text)
  assert.deepEqual(told('Met @Rosa. Called @Ben yesterday!'), [
    `meeting 7 ${TODAY}`,
    `call 8 ${YESTERDAY}`,
  ])
  assert.deepEqual(told('Met @Rosa yesterday. She does not eat fish, but loves bread.').length, 1)
})

test('words after the name do not matter, unless they date the contact or take it back', () => {
  for (const [text, expected] of [
    ['met @Rosa there', `meeting 7 ${TODAY}`],
    ['Met @Rosa for lunch in **Lisbon**', `meeting 7 ${TODAY}`],
    ['Ran into @Rosa last night', `meeting 7 ${YESTERDAY}`],
    ['Met @Rosa at the fair last Friday, she moves on Monday', `meeting 7 ${YESTERDAY}`],
    ['Had lunch with @Rosa this morning because she asked yesterday', `meeting 7 ${TODAY}`],
    ['Visited @Rosa last week', 'meeting 7 2026-11-16'],
    ['I’ve met @Rosa today', `meeting 7 ${TODAY}`],
    ['My wife and I had dinner with @Rosa', `meeting 7 ${TODAY}`],
    ['Auf der Messe habe ich @Rosa getroffen', `meeting 7 ${TODAY}`],
    ['Heute Morgen @Rosa und @Ben im Zug getroffen', `meeting 7+8 ${TODAY}`],
    ['Letzte Woche mit @Rosa telefoniert', 'call 7 2026-11-16'],
    ['Mit @Rosa gegessen, aber sie musste früh los', `meeting 7 ${TODAY}`],
  ] as const)
    assert.deepEqual(told(text), [expected], text)
  for (const text of [
    'Called @Rosa about the party on Friday',
    'Called @Rosa about the flat, no answer',
    'Had lunch with @Rosa, cancelled',
    'Had lunch with @Rosa. Cancelled.',
    'Met @Rosa on Saturday',
    'Met @Rosa at the fair last year',
    'I’ve met @Rosa',
    'At the fair Tom met @Rosa',
  ])
    assert.deepEqual(told(text), [], text)
})

test('two hundred sentences of notes are understood', () => {
  const sentences = readDataSections(
    new URL('../../../test/fixtures/contact-sentences.txt', import.meta.url),
  )
  assert.ok([...sentences.values()].flat().length >= 200)
  const people = (text: string) =>
    new Map(
      [...text.matchAll(/@(\p{Lu}\p{L}+ \p{Lu}\p{L}+)/gu)].map(([, name = ''], at) => [
        name,
        { connectionId: at + 1, name },
      ]),
    )
  for (const [section, texts] of sentences)
    for (const text of texts) {
      const mentioned = people(text)
      const contacts = contactsToldIn({ text, mentioned, on: undefined }, NOW)
      const expected = section.endsWith(' told') && !section.includes('not') ? mentioned.size : 0
      assert.equal(new Set(contacts.flatMap((one) => one.people)).size, expected, text)
    }
})

test('what is denied, planned, asked, quoted, about others or vague is no contact', () => {
  for (const text of [
    // Denied, or without success.
    'did not meet @Rosa',
    'I have not met @Rosa yesterday',
    "didn't call @Rosa",
    'never met @Rosa',
    'called @Rosa yesterday, no answer',
    'Called @Rosa. No answer.',
    'called @Rosa yesterday but she was out',
    'almost met @Rosa yesterday',
    'tried calling @Rosa',
    'Met @Rosa? No.',
    'habe @Rosa nicht getroffen',
    'Habe @Rosa gestern nicht erreicht',
    'Gestern @Rosa angerufen, aber niemand da',
    "Je n'ai pas vu @Rosa hier",
    'No llamé a @Rosa',
    'Non ho incontrato @Rosa ieri',
    'Met @Rosa vandaag niet gesproken',
    'Não encontrei @Rosa',
    'Не встретил @Rosa',
    // Ahead.
    'will meet @Rosa',
    'meet @Rosa tomorrow',
    'met @Rosa tomorrow',
    'to call @Rosa',
    'call @Rosa',
    'Call @Rosa yesterday',
    'should have called @Rosa',
    'would have met @Rosa yesterday',
    'I hope I met @Rosa',
    'werde @Rosa treffen',
    'hätte @Rosa getroffen',
    'Llame a @Rosa',
    'Appeler @Rosa demain',
    'Devo chiamare @Rosa',
    '- [ ] met @Rosa',
    // Asked, quoted, or in code.
    'met @Rosa?',
    'Met @Rosa yesterday?',
    '> met @Rosa',
    '```\nmet @Rosa\n```',
    '“met @Rosa”',
    // Contacts of others.
    'Ben met @Rosa',
    '@Ben met @Rosa yesterday',
    '@Rosa met @Ben',
    'She met @Rosa yesterday',
    '@Rosa hat Ben getroffen',
    '@Rosa besucht heute Ben',
    '@Rosa ontmoet vandaag Ben',
    'Ha incontrato @Rosa ieri',
    "met @Rosa's brother",
    'met @Rosa Berlin',
    'a boat called @Rosa',
    // How people first met.
    'met @Rosa at university',
    'I met @Rosa ages ago',
    'went to school with @Rosa',
    'Saw @Rosa is hiring',
    'met @Rosa every week',
    'Mit @Rosa zur Schule gegangen',
    'met @Rosa in 2015',
    'met @Rosa last year',
    'met @Rosa through Ben',
    'have met @Rosa',
    'met @Rosa when we were students',
    'met @Rosa in May',
    'met @Someone yesterday',
    'met Rosa yesterday',
    'ask @Rosa',
    '@Rosa',
    '',
  ])
    assert.deepEqual(told(text), [], text)
})

test('the date of the note is that of its contacts, and one that contradicts it is left out', () => {
  assert.deepEqual(told('met @Rosa', '2026-11-03'), ['meeting 7 2026-11-03'])
  assert.deepEqual(told('met @Rosa yesterday', YESTERDAY), [`meeting 7 ${YESTERDAY}`])
  assert.deepEqual(told('met @Rosa yesterday', '2026-11-03'), [])
  assert.deepEqual(told('met @Rosa', '2026-12-24'), [])
})

test('what seems to say so is asked about, and nothing of it is logged', () => {
  const hinted = (text: string) =>
    peopleHintedIn({ text, mentioned: PEOPLE, on: undefined }, NOW).map(({ name }) => name)
  for (const text of [
    'Lunch with @Rosa',
    'Met @Rosa at university',
    'Met @Rosa in 2014',
    'Mittagessen mit @Rosa',
  ]) {
    assert.deepEqual(told(text), [], text)
    assert.deepEqual(hinted(text), ['Rosa Luz'], text)
  }
  for (const text of [
    'met @Rosa',
    'met @Rosa yesterday at the harbour',
    'met @Rosa there',
    'Ask @Rosa about schools',
    'Lunch with @Rosa tomorrow',
    'Lunch with @Rosa?',
    'Lunch with @Rosa cancelled',
    'met her brother, says @Rosa',
  ])
    assert.deepEqual(hinted(text), [], text)
})

test('a note tells of at most ten contacts, in its own words', () => {
  const lines = Array.from({ length: 30 }, () => 'met @Rosa yesterday').join('\n')
  assert.equal(told(lines).length, 10)
  const [one] = contactsToldIn(
    {
      text: '- Met @anna de vries (c_9) and @Ben yesterday, at 3.',
      mentioned: PEOPLE,
      on: undefined,
    },
    NOW,
  )
  assert.equal(one?.sentence, 'Met anna de vries and Ben yesterday, at 3.')
})

test('any text is read, in steps that grow with its length', () => {
  fc.assert(fc.property(unicodeText(), (text) => told(`${text} met @Rosa ${text}`).length <= 10))
  for (const piece of [
    'met @Rosa ',
    '@Rosa ',
    '@',
    'yesterday ',
    'a ',
    '3. ',
    '.',
    'i ',
    '\n',
    '@Rosa, ',
    '\u0301',
    'met @Rosa and ',
    'i just ',
    'my wife and i ',
    'had a ',
    'habe ich @Rosa gestern heute.\n',
    'met @Rosa a a a\n',
  ])
    assert.ok(told(piece.repeat(100_000 / piece.length)).length <= 10, piece)
  const marks = '\u0301'.repeat(20_000)
  assert.deepEqual(told(`${marks}met @Rosa`), [])
  assert.deepEqual(told(`met @Rosa. ${marks}`), [`meeting 7 ${TODAY}`])
})
