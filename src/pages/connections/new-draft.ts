/** Somebody new as a member types them in the form. */

import { linesOf } from './edit-draft.ts'
import type { NewInput } from '../../connections/editing/connection-input.ts'

const TEXTS = ['name', 'title', 'company', 'location', 'profile_url', 'birthday'] as const
/** A value a line. */
const LISTS = ['emails', 'phones'] as const
const CONTROLS = [...TEXTS, ...LISTS, 'tags', 'note'] as const

/** Every control's text. */
export type NewDraft = Readonly<Record<(typeof CONTROLS)[number], string>>

export function readNewDraft(form: URLSearchParams): NewDraft {
  // A browser sends every line break as two characters.
  return Object.fromEntries(
    CONTROLS.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')]),
  ) as NewDraft
}

export const EMPTY_DRAFT = readNewDraft(new URLSearchParams())

/** As arguments of add_connection; what was left empty is left out. */
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
