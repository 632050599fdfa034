/** The edit page of a connection: its photo, and the form with errors next to the fields. */

import { t } from '../../languages/message.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { html } from '../../html/html.ts'
import { hiddenField, formError } from '../../html/form.ts'
import { connectionPath } from '../../html/site-map.ts'
import { type FieldErrors } from '../../forms/field-errors.ts'
import { photoControls } from '../../ui/photo-form.ts'
import { memberPage } from '../../html/member-layout.ts'
import { personControls } from './person-form.ts'
import { draftOf, type PersonDraft } from './draft/person-draft.ts'
import { readCustomFields } from '../../connections/custom-fields/custom-fields.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { MemberReader } from '../../db/database.ts'

interface EditView {
  readonly browser: SignedInRequest
  readonly connection: Connection
  /** What was typed, and the version of the connection that it is about; the stored values by default. */
  readonly draft?: PersonDraft
  readonly version?: string
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
  /** Why the uploaded file was rejected. */
  readonly photoError?: string
  readonly status?: number
}

export type EditErrors = Pick<EditView, 'version' | 'errors' | 'problem' | 'status'>

export async function showEditForm(db: MemberReader, view: EditView): Promise<Answer> {
  const { browser, connection, errors = {}, problem, photoError, status = 200 } = view
  const { name } = connection
  const fields = await readCustomFields(db)
  const { draft = draftOf(connection, fields), version = String(connection.version) } = view
  const path = connectionPath(publicConnectionId(connection.connectionId))
  return memberPage({
    title: t('Edit {name}', { name }),
    heading: html`Edit <bdi>${name}</bdi>`,
    browser,
    current: 'connections',
    status,
    body: html`${formError(problem)}
      ${photoControls({
        name,
        photo: connection.details.photo,
        paths: { upload: `${path}/photo`, remove: `${path}/remove-photo` },
        error: photoError,
        hint: t('JPEG, PNG, WebP or GIF, up to 1 MB. Only you can see it.'),
      })}
      <form
        class="panel"
        method="post"
        action="${path}/edit"
        data-draft="${browser.member.memberId}"
        aria-label="Details"
      >
        ${hiddenField('version', version)} ${personControls({ draft, fields, errors }, t('Save'))}
        <p class="quiet">Later imports do not overwrite your edits.</p>
        <div class="actions save-bar">
          <button>Save</button>
          <a class="button plain" href="${path}">Cancel</a>
        </div>
      </form>`,
  })
}
