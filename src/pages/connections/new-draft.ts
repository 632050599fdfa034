/** The form that adds a connection. */

import { linesOf } from './edit-draft.ts'
import type { NewInput } from '../../connections/editing/connection-input.ts'

const TEXTS = ['name', 'title', 'company', 'location', 'profile_url', 'birthday'] as const
/** One value per line. */
const LISTS = ['emails', 'phones'] as const
const CONTROLS = [...TEXTS, ...LISTS, 'tags', 'note'] as const

/** Every control's text. */
export type NewDraft = Readonly<Record<(typeof CONTROLS)[number], string>>

export function readNewDraft(form: URLSearchParams): NewDraft {
  // Browsers send line breaks as CRLF.
  return Object.fromEntries(
    CONTROLS.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')]),
  ) as NewDraft
}

export const EMPTY_NEW_DRAFT = readNewDraft(new URLSearchParams())

/** The arguments of add_connection, without empty fields. */
export function argumentsOf(draft: NewDraft): Partial<NewInput> {
  const texts = [...TEXTS, 'note' as const].map((name) => [name, draft[name].trim()] as const)
  const lists = [
    ...LISTS.map((name) => [name, linesOf(draft[name])] as const),
    ['tags', linesOf(draft.tags.replaceAll(',', '\n'))] as const,
  ]
  return Object.fromEntries(
    [...texts, ...lists].filter(([, value]) => value.length > 0),
  ) as Partial<NewInput>
}
