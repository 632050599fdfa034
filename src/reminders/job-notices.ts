/** Messages about imports and exports that have ended. */

import { memberStatement } from '../db/statement.ts'
import { jobPath } from '../html/site-map.ts'
import { t } from '../languages/message.ts'
import type { MemberReader } from '../db/database.ts'
import type { Notice } from '../deliveries/notice.ts'

/** Jobs that ended after `after` and not after `until`. Milliseconds. */
export async function finishedJobNotices(
  reader: MemberReader,
  period: { readonly after: number; readonly until: number },
): Promise<Notice[]> {
  const jobs = await reader.all(FINISHED, period)
  return jobs.map(({ job_id, kind, state, filename }) => {
    const isImport = kind === 'file_import'
    return {
      cause: isImport ? 'import.finished' : 'export.finished',
      subject: `${kind} ${job_id}`,
      title: titleOf(isImport, state),
      body: filename ?? '',
      path: jobPath(job_id),
      data: { task_id: String(job_id), state },
    }
  })
}

function titleOf(isImport: boolean, state: string): string {
  if (state === 'succeeded') return isImport ? t('Import finished') : t('Export finished')
  return isImport ? t('Import failed') : t('Export failed')
}

interface FinishedJob {
  readonly job_id: number
  readonly kind: 'file_import' | 'export_data'
  readonly state: 'succeeded' | 'failed'
  readonly filename: string | null
}

/** By jobs_by_member; a member has few jobs. */
const FINISHED = memberStatement<{ after: number; until: number }, FinishedJob>()(`
  select job_id, kind, state, filename from jobs
  where member_id = :member_id and kind in ('file_import', 'export_data') and state in ('succeeded', 'failed')
    and finished_at > :after and finished_at <= :until
  order by finished_at limit 20`)
