/** An entry of a timeline, and what its sources read. */

import type { ListedChange } from '../../tools/activity-log/read-activity.ts'
import type { FollowUp } from '../follow-ups/follow-ups.ts'
import type { Note } from '../notes/notes.ts'
import type { Interaction, InteractionKind } from './interaction-store.ts'

type TimelineItem =
  | { readonly kind: 'note'; readonly note: Note }
  | { readonly kind: 'interaction'; readonly interaction: Interaction }
  | { readonly kind: 'follow_up'; readonly followUp: FollowUp }
  /** An edit, an import or a change of jobs; not one of a note, an interaction or a follow-up. */
  | { readonly kind: 'change'; readonly change: ListedChange }

export interface TimelineEntry {
  /** Milliseconds as if local time were UTC. */
  readonly at: number
  /** Where its source continues after it. */
  readonly position: number
  readonly id: number
  readonly item: TimelineItem
}

/** What a source of entries reads: those after a position, newest first, between two times. */
export interface SourceQuery {
  readonly connectionId: number | undefined
  readonly position: number
  readonly id: number
  readonly from: number
  /** Exclusive. */
  readonly until: number
  /** Only interactions of these kinds; all by default. */
  readonly interactionKinds?: readonly InteractionKind[] | undefined
  readonly limit: number
}
