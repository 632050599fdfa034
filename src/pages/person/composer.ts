/** The forms that add notes, follow-ups and interactions to the page of a connection. */

import { phrase, t } from '../../languages/message.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import { NOTE_ENTRY } from '../../connections/notes/note-form.page.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { formKeyField } from '../../html/form.ts'
import {
  INTERACTION_ENTRY,
  remindField,
} from '../../connections/interactions/interaction-form.page.ts'
import { actionPath, type PersonView } from '../../connections/person/person-view.page.ts'
import type { EntryForm } from '../../ui/entry-form.ts'

/** One form at a time. */
export function composer(view: PersonView): Html {
  const { invalid, edit } = view
  const open =
    COMPOSED.find(({ form }) => (form.controls['text'] ?? '') in (invalid?.typed ?? {})) ??
    COMPOSED.find(({ form }) => form.act === edit) ??
    COMPOSED[0]
  return html`<section class="panel composer" aria-label="Add to the timeline">
    ${COMPOSED.map((one) => composerForm(one, view, one === open))}
  </section>`
}

interface Composed {
  readonly id: string
  readonly form: EntryForm
  readonly tab: string
  readonly button: string
}

const COMPOSED: readonly Composed[] = [
  {
    id: 'write',
    form: NOTE_ENTRY,
    tab: phrase('Note'),
    button: phrase('Add note'),
  },
  {
    id: 'log',
    form: INTERACTION_ENTRY,
    tab: phrase('Call or meeting'),
    button: phrase('Log contact'),
  },
  {
    id: 'plan',
    form: FOLLOW_UP_ENTRY,
    tab: phrase('Follow-up'),
    button: phrase('Add follow-up'),
  },
]

function composerForm({ id, form, tab, button }: Composed, view: PersonView, open: boolean) {
  const { browser, invalid: state = NOTHING_TYPED } = view
  return html`<details ${attributes({ id, name: 'composer', open })}>
    <summary>${t(tab)}</summary>
    <form
      method="post"
      action="${actionPath(view, form.act)}"
      data-draft="${browser.member.memberId}"
    >
      ${formKeyField()} ${form.fields(state)} ${form === INTERACTION_ENTRY && remindField(state)}
      <div class="actions">
        <button class="plain">${t(button)}</button>
        <kbd class="keys">${t('Ctrl ↵')}</kbd>
      </div>
    </form>
  </details>`
}
