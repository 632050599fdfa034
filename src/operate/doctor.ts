/** Checks an installation and says what to do about each finding. Changes no data. */

import { messageOf } from '../base/thrown.ts'
import { existsSync, statSync } from 'node:fs'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DAY, HOUR, rfc3339, type Clock } from '../base/clock.ts'
import { listBackups } from './backup.ts'
import { readConfig, type Config } from '../config/config.ts'
import { checkDatabase, type OnProgress } from './database-checks.ts'
import {
  adviseOnSignatures,
  checkEmbeddings,
  checkIdentityProvider,
  checkMailServer,
  checkPublicUrl,
  checkRedisServer,
} from './server-checks.ts'
import {
  failure,
  ok,
  runChecks,
  warning,
  type Finding,
  type CheckOutcome,
} from './doctor-finding.ts'
import type { Environment } from '../config/settings.ts'
import type { DatabaseAddress } from '../db/database-address.ts'

/** Every finding, in the order of the checks. Never rejects: a check that fails is a finding. */
export async function diagnose(
  environment: Environment,
  clock: Clock,
  onProgress: OnProgress = () => {},
): Promise<Finding[]> {
  const config = configOf(environment)
  if ('check' in config) return [config]
  const [unsafe, files, network] = await Promise.all([
    checkExposure(config),
    runChecks({
      permissions: () => checkPermissions(config.database),
      disk: () => checkDisk(config),
      backups: () => checkBackups(config, clock),
      backup_directory: () => checkBackupDirectory(config),
    }),
    runChecks({
      email_signature: async () => adviseOnSignatures(config),
      public_url: () => checkPublicUrl(config, clock),
      identity_provider: () => checkIdentityProvider(config, clock),
      email: () => checkMailServer(config, clock),
      embeddings: () => checkEmbeddings(config, clock),
      redis: () => checkRedisServer(config),
    }),
  ])
  return [
    { check: 'settings', ...ok('The configuration is valid.') },
    ...unsafe,
    ...network,
    ...files,
    // Last: a check of a SQLite file blocks the event loop, and the checks above have timeouts.
    ...(await checkDatabase(config, clock, onProgress)),
  ]
}

function configOf(environment: Environment): Config | Finding {
  try {
    return readConfig(environment)
  } catch (error) {
    const outcome = failure(messageOf(error), 'Correct the settings and run `weft doctor` again.')
    return { check: 'settings', ...outcome }
  }
}

/** Combinations of settings that are valid but unsafe. */
function checkExposure(config: Config): Promise<Finding[]> {
  const { trustedProxies, metrics } = config
  return runChecks({
    public_url: async () => checkExposedUrl(config),
    proxy: async () =>
      config.publicUrl?.startsWith('https:') && trustedProxies.length === 0
        ? warning(
            'No proxy is trusted, so all clients behind a proxy share its rate limits.',
            'Set WEFT_TRUSTED_PROXIES to the address of the proxy in front of Weft, such as 127.0.0.1.',
          )
        : undefined,
    metrics: async () =>
      metrics?.port != null && ['0.0.0.0', '::'].includes(metrics.host)
        ? warning(
            'The metrics port is open on every address, without a token.',
            'Set WEFT_METRICS_HOST to a private address.',
          )
        : undefined,
  })
}

function checkExposedUrl({ host, publicUrl }: Config): CheckOutcome | undefined {
  const url = publicUrl === null ? undefined : new URL(publicUrl)
  const isLocal = url === undefined || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!isLocal && url.protocol === 'http:')
    return warning(
      `${url.origin} is not encrypted: passwords and tokens can be read on the way.`,
      'Put a proxy with a certificate in front of Weft, and set WEFT_PUBLIC_URL to the https URL.',
    )
  if (isLocal && !['localhost', '127.0.0.1', '::1'].includes(host))
    return warning(
      `Weft listens on ${host}, but WEFT_PUBLIC_URL only works on this computer.`,
      'Set WEFT_PUBLIC_URL to the URL that people and agents use.',
    )
  return undefined
}

const OTHERS = 0o077

async function checkPermissions(address: DatabaseAddress): Promise<CheckOutcome | undefined> {
  if (address.engine !== 'sqlite' || platform() === 'win32') return undefined
  const { path } = address
  const paths = [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one))
  const open = paths.filter((one) => (statSync(one).mode & OTHERS) !== 0)
  return open.length === 0
    ? ok('Only their owner can read the database files.')
    : warning(
        `Other users can open ${open.join(', ')}.`,
        `Weft restricts them at every start. If they belong to another user, run: chmod go= ${open.join(' ')}`,
      )
}

const LEAST_FREE_BYTES = 1024 ** 3

async function checkDisk({ database, backupDirectory }: Config): Promise<CheckOutcome | undefined> {
  const folders = [database.engine === 'sqlite' ? dirname(database.path) : null, backupDirectory]
  for (const folder of folders) {
    if (folder === null || !existsSync(folder)) continue
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < LEAST_FREE_BYTES)
      return warning(
        `Only ${Math.floor(free / 1024 ** 2)} MB are free on the disk of ${folder}.`,
        'Free some space. Weft responds with 503 when the disk is full.',
      )
  }
  return ok('There is enough free space.')
}

/** Writes an empty file and removes it: permissions alone do not tell of quotas and read-only disks. */
async function checkBackupDirectory({
  backupDirectory: directory,
}: Config): Promise<CheckOutcome | undefined> {
  if (directory === null) return undefined
  let existing = resolve(directory)
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const probe = join(existing, `.weft-doctor-${process.pid}`)
  try {
    await writeFile(probe, '', { flag: 'wx' })
    await rm(probe)
    return ok(`Backups can be written to ${directory}.`)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    return failure(
      `No backup can be written to ${directory}: ${REASONS[code] ?? code}.`,
      `Let the user that runs Weft write to ${existing}, or set WEFT_BACKUP_DIRECTORY to another folder.`,
    )
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'it is not a folder',
}

/** A daily backup may be late by an hour after a failure or restart. */
const BACKUP_OVERDUE_MS = DAY + 2 * HOUR

async function checkBackups({ backupDirectory }: Config, clock: Clock): Promise<CheckOutcome> {
  if (backupDirectory === null)
    return warning(
      'No daily backups.',
      'Set WEFT_BACKUP_DIRECTORY on one node, or run `weft backup` regularly.',
    )
  const latest = existsSync(backupDirectory)
    ? (await listBackups(backupDirectory)).at(-1)
    : undefined
  if (latest === undefined)
    return warning(
      `${backupDirectory} has no backup.`,
      'Start `weft serve` with WEFT_BACKUP_DIRECTORY, and see its log.',
    )
  const { mtimeMs } = await stat(join(backupDirectory, latest))
  return clock.now() - mtimeMs > BACKUP_OVERDUE_MS
    ? warning(
        `The latest backup is from ${rfc3339(Math.round(mtimeMs))}.`,
        'See the log of `weft serve` for “the backup failed”.',
      )
    : ok(`The latest backup is ${latest}.`)
}
