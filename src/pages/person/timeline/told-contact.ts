/** What the notice after a note says about the contacts that it told of. */

import { contactTimesOf } from '../../../connections/last-contact/read-contact-times.ts'
import { readConnectionId } from '../../../connections/model/connection.ts'
import { findConnections } from '../../../connections/model/connection-store.ts'
import { relativeDayText } from '../../../dates/format-date.ts'
import { html, NOTHING, type Html } from '../../../html/html.ts'
import { alongIn } from '../../../records/undo-rows.ts'
import { recordedIn } from '../../activity/change-subjects.ts'
import { calendarDate } from '../../../ui/calendar-date.ts'
import type { MemberReader } from '../../../db/database.ts'
import type { DescribedChange } from '../../activity/described-change.ts'

/** `Last contact with Rosa: yesterday.` for each person; a day before the last contact is only logged. */
export async function toldContacts(
  reader: MemberReader,
  noticed: DescribedChange | undefined,
  today: string,
): Promise<Html> {
  const { interactions = [] } = recordedIn(alongIn(noticed?.change.after ?? null, 'after'))
  const told = interactions.flatMap(({ people = [], on }) =>
    typeof on === 'string' ? people.map((id) => ({ id: readConnectionId(id) ?? 0, on })) : [],
  )
  if (told.length === 0) return NOTHING
  const ids = told.map(({ id }) => id)
  const [times, people] = await Promise.all([
    contactTimesOf(reader, ids),
    findConnections(reader, ids),
  ])
  const names = new Map(people.map(({ connectionId, name }) => [connectionId, name]))
  const sentences = told.map(({ id, on }) => {
    const name = html`<bdi>${names.get(id)}</bdi>`
    const day = html`<time datetime="${on}">${relativeDayText(on, today)}</time>`
    return times.get(id)?.lastContactOn === on
      ? html`Last contact with ${name}: ${day}. `
      : html`Contact with ${name} on ${calendarDate(on)} logged. `
  })
  return html`${sentences}`
}
