/** Reads settings from the environment, validates them, and reports all errors at once. */

import { RequestError } from '../base/request-error.ts'
import type { DatabaseAddress } from '../db/engines/open.ts'
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
  const must = (name: string, needed: string) => problems.push(`${name} must come with ${needed}`)
  const { database, host, port } = single
  if (ownerUrl !== null && database.engine !== 'postgres')
    must('WEFT_OWNER_DATABASE', 'a WEFT_DATABASE of PostgreSQL')
  const oidc = allOrNone({
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
  })
  if (oidc === 'incomplete')
    must('WEFT_OIDC_ISSUER', 'WEFT_OIDC_CLIENT_ID and WEFT_OIDC_CLIENT_SECRET')
  const smtp = allOrNone({ server: smtpServer, from: smtpFrom })
  if (smtp === 'incomplete') must('WEFT_SMTP_URL', 'WEFT_SMTP_FROM')
  const embeddings = allOrNone({ url: embeddingsUrl, model: embeddingsModel })
  if (embeddings === 'incomplete' || (embeddings === null && embeddingsKey !== null))
    must('WEFT_EMBEDDINGS_URL', 'WEFT_EMBEDDINGS_MODEL')
  if (embeddings !== null && embeddingsFolder !== null)
    problems.push('WEFT_EMBEDDINGS_FOLDER cannot be combined with WEFT_EMBEDDINGS_URL')
  if (metricsPort === null && (environment['WEFT_METRICS_HOST']?.trim() ?? '') !== '')
    must('WEFT_METRICS_HOST', 'WEFT_METRICS_PORT')
  if (
    problems.length > 0 ||
    oidc === 'incomplete' ||
    smtp === 'incomplete' ||
    embeddings === 'incomplete'
  )
    throw invalidConfiguration(problems)
  return {
    ...single,
    database:
      ownerUrl === null || database.engine !== 'postgres' ? database : { ...database, ownerUrl },
    publicUrl: single.publicUrl ?? (port === 0 ? null : localUrl(host, port)),
    searchThreads: single.searchThreads ?? defaultSearchThreads(),
    oidc,
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

/** The settings if all are set, null if none is. */
function allOrNone<T extends object>(
  group: T,
): { readonly [Key in keyof T]: NonNullable<T[Key]> } | null | 'incomplete' {
  const set = Object.values(group).filter((value) => value !== null).length
  if (set === 0) return null
  return set < Object.keys(group).length
    ? 'incomplete'
    : (group as { readonly [Key in keyof T]: NonNullable<T[Key]> })
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
