/** file_import: imports a contact file into the member's network, row by row, and reports the result. */

import { PAIRS_KEYWORD, PLAIN_KEYWORD } from '../tools/arguments/schema-part.ts'
import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { defineJob, type Job, type JobProgress, type RunningJob } from '../jobs/job.ts'
import { readUpload, requireUpload } from '../jobs/uploads.ts'
import { storeText } from '../jobs/store-upload.ts'
import { amendChange, recordChange } from '../tools/activity.ts'
import { emptyReport, reportedColumns, type ImportReport } from './import-report.ts'
import { looksLikeZip } from '../contact-files/bytes/zip.ts'
import { loadMappings, rememberMapping } from './reading/column-mappings.ts'
import { fileReading, IMPORT_FORMATS, readOptions } from './reading/read-options.ts'
import { changedByJob } from '../jobs/job-starter.ts'
import { findImportedBook, ofBook } from './imported-book.ts'
import { importRows } from './import-batch.ts'
import type { RecordedImport } from './undo-custom-fields.ts'
import { customFieldId } from '../connections/custom-fields/custom-fields.ts'
import { addStartViews } from '../connections/people/saved-views.ts'
import type { NetworkSettings } from '../contact-files/contact/network-settings.ts'
import type { RestoredToDos } from '../connections/follow-ups/portable-follow-ups.ts'
import { photoCropper, type CroppedPhoto } from '../members/photo/crop-photo.ts'
import { restoreProfile } from './restore-profile.ts'
import { restoreSettings } from './restore-settings.ts'
import { turnRelations } from './turn-relations.ts'
import type { RecordedSettings } from './undo-settings.ts'
import { openInThread } from './reading/read-in-thread.ts'
import { readable } from './reading/unreadable-error.ts'
import { batchesOf } from './reading/uploaded-contacts.ts'
import type { MergeContext } from './merging/matched-people.ts'
import type { Change } from '../tools/tool.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { ImportRow } from '../contact-files/contact/contact.ts'

const ImportFormatInput = Type.Enum(IMPORT_FORMATS, {
  type: 'string',
  default: 'auto',
  description: 'Default auto',
  [PLAIN_KEYWORD]: true,
})

/** How many times as much text a zip holds, about. */
const ZIP_FACTOR = 20

const MAX_COLUMN_LENGTH = 500
const MAX_MAPPED_COLUMNS = 200

const ColumnsInput = Type.Array(Type.String({ maxLength: MAX_COLUMN_LENGTH }), {
  maxItems: MAX_MAPPED_COLUMNS,
  description:
    'Header=field for columns not detected: name, email, phone:work, company, title, note, custom, ignore …',
  examples: [['Role=title', 'Klub=tags']],
  [PAIRS_KEYWORD]: true,
})

/** Limit for a file passed in a call, in characters; larger files must be uploaded. */
const MAX_CONTENT_BYTES = 10 * 1024 * 1024

export const FileImportInput = Type.Closed(
  {
    upload_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'From POST /api/uploads',
        examples: ['upl_7Qm2'],
      }),
    ),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CONTENT_BYTES,
        description: 'Text of the file',
        examples: ['First Name,Last Name\nGrace,Hopper\n'],
      }),
    ),
    format: Type.Optional(ImportFormatInput),
    columns: Type.Optional(ColumnsInput),
    encoding: Type.Optional(
      Type.String({
        maxLength: 30,
        description: 'Detected by default',
        [PLAIN_KEYWORD]: true,
        examples: ['windows-1250'],
      }),
    ),
  },
  {
    examples: [{ content: 'First Name,Last Name\nGrace,Hopper\n' }],
  },
)

/** `timeLimitMs` is how long the import waits for the rows of its file; see read-in-thread.ts. */
export function fileImport(timeLimitMs?: number): Job {
  const crop = photoCropper()
  return defineJob({
    kind: 'file_import',
    tool: 'import_connections',
    title: 'Import a contact file',
    description:
      'Imports a table of contacts (CSV, XLSX), vCards, or the zip of LinkedIn or Google into the network. Importing the same file again changes nothing.',
    input: FileImportInput,
    credits: 5,
    async prepare(tx, input, now) {
      await checkFileInput(tx, input, now)
      const { upload_id: _uploadId, content, ...reading } = input
      if (content === undefined) return input
      const stored = await storeText(tx, {
        filename: null,
        contentType: 'text/plain',
        text: content,
        now,
      })
      return { upload_id: stored.upload_id, ...reading }
    },
    async filenameOf(reader, { upload_id }, now) {
      if (upload_id === undefined) return null
      return (await requireUpload(reader, upload_id, now)).filename
    },
    async bytesOf(reader, { upload_id = '' }, now) {
      const { bytes } = await requireUpload(reader, upload_id, now)
      for await (const head of readUpload(reader, upload_id))
        return looksLikeZip(head) ? bytes * ZIP_FACTOR : bytes
      return bytes
    },
    run: (job: ImportJob) => importFile(job, crop, timeLimitMs),
  })
}

export const fileImportJob = fileImport()

/** @throws {RequestError} `invalid_request` when the columns, the encoding or the file cannot be imported. */
export async function checkFileInput(
  reader: MemberReader,
  { upload_id, content, ...reading }: Type.Static<typeof FileImportInput>,
  now: number,
): Promise<void> {
  readOptions(fileReading(reading))
  if ((upload_id === undefined) === (content === undefined))
    throw new RequestError('invalid_request', 'Provide either upload_id or content.', {
      errors: [
        {
          pointer: '/content',
          detail: 'is required unless upload_id is given, and not allowed with it',
        },
      ],
    })
  if (upload_id !== undefined) await requireUpload(reader, upload_id, now)
}

/** Progress after a batch: the last row processed and the report so far. */
interface ImportCheckpoint {
  readonly row: number
  readonly report: ImportReport
  /** ID of its entry in the activity log; undefined until something changes. */
  readonly activityId?: number | undefined
  readonly customFields?: readonly number[] | undefined
  readonly toDos?: RestoredToDos | undefined
  readonly settings?: RecordedSettings | undefined
}

type ImportJob = RunningJob<Type.Static<typeof FileImportInput>, ImportCheckpoint>
type RecordedJob = Pick<ImportJob, 'jobId' | 'credentialId' | 'now'>

/** Rows per transaction. On SQLite, other members' writes wait for it. */
const BATCH = 256

async function importFile(
  job: ImportJob,
  crop: ReturnType<typeof photoCropper>,
  timeLimitMs?: number,
): Promise<ImportReport> {
  const upload = await requireUpload(job.db, job.input.upload_id ?? '', job.now())
  const { checkpoint } = job
  const task = {
    reading: fileReading(job.input),
    mappings: await loadMappings(job.db),
    bytes: upload.bytes,
    done: checkpoint?.row ?? 0,
  }
  const bytes = readUpload(job.db, upload.upload_id)
  await using file = await readable(() =>
    openInThread(bytes, task, { memberId: job.db.memberId, signal: job.signal, timeLimitMs }),
  )
  const { columns } = task.reading
  if (columns !== undefined && file.header.length > 0)
    await job.db.write((tx) => rememberMapping(tx, file.header, columns, job.now()))
  let current: ImportCheckpoint = {
    row: checkpoint?.row ?? 0,
    report: checkpoint?.report ?? emptyReport(file.format, upload.filename),
    activityId: checkpoint?.activityId,
    customFields: checkpoint?.customFields,
    toDos: checkpoint?.toDos,
    settings: checkpoint?.settings,
  }
  const progress = (sofar: ImportReport) => ({
    done: file.extent.read,
    total: file.extent.total,
    message: `${sofar.rows.toLocaleString('en')} rows read`,
  })
  const { settings } = file
  if (checkpoint === null && settings !== undefined) {
    const photo = await cropPhoto(job, settings, crop)
    current = await takeSettings(job, settings, { before: current, photo, progress })
  }
  const bookId = await findImportedBook(job.db, job.jobId)
  const confirmed = new Set<number>()
  const context = () => ({ source: file.format, jobId: job.jobId, now: job.now(), confirmed })
  for await (const rows of batchesOf(file, BATCH, current.row))
    current = await importBatch(job, {
      rows: bookId === undefined ? rows : rows.map((row) => ofBook(row, bookId)),
      before: current,
      context,
      progress,
    })
  // As the first reader of Monica's export stored them.
  if (settings?.version === 1)
    await job.db.write(async (tx) => {
      const by = await changedByJob(tx, job)
      const record = (change: Change) => recordChange(tx, by, change)
      await turnRelations({ tx, now: by.now, record }, job.jobId, { isCreated: true })
    })
  return { ...current.report, ...reportedColumns(file.columns()) }
}

interface UnsavedBatch {
  readonly rows: readonly ImportRow[]
  readonly before: ImportCheckpoint
  readonly context: () => MergeContext & { readonly confirmed: Set<number> }
  readonly progress: (report: ImportReport) => JobProgress
}

/** Imports a batch, and saves it with the checkpoint after it. */
async function importBatch(
  job: ImportJob,
  { rows, before, context, progress }: UnsavedBatch,
): Promise<ImportCheckpoint> {
  const { confirmed, after } = await job.db.write(
    async (tx) => {
      // Counts on a copy, because the transaction may be retried.
      const report = structuredClone(before.report)
      const saved = await importRows(tx, rows, report, context())
      const customFields = [...(before.customFields ?? []), ...saved.customFields]
      const activityId = await recordImport(tx, job, { ...before, report, customFields })
      const row = rows.at(-1)?.row ?? before.row
      const checkpoint = { ...before, row, report, activityId, customFields }
      await job.save(tx, checkpoint, progress(report))
      return { confirmed: saved.confirmed, after: checkpoint }
    },
    { bulk: true },
  )
  for (const id of confirmed) context().confirmed.add(id)
  return after
}

interface UnsavedSettings {
  readonly before: ImportCheckpoint
  readonly photo: CroppedPhoto | undefined
  readonly progress: (report: ImportReport) => JobProgress
}

/** Before the first row, so that values of custom fields keep their kinds. */
function takeSettings(
  job: ImportJob,
  settings: NetworkSettings,
  { before, photo, progress }: UnsavedSettings,
): Promise<ImportCheckpoint> {
  return job.db.write(async (tx) => {
    const by = await changedByJob(tx, job)
    const isRestored =
      settings.profile !== undefined && (await restoreProfile(tx, settings.profile, { by, photo }))
    const files = settings.files.map((one) =>
      /(?:^|\/)profile\.json$/.test(one.name) && !isRestored
        ? { ...one, use: 'not_restored' as const }
        : one,
    )
    const restored = await restoreSettings(tx, settings, by.now)
    const customFields = restored.customFields.map(({ fieldId }) => fieldId)
    const state: ImportCheckpoint = {
      ...before,
      report: { ...before.report, files },
      customFields,
      toDos: restored.toDos,
      settings: restored.settings,
    }
    const after = { ...state, activityId: await recordImport(tx, job, state) }
    await job.save(tx, after, progress(before.report))
    return after
  })
}

/** Undefined without a photo, or if the member has one or it cannot be read. */
async function cropPhoto(
  { db }: ImportJob,
  { profile }: NetworkSettings,
  crop: ReturnType<typeof photoCropper>,
): Promise<CroppedPhoto | undefined> {
  if (profile?.photo === undefined) return undefined
  const cropped = await crop(db.memberId, profile.photo)
  return 'refused' in cropped ? undefined : cropped
}

/**
 * Records the import as one entry in the activity log, so that it can be undone as a whole. The entry exists from the
 * first change on, so a stopped or failed import can be undone too. Returns its ID.
 */
export async function recordImport(
  tx: MemberTransaction,
  job: RecordedJob,
  { report, activityId, customFields = [], toDos, settings = {} }: Omit<ImportCheckpoint, 'row'>,
): Promise<number | undefined> {
  const {
    rejected: _rejected,
    unread: _unread,
    columns: _columns,
    files: _files,
    ...counts
  } = report
  const after: RecordedImport = {
    ...counts,
    ...(customFields.length > 0 && { custom_fields: customFields.map(customFieldId) }),
    ...(toDos && { to_dos: toDos }),
    ...settings,
  }
  const hasSettings = Object.keys(settings).length > 0 || toDos !== undefined
  if (activityId !== undefined) await amendChange(tx, activityId, after)
  else if (counts.created + counts.updated + customFields.length > 0 || hasSettings) {
    await addStartViews(tx, job.now())
    return recordChange(tx, await changedByJob(tx, job), {
      action: 'connections.import',
      subjectKind: 'job',
      subjectId: String(job.jobId),
      before: null,
      after,
    })
  }
  return activityId
}
