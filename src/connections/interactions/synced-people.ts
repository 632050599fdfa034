/**
 * Which people a synced interaction is with. A person who was attached stays when their address changes, or when they are
 * deleted for a time: only an attendee who leaves the event is detached. So each interaction remembers for which people its
 * attendees stood.
 */

import { MAX_INTERACTION_PEOPLE } from '../../base/limits.ts'

/** An attendee of an event. `connectionId` is the connection with this address; undefined if there is none, or several. */
export interface SyncedAttendee {
  readonly email: string
  readonly connectionId: number | undefined
}

interface SyncedPeople {
  readonly people: readonly number[]
  /** As `Interaction.attendees`. */
  readonly attendees: string | null
}

/** Numbers of connections by the address of their attendee. */
type Remembered = ReadonlyMap<string, readonly number[]>

/** Every connection for which the attendees of an interaction stood; some may have been merged or purged since. */
export function rememberedPeople(attendees: string | null): number[] {
  return [...readAttendees(attendees).values()].flat()
}

/**
 * The people of the interaction after a sync: without people whose attendees have left, and with connections that an
 * attendee newly matches. People that the member added stay, and people that the member removed are not added again.
 *
 * `presentOf` returns the connection into which one was merged, or itself.
 */
export function syncedPeople(
  before: SyncedPeople | undefined,
  attendees: readonly SyncedAttendee[],
  presentOf: (connectionId: number) => number,
): SyncedPeople {
  const remembered = readAttendees(before?.attendees ?? null)
  const idsOf = (email: string) =>
    new Set((remembered.get(email) ?? []).flatMap((id) => [id, presentOf(id)]))
  const after = new Map<string, number[]>()
  const added = new Set<number>()
  for (const { email, connectionId } of attendees) {
    const ids = idsOf(email)
    if (connectionId !== undefined && !ids.has(connectionId)) added.add(connectionId)
    if (connectionId !== undefined) ids.add(connectionId)
    if (ids.size > 0) after.set(email, [...ids].toSorted(ascending))
  }
  const staying = new Set([...after.values()].flat())
  const left = new Set<number>()
  for (const email of remembered.keys()) for (const id of idsOf(email)) left.add(id)
  const people = (before?.people ?? []).filter((id) => staying.has(id) || !left.has(id))
  return {
    people: [...new Set([...people, ...added])]
      .slice(0, MAX_INTERACTION_PEOPLE)
      .toSorted(ascending),
    attendees: writeAttendees(after),
  }
}

/** The attendees without purged connections. */
export function withoutPeople(
  attendees: string | null,
  purged: ReadonlySet<number>,
): string | null {
  return writeAttendees(
    new Map(
      [...readAttendees(attendees)].map(
        ([email, ids]) => [email, ids.filter((id) => !purged.has(id))] as const,
      ),
    ),
  )
}

function readAttendees(attendees: string | null): Remembered {
  // Written below.
  return new Map(JSON.parse(attendees ?? '[]') as [string, number[]][])
}

function writeAttendees(remembered: Remembered): string | null {
  const entries = [...remembered].filter(([, ids]) => ids.length > 0)
  return entries.length === 0 ? null : JSON.stringify(entries)
}

function ascending(one: number, other: number): number {
  return one - other
}
