/** What the kinds of contacts are called. */

import { phrase } from '../../languages/message.ts'
import type { InteractionKind } from './interaction-store.ts'

export const INTERACTION_LABELS: Readonly<Record<InteractionKind, string>> = {
  call: phrase('Call'),
  meeting: phrase('Meeting'),
  message: phrase('Message'),
  email: phrase('Email'),
  event: phrase('Event'),
  other: phrase('Other'),
}
