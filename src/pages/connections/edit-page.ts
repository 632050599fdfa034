/** The form of one connection, with what is wrong beside the field it is wrong in. */

import { formError, formTokenField, hiddenField, textArea, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-page.ts'
import { connectionPath } from './paths.ts'
import type { Answer } from '../../http/answer.ts'
import type { SignedInVisit } from '../../http/visit.ts'
import type { FieldErrors } from '../../sign-in/field-errors.ts'
import type { EditDraft } from './edit-draft.ts'

export interface EditShown {
  readonly visit: SignedInVisit
  readonly publicId: string
  /** As stored. */
  readonly name: string
  readonly draft: EditDraft
  readonly errors?: FieldErrors
  /** What is wrong with the form as a whole. */
  readonly problem?: string | undefined
  readonly status?: number
}

export function editPage(shown: EditShown): Answer {
  const { visit, publicId, name, draft, errors = {}, problem, status = 200 } = shown
  const { member, formToken } = visit
  const at = (control: keyof EditDraft, label: string, hint?: string) => {
    const detail = errors[control]
    return {
      name: control,
      label,
      value: draft[control],
      error: detail === undefined ? undefined : `${label} ${detail}.`,
      ...(hint !== undefined && { hint }),
    }
  }
  const line = (control: keyof EditDraft, label: string, hint?: string) =>
    textField({ ...at(control, label, hint), autocomplete: 'off', spellcheck: false })
  const path = connectionPath(publicId)
  return memberPage({
    title: `Edit ${name}`,
    heading: html`Edit <bdi>${name}</bdi>`,
    member,
    current: 'connections',
    formToken,
    status,
    body: html`!${formError(problem)}
      <form
        class="panel"
        method="post"
        action="${connectionPath(publicId, 'edit')}"
        aria-label="Details"
      >
        !${formTokenField(formToken)} !${hiddenField('version', draft.version)}
        !${line('name', 'Name')}
        <div class="pair">
          !${line('given_name', 'Given name')} !${line('family_name', 'Family name')}
        </div>
        <div class="pair">!${line('title', 'Role')} !${line('company', 'Company')}</div>
        !${line('location', 'Place', 'Such as Berlin, Germany.')}
        !${textArea(at('emails', 'E-mail addresses', 'One a line.'))}
        !${textArea(at('phones', 'Phone numbers', 'One a line.'))}
        !${line('profile_url', 'Profile', 'The address on LinkedIn or elsewhere.')}
        !${textArea(at('links', 'Other links', 'One a line.'))}
        <div class="pair">
          !${line('birthday', 'Birthday', 'As 1815-12-10, or --12-10 without the year.')}
          !${line('connected_on', 'Connected on', 'As 2026-11-21.')}
        </div>
        <p class="quiet">What you change here, later imports leave alone.</p>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${path}">Cancel</a>
        </div>
      </form>`,
  })
}
