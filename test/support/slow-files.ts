/**
 * The test files that `node test/run.ts --fast` leaves out: those that open a browser, start processes, or take longest.
 * To update the list, run `node test/run.ts --durations`. The rest should take less than a minute on two cores.
 */

const BROWSER_FOLDER = 'test/pages/'

const SLOW: ReadonlySet<string> = new Set([
  'src/ask/ask.test.ts',
  'src/cli/work.test.ts',
  'src/connections/duplicates/duplicates.test.ts',
  'src/connections/editing/edit.test.ts',
  'src/connections/editing/undo.test.ts',
  'src/connections/import/merge-contacts.test.ts',
  'src/connections/search/search.test.ts',
  'src/connections/search/semantic-search.test.ts',
  'src/connections/tags/tags.test.ts',
  'src/credits/account.test.ts',
  'src/db/compute-threads.test.ts',
  'src/exports/export-data.test.ts',
  'src/http/body-pace.test.ts',
  'src/jobs/jobs.route.test.ts',
  'src/jobs/worker.test.ts',
  'src/oauth/client-document.test.ts',
  'src/pages/account/account.test.ts',
  'src/pages/account/passkeys.test.ts',
  'src/pages/admin/admin.test.ts',
  'src/pages/agents/agents.test.ts',
  'src/pages/connections/connections.test.ts',
  'src/pages/import/import.test.ts',
  'src/pages/jobs/jobs.test.ts',
  'src/pages/profile/profile.test.ts',
  'src/sign-in/passkey/passkey-sign-in.test.ts',
  'src/sign-in/password/sign-in.page.test.ts',
  'test/bad-input.test.ts',
  'test/cli.test.ts',
  'test/connection-doctor.test.ts',
  'test/email.test.ts',
  'test/fuzz.test.ts',
  'test/http-edges.test.ts',
  'test/idempotency-crash.test.ts',
  'test/import-stop.test.ts',
  'test/isolation-walk.test.ts',
  'test/links.test.ts',
  'test/main-job.test.ts',
  'test/mcp-features.test.ts',
  'test/oauth-attacks.test.ts',
  'test/oauth-browser.test.ts',
  'test/oauth-clients.test.ts',
  'test/oauth-races.test.ts',
  'test/package.test.ts',
  'test/port-zero.test.ts',
  'test/races.test.ts',
  'test/spec.test.ts',
  'test/start-failures.test.ts',
  'test/start.test.ts',
  'test/tool-errors.test.ts',
])

/** @param file - relative to the project's folder */
export function isFast(file: string): boolean {
  return !file.startsWith(BROWSER_FOLDER) && !SLOW.has(file)
}
