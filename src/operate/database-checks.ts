/** The checks of `weft doctor` that read the database. */

import { existsSync } from 'node:fs'
import { MINUTE, rfc3339, type Clock } from '../base/clock.ts'
import { findSealSecret } from '../config/seal-secret.ts'
import { readCalendarState, SEALED_ADDRESSES } from '../connections/calendars/calendar-store.ts'
import { unsealFor } from '../deliveries/seal-for-member.ts'
import { readBookState, SEALED_ACCOUNTS } from '../subscribed-books/book-store.ts'
import { checkLedgers } from '../credits/ledger-check.ts'
import { findDefects, inspectDatabase, type Inspection } from '../db/engines/inspect.ts'
import { openDatabase } from '../db/engines/open.ts'
import { describeDatabase } from '../db/database-address.ts'
import { listAdmins } from '../members/admin-role.ts'
import { readPreparations } from '../connections/search/meaning/preparations.ts'
import { readDeliveryState, readLastDelivery } from '../deliveries/delivery-metrics.ts'
import { readOutbox } from '../outbox/outbox.ts'
import { readQueue } from '../pages/admin/job-queue.ts'
import {
  compareClocks,
  failure,
  ok,
  reasonOf,
  runChecks,
  warning,
  type Finding,
  type CheckOutcome,
} from './doctor-finding.ts'
import { checkPostgres } from './postgres-checks.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { DueState } from '../db/due-rows.ts'

/** Reports checks that take minutes in a large database. The message has no full stop. */
export type OnProgress = (message: string) => void

/** Stops at a database that cannot be opened, is damaged, or lacks migrations. */
export async function checkDatabase(
  config: Config,
  clock: Clock,
  onProgress: OnProgress,
): Promise<Finding[]> {
  const { database } = config
  if (database.engine === 'sqlite' && !existsSync(database.path)) return [notCreated(database.path)]
  let inspection: Inspection
  try {
    inspection = await inspectDatabase(database)
  } catch (error) {
    return [cannotOpen(config, error)]
  }
  const { pending, clockAheadMs } = inspection
  const structure = [
    ...(await runChecks({ integrity: () => checkIntegrity(config, onProgress) })),
    ...(await runChecks({ clock: async () => compareClocks('the database server', clockAheadMs) })),
    ...(await checkPostgres(config)),
    ...(await runChecks({ migrations: async () => checkMigrations(pending) })),
  ]
  if (pending.length > 0) return structure
  if (structure.some(({ severity, fix }) => severity === 'error' && fix === DAMAGE_FIX))
    return structure
  return [...structure, ...(await checkData(config, clock, onProgress))]
}

function notCreated(path: string): Finding {
  const outcome = warning(
    `The database file ${path} does not exist yet.`,
    'Start Weft, which creates it. If Weft has run before, run `weft doctor` in its folder, or set WEFT_DATABASE.',
  )
  return { check: 'database', ...outcome }
}

function checkMigrations(pending: readonly string[]): CheckOutcome {
  if (pending.length === 0) return ok('The schema is up to date.')
  return warning(
    `Migrations to apply: ${abbreviate(pending)}.`,
    'Back up, then start Weft or run `weft migrate`. Further checks need the newest schema.',
  )
}

function abbreviate(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.length}, ${names[0]} to ${names.at(-1)}`
}

function cannotOpen(config: Config, error: unknown): Finding {
  const outcome = failure(
    `${describeDatabase(config.database)} cannot be opened: ${reasonOf(error)}.`,
    'Check WEFT_DATABASE, and that the server runs or the file can be read.',
  )
  return { check: 'database', ...outcome }
}

const DAMAGE_FIX = 'Stop Weft and restore a backup.'

async function checkIntegrity(
  { database }: Config,
  onProgress: OnProgress,
): Promise<CheckOutcome | CheckOutcome[]> {
  if (database.engine === 'sqlite') onProgress(`Checking every page of ${database.path}`)
  const defects = await findDefects(database)
  if (defects.length === 0) return ok('The database is intact.')
  return defects.map((defect) => failure(defect, DAMAGE_FIX))
}

async function checkData(config: Config, clock: Clock, onProgress: OnProgress): Promise<Finding[]> {
  const timeoutSeconds = config.databaseTimeoutSeconds
  const options = { clock, searchThreads: 1, timeoutSeconds }
  const opened = await openDatabase(config.database, options).catch((error: unknown) =>
    cannotOpen(config, error),
  )
  if ('check' in opened) return [opened]
  await using database = opened.database
  return await runChecks({
    admins: () => checkAdmins(database),
    ledgers: () => checkAllLedgers(database, onProgress),
    jobs: () => checkJobs(database, clock),
    search: () => checkPreparations(database, clock),
    outbox: () => checkOutbox(config, database, clock),
    calendars: () => checkCalendars(database, clock),
    address_books: () => checkBooks(database, clock),
    deliveries: () => checkDeliveries(database, clock),
    calendar_key: () => checkCalendarKey(config, database),
    address_book_key: () => checkBookKey(config, database),
  })
}

async function checkAdmins(database: Database): Promise<CheckOutcome> {
  const { size } = await listAdmins(database)
  return size > 0
    ? ok(size === 1 ? '1 admin.' : `${size} admins.`)
    : warning(
        'No member is an admin, so no one can open /admin.',
        'Run: weft member promote USERNAME',
      )
}

/** Members between two reports: some seconds. */
const LEDGERS_PER_REPORT = 50_000

async function checkAllLedgers(database: Database, onProgress: OnProgress): Promise<CheckOutcome> {
  onProgress('Checking the credit ledgers')
  let reported = 0
  const { checked, wrong } = await checkLedgers(database, (members) => {
    if (members - reported < LEDGERS_PER_REPORT) return
    reported = members
    onProgress(`Checked the credit ledgers of ${members} members`)
  })
  return wrong.length === 0
    ? ok(`The credit ledgers of ${checked} members add up.`)
    : failure(
        `The credit ledgers of these members do not add up: ${wrong.join(', ')}.`,
        'Report it as a bug. `weft credits adjust` corrects a balance.',
      )
}

/** Workers poll every few seconds. */
const QUEUE_PATIENCE_MS = 5 * MINUTE

async function checkJobs(database: Database, clock: Clock): Promise<CheckOutcome> {
  const now = clock.now()
  const { active } = await readQueue(database, now)
  const abandoned = active.filter((kind) => kind.abandoned > 0).map(({ kind }) => kind)
  const late = active.filter(({ waitsSince }) => now - (waitsSince ?? now) > QUEUE_PATIENCE_MS)
  if (late.length > 0)
    return warning(
      `Jobs have waited for more than five minutes: ${late.map(({ kind }) => kind).join(', ')}.`,
      'Check that `weft serve` without --no-jobs, or `weft work`, runs. Raise WEFT_JOB_CONCURRENCY if all workers are busy.',
    )
  if (abandoned.length > 0)
    return warning(
      `The worker of these jobs has died: ${abandoned.join(', ')}.`,
      'Start `weft serve` or `weft work` to continue them.',
    )
  return ok('No job waits for a worker.')
}

/** A network of 100,000 people takes a few minutes. */
const PREPARATION_PATIENCE_MS = 30 * MINUTE

async function checkPreparations(database: Database, clock: Clock): Promise<CheckOutcome> {
  const now = clock.now()
  const { failed, oldestAt } = await readPreparations(database, now)
  if (failed > 0)
    return warning(
      `${failed} networks could not be prepared for searches in three attempts. They are searched without meaning.`,
      'The log of the node has the reason. If the process ran out of memory, give it more, or prepare networks on another machine with `weft work`. They are tried again after a week.',
    )
  if (oldestAt !== null && now - oldestAt > PREPARATION_PATIENCE_MS)
    return warning(
      `A network has waited to be prepared for searches since ${rfc3339(oldestAt)}.`,
      'Check that `weft serve` without --no-jobs, or `weft work`, runs.',
    )
  return ok('No network waits long to be prepared for searches.')
}

/** A mail server that delays unknown senders (greylisting) takes up to half an hour. */
const OUTBOX_PATIENCE_MS = 30 * MINUTE

async function checkOutbox(
  { smtp }: Config,
  database: Database,
  clock: Clock,
): Promise<CheckOutcome | undefined> {
  if (!smtp) return undefined
  const { queued, oldestAt, failed } = await readOutbox(database)
  if (oldestAt !== null && clock.now() - oldestAt > OUTBOX_PATIENCE_MS)
    return warning(
      `${queued} emails wait to be sent, the oldest since ${rfc3339(oldestAt)}.`,
      'To see the last error of each, run: weft email list --state queued.',
    )
  if (failed > 0)
    return warning(
      `${failed} emails of the last 30 days could not be sent.`,
      'To see them, run: weft email list --state failed. Then run weft email retry ID, or ignore them.',
    )
  return ok('No email waits for long.')
}

/** A sync is due every half hour, and a node reads 20,000 calendars in that time. */
const CALENDAR_PATIENCE_MS = 15 * MINUTE

async function checkCalendars(database: Database, clock: Clock): Promise<CheckOutcome> {
  const state = await readCalendarState(database, clock.now())
  return checkDelay(state, clock, { noun: 'calendar', done: 'synced' })
}

async function checkBooks(database: Database, clock: Clock): Promise<CheckOutcome> {
  const state = await readBookState(database, clock.now())
  return checkDelay(state, clock, { noun: 'address book', done: 'pulled' })
}

function checkDelay(
  { due, dueSince }: DueState,
  clock: Clock,
  { noun, done }: { readonly noun: string; readonly done: string },
): CheckOutcome {
  return dueSince !== null && clock.now() - dueSince > CALENDAR_PATIENCE_MS
    ? warning(
        `${due} ${due === 1 ? `${noun} waits` : `${noun}s wait`} to be ${done}, the first since ${rfc3339(dueSince)}.`,
        'Check that `weft serve` without --no-jobs, or `weft work`, runs. If it does, start another node, or see its log.',
      )
    : ok(`No ${noun} waits for long.`)
}

/** A node sends to 16 addresses at a time, each of which may take 15 seconds. */
const DELIVERY_PATIENCE_MS = 15 * MINUTE

async function checkDeliveries(database: Database, clock: Clock): Promise<CheckOutcome> {
  const now = clock.now()
  const state = await readDeliveryState(database, now)
  const { due, failing, dueSince, nextAt, oldestAt } = state
  const total = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (dueSince !== null && now - dueSince > DELIVERY_PATIENCE_MS)
    return warning(
      `Messages to ${total(due)} devices, webhooks or agents wait, the first since ${rfc3339(dueSince)}.`,
      'Check that `weft serve` without --no-jobs, or `weft work`, runs, and see its log for “not delivered”.',
    )
  if (total(failing) > 0)
    return warning(
      `The last message to ${failing.push} devices, ${failing.webhook} webhooks and ${failing.event} subscriptions of agents failed; the oldest message waits since ${rfc3339(oldestAt) ?? 'less than a minute'}.`,
      'Weft tries again for three days. To see the error of a webhook, run: weft webhook list --member U. If many fail, check that the nodes reach the internet.',
    )
  const last = rfc3339(await readLastDelivery(database))
  const next = nextAt === null ? '' : ` The next attempt is at ${rfc3339(nextAt)}.`
  return ok(`No message waits for long. Last sent: ${last ?? 'none yet'}.${next}`)
}

/** Less than a second. */
const MAX_OPENED = 20_000

/** Opens the addresses, because nodes with different keys, and a key that was lost, are noticed only when they are used. */
function checkCalendarKey(config: Config, database: Database): Promise<CheckOutcome | undefined> {
  return checkKey(config, database, {
    statement: SEALED_ADDRESSES,
    purpose: 'calendar',
    all: 'the addresses of all calendars',
    some: 'calendar addresses',
  })
}

function checkBookKey(config: Config, database: Database): Promise<CheckOutcome | undefined> {
  return checkKey(config, database, {
    statement: SEALED_ACCOUNTS,
    purpose: 'endpoint',
    all: 'the passwords of all address books',
    some: 'address book passwords',
  })
}

interface SealedValues {
  readonly statement: typeof SEALED_ADDRESSES
  readonly purpose: 'calendar' | 'endpoint'
  readonly all: string
  readonly some: string
}

async function checkKey(
  config: Config,
  database: Database,
  { statement, purpose, all, some }: SealedValues,
): Promise<CheckOutcome | undefined> {
  const values = await database.all(statement, { limit: MAX_OPENED })
  if (values.length === 0) return undefined
  const secret = findSealSecret(config)
  const isOpen = ({ memberId, sealed }: (typeof values)[number]) =>
    secret !== undefined && unsealFor(secret, memberId, sealed, purpose) !== undefined
  const lost = values.filter((one) => !isOpen(one)).length
  return lost === 0
    ? ok(`The key opens ${all}.`)
    : wrongKey(secret, `${lost} of ${values.length} ${some}`)
}

function wrongKey(secret: string | undefined, what: string): CheckOutcome {
  return failure(
    `${what} cannot be decrypted with ${secret === undefined ? 'a missing key' : 'the key of this node'}.`,
    'Set WEFT_SECRET_KEY to the key with which they were connected, the same on all nodes, or restore the file beside the SQLite database that ends with .key. If the key is lost, members connect them again.',
  )
}
