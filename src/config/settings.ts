/** The settings of Weft: their names, defaults and descriptions, and their texts in the environment. */

import { editDistance } from '../base/edit-distance.ts'
import { DEFAULT_DATABASE_CONNECTIONS, MIN_DATABASE_CONNECTIONS } from '../db/engines/open.ts'
import { DEFAULT_SEARCH_MEMORY_MB } from '../db/member-memory.ts'
import { DEFAULT_UPLOAD_QUOTA_MB } from '../jobs/store-upload.ts'
import { LOG_LEVELS, readText } from './setting-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting as the documentation lists it. */
export interface Setting {
  readonly name: string
  readonly default: string
  readonly description: string
  /** It may also be read from the file that `<name>_FILE` names, and is never shown. */
  readonly secret?: true
}

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
      'Megabytes of memory for search indexes, 300 to 1,000 bytes per connection; at least 16',
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

export type SettingName = (typeof SETTINGS)[number]['name']

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
  SETTINGS.filter((setting) => 'secret' in setting).map(({ name }) => name),
)

/**
 * Unknown settings are errors, because a misspelled one would have no effect. Kubernetes sets variables for every
 * service in the namespace, such as one named `weft`; those are ignored.
 */
export function unknownSettings(environment: Environment): string[] {
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
export const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\/\S+:\d+$/

function suggestion(name: string, known: ReadonlySet<string>): string {
  const near = [...known].find(
    (one) => one.startsWith(name) || name.startsWith(one) || editDistance(one, name, 2) <= 2,
  )
  return near === undefined ? '' : `; did you mean ${near}?`
}
