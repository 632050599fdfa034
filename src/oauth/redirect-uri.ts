/** Redirect URIs: which ones can be registered, how requests match them, and how they are displayed. */

import { MAX_URI_LENGTH } from '../base/limits.ts'

/** RFC 3986: reserved and unreserved characters and percent-encoded bytes, but no backslash, space or `#`. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?@!$&'()+,;=[\]]|%[0-9A-Fa-f]{2})*$/

/**
 * RFC 8252 section 7.1 requires private schemes to be reversed domain names, which contain a dot. These schemes have
 * none, but belong to clients that people use, first of all editors of the VS Code family (the `urlProtocol` of their
 * builds). Any other short scheme could start a program of the operating system.
 */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([
  'vscode',
  'vscode-insiders',
  'vscodium',
  'code-oss',
  'cursor',
  'windsurf',
  'windsurf-next',
  'kiro',
  'trae',
  'antigravity',
  'claude',
  'chatgpt',
  'codex',
  'goose',
  'lmstudio',
  'raycast',
  'warp',
  'zed',
])

const DOMAIN_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(0|[1-9]\d{0,4}))?([/?].*)?$/s

const MAX_PORT = 65_535

/** Why the URI cannot be registered; undefined if it can. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_URI_LENGTH)
    return `A redirect URI must have at most ${MAX_URI_LENGTH} characters.`
  if (uri.includes('#')) return 'A redirect URI must not have a fragment.'
  if (uri.includes('*')) return 'A redirect URI must not contain wildcards.'
  if (!URI_CHARACTERS.test(uri))
    return 'A redirect URI must contain only RFC 3986 characters. Percent-encode others, and write the host in punycode.'
  const url = URL.parse(uri)
  if (!url) return 'A redirect URI must be absolute, with a scheme.'
  if (url.username !== '' || url.password !== '')
    return 'A redirect URI must not contain a user name or password.'
  return schemeProblem(uri, url) ?? spellingProblem(uri, url)
}

/**
 * Simple string comparison (RFC 6749 section 3.1.2.3). Only the port of a loopback URI can differ, because the app learns
 * it when it starts to listen (RFC 8252 section 7.3; OAuth 2.1 section 2.3.1 includes `localhost`).
 */
export function matchesRedirectUri(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  const portless = withoutLoopbackPort(requested)
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless)
}

/** http on 127.0.0.1, [::1] or localhost, in exactly these spellings, so that the code stays on the person's computer. */
export function isLoopbackUri(uri: string): boolean {
  return withoutLoopbackPort(uri) !== undefined
}

/** How a registered URI is displayed: its host, or its private scheme, such as `cursor:`. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

function schemeProblem(uri: string, { protocol }: URL): string | undefined {
  const scheme = protocol.slice(0, -1)
  if (scheme === 'https' || KNOWN_SCHEMES.has(scheme) || DOMAIN_SCHEME.test(scheme))
    return undefined
  if (scheme !== 'http')
    return `The scheme ${scheme}: is not supported. Use https, http on a loopback address, or a reversed domain name such as com.example.app:.`
  if (isLoopbackUri(uri)) return undefined
  return 'A redirect URI with http must use 127.0.0.1, [::1] or localhost. Other hosts need https.'
}

/** Rejects URIs that a browser would rewrite: dot segments, uppercase letters in the host, default ports. */
function spellingProblem(uri: string, { href }: URL): string | undefined {
  const rewritten = withoutLoopbackPort(href) ?? href
  const written = withoutLoopbackPort(uri) ?? uri
  if (rewritten === written || rewritten === `${written}/`) return undefined
  return `A redirect URI must be in normalized form: ${href}`
}

function withoutLoopbackPort(uri: string): string | undefined {
  const [, origin, port = '0', rest = ''] = LOOPBACK.exec(uri) ?? []
  return origin === undefined || Number(port) > MAX_PORT ? undefined : origin + rest
}
