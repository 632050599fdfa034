import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../test/support/gate.ts'
import { createLog } from '../base/log.ts'
import { RequestError } from '../base/request-error.ts'
import { assemble } from '../http/http-service.ts'
import { assetPath } from './assets.ts'
import { assetRoutes } from './assets.route.ts'
import { cardPage } from './card-layout.ts'
import { html } from './html.ts'
import { memberPage } from './member-layout.ts'
import { messagePage, errorPage } from './message.page.ts'
import type { Answer } from '../http/response.ts'

const ADA = {
  memberId: 1,
  username: 'ada',
  name: 'Ada <Lovelace>',
  role: 'member' as const,
  sessionId: 'session',
  signedInAt: 0,
}

const card = () => cardPage({ title: 'Sign in & go', body: html`<p>${'<b>'}</p>` })
const member = () =>
  memberPage({
    title: 'Agents',
    body: html`<p></p>`,
    browser: { member: ADA },
    current: 'agents',
  })
const message = () => messagePage({ status: 404, title: 'Not found', text: 'No <member> here.' })

const PAGES = { card, member, message }

for (const [name, make] of Object.entries(PAGES))
  test(`a ${name} page is private and cannot be framed`, () => {
    const { headers, page, body } = make()
    assert.equal(page, true)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/)
    // The policy would silently block inline code.
    assert.doesNotMatch(String(body), /\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)/)
    assert.equal(String(body).match(/<h1>/g)?.length, 1)
  })

test('a member page is isolated from windows of other sites, a card page is not', () => {
  assert.equal(member().headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(card().headers['cross-origin-opener-policy'], undefined)
})

test('a title is escaped in the window title and the heading', () => {
  assert.match(bodyOf(card()), /<title>Sign in &#38; go · Weft<\/title>/)
  assert.match(bodyOf(card()), /<h1>Sign in &#38; go<\/h1>/)
  assert.match(bodyOf(card()), /<p>&#60;b&#62;<\/p>/)
})

test('the sidebar marks the current page and shows the member’s name', () => {
  const body = bodyOf(member())
  assert.match(body, /<a href="\/user\/integrations\/mcp" aria-current="page"/)
  assert.equal(body.match(/aria-current/g)?.length, 1)
  assert.match(body, /<bdi>Ada &#60;Lovelace&#62;<\/bdi>[^]*<small>@ada<\/small>/)
  assert.match(body, /<form method="post" action="\/sign-out">/)
})

test('an error page has the status, the message and the request ID', () => {
  const error = new RequestError('forbidden', 'This form is <old>.', { hint: 'Reload it.' })
  const answer = errorPage(error, 'req_1')
  assert.equal(answer.status, 403)
  assert.match(bodyOf(answer), /<h1>Not allowed<\/h1>/)
  assert.match(bodyOf(answer), /This form is &#60;old&#62;\./)
  assert.match(bodyOf(answer), /Reload it\./)
  assert.match(bodyOf(answer), /<code>req_1<\/code>/)
})

test('an error page keeps the headers and omits hints for programs', () => {
  const details = { retryAfter: 7, hint: 'Read RateLimit.' }
  const wait = errorPage(new RequestError('rate_limited', 'Wait 7 s.', details), 'req_1')
  assert.equal(wait.headers['retry-after'], '7')
  assert.doesNotMatch(bodyOf(wait), /RateLimit/)
  const method = new RequestError('method_not_allowed', 'No.', { headers: { allow: 'GET' } })
  assert.equal(errorPage(method, 'req_1').headers['allow'], 'GET')
})

test('assets have hashed names and are cached permanently', async () => {
  await using world = await startAssets()
  for (const path of addressesIn(bodyOf(member()))) {
    const response = await fetch(world.url + path)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(response.headers.get('content-type') ?? '', /css|javascript|svg|png|woff2/)
    const etag = response.headers.get('etag') ?? ''
    assert.ok(path.includes(/[0-9a-f]{16}/.exec(etag)?.[0] ?? 'no digest'), etag)
    const again = await fetch(world.url + path, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  }
})

test('text assets are compressed per Accept-Encoding, with one ETag per encoding', async () => {
  await using world = await startAssets()
  const tags = new Set<string>()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ] as const) {
    const headers = { 'accept-encoding': accepted }
    const response = await fetch(world.url + assetPath('weft.css'), { headers })
    assert.equal(response.headers.get('content-encoding'), encoding)
    assert.equal(response.headers.get('vary'), 'Accept-Encoding')
    tags.add(response.headers.get('etag') ?? '')
    assert.match(await response.text(), /^@layer/)
  }
  assert.equal(tags.size, 3)
  const headers = { 'accept-encoding': 'br' }
  const font = await fetch(world.url + assetPath('figtree-latin.woff2'), { headers })
  assert.equal(font.headers.get('content-encoding'), null)
})

test('the style sheet references fonts by their hashed URLs', async () => {
  await using world = await startAssets()
  const style = await (await fetch(world.url + assetPath('weft.css'))).text()
  const named = [...style.matchAll(/url\(([^)]+)\)/g)].map(([, file]) => `/assets/${file}`)
  assert.deepEqual(named, [assetPath('figtree-latin.woff2'), assetPath('figtree-latin-ext.woff2')])
})

test('an asset of another version is not found', async () => {
  await using world = await startAssets()
  for (const file of ['weft-0000000000000000.css', 'weft.css', '..%2Fhtml.ts', 'constructor'])
    assert.equal((await fetch(`${world.url}/assets/${file}`)).status, 404, file)
})

test('every icon used by pages is in the sprite', async () => {
  await using world = await startAssets()
  const sprite = await (await fetch(world.url + assetPath('icons.svg'))).text()
  const used = [...bodyOf(member()).matchAll(/icons-[0-9a-f]+\.svg#([a-z-]+)/g)]
  assert.ok(used.length >= 5)
  for (const [, id] of used) assert.match(sprite, new RegExp(`<symbol id="${id}"`))
})

function bodyOf({ body }: Answer): string {
  assert.equal(typeof body, 'string')
  return String(body)
}

function addressesIn(body: string): Set<string> {
  const found = [...body.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)].map(([, path = '']) => path)
  assert.ok(found.length >= 4)
  return new Set(found)
}

async function startAssets() {
  const http = assemble({ ...openGate(), routes: assetRoutes(), log: createLog('silent') })
  const port = await http.listen('127.0.0.1', 0)
  const stop = () => http[Symbol.asyncDispose]()
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop }
}
