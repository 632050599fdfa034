import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_NOW } from '../../test/support/store.ts'
import { NO_LIMITS } from '../http/caller.ts'
import { shownLimits } from './consent/limits-form.ts'
import { consentPage, type ConsentDeps } from './consent.page.ts'

const CLIENT = { clientId: 'client_1', name: 'Claude', uri: null, registered: true }

const DEPS: ConsentDeps = {
  client: CLIENT,
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  member: {
    memberId: 1,
    username: 'ada',
    name: 'Ada Lovelace',
    role: 'member',
    sessionId: 'session',
    signedInAt: TEST_NOW,
  },
  credits: { remaining: 1812, quota: 2000, resetsAt: Date.UTC(2026, 11, 1) },
  formToken: 'the-form-token',
  request: 'client_id=client_1&state=a%22b',
  publicUrl: 'https://weft.example.org',
  legal: { privacyPolicy: 'Ours', termsOfService: null },
  now: TEST_NOW,
  confirmation: '',
  isConfirmed: true,
  limits: shownLimits({ ok: true, limits: NO_LIMITS }, 'UTC'),
}

test('the page links to the legal pages of the operator', () => {
  const html = String(consentPage(DEPS).body)
  assert.match(html, /<footer>[^]*Not you\?[^]*<a href="\/privacy">Privacy policy<\/a>\s*<\/p>/)
  assert.doesNotMatch(html, /href="\/terms"/)
})

test('the page shows the app, the member, and where the browser goes next', () => {
  const text = textOf(DEPS)
  assert.match(text, /Allow Claude to use your network\?/)
  assert.match(text, /Next, your browser goes to claude\.ai /)
  assert.match(text, /Anyone can register an app under any name, and no one has reviewed this/)
  assert.match(text, /Signed in to weft\.example\.org as Ada Lovelace \(@ada\)\./)
})

test('the page shows the remaining credits and when they reset', () => {
  assert.match(textOf(DEPS), /Spend credits \(1,812 of 2,000 left until 1 December\)/)
})

test('a loopback URI and a private scheme have their own warnings', () => {
  const local = textOf({ ...DEPS, redirectUri: 'http://[::1]:33418/callback' })
  assert.match(local, /goes to \[::1\]:33418, on this computer/)
  assert.match(local, /Any program on this computer could receive the response there/)
  const app = textOf({ ...DEPS, redirectUri: 'cursor://anysphere.cursor-mcp/callback' })
  assert.match(app, /goes to the app that opens cursor: links/)
  assert.match(app, /Any app on this device can claim cursor: links/)
  assert.doesNotMatch(textOf(DEPS), /this computer|this device/)
})

test('an app with a metadata document shows the host of the document and its claimed website', () => {
  const clientId = 'https://app.example.com/oauth/client.json'
  const uri = 'https://example.com/about?x=<b>'
  const client = { ...CLIENT, clientId, uri, registered: false }
  const text = textOf({ ...DEPS, client })
  assert.match(text, /Description published at app\.example\.com /)
  assert.match(text, /Website, as stated by the app example\.com /)
  assert.doesNotMatch(textOf(DEPS), /Description published|Website/)
})

test('a name is escaped and isolated from the surrounding text', () => {
  const name = '\u202E<script>alert(1)</script>"'
  const html = pageOf({ ...DEPS, client: { ...CLIENT, name } })
  assert.ok(html.includes('<bdi>\u202E&#60;script&#62;alert(1)&#60;/script&#62;&#34;</bdi>'))
  assert.equal(html.split('\u202E').length, 2)
})

test('the form contains the request, and Enter presses Cancel', () => {
  const html = pageOf(DEPS)
  assert.match(html, /<form method="post" action="\/oauth\/authorize">/)
  assert.match(html, /name="request" value="client_id&#61;client_1&#38;state&#61;a%22b"/)
  const decisions = [...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)
  assert.deepEqual(decisions, ['deny', 'allow'])
  assert.doesNotMatch(html, /autofocus/)
})

test('a different person can sign out and return to the same request', () => {
  const [, form = ''] =
    /(<form method="post" action="\/sign-out">.*?<\/form>)/s.exec(pageOf(DEPS)) ?? []
  assert.match(
    form,
    /name="return_to" value="\/oauth\/authorize\?client_id&#61;client_1&#38;state&#61;a%22b"/,
  )
})

test('the form-action policy allows the client and its onward redirects', () => {
  const policy = policyOf({ ...DEPS, redirectUri: 'http://127.0.0.1:33418/callback' })
  assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:33418 https: claude:;/)
  assert.match(policyOf({ ...DEPS, redirectUri: 'com.example:/cb' }), /'self' com\.example: /)
})

function pageOf(deps: ConsentDeps): string {
  return String(consentPage(deps).body)
}

function policyOf(deps: ConsentDeps): string {
  return consentPage(deps).headers['content-security-policy'] ?? ''
}

/** The visible text. */
function textOf(deps: ConsentDeps): string {
  return pageOf(deps)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,)])/g, '')
}
