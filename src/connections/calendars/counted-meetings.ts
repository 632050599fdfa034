/** Which meetings of a calendar count as contacts, and with which people. */

import type { Meeting } from '../../calendar/meeting.ts'
import type { StoredMeeting } from '../meetings/meeting-store.ts'

/** With the member. Larger ones are lectures and company meetings. */
const MAX_PEOPLE = 15

/**
 * Leaves out meetings that are canceled, private, all-day or declined by the member, and meetings without guests or with
 * more than `MAX_PEOPLE`. `own` are the member's addresses, in lowercase.
 */
export function countedMeetings(
  meetings: readonly Meeting[],
  own: ReadonlySet<string>,
): StoredMeeting[] {
  const byKey = new Map(meetings.map((meeting) => [meeting.key, meeting]))
  return [...byKey.values()].flatMap((meeting) => {
    const { key, title, startsAt, endsAt, timeZone, organizer, attendees } = meeting
    if (meeting.isCancelled || meeting.isPrivate || meeting.isAllDay) return []
    if (attendees.some(({ email, response }) => own.has(email) && response === 'declined'))
      return []
    const declined = new Set(
      attendees.flatMap(({ email, response }) => (response === 'declined' ? [email] : [])),
    )
    // Outlook does not list the organizer as an attendee.
    const people = new Map(
      [...(organizer ? [organizer] : []), ...attendees]
        .filter(({ email }) => !own.has(email) && !declined.has(email))
        .map(({ email, name }) => [email, { email, name }]),
    )
    if (people.size === 0 || people.size >= MAX_PEOPLE) return []
    return [{ key, title, startsAt, endsAt, timeZone, people: [...people.values()] }]
  })
}
