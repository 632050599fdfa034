/** Leaves out slow tests of files that are the same on the main branch, where those tests ran. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The reason to skip tests of these paths, or false. They run with `--all`, on the main branch itself, and when git cannot
 * tell: a shallow clone gets the tip of main, which is compared file by file, so no common history is needed.
 */
export function unchangedFiles(paths: readonly string[]): string | false {
  if (env['WEFT_TEST_ALL'] !== undefined || git('branch', '--show-current') === 'main') return false
  const main = commitOfMain()
  if (main === undefined || main === git('rev-parse', 'HEAD')) return false
  const isSame =
    spawnSync('git', ['diff', '--quiet', main, '--', ...paths], { cwd: ROOT }).status === 0
  return isSame && !hasNewFiles(paths) && 'its files are the same on main; --all runs it'
}

function commitOfMain(): string | undefined {
  const known = git('rev-parse', '--verify', 'origin/main') ?? git('rev-parse', '--verify', 'main')
  if (known !== undefined) return known
  const isFetched = git('fetch', '--quiet', '--depth=1', 'origin', 'main') !== undefined
  return isFetched ? git('rev-parse', 'FETCH_HEAD') : undefined
}

function hasNewFiles(paths: readonly string[]): boolean {
  return git('ls-files', '--others', '--exclude-standard', '--', ...paths) !== ''
}

/** The output; undefined if it fails or git is not installed. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
