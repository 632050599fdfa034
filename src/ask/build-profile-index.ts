/**
 * Reads public profiles into a segment of the search index: few of them on the main thread, many in a compute thread, which
 * loads this file.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { documentAnalyzer } from '../search/build/analyze-document.ts'
import { segmentBuilder } from '../search/build/build-segment.ts'
import { defineComputation, type Reader } from '../db/database.ts'
import {
  countPublicProfiles,
  readDirectoryVersion,
  readIndexedProfiles,
} from '../members/directory-changes.ts'
import { profileDocument } from './profile-document.ts'
import type { Segment } from '../search/index/segment.ts'
import type { Member } from '../members/member-row.ts'

/** Profiles that are analyzed at a time on the main thread, which does other work in between. */
const PAGE_HERE = 50
const PAGE_IN_THREAD = 1000

/** In steps of a few milliseconds. */
export async function segmentOf(profiles: readonly Member[]): Promise<Segment> {
  const builder = segmentBuilder()
  const analyze = documentAnalyzer()
  for (const [index, profile] of profiles.entries()) {
    if (index > 0 && index % PAGE_HERE === 0) await nextTurn()
    builder.add(analyze(profileDocument(profile)))
  }
  return builder.finish()
}

interface BuiltProfiles {
  readonly version: number
  /** Shared with the thread that built it; undefined for more profiles than the limit. */
  readonly buffer: ArrayBufferLike | undefined
}

/** Runs in a thread. The version is read first: later changes may already be included, and are applied again. */
export async function buildProfilesInThread(
  reader: Reader,
  { maxProfiles }: { readonly maxProfiles: number },
): Promise<BuiltProfiles> {
  const version = await readDirectoryVersion(reader)
  if ((await countPublicProfiles(reader, maxProfiles + 1)) > maxProfiles)
    return { version, buffer: undefined }
  const builder = segmentBuilder()
  const analyze = documentAnalyzer()
  for (let after = 0; ;) {
    const page = await readIndexedProfiles(reader, { after, limit: PAGE_IN_THREAD })
    for (const profile of page) builder.add(analyze(profileDocument(profile)))
    if (page.length < PAGE_IN_THREAD) break
    after = page.at(-1)?.memberId ?? after
  }
  return { version, buffer: builder.finish().buffer }
}

export const BUILD_PROFILES = defineComputation(import.meta.url, { buildProfilesInThread })
