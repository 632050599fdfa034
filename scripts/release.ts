/**
 * Builds what is published with a release into `release/`: the npm package, its software bill of materials in CycloneDX
 * format, and `SHA256SUMS`. `npm run release`; docs/contributing/releasing.md has the steps before and after.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { unverifiable, type Lockfile } from './lockfile.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUTPUT = join(ROOT, 'release')

/** Lists of dependencies exceed the default of 1 MiB. Bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}

if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`## ${version}`))
  process.stderr.write(`Warning: CHANGELOG.md has no section ${version}.\n`)

const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
const withoutHash = unverifiable(lockfile)
if (withoutHash.length > 0)
  throw new Error(
    `${withoutHash.length} packages in package-lock.json have no hash. Run node scripts/complete-lockfile.ts with https://registry.npmjs.org/.`,
  )

rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT)
npm('pack', '--pack-destination', OUTPUT)
writeFileSync(join(OUTPUT, `weft-${version}.cdx.json`), npm('run', '--silent', 'sbom'))
const sums = readdirSync(OUTPUT).map((name) => {
  const sum = createHash('sha256').update(readFileSync(join(OUTPUT, name)))
  return `${sum.digest('hex')}  ${name}\n`
})
writeFileSync(join(OUTPUT, 'SHA256SUMS'), sums.join(''))
process.stdout.write(sums.join(''))

function npm(...args: readonly string[]): string {
  return execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
