/** Checks an installation and says what to do about each finding. Writes no data. */

import { existsSync, statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { DAY, HOUR, MINUTE, SECOND, rfc3339, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { checkLedgers } from '../credits/ledger-check.ts'
import { inspectDatabase, type Inspection } from '../db/engines/inspect.ts'
import { describeDatabase, openDatabase } from '../db/engines/open.ts'
import { openMailServer, SendingError } from '../email/smtp.ts'
import { memberPages } from '../members/member.ts'
import { listAdmins } from '../members/role.ts'
import { readOutbox } from '../outbox/outbox.ts'
import { readQueue } from '../pages/admin/queue.ts'
import { listBackups } from './backup.ts'
import { readConfig, type Config, type Environment } from './config.ts'
import type { DatabaseAddress } from '../db/address.ts'
import type { RolePowers } from '../db/engines/postgres/runtime-role.ts'
import type { Database } from '../db/database.ts'

/** `warning`: works, but is unsafe or will fail. `error`: does not work, or data is wrong. */
type Severity = 'ok' | 'warning' | 'error'

export interface Finding {
  readonly check: string
  readonly severity: Severity
  readonly message: string
  /** What to do; none for `ok`. */
  readonly fix?: string
}

const ok = (check: string, message: string): Finding => ({ check, severity: 'ok', message })
const warning = (check: string, message: string, fix: string): Finding => {
  return { check, severity: 'warning', message, fix }
}
const failure = (check: string, message: string, fix: string): Finding => {
  return { check, severity: 'error', message, fix }
}

/** Reports checks that take minutes in a large database. The message has no full stop. */
type OnProgress = (message: string) => void

/** Every finding, in the order of the checks. Never rejects: a check that fails is a finding. */
export async function diagnose(
  environment: Environment,
  clock: Clock,
  onProgress: OnProgress = () => {},
): Promise<Finding[]> {
  const config = configOf(environment)
  if ('check' in config) return [config]
  const [places, network, database] = await Promise.all([
    checkAll('files', () => [
      checkPermissions(config.database),
      checkDisk(config),
      checkBackups(config, clock),
    ]),
    checkAll('network', () => [
      checkPublicUrl(config, clock),
      checkIdentityProvider(config),
      checkMailServer(config),
      checkRedisServer(config),
    ]),
    checkDatabase(config, clock, onProgress),
  ])
  return [
    ok('settings', 'The configuration is valid.'),
    ...checkExposure(config),
    ...network,
    ...places,
    ...database,
  ]
}

function configOf(environment: Environment): Config | Finding {
  try {
    return readConfig(environment)
  } catch (error) {
    return failure(
      'settings',
      messageOf(error),
      'Correct the settings and run `weft doctor` again.',
    )
  }
}

type Check = Promise<Finding | undefined>

async function checkAll(name: string, start: () => Check[]): Promise<Finding[]> {
  const settled = await Promise.allSettled(start())
  return settled.flatMap((one) => {
    if (one.status === 'fulfilled') return one.value ?? []
    return failure(
      name,
      `The check failed: ${messageOf(one.reason)}`,
      'Correct the cause and run `weft doctor` again.',
    )
  })
}

/** Combinations of settings that are valid but unsafe. */
function checkExposure({ host, publicUrl, trustedProxies, metrics }: Config): Finding[] {
  const findings: Finding[] = []
  const url = publicUrl === null ? undefined : new URL(publicUrl)
  const isLocal = url === undefined || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const listensOutside = !['localhost', '127.0.0.1', '::1'].includes(host)
  if (!isLocal && url.protocol === 'http:')
    findings.push(
      warning(
        'public_url',
        `${url.origin} is not encrypted: passwords and tokens can be read on the way.`,
        'Put a proxy with a certificate in front of Weft, and set WEFT_PUBLIC_URL to the https URL.',
      ),
    )
  if (isLocal && listensOutside)
    findings.push(
      warning(
        'public_url',
        `Weft listens on ${host}, but WEFT_PUBLIC_URL only works on this computer.`,
        'Set WEFT_PUBLIC_URL to the URL that people and agents use.',
      ),
    )
  if (url?.protocol === 'https:' && trustedProxies.length === 0)
    findings.push(
      warning(
        'proxy',
        'No proxy is trusted, so all clients behind a proxy share its rate limits.',
        'Set WEFT_TRUSTED_PROXIES to the address of the proxy in front of Weft, such as 127.0.0.1.',
      ),
    )
  if (
    metrics?.port !== undefined &&
    metrics.port !== null &&
    ['0.0.0.0', '::'].includes(metrics.host)
  )
    findings.push(
      warning(
        'metrics',
        'The metrics port is open on every address, without a token.',
        'Set WEFT_METRICS_HOST to a private address.',
      ),
    )
  return findings
}

const NETWORK_TIMEOUT_MS = 3 * SECOND
/** Tokens and codes expire by the clock; the shortest, an authorization code, after a minute. */
const CLOCK_TOLERANCE_MS = 30 * SECOND

async function checkPublicUrl({ publicUrl }: Config, clock: Clock): Promise<Finding | undefined> {
  if (publicUrl === null) return undefined
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS)
  let answer: Response
  try {
    answer = await fetch(`${publicUrl}/readyz`, { redirect: 'manual', signal })
  } catch (error) {
    return warning(
      'public_url',
      `${publicUrl} does not respond: ${reasonOf(error)}.`,
      'Start Weft. If it runs, check the DNS name, the certificate, the proxy and the firewall. Some networks cannot reach their own public URL.',
    )
  }
  const text = await answer.text()
  if (answer.status >= 300 && answer.status < 400)
    return failure(
      'public_url',
      `${publicUrl} redirects to ${answer.headers.get('location') ?? 'another URL'}.`,
      'Set WEFT_PUBLIC_URL to the URL that does not redirect. Agents do not follow redirects of a POST.',
    )
  if (!/"status":"(ready|unavailable)"/.test(text))
    return failure(
      'public_url',
      `Another program responds at ${publicUrl} (status ${answer.status}).`,
      'Configure the proxy to pass every path of this host to Weft.',
    )
  if (answer.status !== 200)
    return failure(
      'public_url',
      `Weft is not ready: ${text.trim()}`,
      'See the log of `weft serve`.',
    )
  const ahead = Date.parse(answer.headers.get('date') ?? '') - clock.now()
  if (Math.abs(ahead) > CLOCK_TOLERANCE_MS)
    return warning(
      'clock',
      `The clock of ${publicUrl} differs from this one by ${Math.round(Math.abs(ahead) / SECOND)} seconds.`,
      'Synchronize the clocks of both machines with NTP.',
    )
  return ok('public_url', `Weft responds at ${publicUrl}.`)
}

async function checkIdentityProvider({ oidc }: Config): Promise<Finding | undefined> {
  if (!oidc) return undefined
  const url = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const fix = 'Check WEFT_OIDC_ISSUER, and that this machine can reach it.'
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) })
    const metadata = (await answer.json()) as { issuer?: string }
    return metadata.issuer === oidc.issuer
      ? ok('identity_provider', `${oidc.issuer} responds.`)
      : failure(
          'identity_provider',
          `${url} names another issuer: ${metadata.issuer ?? 'none'}.`,
          fix,
        )
  } catch (error) {
    return failure('identity_provider', `${url} cannot be read: ${reasonOf(error)}.`, fix)
  }
}

async function checkMailServer({ smtp }: Config): Promise<Finding> {
  if (!smtp) return ok('email', 'No mail server: members ask an admin for a password reset link.')
  const name = `${smtp.host}:${smtp.port}`
  const fix = 'Check WEFT_SMTP_URL, then run: weft email test ADDRESS'
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), NETWORK_TIMEOUT_MS)
  })
  try {
    await Promise.race([openMailServer(smtp).verify(), timeout])
    return ok('email', `The mail server ${name} accepts connections.`)
  } catch (error) {
    const isCertificateFault = error instanceof SendingError && error.isCertificateFault
    return failure(
      'email',
      `The mail server ${name} cannot be used: ${reasonOf(error)}.`,
      isCertificateFault ? CERTIFICATE_FIX : fix,
    )
  } finally {
    clearTimeout(timer)
  }
}

const CERTIFICATE_FIX =
  'Renew the certificate of the mail server, or use a host name that it covers. Set NODE_EXTRA_CA_CERTS to the certificate of a private authority.'

async function checkRedisServer({ redisUrl }: Config): Promise<Finding | undefined> {
  if (redisUrl === null) return undefined
  const { checkRedis } = await import('../guards/shared-windows.ts')
  try {
    return ok('redis', `Redis ${await checkRedis(redisUrl)} counts rate limits for all nodes.`)
  } catch (error) {
    return failure(
      'redis',
      `Redis cannot be used: ${reasonOf(error)}.`,
      'Check WEFT_REDIS_URL, and that the server runs, accepts writes and has free memory. Meanwhile each node counts rate limits by itself.',
    )
  }
}

const OTHERS = 0o077

async function checkPermissions(address: DatabaseAddress): Promise<Finding | undefined> {
  if (address.engine !== 'sqlite' || platform() === 'win32') return undefined
  const { path } = address
  const paths = [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one))
  const open = paths.filter((one) => (statSync(one).mode & OTHERS) !== 0)
  return open.length === 0
    ? ok('permissions', 'Only their owner can read the database files.')
    : warning(
        'permissions',
        `Other users can open ${open.join(', ')}.`,
        `Weft restricts them at every start. If they belong to another user, run: chmod go= ${open.join(' ')}`,
      )
}

const LEAST_FREE_BYTES = 1024 ** 3

async function checkDisk({ database, backupDirectory }: Config): Promise<Finding | undefined> {
  const folders = [database.engine === 'sqlite' ? dirname(database.path) : null, backupDirectory]
  for (const folder of folders) {
    if (folder === null || !existsSync(folder)) continue
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < LEAST_FREE_BYTES)
      return warning(
        'disk',
        `Only ${Math.floor(free / 1024 ** 2)} MB are free on the disk of ${folder}.`,
        'Free some space. Weft responds with 503 when the disk is full.',
      )
  }
  return ok('disk', 'There is enough free space.')
}

/** A daily backup may be late by an hour after a failure or restart. */
const BACKUP_OVERDUE_MS = DAY + 2 * HOUR

async function checkBackups({ backupDirectory }: Config, clock: Clock): Promise<Finding> {
  if (backupDirectory === null)
    return warning(
      'backups',
      'No daily backups.',
      'Set WEFT_BACKUP_DIRECTORY on one node, or run `weft backup` regularly.',
    )
  const latest = existsSync(backupDirectory)
    ? (await listBackups(backupDirectory)).at(-1)
    : undefined
  if (latest === undefined)
    return warning(
      'backups',
      `${backupDirectory} has no backup.`,
      'Start `weft serve` with WEFT_BACKUP_DIRECTORY, and see its log.',
    )
  const { mtimeMs } = await stat(join(backupDirectory, latest))
  return clock.now() - mtimeMs > BACKUP_OVERDUE_MS
    ? warning(
        'backups',
        `The latest backup is from ${rfc3339(Math.round(mtimeMs))}.`,
        'See the log of `weft serve` for “the backup failed”.',
      )
    : ok('backups', `The latest backup is ${latest}.`)
}

async function checkDatabase(
  config: Config,
  clock: Clock,
  onProgress: OnProgress,
): Promise<Finding[]> {
  let inspection: Inspection
  try {
    reportLargeFile(config.database, onProgress)
    inspection = await inspectDatabase(config.database)
  } catch (error) {
    return [
      failure(
        'database',
        `${describeDatabase(config.database)} cannot be opened: ${reasonOf(error)}.`,
        'Check WEFT_DATABASE, and that the server runs or the file can be read.',
      ),
    ]
  }
  const { pending, clockAheadMs, defects, powers } = inspection
  const findings = defects.map((defect) =>
    failure('integrity', defect, 'Stop Weft and restore a backup.'),
  )
  if (defects.length === 0) findings.push(ok('integrity', 'The database is intact.'))
  if (Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS)
    findings.push(
      warning(
        'clock',
        `The clock of the database server differs from this one by ${Math.round(Math.abs(clockAheadMs) / SECOND)} seconds.`,
        'Synchronize the clocks of both machines with NTP.',
      ),
    )
  if (powers) findings.push(checkRole(powers))
  if (pending.length > 0)
    return [
      ...findings,
      warning(
        'migrations',
        `Migrations to apply: ${pending.join(', ')}.`,
        'Back up, then start Weft or run `weft migrate`. Further checks need the newest schema.',
      ),
    ]
  findings.push(ok('migrations', 'The schema is up to date.'))
  if (defects.length > 0) return findings
  return [...findings, ...(await checkData(config, clock, onProgress))]
}

/** Larger files take more than a few seconds. */
const LARGE_FILE_BYTES = 1024 ** 3

/** PostgreSQL checks itself. */
function reportLargeFile(address: DatabaseAddress, onProgress: OnProgress): void {
  if (address.engine !== 'sqlite' || !existsSync(address.path)) return
  const { size } = statSync(address.path)
  if (size > LARGE_FILE_BYTES)
    onProgress(`Checking every page of ${address.path} (${(size / 1024 ** 3).toFixed(1)} GB)`)
}

/** A single role works. Two roles protect members from SQL injection. */
function checkRole({ role, ownsTables, canCreate }: RolePowers): Finding {
  const fix =
    'Serve with a second role that owns nothing: see “Two roles” in docs/running.md, and set WEFT_OWNER_DATABASE.'
  if (ownsTables)
    return warning(
      'database_role',
      `The role ${role} owns the tables, so it can change the schema and turn off row-level security.`,
      fix,
    )
  if (canCreate)
    return warning(
      'database_role',
      `The role ${role} can create tables or functions in the database.`,
      `As the owner, run: revoke create on schema public from public, ${role}; and: revoke create on database … from public, ${role}`,
    )
  return ok('database_role', `The role ${role} can only read and write rows.`)
}

async function checkData(config: Config, clock: Clock, onProgress: OnProgress): Promise<Finding[]> {
  const timeoutSeconds = config.databaseTimeoutSeconds
  const { database } = await openDatabase(config.database, {
    clock,
    searchThreads: 1,
    timeoutSeconds,
  })
  await using _closed = database
  return await checkAll('data', () => [
    checkAdmins(database),
    checkAllLedgers(database, onProgress),
    checkJobs(database, clock),
    checkOutbox(config, database, clock),
  ])
}

async function checkAdmins(database: Database): Promise<Finding> {
  const { size } = await listAdmins(database)
  return size > 0
    ? ok('admins', size === 1 ? '1 admin.' : `${size} admins.`)
    : warning(
        'admins',
        'No member is an admin, so no one can open /admin.',
        'Run: weft member promote USERNAME',
      )
}

/** Members between two reports: some seconds. */
const LEDGERS_PER_REPORT = 50_000

async function checkAllLedgers(database: Database, onProgress: OnProgress): Promise<Finding> {
  const report = (members: number) => {
    if (members % LEDGERS_PER_REPORT === 0)
      onProgress(`Checked the credit ledgers of ${members} members`)
  }
  const { checked, wrong } = await checkLedgers(database, memberPages(database), report)
  return wrong.length === 0
    ? ok('ledgers', `The credit ledgers of ${checked} members add up.`)
    : failure(
        'ledgers',
        `The credit ledgers of these members do not add up: ${wrong.join(', ')}.`,
        'Report it as a bug. `weft credits adjust` corrects a balance.',
      )
}

/** Workers poll every few seconds. */
const QUEUE_PATIENCE_MS = 5 * MINUTE

async function checkJobs(database: Database, clock: Clock): Promise<Finding> {
  const now = clock.now()
  const { active } = await readQueue(database, now)
  const abandoned = active.filter((kind) => kind.abandoned > 0).map(({ kind }) => kind)
  const late = active.filter(({ waitsSince }) => now - (waitsSince ?? now) > QUEUE_PATIENCE_MS)
  if (late.length > 0)
    return warning(
      'jobs',
      `Jobs have waited for more than five minutes: ${late.map(({ kind }) => kind).join(', ')}.`,
      'Check that `weft serve` without --no-jobs, or `weft work`, runs. Raise WEFT_JOB_CONCURRENCY if all workers are busy.',
    )
  if (abandoned.length > 0)
    return warning(
      'jobs',
      `The worker of these jobs has died: ${abandoned.join(', ')}.`,
      'Start `weft serve` or `weft work` to continue them.',
    )
  return ok('jobs', 'No job waits for a worker.')
}

/** A mail server that delays unknown senders (greylisting) takes up to half an hour. */
const OUTBOX_PATIENCE_MS = 30 * MINUTE

async function checkOutbox(
  { smtp }: Config,
  database: Database,
  clock: Clock,
): Promise<Finding | undefined> {
  if (!smtp) return undefined
  const { queued, oldestAt, failed } = await readOutbox(database)
  if (oldestAt !== null && clock.now() - oldestAt > OUTBOX_PATIENCE_MS)
    return warning(
      'outbox',
      `${queued} emails wait to be sent, the oldest since ${rfc3339(oldestAt)}.`,
      'To see the last error of each, run: weft email list --state queued.',
    )
  if (failed > 0)
    return warning(
      'outbox',
      `${failed} emails of the last 30 days could not be sent.`,
      'To see them, run: weft email list --state failed. Then run weft email retry ID, or ignore them.',
    )
  return ok('outbox', 'No email waits for long.')
}

function messageOf(error: unknown): string {
  if (error instanceof RequestError) return error.message
  return error instanceof Error ? error.message : String(error)
}

/** `fetch` has the reason in `cause`. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error)
    return messageOf(error.cause) || messageOf(error)
  return messageOf(error)
}
