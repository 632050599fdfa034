/** The people with a cadence: who is next, and how many are on time. */

import { t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { connectionPath } from '../../html/site-map.ts'
import { nearDayText } from '../../dates/format-date.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { shortName } from './log-form.ts'
import type { KeptCounts, KeptPerson } from '../../connections/cadence/kept-people.ts'

/** People whose faces are shown. */
const MAX_FACES = 12

/** Empty without any. `people`: next due first. `today`: YYYY-MM-DD. */
export function keepingUp(
  people: readonly KeptPerson[],
  { onTime, due, late }: KeptCounts,
  today: string,
): Html {
  if (onTime + due + late === 0) return NOTHING
  const faces = people.slice(0, MAX_FACES).map(({ connection, dueOn }) => {
    const { connectionId, name } = connection
    return html`<li>
      <a
        href="${connectionPath(publicConnectionId(connectionId))}"
        title="${name}, ${nearDayText(dueOn, today)}"
        >${face(connection)} <bdi>${shortName(name)}</bdi></a
      >
    </li>`
  })
  const texts = [
    onTime > 0 && html`${t('{count} on time', { count: onTime })}`,
    due > 0 && html`<a href="${listPath({ due: '0' })}">${t('{count} due', { count: due })}</a>`,
    late > 0 &&
      html`<a class="late" href="${listPath({ due: '0' })}"
        >${t('{count} late', { count: late })}</a
      >`,
  ].filter((text) => text !== false)
  return html`<section aria-labelledby="kept">
    <h2 id="kept">Keeping up</h2>
    ${
      faces.length > 0 &&
      html`<ul class="kept">
        ${faces}
      </ul>`
    }
    <p><small>${joinHtml(texts, ' · ')}</small></p>
  </section>`
}
