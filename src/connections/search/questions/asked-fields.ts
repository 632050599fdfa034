/**
 * Questions for a field of one person. `Ben Haverkamp's phone number` is a search for Ben Haverkamp, whose phone numbers
 * the result then has.
 */

import { normalize, tokenize } from '../../../base/tokenize.ts'
import { phraseLength } from '../../../search/questions/phrases.ts'
import { withoutLast } from '../../../base/without-last.ts'

type AskedField = 'emails' | 'phones' | 'birthday' | 'profileUrl' | 'connectedOn'

export interface AskedFields {
  /** The rest of the question. */
  readonly person: string
  /** Empty if the fields that every result has answer the question. */
  readonly fields: readonly AskedField[]
}

/** Undefined for any other query. */
export function readAskedFields(query: string): AskedFields | undefined {
  if (query.length > MAX_QUESTION) return undefined
  const written = normalize(query).replaceAll('’', "'")
  const plain = written.replaceAll('e-mail', 'email') // prose-ok: as members write it
  const text = withoutLast(plain.trim(), '?!. ')
  const rest = withoutLead(text)
  for (const { patterns, fields, isVague } of FIELDS) {
    const person = personBeside(rest, patterns)
    if (person === undefined || !isPerson(person)) continue
    const asked = { person, fields }
    if (!isVague || NAME.test(personAsTyped(asked, query))) return asked
  }
  for (const [begin, end, ...fields] of SENTENCES)
    if (text.startsWith(begin) && text.endsWith(end)) {
      const person = text.slice(begin.length, text.length - end.length).trim()
      if (isPerson(person)) return { person, fields }
    }
  return undefined
}

/** Begins with a capital, or a letter of a script without capitals. */
const NAME = /^[\p{Lu}\p{Lo}]/u

/** The person with the capitals of the question, which tell names from other words. */
export function personAsTyped({ person }: AskedFields, query: string): string {
  const wanted = new Set(tokenize(person))
  const words = (query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*/gu) ?? []).filter((word) =>
    tokenize(word).every((token) => wanted.has(token)),
  )
  const typed = words.join(' ')
  return tokenize(typed).join(' ') === tokenize(person).join(' ') ? typed : person
}

/** The fields that a query about several people names, as in `birthdays in March` and `investors with phone numbers`. */
export function readNamedFields(query: string): AskedField[] {
  const words = new Set(tokenize(query.slice(0, MAX_QUESTION).toWellFormed()))
  return NAMED.flatMap(([field, ...names]) => (names.some((name) => words.has(name)) ? field : []))
}

const NAMED: readonly (readonly [field: AskedField, ...words: string[]])[] = [
  ['birthday', 'birthday', 'birthdays', 'geburtstag', 'cumpleanos', 'aniversario', 'anniversaire'],
  ['phones', 'phone', 'phones', 'telephone', 'telefon', 'telefono', 'telefone', 'handynummer'],
]

const MAX_QUESTION = 120 // characters

function withoutLead(text: string): string {
  const lead = LEADS.find((words) => text.startsWith(words))
  const rest = lead === undefined ? text : text.slice(lead.length)
  return rest.replace(ARTICLE, '')
}

const ARTICLE = /^(?:the|der|die|das|den) /

const JOINTS = [' of ', ' for ', ' von ', ' de ', ' di ', ' do ', ' da ', ' van ']

/** `x of Ann`, `Ann's x` and `Ann x`. */
function personBeside(text: string, { begins, ends }: FieldPatterns): string | undefined {
  for (const begin of begins) if (text.startsWith(begin)) return text.slice(begin.length)
  for (const end of ends) if (text.endsWith(end)) return text.slice(0, -end.length)
  return undefined
}

/** A few words, none of which asks for people by what they have or lack. */
function isPerson(text: string): boolean {
  const words = text.split(/\s+/)
  const asks = (word: string) => NO_NAMES.has(word) || phraseLength('question', [word], 0) > 0
  return text !== '' && words.length <= 5 && !words.some(asks)
}

const NO_NAMES = new Set(
  `a all an and any anyone everyone has have how in lacks missing my no not or people someone whose who with without
   alle hat kein keine mein meine meinem meinen meiner mit ohne oder und unser unsere wer`.split(
    /\s+/,
  ),
)

/** Longer ones first. */
const LEADS = [
  'do you know',
  'do you have',
  'do i have',
  'what is',
  "what's",
  'whats',
  'what are',
  'when is',
  "when's",
  'give me',
  'tell me',
  'show me',
  'look up',
  'was ist',
  'wie ist',
  'wie lautet',
  'wann ist',
  'gib mir',
  'zeig mir',
  'kennst du',
  'hast du',
  'show',
  'find',
  'get',
].map((words) => `${words} `)

/** Longer ones first. */
const FIELD_WORDS: readonly (readonly [words: string, ...fields: AskedField[]])[] = [
  ['phone number and email', 'phones', 'emails'],
  ['email and phone number', 'emails', 'phones'],
  ['phone and email', 'phones', 'emails'],
  ['email and phone', 'emails', 'phones'],
  ['contact details', 'emails', 'phones'],
  ['contact information', 'emails', 'phones'],
  ['contact info', 'emails', 'phones'],
  ['telephone number', 'phones'],
  ['mobile number', 'phones'],
  ['phone number', 'phones'],
  ['cell phone', 'phones'],
  ['phone', 'phones'],
  ['mobile', 'phones'],
  ['cell', 'phones'],
  ['number', 'phones'],
  ['email address', 'emails'],
  ['mail address', 'emails'],
  ['email', 'emails'],
  ['date of birth', 'birthday'],
  ['birthday', 'birthday'],
  ['linkedin profile', 'profileUrl'],
  ['linkedin url', 'profileUrl'],
  ['linkedin', 'profileUrl'],
  ['profile url', 'profileUrl'],
  ...['telefonnummer', 'handynummer', 'telefon', 'telefone', 'telefono', 'telefoonnummer'].map(
    (word) => [word, 'phones'] as const,
  ),
  ...['numero de telephone', 'numero di telefono', 'numero de telefono', 'numero', 'nummer'].map(
    (word) => [word, 'phones'] as const,
  ),
  ...['emailadresse', 'mailadresse', 'correo', 'mail'].map((word) => [word, 'emails'] as const),
  ...['geburtstag', 'anniversaire', 'cumpleanos', 'compleanno', 'verjaardag'].map(
    (word) => [word, 'birthday'] as const,
  ),
  ['company'],
  ['employer'],
  ['job title'],
]

/** With other meanings, too: they ask for a field only of what is typed like a name, and never directly after it. */
const VAGUE_WORDS = [
  ...'title role position address location city tag tags website homepage note notes'.split(' '),
  ...'last contact,letzter kontakt,firma,arbeitgeber,titel,beruf,adresse,anschrift'.split(','),
  ...'ort wohnort stadt schlagwort schlagworte schlagworter webseite notiz notizen'.split(' '),
]

/** What is written before or after a person to ask for a field. */
interface FieldPatterns {
  readonly begins: readonly string[]
  readonly ends: readonly string[]
}

const FIELDS = [
  ...FIELD_WORDS.map((words) => fieldAsked(words, false)),
  ...VAGUE_WORDS.map((words) => fieldAsked([words], true)),
]

function fieldAsked(
  [words, ...fields]: readonly [words: string, ...fields: AskedField[]],
  isVague: boolean,
) {
  const begins = (isVague ? [...JOINTS, ' with ', ' mit '] : JOINTS).map(
    (joint) => `${words}${joint}`,
  )
  const owned = [`'s ${words}`, `' ${words}`]
  return { patterns: { begins, ends: isVague ? owned : [...owned, ` ${words}`] }, fields, isVague }
}

const SENTENCES: readonly (readonly [begin: string, end: string, ...fields: AskedField[]])[] = [
  ['where does ', ' work'],
  ['who does ', ' work for'],
  ['where does ', ' live'],
  ['what does ', ' do'],
  ['when did i meet ', '', 'connectedOn'],
  ['when did i connect with ', '', 'connectedOn'],
  ['when was ', ' born', 'birthday'],
  ['wann hat ', ' geburtstag', 'birthday'],
  ['wo arbeitet ', ''],
  ['wo wohnt ', ''],
]
