/** Checks an installation and says what to do about each finding. Changes no data. */

import { existsSync, statSync } from 'node:fs'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DAY, HOUR, SECOND, rfc3339, type Clock } from '../base/clock.ts'
import { withinTime } from '../base/within-time.ts'
import { openMailServer, SendingError } from '../email/smtp.ts'
import { listBackups } from './backup.ts'
import { readConfig, type Config } from '../config/config.ts'
import { checkDatabase, type OnProgress } from './database-checks.ts'
import {
  compareClocks,
  failure,
  messageOf,
  ok,
  reasonOf,
  runChecks,
  unlessSlow,
  warning,
  type Finding,
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
  const [files, network] = await Promise.all([
    runChecks({
      permissions: () => checkPermissions(config.database),
      disk: () => checkDisk(config),
      backups: () => checkBackups(config, clock),
      backup_directory: () => checkBackupDirectory(config),
    }),
    runChecks({
      public_url: () => checkPublicUrl(config, clock),
      identity_provider: () => checkIdentityProvider(config, clock),
      email: () => checkMailServer(config, clock),
      embeddings: () => checkEmbeddings(config, clock),
      redis: () => checkRedisServer(config),
    }),
  ])
  return [
    ok('settings', 'The configuration is valid.'),
    ...checkExposure(config),
    ...adviseOnSignatures(config),
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
    return failure(
      'settings',
      messageOf(error),
      'Correct the settings and run `weft doctor` again.',
    )
  }
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

/** Long enough for a server that is slow, which is a different finding from one that does not respond. */
const NETWORK_TIMEOUT_MS = 20 * SECOND

async function checkPublicUrl({ publicUrl }: Config, clock: Clock): Promise<Finding | undefined> {
  if (publicUrl === null) return undefined
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS)
  const startedAt = clock.now()
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
  const responds = ok('public_url', `Weft responds at ${publicUrl}.`)
  return compareClocks(publicUrl, ahead) ?? unlessSlow(responds, publicUrl, startedAt, clock.now())
}

async function checkIdentityProvider({ oidc }: Config, clock: Clock): Promise<Finding | undefined> {
  if (!oidc) return undefined
  const url = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const fix = 'Check WEFT_OIDC_ISSUER, and that this machine can reach it.'
  const startedAt = clock.now()
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) })
    const metadata = (await answer.json()) as { issuer?: string }
    return metadata.issuer === oidc.issuer
      ? unlessSlow(
          ok('identity_provider', `${oidc.issuer} responds.`),
          oidc.issuer,
          startedAt,
          clock.now(),
        )
      : failure(
          'identity_provider',
          `${url} names another issuer: ${metadata.issuer ?? 'none'}.`,
          fix,
        )
  } catch (error) {
    return failure('identity_provider', `${url} cannot be read: ${reasonOf(error)}.`, fix)
  }
}

/** Many servers greet unknown clients after a delay. Sending waits as long for a greeting, and longer for a reply. */
const MAIL_TIMEOUT_MS = 60 * SECOND

async function checkMailServer({ smtp }: Config, clock: Clock): Promise<Finding> {
  if (!smtp) return ok('email', 'No mail server: members ask an admin for a password reset link.')
  const name = `${smtp.host}:${smtp.port}`
  const fix = 'Check WEFT_SMTP_URL, then run: weft email test ADDRESS'
  const late = () => new Error(`no answer within ${MAIL_TIMEOUT_MS / SECOND} s`)
  const startedAt = clock.now()
  try {
    await withinTime(MAIL_TIMEOUT_MS, openMailServer(smtp).verify(), late)
    const accepts = ok('email', `The mail server ${name} accepts connections.`)
    return unlessSlow(accepts, `The mail server ${name}`, startedAt, clock.now())
  } catch (error) {
    const isCertificateFault = error instanceof SendingError && error.isCertificateFault
    return failure(
      'email',
      `The mail server ${name} cannot be used: ${reasonOf(error)}.`,
      isCertificateFault ? CERTIFICATE_FIX : fix,
    )
  }
}

/** RFC 8058 section 4. Whether the relay signs them is seen only in an email that it has sent. */
function adviseOnSignatures({ smtp }: Config): Finding[] {
  if (!smtp) return []
  return [
    ok(
      'email_signature',
      `Summaries have the headers List-Unsubscribe and List-Unsubscribe-Post. The DKIM signature of ${smtp.host} must cover both, or mailboxes offer no Unsubscribe: look for them in h= of the DKIM-Signature of a summary.`,
    ),
  ]
}

async function checkEmbeddings({ embeddings }: Config, clock: Clock): Promise<Finding | undefined> {
  if (!embeddings) return undefined
  if ('folder' in embeddings) return checkModelFolder(embeddings.folder)
  const { endpointModel } = await import('../embeddings/endpoint-model.ts')
  const startedAt = clock.now()
  try {
    await endpointModel(embeddings, {
      patience: NETWORK_TIMEOUT_MS,
      pause: async () => {},
    }).embed(['engineer'])
    const answers = ok('embeddings', `${embeddings.url} embeds texts.`)
    return unlessSlow(answers, `The embeddings endpoint ${embeddings.url}`, startedAt, clock.now())
  } catch (error) {
    return failure(
      'embeddings',
      `${messageOf(error)} Semantic search does not work: ${embeddings.url}`,
      'Check that it runs, and WEFT_EMBEDDINGS_URL, WEFT_EMBEDDINGS_MODEL and WEFT_EMBEDDINGS_KEY.',
    )
  }
}

async function checkModelFolder(folder: string): Promise<Finding> {
  const { folderModel } = await import('../embeddings/local-model.ts')
  try {
    await folderModel(folder).embed(['engineer'])
    return ok('embeddings', `The model in ${folder} embeds texts.`)
  } catch (error) {
    return failure(
      'embeddings',
      `${messageOf(error)} Semantic search does not work.`,
      'Check WEFT_EMBEDDINGS_FOLDER.',
    )
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

/** Writes an empty file and removes it: permissions alone do not tell of quotas and read-only disks. */
async function checkBackupDirectory({
  backupDirectory: directory,
}: Config): Promise<Finding | undefined> {
  if (directory === null) return undefined
  let existing = resolve(directory)
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const probe = join(existing, `.weft-doctor-${process.pid}`)
  try {
    await writeFile(probe, '', { flag: 'wx' })
    await rm(probe)
    return ok('backup_directory', `Backups can be written to ${directory}.`)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    return failure(
      'backup_directory',
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
