/** Where the pages of jobs are, and where their forms are sent. */

export const JOBS_PATH = '/user/jobs'
export const CANCEL_PATH = `${JOBS_PATH}/cancel`

export function jobPath(jobId: number): `${typeof JOBS_PATH}/${number}` {
  return `${JOBS_PATH}/${jobId}`
}

export function eventsPath(jobId: number): string {
  return `${jobPath(jobId)}/events`
}
