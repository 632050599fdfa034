/** The fields of a connection that the search index covers, and how much a match in each counts. */

import { memoize } from '../../base/memoize.ts'

/** A posting holds the number of its field in four bits. The order also decides which field a snippet prefers. */
export const FIELD = {
  name: 0,
  email: 1,
  phone: 2,
  link: 3,
  company: 4,
  title: 5,
  location: 6,
  tag: 7,
  note: 8,
  /** The first letters of a name: `al` for Ada Lovelace. */
  initials: 9,
  /** Words of an email: `ada` and `acme` of `ada@acme.com`. */
  emailWord: 10,
  /** Words of a URL. */
  linkWord: 11,
  /** Texts of open follow-ups. */
  followUp: 12,
  /** Former positions, addresses, accounts, relations and further parts of the name. */
  detail: 13,
  custom: 14,
  /**
   * Whole values, keys of tags, birthdays, and days of notes and interactions, which are only counted (see
   * `count-values.ts`) or filtered.
   */
  value: 15,
} as const

export type FieldNumber = (typeof FIELD)[keyof typeof FIELD]

export const FIELD_BITS = 4
export const FIELD_MASK = 2 ** FIELD_BITS - 1

/** A bit mask of names, and of what is made of them. */
export const NAMING_FIELDS =
  (1 << FIELD.name) |
  (1 << FIELD.email) |
  (1 << FIELD.emailWord) |
  (1 << FIELD.link) |
  (1 << FIELD.linkWord) |
  (1 << FIELD.initials)

/** A bit mask of the texts about people, which name others, too. */
export const PROSE_FIELDS = (1 << FIELD.note) | (1 << FIELD.followUp) | (1 << FIELD.custom)

/** By field number. A prefix in a name outranks a whole word in a note: see `FACTOR`. */
export const FIELD_WEIGHTS: Readonly<Uint8Array> = Uint8Array.from([
  100, 100, 100, 100, 60, 60, 50, 50, 45, 25, 40, 30, 45, 45, 60, 0,
])

/** How well a term matches a word of the query, in hundredths: exact before prefix before fuzzy. */
export const FACTOR = {
  exact: 100,
  /** Another spelling of the same word: `mueller` for Müller. */
  spelling: 95,
  /** Two words of the query written as one, or one as two. */
  joined: 90,
  nickname: 80,
  companyInitials: 80,
  prefix: 70,
  /** A prefix of one or two letters. */
  shortPrefix: 60,
  /** Another form of the word: `invested` for `investing`. */
  form: 55,
  /** A spelling that sounds alike: Tchaikovsky and Tschaikowski. */
  sound: 50,
  /** A part of a compound, or another ending. */
  part: 45,
  oneEdit: 45,
  twoEdits: 35,
  /** A name in the singular of the word, below all longer names. */
  singular: 30,
  /** Only the initial is known: `J. Smith` for John Smith. */
  initial: 30,
} as const

/** Field names as results report them. */
export type MatchedField =
  | 'name'
  | 'emails'
  | 'phones'
  | 'links'
  | 'company'
  | 'title'
  | 'location'
  | 'tags'
  | 'details'
  | 'notes'
  | 'follow_ups'

const REPORTED: readonly (readonly [MatchedField, readonly FieldNumber[]])[] = [
  ['name', [FIELD.name, FIELD.initials]],
  ['emails', [FIELD.email, FIELD.emailWord]],
  ['phones', [FIELD.phone]],
  ['links', [FIELD.link, FIELD.linkWord]],
  ['company', [FIELD.company]],
  ['title', [FIELD.title]],
  ['location', [FIELD.location]],
  ['tags', [FIELD.tag]],
  ['details', [FIELD.detail, FIELD.custom]],
  ['notes', [FIELD.note]],
  ['follow_ups', [FIELD.followUp]],
]

/** The names of the fields in a bit mask of field numbers. */
export const matchedFieldsOf = memoize((mask: number): readonly MatchedField[] =>
  REPORTED.flatMap(([name, fields]) =>
    fields.some((field) => (mask & (1 << field)) !== 0) ? [name] : [],
  ),
)
