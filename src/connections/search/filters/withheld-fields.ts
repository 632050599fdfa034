/** Indexes without the texts that an agent may not read, so that what it finds tells nothing about their words. */

import { RequestError } from '../../../base/request-error.ts'
import { withholdsNotes } from '../../../tools/allowed-tools.ts'
import { MAX_MERGED_HERE, MERGE, mergeParts, openBuilt } from '../index/build-index.ts'
import { FIELD } from '../../../search/index/search-fields.ts'
import type { AgentLimits } from '../../../http/caller.ts'
import type { Segment } from '../../../search/index/segment.ts'
import type { IndexReader, NetworkIndex } from '../index/network-index.ts'

const NOTES = 1 << FIELD.note
const TEXTS = NOTES | (1 << FIELD.followUp) | (1 << FIELD.detail) | (1 << FIELD.custom)

/** A bit mask of the fields that the agent's searches ignore; undefined for none. */
export function withheldFields(limits: AgentLimits): number | undefined {
  if (limits.withholdsText) return TEXTS
  return withholdsNotes(limits) ? NOTES : undefined
}

/** @throws {RequestError} `forbidden` when a condition would tell a value that the agent may not read. */
export function assertMayCompare(limits: AgentLimits, custom: readonly string[] | undefined): void {
  if (!limits.withholdsText || custom?.some((condition) => !ANY_VALUE.test(condition)) !== true)
    return
  throw new RequestError(
    'forbidden',
    'custom was rejected, because the member does not allow this agent to read the values of custom fields.',
    {
      hint: 'Use conditions such as Tier=*, or search without custom.',
      members: { limit: 'free_text' },
    },
  )
}

const ANY_VALUE = /=\s*\*\s*$/

/** The same people, without the terms of these fields. */
export async function withoutFields(
  reader: IndexReader,
  index: NetworkIndex,
  withheld: number | undefined,
): Promise<NetworkIndex> {
  if (withheld === undefined) return index
  const segments = index.segments.map(async ({ segment, gone }) => ({
    segment: await segmentWithout(reader, segment, withheld),
    gone,
  }))
  return { ...index, segments: await Promise.all(segments) }
}

/** Kept as long as the segment itself. A write replaces only small segments. */
const KEPT = new WeakMap<Segment, Map<number, Promise<Segment>>>()

function segmentWithout(reader: IndexReader, segment: Segment, withheld: number): Promise<Segment> {
  const kept = KEPT.get(segment) ?? new Map<number, Promise<Segment>>()
  KEPT.set(segment, kept)
  const known = kept.get(withheld)
  if (known) return known
  const copying = copyWithout(reader, segment, withheld)
  kept.set(withheld, copying)
  copying.catch(() => kept.delete(withheld))
  return copying
}

/** People keep their numbers, because all of them are kept. */
async function copyWithout(
  reader: IndexReader,
  { buffer, history, ids }: Segment,
  withheld: number,
): Promise<Segment> {
  const merge = { parts: [{ buffer, gone: undefined }], history, withheld }
  return openBuilt(
    ids.length <= MAX_MERGED_HERE ? mergeParts(merge) : await reader.compute(MERGE, merge),
  )
}
