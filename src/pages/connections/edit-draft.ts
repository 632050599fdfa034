/** The edit form of a connection, compared with the stored connection. */

import {
  FIELD_NAMES,
  LIST_FIELDS,
  TEXT_FIELDS,
  type Connection,
} from '../../connections/model/connection.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'

export type ControlName = (typeof FIELD_NAMES)[keyof typeof FIELD_NAMES]

/** The text of every control. Lists have one value per line. */
export type EditDraft = Readonly<Record<ControlName | 'version', string>>

export function editDraftOf(connection: Connection): EditDraft {
  const texts = TEXT_FIELDS.map((field) => [FIELD_NAMES[field], connection[field] ?? ''])
  const lists = LIST_FIELDS.map((field) => [FIELD_NAMES[field], connection[field].join('\n')])
  // Every control is one of these fields.
  return Object.fromEntries([
    ...texts,
    ...lists,
    ['version', String(connection.version)],
  ]) as EditDraft
}

export function readEditDraft(form: URLSearchParams): EditDraft {
  const controls = [...Object.values(FIELD_NAMES), 'version']
  // Browsers send line breaks as CRLF.
  return Object.fromEntries(
    controls.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')]),
  ) as EditDraft
}

/** The differences from the stored connection, as arguments of update_connection. */
export function editsOf(draft: EditDraft, connection: Connection): Record<string, unknown> {
  const shown = editDraftOf(connection)
  const changed = TEXT_FIELDS.map((field) => FIELD_NAMES[field]).filter(
    (name) => draft[name].trim() !== shown[name],
  )
  const texts = changed
    .filter((name) => draft[name].trim() !== '')
    .map((name) => [name, draft[name]])
  // The name is required, so it is never cleared.
  const clear = changed.filter((name) => draft[name].trim() === '' && name !== 'name')
  const lists = LIST_FIELDS.flatMap((field) => {
    const name = FIELD_NAMES[field]
    const [before, after] = [new Set(connection[field]), new Set(linesOf(draft[name]))]
    const [add, remove] = [[...after.difference(before)], [...before.difference(after)]]
    const changes = [
      [`add_${name}`, add],
      [`remove_${name}`, remove],
    ] as const
    return changes.filter(([, values]) => values.length > 0)
  })
  return Object.fromEntries([...texts, ...(clear.length > 0 ? [['clear', clear]] : []), ...lists])
}

/** Errors of `add_emails` are shown at `emails`. */
export function errorsInControls(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, detail]) => [name.replace(/^(?:add|remove)_/, ''), detail]),
  )
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
