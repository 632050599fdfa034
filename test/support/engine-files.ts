/** Which test files run on PostgreSQL, and which could: those that open a database or start a program that does. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The modules that open databases for tests, directly or in another process. */
const OPENS_DATABASES = /(?:^|\/)test\/support\/(?:store|postgres|command-line)\.ts$/

export const EVERY_TEST = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** The tests of the engines themselves. */
const ENGINE_FOLDER = 'src/db/'

/**
 * Their subject differs between engines: SQL of the engine, stored types and values, transactions and leases, isolation of members,
 * races, crashes, and lost connections.
 */
export const ENGINE_SUBJECTS: ReadonlySet<string> = new Set([
  'src/access/api-token.test.ts',
  'src/cli/operate.test.ts',
  'src/connections/duplicates/moved-at-merge.test.ts',
  'src/connections/duplicates/undo-sequences.test.ts',
  'src/connections/editing/undo.test.ts',
  'src/credits/account.test.ts',
  'src/credits/agent-budget.test.ts',
  'src/credits/charge-queue.test.ts',
  'src/deliveries/deliveries.test.ts',
  'src/email/sender.test.ts',
  'src/guards/idempotency.test.ts',
  'src/imports/import-sequences.test.ts',
  'src/imports/stopped-import.test.ts',
  'src/jobs/interrupted-jobs.test.ts',
  'src/jobs/several-workers.test.ts',
  'src/jobs/start-job.test.ts',
  'src/jobs/uploads.test.ts',
  'src/jobs/worker.test.ts',
  'src/members/directory-changes.test.ts',
  'src/members/directory-search.test.ts',
  'src/members/erasure.test.ts',
  'src/members/member.test.ts',
  'src/operate/sweep.test.ts',
  'src/reminders/reminders.test.ts',
  'src/service/probes.test.ts',
  'test/backup.test.ts',
  'test/bad-input.test.ts',
  'test/carddav-kill.test.ts',
  'test/carddav-sync.test.ts',
  'test/cli.test.ts',
  'test/command-connection-loss.test.ts',
  'test/connection-loss.test.ts',
  'test/database-faults.test.ts',
  'test/form-removals.test.ts',
  'test/form-repeats.test.ts',
  'test/fuzz.test.ts',
  'test/heavy-calls.test.ts',
  'test/hot-queries.test.ts',
  'test/idempotency-crash.test.ts',
  'test/idempotency.test.ts',
  'test/import-stop.test.ts',
  'test/main-job.test.ts',
  'test/member-isolation.test.ts',
  'test/nodes.test.ts',
  'test/oauth-races.test.ts',
  'test/races.test.ts',
  'test/reset-races.test.ts',
  'test/reused-databases.test.ts',
  'test/start-failures.test.ts',
  'test/stop.test.ts',
  'test/upgrade.test.ts',
])

/** Besides them, the files that run every statement of the source; `scripts/choose-postgres-files.ts` writes the list. */
export const CHOSEN_FILES = JSON.parse(
  readFileSync(join(import.meta.dirname, 'postgres-files.json'), 'utf8'),
) as readonly string[]

/** Whether a file runs on PostgreSQL, too. Relative to the project's folder, as in all functions of this file. */
export function runsOnPostgres(file: string): boolean {
  return engineIsSubject(file) || CHOSEN_FILES.includes(file)
}

export function engineIsSubject(file: string): boolean {
  return ENGINE_SUBJECTS.has(file) || (file.startsWith(ENGINE_FOLDER) && usesDatabase(file))
}

export function usesDatabase(file: string, seen = new Set<string>()): boolean {
  if (OPENS_DATABASES.test(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((imported) => usesDatabase(imported, seen))
}

const imports = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const known = imports.get(file)
  if (known) return known
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    // Text that looks like an import, as in test/exports.test.ts, names no file.
    .filter((path) => existsSync(path))
  imports.set(file, found)
  return found
}
