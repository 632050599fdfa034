/** The code of the previous version, from the repository's history, to run next to this one. */

import { execFileSync } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = 'src/db/migrations'

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

/**
 * The commit of the latest release before this one, or else the last commit without the newest migration. Undefined without
 * enough history, as in a shallow clone or a package.
 */
function findPreviousCommit(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')
  } catch {
    // No release yet.
  }
  try {
    const newest = readdirSync(join(ROOT, MIGRATIONS)).toSorted().at(-1) ?? ''
    const path = `${MIGRATIONS}/${newest}`
    // The merge that brought it, because a migration may have been renumbered on its branch.
    const added = git(
      'log',
      '-1',
      '--first-parent',
      '-m',
      '--diff-filter=A',
      '--format=%H',
      '--',
      path,
    )
    return git('rev-parse', '--verify', `${added}^`)
  } catch {
    return undefined
  }
}

export function missingForPrevious(): string | null {
  return findPreviousCommit() === undefined
    ? 'the history has no previous version (a shallow clone, or no commit of the newest migration)'
    : null
}

/** Writes its code to the folder, with the packages of this version, and returns the path of its program. */
export async function extractPrevious(folder: string): Promise<string> {
  const commit = findPreviousCommit()
  if (commit === undefined) throw new Error('there is no previous version')
  const target = join(folder, 'previous')
  await mkdir(target)
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit, 'package.json', 'src'], {
    maxBuffer: MAX_ARCHIVE_BYTES,
  })
  execFileSync('tar', ['-x', '-C', target], { input: archive })
  await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'))
  const known = await readdir(join(target, MIGRATIONS))
  if (known.length >= (await readdir(join(ROOT, MIGRATIONS))).length)
    throw new Error(`${commit} has the same migrations as this version`)
  return join(target, 'src/main.ts')
}

const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
