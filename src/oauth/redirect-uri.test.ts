import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  isLoopbackUri,
  matchesRedirectUri,
  redirectHost,
  redirectUriProblem,
} from './redirect-uri.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

/** As real clients register them. */
const REAL = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://vscode.dev/redirect',
  'https://insiders.vscode.dev/redirect',
  'http://127.0.0.1/',
  'http://127.0.0.1:33418/',
  'http://localhost/callback',
  'http://localhost:53121/oauth/callback',
  'http://[::1]:8976/cb?from=cli',
  'http://localhost',
  'https://app.example',
  'https://xn--bcher-kva.example/%C3%BC?x=1&y=%20',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://saoudrizwan.claude-dev/mcp-auth/callback/1',
  'raycast://oauth?package_name=Extension',
  'warp://mcp/oauth2callback',
  'com.example.app:/cb',
  'com.example.app://oauth/cb',
]

test('the URIs of real clients are accepted', () => {
  for (const uri of REAL) assert.equal(redirectUriProblem(uri), undefined, uri)
})

test('schemes that a browser or operating system handles itself are rejected', () => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript://example.com/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'vbscript:x',
    'view-source:https://a.example/',
    'intent://a.example/#Intent;end',
    'ftp://a.example/',
    'ws://localhost/',
    'wss://a.example/',
    'mailto:ada@a.example',
    'about:blank',
    'ms-settings:privacy',
    'unknownapp://cb',
  ]
  for (const uri of refused) assert.ok(redirectUriProblem(uri), uri)
})

test('http is accepted only for loopback addresses', () => {
  const refused = [
    'http://a.example/cb',
    'http://localhost.a.example/cb',
    'http://127.0.0.1.a.example/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f.0.0.1/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://LOCALHOST/cb',
    'http://localhost./cb',
    'http://localhost:/cb',
    'http://localhost:65536/cb',
    'http://localhost@a.example/cb',
  ]
  for (const uri of refused) {
    assert.ok(redirectUriProblem(uri), uri)
    assert.equal(isLoopbackUri(uri), false, uri)
  }
})

test('relative URIs, wildcards, fragments and credentials are rejected', () => {
  const refused = [
    '',
    'cb',
    '/cb',
    '//a.example/cb',
    'https://',
    'https:a.example/cb',
    'https:///a.example/cb',
    'https://a.example/cb#',
    'https://a.example/#/cb',
    'https://ada@a.example/',
    'https://ada:secret@a.example/',
    'https://@a.example/',
    'cursor://ada@anysphere.cursor-mcp/cb',
    'https://*.a.example/cb',
    'https://a.example/*',
    'https://a.example/c b',
    'https://a.example/cb ',
    '\thttps://a.example/cb',
    'https://a.example/c\r\nb',
    'https://a.example/c\0b',
    'https://a.example\\cb',
    'https://a.example/%',
    'https://a.example/%zz',
    'https://bücher.example/cb',
    'https://a.example/ü',
    'https://a.example/\u202ecb',
    'https://a.example/"<cb>',
    `https://a.example/${'x'.repeat(2000)}`,
  ]
  for (const uri of refused) assert.ok(redirectUriProblem(uri), JSON.stringify(uri))
})

test('the message explains the problem', () => {
  const wrong: [uri: string, words: RegExp][] = [
    ['https://a.example/cb#x', /fragment/],
    ['https://*.a.example/cb', /wildcards/],
    ['https://bücher.example/cb', /punycode/],
    ['https://ada@a.example/', /user name/],
    ['http://a.example/cb', /127\.0\.0\.1, \[::1\] or localhost/],
    ['javascript:alert(1)', /javascript:/],
    ['/cb', /absolute/],
    [`https://a.example/${'x'.repeat(2000)}`, /2000/],
  ]
  for (const [uri, words] of wrong) assert.match(redirectUriProblem(uri) ?? '', words)
})

test('a URI that a browser would rewrite is rejected with the normalized form', () => {
  const rewritten = {
    'https://A.example/cb': 'https://a.example/cb',
    'HTTPS://a.example/cb': 'https://a.example/cb',
    'https://a.example:443/cb': 'https://a.example/cb',
    'https://a.example/x/../cb': 'https://a.example/cb',
    'https://a.example/x/%2e%2e/cb': 'https://a.example/cb',
    'https://0x7f.1/cb': 'https://127.0.0.1/cb',
    'COM.example.app:/cb': 'com.example.app:/cb',
  }
  for (const [uri, other] of Object.entries(rewritten))
    assert.ok(redirectUriProblem(uri)?.endsWith(other), uri)
})

test('only the exact registered URI matches', () => {
  const registered = ['https://app.example/cb?x=1', 'http://localhost/cb', 'com.example.app:/cb']
  const others = [
    'https://other.example/cb?x=1',
    'https://app.example.evil.example/cb?x=1',
    'https://evil.app.example/cb?x=1',
    'https://app.example/other?x=1',
    'https://app.example/cb/?x=1',
    'https://app.example//cb?x=1',
    'https://app.example/cb',
    'https://app.example/cb?x=2',
    'https://app.example/cb?x=1&y=2',
    'https://app.example/CB?x=1',
    'https://APP.example/cb?x=1',
    'https://app.example/./cb?x=1',
    'https://app.example/a/../cb?x=1',
    'https://app.example/%63b?x=1',
    'https://app.example:444/cb?x=1',
    'https://app.example:443/cb?x=1',
    'https://ada@app.example/cb?x=1',
    'https://app.example@evil.example/cb?x=1',
    'http://app.example/cb?x=1',
    'https://app.example/cb?x=1#',
    'https://app.example\\@evil.example/cb?x=1',
    ' https://app.example/cb?x=1',
    'https://app.example/cb?x=1\0',
    'https://localhost/cb',
    'com.example.app:/cb/',
    'com.example.app://cb',
    '',
  ]
  for (const uri of others)
    assert.equal(matchesRedirectUri(registered, uri), false, JSON.stringify(uri))
  for (const uri of registered) assert.equal(matchesRedirectUri(registered, uri), true, uri)
})

test('a loopback URI matches with any port but no other difference', () => {
  const registered = ['http://localhost:3000/cb?x=1', 'http://127.0.0.1/', 'http://[::1]/cb']
  const meant = [
    'http://localhost/cb?x=1',
    'http://localhost:3000/cb?x=1',
    'http://localhost:65535/cb?x=1',
    'http://127.0.0.1:33418/',
    'http://[::1]:1/cb',
  ]
  for (const uri of meant) assert.equal(matchesRedirectUri(registered, uri), true, uri)
  const others = [
    'http://127.0.0.1:3000/cb?x=1',
    'http://localhost:3000/cb',
    'http://localhost:3000/cb?x=1&y=2',
    'http://localhost:3000/cb/?x=1',
    'http://localhost:65536/cb?x=1',
    'http://localhost:03000/cb?x=1',
    'http://localhost:/cb?x=1',
    'http://localhost:3000@evil.example/cb?x=1',
    'http://LOCALHOST:3000/cb?x=1',
    'https://localhost:3000/cb?x=1',
    'http://127.0.0.1:33418',
    'http://[::1]:1/cb#x',
    'http://[0::1]:1/cb',
  ]
  for (const uri of others) assert.equal(matchesRedirectUri(registered, uri), false, uri)
  assert.equal(matchesRedirectUri(['https://localhost:1/cb'], 'https://localhost:2/cb'), false)
  assert.equal(matchesRedirectUri(['cursor://localhost:1/cb'], 'cursor://localhost:2/cb'), false)
})

test('a URI is displayed as its host or private scheme', () => {
  assert.equal(redirectHost('https://app.example/cb'), 'app.example')
  assert.equal(redirectHost('https://app.example:8443/cb'), 'app.example:8443')
  assert.equal(redirectHost('http://[::1]:8976/cb'), '[::1]:8976')
  assert.equal(redirectHost('cursor://anysphere.cursor-mcp/oauth/callback'), 'cursor:')
  assert.equal(redirectHost('com.example.app:/cb'), 'com.example.app:')
})

/** Text that is often a valid URI. */
const uriLike = fc
  .tuple(
    fc.constantFrom('https', 'http', 'HTTP', 'cursor', 'com.example.app', 'javascript', 'data', ''),
    fc.constantFrom('://', ':/', ':', '//', ':\\\\'),
    fc.constantFrom('', 'a.example', 'localhost', '127.0.0.1', '[::1]', 'A.example', 'u@a.example'),
    fc.constantFrom('', ':', ':1', ':80', ':443', ':65535', ':65536', ':007'),
    fc.constantFrom('', '/', '/cb', '/cb/', '/a/../cb', '/%2e/cb', '/c%62', '/ü'),
    fc.constantFrom('', '?', '?x=1', '?x=%27', '#', '#x', '\n'),
  )
  .map((parts) => parts.join(''))

const anyText = fc.oneof(uriLike, unicodeText({ maxLength: 40 }), fc.webUrl())

test('property: an accepted URI is what a browser opens, and never a script', () => {
  fc.assert(
    fc.property(anyText, (uri) => {
      if (redirectUriProblem(uri) !== undefined) return
      assert.match(uri, /^[\x21-\x7e]+$/)
      const { href, protocol, hostname, username, hash } = new URL(uri)
      assert.equal(new URL(href).href, href)
      assert.equal(username + hash, '')
      assert.ok(!['javascript:', 'data:', 'file:', 'blob:'].includes(protocol))
      if (protocol === 'http:') assert.ok(['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      assert.notEqual(redirectHost(uri), '')
      assert.equal(matchesRedirectUri([uri], uri), true)
    }),
  )
})

test('property: two URIs match only if they are equal or differ in a loopback port', () => {
  const acceptable = fc.oneof(uriLike, fc.constantFrom(...REAL))
  fc.assert(
    fc.property(acceptable, acceptable, (registered, asked) => {
      if (redirectUriProblem(registered) !== undefined) return
      const matches = matchesRedirectUri([registered], asked)
      if (!isLoopbackUri(registered)) return assert.equal(matches, asked === registered)
      if (!matches) return assert.notEqual(asked, registered)
      const [one, other] = [new URL(registered), new URL(asked)]
      one.port = other.port
      assert.equal(one.href, other.href)
      return undefined
    }),
    { numRuns: 2000 },
  )
})

test('property: a URI with one character changed does not match', () => {
  const changed = fc
    .tuple(fc.constantFrom(...REAL), fc.nat(), unicodeText({ maxLength: 1 }))
    .map(([uri, at, character]) => {
      const index = at % uri.length
      return { uri, asked: uri.slice(0, index) + character + uri.slice(index + 1) }
    })
  fc.assert(
    fc.property(changed, ({ uri, asked }) => {
      if (asked === uri || isLoopbackUri(uri)) return
      assert.equal(matchesRedirectUri([uri], asked), false)
    }),
  )
})
