/** Schemas of the arguments that add or update a connection, and their conversion to changes. */

import Type, { type Static } from 'typebox'
import { MAX_URI_LENGTH } from '../../base/limits.ts'
import { MAX_NOTE_LENGTH, MAX_TAG_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from '../model/limits.ts'
import type { ConnectionChanges, ListChange, TypedValues } from './edit.ts'

/** Set only where the argument's name is not enough: every description takes up space in a model's context. */
type Options = Readonly<{ description?: string }>

const JOB: Options = { description: 'Job title' }
const PROFILE: Options = { description: 'LinkedIn or another profile' }
const BIRTHDAY: Options = { description: 'YYYY-MM-DD, or --MM-DD' }
const DAY: Options = { description: 'YYYY-MM-DD' }

/** Values of one list argument. A connection can have more, added in several calls. */
const MAX_VALUES_PER_CALL = 20

const FullName = Type.String({ pattern: '\\S', maxLength: MAX_TEXT_LENGTH })
const text = (options: Options = {}) => Type.String({ maxLength: MAX_TEXT_LENGTH, ...options })
const values = (options: Options = {}) =>
  Type.Array(Type.String({ maxLength: MAX_URI_LENGTH }), {
    maxItems: MAX_VALUES_PER_CALL,
    ...options,
  })

export const TagTexts = Type.Array(Type.String({ pattern: '\\S', maxLength: MAX_TAG_LENGTH }), {
  maxItems: MAX_VALUES,
})

export const NoteText = Type.String({ pattern: '\\S', maxLength: MAX_NOTE_LENGTH })

export const NewConnectionInput = Type.Object(
  {
    name: FullName,
    given_name: Type.Optional(text()),
    family_name: Type.Optional(text()),
    company: Type.Optional(text()),
    title: Type.Optional(text(JOB)),
    location: Type.Optional(text()),
    emails: Type.Optional(values({ description: 'Preferred first' })),
    phones: Type.Optional(values()),
    profile_url: Type.Optional(Type.String({ maxLength: MAX_URI_LENGTH, ...PROFILE })),
    links: Type.Optional(values({ description: 'Other URLs' })),
    birthday: Type.Optional(text(BIRTHDAY)),
    connected_on: Type.Optional(text(DAY)),
    tags: Type.Optional(TagTexts),
    note: Type.Optional(NoteText),
    allow_duplicate: Type.Optional(Type.Boolean({ default: false })),
  },
  { additionalProperties: false },
)

/** Null clears the field. */
const clearable = (options: Options = {}, maxLength = MAX_TEXT_LENGTH) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], options)

export const ConnectionChangesInput = {
  name: Type.Optional(FullName),
  given_name: Type.Optional(clearable()),
  family_name: Type.Optional(clearable()),
  company: Type.Optional(clearable()),
  title: Type.Optional(clearable(JOB)),
  location: Type.Optional(clearable()),
  profile_url: Type.Optional(clearable(PROFILE, MAX_URI_LENGTH)),
  birthday: Type.Optional(clearable(BIRTHDAY)),
  connected_on: Type.Optional(clearable(DAY)),
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
  // Some clients send empty lists. These are not a change and must not mark the field as typed.
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
