/** The kinds of jobs as a page of the documentation, made from their records. */

import { schemaTable } from './schema-table.ts'
import type { Job } from '../../jobs/job.ts'

export function jobReference(jobs: readonly Job[], publicUrl: string): string {
  return [
    '# Jobs',
    `Work that takes longer than a request. \`POST ${publicUrl}/api/jobs\` with a bearer token and \`{"kind": …}\`, and the kind's own fields beside it, answers 202 with \`Location\` and \`Retry-After\`; some tools start a job as well and return its \`task_id\`. A kind of which a job is queued or running already reports that one, and nothing is charged.`,
    `\`GET ${publicUrl}/api/jobs/<task_id>\` tells \`state\` (queued, running, succeeded, failed or cancelled), \`progress\`, and \`result\` once it has succeeded. While \`terminal\` is false, ask again after \`Retry-After\` seconds. \`DELETE\` on the same address cancels.`,
    ...jobs.map(section),
  ].join('\n\n')
}

function section({ kind, title, description, credits, input }: Job): string {
  return [
    `## ${kind}`,
    `${title}. ${description}`,
    `Credits: ${credits}, given back if it fails.`,
    schemaTable('field', input) ?? 'No fields beside `kind`.',
  ].join('\n\n')
}
