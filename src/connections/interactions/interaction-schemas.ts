/** Schemas of interactions in tool arguments and results. Empty fields are omitted. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339 } from '../../base/clock.ts'
import { rowId } from '../../records/recorded-table.ts'
import { freeText } from '../../tools/free-text.ts'
import {
  dayOfInteraction,
  INTERACTIONS,
  publicInteractionId,
  type Interaction,
} from './interaction-store.ts'

export const InteractionId = rowId(INTERACTIONS)

/** `at` is omitted if only the day is known. */
export const InteractionDetails = Type.Closed({
  interaction_id: Type.String(),
  kind: Type.String(),
  on: Type.String(),
  at: Type.Optional(Type.String()),
  direction: Type.Optional(Type.String()),
  subject: Type.Optional(freeText('note', Type.String())),
  text: Type.Optional(freeText('note', Type.String())),
})
export type InteractionDetails = Static<typeof InteractionDetails>

/** An interaction as tools return it, without its people. */
export function formatInteraction(one: Interaction): InteractionDetails {
  const { direction, subject, text, happenedAt } = one
  return {
    interaction_id: publicInteractionId(one.interactionId),
    kind: one.kind,
    on: dayOfInteraction(one),
    ...(happenedAt !== null && { at: rfc3339(happenedAt) }),
    ...(direction !== null && { direction }),
    ...(subject !== null && { subject }),
    ...(text !== null && { text }),
  }
}
