/** Adds several people. Of a person who is known already, gaps are filled and lists are added to. */

import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { detailName, detailOf } from '../../contact-files/contact/details.ts'
import { personAdder, storeUnlessDuplicate } from '../editing/add-connection.ts'
import { changesOfNew, type NewInput } from '../editing/connection-input.ts'
import { readDetailChanges, type DetailChange } from '../editing/detail-input.ts'
import {
  checkTags,
  draftConnection,
  hasEffect,
  isEmptyChange,
  planChange,
  readWholeConnection,
  storeChanged,
  type ConnectionChanges,
} from '../editing/edit.ts'
import type { TypedValues } from '../editing/typed-values.ts'
import { eastAsianName } from '../../identity/person-name.ts'
import { candidatesJson } from '../editing/require-connection.ts'
import { createFollowUp, type FollowUp } from '../follow-ups/follow-ups.ts'
import { FIELD_NAMES, TEXT_FIELDS, type Connection } from '../model/connection.ts'
import { tagOf } from '../model/tag-store.ts'
import { peopleChangeOf, type ChangedPerson } from './people-changes.ts'
import { readPlan, type PlannedText } from '../follow-ups/follow-up-schemas.ts'
import type { RejectedPerson } from './select-people.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { CreatePerson } from '../editing/relation-input.ts'
import type { Changing, WriteCall } from '../../tools/tool.ts'

type AddedInput = Omit<NewInput, 'name'> & {
  readonly name?: string
  readonly follow_up?: PlannedText
}

/** A value that was given, but is already different. */
interface KeptValue {
  readonly field: string
  readonly value: string
}

export type AddedPerson =
  | { readonly rejected: RejectedPerson }
  | {
      /** Undefined for a new connection. */
      readonly before?: WholeConnection
      /** The same as before if nothing was added. */
      readonly after: WholeConnection
      readonly kept: readonly KeptValue[]
      readonly followUp?: FollowUp
    }

interface AddedPeople {
  /** In the order given. */
  readonly people: readonly AddedPerson[]
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * Rejects people with invalid values and adds the others.
 *
 * @throws {RequestError} `invalid_request` when none can be added; the message has the reasons.
 */
export async function addEachPerson(
  { tx, now, record }: Changing,
  inputs: readonly AddedInput[],
): Promise<AddedPeople> {
  const people: AddedPerson[] = []
  const related = personAdder({ tx, now })
  let firstError: RequestError | undefined
  for (const [index, input] of inputs.entries())
    try {
      people.push(await addOne({ tx, now, create: related.create }, input))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      firstError ??= errorAt(error, index, inputs.length)
      people.push({ rejected: { given: nameOf(input), reason: error.message } })
    }
  const isEmpty = people.every((one) => 'rejected' in one && one.rejected.candidates === undefined)
  if (isEmpty && firstError) throw firstError
  const changed = people.flatMap((one): ChangedPerson[] => {
    if ('rejected' in one || (one.before === one.after && !one.followUp)) return []
    return [one]
  })
  changed.push(...related.created)
  if (changed.length === 0) return { people, activityId: undefined }
  return { people, activityId: await record(peopleChangeOf(changed)) }
}

/** An error names the person by index, such as `/connections/3/emails`. */
function errorAt(error: RequestError, index: number, length: number): RequestError {
  const { errors = [], ...details } = error.details
  const where = length === 1 ? '' : `connections/${index}/`
  return new RequestError(error.code, `${where}${error.message} Nothing was added.`, {
    ...details,
    errors: errors.map(({ pointer, detail }) => ({
      pointer: `/connections/${index}${pointer}`,
      detail,
    })),
  })
}

interface Adding extends Pick<WriteCall, 'tx' | 'now'> {
  readonly create: CreatePerson
}

/** Checks everything before it writes, so that an error leaves nothing behind. */
async function addOne(adding: Adding, { follow_up, ...given }: AddedInput): Promise<AddedPerson> {
  const { tx, now, create } = adding
  const input = { ...given, name: nameOf(given) }
  if (input.name === '') throw invalidArgument('name', 'is required')
  const plan = follow_up && readPlan(follow_up)
  const person = await storeUnlessDuplicate({ tx, now }, input, create)
  if ('known' in person && !person.known.isSame) return mayBe(input, person.known.connection)
  const result =
    'added' in person
      ? { after: person.added, kept: [] }
      : await fillKnown(adding, person.known.connection, input)
  if (!plan) return result
  const { connectionId } = result.after.connection
  return { ...result, followUp: await createFollowUp(tx, { ...plan, connectionId }, now) }
}

/** The first and last name of a person who is given without a whole name; in Chinese, Japanese and Korean, the last first. */
function nameOf({ name, given_name = '', family_name = '' }: AddedInput): string {
  const parts = [given_name, family_name].map((part) => part.trim())
  return name ?? eastAsianName(family_name.trim(), given_name.trim()) ?? parts.join(' ').trim()
}

function mayBe({ name }: NewInput, connection: Connection): AddedPerson {
  return {
    rejected: {
      given: name,
      reason:
        'may be a person who is known already; use update_connections, or allow_duplicate to add another one',
      candidates: candidatesJson([connection]),
    },
  }
}

async function fillKnown(
  { tx, now, create }: Adding,
  connection: Connection,
  input: NewInput,
): Promise<{ before: WholeConnection; after: WholeConnection; kept: readonly KeptValue[] }> {
  const before = await readWholeConnection(tx, connection)
  const details = await readDetailChanges(tx, input.details, connection.details, create)
  const { changes, kept } = gapsIn(before, changesOfNew(input, details), now)
  checkTags(before, changes)
  const planned = { changes, connection: await planChange(tx, connection, changes, now) }
  if (isEmptyChange(changes) || !hasEffect(before, planned)) return { before, after: before, kept }
  return { before, after: await storeChanged(tx, connection, planned, now), kept }
}

interface Gaps {
  readonly changes: ConnectionChanges
  readonly kept: readonly KeptValue[]
}

/** The part of the changes that overwrites nothing, and the present values that differ from the given ones. */
function gapsIn(before: WholeConnection, given: ConnectionChanges, now: number): Gaps {
  const { connection } = before
  const draft = draftConnection(given, now)
  const values: TypedValues = {}
  const kept: KeptValue[] = []
  for (const field of TEXT_FIELDS) {
    const [value, present] = [draft[field], connection[field]]
    if (value === null || value === present || field === 'name') continue
    if (present === null) values[field] = value
    else kept.push({ field: FIELD_NAMES[field], value: present })
  }
  const details: DetailChange[] = []
  for (const [field, value] of given.details ?? []) {
    const present = detailOf(connection.details, field)
    if (present === undefined || typeof present === 'object') details.push([field, value])
    else if (present !== value) kept.push({ field: detailName(field), value: present })
  }
  const lists = missingValues(before, given, draft)
  const isNewNote = given.note && !before.notes.some(({ text }) => text === given.note?.text.trim())
  return { changes: { values, lists, details, ...(isNewNote && { note: given.note }) }, kept }
}

/** Lists to which nothing is added are left out, so that they do not count as typed. */
function missingValues(
  { connection, tags }: WholeConnection,
  given: ConnectionChanges,
  draft: Connection,
): ConnectionChanges['lists'] {
  const lists = (['emails', 'phones', 'links'] as const).map(
    (list) => [list, draft[list].filter((value) => !connection[list].includes(value))] as const,
  )
  const known = new Set(tags.map(({ key }) => key))
  const added = (given.lists.tags?.add ?? []).filter((tag) => !known.has(tagOf(tag).key))
  return Object.fromEntries(
    [...lists, ['tags', added] as const]
      .filter(([, add]) => add.length > 0)
      .map(([list, add]) => [list, { add, remove: [] }]),
  )
}
