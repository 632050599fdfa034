/** Matches the attendees of meetings to connections by email, for the interactions that past meetings become. */

import { localTimeAt } from '../../dates/time-zone.ts'
import type { SyncedInteraction } from '../interactions/sync-interactions.ts'
import { findByEmail } from '../model/find-by-email.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { StoredMeeting } from '../meetings/meeting-store.ts'

/** An address that several connections have identifies none of them. Shown in the time zone of the member. */
export async function interactionsOf(
  tx: MemberTransaction,
  meetings: readonly StoredMeeting[],
  timeZone: string,
): Promise<SyncedInteraction[]> {
  const emails = meetings.flatMap(({ people }) => people.map(({ email }) => email))
  const known = await findByEmail(tx, emails)
  return meetings.map(({ key, title, startsAt, people }) => ({
    sourceKey: key,
    kind: 'meeting',
    direction: null,
    subject: title,
    localAt: localTimeAt(timeZone, startsAt),
    happenedAt: startsAt,
    zone: timeZone,
    attendees: people.map(({ email }) => ({ email, connectionId: known.get(email) })),
  }))
}
