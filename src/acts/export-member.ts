/** The same zip file as the export on a member's account page. */

import { codeOf } from '../base/thrown.ts'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { RequestError } from '../base/request-error.ts'
import { requirePublicUrl } from '../config/config.ts'
import { archiveFiles, archiveName, countArchiveRows } from '../exports/archive-files.ts'
import { zipStream } from '../exports/zip-stream.ts'
import { phrase } from '../languages/message.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { taskAct } from './act.ts'
import { option } from './act-arguments.ts'

/** Only the owner can read the file. */
const OWNER_ONLY_MODE = 0o600

/** Never overwrites a file, and removes an incomplete file. */
export const EXPORT = taskAct({
  name: 'member export',
  summary: 'Export all data of a member to a zip file and print its path',
  action: 'export',
  label: phrase('Exported all data'),
  member: 'argument',
  fields: {
    to: option(
      'file',
      'path of the new file (default: weft-<username>-<day>.zip in the current folder)',
    ),
  },
  async run({ database, db, settings, now, ...call }, { to }, { progress, signal, stopped }) {
    const publicUrl = requirePublicUrl(settings)
    const member = await requireMemberByUsername(database, call.member.username)
    const path = to ?? archiveName(member, now)
    const reader = db.heavy
    const total = await countArchiveRows(reader)
    const file = await open(path, 'wx', OWNER_ONLY_MODE).catch((error: unknown) => {
      throw writeError(path, error)
    })
    const bar = progress('Writing')
    let done = 0
    const onRows = (count: number, message: string) => {
      done += count
      bar.show({ done, total, message })
    }
    const files = archiveFiles({ member, publicUrl, now, reader, photos: db, onRows })
    try {
      await pipeline(zipStream(files, now), file.createWriteStream(), { signal })
    } catch (error) {
      await rm(path, { force: true })
      if (!signal.aborted) throw error
      throw stopped(`The export was stopped. ${path} was not written.`)
    } finally {
      bar.stop()
    }
    return { result: path }
  },
})

function writeError(path: string, error: unknown): unknown {
  const code = codeOf(error)
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
