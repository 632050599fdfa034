/** The job reference, generated from the job definitions. */

import { schemaTable } from './schema-table.ts'
import type { Job } from '../../jobs/job.ts'

export function jobReference(jobs: readonly Job[], publicUrl: string): string {
  return [
    '# Jobs',
    `Jobs run long operations in the background. To start one, send \`POST ${publicUrl}/api/jobs\` with a bearer token and \`{"kind": …}\` plus the fields of that kind. The response is 202 with \`Location\` and \`Retry-After\`. Some tools start a job too and return its \`task_id\`. If a job of the same kind is queued or running, the response describes that job, and nothing is charged.`,
    `\`GET ${publicUrl}/api/jobs/<task_id>\` returns \`state\` (queued, running, succeeded, failed or cancelled), \`progress\` and, after success, \`result\`. While \`terminal\` is false, poll again after \`Retry-After\` seconds. \`DELETE\` on the same URL cancels the job.`,
    ...jobs.map(section),
  ].join('\n\n')
}

function section({ kind, title, description, credits, input }: Job): string {
  return [
    `## ${kind}`,
    `${title}. ${description}`,
    `Credits: ${credits}, refunded if the job fails.`,
    schemaTable('field', input) ?? 'No fields except `kind`.',
  ].join('\n\n')
}
