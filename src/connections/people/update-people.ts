/** Changes several people in the same way: fields, lists, tags, a note and a follow-up. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { nothingToUpdate, RequestError } from '../../base/request-error.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { changesOfUpdate, CHANGED_FIELDS, type ChangesInput } from '../editing/connection-input.ts'
import { personAdder } from '../editing/add-connection.ts'
import { readDetailChanges } from '../editing/detail-input.ts'
import {
  checkTags,
  hasEffect,
  isEmptyChange,
  planChange,
  readWholeConnection,
  storeChanged,
} from '../editing/edit.ts'
import { createFollowUp, type FollowUp, type FollowUpPlan } from '../follow-ups/follow-ups.ts'
import { FollowUpArgument, readPlan } from '../follow-ups/follow-up-schemas.ts'
import { isSameCompany } from '../model/organizations.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { tagOf } from '../model/tag-store.ts'
import { tagChangeOf } from '../tags/tag-changes.ts'
import { listEdit, NoteArgument, RemovedValues, Where, type ListEdit } from './people-input.ts'
import { peopleChangeOf, type ChangedPerson } from './people-changes.ts'
import { findSelected, type RejectedPerson } from './select-people.ts'
import { publicConnectionId, type Connection } from '../model/connection.ts'
import type { CreatePerson } from '../editing/relation-input.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change, Changing } from '../../tools/tool.ts'

export const UpdatePeopleInput = Type.Closed(
  {
    people: Type.Optional(peopleRefs()),
    where: Type.Optional(Where),
    ...CHANGED_FIELDS,
    emails: listEdit('grace@example.com'),
    phones: listEdit('+49 30 901820'),
    links: listEdit('https://example.com'),
    tags: listEdit('investor'),
    remove: Type.Optional(RemovedValues),
    note: Type.Optional({ ...NoteArgument, description: 'Note to add', [PLAIN_KEYWORD]: true }),
    follow_up: Type.Optional(FollowUpArgument),
    if_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of one person: fail if changed since' }),
    ),
  },
  {
    examples: [{ people: ['First Last'], company: 'Acme' }],
  },
)
export type UpdatePeopleInput = Static<typeof UpdatePeopleInput>

/** The input with the values of `remove` in the lists that they are removed from. */
export function withRemovals({ remove, ...input }: UpdatePeopleInput): UpdatePeopleInput {
  const lists = (['emails', 'phones', 'links', 'tags'] as const).flatMap((name) => {
    const [edit, values] = [input[name], remove?.[name]]
    return values ? [[name, { ...edit, remove: [...(edit?.remove ?? []), ...values] }]] : []
  })
  return { ...input, ...(Object.fromEntries(lists) as Partial<UpdatePeopleInput>) }
}

export interface UpdatedPerson {
  readonly before: WholeConnection
  /** The same as before if nothing changed. */
  readonly after: WholeConnection
  readonly followUp?: FollowUp
}

interface UpdatedPeople {
  readonly people: readonly UpdatedPerson[]
  readonly rejected: readonly RejectedPerson[]
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * @throws {RequestError} `invalid_request` when nothing is to be changed, or a value cannot be parsed.
 * @throws {RequestError} `not_found` or `ambiguous_person` when no one was found.
 * @throws {RequestError} `conflict` when the version of the person differs from `if_version`.
 */
export async function updatePeople(
  { tx, now, record }: Changing,
  { people: asked = [], if_version, follow_up, ...input }: Omit<UpdatePeopleInput, 'where'>,
): Promise<UpdatedPeople> {
  const { details = [], ...fields } = input
  if (isEmptyChange(changesFor(fields, [])) && details.length === 0 && !follow_up)
    throw nothingToUpdate()
  const plan = follow_up && readPlan(follow_up)
  const { connections, rejected: missing } = await findSelected(tx, asked)
  assertVersion(connections, if_version)
  const people: UpdatedPerson[] = []
  const related = personAdder({ tx, now })
  const rejected = [...missing]
  // All are read first: a new spelling of a tag changes the tags of the people who come later.
  const present: WholeConnection[] = []
  for (const connection of connections) present.push(await readWholeConnection(tx, connection))
  for (const before of present)
    try {
      people.push(await updateOne(tx, before, { input, plan, create: related.create }, now))
    } catch (error) {
      // Errors of values come before anything is written. If no one can be changed, the call fails.
      if (!(error instanceof RequestError)) throw error
      if (people.length === 0 && before === present.at(-1)) throw error
      rejected.push({ given: before.connection.name, reason: error.message })
    }
  const changed: ChangedPerson[] = [
    ...people.filter(({ before, after, followUp }) => before !== after || followUp),
    ...related.created,
  ]
  if (changed.length === 0) return { people, rejected, activityId: undefined }
  const activityId = await record(
    isOnlyTags(input) && !plan ? tagChangeOfAll(changed) : peopleChangeOf(changed),
  )
  return { people, rejected, activityId }
}

type Fields = Omit<UpdatePeopleInput, 'people' | 'where' | 'if_version' | 'follow_up' | 'remove'>

interface Wanted {
  readonly input: Fields
  readonly plan: FollowUpPlan | undefined
  readonly create: CreatePerson
}

/** Checks everything before it writes, so that an error leaves the person unchanged. */
async function updateOne(
  tx: MemberTransaction,
  before: WholeConnection,
  { input, plan, create }: Wanted,
  now: number,
): Promise<UpdatedPerson> {
  const { connection } = before
  const details = await readDetailChanges(tx, input.details, connection.details, create)
  const tags = before.tags.map(({ tag }) => tag)
  const changes = changesOfUpdate(
    flatInput(withJobChange(input, connection), before, tags),
    details,
  )
  if (isEmptyChange(changes) && !plan) throw nothingToUpdate()
  checkTags(before, changes)
  const planned = { changes, connection: await planChange(tx, connection, changes, now) }
  const after =
    !isEmptyChange(changes) && hasEffect(before, planned)
      ? await storeChanged(tx, connection, planned, now)
      : before
  if (!plan) return { before, after }
  const { connectionId } = connection
  return { before, after, followUp: await createFollowUp(tx, { ...plan, connectionId }, now) }
}

/** A new company ends the former job, so the title of that job is not kept unless the call gives one. */
function withJobChange(input: Fields, { company, title }: Connection): Fields {
  const isNewJob =
    input.company !== undefined && company !== null && !isSameCompany(company, input.company)
  const isTitleGiven = input.title !== undefined || input.clear?.includes('title') === true
  return isNewJob && title !== null && !isTitleGiven
    ? { ...input, clear: [...(input.clear ?? []), 'title'] }
    : input
}

/** Whether the input changes anything, whatever the person is. */
function changesFor(input: Fields, tags: readonly string[]) {
  const none = { emails: [], phones: [], links: [] }
  return changesOfUpdate(flatInput(input, { connection: none }, tags))
}

interface Lists {
  readonly connection: Pick<Connection, 'emails' | 'phones' | 'links'>
}

/** The lists as values to add and to remove. */
function flatInput(
  { emails, phones, links, tags, details: _details, ...fields }: Fields,
  { connection }: Lists,
  present: readonly string[],
): ChangesInput {
  const edits = {
    emails: flat(emails, connection.emails),
    phones: flat(phones, connection.phones),
    links: flat(links, connection.links),
    tags: flat(tags, present, (tag) => tagOf(tag).key),
  }
  const both = edits.tags.add.find((tag) =>
    edits.tags.remove.some((other) => tagOf(other).tag === tagOf(tag).tag),
  )
  if (both !== undefined)
    throw new RequestError(
      'invalid_request',
      `The tag “${both}” is in both add and remove. Keep it in only one.`,
    )
  return { ...fields, ...edits }
}

function flat(
  edit: ListEdit | undefined,
  present: readonly string[],
  keyOf: (value: string) => string = (value) => value.trim().toLowerCase(),
): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  const { add = [], remove = [], replace } = edit ?? {}
  if (!replace) return { add, remove }
  const kept = new Set([...replace, ...add].map(keyOf))
  const dropped = present.filter((value) => !kept.has(keyOf(value)))
  return { add: [...replace, ...add], remove: [...remove, ...dropped] }
}

function assertVersion(connections: readonly Connection[], version: number | undefined): void {
  if (version === undefined) return
  const [one, ...others] = connections
  if (!one || others.length > 0)
    throw new RequestError('invalid_request', 'if_version needs exactly one person.', {
      errors: [{ pointer: '/if_version', detail: 'is only allowed with one person' }],
    })
  if (one.version !== version)
    throw new RequestError(
      'conflict',
      `${publicConnectionId(one.connectionId)} is at version ${one.version}, not ${version}.`,
      { hint: 'Read the current version with get_connections, then try again.' },
    )
}

/** Such a change is recorded as one of tags, whose undo keeps tags that were set since. */
export function isOnlyTags({ tags, ...others }: Fields): boolean {
  return tags !== undefined && Object.values(others).every((value) => value === undefined)
}

function tagChangeOfAll(changed: readonly ChangedPerson[]): Change {
  return tagChangeOf(
    changed.map(({ before, after }) => ({ before: tagged(before ?? after), after: tagged(after) })),
  )
}

function tagged({ connection, tags }: WholeConnection) {
  return { connection, tags, source: connection.fieldSources.tags }
}
