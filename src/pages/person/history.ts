/** The history of a connection: its newest changes, with undo buttons, and its last import. */

import { checkSchema } from '../../base/schema.ts'
import { ImportReport } from '../../imports/import-report.ts'
import { findJob } from '../../jobs/start-job.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { describeChanges, type DescribedChange } from '../activity/described-change.ts'
import {
  publicConnectionId,
  type Connection,
  readConnectionId,
} from '../../connections/model/connection.ts'
import { jobPath, activityPath, CONNECTIONS_PATH } from '../../html/site-map.ts'
import { changeItem } from '../activity/change-item.ts'
import { html, type Html } from '../../html/html.ts'
import { itemList, panel } from '../ui/sections.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'
import type { PersonView } from './entry-panels.ts'
import type { Times } from '../ui/time.ts'
import type { ReturnTo } from '../activity/return-to.ts'

interface History {
  /** Newest first. */
  readonly changes: readonly DescribedChange[]
  /** Whether there are earlier ones. */
  readonly hasMore: boolean
  readonly lastImport: LastImport | undefined
}

interface LastImport {
  readonly jobId: number
  /** Undefined for an unnamed file or an unfinished import. */
  readonly filename: string | undefined
  readonly at: number
}

/** The activity page lists all changes. */
const MAX_SHOWN = 10

export async function readHistory(
  reader: MemberReader,
  { connectionId, importJobId }: Connection,
  undoers: readonly Undoer[],
): Promise<History> {
  const { changes, hasMore } = await readActivityPage(reader, MAX_SHOWN, { connectionId })
  return {
    changes: await describeChanges(reader, changes, undoers, publicConnectionId(connectionId)),
    hasMore,
    lastImport: importJobId === null ? undefined : await readImport(reader, importJobId),
  }
}

async function readImport(reader: MemberReader, jobId: number): Promise<LastImport | undefined> {
  const job = await findJob(reader, jobId)
  if (!job) return undefined
  const report = checkSchema(ImportReport, JSON.parse(job.result ?? 'null'))
  return { jobId, filename: report.ok ? report.value.filename : undefined, at: job.created_at }
}

/** `noticed` is the change of the notice, which already has an undo button. */
export function historyPanel(
  { browser, times, publicId }: PersonView,
  { changes, hasMore, lastImport }: History,
  noticed: DescribedChange | undefined,
): Html {
  const items = changes.map((change) => {
    const isNoticed = change.change.activityId === noticed?.change.activityId
    const described = isNoticed ? { ...change, isUndoable: false } : change
    const back = returnToOf(described, publicId)
    return changeItem({ described, back, browser, level: 3, times })
  })
  const all = html`<p><a href="${activityPath(publicId)}">View full history</a></p>`
  return panel(
    'history',
    'History',
    html`${itemList(items, NONE)} ${hasMore ? all : ''}
    ${lastImport ? importLine(lastImport, times) : ''}`,
  )
}

/** Where an undo returns to: this page, unless the undo removes the connection. */
export function returnToOf({ change }: DescribedChange, publicId: string): ReturnTo {
  const number = readConnectionId(publicId) ?? 0
  return TAKEN_AWAY.has(change.action) ? 'connections' : `${CONNECTIONS_PATH}/c_${number}`
}

const TAKEN_AWAY = new Set(['connection.add', 'connections.restore'])

const NONE = html`<p class="quiet">
  No changes yet. Changes by you or an agent appear here, and you can undo them.
</p>`

function importLine({ jobId, filename, at }: LastImport, times: Times): Html {
  const file = filename === undefined ? 'a file' : html`<bdi>${filename}</bdi>`
  return html`<p class="quiet">
    Imported from <a href="${jobPath(jobId)}">${file}</a>, ${times.day(at)}.
  </p>`
}
