/** What the page of one connection shows, and the state of its forms. */

import type { Connection } from '../../connections/model/connection.ts'
import type { FollowUpPage } from '../../connections/follow-ups/follow-ups.ts'
import type { NotePage } from '../../connections/notes/notes.ts'
import type { Tag } from '../../connections/model/connection-store.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { History } from './history.ts'
import type { Times } from '../ui/time.ts'

export interface DetailsView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly connection: Connection
  readonly publicId: string
  readonly tags: readonly Tag[]
  readonly followUps: FollowUpPage
  readonly notes: NotePage
  readonly isNewestNotes: boolean
  readonly history: History
  readonly noticed: DescribedChange | undefined
  /** What could not be done. */
  readonly refused: InvalidForm | undefined
}

/** A form as it was sent, and what is wrong with its fields, by their names. */
export interface InvalidForm {
  readonly status: number
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** What is wrong with the whole. */
  readonly problem?: string
}

/** What stands in a field, and what is wrong with it. */
export function fieldState(refused: InvalidForm | undefined, name: string, label: string) {
  const detail = refused?.errors[name]
  return {
    name,
    label,
    value: refused?.typed[name] ?? '',
    error: detail === undefined ? undefined : `${label} ${detail}.`,
  }
}
