/** Reads settings from the environment, validates them, and reports all errors at once. */

import { readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { editDistance } from '../base/edit-distance.ts'
import { RequestError } from '../base/request-error.ts'
import type { LogLevel } from '../base/log.ts'
import {
  DEFAULT_DATABASE_CONNECTIONS,
  MIN_DATABASE_CONNECTIONS,
  parseDatabaseAddress,
  type DatabaseAddress,
} from '../db/engines/open.ts'
import { DEFAULT_SEARCH_MEMORY_MB } from '../db/member-memory.ts'
import { DEFAULT_DATABASE_TIMEOUT_SECONDS } from '../db/timeouts.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { EndpointSettings } from '../embeddings/endpoint-model.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { REQUEST_LOGS, type RequestLogSetting } from '../http/request-log.ts'
import { DEFAULT_UPLOAD_QUOTA_MB } from '../jobs/uploads.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'

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
interface RateLimitSetting {
  readonly quota: number
  readonly window: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting as the documentation lists it. */
export interface Setting {
  readonly name: string
  readonly default: string
  readonly description: string
  /** It may also be read from the file that `<name>_FILE` names, and is never shown. */
  readonly secret?: true
}

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export const SETTINGS = [
  {
    name: 'WEFT_DATABASE',
    default: 'sqlite:./data/weft.db',
    description: 'Database URL: sqlite:<file>, or postgres://<role>:<password>@<host>/<database>',
    secret: true,
  },
  {
    name: 'WEFT_DATABASE_TIMEOUT',
    default: '30',
    description: 'Seconds that a request waits for the database before it gets 503; 1 to 600',
  },
  {
    name: 'WEFT_BACKUP_DIRECTORY',
    default: '',
    description: 'Writes a daily backup to this folder and keeps the latest 7',
  },
  {
    name: 'WEFT_BACKUP_DATABASE',
    default: '',
    description: 'PostgreSQL URL of a role that sees all rows, for backups: postgres://…',
    secret: true,
  },
  {
    name: 'WEFT_OWNER_DATABASE',
    default: '',
    description: 'PostgreSQL URL of the role that owns the tables, for migrations: postgres://…',
    secret: true,
  },
  {
    name: 'WEFT_HOST',
    default: 'localhost',
    description: 'The address to listen on; localhost is both 127.0.0.1 and ::1',
  },
  { name: 'WEFT_PORT', default: '8787', description: 'The port to listen on; 0 picks a free one' },
  {
    name: 'WEFT_PUBLIC_URL',
    default: 'http://localhost:<port>',
    description: 'The URL that people and agents use: scheme, host and port, no path',
  },
  {
    name: 'WEFT_MONTHLY_CREDITS',
    default: '1000',
    description: 'Credits per member and calendar month',
  },
  {
    name: 'WEFT_UPLOAD_QUOTA_MB',
    default: String(DEFAULT_UPLOAD_QUOTA_MB),
    description: 'Megabytes of uploaded files that a member may store at a time; at least 50',
  },
  {
    name: 'WEFT_ACTIVITY_RETENTION_DAYS',
    default: '',
    description:
      'Deletes entries from the activity log after this many days; they can no longer be undone',
  },
  { name: 'WEFT_LOG_LEVEL', default: 'info', description: LOG_LEVELS.join(', ') },
  {
    name: 'WEFT_LOG_REQUESTS',
    default: 'errors',
    description:
      'Which requests and tool calls to log: all, errors, or sampled (errors and 1 in 100)',
  },
  {
    name: 'WEFT_METRICS_PORT',
    default: '',
    description: 'A port for /metrics, /healthz and /readyz only; 0 picks a free one',
  },
  {
    name: 'WEFT_METRICS_HOST',
    default: '127.0.0.1',
    description: 'The address of that port',
  },
  {
    name: 'WEFT_METRICS_TOKEN',
    default: '',
    description: 'Serves /metrics on the main port to requests with this bearer token',
    secret: true,
  },
  {
    name: 'WEFT_DRAIN_SECONDS',
    default: '0',
    description: 'Seconds between a 503 from /readyz and the stop of the service; 0 to 60',
  },
  {
    name: 'WEFT_SEARCH_THREADS',
    default: 'CPU cores less one, 1 to 4',
    description: 'Threads for searches',
  },
  {
    name: 'WEFT_SEARCH_MEMORY_MB',
    default: String(DEFAULT_SEARCH_MEMORY_MB),
    description:
      'Megabytes of memory for search indexes, about 300 bytes per connection; at least 16',
  },
  {
    name: 'WEFT_DATABASE_CONNECTIONS',
    default: String(DEFAULT_DATABASE_CONNECTIONS),
    description: `Maximum connections of a process to PostgreSQL; at least ${MIN_DATABASE_CONNECTIONS}`,
  },
  { name: 'WEFT_JOB_CONCURRENCY', default: '2', description: 'Jobs that run at the same time' },
  {
    name: 'WEFT_SIGN_UP',
    default: 'invite',
    description: 'Who can join: open (anyone), invite (with `weft invite`), closed',
  },
  {
    name: 'WEFT_OIDC_ISSUER',
    default: '',
    description: 'An OpenID Connect provider that signs people in, instead of passwords',
  },
  { name: 'WEFT_OIDC_CLIENT_ID', default: '', description: 'The client ID at that provider' },
  {
    name: 'WEFT_OIDC_CLIENT_SECRET',
    default: '',
    description: 'The client secret at that provider',
    secret: true,
  },
  {
    name: 'WEFT_SMTP_URL',
    default: '',
    description: 'The mail server: smtp://<user>:<password>@<host>:587 or smtps://…',
    secret: true,
  },
  {
    name: 'WEFT_SMTP_FROM',
    default: '',
    description: 'The sender of emails: weft@example.org, or Weft <weft@example.org>',
  },
  {
    name: 'WEFT_REFRESH_GRACE_SECONDS',
    default: '0',
    description:
      'Seconds during which a used refresh token returns the current pair again; 0 to 300',
  },
  {
    name: 'WEFT_RATE_LIMITS',
    default: '',
    description: 'Rate limit overrides, requests/seconds by policy: mcp=1200/60, directory=30/60',
  },
  {
    name: 'WEFT_REDIS_URL',
    default: '',
    description: 'Redis for rate limits that all nodes share: redis://, rediss:// or unix:<socket>',
    secret: true,
  },
  {
    name: 'WEFT_TRUSTED_PROXIES',
    default: '',
    description: 'Proxies whose X-Forwarded-For is trusted: comma-separated addresses or networks',
  },
  {
    name: 'WEFT_SECURITY_CONTACT',
    default: '',
    description: 'Contact for security.txt: mailto:… or https://…',
  },
  {
    name: 'WEFT_PRIVACY_PAGE',
    default: '',
    description: 'A markdown file with your privacy policy, served at /privacy',
  },
  {
    name: 'WEFT_TERMS_PAGE',
    default: '',
    description: 'A markdown file with your terms of service, served at /terms',
  },
  {
    name: 'WEFT_MCP_REGISTRY_AUTH',
    default: '',
    description: 'The public key at /.well-known/mcp-registry-auth: v=MCPv1; k=ed25519; p=…',
  },
  {
    name: 'WEFT_OPENAI_APPS_CHALLENGE',
    default: '',
    description: 'The token at /.well-known/openai-apps-challenge',
  },
  {
    name: 'WEFT_EMBEDDINGS_URL',
    default: '',
    description:
      'An OpenAI-compatible endpoint for semantic search, such as http://127.0.0.1:11434/v1',
  },
  { name: 'WEFT_EMBEDDINGS_MODEL', default: '', description: 'The embedding model' },
  {
    name: 'WEFT_EMBEDDINGS_KEY',
    default: '',
    description: 'The API key, if the endpoint needs one',
    secret: true,
  },
] as const satisfies readonly Setting[]

type SettingName = (typeof SETTINGS)[number]['name']

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

/**
 * The text of a setting, from the environment or from the file that `<name>_FILE` names, as container platforms mount
 * secrets. Empty if it is not set.
 *
 * @throws {Error} when both are set or the file cannot be read.
 */
export function settingText(environment: Environment, name: string): string {
  const text = environment[name]?.trim() ?? ''
  const path = environment[name + FILE_SUFFIX]?.trim() ?? ''
  if (path === '' || !SECRETS.has(name)) return text
  if (text !== '')
    throw new Error(`is set together with ${name}${FILE_SUFFIX}; set only one of them`)
  return readText(path, `cannot be read from the file in ${name}${FILE_SUFFIX}`)
}

/** The trimmed text of a file. `complaint` begins the error. */
function readText(path: string, complaint: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`${complaint} (${code})`, { cause: error })
  }
}

const FILE_SUFFIX = '_FILE'
const SECRETS: ReadonlySet<string> = new Set(
  SETTINGS.filter((setting) => 'secret' in setting).map(({ name }) => name),
)

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

/** The ports of RFC 8314: 587 with STARTTLS, 465 with TLS from the start. */
function smtpServer(text: string): Omit<SmtpSettings, 'from'> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be smtp://<host>:<port> or smtps://<host>, with user:password@ if needed')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment')
  if ((url.username === '') !== (url.password === ''))
    throw new Error('must have both a user and a password, or neither')
  const isImplicitTls = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isImplicitTls ? 465 : 587) : Number(url.port),
    isImplicitTls,
    credentials: user === '' ? null : { user, password: decodeURIComponent(url.password) },
  }
}

function emailSender(text: string): string {
  if (!/^(?:[^<>@\p{C}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text))
    throw new Error('must be an address such as weft@example.org or Weft <weft@example.org>')
  return text
}

/** A URL and a model, with an optional key, or none of them. */
function readEmbeddings(read: Read, problems: string[]): EndpointSettings | null {
  const url = read('WEFT_EMBEDDINGS_URL', '', endpointUrl)
  const model = read('WEFT_EMBEDDINGS_MODEL', '', String)
  const key = read<string | null>('WEFT_EMBEDDINGS_KEY', null, headerValue)
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

/** Long enough that guessing is hopeless without a rate limit. Characters. */
const MIN_METRICS_TOKEN_LENGTH = 24

function metricsToken(text: string): string {
  if (text.length < MIN_METRICS_TOKEN_LENGTH)
    throw new Error(
      `must have at least ${MIN_METRICS_TOKEN_LENGTH} characters, such as the output of \`openssl rand -hex 24\``,
    )
  return headerValue(text)
}

function logRequests(text: string): RequestLogSetting {
  const found = REQUEST_LOGS.find((one) => one === text.toLowerCase())
  if (!found) throw new Error(`must be one of ${REQUEST_LOGS.join(', ')}`)
  return found
}

/**
 * Unknown settings are errors, because a misspelled one would have no effect. Kubernetes sets variables for every
 * service in the namespace, such as one named `weft`; those are ignored.
 */
function unknownSettings(environment: Environment): string[] {
  const names: string[] = SETTINGS.map(({ name }) => name)
  const known = new Set([...names, ...[...SECRETS].map((name) => name + FILE_SUFFIX)])
  return Object.keys(environment)
    .filter(
      (name) =>
        name.startsWith('WEFT_') &&
        !known.has(name) &&
        !name.startsWith('WEFT_TEST_') &&
        !isServiceVariable(name, environment[name] ?? ''),
    )
    .map((name) => `${name} is not a setting of Weft${suggestion(name, known)}`)
}

/** Kubernetes, “Service”, “Environment variables”: those of the service `weft`, and of others such as `weft-db`. */
function isServiceVariable(name: string, value: string): boolean {
  return SERVICE_VARIABLE.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(value))
}

const SERVICE_VARIABLE =
  /^WEFT_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/

/** `tcp://10.96.0.12:80`, which is also the value of `WEFT_PORT` beside a service `weft`. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\/\S+:\d+$/

function suggestion(name: string, known: ReadonlySet<string>): string {
  const near = [...known].find(
    (one) => one.startsWith(name) || name.startsWith(one) || editDistance(one, name, 2) <= 2,
  )
  return near === undefined ? '' : `; did you mean ${near}?`
}

function count(problems: number): string {
  return problems === 1 ? 'a mistake' : `${problems} problems`
}

function databaseAddress(text: string): DatabaseAddress {
  const address = parseDatabaseAddress(text)
  if (!address)
    throw new Error(
      'must be sqlite:<file>, such as sqlite:./data/weft.db, or postgres://<role>:<password>@<host>/<database>',
    )
  return address
}

function postgresUrl(text: string): string {
  const address = parseDatabaseAddress(text)
  if (address?.engine !== 'postgres' || !URL.canParse(address.url))
    throw new Error('must be postgres://<role>:<password>@<host>/<database>')
  return address.url
}

function redisUrl(text: string): string {
  const isSocket = /^unix:(?:\/\/)?\/./.test(text)
  if (!isSocket && !(/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)))
    throw new Error('must be redis://[:<password>@]<host>, rediss://… for TLS, or unix:<socket>')
  return text
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error('must be an http or https address, such as https://weft.example.org')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment: Weft answers at the root of its host')
  return url.origin
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text.toLowerCase())
  if (!level) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`)
  return level
}

const SIGN_UPS: readonly SignUp[] = ['open', 'invite', 'closed']

function signUp(text: string): SignUp {
  const found = SIGN_UPS.find((one) => one === text.toLowerCase())
  if (!found) throw new Error(`must be one of ${SIGN_UPS.join(', ')}`)
  return found
}

/** OpenID Connect Discovery 1.0 section 2: https without query or fragment. http is allowed for this machine only. */
function issuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '')
  if (!url || (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')))
    throw new Error('must be an https address, such as https://login.example.org')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must have no query, fragment or user in it')
  return text
}

/** The operator chooses where texts are sent: any host, also without https. */
function endpointUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new Error('must be an http or https address, such as https://api.openai.com/v1')
  if (url.search !== '' || url.hash !== '') throw new Error('must have no query or fragment')
  return url.href.replace(/\/+$/, '')
}

function headerValue(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be visible ASCII characters')
  return text
}

function rateLimits(text: string): Record<string, RateLimitSetting> {
  const entries = text.split(',').map((part): [string, RateLimitSetting] => {
    const [, name = '', quota, window] = /^\s*([a-z_]+)=(\d{1,9})\/(\d{1,6})\s*$/.exec(part) ?? []
    if (!RATE_LIMITED.includes(name) || Number(quota) < 1 || Number(window) < 1)
      throw new Error(
        `must be like mcp=1200/60, directory=30/60 with ${RATE_LIMITED.join(', ')} as names`,
      )
    return [name, { quota: Number(quota), window: Number(window) }]
  })
  return Object.fromEntries(entries)
}

const RATE_LIMITED: readonly string[] = Object.values(LIMITS).map(({ name }) => name)

function proxies(text: string): string[] {
  const list = text.split(',').map((part) => part.trim())
  for (const one of list) {
    const [address = '', prefix] = one.split('/')
    const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
    if (most < 0 || !fits || one.split('/').length > 2)
      throw new Error('must be addresses or networks, such as 127.0.0.1, 10.0.0.0/8')
  }
  return list
}

/** RFC 9116 section 2.5.3: a URI. */
function contact(text: string): string | null {
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/i.test(text) || !URL.canParse(text))
    throw new Error(
      'must be an address such as mailto:security@example.org or https://example.org/security',
    )
  return text
}

/** The text of a markdown file, which is read when Weft starts. */
function markdownFile(path: string): string {
  const text = readText(path, `names a file that cannot be read: ${path}`)
  if (text === '') throw new Error(`names an empty file: ${path}`)
  return text
}

/** As the registry's publisher prints it (MCP registry, Authentication: HTTP). */
function registryKey(text: string): string {
  if (!/^v=MCPv1; k=(ed25519|ecdsap384); p=[A-Za-z0-9+/]+=*$/.test(text))
    throw new Error('must have the form v=MCPv1; k=ed25519; p=<public key in Base64>')
  return text
}

function challenge(text: string): string {
  if (!/^[\x21-\x7e]{1,500}$/.test(text)) throw new Error('must be the token, without spaces')
  return text
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

/** Leaves one CPU core to the main thread. */
function defaultSearchThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}
