/** The fields of a connection in its forms, by their names, each with what is wrong with it; fragments. */

import { textArea, textField } from '../../html/form.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { ControlName } from './edit-draft.ts'

/** A field that the draft leaves out is empty. */
export function detailFields(
  draft: Partial<Readonly<Record<ControlName, string>>>,
  errors: FieldErrors,
): Record<ControlName, string> {
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
    title: line('title', 'Role'),
    company: line('company', 'Company'),
    location: line('location', 'Place', 'Such as Berlin, Germany.'),
    emails: textArea(state('emails', 'E-mail addresses', 'One a line.')),
    phones: textArea(state('phones', 'Phone numbers', 'One a line.')),
    profile_url: line('profile_url', 'Profile', 'The address on LinkedIn or elsewhere.'),
    links: textArea(state('links', 'Other links', 'One a line.')),
    birthday: line('birthday', 'Birthday', 'As 1815-12-10, or --12-10 without the year.'),
    connected_on: line('connected_on', 'Connected on', 'As 2026-11-21.'),
  }
}

/** Of a list it names the value that is wrong, which the sentence then begins with. */
function sentenceOf(label: string, detail: string): string {
  return detail.startsWith('“') ? `${detail}.` : `${label} ${detail}.`
}
