import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_NOW } from '../../test/support/store.ts'
import { consentPage, type ConsentDeps } from './consent.page.ts'

const CLIENT = { clientId: 'client_1', name: 'Claude', uri: null, registered: true }

const PARTS: ConsentDeps = {
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
  now: TEST_NOW,
}

test('it says who asks, who is asked, and where the browser goes next', () => {
  const text = textOf(PARTS)
  assert.match(text, /Let Claude work with your network\?/)
  assert.match(text, /Next, your browser goes to claude\.ai /)
  assert.match(text, /Anyone can connect an app under any name, and nobody here has reviewed this/)
  assert.match(text, /Signed in to weft\.example\.org as Ada Lovelace \(@ada\)\./)
})

test('it says how many credits are left and until when', () => {
  assert.match(textOf(PARTS), /Spend credits \(1,812 of 2,000 left until 1 December\)/)
})

test('an app on this computer and an app behind a scheme come with their own warning', () => {
  const local = textOf({ ...PARTS, redirectUri: 'http://[::1]:33418/callback' })
  assert.match(local, /goes to \[::1\]:33418, on this computer/)
  assert.match(local, /Any program on this computer could be waiting there/)
  const app = textOf({ ...PARTS, redirectUri: 'cursor://anysphere.cursor-mcp/callback' })
  assert.match(app, /goes to the app that opens cursor: links/)
  assert.match(app, /Any app on this device can claim cursor: links/)
  assert.doesNotMatch(textOf(PARTS), /this computer|this device/)
})

test('an app that describes itself is named by the host of its document, its website as its own claim', () => {
  const clientId = 'https://app.example.com/oauth/client.json'
  const uri = 'https://example.com/about?x=<b>'
  const client = { ...CLIENT, clientId, uri, registered: false }
  const text = textOf({ ...PARTS, client })
  assert.match(text, /It describes itself at app\.example\.com /)
  assert.match(text, /It names as its website example\.com /)
  assert.doesNotMatch(textOf(PARTS), /describes itself|website/)
})

test('a name is text, and isolated from the words around it', () => {
  const name = '\u202E<script>alert(1)</script>"'
  const html = pageOf({ ...PARTS, client: { ...CLIENT, name } })
  assert.ok(html.includes('<bdi>\u202E&#60;script&#62;alert(1)&#60;/script&#62;&#34;</bdi>'))
  assert.equal(html.split('\u202E').length, 2)
})

test('the request goes back with the decision, and cancel is what a stray Enter presses', () => {
  const html = pageOf(PARTS)
  assert.match(html, /<form method="post" action="\/oauth\/authorize">/)
  assert.match(html, /name="form_token" value="the-form-token"/)
  assert.match(html, /name="request" value="client_id&#61;client_1&#38;state&#61;a%22b"/)
  const decisions = [...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)
  assert.deepEqual(decisions, ['deny', 'allow'])
  assert.doesNotMatch(html, /autofocus/)
})

test('somebody else signs out and comes back to the same request', () => {
  const [, form = ''] =
    /(<form method="post" action="\/sign-out">.*?<\/form>)/s.exec(pageOf(PARTS)) ?? []
  assert.match(form, /name="form_token" value="the-form-token"/)
  assert.match(
    form,
    /name="return_to" value="\/oauth\/authorize\?client_id&#61;client_1&#38;state&#61;a%22b"/,
  )
})

test('its form may lead to where the client is, and on from there', () => {
  const policy = policyOf({ ...PARTS, redirectUri: 'http://127.0.0.1:33418/callback' })
  assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:33418 https: claude:;/)
  assert.match(policyOf({ ...PARTS, redirectUri: 'com.example:/cb' }), /'self' com\.example: /)
})

function pageOf(deps: ConsentDeps): string {
  return String(consentPage(deps).body)
}

function policyOf(deps: ConsentDeps): string {
  return consentPage(deps).headers['content-security-policy'] ?? ''
}

/** What a person reads. */
function textOf(deps: ConsentDeps): string {
  return pageOf(deps)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,)])/g, '')
}
