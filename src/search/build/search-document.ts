/** What the search index stores about one connection. */

import type { PersonFields } from '../../identity/match-person.ts'

export interface SearchedAccount {
  /** Lower-case: `skype`, `mastodon`. */
  readonly service: string
  readonly value: string
}

export interface SearchedContact {
  /** YYYY-MM-DD */
  readonly day: string
  /** Whether they met: no call, message or email. */
  readonly isMeeting: boolean
}

interface PresentPosition {
  /** The company. */
  readonly name?: string
  readonly title?: string
  readonly department?: string
}

export interface SearchDocument extends Omit<PersonFields, 'birthday'> {
  readonly connectionId: number
  /** With the normalized key of each tag. */
  readonly tags: readonly { readonly tag: string; readonly key: string }[]
  readonly notes: readonly string[]
  /** Texts of open follow-ups. */
  readonly followUps: readonly string[]
  readonly contacts: readonly SearchedContact[]
  /** In milliseconds; absent if it is not known. */
  readonly createdAt?: number
  /** MM-DD; absent if none is known. */
  readonly birthdays?: readonly string[]
  /** MM-DD of the other dates; absent if there are none. */
  readonly anniversaries?: readonly string[]
  /** Absent if there are none. */
  readonly accounts?: readonly SearchedAccount[]
  /** Companies of former positions, which are also among the detail texts. */
  readonly positions?: readonly string[]
  /** Beside the company and the title. */
  readonly presentPositions?: readonly PresentPosition[]
  /** Absent if there are none. */
  readonly detailTexts?: readonly string[]
  /** Names and values of custom fields. Absent if there are none. */
  readonly customTexts?: readonly string[]
}

/** Without any text. */
export const EMPTY_DOCUMENT: SearchDocument = {
  connectionId: 1,
  name: '',
  givenName: null,
  familyName: null,
  company: null,
  title: null,
  location: null,
  emails: [],
  phones: [],
  profileUrl: null,
  links: [],
  connectedOn: null,
  tags: [],
  notes: [],
  followUps: [],
  contacts: [],
}
