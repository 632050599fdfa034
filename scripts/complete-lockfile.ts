/**
 * Completes package-lock.json. Run `node scripts/complete-lockfile.ts` after adding packages.
 *
 * npm omits an optional package from the lockfile if the registry does not have it (mirrors often lack binaries for other
 * platforms), and `npm ci` then rejects that lockfile. This script adds such packages with their version and platform,
 * which is all that npm needs to skip them on other platforms, and their hashes if the registry has them by now.
 * `test/lockfile.test.ts` checks that no package is missing, and `npm run release` that no hash is.
 */

import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import {
  missingOptionals,
  unverifiable,
  withoutPackages,
  type LockedPackage,
  type Lockfile,
} from './lockfile.ts'

const ROOT = new URL('../', import.meta.url)
const FILE = new URL('package-lock.json', ROOT)

const lockfile = JSON.parse(await readFile(FILE, 'utf8')) as Lockfile
const missing = missingOptionals(lockfile)
for (const { path, entry } of missing) lockfile.packages[path] = entry
const before = unverifiable(lockfile)
if (before.length > 0) Object.assign(lockfile.packages, await resolveAgain(before))
const sorted = Object.entries(lockfile.packages).toSorted(([one], [other]) =>
  one < other ? -1 : 1,
)
await writeFile(
  FILE,
  `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`,
)
const without = unverifiable(lockfile)
process.stdout.write(
  `${missing.length} entries and ${before.length - without.length} hashes written\n`,
)
if (without.length > 0)
  process.stderr.write(
    `The registry has no hash for ${without.length} packages. Run this again with https://registry.npmjs.org/: ${without.join(' ')}\n`,
  )

/** The entries of these packages that npm finds in the registry with the same version. */
async function resolveAgain(paths: readonly string[]): Promise<Record<string, LockedPackage>> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-lockfile-'))
  try {
    await copyFile(new URL('package.json', ROOT), join(folder, 'package.json'))
    const file = join(folder, 'package-lock.json')
    await writeFile(file, JSON.stringify(withoutPackages(lockfile, paths)))
    const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'ignore' })
    const { packages } = JSON.parse(await readFile(file, 'utf8')) as Lockfile
    return Object.fromEntries(
      paths.flatMap((path) => {
        const found = packages[path]
        const isSame = found?.version === lockfile.packages[path]?.version
        return found && isSame ? [[path, found]] : []
      }),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
