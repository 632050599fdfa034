/** The edit page of a note or a follow-up, and the page for one that no longer exists. */

import { formError, formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { messagePage } from '../../html/message.page.ts'
import { entryPath, type EntryKind } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { InvalidForm } from '../connections/details-view.ts'

interface EntryView {
  readonly browser: SignedInRequest
  readonly kind: EntryKind
  /** What it is called: `note`. */
  readonly one: string
  /** The public ID of its connection, and its name. */
  readonly connectionId: string
  readonly name: string
  readonly entryId: string
  /** Identifies the stored values that the form is about. */
  readonly version: string
  /** Where the form returns to, from the link to this page. */
  readonly back: string
  readonly notes: string
  readonly backPath: string
  /** The controls of the form. */
  readonly controls: Html
  readonly invalid: InvalidForm | undefined
}

export function entryPage(view: EntryView): Answer {
  const { browser, kind, one, connectionId, name, entryId, version, invalid } = view
  const { member, formToken } = browser
  const state = html`${formTokenField(formToken)} ${formKeyField()}
  ${hiddenField('back', view.back)} ${hiddenField('notes', view.notes)}`
  return memberPage({
    title: `Edit ${one}`,
    heading: html`Edit ${one}: <bdi>${name}</bdi>`,
    member,
    current: kind === 'notes' ? 'connections' : 'follow-ups',
    formToken,
    status: invalid?.status ?? 200,
    body: html`${formError(invalid?.problem)}
      <form
        class="panel"
        method="post"
        action="${entryPath(connectionId, kind, entryId)}"
        aria-label="Edit ${one}"
      >
        ${state} ${hiddenField('version', version)} ${view.controls}
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${view.backPath}">Cancel</a>
        </div>
      </form>
      <section class="panel" aria-labelledby="delete">
        <h2 id="delete">Delete</h2>
        <div class="with-act">
          <p class="quiet">You can undo this.</p>
          <form method="post" action="${entryPath(connectionId, kind, entryId, 'delete')}">
            ${state}
            <button class="plain danger">Delete ${one}</button>
          </form>
        </div>
      </section>`,
  })
}

/** With the way back. */
export function missingEntryPage(
  title: string,
  action: { readonly href: string; readonly label: string },
): Answer {
  const text = 'It was deleted, completed or undone since you loaded the page.'
  return messagePage({ status: 404, title, text, hint: 'No changes were made.', action })
}
