/** The form by which a member adds somebody, with what is wrong beside the field it is wrong in. */

import { formError, formTokenField, textArea, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { detailFields } from './detail-fields.ts'
import { connectionPath, CONNECTIONS_PATH, NEW_CONNECTION_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { NewDraft } from './new-draft.ts'

export interface NewView {
  readonly browser: SignedInRequest
  readonly draft: NewDraft
  readonly errors?: FieldErrors
  /** Who seems to be the same person and is there already. */
  readonly duplicate?: Connection
  readonly status?: number
}

export function newPage({ browser, draft, errors = {}, duplicate, status = 200 }: NewView): Answer {
  const { member, formToken } = browser
  const fields = detailFields(draft, errors)
  const isRefused = Object.keys(errors).length > 0
  const state = (name: 'tags' | 'note', label: string) => ({
    name,
    label,
    value: draft[name],
    error: errors[name] === undefined ? undefined : `${label} ${errors[name]}.`,
  })
  return memberPage({
    title: 'Add somebody',
    member,
    current: 'connections',
    formToken,
    status,
    body: html`!${formError(isRefused ? NOT_ADDED : undefined)}
      <form class="panel" method="post" action="${NEW_CONNECTION_PATH}" aria-label="Somebody new">
        !${formTokenField(formToken)} !${duplicate ? thereAlready(duplicate) : ''} !${fields.name}
        <div class="pair">!${fields.title} !${fields.company}</div>
        !${fields.emails} !${fields.phones} !${fields.location} !${fields.profile_url}
        !${fields.birthday}
        !${textField({ ...state('tags', 'Tags'), autocomplete: 'off', hint: 'With commas between them.' })}
        !${textArea({ ...state('note', 'Note'), hint: 'Such as where you met.' })}
        <div class="actions">
          <button>Add</button>
          !${duplicate ? ANYWAY : ''}
          <a class="button plain" href="${CONNECTIONS_PATH}">Cancel</a>
        </div>
      </form>`,
  })
}

const NOT_ADDED = 'Nobody was added yet: something below has to be corrected.'

function thereAlready({ connectionId, name }: Connection): string {
  const path = connectionPath(publicConnectionId(connectionId))
  return html`<p class="notice warning" role="alert">
    <a href="${path}"><bdi>${name}</bdi></a> seems to be the same person and is in your network
    already. Nobody was added yet.
  </p>`
}

/** Behind the other: the first button of a form is the one that Enter presses. */
const ANYWAY = html`<button class="plain" name="anyway" value="yes">Add anyway</button>`
