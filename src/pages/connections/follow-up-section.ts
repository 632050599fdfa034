/** The follow-ups of a connection, with buttons to complete them and a form to add one. */

import { publicFollowUpId, type FollowUp } from '../../connections/follow-ups/follow-ups.ts'
import { formKeyField, formTokenField, selectField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { RECURRENCE_OPTIONS, RECURRENCE_WORDS } from '../ui/recurrence.ts'
import { editLink } from '../ui/edit-link.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { fieldState, type DetailsView } from './details-view.ts'
import { connectionPath, entryPath } from '../../html/site-map.ts'

/** Further follow-ups are listed on the follow-ups page. */
export const MAX_FOLLOW_UPS = 20

export function followUpSection(view: DetailsView): Html {
  const { followUps, times } = view
  const items = followUps.followUps.map(({ followUp }) => item(followUp, view, times.today))
  return html`<section class="panel" aria-labelledby="follow-ups">
    <h2 id="follow-ups">Follow-ups</h2>
    ${
      items.length === 0
        ? ''
        : html`<ul class="items">
            ${items}
          </ul>`
    }
    ${followUps.hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : ''}
    ${planForm(view)}
  </section>`
}

function item(followUp: FollowUp, { publicId, browser }: DetailsView, today: string): Html {
  const { followUpId, text, dueOn, recurrence } = followUp
  const tone = dueOn < today ? 'danger' : dueOn === today ? 'warning' : ''
  const id = publicFollowUpId(followUpId)
  return html`<li id="${id}">
    <div>
      <p><bdi>${text}</bdi></p>
      <small>
        <span class="badge ${tone}">${weekdayDate(dueOn)}</span> ${RECURRENCE_WORDS[recurrence]}
      </small>
    </div>
    <div class="actions">
      <form method="post" action="${connectionPath(publicId, 'done')}">
        ${formTokenField(browser.formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${text}</span></span>
        </button>
      </form>
      ${editLink(entryPath(publicId, 'follow-ups', id), text)}
    </div>
  </li>`
}

function planForm({ publicId, browser, invalid }: DetailsView): Html {
  const state = (name: string, label: string) => fieldState(invalid, name, label)
  const isOpen = invalid !== undefined && 'follow_up' in invalid.typed
  return html`<details ${attributes({ open: isOpen })}>
    <summary>Add a follow-up</summary>
    <form method="post" action="${connectionPath(publicId, 'follow-up')}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      ${textField({ ...state('follow_up', 'What to do'), autocomplete: 'off' })}
      <div class="pair">
        ${textField({ ...state('due_on', 'Due date'), type: 'date' })}
        ${selectField({
          ...state('recurrence', 'Repeat'),
          options: RECURRENCE_OPTIONS,
        })}
      </div>
      <div class="actions"><button>Add follow-up</button></div>
    </form>
  </details>`
}
