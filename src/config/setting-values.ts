/** Parses the texts of settings. Each function throws an `Error` that says what the value must be. */

import { codeOf } from '../base/thrown.ts'
import { withoutLast } from '../base/without-last.ts'
import { readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseDatabaseAddress, type DatabaseAddress } from '../db/database-address.ts'
import type { SmtpSettings } from '../email/smtp.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'

interface RateLimitSetting {
  readonly quota: number
  readonly window: number
}

export function databaseAddress(text: string): DatabaseAddress {
  const address = parseDatabaseAddress(text)
  if (!address)
    throw new Error(
      'must be sqlite:<file>, such as sqlite:./data/weft.db, or postgres://<role>:<password>@<host>/<database>',
    )
  return address
}

export function postgresUrl(text: string): string {
  const address = parseDatabaseAddress(text)
  if (address?.engine !== 'postgres' || !URL.canParse(address.url))
    throw new Error('must be postgres://<role>:<password>@<host>/<database>')
  return address.url
}

export function redisUrl(text: string): string {
  const isSocket = /^unix:(?:\/\/)?\/./.test(text)
  if (!isSocket && !(/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)))
    throw new Error('must be redis://[:<password>@]<host>, rediss://… for TLS, or unix:<socket>')
  return text
}

export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error('must be an http or https address, such as https://weft.example.org')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment: Weft answers at the root of its host')
  return url.origin
}

/** One of these words, in any capitalization. */
export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text.toLowerCase())
    if (!found) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
}

/** OpenID Connect Discovery 1.0 section 2: https without query or fragment. http is allowed for this machine only. */
export function issuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '')
  if (!url || (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')))
    throw new Error('must be an https address, such as https://login.example.org')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must have no query, fragment or user in it')
  return text
}

/** The operator chooses where texts are sent: any host, also without https. */
export function endpointUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new Error('must be an http or https address, such as https://api.openai.com/v1')
  if (url.search !== '' || url.hash !== '') throw new Error('must have no query or fragment')
  return withoutLast(url.href, '/')
}

export function visibleAscii(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be visible ASCII characters')
  return text
}

export function rateLimits(text: string): Record<string, RateLimitSetting> {
  if (text === '') return {}
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

/** The maximum number of people, and their percentage of the network. Null for `off`. */
export function davBurst(
  text: string,
): { readonly people: number; readonly percent: number } | null {
  if (text === 'off') return null
  const [, people, percent] = /^\s*(\d{1,6})\/(\d{1,3})\s*$/.exec(text) ?? []
  if (people === undefined || Number(people) < 1 || Number(percent) > 100)
    throw new Error('must be off, or like 50/20: people, and their percentage of the network')
  return { people: Number(people), percent: Number(percent) }
}

const RATE_LIMITED: readonly string[] = Object.values(LIMITS).map(({ name }) => name)

export function proxies(text: string): string[] {
  if (text === '') return []
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

/** Host names or IP addresses in lower case, each with a port if it is not that of the scheme. */
export function hostList(text: string): string[] {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  return hosts
    .filter((host) => host !== '')
    .map((host) => {
      if (URL.parse(`http://${host}`)?.host !== host)
        throw new Error('must be hosts, such as homeassistant.local:8123, 192.168.1.10')
      return host
    })
}

/** RFC 9116 section 2.5.3: a URI. */
export function contact(text: string): string | null {
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/i.test(text) || !URL.canParse(text))
    throw new Error(
      'must be an address such as mailto:security@example.org or https://example.org/security',
    )
  return text
}

/** The text of a markdown file, which is read when Weft starts. */
export function markdownFile(path: string): string {
  const text = readText(path, `names a file that cannot be read: ${path}`)
  if (text === '') throw new Error(`names an empty file: ${path}`)
  return text
}

/** The trimmed text of a file. `complaint` begins the error. */
export function readText(path: string, complaint: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = codeOf(error) || 'unknown error'
    throw new Error(`${complaint} (${code})`, { cause: error })
  }
}

/** As the registry's publisher prints it (MCP registry, Authentication: HTTP). */
export function registryKey(text: string): string {
  if (!/^v=MCPv1; k=(ed25519|ecdsap384); p=[A-Za-z0-9+/]+=*$/.test(text))
    throw new Error('must have the form v=MCPv1; k=ed25519; p=<public key in Base64>')
  return text
}

export function challenge(text: string): string {
  if (!/^[\x21-\x7e]{1,500}$/.test(text)) throw new Error('must be the token, without spaces')
  return text
}

export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

/** Leaves one CPU core to the main thread. */
export function defaultSearchThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

/** The ports of RFC 8314: 587 with STARTTLS, 465 with TLS from the start. */
export function smtpServer(text: string): Omit<SmtpSettings, 'from'> {
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

export function emailSender(text: string): string {
  if (!/^(?:[^<>@\p{C}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text))
    throw new Error('must be an address such as weft@example.org or Weft <weft@example.org>')
  return text
}

/** Long enough that guessing is hopeless without a rate limit. Characters. */
const MIN_METRICS_TOKEN_LENGTH = 24

const MIN_SECRET_KEY_LENGTH = 32

export function secretKey(text: string): string {
  if (text.length < MIN_SECRET_KEY_LENGTH)
    throw new Error(
      `must have at least ${MIN_SECRET_KEY_LENGTH} characters, such as the output of \`openssl rand -base64 32\``,
    )
  return visibleAscii(text)
}

export function metricsToken(text: string): string {
  if (text.length < MIN_METRICS_TOKEN_LENGTH)
    throw new Error(
      `must have at least ${MIN_METRICS_TOKEN_LENGTH} characters, such as the output of \`openssl rand -hex 24\``,
    )
  return visibleAscii(text)
}
