/** Messages about imports and exports that have ended, and the new jobs that an import found. */

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
  return jobs.flatMap((job) => [endNotice(job)].concat(jobChangeNotices(job)))
}

function endNotice({ job_id, kind, state, filename }: FinishedJob): Notice {
  const isImport = kind === 'file_import'
  return {
    cause: isImport ? 'import.finished' : 'export.finished',
    subject: `${kind} ${job_id}`,
    title: titleOf(isImport, state),
    body: filename ?? '',
    path: jobPath(job_id),
    data: { task_id: String(job_id), state },
  }
}

/** One message about all new jobs of an import. */
function jobChangeNotices({ job_id, kind, filename, result }: FinishedJob): Notice[] {
  if (kind !== 'file_import' || result === null) return []
  // Written by the import.
  const { job_changes: count = 0 } = JSON.parse(result) as { readonly job_changes?: number }
  if (count === 0) return []
  return [
    {
      cause: 'job_change.found',
      subject: `job_change.found ${job_id}`,
      title: t('{count, plural, one {# person has a new job} other {# people have new jobs}}', {
        count,
      }),
      body: filename ?? '',
      path: jobPath(job_id),
      data: { task_id: String(job_id), people: count },
    },
  ]
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
  readonly result: string | null
}

/** By jobs_by_member; a member has few jobs. */
const FINISHED = memberStatement<{ after: number; until: number }, FinishedJob>()(`
  select job_id, kind, state, filename, result from jobs
  where member_id = :member_id and kind in ('file_import', 'export_data') and state in ('succeeded', 'failed')
    and finished_at > :after and finished_at <= :until
  order by finished_at limit 20`)
