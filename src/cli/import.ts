/** weft import: read a contact file into a member's network, with a progress bar and a report. */

import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import { systemClock } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { Refusal } from '../base/refusal.ts'
import { fileImportJob } from '../connections/file-import.job.ts'
import { startJob } from '../jobs/start-job.ts'
import { MOST_UPLOAD_BYTES, NO_UPLOAD_QUOTA, removeUpload, storeUpload } from '../jobs/uploads.ts'
import { JobWorker } from '../jobs/worker.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { progressBar } from './progress-bar.ts'
import { print, table, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import type { StoredJob } from '../jobs/job-record.ts'

interface ImportOptions {
  readonly member: string
  readonly format: string
  readonly json?: true
}

export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description("Import LinkedIn, Google, Outlook or vCard contacts into a member's network")
    .argument('<file>')
    .requiredOption('--member <username>')
    .addOption(
      new Option('--format <format>', 'what the file is')
        .choices(['auto', 'linkedin', 'google', 'outlook', 'vcard'])
        .default('auto', 'told by its content'),
    )
    .option('--json', 'the report as JSON')
    .action((file: string, options: ImportOptions) => importFile(terminal, file, options))
}

async function importFile(terminal: Terminal, path: string, options: ImportOptions): Promise<void> {
  await checkFile(path)
  await withDatabase(terminal, async ({ database, config, now }) => {
    const { memberId } = await requireMemberByUsername(database, options.member)
    const db = database.member(memberId)
    await using file = await open(path)
    const upload = await storeUpload(db, {
      filename: basename(path),
      contentType: null,
      bytes: file.createReadStream({ autoClose: false }),
      now,
      quota: NO_UPLOAD_QUOTA,
    })
    const { job, started } = await db.write((tx) =>
      startJob(tx, {
        definition: fileImportJob,
        input: { upload_id: upload.upload_id, format: options.format },
        credentialId: null,
        charge: false,
        quota: config.monthlyCredits,
        now,
      }),
    )
    if (!started) {
      await removeUpload(db, upload.upload_id)
      throw new Refusal('conflict', `An import of ${options.member} is running already.`, {
        hint: 'Wait until it has ended, then import this file.',
      })
    }
    await using worker = new JobWorker({
      database,
      jobs: [fileImportJob],
      clock: systemClock,
      log: createLog('error'),
    })
    terminal.onStop(() => void worker[Symbol.asyncDispose]())
    const bar = await progressBar(terminal, 'Reading', 'Read')
    const ended = await worker.runToEnd(memberId, job.job_id, (progress) => bar.show(progress))
    bar.stop()
    report(terminal, ended, options.json === true)
  })
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Refusal('not_found', `There is no file ${path}.`)
  if (!found.isFile()) throw new Refusal('invalid_request', `${path} is not a file.`)
  if (found.size > MOST_UPLOAD_BYTES)
    throw new Refusal(
      'payload_too_large',
      `${path} is larger than ${MOST_UPLOAD_BYTES / 1024 / 1024} MB.`,
      {
        hint: 'Split it into several files; importing them one after another gives the same network.',
      },
    )
}

interface Report {
  readonly format: string
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  readonly rejected_count: number
  readonly rejected: readonly {
    readonly row: number
    readonly line: number
    readonly reason: string
  }[]
}

function report(terminal: Terminal, job: StoredJob, asJson: boolean): void {
  if (job.state === 'failed') {
    const { detail } = JSON.parse(job.error ?? '{}') as { detail?: string }
    throw new Refusal('unreadable_file', detail ?? 'The import failed.')
  }
  if (job.state !== 'succeeded')
    throw new Refusal(
      'conflict',
      'The import was stopped. What it had read so far is kept; import the file again to go on.',
    )
  const result = JSON.parse(job.result ?? '{}') as Report
  if (asJson) {
    print(terminal, JSON.stringify(result, undefined, 2))
    return
  }
  const { rows, created, updated, unchanged, skipped, rejected_count: rejected } = result
  print(terminal, `${result.format}: ${rows} rows read`)
  print(
    terminal,
    `  ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped, ${rejected} rejected`,
  )
  if (rejected > 0)
    print(
      terminal,
      table(
        ['ROW', 'LINE', 'REASON'],
        result.rejected.map(({ row, line, reason }) => [String(row), String(line), reason]),
      ),
    )
  if (rejected > result.rejected.length)
    print(terminal, `… and ${rejected - result.rejected.length} more`)
}
