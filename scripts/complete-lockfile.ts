/**
 * Completes package-lock.json. Run `node scripts/complete-lockfile.ts` after adding packages.
 *
 * npm omits an optional package from the lockfile if the registry does not have it (mirrors often lack binaries for other
 * platforms), and `npm ci` then rejects that lockfile. This script adds such packages with their version and platform,
 * which is all that npm needs to skip them on other platforms. `test/lockfile.test.ts` checks that none is missing.
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
