/** The arguments by which a connection is typed in: one schema each, and from arguments to changes. */

import Type, { type Static } from 'typebox'
import type { ConnectionChanges, ListChange, TypedValues } from './edit.ts'

const MAX_TEXT_LENGTH = 300
const MAX_URL_LENGTH = 2000
const MAX_NOTE_LENGTH = 20_000

/** What its name does not say of an argument; every word here stands in a model's context. */
type Said = Readonly<{ description?: string }>

const JOB: Said = { description: 'Job title' }
const PROFILE: Said = { description: 'LinkedIn or other' }
const BIRTHDAY: Said = { description: 'YYYY-MM-DD, or --MM-DD' }
const DAY: Said = { description: 'YYYY-MM-DD' }

const FullName = Type.String({ pattern: '\\S', maxLength: MAX_TEXT_LENGTH })
const text = (said: Said = {}) => Type.String({ maxLength: MAX_TEXT_LENGTH, ...said })
const values = (said: Said = {}) =>
  Type.Array(Type.String({ maxLength: MAX_URL_LENGTH }), { maxItems: 20, ...said })

/** Tags as they are typed. */
export const TagTexts = Type.Array(Type.String({ pattern: '\\S', maxLength: 100 }), {
  maxItems: 50,
})

/** What a note says. */
export const NoteText = Type.String({ pattern: '\\S', maxLength: MAX_NOTE_LENGTH })

export const NewConnectionInput = Type.Object(
  {
    name: FullName,
    given_name: Type.Optional(text()),
    family_name: Type.Optional(text()),
    company: Type.Optional(text()),
    title: Type.Optional(text(JOB)),
    location: Type.Optional(text()),
    emails: Type.Optional(values({ description: 'The preferred first' })),
    phones: Type.Optional(values()),
    profile_url: Type.Optional(Type.String({ maxLength: MAX_URL_LENGTH, ...PROFILE })),
    links: Type.Optional(values({ description: 'Other web addresses' })),
    birthday: Type.Optional(text(BIRTHDAY)),
    connected_on: Type.Optional(text(DAY)),
    tags: Type.Optional(TagTexts),
    note: Type.Optional(NoteText),
    allow_duplicate: Type.Optional(Type.Boolean({ default: false })),
  },
  { additionalProperties: false },
)

/** Null empties the field. */
const emptiable = (said: Said = {}, maxLength = MAX_TEXT_LENGTH) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], said)

export const ConnectionChangesInput = {
  name: Type.Optional(FullName),
  given_name: Type.Optional(emptiable()),
  family_name: Type.Optional(emptiable()),
  company: Type.Optional(emptiable()),
  title: Type.Optional(emptiable(JOB)),
  location: Type.Optional(emptiable()),
  profile_url: Type.Optional(emptiable(PROFILE, MAX_URL_LENGTH)),
  birthday: Type.Optional(emptiable(BIRTHDAY)),
  connected_on: Type.Optional(emptiable(DAY)),
  add_emails: Type.Optional(values()),
  remove_emails: Type.Optional(values()),
  add_phones: Type.Optional(values()),
  remove_phones: Type.Optional(values()),
  add_links: Type.Optional(values()),
  remove_links: Type.Optional(values()),
  add_tags: Type.Optional(TagTexts),
  remove_tags: Type.Optional(TagTexts),
  note: Type.Optional(NoteText),
}

export type NewInput = Static<typeof NewConnectionInput>
const ChangesObject = Type.Object(ConnectionChangesInput)
type ChangesInput = Static<typeof ChangesObject>

export function changesOfNew(input: Partial<NewInput>): ConnectionChanges {
  const only = (add: readonly string[] | undefined): ListChange | undefined =>
    add && { add, remove: [] }
  return changes(valuesOf(input), input.note, {
    emails: only(input.emails),
    phones: only(input.phones),
    links: only(input.links),
    tags: only(input.tags),
  })
}

export function changesOfUpdate(input: ChangesInput): ConnectionChanges {
  // Clients fill in empty lists: they name no change, and must not set the field as typed.
  const both = (add: readonly string[] = [], remove: readonly string[] = []) =>
    add.length + remove.length > 0 ? { add, remove } : undefined
  return changes(valuesOf(input), input.note, {
    emails: both(input.add_emails, input.remove_emails),
    phones: both(input.add_phones, input.remove_phones),
    links: both(input.add_links, input.remove_links),
    tags: both(input.add_tags, input.remove_tags),
  })
}

function changes(
  typed: TypedValues,
  added: string | undefined,
  lists: Record<keyof ConnectionChanges['lists'], ListChange | undefined>,
): ConnectionChanges {
  const named = Object.entries(lists).filter(([, change]) => change !== undefined)
  return {
    values: typed,
    lists: Object.fromEntries(named) as ConnectionChanges['lists'],
    ...(added !== undefined && { note: added }),
  }
}

function valuesOf(input: Partial<NewInput> | ChangesInput): TypedValues {
  const {
    name,
    given_name,
    family_name,
    company,
    title,
    location,
    profile_url,
    birthday,
    connected_on,
  } = input
  const typed = {
    name,
    givenName: given_name,
    familyName: family_name,
    company,
    title,
    location,
    profileUrl: profile_url,
    birthday,
    connectedOn: connected_on,
  }
  return Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value !== undefined),
  ) as TypedValues
}
