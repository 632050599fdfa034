/** weft import: read a contact file into a member's network, with a progress bar and a report. */

import { open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import { systemClock } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { prepareNetwork } from '../connections/search/meaning/prepare-network.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { previewImport } from '../imports/preview-import.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { fileReading, IMPORT_FORMATS } from '../imports/reading/read-options.ts'
import type { StoredJob } from '../jobs/job-record.ts'
import {
  findActiveJob,
  requestCancel,
  requireJob,
  startJob,
  type ActiveJob,
} from '../jobs/start-job.ts'
import { removeUpload } from '../jobs/uploads.ts'
import { NO_UPLOAD_QUOTA, storeUpload } from '../jobs/store-upload.ts'
import { JobWorker } from '../jobs/worker.ts'
import { checkFile, copyInput, readFrom, STANDARD_INPUT } from './import-input.ts'
import {
  printColumns,
  printReport,
  reportCancel,
  reportImport,
  reportMissingColumns,
} from './terminal/import-report.ts'
import { progressBar } from './terminal/progress-bar.ts'
import { cutToWidth } from './terminal/table.ts'
import {
  plural,
  print,
  say,
  StoppedBySignal,
  stopSignal,
  type Terminal,
} from './terminal/terminal.ts'
import {
  describeReading,
  isOfFile,
  isReadAs,
  requireUnfinished,
  unfinishedImport,
} from './unfinished-import.ts'
import { withMember } from './with-database.ts'
import type { Database, MemberDatabase } from '../db/database.ts'

interface ImportOptions {
  readonly member: string
  readonly format: (typeof IMPORT_FORMATS)[number]
  readonly json?: true
  readonly resume?: true
  readonly cancel?: true
  readonly dryRun?: true
  readonly encoding?: string
  /** Undefined unless the option is given. */
  readonly column?: readonly string[]
}

export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description("Import a file of contacts (CSV, Excel, vCard or zip) into a member's network")
    .argument('[file]', 'the file, or - for standard input')
    .requiredOption('--member <username>')
    .addOption(
      new Option('--format <format>', 'format of the file')
        .choices(IMPORT_FORMATS)
        .default('auto', 'detected from the content'),
    )
    .option(
      '--encoding <name>',
      'text encoding of the file, such as windows-1250; detected by default',
    )
    .option(
      '--column <name=field>',
      'map a column, such as "Role=title"; can be repeated, and is remembered',
      (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
    )
    .option('--json', 'print the report as JSON')
    .option('--resume', "continue the member's unfinished import, or wait for it; takes no file")
    .option('--dry-run', 'print what an import would do without changing anything')
    .option('--cancel', "cancel the member's unfinished import; takes no file")
    .action((file: string | undefined, options: ImportOptions, command: Command) => {
      if ([file, options.resume, options.cancel].filter((one) => one !== undefined).length !== 1)
        command.error('error: provide a file, --resume or --cancel, and only one of them')
      if (options.dryRun && file === undefined) command.error('error: --dry-run needs a file')
      return runImportCommand(terminal, file, options)
    })
}

/** Shared by every step of the command. */
interface Import {
  readonly terminal: Terminal
  readonly database: Database
  readonly db: MemberDatabase
  readonly options: ImportOptions
  readonly quota: number
  readonly now: number
  /** Aborts when the process receives a stop signal. */
  readonly signal: AbortSignal
}

async function runImportCommand(
  terminal: Terminal,
  path: string | undefined,
  options: ImportOptions,
): Promise<void> {
  if (path === STANDARD_INPUT) {
    await using copy = await copyInput(terminal)
    return await runImportCommand(terminal, copy.path, options)
  }
  if (path !== undefined) await checkFile(path)
  await withMember(terminal, options.member, async ({ database, db, config, now }) => {
    const signal = stopSignal(terminal)
    const quota = config.monthlyCredits
    const run: Import = { terminal, database, db, options, quota, now, signal }
    if (options.dryRun && path !== undefined) return await previewFile(run, path)
    const jobId =
      path === undefined
        ? await requireUnfinished(db, options.member)
        : await findOrStartImport(run, path)
    if (options.cancel) reportCancel(terminal, await cancelImport(run, jobId))
    else {
      reportImport(terminal, await runToEnd(run, jobId), options)
      await prepareForSearches(run, openEmbedder(config.embeddings))
    }
  })
}

/** Indexes and embeds everyone now, so that the first search after an import is fast. */
async function prepareForSearches({ db, signal }: Import, embedder: Embedder): Promise<void> {
  const onFailed = (error: unknown) =>
    createLog('error').error({ err: error }, 'could not prepare the network for searches')
  const deps = { embedder, now: () => systemClock.now(), onFailed }
  await prepareNetwork(db, (step) => db.write(step, { bulk: true }), deps, signal)
}

async function previewFile(run: Import, path: string) {
  const { terminal, db, options, now, signal } = run
  await using file = await open(path)
  const upload = await storeFile(run, path, file)
  try {
    const reading = fileReading(inputOptions(options))
    const plan = await previewImport(db, { uploadId: upload.upload_id, now, reading }, signal)
    const { report, columns, isWhole } = plan
    reportMissingColumns(terminal, plan, options.column)
    if (options.json)
      return print(terminal, JSON.stringify({ ...report, columns, is_whole: isWhole }))
    say(terminal, 'Dry run: no changes were made. An import of this file would give:')
    printReport(terminal, report)
    printColumns(terminal, columns)
    if (!isWhole) say(terminal, `Only the first ${plural(report.rows, 'row')} were read.`)
  } finally {
    await removeUpload(db, upload.upload_id)
  }
}

/** The job for this file: the unfinished one if it reads the same file in the same way, otherwise a new one. */
async function findOrStartImport(run: Import, path: string): Promise<number> {
  const { db, terminal, options } = run
  await using file = await open(path)
  for (;;) {
    const active = await findActiveJob(db, fileImportJob.kind)
    if (active && !(await isOfFile(db, active, readFrom(file))))
      throw await unfinishedImport(db, active, options.member)
    if (active && isReadAs(active, fileReading(inputOptions(options)))) {
      say(terminal, `Continuing the unfinished import of ${basename(path)}.`)
      return active.job_id
    }
    if (active) await cancelOther(run, active, path)
    const started = await startImport(run, path, file)
    if (started !== undefined) return started
  }
}

/** Cancels an import of the same file with other options. */
async function cancelOther(run: Import, active: ActiveJob, path: string): Promise<void> {
  const { terminal } = run
  const { state } = await cancelImport(run, active.job_id)
  const how = describeReading(active)
  if (state === 'cancelled')
    say(
      terminal,
      `The unfinished import of ${basename(path)} was canceled, because it had other options (${how}). Imported connections are kept.`,
    )
}

function storeFile({ db, now, signal }: Import, path: string, file: FileHandle) {
  const bytes = readFrom(file, signal)
  const filename = basename(path)
  return storeUpload(db, { filename, contentType: null, now, quota: NO_UPLOAD_QUOTA, bytes })
}

/** Returns undefined if another process started an import in the meantime. */
async function startImport(
  run: Import,
  path: string,
  file: FileHandle,
): Promise<number | undefined> {
  const { db, options, quota, now, signal } = run
  const upload = await storeFile(run, path, file).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw new StoppedBySignal(String(signal.reason), 'Stopped. Nothing was imported.')
  })
  const { job, started } = await db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { upload_id: upload.upload_id, ...inputOptions(options) },
      credentialId: null,
      charge: false,
      quota,
      now,
    }),
  )
  if (started) return job.job_id
  await removeUpload(db, upload.upload_id)
  return undefined
}

function inputOptions({ format, encoding, column }: ImportOptions) {
  return {
    format,
    ...(encoding !== undefined && { encoding }),
    ...(column !== undefined && { columns: [...column] }),
  }
}

/** The job when it has ended, which it can before it is canceled. */
async function cancelImport(run: Import, jobId: number): Promise<StoredJob> {
  await run.db.write((tx) => requestCancel(tx, jobId, run.now))
  return runToEnd(run, jobId)
}

/** Runs the job, or follows it if another process runs it. A stop signal releases the job for the next process. */
async function runToEnd(
  { terminal, database, db, signal }: Import,
  jobId: number,
): Promise<StoredJob> {
  await using worker = new JobWorker({
    database,
    jobs: [fileImportJob],
    clock: systemClock,
    log: createLog('error'),
  })
  const stop = () => void worker[Symbol.asyncDispose]()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const { filename } = await requireJob(db, jobId)
  const bar = progressBar(terminal, labelOf(filename))
  const job = await worker.runToEnd(db.memberId, jobId, (progress) => bar.show(progress))
  bar.stop()
  if (signal.aborted && (job.state === 'queued' || job.state === 'running'))
    throw new StoppedBySignal(String(signal.reason), stoppedText(job))
  return job
}

/** A long name leaves room for the bar. */
function labelOf(filename: string | null): string {
  return filename === null ? 'Importing' : `Importing ${cutToWidth(filename, MAX_NAME_WIDTH)}`
}

const MAX_NAME_WIDTH = 25 // columns

function stoppedText({ state, progress_message: message }: StoredJob): string {
  if (state === 'running') return 'Stopped waiting. The import continues in another process.'
  const progress = message === null ? '' : ` (${message})`
  return (
    `The import was stopped${progress}. Imported connections are kept.\n` +
    'Run the same command again to continue; a running `weft serve` continues automatically. Use --cancel to end the import.'
  )
}
