/** weft member export: everything that a member has, as the same zip file that they can make for themselves. */

import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { RequestError } from '../base/request-error.ts'
import { archiveFiles, archiveName, countRows } from '../exports/archive.ts'
import { zipStream } from '../exports/zip-stream.ts'
import { requireMemberByUsername, type Member } from '../members/member.ts'
import { requirePublicUrl } from '../service/config.ts'
import { progressBar } from './progress-bar.ts'
import { print, StoppedBySignal, stopSignal, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import type { Command } from 'commander'
import type { Database } from '../db/database.ts'

export function addMemberExportCommand(member: Command, terminal: Terminal): void {
  member
    .command('export')
    .description('Write everything a member has into one zip file, and print its path')
    .argument('<username>')
    .option('--to <file>', 'a new file; by default weft-<username>-<day>.zip in this folder')
    .action((username: string, options: { to?: string }) =>
      exportMember(terminal, username, options.to),
    )
}

async function exportMember(
  terminal: Terminal,
  username: string,
  to: string | undefined,
): Promise<void> {
  await withDatabase(terminal, async ({ database, config, now }) => {
    const publicUrl = requirePublicUrl(config)
    const member = await requireMemberByUsername(database, username)
    const path = to ?? archiveName(member, now)
    await writeArchive(terminal, database, { member, publicUrl, now }, path)
    print(terminal, path)
  })
}

interface Archived {
  readonly member: Member
  readonly publicUrl: string
  readonly now: number
}

/** Nothing is written over, and what is broken off leaves no half of a file. */
async function writeArchive(
  terminal: Terminal,
  database: Database,
  archived: Archived,
  path: string,
): Promise<void> {
  const reader = database.member(archived.member.memberId).heavy
  const total = await countRows(reader)
  const file = await open(path, 'wx', OWNER_ALONE).catch((error: unknown) => {
    throw notWritten(path, error)
  })
  const bar = progressBar(terminal, 'Writing')
  let done = 0
  const files = archiveFiles({
    ...archived,
    reader,
    onRows(count, name) {
      done += count
      bar.show({ done, total, message: name })
    },
  })
  const signal = stopSignal(terminal)
  try {
    await pipeline(zipStream(files, archived.now), file.createWriteStream(), { signal })
  } catch (error) {
    await rm(path, { force: true })
    throw signal.aborted ? stopped(String(signal.reason), path) : error
  } finally {
    bar.stop()
  }
}

/** Nobody else who has an account on this machine reads it. */
const OWNER_ALONE = 0o600

function stopped(signal: string, path: string): StoppedBySignal {
  return new StoppedBySignal(signal, `The export was stopped. ${path} was not written.`)
}

function notWritten(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EEXIST')
    return new RequestError('conflict', `There is a file ${path} already.`, {
      hint: 'Name another one with --to.',
    })
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR' || code === 'EROFS')
    return new RequestError('invalid_request', `${path} cannot be written here (${code}).`)
  return error
}
