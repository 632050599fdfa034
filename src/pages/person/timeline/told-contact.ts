/** What the notice after a note says about the contacts that it told of. */

import { contactTimesOf } from '../../../connections/last-contact/read-contact-times.ts'
import { publicConnectionId, readConnectionId } from '../../../connections/model/connection.ts'
import { findConnections } from '../../../connections/model/connection-store.ts'
import { relativeDayText } from '../../../dates/format-date.ts'
import { html, joinHtml, NOTHING, type Html } from '../../../html/html.ts'
import { logContactPath } from '../../../html/site-map.ts'
import { mentionedIn } from '../../../connections/told-contacts/mentions.ts'
import { peopleHintedIn } from '../../../connections/told-contacts/told-contacts.ts'
import { alongIn } from '../../../records/undo-rows.ts'
import { recordedIn } from '../../activity/change-subjects.ts'
import { calendarDate } from '../../../ui/calendar-date.ts'
import type { MemberReader } from '../../../db/database.ts'
import type { DateContext } from '../../../dates/read-date.ts'
import type { Times } from '../../../ui/time.ts'
import type { DescribedChange } from '../../activity/described-change.ts'

/**
 * `Last contact with Rosa: yesterday.` for each person; a day before the last contact is only logged. If a note seems to say
 * so without being clear, it asks.
 */
export async function toldContacts(
  reader: MemberReader,
  noticed: DescribedChange | undefined,
  { today, ...context }: Times,
): Promise<Html> {
  const { interactions = [] } = recordedIn(alongIn(noticed?.change.after ?? null, 'after'))
  const told = interactions.flatMap(({ people = [], on }) =>
    typeof on === 'string' ? people.map((id) => ({ id: readConnectionId(id) ?? 0, on })) : [],
  )
  if (told.length === 0) return hintedContacts(reader, noticed, context)
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

/** `Log contact with Rosa?`, for a note that was added just now. */
async function hintedContacts(
  reader: MemberReader,
  noticed: DescribedChange | undefined,
  context: DateContext,
): Promise<Html> {
  const { text, on } = recordedIn(noticed?.change.after ?? null)
  if (noticed?.change.action !== 'note.add' || typeof text !== 'string') return NOTHING
  const mentioned = await mentionedIn(reader, [text])
  const day = typeof on === 'string' ? on : undefined
  const people = peopleHintedIn({ text, mentioned, on: day }, context).slice(0, MAX_ASKED)
  const links = people.map(
    ({ connectionId, name }) =>
      html`<a href="${logContactPath(publicConnectionId(connectionId))}"
        >Log contact with <bdi>${name}</bdi>?</a
      >`,
  )
  return joinHtml(links, ' ')
}

const MAX_ASKED = 2
