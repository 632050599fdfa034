/** Reads settings from the environment, validates them, and reports all errors at once. */

import { RequestError } from '../base/request-error.ts'
import type { LogLevel } from '../base/log.ts'
import {
  DEFAULT_DATABASE_CONNECTIONS,
  MIN_DATABASE_CONNECTIONS,
  type DatabaseAddress,
} from '../db/engines/open.ts'
import { DEFAULT_SEARCH_MEMORY_MB } from '../db/member-memory.ts'
import { DEFAULT_DATABASE_TIMEOUT_SECONDS } from '../db/timeouts.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { EndpointSettings } from '../embeddings/endpoint-model.ts'
import type { RequestLogSetting } from '../http/request-log.ts'
import { DEFAULT_UPLOAD_QUOTA_MB } from '../jobs/store-upload.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'
import {
  SERVICE_ADDRESS,
  settingText,
  unknownSettings,
  type Environment,
  type SettingName,
} from './settings.ts'
import {
  databaseAddress,
  postgresUrl,
  redisUrl,
  origin,
  logLevel,
  signUp,
  issuerUrl,
  endpointUrl,
  visibleAscii,
  rateLimits,
  proxies,
  contact,
  markdownFile,
  registryKey,
  challenge,
  whole,
  defaultSearchThreads,
  smtpServer,
  emailSender,
  metricsToken,
  logRequests,
  type RateLimitSetting,
} from './setting-values.ts'

export interface Config {
  readonly database: DatabaseAddress
  /** How long a request waits for the database before it gets 503. */
  readonly databaseTimeoutSeconds: number
  /** Maximum connections of this process to PostgreSQL. */
  readonly databaseConnections: number
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The origin of all public URLs, without a trailing slash; null until a free port is bound. */
  readonly publicUrl: string | null
  /** Credits per member and calendar month. */
  readonly monthlyCredits: number
  /** Maximum size of a member's stored uploads. Mebibytes. */
  readonly uploadQuotaMb: number
  /** How long changes stay in the activity log; null keeps the latest of each member, however old. */
  readonly activityRetentionDays: number | null
  readonly logLevel: LogLevel
  /** Threads for searches on SQLite. */
  readonly searchThreads: number
  /** Mebibytes of memory for the search indexes of members' networks. */
  readonly searchMemoryMb: number
  /** Jobs that run at the same time in this process. */
  readonly jobConcurrency: number
  /** Who can join: anyone, people with an invitation, or no one. */
  readonly signUp: SignUp
  /** The identity provider for sign-in; without one, Weft's own sign-in page is used. */
  readonly oidc: OidcSettings | null
  /** The mail server; without one, Weft sends no email. */
  readonly smtp: SmtpSettings | null
  /** How long a used refresh token still returns the current pair; 0 means never. */
  readonly refreshGraceSeconds: number
  /** Overrides of the default quotas, by policy name. */
  readonly rateLimits: Readonly<Record<string, RateLimitSetting>>
  /** Redis, in which all nodes count rate limits together; without it, each node counts by itself. */
  readonly redisUrl: string | null
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Contact for security reports (`mailto:` or https), published in security.txt. */
  readonly securityContact: string | null
  /** The operator's documents at /privacy and /terms, as markdown. */
  readonly privacyPolicy: string | null
  readonly termsOfService: string | null
  /** The public key at /.well-known/mcp-registry-auth. */
  readonly mcpRegistryAuth: string | null
  /** The token at /.well-known/openai-apps-challenge. */
  readonly openaiAppsChallenge: string | null
  /** Which requests are logged. */
  readonly logRequests: RequestLogSetting
  /** Where `/metrics` is served; undefined if it is not. */
  readonly metrics: MetricsSettings | null
  /** Where daily backups are written; null without them. */
  readonly backupDirectory: string | null
  /** A PostgreSQL role that sees all rows, for backups. */
  readonly backupUrl: string | null
  /** How long `/readyz` reports 503 before a stopping service closes its port. */
  readonly drainSeconds: number
  /** An endpoint that embeds connections and queries; without one, the built-in model is used. */
  readonly embeddings: EndpointSettings | null
}

/** A separate port, a bearer token for the main port, or both. */
export interface MetricsSettings {
  readonly port: number | null
  readonly host: string
  readonly token: string | null
}

/** Requests within a window of seconds. */

/**
 * Reads the configuration. Empty values count as not set.
 *
 * @throws {RequestError} `invalid_request` when settings are not valid, with all errors.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = unknownSettings(environment)
  const read = <T>(name: SettingName, fallback: T, parse: (text: string) => T): T => {
    try {
      const text = settingText(environment, name)
      if (name === 'WEFT_PORT' && SERVICE_ADDRESS.test(text)) return fallback
      return text === '' ? fallback : parse(text)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is wrong'}`)
      return fallback
    }
  }
  const host = read('WEFT_HOST', 'localhost', String)
  const port = read('WEFT_PORT', 8787, whole(0, 65_535))
  const config: Config = {
    database: readDatabase(read, problems),
    databaseTimeoutSeconds: read(
      'WEFT_DATABASE_TIMEOUT',
      DEFAULT_DATABASE_TIMEOUT_SECONDS,
      whole(1, 600),
    ),
    databaseConnections: read(
      'WEFT_DATABASE_CONNECTIONS',
      DEFAULT_DATABASE_CONNECTIONS,
      whole(MIN_DATABASE_CONNECTIONS, 1000),
    ),
    host,
    port,
    publicUrl: read<string | null>(
      'WEFT_PUBLIC_URL',
      port === 0 ? null : localUrl(host, port),
      origin,
    ),
    monthlyCredits: read('WEFT_MONTHLY_CREDITS', 1000, whole(0, 1_000_000_000)),
    uploadQuotaMb: read('WEFT_UPLOAD_QUOTA_MB', DEFAULT_UPLOAD_QUOTA_MB, whole(50, 1_000_000)),
    activityRetentionDays: read<number | null>(
      'WEFT_ACTIVITY_RETENTION_DAYS',
      null,
      whole(1, 36_500),
    ),
    logLevel: read('WEFT_LOG_LEVEL', 'info', logLevel),
    searchThreads: read('WEFT_SEARCH_THREADS', defaultSearchThreads(), whole(1, 64)),
    searchMemoryMb: read('WEFT_SEARCH_MEMORY_MB', DEFAULT_SEARCH_MEMORY_MB, whole(16, 1_000_000)),
    jobConcurrency: read('WEFT_JOB_CONCURRENCY', 2, whole(1, 64)),
    signUp: read('WEFT_SIGN_UP', 'invite', signUp),
    oidc: readOidc(read, problems),
    smtp: readSmtp(read, problems),
    refreshGraceSeconds: read('WEFT_REFRESH_GRACE_SECONDS', 0, whole(0, 300)),
    rateLimits: read('WEFT_RATE_LIMITS', {}, rateLimits),
    redisUrl: read<string | null>('WEFT_REDIS_URL', null, redisUrl),
    trustedProxies: read('WEFT_TRUSTED_PROXIES', [], proxies),
    securityContact: read('WEFT_SECURITY_CONTACT', null, contact),
    privacyPolicy: read<string | null>('WEFT_PRIVACY_PAGE', null, markdownFile),
    termsOfService: read<string | null>('WEFT_TERMS_PAGE', null, markdownFile),
    mcpRegistryAuth: read<string | null>('WEFT_MCP_REGISTRY_AUTH', null, registryKey),
    openaiAppsChallenge: read<string | null>('WEFT_OPENAI_APPS_CHALLENGE', null, challenge),
    logRequests: read('WEFT_LOG_REQUESTS', 'errors', logRequests),
    metrics: readMetrics(read, problems),
    backupDirectory: read<string | null>('WEFT_BACKUP_DIRECTORY', null, String),
    backupUrl: read<string | null>('WEFT_BACKUP_DATABASE', null, postgresUrl),
    drainSeconds: read('WEFT_DRAIN_SECONDS', 0, whole(0, 60)),
    embeddings: readEmbeddings(read, problems),
  }
  if (problems.length > 0)
    throw new RequestError(
      'invalid_request',
      `The configuration has ${count(problems.length)}:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
      {
        hint: 'Set environment variables, or write them to a .env file in the folder where Weft starts.',
      },
    )
  return config
}

/** The default public URL. Passkeys need a host name, so it is `localhost`. */
export function localUrl(host: string, port: number): string {
  return `http://${host === '127.0.0.1' ? host : 'localhost'}:${port}`
}

/**
 * For a process that does not listen.
 *
 * @throws {RequestError} `conflict` when only the listening process knows the port.
 */
export function requirePublicUrl({ publicUrl }: Config): string {
  if (publicUrl !== null) return publicUrl
  throw new RequestError(
    'conflict',
    'WEFT_PORT is 0, so only the running service knows its port, and no link can be created here.',
    {
      hint: 'Set WEFT_PUBLIC_URL to the URL that `weft serve` printed, and run the command again.',
    },
  )
}

/** @throws {RequestError} `conflict` when no mail server is configured. */
export function requireSmtp({ smtp }: Config): SmtpSettings {
  if (smtp !== null) return smtp
  throw new RequestError('conflict', 'No mail server is configured.', {
    hint: 'Set WEFT_SMTP_URL and WEFT_SMTP_FROM.',
  })
}

type Read = <T>(name: SettingName, fallback: T, parse: (text: string) => T) => T

function readDatabase(read: Read, problems: string[]): DatabaseAddress {
  const address = read<DatabaseAddress>(
    'WEFT_DATABASE',
    { engine: 'sqlite', path: './data/weft.db' },
    databaseAddress,
  )
  const ownerUrl = read<string | null>('WEFT_OWNER_DATABASE', null, postgresUrl)
  if (ownerUrl === null) return address
  if (address.engine === 'postgres') return { ...address, ownerUrl }
  problems.push('WEFT_OWNER_DATABASE must come with a WEFT_DATABASE of PostgreSQL')
  return address
}

/** All three settings, or none of them. */
function readOidc(read: Read, problems: string[]): OidcSettings | null {
  const issuer = read('WEFT_OIDC_ISSUER', '', issuerUrl)
  const clientId = read('WEFT_OIDC_CLIENT_ID', '', String)
  const clientSecret = read('WEFT_OIDC_CLIENT_SECRET', '', String)
  const set = [issuer, clientId, clientSecret].filter((value) => value !== '').length
  if (set === 0) return null
  if (set < 3)
    problems.push('WEFT_OIDC_ISSUER must come with WEFT_OIDC_CLIENT_ID and WEFT_OIDC_CLIENT_SECRET')
  return { issuer, clientId, clientSecret }
}

/** Both settings, or none of them. */
function readSmtp(read: Read, problems: string[]): SmtpSettings | null {
  const server = read<Omit<SmtpSettings, 'from'> | null>('WEFT_SMTP_URL', null, smtpServer)
  const from = read('WEFT_SMTP_FROM', '', emailSender)
  if (server === null && from === '') return null
  if (server === null || from === '') {
    problems.push('WEFT_SMTP_URL must come with WEFT_SMTP_FROM')
    return null
  }
  return { ...server, from }
}

/** A URL and a model, with an optional key, or none of them. */
function readEmbeddings(read: Read, problems: string[]): EndpointSettings | null {
  const url = read('WEFT_EMBEDDINGS_URL', '', endpointUrl)
  const model = read('WEFT_EMBEDDINGS_MODEL', '', String)
  const key = read<string | null>('WEFT_EMBEDDINGS_KEY', null, visibleAscii)
  if (url === '' && model === '' && key === null) return null
  if (url === '' || model === '')
    problems.push('WEFT_EMBEDDINGS_URL must come with WEFT_EMBEDDINGS_MODEL')
  return { url, model, key }
}

/** Metrics name routes, tools and job kinds, so they need a separate port or a token. */
function readMetrics(read: Read, problems: string[]): MetricsSettings | null {
  const port = read<number | null>('WEFT_METRICS_PORT', null, whole(0, 65_535))
  const host = read<string | null>('WEFT_METRICS_HOST', null, String)
  const token = read<string | null>('WEFT_METRICS_TOKEN', null, metricsToken)
  if (port === null && host !== null)
    problems.push('WEFT_METRICS_HOST must come with WEFT_METRICS_PORT')
  return port === null && token === null ? null : { port, host: host ?? '127.0.0.1', token }
}

function count(problems: number): string {
  return problems === 1 ? 'a mistake' : `${problems} problems`
}
