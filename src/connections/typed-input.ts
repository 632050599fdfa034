/** The arguments by which a connection is typed in: one schema each, and from arguments to changes. */

import Type, { type Static } from 'typebox'
import type { ConnectionChanges, ListChange, TypedValues } from './edit.ts'

const LONGEST_TEXT = 300
const LONGEST_ADDRESS = 2000
const LONGEST_NOTE = 20_000

const text = (description: string) => Type.String({ maxLength: LONGEST_TEXT, description })
const values = (description: string, most = 20) =>
  Type.Array(Type.String({ maxLength: LONGEST_ADDRESS }), {
    maxItems: most,
    description,
  })
/** Tags as they are typed. */
export const tagTexts = (description: string) =>
  Type.Array(Type.String({ pattern: '\\S', maxLength: 100 }), { maxItems: 50, description })

/** What a note says. */
export const NoteText = Type.String({
  pattern: '\\S',
  maxLength: LONGEST_NOTE,
  description: 'A note to add',
})

export const NewConnectionInput = Type.Object(
  {
    name: Type.String({ pattern: '\\S', maxLength: LONGEST_TEXT, description: 'Full name' }),
    given_name: Type.Optional(text('Given name')),
    family_name: Type.Optional(text('Family name')),
    company: Type.Optional(text('Where they work')),
    title: Type.Optional(text('Their job')),
    location: Type.Optional(text('City, region, country')),
    emails: Type.Optional(values('E-mail addresses, the preferred first')),
    phones: Type.Optional(values('Phone numbers')),
    profile_url: Type.Optional(
      Type.String({ maxLength: LONGEST_ADDRESS, description: 'LinkedIn or other profile' }),
    ),
    links: Type.Optional(values('Other web addresses')),
    birthday: Type.Optional(text('YYYY-MM-DD, or --MM-DD')),
    connected_on: Type.Optional(text('YYYY-MM-DD')),
    tags: Type.Optional(tagTexts('To put on')),
    note: Type.Optional(NoteText),
    allow_duplicate: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Even if they seem to be there',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Null empties the field. */
const emptiable = (description: string, maxLength = LONGEST_TEXT) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], { description })

export const ConnectionChangesInput = {
  name: Type.Optional(
    Type.String({ pattern: '\\S', maxLength: LONGEST_TEXT, description: 'Full name' }),
  ),
  given_name: Type.Optional(emptiable('Given name')),
  family_name: Type.Optional(emptiable('Family name')),
  company: Type.Optional(emptiable('Where they work')),
  title: Type.Optional(emptiable('Their job')),
  location: Type.Optional(emptiable('City, region, country')),
  profile_url: Type.Optional(emptiable('LinkedIn or other profile', LONGEST_ADDRESS)),
  birthday: Type.Optional(emptiable('YYYY-MM-DD, or --MM-DD')),
  connected_on: Type.Optional(emptiable('YYYY-MM-DD')),
  add_emails: Type.Optional(values('To add')),
  remove_emails: Type.Optional(values('To take away')),
  add_phones: Type.Optional(values('To add')),
  remove_phones: Type.Optional(values('To take away')),
  add_links: Type.Optional(values('To add')),
  remove_links: Type.Optional(values('To take away')),
  add_tags: Type.Optional(tagTexts('To put on')),
  remove_tags: Type.Optional(tagTexts('To take off')),
  note: Type.Optional(NoteText),
}

export type NewInput = Static<typeof NewConnectionInput>
const ChangesObject = Type.Object(ConnectionChangesInput)
type ChangesInput = Static<typeof ChangesObject>

export function changesOfNew(input: NewInput): ConnectionChanges {
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

function valuesOf(input: NewInput | ChangesInput): TypedValues {
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
