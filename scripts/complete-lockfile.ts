/**
 * Completes package-lock.json: `node scripts/complete-lockfile.ts`, after packages were added.
 *
 * npm leaves an optional package out of the lockfile when the registry it asked does not have it (mirrors often lack
 * other platforms' binaries), and `npm ci` then refuses that lockfile. Each is written in with its version and platform,
 * which is all that npm needs to skip it where it does not fit. `test/lockfile.test.ts` holds the file complete.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { missingOptionals, type Lockfile } from './lockfile.ts'

const FILE = new URL('../package-lock.json', import.meta.url)

const lockfile = JSON.parse(await readFile(FILE, 'utf8')) as Lockfile
const missing = missingOptionals(lockfile)
for (const { path, entry } of missing) lockfile.packages[path] = entry
const sorted = Object.entries(lockfile.packages).toSorted(([one], [other]) =>
  one < other ? -1 : 1,
)
await writeFile(
  FILE,
  `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`,
)
process.stdout.write(`${missing.length} entries written\n`)
