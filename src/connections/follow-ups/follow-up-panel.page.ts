/** The open follow-ups with a person, on their page. */

import { t } from '../../languages/message.ts'
import { type FollowUp, publicFollowUpId } from './follow-ups.ts'
import { html, type Html, NOTHING } from '../../html/html.ts'
import { editedEntry, editPath } from '../../ui/entry-form.ts'
import { FOLLOW_UP_ENTRY, followUpValues } from './follow-up-form.page.ts'
import { itemList, panel } from '../../ui/sections.ts'
import { listFollowUps } from './follow-up-list.ts'
import { actionPath, type PersonView } from '../person/person-view.page.ts'
import { dueWhen, moveForm, tickForm } from './follow-up-row.page.ts'
import { taskRow } from '../../ui/task-row.ts'
import type { MemberReader } from '../../db/database.ts'

/** The rest are listed on the follow-ups page. */
const MAX_FOLLOW_UPS = 20

/** The open follow-ups that the page of a person lists. */
export function listOpenWith(db: MemberReader, connectionId: number) {
  return listFollowUps(db, { status: 'open', people: [connectionId] }, MAX_FOLLOW_UPS)
}

/** The open follow-ups, with buttons to complete them; absent if there are none. */
export async function followUpPanel(db: MemberReader, person: PersonView): Promise<Html> {
  const { entries: followUps, hasMore } = await listOpenWith(db, person.connectionId)
  if (followUps.length === 0) return NOTHING
  const items = followUps.map(({ followUp }) => followUpItem(followUp, person))
  const more = hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : NOTHING
  return panel('follow-ups', t('Next'), html`${itemList(items, NOTHING, 'tasks')} ${more}`)
}

function followUpItem(followUp: FollowUp, person: PersonView): Html {
  const { publicId, times, view, edit } = person
  const { followUpId, text } = followUp
  const id = publicFollowUpId(followUpId)
  const place = { id: publicId, entry_id: id, back: '', view }
  if (edit === id) {
    const values = followUpValues(followUp)
    return editedEntry({ form: FOLLOW_UP_ENTRY, place, values }, { id })
  }
  return taskRow({
    key: id,
    tick: tickForm(id, text, actionPath(person, 'done')),
    path: editPath(person, id),
    title: html`<b><bdi>${text}</bdi></b>`,
    when: dueWhen(followUp, times),
    actions: moveForm(place, text),
  })
}
