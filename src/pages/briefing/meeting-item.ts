/** A meeting in the lists of the home page and the briefing. */

import { t } from '../../languages/message.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { rfc3339 } from '../../base/clock.ts'
import { html, joinHtml, type Html } from '../../html/html.ts'
import { personLink } from '../ui/person-link.ts'
import type { AheadMeeting } from '../../connections/ahead/meetings-ahead.ts'

/** `Lunch · 12:30–13:30 · Alan Turing`, in a time zone, as far as the times are known. The title links to `href`, if given. */
export function meetingItem(
  { title, startsAt, endsAt, people }: AheadMeeting,
  timeZone: string,
  href?: string,
): Html {
  const times = [startsAt, endsAt].flatMap((at) =>
    at === null ? [] : rfc3339(localTimeAt(timeZone, at)).slice(CLOCK, CLOCK + 5),
  )
  const when = times.length === 0 ? '' : `${times.join('–')} · `
  const names = people.map(({ connection, name }) =>
    connection ? personLink(connection) : html`<bdi>${name}</bdi>`,
  )
  const shown = html`<bdi>${title ?? t('Meeting')}</bdi>`
  return html`<li>
    <div>
      <h3>${href === undefined ? shown : html`<a href="${href}">${shown}</a>`}</h3>
      <p>${when}${joinHtml(names, ', ')}</p>
    </div>
  </li>`
}

/** Where the time begins in `2026-11-21T12:30:00Z`. */
const CLOCK = 11
