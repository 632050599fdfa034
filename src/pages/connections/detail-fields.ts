/** The form fields of a connection with their errors, as fragments keyed by name. */

import { textArea, textField } from '../../html/form.ts'
import { type Html } from '../../html/html.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { ControlName } from './edit-draft.ts'

/** Fields missing from the draft are empty. */
export function detailFields(
  draft: Partial<Readonly<Record<ControlName, string>>>,
  errors: FieldErrors,
): Record<ControlName, Html> {
  const state = (name: ControlName, label: string, hint?: string) => {
    const detail = errors[name]
    return {
      name,
      label,
      value: draft[name] ?? '',
      error: detail === undefined ? undefined : sentenceOf(label, detail),
      ...(hint !== undefined && { hint }),
    }
  }
  const line = (name: ControlName, label: string, hint?: string) =>
    textField({ ...state(name, label, hint), autocomplete: 'off', spellcheck: false })
  return {
    name: line('name', 'Name'),
    given_name: line('given_name', 'Given name'),
    family_name: line('family_name', 'Family name'),
    title: line('title', 'Title'),
    company: line('company', 'Company'),
    location: line('location', 'Location', 'Such as Berlin, Germany.'),
    emails: textArea(state('emails', 'Email addresses', 'One per line.')),
    phones: textArea(state('phones', 'Phone numbers', 'One per line.')),
    profile_url: line('profile_url', 'Profile', 'A URL on LinkedIn or another site.'),
    links: textArea(state('links', 'Other links', 'One per line.')),
    birthday: line('birthday', 'Birthday', 'Such as 1815-12-10, or --12-10 without the year.'),
    connected_on: line('connected_on', 'Connected on', 'Such as 2026-11-21.'),
  }
}

/** Errors of list fields start with the invalid value in quotes, so they need no label. */
function sentenceOf(label: string, detail: string): string {
  return detail.startsWith('“') ? `${detail}.` : `${label} ${detail}.`
}
