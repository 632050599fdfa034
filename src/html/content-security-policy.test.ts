import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RequestError } from '../base/request-error.ts'
import { contentSecurityPolicy, formTarget } from './content-security-policy.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

test('a page loads nothing from other origins and runs no inline code', () => {
  const policy = contentSecurityPolicy()
  assert.match(policy, /^default-src 'none';/)
  assert.match(policy, /form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/)
  assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/)
})

test('form-action includes the given targets', () => {
  const policy = contentSecurityPolicy(['https://claude.ai', 'cursor:'])
  assert.match(policy, /; form-action 'self' https:\/\/claude\.ai cursor:;/)
})

test('the form target of a web URL is its origin, of any other URL its scheme', () => {
  const targets = {
    'https://claude.ai/api/mcp/auth_callback?x=1': 'https://claude.ai',
    'https://claude.ai:8443/cb': 'https://claude.ai:8443',
    'http://127.0.0.1:33418/callback': 'http://127.0.0.1:33418',
    'http://localhost/callback': 'http://localhost',
    'cursor://anysphere.cursor-mcp/oauth/callback': 'cursor:',
    'com.example.app:/cb': 'com.example.app:',
  }
  for (const [uri, target] of Object.entries(targets)) assert.equal(formTarget(uri), target)
})

test('a host that CSP cannot express is replaced by its scheme', () => {
  assert.equal(formTarget('http://[::1]:33418/callback'), 'http:')
  assert.equal(formTarget('https://192.0.2.7/cb'), 'https:')
  assert.equal(formTarget('https://example.com./cb'), 'https:')
  assert.equal(formTarget('https://*.example.com/cb'), 'https:')
})

test('no URL can end the directive or add another source', () => {
  assert.equal(formTarget("https://a;script-src'unsafe-inline',*/cb"), 'https:')
  const schemes = fc.constantFrom(
    'https://',
    'http://',
    'HTTPS:\\',
    'cursor://',
    'com.example:/',
    '',
  )
  const hosts = fc.oneof(fc.string(), unicodeText(), fc.webAuthority())
  fc.assert(
    fc.property(schemes, hosts, (scheme, host) => {
      const target = targetOrError(scheme + host)
      if (target instanceof RequestError) assert.equal(target.code, 'invalid_request')
      else assert.match(target, /^[a-z][a-z0-9+.-]*:(?:\/\/[a-z0-9.-]+(?::\d+)?)?$/)
    }),
  )
})

function targetOrError(uri: string): string | RequestError {
  try {
    return formTarget(uri)
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}
