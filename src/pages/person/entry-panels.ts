/** The follow-ups on the page of a connection, and the forms that add notes, follow-ups and interactions. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { type EntryForm, FOLLOW_UP_ENTRY, followUpValues, NOTE_ENTRY } from './entry-forms.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { type FollowUp, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { type ConnectionAction } from '../../html/site-map.ts'
import { formKeyField, formTokenField } from '../../html/form.ts'
import { entryDeleteForm, entryEditForm, editPath, moveForm } from './entry-edit.ts'
import { INTERACTION_ENTRY, remindField } from './interaction-entry.ts'
import { editLink, itemList, panel } from '../../ui/sections.ts'
import { dueWhen } from '../../connections/follow-ups/follow-up-items.page.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import type { MemberReader } from '../../db/database.ts'
import { actionPath, type PersonView } from '../../connections/person/person-view.page.ts'

/** The rest are listed on the follow-ups page. */
const MAX_FOLLOW_UPS = 20

/** The open follow-ups, with buttons to complete them; absent if there are none. */
export async function followUpPanel(db: MemberReader, person: PersonView): Promise<Html> {
  const { connectionId } = person
  const { followUps, hasMore } = await listFollowUps(
    db,
    { status: 'open', people: [connectionId] },
    MAX_FOLLOW_UPS,
  )
  if (followUps.length === 0) return NOTHING
  const items = followUps.map(({ followUp }) => followUpItem(followUp, person))
  const more = hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : NOTHING
  return panel('follow-ups', t('Next'), html`${itemList(items)} ${more}`)
}

function followUpItem(followUp: FollowUp, person: PersonView): Html {
  const { publicId, browser, times, view, edit } = person
  const { followUpId, text } = followUp
  const id = publicFollowUpId(followUpId)
  const place = { id: publicId, entry_id: id, back: '', view }
  if (edit === id) {
    const values = followUpValues(followUp)
    return html`<li id="${id}">
      <div class="editing">
        ${entryEditForm({ form: FOLLOW_UP_ENTRY, place, browser, values })}
        ${entryDeleteForm({ form: FOLLOW_UP_ENTRY, place, browser })}
      </div>
    </li>`
  }
  return html`<li id="${id}">
    <div>
      <p><bdi>${text}</bdi></p>
      <small>${dueWhen(followUp, times)}</small>
    </div>
    <div class="actions">
      <form method="post" action="${actionPath(person, 'done')}">
        ${formTokenField(browser.formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${text}</span></span>
        </button>
      </form>
      ${moveForm({ place, browser }, text)} ${editLink(editPath(person, id), text)}
    </div>
  </li>`
}

/** One form at a time. A form is absent while an entry of its kind is edited, whose fields have the same names. */
export function composer(view: PersonView): Html {
  const { invalid, edit = '' } = view
  const offered = COMPOSED.filter(({ prefix }) => !edit.startsWith(prefix))
  const open =
    offered.find(({ form }) => (form.controls['text'] ?? '') in (invalid?.typed ?? {})) ??
    offered.find(({ act }) => act === edit) ??
    offered[0]
  return html`<section class="panel composer" aria-label="Add to the timeline">
    ${offered.map((one) => composerForm(one, view, one === open))}
  </section>`
}

interface Composed {
  readonly id: string
  readonly act: ConnectionAction
  readonly form: EntryForm
  /** Prefix of the IDs of its entries. */
  readonly prefix: string
  readonly tab: string
  readonly button: string
}

const COMPOSED: readonly Composed[] = [
  {
    id: 'write',
    act: 'note',
    form: NOTE_ENTRY,
    prefix: 'n_',
    tab: phrase('Note'),
    button: phrase('Add note'),
  },
  {
    id: 'log',
    act: 'contact',
    form: INTERACTION_ENTRY,
    prefix: 'i_',
    tab: phrase('Call or meeting'),
    button: phrase('Log contact'),
  },
  {
    id: 'plan',
    act: 'follow-up',
    form: FOLLOW_UP_ENTRY,
    prefix: 'f_',
    tab: phrase('Follow-up'),
    button: phrase('Add follow-up'),
  },
]

function composerForm({ id, act, form, tab, button }: Composed, view: PersonView, open: boolean) {
  const { browser, invalid: state = NOTHING_TYPED } = view
  return html`<details ${attributes({ id, name: 'composer', open })}>
    <summary>${t(tab)}</summary>
    <form method="post" action="${actionPath(view, act)}" data-draft="${browser.member.memberId}">
      ${formTokenField(browser.formToken)} ${formKeyField()} ${form.fields(state)}
      ${act === 'contact' && remindField(state)}
      <div class="actions">
        <button class="plain">${t(button)}</button><kbd class="keys">${t('Ctrl ↵')}</kbd>
      </div>
    </form>
  </details>`
}
