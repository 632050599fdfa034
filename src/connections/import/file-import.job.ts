/** file_import: reads a contact file into the member's network, row by row, with a report. */

import Type from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { defineJob, type RunningJob } from '../../jobs/job.ts'
import { requireUpload, storeText } from '../../jobs/uploads.ts'
import { amendChange, recordChange } from '../../tools/activity.ts'
import { countRows, emptyReport, type ImportReport } from './import-report.ts'
import { readStarter } from './import-starter.ts'
import { mergeContacts } from './merge-contacts.ts'
import { batchesOf, openUploadedContacts } from './uploaded-contacts.ts'
import type { ContactFile } from './formats/read-contacts.ts'
import type { ImportRow } from '../model/contact.ts'
import type { MemberDatabase, MemberTransaction } from '../../db/database.ts'

export const ImportFormatInput = Type.Enum(['auto', 'linkedin', 'google', 'outlook', 'vcard'], {
  type: 'string',
  default: 'auto',
  description: 'auto tells by the content',
})

/** A file pasted into a call; a larger one is uploaded. Characters. */
export const MAX_CONTENT_BYTES = 10 * 1024 * 1024

export const FileImportInput = Type.Object(
  {
    upload_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A file sent to POST /api/uploads',
      }),
    ),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CONTENT_BYTES,
        description: 'The text of the file',
      }),
    ),
    format: Type.Optional(ImportFormatInput),
  },
  { additionalProperties: false },
)

export const fileImportJob = defineJob({
  kind: 'file_import',
  title: 'Import a contact file',
  description:
    'Reads LinkedIn, Google, Outlook or vCard contacts into the network. The same file again changes nothing.',
  input: FileImportInput,
  credits: 5,
  async prepare(tx, input, now) {
    const { upload_id, content, format } = input
    if ((upload_id === undefined) === (content === undefined))
      throw new RequestError('invalid_request', 'Give either upload_id or content.', {
        errors: [
          {
            pointer: '/upload_id',
            detail: 'is required unless content is given, and not beside it',
          },
        ],
      })
    if (content === undefined) {
      await requireUpload(tx, upload_id ?? '', now)
      return input
    }
    const stored = await storeText(tx, {
      filename: null,
      contentType: 'text/plain',
      text: content,
      now,
    })
    return { upload_id: stored.upload_id, ...(format !== undefined && { format }) }
  },
  run: importFile,
})

/** Where an import stands after a batch: the last row it dealt with, and the report so far. */
interface ImportCheckpoint {
  readonly row: number
  readonly report: ImportReport
  /** Of its entry in the member's activity; undefined as long as nothing was changed. */
  readonly activityId?: number | undefined
}

type ImportJob = RunningJob<Type.Static<typeof FileImportInput>, ImportCheckpoint>

/** Rows in one transaction: short enough that other calls hardly wait for it, long enough to share its cost. */
const BATCH = 256

async function importFile(job: ImportJob): Promise<ImportReport> {
  const upload = await requireUpload(job.db, job.input.upload_id ?? '', job.now())
  const position = { bytes: 0 }
  const file = await openUploadedContacts(job.db, upload.upload_id, job.input.format, position)
  const { checkpoint } = job
  let at: ImportCheckpoint = {
    row: checkpoint?.row ?? 0,
    report: checkpoint?.report ?? emptyReport(file.format, upload.filename),
    activityId: checkpoint?.activityId,
  }
  const progress = (sofar: ImportReport) => ({
    done: position.bytes,
    total: upload.bytes,
    message: `${sofar.rows} rows read`,
  })
  for await (const rows of batchesOf(file, BATCH, at.row)) {
    const before = at
    // Counted on a copy: a transaction may have to run again.
    at = await job.db.write(
      async (tx) => {
        const report = structuredClone(before.report)
        await importRows(tx, job, file, rows, report)
        const activityId = await tellActivity(tx, job, report, before.activityId)
        const after = { row: rows.at(-1)?.row ?? before.row, report, activityId }
        await job.save(tx, after, progress(report))
        return after
      },
      { bulk: true },
    )
  }
  const { report } = at
  if (report.created + report.updated > 0) await tidyIndex(job.db)
  return report
}

/** Makes searches quick again after so many inserts; what these steps leave over, the next import goes on with. */
async function tidyIndex(db: MemberDatabase): Promise<void> {
  for (let step = 0; step < MAX_TIDY_STEPS; step += 1)
    if (!(await db.write((tx) => tx.fullText.tidyConnections(tx), { bulk: true }))) return
}

const MAX_TIDY_STEPS = 100

async function importRows(
  tx: MemberTransaction,
  job: ImportJob,
  file: ContactFile,
  rows: readonly ImportRow[],
  report: ImportReport,
): Promise<void> {
  const contacts = rows.flatMap((row) => ('contact' in row ? [row.contact] : []))
  const results = await mergeContacts(tx, contacts, {
    source: file.format,
    jobId: job.jobId,
    now: job.now(),
  })
  countRows(report, rows, results)
}

/**
 * The import in the member's activity: one entry, from which it can be taken back whole. It is there from the first
 * change on, so that an import that was stopped, or has failed, can be taken back too. Returns its number.
 */
async function tellActivity(
  tx: MemberTransaction,
  job: ImportJob,
  { rejected: _rejected, ...counts }: ImportReport,
  activityId: number | undefined,
): Promise<number | undefined> {
  const { credentialId } = job
  if (activityId !== undefined) await amendChange(tx, activityId, counts)
  else if (counts.created + counts.updated > 0)
    return recordChange(
      tx,
      { credentialId, actor: await readStarter(tx, credentialId), now: job.now() },
      {
        action: 'connections.import',
        subjectKind: 'job',
        subjectId: String(job.jobId),
        before: null,
        after: counts,
      },
    )
  return activityId
}
