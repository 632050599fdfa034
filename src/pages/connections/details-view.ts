/** The data of a connection's page, and the state of its forms. */

import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { FollowUpPage } from '../../connections/follow-ups/follow-up-list.ts'
import type { NotePage } from '../../connections/notes/notes.ts'
import type { Tag } from '../../connections/model/tag-store.ts'
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
  /** The custom fields of which it has a value. */
  readonly fields: readonly CustomField[]
  readonly tags: readonly Tag[]
  readonly followUps: FollowUpPage
  readonly notes: NotePage
  readonly isNewestNotes: boolean
  readonly history: History
  /** The name of a person that was merged into this connection and can be split off. */
  readonly splittable: string | undefined
  readonly noticed: DescribedChange | undefined
  /** The rejected form. */
  readonly invalid: InvalidForm | undefined
}

/** A rejected form: its values, and its errors by field name. */
export interface InvalidForm {
  readonly status: number
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
}

/** The value of a field and its error. */
export function fieldState(invalid: InvalidForm | undefined, name: string, label: string) {
  const detail = invalid?.errors[name]
  return {
    name,
    label,
    value: invalid?.typed[name] ?? '',
    error: detail === undefined ? undefined : `${label} ${detail}.`,
  }
}
