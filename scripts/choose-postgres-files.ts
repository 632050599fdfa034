/**
 * Chooses the test files that run on PostgreSQL beside those whose subject is the engine, so that every statement runs there:
 * `node scripts/choose-postgres-files.ts`. Runs each candidate by itself on SQLite, which takes minutes, and writes
 * test/support/postgres-files.json.
 */

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath, exit, stdout } from 'node:process'
import { EVERY_TEST, engineIsSubject, usesDatabase } from '../test/support/engine-files.ts'
import { secondsOf, usesBrowser } from '../test/support/slow-files.ts'
import { missingStatements, sourceStatements } from '../test/support/source-statements.ts'
import { readLedger } from '../test/support/statement-ledger.ts'

const ROOT = join(import.meta.dirname, '..')
const LIST = join(ROOT, 'test/support/postgres-files.json')
const LEDGER = join(ROOT, 'test/support/statement-ledger.ts')

const CONCURRENT = 2

const statements = sourceStatements()

const files = globSync(EVERY_TEST, { cwd: ROOT })
  .filter((file) => usesDatabase(file) && !usesBrowser(file))
  .toSorted()
const ranBy = new Map<string, ReadonlySet<string>>()
const waiting = [...files]
await Promise.all(Array.from({ length: CONCURRENT }, runWaiting))

const always = files.filter(engineIsSubject)
const missing = new Set(statements.map(({ place }) => place))
for (const file of always) for (const place of ranBy.get(file) ?? []) missing.delete(place)
const chosen: string[] = []
for (;;) {
  const gainOf = (file: string) =>
    [...(ranBy.get(file) ?? [])].filter((place) => missing.has(place)).length / secondsOf(file)
  const best = files.reduce((one, other) => (gainOf(other) > gainOf(one) ? other : one), '')
  if (gainOf(best) === 0) break
  chosen.push(best)
  for (const place of ranBy.get(best) ?? []) missing.delete(place)
}
await writeFile(LIST, `${JSON.stringify(chosen.toSorted(), null, 2)}\n`)
stdout.write(`${always.length} files always run, and ${chosen.length} are chosen.\n`)
for (const place of missing) stdout.write(`No test runs the statement at ${place}.\n`)
exit(0)

async function runWaiting(): Promise<void> {
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    ranBy.set(file, await statementsOf(file))
    stdout.write(`${file}: ${ranBy.get(file)?.size} statements\n`)
  }
}

/** Returns the places of the statements that a test file runs. */
async function statementsOf(file: string): Promise<ReadonlySet<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-ledger-'))
  const args = ['--import', LEDGER, '--test', '--test-isolation=none', '--test-force-exit', file]
  const ledger = { WEFT_TEST_ENGINE: 'sqlite', WEFT_TEST_LEDGER: folder, WEFT_TEST_PASS: file }
  const child = spawn(execPath, args, { cwd: ROOT, env: { ...env, ...ledger }, stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve))
  const unmet = new Set(missingStatements(statements, readLedger(folder, 'sqlite')))
  await rm(folder, { recursive: true })
  return new Set(statements.filter((one) => !unmet.has(one)).map(({ place }) => place))
}
