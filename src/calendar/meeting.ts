/** Meetings as calendars describe them. */

export interface CalendarPerson {
  /** Lowercase. */
  readonly email: string
  readonly name: string | null
}

export interface Attendee extends CalendarPerson {
  readonly response: 'accepted' | 'declined' | 'tentative' | 'none'
}

export interface Meeting {
  /** The UID, and for an occurrence of a series its original time. */
  readonly key: string
  readonly title: string | null
  readonly startsAt: number
  readonly endsAt: number
  /** In the IANA database. */
  readonly timeZone: string
  readonly isAllDay: boolean
  readonly isCancelled: boolean
  /** CLASS is PRIVATE or CONFIDENTIAL. */
  readonly isPrivate: boolean
  readonly organizer: CalendarPerson | null
  /** Without rooms and resources; at most `MAX_ATTENDEES`. */
  readonly attendees: readonly Attendee[]
}

/** Attendees that are read of a meeting: more than the maximum with which it counts as an interaction. */
export const MAX_ATTENDEES = 50

export interface CalendarReading {
  /** The name that some calendars give. */
  readonly name: string | null
  /** Meetings, sorted by start. */
  readonly meetings: readonly Meeting[]
  /** Events that could not be read. */
  readonly skipped: number
  /** The start of the oldest event, except series, or a day or two later; null if there is none. */
  readonly reachesBackTo: number | null
}

export interface ReadingWindow {
  /** Milliseconds. */
  readonly from: number
  readonly to: number
  /** For times without a zone in calendars that name none. */
  readonly timeZone: string
}
