/** The edit page of a connection: its photo, and the form with errors next to the fields. */

import { fileField, formError, formTokenField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { personBadge } from '../ui/initials.ts'
import { personControls } from './person-form.ts'
import { connectionPath } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { PersonDraft } from './person-draft.ts'

export interface EditView {
  readonly browser: SignedInRequest
  readonly publicId: string
  /** As stored. */
  readonly name: string
  /** The ID of the stored photo. */
  readonly photo: string | undefined
  /** Why the uploaded file was rejected. */
  readonly photoError?: string | undefined
  readonly draft: PersonDraft
  /** The version of the connection that the form is about. */
  readonly version: string
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string | undefined
  readonly status?: number
}

export function editPage(view: EditView): Answer {
  const { browser, publicId, name, draft, fields, version, errors = {}, problem } = view
  const { member, formToken } = browser
  return memberPage({
    title: `Edit ${name}`,
    heading: html`Edit <bdi>${name}</bdi>`,
    member,
    current: 'connections',
    formToken,
    status: view.status ?? 200,
    body: html`${formError(problem)} ${photoSection(view)}
      <form
        class="panel"
        method="post"
        action="${connectionPath(publicId, 'edit')}"
        aria-label="Details"
      >
        ${formTokenField(formToken)} ${hiddenField('version', version)}
        ${personControls({ draft, fields, errors }, 'Save')}
        <p class="quiet">Later imports do not overwrite your edits.</p>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${connectionPath(publicId)}">Cancel</a>
        </div>
      </form>`,
  })
}

function photoSection({
  browser: { formToken },
  publicId,
  name,
  photo,
  photoError,
}: EditView): Html {
  return html`<section class="panel" aria-labelledby="photo-heading">
    <h2 id="photo-heading">Photo</h2>
    <div class="photo">
      ${personBadge(name, photo)}
      <form
        method="post"
        action="${connectionPath(publicId, 'photo')}"
        enctype="multipart/form-data"
        aria-label="Upload a photo"
      >
        ${formTokenField(formToken)}
        ${fileField({
          name: 'photo',
          label: photo === undefined ? 'Add a photo' : 'Replace the photo',
          accept: 'image/jpeg,image/png,image/webp,image/gif',
          hint: 'JPEG, PNG, WebP or GIF, up to 1 MB. Only you can see it. Save other changes first.',
          error: photoError === undefined ? undefined : `The photo ${photoError}.`,
        })}
        <div class="actions"><button class="plain">Upload photo</button></div>
      </form>
    </div>
    ${photo === undefined ? '' : removeForm(publicId, formToken)}
  </section>`
}

function removeForm(publicId: string, formToken: string): Html {
  return html`<form
    method="post"
    action="${connectionPath(publicId, 'remove-photo')}"
    aria-label="Remove the photo"
  >
    ${formTokenField(formToken)}
    <div class="actions"><button class="plain danger">Remove photo</button></div>
  </form>`
}
