/** The edit form of a connection, with errors beside the fields. */

import { formError, formTokenField, hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { detailControls, type DetailDraft } from './detail-draft.ts'
import { detailFields } from './detail-fields.ts'
import { connectionPath } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { EditDraft } from './edit-draft.ts'

export interface EditView {
  readonly browser: SignedInRequest
  readonly publicId: string
  /** As stored. */
  readonly name: string
  readonly draft: EditDraft
  readonly details: DetailDraft
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string | undefined
  readonly status?: number
}

export function editPage(view: EditView): Answer {
  const { browser, publicId, name, draft, errors = {}, problem, status = 200 } = view
  const { member, formToken } = browser
  const fields = detailFields(draft, errors)
  const details = detailControls(view.details, view.fields, errors)
  const path = connectionPath(publicId)
  return memberPage({
    title: `Edit ${name}`,
    heading: html`Edit <bdi>${name}</bdi>`,
    member,
    current: 'connections',
    formToken,
    status,
    body: html`${formError(problem)}
      <form
        class="panel"
        method="post"
        action="${connectionPath(publicId, 'edit')}"
        aria-label="Details"
      >
        ${formTokenField(formToken)} ${hiddenField('version', draft.version)} ${fields.name}
        <div class="pair">${fields.given_name} ${fields.family_name}</div>
        ${details.names}
        <div class="pair">${fields.title} ${fields.company}</div>
        ${fields.location} ${fields.emails} ${fields.phones} ${fields.profile_url} ${fields.links}
        <div class="pair">${fields.birthday} ${fields.connected_on}</div>
        ${details.custom}
        <p class="quiet">Later imports do not overwrite your edits.</p>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${path}">Cancel</a>
        </div>
      </form>`,
  })
}
