/** Reads settings from the environment, validates them, and reports all errors at once. */

import { RequestError } from '../base/request-error.ts'
import type { DatabaseAddress } from '../db/database-address.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import type { EmbeddingsSettings } from '../embeddings/embedder.ts'
import type { OidcSettings } from '../sign-in/provider/provider.ts'
import {
  SERVICE_ADDRESS,
  SETTINGS,
  settingText,
  unknownSettings,
  type Environment,
  type Setting,
} from './settings.ts'
import { defaultSearchThreads } from './setting-values.ts'

type Values = {
  readonly [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['parse']>
}

/** Settings that only make sense together. */
type Grouped = 'ownerUrl' | `${'oidc' | 'smtp' | 'metrics' | 'embeddings'}${string}`

export interface Config extends Omit<Values, Grouped & keyof Values> {
  readonly database: DatabaseAddress
  /** Without a trailing slash; null until a free port is bound. */
  readonly publicUrl: string | null
  readonly searchThreads: number
  /** Without one, Weft's own sign-in page is used. */
  readonly oidc: OidcSettings | null
  /** Without one, Weft sends no email. */
  readonly smtp: SmtpSettings | null
  /** Null if `/metrics` is not served. */
  readonly metrics: MetricsSettings | null
  /** Without one, the built-in model is used. */
  readonly embeddings: EmbeddingsSettings | null
}

/** A separate port, a bearer token for the main port, or both. */
export interface MetricsSettings {
  readonly port: number | null
  readonly host: string
  readonly token: string | null
}

/**
 * Reads the configuration. Empty values count as not set.
 *
 * @throws {RequestError} `invalid_request` when settings are not valid, with all errors.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = unknownSettings(environment)
  const entries = Object.entries<Setting>(SETTINGS).map(([key, setting]) => [
    key,
    readSetting(environment, setting, problems),
  ])
  // Each parser returns the type of its key.
  const { ownerUrl, ...values } = Object.fromEntries(entries) as Values
  const { oidcIssuer, oidcClientId, oidcClientSecret, smtpServer, smtpFrom, ...rest } = values
  const { metricsPort, metricsHost, metricsToken, ...others } = rest
  const { embeddingsFolder, embeddingsUrl, embeddingsModel, embeddingsKey, ...single } = others
  const { database, host, port } = single
  const oidc = { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret }
  const endpoint = { url: embeddingsUrl, model: embeddingsModel }
  const groups = {
    oidc: allOrNone(oidc, 'WEFT_OIDC_ISSUER', 'WEFT_OIDC_CLIENT_ID and WEFT_OIDC_CLIENT_SECRET'),
    smtp: allOrNone({ server: smtpServer, from: smtpFrom }, 'WEFT_SMTP_URL', 'WEFT_SMTP_FROM'),
    endpoint: allOrNone(endpoint, 'WEFT_EMBEDDINGS_URL', 'WEFT_EMBEDDINGS_MODEL'),
  }
  problems.push(
    ...Object.values(groups).flatMap((group) => (typeof group === 'string' ? [group] : [])),
    ...conflictsOf(Object.fromEntries(entries) as Values, environment),
  )
  const [smtp, embeddings] = [ifComplete(groups.smtp), ifComplete(groups.endpoint)]
  if (problems.length > 0) throw invalidConfiguration(problems)
  return {
    ...single,
    database:
      ownerUrl === null || database.engine !== 'postgres' ? database : { ...database, ownerUrl },
    publicUrl: single.publicUrl ?? (port === 0 ? null : localUrl(host, port)),
    searchThreads: single.searchThreads ?? defaultSearchThreads(),
    oidc: ifComplete(groups.oidc),
    smtp: smtp && { ...smtp.server, from: smtp.from },
    // Metrics name routes, tools and job kinds, so they need a separate port or a token.
    metrics:
      metricsPort === null && metricsToken === null
        ? null
        : { port: metricsPort, host: metricsHost, token: metricsToken },
    embeddings: embeddings
      ? { ...embeddings, key: embeddingsKey }
      : embeddingsFolder === null
        ? null
        : { folder: embeddingsFolder },
  }
}

/** Settings that need another one, or exclude it. */
function conflictsOf(values: Values, environment: Environment): string[] {
  const { ownerUrl, database, metricsPort, embeddingsFolder, embeddingsUrl, embeddingsKey } = values
  const isSet = (name: string) => (environment[name]?.trim() ?? '') !== ''
  const conflicts: [boolean, string][] = [
    [
      ownerUrl !== null && database.engine !== 'postgres',
      mustComeWith('WEFT_OWNER_DATABASE', 'a WEFT_DATABASE of PostgreSQL'),
    ],
    [
      embeddingsKey !== null && embeddingsUrl === null && values.embeddingsModel === null,
      mustComeWith('WEFT_EMBEDDINGS_URL', 'WEFT_EMBEDDINGS_MODEL'),
    ],
    [
      embeddingsFolder !== null && embeddingsUrl !== null,
      'WEFT_EMBEDDINGS_FOLDER cannot be combined with WEFT_EMBEDDINGS_URL',
    ],
    [
      metricsPort === null && isSet('WEFT_METRICS_HOST'),
      mustComeWith('WEFT_METRICS_HOST', 'WEFT_METRICS_PORT'),
    ],
  ]
  return conflicts.flatMap(([exists, problem]) => (exists ? [problem] : []))
}

function mustComeWith(name: string, needed: string): string {
  return `${name} must come with ${needed}`
}

function readSetting(environment: Environment, setting: Setting, problems: string[]): unknown {
  const { name } = setting
  try {
    const text = settingText(environment, name)
    return setting.parse(name === 'WEFT_PORT' && SERVICE_ADDRESS.test(text) ? '' : text)
  } catch (error) {
    problems.push(`${name} ${error instanceof Error ? error.message : 'is wrong'}`)
    return setting.parse('')
  }
}

type Complete<T> = { readonly [Key in keyof T]: NonNullable<T[Key]> }

/** The settings if all are set, null if none is, otherwise the problem. */
function allOrNone<T extends object>(
  group: T,
  name: string,
  needed: string,
): Complete<T> | string | null {
  const set = Object.values(group).filter((value) => value !== null).length
  if (set === 0) return null
  return set < Object.keys(group).length ? mustComeWith(name, needed) : (group as Complete<T>)
}

function ifComplete<T extends object>(group: T | string | null): T | null {
  return typeof group === 'string' ? null : group
}

function invalidConfiguration(problems: readonly string[]): RequestError {
  const count = problems.length === 1 ? 'a mistake' : `${problems.length} problems`
  return new RequestError(
    'invalid_request',
    `The configuration has ${count}:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
    {
      hint: 'Set environment variables, or write them to a .env file in the folder where Weft starts.',
    },
  )
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
export function requirePublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
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
export function requireSmtp({ smtp }: Pick<Config, 'smtp'>): SmtpSettings {
  if (smtp !== null) return smtp
  throw new RequestError('conflict', 'No mail server is configured.', {
    hint: 'Set WEFT_SMTP_URL and WEFT_SMTP_FROM.',
  })
}
