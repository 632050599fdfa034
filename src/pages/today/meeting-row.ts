/** The meetings of a day: the time, the people, and the last contact with them. */

import { t } from '../../languages/message.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { rfc3339 } from '../../base/clock.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { relativeDayText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import { nameLink } from '../../connections/person/person-link.page.ts'
import type { AheadMeeting, MetPerson } from '../../connections/meetings/meetings-ahead.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** Faces beside a meeting. */
const MAX_FACES = 3
/** People of a meeting that are named. */
const MAX_NAMES = 6

export function meetingRow(meeting: AheadMeeting, { times }: Pick<TaskPage, 'times'>): Html {
  const { title, startsAt, endsAt, people } = meeting
  const clock = (at: number) => rfc3339(localTimeAt(times.timeZone, at)).slice(CLOCK, CLOCK + 5)
  const span = [startsAt, endsAt].flatMap((at) => (at === null ? [] : clock(at))).join('–')
  const faces = people
    .slice(0, MAX_FACES)
    .map(({ name, connection }) => face({ name, photo: connection?.photo }))
  const named = people.slice(0, MAX_NAMES).map((one) => withLastContact(one, times.today))
  const more = people.length - named.length
  return html`<li>
    <time title="${span}">${startsAt === null ? t('All day') : clock(startsAt)}</time>
    <span class="stack">${faces}</span>
    <div>
      <h3><bdi>${title ?? t('Meeting')}</bdi></h3>
      <small>
        ${joinHtml(named, ' · ')} ${more > 0 ? t('and {more} more', { more }) : NOTHING}
      </small>
    </div>
  </li>`
}

/** `Dmitri Fitzgerald, last contact 3 months ago` */
function withLastContact({ name, connection, lastContactOn }: MetPerson, today: string): Html {
  if (!connection) return html`<bdi>${name}</bdi>`
  const link = nameLink(connection)
  if (lastContactOn === null) return html`${link}, no contact yet`
  return html`${link}, last contact ${relativeDayText(lastContactOn, today)}`
}

/** Where the time begins in `2026-11-21T12:30:00Z`. */
const CLOCK = 11
