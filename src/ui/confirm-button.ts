/** A button for irreversible actions that opens a confirmation dialog. Needs no script. */

import { t } from '../languages/message.ts'
import { formKeyField } from '../html/form.ts'
import { html, type Html } from '../html/html.ts'

interface Question {
  /** Such as "Revoke"; begins the question, and is the label of both buttons. */
  readonly verb: string
  /** The label of both buttons, if the verb alone is not enough. */
  readonly label?: string
  readonly name: string
  readonly text: string
  /** The URL of the form, and the field with the object's ID. */
  readonly action: string
  readonly field: string
  /** The value of that field. Also the ID of the dialog, so it must be unique on the page. */
  readonly id: string
  /** More fields of the form. */
  readonly fields?: Html | undefined
}

/** Asks about one action on an object. */
export function confirmButton(question: Question): Html {
  const { verb, label = verb, name, text, action, field, id, fields } = question
  return confirmDialog({
    id,
    label,
    name,
    question: html`${t('{verb} {name}?', { verb, name })}`,
    text: html`${text}`,
    action,
    fields,
    decisions: html`<button class="danger" name="${field}" value="${id}">${label}</button>`,
  })
}

interface Dialog extends Pick<Question, 'id' | 'name' | 'action' | 'fields'> {
  /** The label of the button that opens the dialog. */
  readonly label: string
  readonly question: Html
  readonly text: Html
  /** The buttons beside Cancel. */
  readonly decisions: Html
}

/** A fragment: the button and its dialog. Cancel comes first, so an accidental Enter presses it. */
export function confirmDialog(dialog: Dialog): Html {
  const { id, label, name, question, text, action, fields, decisions } = dialog
  return html`<button type="button" class="plain" popovertarget="${id}">
      <span>${label}<span class="unseen"> ${name}</span></span>
    </button>
    <div class="ask" id="${id}" popover role="dialog" aria-labelledby="${id}-title">
      <h3 id="${id}-title" dir="auto">${question}</h3>
      <p>${text}</p>
      <form method="post" action="${action}">
        ${formKeyField()} ${fields}
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
          ${decisions}
        </div>
      </form>
    </div>`
}
