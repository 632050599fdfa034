/** The data of a connection's page, and the state of its forms. */

import { RequestError } from '../../base/request-error.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { FollowUpPage } from '../../connections/follow-ups/follow-up-list.ts'
import type { NoteAuthor } from '../../connections/notes/note-authors.ts'
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
  /** By note number. */
  readonly authors: ReadonlyMap<number, NoteAuthor>
  /** The cursor of this page of notes; undefined for the newest. */
  readonly notesCursor: string | undefined
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

/**
 * The form with the errors of its controls, which are named by argument.
 *
 * @throws {RequestError} `error` itself, when it cannot be corrected in the form.
 */
export function invalidForm(
  error: unknown,
  controls: Readonly<Record<string, string>>,
  body: URLSearchParams,
): InvalidForm {
  if (!(error instanceof RequestError) || !CORRECTABLE.has(error.code)) throw error
  const found = (error.details.errors ?? []).flatMap(({ pointer, detail }) => {
    const control = controls[pointer.slice(1)]
    return control === undefined ? [] : [[control, detail] as const]
  })
  return {
    status: error.code === 'not_found' ? 404 : 422,
    typed: Object.fromEntries(
      Object.values(controls).flatMap((control) =>
        body.has(control) ? [[control, body.get(control) ?? '']] : [],
      ),
    ),
    errors: Object.fromEntries(found),
    ...(found.length === 0 && { problem: error.message }),
  }
}

const CORRECTABLE: ReadonlySet<string> = new Set(['invalid_request', 'not_found', 'conflict'])
