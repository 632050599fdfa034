/** Redirect URIs: which may be registered, which of them a request means, and what a person is shown of one. */

/** Longer than any client's, and short enough for the address it becomes with code, state and iss. */
const LONGEST = 2000

/** RFC 3986: reserved and unreserved characters, and percent-encoded bytes. No backslash, no space, no `#`. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?@!$&'()+,;=[\]]|%[0-9A-Fa-f]{2})*$/

/**
 * RFC 8252 section 7.1 asks an app for a scheme of its own that is a domain name in reverse, so it has a dot. These have
 * none and are clients that people use: editors of the VS Code family first, by the `urlProtocol` of their builds. Any
 * other short name may be a program of the operating system that does more than take a code.
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

/** Undefined when it may be registered, else a sentence why not. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > LONGEST) return `A redirect URI has at most ${LONGEST} characters.`
  if (uri.includes('#')) return 'A redirect URI has no fragment.'
  if (uri.includes('*')) return 'A redirect URI is one address: wildcards are not understood.'
  if (!URI_CHARACTERS.test(uri))
    return 'A redirect URI consists of the characters of RFC 3986: anything else is percent-encoded, a host in punycode.'
  const url = URL.parse(uri)
  if (!url) return 'A redirect URI is absolute: a scheme, and where that leads.'
  if (url.username !== '' || url.password !== '') return 'A redirect URI has no user name in it.'
  return schemeProblem(uri, url) ?? spellingProblem(uri, url)
}

/**
 * RFC 6749 section 3.1.2.3: the same to the letter. Only the port of a loopback URI is free, for the app learns it when
 * it starts to listen (RFC 8252 section 7.3; OAuth 2.1 section 2.3.1 has `localhost` in it too).
 */
export function matchesRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  const portless = withoutLoopbackPort(asked)
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless)
}

/** http on 127.0.0.1, [::1] or localhost, spelled just so: the answer stays on the person's own computer. */
export function isLoopbackUri(uri: string): boolean {
  return withoutLoopbackPort(uri) !== undefined
}

/** What a person is shown of a URI that may be registered: its host, or the scheme that an app opens, as `cursor:`. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

function schemeProblem(uri: string, { protocol }: URL): string | undefined {
  const scheme = protocol.slice(0, -1)
  if (scheme === 'https' || KNOWN_SCHEMES.has(scheme) || DOMAIN_SCHEME.test(scheme))
    return undefined
  if (scheme !== 'http')
    return `The scheme ${scheme}: is not accepted: use https, http on a loopback address, or a domain name in reverse such as com.example.app:.`
  if (isLoopbackUri(uri)) return undefined
  return 'A redirect URI with http leads to 127.0.0.1, [::1] or localhost; every other host needs https.'
}

/** What a browser would rewrite is not where it goes: dot segments, capitals in a host, a port that goes without saying. */
function spellingProblem(uri: string, { href }: URL): string | undefined {
  const rewritten = withoutLoopbackPort(href) ?? href
  const written = withoutLoopbackPort(uri) ?? uri
  if (rewritten === written || rewritten === `${written}/`) return undefined
  return `A redirect URI is spelled as a browser goes there: ${href}`
}

function withoutLoopbackPort(uri: string): string | undefined {
  const [, origin, port = '0', rest = ''] = LOOPBACK.exec(uri) ?? []
  return origin === undefined || Number(port) > MAX_PORT ? undefined : origin + rest
}
