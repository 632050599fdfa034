/**
 * Runs the static checks in parallel: types, lint, prose, regular expressions, spelling and formatting. `npm test` runs it before the tests.
 * Prints the output of those that fail. Type and spelling checks are incremental: unchanged files are skipped.
 */

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import process from 'node:process'

/** Scripts of package.json. */
const CHECKS = [
  'types',
  'lint',
  'lint:prose',
  'lint:regex',
  'lint:spelling',
  'format:check',
] as const

/** For tsc and the type-aware lint, which are Go programs: they collect garbage only if they need more than this. */
const GO_SETTINGS = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

const failed = (await Promise.all(CHECKS.map(run))).filter((name) => name !== undefined)
process.stdout.write(
  failed.length === 0 ? `${CHECKS.join(', ')}: passed\n` : `Failed: ${failed.join(', ')}\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1

/** @returns the name if it failed */
async function run(name: string): Promise<string | undefined> {
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...GO_SETTINGS, ...process.env },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return undefined
  process.stdout.write(`npm run ${name}:\n${output}${errors}\n`)
  return name
}
