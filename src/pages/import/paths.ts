/** Where a file is chosen, and where what is in it is shown before it is imported. */

import { JOBS_PATH } from '../jobs/paths.ts'

export const IMPORT_PATH = '/user/import'

/** Of an import, by the number of its job. */
export function rejectedPath(jobId: number | ':job_id'): string {
  return `${JOBS_PATH}/${jobId}/rejected.csv`
}

export function planPath(uploadId: string): string {
  return `${IMPORT_PATH}/${uploadId}`
}
