/** What was done with a call, a meeting or another contact, before the names. */

import { phrase, t } from '../../languages/message.ts'
import {
  INTERACTION_KINDS,
  type InteractionKind,
} from '../../connections/interactions/interaction-store.ts'
import { recordedIn } from './change-subjects.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

type Recorded = Pick<ListedChange, 'before' | 'after'>

export function contactVerb(change: Recorded, kind = contactKind(change)): string {
  const [logged, changed, deleted] = CONTACT_VERBS[kind]
  if (change.before === null) return t(logged)
  return t(change.after === null ? deleted : changed)
}

/** `other` for kinds that are not known. */
export function contactKind({ before, after }: Recorded): InteractionKind {
  const { kind } = recordedIn(after ?? before)
  return INTERACTION_KINDS.find((one) => one === kind) ?? 'other'
}

/** What was logged, changed and deleted, by the kind of the contact. */
const CONTACT_VERBS = {
  call: [
    phrase('Logged a call with'),
    phrase('Changed a call with'),
    phrase('Deleted a call with'),
  ],
  meeting: [
    phrase('Logged a meeting with'),
    phrase('Changed a meeting with'),
    phrase('Deleted a meeting with'),
  ],
  message: [
    phrase('Logged a message with'),
    phrase('Changed a message with'),
    phrase('Deleted a message with'),
  ],
  email: [
    phrase('Logged an email with'),
    phrase('Changed an email with'),
    phrase('Deleted an email with'),
  ],
  event: [
    phrase('Logged an event with'),
    phrase('Changed an event with'),
    phrase('Deleted an event with'),
  ],
  other: [
    phrase('Logged a contact with'),
    phrase('Changed a contact with'),
    phrase('Deleted a contact with'),
  ],
} as const satisfies Record<InteractionKind, readonly [string, string, string]>
