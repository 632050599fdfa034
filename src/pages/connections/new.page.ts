/** The form that adds a connection, with errors next to the fields. */

import { formError, formKeyField, formTokenField, textArea, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { personControls } from './person-form.ts'
import { connectionPath, CONNECTIONS_PATH, NEW_CONNECTION_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { PersonDraft } from './person-draft.ts'

interface NewView {
  readonly browser: SignedInRequest
  readonly draft: PersonDraft
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  readonly errors?: FieldErrors
  /** An existing connection that seems to be the same person. */
  readonly duplicate?: Connection
  readonly status?: number
}

export function newPage(view: NewView): Answer {
  const { browser, draft, fields, errors = {}, duplicate, status = 200 } = view
  const { member, formToken } = browser
  const isInvalid = Object.keys(errors).length > 0
  const state = (name: 'tags' | 'note', label: string) => ({
    name,
    label,
    value: draft.texts[name] ?? '',
    error: errors[name] === undefined ? undefined : `${label} ${errors[name]}.`,
  })
  return memberPage({
    title: 'Add connection',
    member,
    current: 'connections',
    formToken,
    status,
    body: html`${formError(isInvalid ? NOT_ADDED : undefined)}
      <form class="panel" method="post" action="${NEW_CONNECTION_PATH}" aria-label="New connection">
        ${formTokenField(formToken)} ${formKeyField()}
        ${duplicate ? duplicateNotice(duplicate) : ''}
        ${personControls({ draft, fields, errors }, 'Add')}
        <h2>Tags and note</h2>
        ${textField({ ...state('tags', 'Tags'), autocomplete: 'off', hint: 'Separate with commas.' })}
        ${textArea({ ...state('note', 'Note'), hint: 'Such as where you met.' })}
        <div class="actions">
          <button>Add</button>
          ${duplicate ? ANYWAY : ''}
          <a class="button plain" href="${CONNECTIONS_PATH}">Cancel</a>
        </div>
      </form>`,
  })
}

const NOT_ADDED = 'Not added. Fix the errors below.'

function duplicateNotice({ connectionId, name }: Connection): Html {
  const path = connectionPath(publicConnectionId(connectionId))
  return html`<p class="notice warning" role="alert">
    <a href="${path}"><bdi>${name}</bdi></a> is already in your network and seems to be the same
    person. Not added yet.
  </p>`
}

/** Second, because Enter presses the first button of a form. */
const ANYWAY = html`<button class="plain" name="anyway" value="yes">Add anyway</button>`
