/** weft member export: the same zip file as the export on a member's account page. */

import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { RequestError } from '../base/request-error.ts'
import { archiveFiles, archiveName, countArchiveRows } from '../exports/archive-files.ts'
import { zipStream } from '../exports/zip-stream.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { type Member } from '../members/member-row.ts'
import { requirePublicUrl } from '../config/config.ts'
import { progressBar } from './terminal/progress-bar.ts'
import { print, StoppedBySignal, stopSignal, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { Command } from 'commander'
import type { Database } from '../db/database.ts'

export function addMemberExportCommand(member: Command, terminal: Terminal): void {
  member
    .command('export')
    .description('Export all data of a member to a zip file and print its path')
    .argument('<username>')
    .option(
      '--to <file>',
      'path of the new file (default: weft-<username>-<day>.zip in the current folder)',
    )
    .action((username: string, options: { to?: string }) =>
      exportMember(terminal, username, options.to),
    )
}

async function exportMember(
  terminal: Terminal,
  username: string,
  to: string | undefined,
): Promise<void> {
  await withMember(terminal, username, async ({ database, member, config, now }) => {
    const publicUrl = requirePublicUrl(config)
    const path = to ?? archiveName(member, now)
    await database.write((tx) =>
      recordAdminAction(tx, { at: now, action: 'export', member: member.username }),
    )
    await writeArchive(terminal, database, { member, publicUrl, now }, path)
    print(terminal, path)
  })
}

interface ArchiveSource {
  readonly member: Member
  readonly publicUrl: string
  readonly now: number
}

/** Never overwrites a file, and removes an incomplete file. */
async function writeArchive(
  terminal: Terminal,
  database: Database,
  source: ArchiveSource,
  path: string,
): Promise<void> {
  const db = database.member(source.member.memberId)
  const reader = db.heavy
  const total = await countArchiveRows(reader)
  const file = await open(path, 'wx', OWNER_ONLY_MODE).catch((error: unknown) => {
    throw writeError(path, error)
  })
  const bar = progressBar(terminal, 'Writing')
  let done = 0
  const files = archiveFiles({
    ...source,
    reader,
    photos: db,
    onRows(count, name) {
      done += count
      bar.show({ done, total, message: name })
    },
  })
  const signal = stopSignal(terminal)
  try {
    await pipeline(zipStream(files, source.now), file.createWriteStream(), { signal })
  } catch (error) {
    await rm(path, { force: true })
    throw signal.aborted ? stoppedError(String(signal.reason), path) : error
  } finally {
    bar.stop()
  }
}

/** Only the owner can read the file. */
const OWNER_ONLY_MODE = 0o600

function stoppedError(signal: string, path: string): StoppedBySignal {
  return new StoppedBySignal(signal, `The export was stopped. ${path} was not written.`)
}

function writeError(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EEXIST')
    return new RequestError('conflict', `${path} already exists.`, {
      hint: 'Choose another path with --to.',
    })
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR' || code === 'EROFS')
    return new RequestError(
      'invalid_request',
      `${path} cannot be written (${code}). Choose another path with --to.`,
    )
  return error
}
