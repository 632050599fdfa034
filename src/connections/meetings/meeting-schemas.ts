/** The schema of a meeting ahead in tool results. Empty fields are omitted. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { DAY, rfc3339 } from '../../base/clock.ts'
import { freeText } from '../../tools/free-text.ts'
import { NEVER } from '../person/connection-schemas.ts'
import { publicConnectionId, type Connection, type Listed } from '../model/connection.ts'
import type { ToolCall } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'
import { listAhead, type AheadMeeting, type MetPerson } from './meetings-ahead.ts'

const Text = Type.String()
const optional = Type.Optional

/** A person in short. */
export const ShortPerson = {
  connection_id: Text,
  name: Text,
  title: optional(Text),
  company: optional(Text),
}

/** `on` if only the day is known. */
export const MeetingAhead = Type.Closed({
  title: optional(freeText('note', Text)),
  kind: optional(Text),
  starts_at: optional(Text),
  ends_at: optional(Text),
  on: optional(Text),
  people: Type.Array(
    Type.Closed({
      ...ShortPerson,
      connection_id: optional(Text),
      email: optional(Text),
      last_contact_on: optional(Type.String({ description: 'Or never' })),
      note: optional(freeText('note', Type.String({ description: 'The newest' }))),
    }),
  ),
})
export type MeetingAhead = Static<typeof MeetingAhead>

/** As tools return it. `noteOf`: what to remember about a connection. */
export function formatMeeting(
  { title, kind, startsAt, endsAt, on, people }: AheadMeeting,
  noteOf: (connectionId: number) => string | undefined = () => undefined,
): MeetingAhead {
  return {
    ...(title !== null && { title }),
    ...(kind !== undefined && { kind }),
    ...(startsAt !== null ? { starts_at: rfc3339(startsAt) } : { on }),
    ...(endsAt !== null && { ends_at: rfc3339(endsAt) }),
    people: people.map((one) => metPerson(one, noteOf)),
  }
}

function metPerson(
  { name, email, connection, lastContactOn }: MetPerson,
  noteOf: (connectionId: number) => string | undefined,
): MeetingAhead['people'][number] {
  if (!connection) return { name, ...(email !== undefined && { email }) }
  const note = noteOf(connection.connectionId)
  return {
    ...shortPerson(connection),
    last_contact_on: lastContactOn ?? NEVER,
    ...(note !== undefined && { note }),
  }
}

/** A person in short, as tools return it. */
export function shortPerson({
  connectionId,
  name,
  title,
  company,
}: Pick<Listed, 'connectionId' | 'name' | 'title' | 'company'>) {
  return {
    connection_id: publicConnectionId(connectionId),
    name,
    ...(title !== null && { title }),
    ...(company !== null && { company }),
  }
}

/** Calendars are read that far ahead; typed meetings may be later. */
const MAX_AHEAD_MS = 400 * DAY

/** The next meeting with a person, if there is one. */
export async function nextMeetingWith(
  db: MemberReader,
  person: Pick<Connection, 'connectionId' | 'emails'>,
  { now, caller }: Pick<ToolCall, 'now' | 'caller'>,
): Promise<MeetingAhead | undefined> {
  const range = { from: now, to: now + MAX_AHEAD_MS, now, timeZone: caller.timeZone, limit: 1 }
  const [next] = (await listAhead(db, { ...range, person })).meetings
  return next && formatMeeting(next)
}
