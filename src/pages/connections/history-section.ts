/** The history of a connection with undo buttons, as a fragment. */

import { html, type Html } from '../../html/html.ts'
import { changeItem } from '../activity/change-item.ts'
import { type ReturnTo } from '../activity/return-to.ts'
import { jobPath, CONNECTIONS_PATH, activityPath } from '../../html/site-map.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import type { Times } from '../ui/time.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { DetailsView } from './details-view.ts'
import type { LastImport } from './history.ts'

export function historySection(view: DetailsView): Html {
  const { browser, times, connection, publicId, history, noticed } = view
  const { changes, hasMore, lastImport } = history
  const { formToken } = browser
  const items = changes
    .map((described) => shownOnce(described, noticed))
    .map((described) =>
      changeItem({
        described,
        back: returnToOf(described, connection),
        formToken,
        level: 3,
        times,
      }),
    )
  const all = html`<p><a href="${activityPath(publicId)}">View full history</a></p>`
  return html`<section class="panel" aria-labelledby="history">
    <h2 id="history">History</h2>
    ${
      items.length === 0
        ? NONE
        : html`<ul class="items">
            ${items}
          </ul>`
    }
    ${hasMore ? all : ''} ${lastImport ? importLine(lastImport, times) : ''}
  </section>`
}

/** Where an undo returns to: this page, unless the undo removes the connection. */
export function returnToOf({ change }: DescribedChange, { connectionId }: Connection): ReturnTo {
  return TAKEN_AWAY.has(change.action)
    ? 'connections'
    : `${CONNECTIONS_PATH}/${publicConnectionId(connectionId)}`
}

const TAKEN_AWAY = new Set(['connection.add', 'connections.restore'])

/** The notice about the last change already has an undo button. */
function shownOnce(
  described: DescribedChange,
  noticed: DescribedChange | undefined,
): DescribedChange {
  return described.change.activityId === noticed?.change.activityId
    ? { ...described, isUndoable: false }
    : described
}

const NONE = html`<p class="quiet">
  No changes yet. Changes by you or an agent appear here, and you can undo them.
</p>`

function importLine({ jobId, filename, at }: LastImport, times: Times): Html {
  const file = filename === undefined ? 'a file' : html`<bdi>${filename}</bdi>`
  return html`<p class="quiet">
    Imported from <a href="${jobPath(jobId)}">${file}</a>, ${times.day(at)}.
  </p>`
}
