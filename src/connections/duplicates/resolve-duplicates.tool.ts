/** resolve_duplicates: merges connections of one person, records that people are different, or splits a wrong merge. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { listNames } from '../editing/confirmation-text.ts'
import { publicConnectionId } from '../model/connection.ts'
import { PersonRef } from '../person/people-argument.ts'
import { ConnectionSummary, summaryOf } from '../person/connection-schemas.ts'
import { lastContacts } from '../search/connection-page.ts'
import { mergeConnections, MAX_MERGED } from './merge-connections.ts'
import { markNotDuplicates } from './not-duplicates.ts'
import { splitConnection } from './split-connection.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { MemberReader } from '../../db/database.ts'
import type { WriteCall } from '../../tools/tool.ts'

const MAX_GROUPS = 20

const KEEP = { ...PersonRef, description: 'Kept, or split; full name' }
const OTHERS = Type.Array(PersonRef, {
  minItems: 1,
  maxItems: MAX_MERGED,
  description: 'c_… from find_duplicates; for split: the merged one',
})
const AS_ABOVE = { description: 'As above' }
const Group = Type.Closed(
  {
    keep_id: Type.Optional({ ...KEEP, ...AS_ABOVE }),
    merge_ids: Type.Optional({ ...OTHERS, ...AS_ABOVE }),
  },
  { examples: [{ keep_id: 'c_999998', merge_ids: ['c_999999'] }] },
)
type Group = Static<typeof Group>

const Input = Type.Closed(
  {
    action: Type.Enum(['merge', 'different', 'split'], {
      type: 'string',
      description:
        'merge: the same person; different: never suggest them again; split: undo a merge',
      [PLAIN_KEYWORD]: true,
    }),
    keep_id: Type.Optional(KEEP),
    merge_ids: Type.Optional(OTHERS),
    groups: Type.Optional(
      Type.Array(Group, {
        minItems: 1,
        maxItems: MAX_GROUPS,
        description: `Or up to ${MAX_GROUPS} groups, all or none`,
      }),
    ),
  },
  {
    examples: [{ action: 'merge', keep_id: 'c_999998', merge_ids: ['c_999999'] }],
  },
)
type Input = Static<typeof Input>

const Resolved = Type.Closed({
  activity_id: Type.Optional(Type.String({ description: 'For undo; absent if nothing is new' })),
  connection: Type.Optional(ConnectionSummary),
  merged: Type.Optional(Type.Array(Type.String())),
  filled: Type.Optional(
    Type.Array(Type.String(), { description: 'Fields of the kept one that changed' }),
  ),
  moved_notes: Type.Optional(Type.Integer()),
  moved_follow_ups: Type.Optional(Type.Integer()),
  moved_interactions: Type.Optional(Type.Integer()),
  other: Type.Optional({ ...ConnectionSummary, description: 'Split off' }),
  pairs: Type.Optional(Type.Integer({ description: 'Pairs that were not decided before' })),
})
type Resolved = Static<typeof Resolved>

export const resolveDuplicatesTool = defineWriteTool({
  name: 'resolve_duplicates',
  title: 'Resolve duplicates',
  description:
    'Merge duplicate people from find_duplicates. merge: fills gaps of keep_id, moves notes and follow-ups, deletes ' +
    'merge_ids. different: no longer pairs them. split: undoes a merge into keep_id, or takes out the last imported ' +
    'contact. Returns what changed.',
  effect: 'destructive',
  idempotent: false,
  credits: 1,
  input: Input,
  output: Type.Closed({ groups: Type.Array(Resolved) }),
  async question(reader, input) {
    if (input.action !== 'merge') return undefined
    const groups = input.groups ?? [input]
    return mergeQuestion(reader, groups)
  },
  async run(call, { groups, action, ...group }) {
    const isSingle = group.keep_id !== undefined || group.merge_ids !== undefined
    if (isSingle === (groups !== undefined)) throw neitherOrBoth()
    const resolved: Resolved[] = []
    for (const one of groups ?? [group]) resolved.push(await resolve(call, action, one))
    return { groups: resolved }
  },
})

/** Resolves one group and records it, so that each can be undone alone. */
async function resolve(
  call: WriteCall,
  action: Input['action'],
  { keep_id, merge_ids }: Group,
): Promise<Resolved> {
  if (action === 'different')
    return differ(call, [...(keep_id === undefined ? [] : [keep_id]), ...(merge_ids ?? [])])
  if (keep_id === undefined) throw missing('keep_id', action)
  if (action === 'split') return split(call, keep_id, merge_ids)
  if (merge_ids === undefined) throw missing('merge_ids', action)
  return merge(call, keep_id, merge_ids)
}

async function merge(
  { tx, now, record }: WriteCall,
  keepId: string,
  mergeIds: readonly string[],
): Promise<Resolved> {
  const { kept, merged, change, ...result } = await mergeConnections(tx, keepId, mergeIds, now)
  const activityId = await record(change)
  return {
    activity_id: publicActivityId(activityId),
    merged: merged.map(({ connectionId }) => publicConnectionId(connectionId)),
    filled: [...result.filled],
    moved_notes: result.movedNotes,
    moved_follow_ups: result.movedFollowUps,
    moved_interactions: result.movedInteractions,
    connection: await shown(tx, kept),
  }
}

async function shown(reader: MemberReader, { connection, tags }: WholeConnection) {
  const datesOf = await lastContacts(reader, [connection])
  return Object.assign(summaryOf(connection, tags), datesOf(connection.connectionId))
}

async function differ({ tx, now, record }: WriteCall, ids: readonly string[]): Promise<Resolved> {
  if (new Set(ids).size < 2) throw missing('merge_ids', 'different')
  const { pairs, change } = await markNotDuplicates(tx, ids, now)
  if (pairs.length === 0) return { pairs: 0 }
  return { activity_id: publicActivityId(await record(change)), pairs: pairs.length }
}

async function split(
  { tx, now, record }: WriteCall,
  connectionId: string,
  mergeIds: readonly string[] = [],
): Promise<Resolved> {
  const [mergedId, ...others] = mergeIds
  if (others.length > 0)
    throw new RequestError('invalid_request', SPLITS_ONE, {
      errors: [{ pointer: '/merge_ids', detail: 'must have one item for split' }],
    })
  const { kept, other, change } = await splitConnection(tx, { connectionId, mergedId }, now)
  const activityId = await record(change)
  return {
    activity_id: publicActivityId(activityId),
    connection: await shown(tx, kept),
    other: await shown(tx, other),
  }
}

const SPLITS_ONE =
  'A split restores one connection at a time. Provide one ID in merge_ids, or none for the last merge.'

/** Undefined when the call will fail: it does not ask about unknown people. */
async function mergeQuestion(
  reader: MemberReader,
  groups: readonly Group[],
): Promise<string | undefined> {
  const keptIds = groups.flatMap(({ keep_id }) => keep_id ?? [])
  const mergedIds = groups.flatMap(({ merge_ids = [] }) => merge_ids)
  if (keptIds.length < groups.length || mergedIds.length === 0) return undefined
  const [kept, merged] = [await listNames(reader, keptIds), await listNames(reader, mergedIds)]
  if (kept === undefined || merged === undefined) return undefined
  return groups.length === 1
    ? `Merge ${merged} (${mergedIds.join(', ')}) into ${kept} (${keptIds.join()})? You can undo this.`
    : `Merge ${mergedIds.length} duplicates (${merged}) into the ${groups.length} connections to keep? You can undo this.`
}

function missing(field: 'keep_id' | 'merge_ids', action: Input['action']): RequestError {
  const needs = action === 'different' ? 'merge_ids with at least two different IDs' : field
  return new RequestError(
    'invalid_request',
    `To ${VERBS[action]}, provide ${needs}, from find_duplicates.`,
    {
      errors: (field === 'keep_id' ? ['keep_id', 'merge_ids'] : [field]).map((one) => ({
        pointer: `/${one}`,
        detail: 'is required',
      })),
    },
  )
}

const VERBS = { merge: 'merge people', different: 'mark people as different', split: 'split one' }

function neitherOrBoth(): RequestError {
  return new RequestError(
    'invalid_request',
    'Provide either keep_id and merge_ids, or groups for several people.',
    {
      errors: ['keep_id', 'merge_ids'].map((one) => ({
        pointer: `/${one}`,
        detail: 'is required unless groups is given, and not allowed with it',
      })),
    },
  )
}
