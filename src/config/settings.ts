/** Every setting: its name, default and parser, and its description in docs/running/configuration.md. */

import { editDistance } from '../base/spelling/edit-distance.ts'
import { LOG_LEVELS } from '../base/log.ts'
import {
  DEFAULT_DATABASE_CONNECTIONS,
  MIN_DATABASE_CONNECTIONS,
} from '../db/engines/postgres/divide-connections.ts'
import { DEFAULT_SEARCH_MEMORY_MB } from '../db/member-memory.ts'
import { DEFAULT_DATABASE_TIMEOUT_SECONDS } from '../db/timeouts.ts'
import { REQUEST_LOGS } from '../http/request-log.ts'
import { DEFAULT_UPLOAD_QUOTA_MB } from '../jobs/store-upload.ts'
import type { SignUp } from '../sign-in/session/admission.ts'
import {
  challenge,
  contact,
  databaseAddress,
  davBurst,
  emailSender,
  endpointUrl,
  issuerUrl,
  markdownFile,
  metricsToken,
  oneOf,
  origin,
  postgresUrl,
  hostList,
  proxies,
  rateLimits,
  readText,
  redisUrl,
  registryKey,
  secretKey,
  smtpServer,
  visibleAscii,
  whole,
} from './setting-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Setting<T = unknown> {
  readonly name: string
  /** As the documentation shows it. */
  readonly default: string
  /** Markdown. */
  readonly description: string
  /** It may also be read from the file that `<name>_FILE` names, and is never shown. */
  readonly isSecret: boolean
  parse(text: string): T
}

type Parse<T> = (text: string) => T

/** A setting whose default is written like any other value. */
function setting<T>(
  name: string,
  fallback: string,
  parse: Parse<T>,
  description: string,
): Setting<T> {
  const value: Parse<T> = (text) => parse(text === '' ? fallback : text)
  return { name, default: fallback, description, isSecret: false, parse: value }
}

/** A setting that is null by default. `shown` describes what Weft does then. */
function optional<T>(
  name: string,
  parse: Parse<T>,
  description: string,
  shown = '',
): Setting<T | null> {
  const value = (text: string) => (text === '' ? null : parse(text))
  return { name, default: shown, description, isSecret: false, parse: value }
}

function secret<T>(one: Setting<T>): Setting<T> {
  return { ...one, isSecret: true }
}

function optionalSecret<T>(...given: Parameters<typeof optional<T>>): Setting<T | null> {
  return secret(optional(...given))
}

/** By the names of `Config`. */
export const SETTINGS = {
  database: secret(
    setting('WEFT_DATABASE', 'sqlite:./data/weft.db', databaseAddress, 'the database URL'),
  ),
  backupDirectory: optional(
    'WEFT_BACKUP_DIRECTORY',
    String,
    'writes a daily backup to this folder and keeps the latest 7: [backups](backups.md)',
  ),
  backupUrl: optionalSecret(
    'WEFT_BACKUP_DATABASE',
    postgresUrl,
    'PostgreSQL URL of a role that sees all rows, for backups',
  ),
  ownerUrl: optionalSecret(
    'WEFT_OWNER_DATABASE',
    postgresUrl,
    'PostgreSQL URL of the role that owns the tables, for migrations: [two roles](postgresql.md#two-roles)',
  ),
  databaseConnections: setting(
    'WEFT_DATABASE_CONNECTIONS',
    String(DEFAULT_DATABASE_CONNECTIONS),
    whole(MIN_DATABASE_CONNECTIONS, 1000),
    'maximum connections of a process to PostgreSQL: [connections](postgresql.md#connections)',
  ),
  databaseTimeoutSeconds: setting(
    'WEFT_DATABASE_TIMEOUT',
    String(DEFAULT_DATABASE_TIMEOUT_SECONDS),
    whole(1, 600),
    'seconds that a request waits for the database: [when the database fails](postgresql.md#when-the-database-fails)',
  ),
  secretKey: optionalSecret(
    'WEFT_SECRET_KEY',
    secretKey,
    'encrypts the addresses of [calendars](../calendar.md), devices and webhooks; at least 32 characters, the same on all nodes; needed on PostgreSQL',
    'a file beside the SQLite database',
  ),
  host: setting(
    'WEFT_HOST',
    'localhost',
    String,
    'the address to listen on; `localhost` is both 127.0.0.1 and ::1',
  ),
  port: setting(
    'WEFT_PORT',
    '8787',
    whole(0, 65_535),
    'the port; `0` picks a free one, which is then part of every public URL',
  ),
  publicUrl: optional(
    'WEFT_PUBLIC_URL',
    origin,
    'the URL that people and agents use: scheme, host and port',
    'http://localhost:<port>',
  ),
  monthlyCredits: setting(
    'WEFT_MONTHLY_CREDITS',
    '1000',
    whole(0, 1_000_000_000),
    'credits per member and calendar month (UTC)',
  ),
  uploadQuotaMb: setting(
    'WEFT_UPLOAD_QUOTA_MB',
    String(DEFAULT_UPLOAD_QUOTA_MB),
    whole(50, 1_000_000),
    'megabytes of uploaded files that a member may store at a time; at least 50',
  ),
  activityRetentionDays: optional(
    'WEFT_ACTIVITY_RETENTION_DAYS',
    whole(1, 36_500),
    'deletes entries from the activity log after this many days; they can no longer be undone. By default, the latest 10,000 per member are kept',
  ),
  logLevel: setting(
    'WEFT_LOG_LEVEL',
    'info',
    oneOf(LOG_LEVELS),
    '`debug`, `info`, `warn`, `error`, `silent`',
  ),
  logRequests: setting(
    'WEFT_LOG_REQUESTS',
    'errors',
    oneOf(REQUEST_LOGS),
    'which requests to log: `all`, `errors`, `sampled`: [logs](monitoring.md#logs)',
  ),
  metricsPort: optional(
    'WEFT_METRICS_PORT',
    whole(0, 65_535),
    'a port for `/metrics`, `/healthz` and `/readyz` only: [metrics](monitoring.md#metrics)',
  ),
  metricsHost: setting('WEFT_METRICS_HOST', '127.0.0.1', String, 'the address of that port'),
  metricsToken: optionalSecret(
    'WEFT_METRICS_TOKEN',
    metricsToken,
    'serves `/metrics` on the main port to this bearer token; at least 24 characters',
  ),
  drainSeconds: setting(
    'WEFT_DRAIN_SECONDS',
    '0',
    whole(0, 60),
    'seconds between a 503 from `/readyz` and the stop; 0 to 60: [health checks](monitoring.md#health-checks)',
  ),
  searchThreads: optional(
    'WEFT_SEARCH_THREADS',
    whole(1, 64),
    'threads for computations, and on SQLite for searches; half as many more serve anonymous callers',
    'CPU cores less one, 1 to 4',
  ),
  searchMemoryMb: setting(
    'WEFT_SEARCH_MEMORY_MB',
    String(DEFAULT_SEARCH_MEMORY_MB),
    whole(16, 1_000_000),
    'megabytes for all search indexes: [memory](sizing.md#memory); the least recently used are dropped first. Vectors of semantic search have a separate 128 MB',
  ),
  jobConcurrency: setting(
    'WEFT_JOB_CONCURRENCY',
    '2',
    whole(1, 64),
    'jobs that run at the same time',
  ),
  signUp: setting(
    'WEFT_SIGN_UP',
    'invite',
    oneOf<SignUp>(['open', 'invite', 'closed']),
    'who can join: `open`, `invite` or `closed`',
  ),
  demo: setting(
    'WEFT_DEMO',
    'on',
    oneOf<'on' | 'off'>(['on', 'off']),
    'the demo account: `on` creates it, keeps it up to date, and offers a read-only tour of it',
  ),
  oidcIssuer: optional(
    'WEFT_OIDC_ISSUER',
    issuerUrl,
    'the [identity provider](identity-provider.md) for sign-in',
  ),
  oidcClientId: optional(
    'WEFT_OIDC_CLIENT_ID',
    String,
    'the client ID that the provider assigned to Weft',
  ),
  oidcClientSecret: optionalSecret('WEFT_OIDC_CLIENT_SECRET', String, 'the client secret'),
  smtpServer: optionalSecret('WEFT_SMTP_URL', smtpServer, 'the mail server: [email](email.md)'),
  smtpFrom: optional(
    'WEFT_SMTP_FROM',
    emailSender,
    'the sender of emails: `weft@example.org` or `Weft <weft@example.org>`',
  ),
  refreshGraceSeconds: setting(
    'WEFT_REFRESH_GRACE_SECONDS',
    '0',
    whole(0, 300),
    'how long a used refresh token still returns the current pair; at most 300',
  ),
  rateLimits: setting(
    'WEFT_RATE_LIMITS',
    '',
    rateLimits,
    'overrides of rate limits, requests/seconds by policy: `mcp=1200/60, directory=30/60`',
  ),
  davBurst: setting(
    'WEFT_DAV_BURST',
    '50/20',
    davBurst,
    'a device that changes more people than this within an hour, and more percent of all, waits until the member confirms: `<people>/<percent>`, or `off`; [devices](../devices.md)',
  ),
  redisUrl: optionalSecret(
    'WEFT_REDIS_URL',
    redisUrl,
    'a Redis in which all nodes count rate limits together: `redis://`, `rediss://` or `unix:<socket>`; [share limits](postgresql.md#share-limits-between-nodes)',
  ),
  trustedProxies: setting(
    'WEFT_TRUSTED_PROXIES',
    '',
    proxies,
    'proxies whose `X-Forwarded-For` is trusted: comma-separated addresses or networks',
  ),
  webhookHosts: setting(
    'WEFT_WEBHOOK_HOSTS',
    '',
    hostList,
    'private hosts that webhooks may call and [address books](../devices.md#subscribe-to-other-address-books) may be on, also by http: comma-separated, each with a port if it has one, such as `homeassistant.local:8123`',
  ),
  securityContact: optional(
    'WEFT_SECURITY_CONTACT',
    contact,
    'the contact in `security.txt`: `mailto:…` or `https://…`',
  ),
  supportContact: optional(
    'WEFT_SUPPORT_CONTACT',
    contact,
    'where people get help, linked in the footer of public pages: `mailto:…` or `https://…`',
  ),
  privacyPolicy: optional(
    'WEFT_PRIVACY_PAGE',
    markdownFile,
    'a markdown file with your privacy policy, served at `/privacy`: [legal pages](#listings-and-legal-pages)',
  ),
  termsOfService: optional(
    'WEFT_TERMS_PAGE',
    markdownFile,
    'a markdown file with your terms of service, served at `/terms`',
  ),
  mcpRegistryAuth: optional(
    'WEFT_MCP_REGISTRY_AUTH',
    registryKey,
    'the public key at `/.well-known/mcp-registry-auth`: `v=MCPv1; k=ed25519; p=…`',
  ),
  openaiAppsChallenge: optional(
    'WEFT_OPENAI_APPS_CHALLENGE',
    challenge,
    'the token at `/.well-known/openai-apps-challenge`',
  ),
  embeddingsFolder: optional(
    'WEFT_EMBEDDINGS_FOLDER',
    String,
    'a folder with a static embedding model, instead of the built-in one: [semantic search](#semantic-search)',
  ),
  embeddingsUrl: optional(
    'WEFT_EMBEDDINGS_URL',
    endpointUrl,
    'an endpoint that embeds connections and queries: [semantic search](#semantic-search)',
  ),
  embeddingsModel: optional('WEFT_EMBEDDINGS_MODEL', String, 'the model to request from it'),
  embeddingsKey: optionalSecret(
    'WEFT_EMBEDDINGS_KEY',
    visibleAscii,
    'its API key, if it needs one',
  ),
} as const satisfies Readonly<Record<string, Setting>>

const ALL: readonly Setting[] = Object.values(SETTINGS)

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

const FILE_SUFFIX = '_FILE'
const SECRETS: ReadonlySet<string> = new Set(
  ALL.filter(({ isSecret }) => isSecret).map(({ name }) => name),
)

/**
 * Unknown settings are errors, because a misspelled one would have no effect. Kubernetes sets variables for every
 * service in the namespace, such as one named `weft`; those are ignored.
 */
export function unknownSettings(environment: Environment): string[] {
  const names = ALL.map(({ name }) => name)
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
export const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\/\S+:\d+$/

function suggestion(name: string, known: ReadonlySet<string>): string {
  const near = [...known].find(
    (one) => one.startsWith(name) || name.startsWith(one) || editDistance(one, name, 2) <= 2,
  )
  return near === undefined ? '' : `; did you mean ${near}?`
}
