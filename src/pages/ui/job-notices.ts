/** What the page of a job says first; its address names the notice and cannot say anything else. */

import { jobPath } from '../../html/site-map.ts'

const NOTICES = {
  started: 'The import has started. It goes on when you close this page.',
  running:
    'An import of yours was running already: this one. No second one was started, and nothing more was charged.',
  exporting: 'The export has started. It goes on when you close this page.',
  exporting_already: 'An export of yours was running already: this one.',
  cancelled: 'The job is stopped, or will be as soon as it can be.',
} as const

export type NoticeName = keyof typeof NOTICES

export function noticePath(jobId: number, name: NoticeName): string {
  return `${jobPath(jobId)}?notice=${name}`
}

/** Of the page's query string. That a job has started is no news once it is over. */
export function noticeOf(search: string, isOver: boolean): string | undefined {
  const asked = new URLSearchParams(search).get('notice')
  if (isOver && (asked === 'started' || asked === 'exporting')) return undefined
  return Object.entries(NOTICES).find(([name]) => name === asked)?.[1]
}
