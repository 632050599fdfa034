/** Schemas of the arguments that add or update a connection, and their conversion to changes. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { MAX_URI_LENGTH } from '../../base/limits.ts'
import { RequestError } from '../../base/request-error.ts'
import { Birthday, CalendarDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { DETAILS_DESCRIPTION, detailsArgument, type DetailChange } from './detail-input.ts'
import { MAX_NOTE_LENGTH, MAX_TAG_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from '../../base/limits.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import type { ConnectionChanges, ListChange, NewNote } from './edit.ts'
import type { TypedValues } from './typed-values.ts'

/** Values of one list argument. A connection can have more, added in several calls. */
export const MAX_VALUES_PER_CALL = 20

const FullName = Type.String({
  pattern: '\\S',
  maxLength: MAX_TEXT_LENGTH,
  description: 'Full name',
  examples: ['Grace Hopper'],
  [PLAIN_KEYWORD]: true,
})

const text = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_TEXT_LENGTH,
      description,
      examples: [example],
      [PLAIN_KEYWORD]: true,
    }),
  )
const values = (description: string, example: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_URI_LENGTH, examples: [example] }), {
      maxItems: MAX_VALUES_PER_CALL,
      description,
    }),
  )
export const TagTexts = Type.Array(
  Type.String({ pattern: '\\S', maxLength: MAX_TAG_LENGTH, examples: ['investor'] }),
  { maxItems: MAX_VALUES },
)

export const NoteText = Type.String({
  pattern: '\\S',
  maxLength: MAX_NOTE_LENGTH,
  examples: ['Met at the conference in Berlin'],
})

/** The fields that `clear` can empty. */
const CLEARABLE = {
  given_name: text('First name', 'Grace'),
  family_name: text('Last name', 'Hopper'),
  company: text('Employer', 'Acme'),
  title: text('Job title', 'Engineer'),
  location: text('City or region', 'Berlin'),
  profile_url: Type.Optional(
    Type.String({
      maxLength: MAX_URI_LENGTH,
      description: 'LinkedIn or other',
      examples: ['https://www.linkedin.com/in/grace'],
      [PLAIN_KEYWORD]: true,
    }),
  ),
  birthday: Type.Optional(Birthday('Year optional')),
  connected_on: Type.Optional(CalendarDay('Date they met', 'latest')),
} as const

type ClearableField = keyof typeof CLEARABLE
const CLEARABLE_FIELDS = Object.keys(CLEARABLE) as ClearableField[]

/** For tools other than update_connections, which describes the fields. */
const AS_DESCRIBED = 'As in update_connections'

export const NewConnectionFields = {
  name: FullName,
  ...CLEARABLE,
  emails: values('Preferred first', 'grace@example.com'),
  phones: values('Preferred first', '+49 30 901820'),
  links: values('Other URLs', 'https://example.com'),
  tags: Type.Optional({ ...TagTexts, description: 'Labels', [PLAIN_KEYWORD]: true as const }),
  details: detailsArgument(AS_DESCRIBED),
  note: Type.Optional({ ...NoteText, description: 'First note' }),
}

export const NewConnectionInput = Type.Closed({
  ...NewConnectionFields,
  allow_duplicate: Type.Optional(
    Type.Boolean({ default: false, description: 'Add even if known' }),
  ),
})

/** The fields that an update sets or empties. */
export const CHANGED_FIELDS = {
  name: Type.Optional(FullName),
  ...CLEARABLE,
  clear: Type.Optional(
    Type.Array(Type.Enum(CLEARABLE_FIELDS, { type: 'string' }), {
      maxItems: CLEARABLE_FIELDS.length,
      description: 'Fields to empty',
      [PLAIN_KEYWORD]: true,
    }),
  ),
  details: detailsArgument(DETAILS_DESCRIPTION),
}

/** Values of a form, which has the whole list. */
export const FormValues = Type.Optional(
  Type.Array(Type.String({ maxLength: MAX_URI_LENGTH }), { maxItems: MAX_VALUES }),
)

const FormList = Type.Optional(Type.Closed({ add: FormValues, remove: FormValues }))

/** The changes of a form. */
export const FormChanges = {
  ...CHANGED_FIELDS,
  emails: FormList,
  phones: FormList,
  links: FormList,
}

/** A note as forms and tools give it; tools may also give the date it is about. */
type NoteInput = string | { readonly text: string; readonly on?: string }

export type NewInput = Omit<Static<typeof NewConnectionInput>, 'note'> & {
  readonly note?: NoteInput
}
const ChangedFields = Type.Object(CHANGED_FIELDS)

export type ChangesInput = Static<typeof ChangedFields> & {
  readonly [List in keyof ConnectionChanges['lists']]?: Partial<ListChange>
} & { readonly note?: NoteInput }

/** The values of a new connection as changes to an empty one. */
export function changesOfNew(
  input: Partial<NewInput>,
  details: readonly DetailChange[] = [],
): ConnectionChanges {
  const only = (add: readonly string[] | undefined): ListChange | undefined =>
    add && { add, remove: [] }
  return changes(
    valuesOf(input),
    input.note,
    {
      emails: only(input.emails),
      phones: only(input.phones),
      links: only(input.links),
      tags: only(input.tags),
    },
    details,
  )
}

/** The changes of an update. Fields that are not given keep their values. */
export function changesOfUpdate(
  input: ChangesInput,
  details: readonly DetailChange[] = [],
): ConnectionChanges {
  // Some clients send empty lists. These are not a change and must not mark the field as typed.
  const both = ({ add = [], remove = [] }: Partial<ListChange> = {}) =>
    add.length + remove.length > 0 ? { add, remove } : undefined
  return changes(
    { ...valuesOf(input), ...clearedBy(input) },
    input.note,
    {
      emails: both(input.emails),
      phones: both(input.phones),
      links: both(input.links),
      tags: both(input.tags),
    },
    details,
  )
}

/** @throws {RequestError} `invalid_request` when a field is also set. */
function clearedBy({ clear = [], ...input }: ChangesInput): TypedValues {
  const both = clear.find((field) => input[field] !== undefined)
  if (both !== undefined)
    throw new RequestError('invalid_request', `${both} is both set and cleared. Keep only one.`, {
      errors: [{ pointer: '/clear', detail: `must not contain ${both}, which is also set` }],
    })
  return Object.fromEntries(clear.map((field) => [TYPED_NAMES[field], null]))
}

const TYPED_NAMES = {
  given_name: 'givenName',
  family_name: 'familyName',
  company: 'company',
  title: 'title',
  location: 'location',
  profile_url: 'profileUrl',
  birthday: 'birthday',
  connected_on: 'connectedOn',
} as const satisfies Record<ClearableField, keyof TypedValues>

function changes(
  typed: TypedValues,
  note: NoteInput | undefined,
  lists: Record<keyof ConnectionChanges['lists'], ListChange | undefined>,
  details: readonly DetailChange[],
): ConnectionChanges {
  const named = Object.entries(lists).filter(([, change]) => change !== undefined)
  return {
    values: typed,
    lists: Object.fromEntries(named) as ConnectionChanges['lists'],
    details,
    ...(note !== undefined && { note: newNote(note) }),
  }
}

function newNote(note: NoteInput): NewNote {
  if (typeof note === 'string') return { text: note, happenedOn: null }
  return { text: note.text, happenedOn: note.on === undefined ? null : requireDay(note.on, 'on') }
}

function valuesOf(input: Partial<NewInput> | ChangesInput): TypedValues {
  const named = CLEARABLE_FIELDS.map((field) => [TYPED_NAMES[field], input[field]] as const)
  return Object.fromEntries(
    [['name', input.name] as const, ...named].filter(([, value]) => value !== undefined),
  )
}
