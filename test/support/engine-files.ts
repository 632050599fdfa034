/** Finds the test files that depend on the engine: most of those that open a database or start a program that does. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The modules that open databases for tests, directly or in another process. */
const OPENS_DATABASES = /(?:^|\/)test\/support\/(?:store|postgres|command-line)\.ts$/

/**
 * Their subject is HTTP, pages, text, clients, the package, or limits in memory and in Redis. They need a service, but
 * files that are not listed run all its statements on both engines. A test of transactions, locks, SQL or stored types
 * does not belong here.
 */
export const ENGINE_INDEPENDENT: ReadonlySet<string> = new Set([
  'src/cli/sign-in-commands.test.ts',
  'src/discovery/docs/docs.test.ts',
  'src/discovery/documents.test.ts',
  'src/discovery/openapi/openapi.test.ts',
  'src/discovery/operator-pages.test.ts',
  'src/email/smtp.test.ts',
  'src/exports/round-trip.test.ts',
  'src/guards/rate-limits.test.ts',
  'src/guards/shared-rate-limits.test.ts',
  'src/http/rate-limit-policy.test.ts',
  'src/jobs/jobs.route.test.ts',
  'src/oauth/client-document.test.ts',
  'src/oauth/register.route.test.ts',
  'src/pages/account/account.test.ts',
  'src/pages/account/export.test.ts',
  'src/pages/agents/confirm.test.ts',
  'src/pages/ui/time.test.ts',
  'src/sandbox/sandbox.test.ts',
  'src/sign-in/password/sign-in.page.test.ts',
  'test/batch-limits.test.ts',
  'test/conformance-rounds.test.ts',
  'test/connection-doctor.test.ts',
  'test/days.test.ts',
  'test/deploy.test.ts',
  'test/docs.test.ts',
  'test/forms.test.ts',
  'test/hostile-content.test.ts',
  'test/http-contract.test.ts',
  'test/http-edges.test.ts',
  'test/links.test.ts',
  'test/mcp-addresses.test.ts',
  'test/model-mistakes.test.ts',
  'test/oauth-clients.test.ts',
  'test/package.test.ts',
  'test/port-zero.test.ts',
  'test/tool-errors.test.ts',
  'test/tool-schemas.test.ts',
  'test/tool-selection.test.ts',
])

/** @param file - relative to the project's folder */
export function dependsOnEngine(file: string): boolean {
  return usesDatabase(file) && !ENGINE_INDEPENDENT.has(file)
}

function usesDatabase(file: string, seen = new Set<string>()): boolean {
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
