/** The notices on a job's page. The URL carries only the name of the notice, so a link cannot forge its text. */

import { phrase, t } from '../languages/message.ts'
import { jobPath } from '../html/site-map.ts'

const NOTICES = {
  started: phrase('Import started. It continues if you close this page.'),
  running: phrase(
    'This import was already running. No second import was started and no extra credits were charged.',
  ),
  exporting: phrase('Export started. It continues if you close this page.'),
  exporting_already: phrase('This export was already running.'),
  looking: phrase('Looking for photos. It continues if you close this page.'),
  cancelled: phrase('Stop requested. The job stops as soon as possible.'),
} as const

type NoticeName = keyof typeof NOTICES

/** A job's page with a notice. */
export function jobNoticePath(jobId: number, name: NoticeName): string {
  return `${jobPath(jobId)}?notice=${name}`
}

const PENDING: ReadonlySet<string> = new Set<NoticeName>([
  'started',
  'exporting',
  'looking',
  'cancelled',
])

/** Reads the notice from the query string. Notices of what is going to happen are dropped once the job is over. */
export function jobNoticeOf(search: string, isOver: boolean): string | undefined {
  const asked = new URLSearchParams(search).get('notice')
  if (isOver && asked !== null && PENDING.has(asked)) return undefined
  const notice = Object.entries(NOTICES).find(([name]) => name === asked)?.[1]
  return notice && t(notice)
}
