/** The fields of a connection that the search index covers. `scoring/field-weights.ts` says how much a match in each counts. */

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
   * Whole values, keys of tags, birthdays, and days of interactions, which are only counted (see
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
