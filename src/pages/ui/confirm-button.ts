/** A button for what cannot be taken back: it asks, and only the second one does it. Needs no script. */

import { formTokenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'

export interface Question {
  /** What is done, as both buttons say it: "Revoke". */
  readonly verb: string
  /** To what, by the name that the member knows it by. */
  readonly name: string
  /** What happens then. */
  readonly text: string
  /** Where the form is sent, and the field that says what it is about. */
  readonly action: string
  readonly field: string
  /** Of that field; also the question's id, so unique on its page. */
  readonly id: string
  readonly formToken: string
}

/** A fragment: the button, and the question it opens. Cancel comes first, so that it is what a stray Enter presses. */
export function confirmButton(question: Question): string {
  const { verb, name, text, action, field, id, formToken } = question
  return html`<button type="button" class="plain" popovertarget="${id}">
      <span>${verb}<span class="unseen"> ${name}</span></span>
    </button>
    <div class="ask" id="${id}" popover role="dialog" aria-labelledby="${id}-title">
      <h3 id="${id}-title">${verb} <bdi>${name}</bdi>?</h3>
      <p>${text}</p>
      <form method="post" action="${action}">
        !${formTokenField(formToken)}
        <div class="actions even">
          <button
            type="button"
            class="plain"
            popovertarget="${id}"
            popovertargetaction="hide"
            autofocus
          >
            Cancel
          </button>
          <button class="danger" name="${field}" value="${id}">${verb}</button>
        </div>
      </form>
    </div>`
}
