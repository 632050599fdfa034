/** What a day without anything due shows: who is next. */

import { t } from '../../languages/message.ts'
import { listSection } from './today-section.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { html, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { connectionPath } from '../../html/site-map.ts'
import { nearDayText, weekdayDateText } from '../../dates/format-date.ts'
import type { KeptPerson } from '../../connections/cadence/kept-people.ts'

/** Empty without any. `today`: YYYY-MM-DD. */
export function nothingDue(people: readonly KeptPerson[], today: string): Html {
  const items = people.map(({ connection, dueOn }) => {
    const path = connectionPath(publicConnectionId(connection.connectionId))
    return html`<li>
      ${face(connection)}
      <a class="t" href="${path}"><bdi>${connection.name}</bdi></a>
      <small
        ><time datetime="${dueOn}" title="${weekdayDateText(dueOn)}"
          >${nearDayText(dueOn, today)}</time
        ></small
      >
    </li>`
  })
  return listSection('keeping-up', t('Keeping up'), items)
}
