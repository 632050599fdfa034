/** What was done with a call, a meeting or another contact, before the names. */

import { phrase, t } from '../../languages/message.ts'
import {
  INTERACTION_KINDS,
  type InteractionKind,
} from '../../connections/interactions/interaction-store.ts'
import { recordedIn } from './change-subjects.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

type Recorded = Pick<ListedChange, 'before' | 'after'>

export function contactVerb(change: Recorded, count: number, kind = contactKind(change)): string {
  const [logged, changed, deleted] = CONTACT_VERBS[kind]
  if (change.before === null) return t(logged, { count })
  return t(change.after === null ? deleted : changed, { count })
}

/** `other` for kinds that are not known. */
export function contactKind({ before, after }: Recorded): InteractionKind {
  const { kind } = recordedIn(after ?? before)
  return INTERACTION_KINDS.find((one) => one === kind) ?? 'other'
}

/** What was logged, changed and deleted, by the kind of the contact. */
const CONTACT_VERBS = {
  call: [
    phrase('{count, plural, one {Logged a call with} other {Logged # calls with}}'),
    phrase('{count, plural, one {Changed a call with} other {Changed # calls with}}'),
    phrase('{count, plural, one {Deleted a call with} other {Deleted # calls with}}'),
  ],
  meeting: [
    phrase('{count, plural, one {Logged a meeting with} other {Logged # meetings with}}'),
    phrase('{count, plural, one {Changed a meeting with} other {Changed # meetings with}}'),
    phrase('{count, plural, one {Deleted a meeting with} other {Deleted # meetings with}}'),
  ],
  message: [
    phrase('{count, plural, one {Logged a message with} other {Logged # messages with}}'),
    phrase('{count, plural, one {Changed a message with} other {Changed # messages with}}'),
    phrase('{count, plural, one {Deleted a message with} other {Deleted # messages with}}'),
  ],
  email: [
    phrase('{count, plural, one {Logged an email with} other {Logged # emails with}}'),
    phrase('{count, plural, one {Changed an email with} other {Changed # emails with}}'),
    phrase('{count, plural, one {Deleted an email with} other {Deleted # emails with}}'),
  ],
  event: [
    phrase('{count, plural, one {Logged an event with} other {Logged # events with}}'),
    phrase('{count, plural, one {Changed an event with} other {Changed # events with}}'),
    phrase('{count, plural, one {Deleted an event with} other {Deleted # events with}}'),
  ],
  other: [
    phrase('{count, plural, one {Logged a contact with} other {Logged # contacts with}}'),
    phrase('{count, plural, one {Changed a contact with} other {Changed # contacts with}}'),
    phrase('{count, plural, one {Deleted a contact with} other {Deleted # contacts with}}'),
  ],
} as const satisfies Record<InteractionKind, readonly [string, string, string]>
