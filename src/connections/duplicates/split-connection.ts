/**
 * Separates people who were merged by mistake: restores a connection that was merged into another, or creates one from
 * the contact that an import merged. Values that came only from the other person are removed from the connection; typed
 * values are kept.
 */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { RequestError } from '../../base/request-error.ts'
import { ownCadence, storeCadences } from '../cadence/cadence-store.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { recordDifferent } from '../matching/match-reviews.ts'
import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import { addToInteractions, removeFromInteractions } from '../last-contact/interaction-people.ts'
import type { Connection } from '../model/connection.ts'
import { addKeys, dropKeys } from '../model/key-store.ts'
import { addTags, removeTags, tagOf } from '../model/tag-store.ts'
import { insertConnections, updateConnection } from '../model/connection-store.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import { keysOf } from '../model/match-keys.ts'
import { withStoredPhoto } from '../model/photo-store.ts'
import { moveSomeRows } from '../undo/person-rows.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { findImported, recordInImport } from './merged-by-import.ts'
import { findMerged } from './merged-by-tool.ts'
import { splitChangeOf } from './split-changes.ts'
import type { Merged } from './without-merged.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

interface Split {
  readonly kept: WholeConnection
  readonly other: WholeConnection
  /** For the activity log. */
  readonly change: Change
}

interface SplitInput {
  readonly connectionId: string
  /** The merged connection to restore; by default the one merged last, or else the last import. */
  readonly mergedId?: string | undefined
}

/**
 * @throws {RequestError} `not_found` when an ID is unknown.
 * @throws {RequestError} `conflict` when nothing was merged into the connection, or the merged data is no longer known.
 */
export async function splitConnection(
  tx: MemberTransaction,
  { connectionId: publicId, mergedId }: SplitInput,
  now: number,
): Promise<Split> {
  const before = await readWholeConnection(tx, await requireConnection(tx, publicId))
  const present = before.connection
  const merged =
    (await findMerged(tx, present, mergedId)) ??
    (mergedId === undefined ? await findImported(tx, present, now) : undefined)
  if (!merged)
    throw mergedId === undefined ? nothingToSplit(publicId) : notMerged(mergedId, publicId)
  const left = await withStoredPhoto(tx, merged.rest, present)
  const rest = { ...left, version: present.version + 1, updatedAt: now }
  await updateConnection(tx, present, rest)
  const kept = new Set(keysOf(rest))
  const lost = merged.keys.filter((key) => !kept.has(key))
  await dropKeys(
    tx,
    lost.map((key) => ({ key, connectionId: rest.connectionId })),
  )
  const other = await storeOther(tx, merged, now)
  await moveAttachments(tx, merged, rest.connectionId, other.connectionId)
  const ids = [rest.connectionId, other.connectionId]
  await refreshContactTimes(tx, ids, await localNowOf(tx, now))
  if (merged.cadence)
    await storeCadences(tx, new Map([[rest.connectionId, ownCadence(merged.cadence.before)]]))
  await addKeys(
    tx,
    lost.map((key) => ({ key, connectionId: other.connectionId })),
  )
  const imported =
    merged.jobId === undefined
      ? undefined
      : await recordInImport(tx, { jobId: merged.jobId, rest, other, keys: lost })
  const pairs = await recordDifferent(tx, [rest.connectionId, other.connectionId], now)
  await recordSearchChanges(tx, [rest.connectionId, other.connectionId])
  const after = await readWholeConnection(tx, rest)
  const split = await readWholeConnection(tx, other)
  return {
    kept: after,
    other: split,
    change: splitChangeOf({ before, after, other: split, merged, pairs, imported, now }),
  }
}

/** The name of the person that would be split off; undefined if there is none. */
export async function findSplittable(
  reader: MemberReader,
  present: Connection,
  now: number,
): Promise<Splittable | undefined> {
  const merged = await findMerged(reader, present, undefined)
  const imported = merged ? undefined : await findImported(reader, present, now)
  const other = (merged ?? imported)?.other
  return other && { name: other.name, isImported: imported !== undefined }
}

export interface Splittable {
  readonly name: string
  /** Whether an import matched them; otherwise they were merged. */
  readonly isImported: boolean
}

function notMerged(mergedId: string, publicId: string): RequestError {
  return new RequestError('not_found', `${mergedId} was not merged into ${publicId}.`, {
    hint: 'list_activity shows which connections were merged.',
  })
}

function nothingToSplit(publicId: string): RequestError {
  return new RequestError(
    'conflict',
    `Nothing that can be split off was merged into ${publicId}.`,
    {
      hint:
        'Merged connections can be split off for 30 days, and contacts of the latest 20 imports for 90 days. Otherwise ' +
        'add the other person with add_connections and move the values with update_connections.',
    },
  )
}

async function storeOther(
  tx: MemberTransaction,
  { other, otherTags }: Merged,
  now: number,
): Promise<Connection> {
  if (other.connectionId !== 0) {
    const state = { deletedAt: null, mergedInto: null, version: other.version + 1, updatedAt: now }
    const restored = { ...other, ...state }
    await updateConnection(tx, other, restored)
    return restored
  }
  const stored = await withStoredPhoto(tx, other)
  const created = { ...stored, connectionId: await reserveNumbers(tx, 'last_connection') }
  await insertConnections(tx, [created])
  await addTags(tx, created.connectionId, otherTags.map(tagOf))
  return created
}

async function moveAttachments(
  tx: MemberTransaction,
  { rows, interactions, sharedInteractions, tags }: Merged,
  keptId: number,
  otherId: number,
): Promise<void> {
  await removeTags(
    tx,
    keptId,
    tags.map((tag) => tagOf(tag).key),
  )
  await moveSomeRows(tx, rows, { kept_id: keptId, other_id: otherId })
  await addToInteractions(tx, [{ connectionId: otherId, interactions }])
  const kept = new Set(sharedInteractions)
  const left = interactions.filter((id) => !kept.has(id))
  await removeFromInteractions(tx, [{ connectionId: keptId, interactions: left }])
}
