/** The rules of the HTTP contract, checked for every route of a running service. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NOT_MOUNTED, findNotMounted } from '../src/sandbox/mount.ts'
import { assetPath } from '../src/html/assets.ts'
import { memberBrowser } from './support/oauth.ts'
import { pngOf } from './fixtures/photos.ts'
import { openSignedIn, SAME_ORIGIN, type Visitor } from './support/visitor.ts'
import {
  FEED_ROUTE,
  PROFILE_PATH,
  PROFILE_PHOTO_PATH,
  UNSUBSCRIBE_PATH,
} from '../src/html/site-map.ts'
import { startTestService, type TestService } from './support/service.ts'
import type { Route } from '../src/http/route.ts'

/** These tests send more requests than one client address may. */
const NO_LIMITS = Object.fromEntries(
  ['profile', 'directory', 'ask', 'batch', 'authorize', 'forms', 'work'].map((name) => [
    name,
    { quota: 100_000, window: 60 },
  ]),
)

// One service for all tests: they only read.
let service: TestService
let photoId: string

before(async () => {
  service = await startTestService({ rateLimits: NO_LIMITS })
  const ada = await service.addMember({ headline: 'Enchantress of Number' })
  photoId = await addPhoto(await openSignedIn(service, ada))
})
after(() => service[Symbol.asyncDispose]())

/** Returns the ID of one of its sizes. */
async function addPhoto(visitor: Visitor): Promise<string> {
  const form = new FormData()
  form.append('form_token', (await visitor.get(PROFILE_PATH)).formToken)
  form.append('photo', new File([pngOf([200, 0, 0])], 'photo.png', { type: 'image/png' }))
  await visitor.post(PROFILE_PHOTO_PATH, form, SAME_ORIGIN)
  const { html } = await visitor.get('/human/ada')
  return /\/photo\/([\w-]+)\.jpg/.exec(html)?.[1] ?? ''
}

/** A URL of the route with a successful response. */
function sampleOf({ path }: Route): string {
  const filled = path
    .replace(':file.xml', 'pages.xml')
    .replace('/assets/:file', assetPath('weft.css'))
    .replace('/docs/:name', '/docs/connect')
    .replace(':username', 'ada')
    .replace(':photo_id', photoId)
    .replace(/:[a-z_]+/, '1')
  return service.url + filled + (path.endsWith('/ask') ? '?query=ada' : '')
}

const publicReads = () =>
  service.routes.filter(
    ({ method, access, path }) =>
      method === 'GET' && access === 'public' && !path.includes('*') && !UNSAMPLED.has(path),
  )

/** A redirect, a secret address, and a page for the holder of a link. */
const UNSAMPLED = new Set(['/.well-known/carddav', FEED_ROUTE, UNSUBSCRIBE_PATH])

test('every anonymous path also works under /sandbox, unless the sandbox lists it as not mounted', async () => {
  const paths = new Set(service.routes.map(({ method, path }) => `${method} ${path}`))
  const originals = service.routes.filter(
    ({ access, path, copyOf }) =>
      access === 'public' && copyOf === undefined && !path.startsWith('/sandbox'),
  )
  const missing = originals
    .filter(({ path }) => findNotMounted(path) === undefined)
    .filter(({ method, path }) => !paths.has(`${method} /sandbox${path}`))
  assert.deepEqual(missing, [])
  for (const path of ['/mcp/docs', '/mcp/server-card', '/mcp/docs/server-card']) {
    const [original, copy] = await Promise.all(
      ['', '/sandbox'].map(async (mount) => (await fetch(service.url + mount + path)).text()),
    )
    assert.equal(copy, original, path)
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const answer = await fetch(`${service.url}/sandbox/mcp/docs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(message),
  })
  assert.match(await answer.text(), /"search_docs"/)
})

test('paths that the sandbox lists as not mounted exist outside it', () => {
  const { routes } = service
  for (const { path } of NOT_MOUNTED) {
    const beginning = path.endsWith('*') ? path.slice(0, -1) : undefined
    const found = routes.some((route) =>
      beginning === undefined ? route.path === path : route.path.startsWith(beginning),
    )
    assert.ok(found, path)
  }
})

test('API documents do not mention probes, which are for proxies and supervisors', async () => {
  for (const path of ['/sandbox', '/v1', '/openapi.json', '/robots.txt'])
    assert.doesNotMatch(await (await fetch(service.url + path)).text(), /healthz|readyz/, path)
})

test('every public read carries ETag, Cache-Control, Vary and CORS, and answers If-None-Match with 304', async () => {
  const lacking: string[] = []
  for (const route of publicReads()) {
    const url = sampleOf(route)
    const headers = { accept: route.forPeople ? 'text/html,*/*;q=0.8' : '*/*' }
    const answer = await fetch(url, { redirect: 'manual', headers })
    const text = await answer.text()
    assert.equal(answer.status, 200, `${url} ${text.slice(0, 200)}`)
    for (const name of ['cache-control', 'vary', 'x-request-id'])
      if (!answer.headers.has(name)) lacking.push(`${route.path}: ${name}`)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', url)
    const etag = answer.headers.get('etag')
    if (etag === null) {
      // A response with its own ID is different each time.
      if (answer.headers.get('cache-control') !== 'no-store') lacking.push(`${route.path}: etag`)
      continue
    }
    const again = await fetch(url, { headers: { ...headers, 'if-none-match': etag } })
    assert.deepEqual([again.status, await again.text()], [304, ''], url)
    for (const name of ['etag', 'cache-control', 'vary'])
      assert.equal(again.headers.get(name), answer.headers.get(name), `${url} ${name}`)
  }
  assert.deepEqual(lacking, [])
})

test('Vary names every request header that changes the response', async () => {
  for (const route of publicReads()) {
    const url = sampleOf(route)
    const vary = (await fetch(url)).headers.get('vary')?.toLowerCase() ?? ''
    const plain = await typeFor(url, { accept: '*/*', 'accept-encoding': 'identity' })
    for (const accept of ['text/markdown', 'text/html', 'application/json', 'text/event-stream'])
      if ((await typeFor(url, { accept, 'accept-encoding': 'identity' })) !== plain)
        assert.match(vary, /\baccept\b(?!-)/, `${url} ${accept}`)
    if ((await typeFor(url, { accept: '*/*', 'accept-encoding': 'br' })) !== plain)
      assert.match(vary, /accept-encoding/, url)
  }
})

/** The content type and the encoding. */
async function typeFor(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  return `${answer.headers.get('content-type')} ${answer.headers.get('content-encoding')}`
}

const EXPOSED = [
  'WWW-Authenticate',
  'Location',
  'Link',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
  'ETag',
  'X-Request-Id',
]

test('every API path exposes the headers of the contract, for any status', async () => {
  for (const { method, path, access } of service.routes) {
    if (access !== 'public' && access !== 'bearer') continue
    // A page for the holder of a link.
    if (path === UNSUBSCRIBE_PATH) continue
    const target = service.url + path.replaceAll(/:[a-z_]+|\*/g, 'demo')
    const answer = await fetch(target, { method, redirect: 'manual' })
    await answer.arrayBuffer()
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? []
    assert.deepEqual(
      EXPOSED.filter((name) => !exposed.includes(name)),
      [],
      `${method} ${path} ${answer.status}`,
    )
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', `${method} ${path}`)
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/, `${method} ${path}`)
  }
})

test('a body with a Content-Encoding is 415, and the response names the accepted encodings', async () => {
  const token = await service.mintToken()
  const { cookie } = await memberBrowser(service, { username: 'sender', name: 'Sender' })
  const writes = service.routes.filter(
    ({ body, path, access }) => body && !path.includes('*') && access !== 'device',
  )
  assert.ok(writes.length > 20)
  for (const { method, path, access } of writes) {
    const target = service.url + path.replaceAll(/:[a-z_]+/g, '1')
    const sent = (coding: string) =>
      fetch(target, {
        method,
        headers: {
          'content-encoding': coding,
          'content-type': 'application/json',
          ...(access === 'bearer' && { authorization: `Bearer ${token}` }),
          ...(access === 'session' && { cookie }),
          ...((access === 'session' || access === 'browser') && { origin: service.url }),
        },
        body: 'x',
        redirect: 'manual',
      })
    for (const coding of ['gzip', 'br', 'nonsense', 'gzip, identity']) {
      const answer = await sent(coding)
      await answer.arrayBuffer()
      // If a path names no data of the member, the 404 comes first.
      if (answer.status === 404) continue
      const accepted = answer.headers.get('accept-encoding')
      assert.deepEqual([answer.status, accepted], [415, 'identity'], `${method} ${path} ${coding}`)
    }
    const plain = await sent('identity')
    await plain.arrayBuffer()
    assert.equal(plain.headers.get('accept-encoding'), null, `${method} ${path}`)
  }
})

test('an item of a batch is never an event stream', async () => {
  const answer = await fetch(`${service.url}/api/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      requests: ['true', '1', 'false'].map((streaming) => ({
        id: streaming,
        path: '/ask',
        query: { query: 'ada', streaming },
      })),
    }),
  })
  const { responses } = (await answer.json()) as {
    responses: { status: number; text?: string; body?: { results: unknown[] } }[]
  }
  assert.equal(responses.length, 3)
  for (const { status, text, body } of responses) {
    assert.deepEqual([status, text], [200, undefined])
    assert.ok(Array.isArray(body?.results))
  }
})

test('a media range in Accept counts for each type in it', async () => {
  const cases: [path: string, accept: string, type: RegExp][] = [
    ['/api/human/ada', 'text/*', /^text\/markdown/],
    ['/api/human/ada', 'application/*', /^application\/json/],
    ['/api/human/ada', 'text/*;q=0.5, application/json;q=0.4', /^text\/markdown/],
    ['/api/human/ada?x', 'text/*', /^text\/markdown/],
    ['/docs/connect', 'text/*', /^text\/html/],
    ['/docs/connect', 'text/html;q=0.1, text/*', /^text\/markdown/],
    ['/human/ada', 'text/html;q=0.1, */*', /^text\/markdown/],
    ['/nowhere', 'text/*', /^text\/html/],
    ['/nowhere', 'text/*, text/html;q=0.2', /^text\/markdown/],
    ['/nowhere', 'application/problem+json, text/html;q=0.9', /^application\/problem\+json/],
    ['/ask?query=ada', 'text/*', /^application\/json/],
    ['/ask?query=ada', 'text/event-stream', /^text\/event-stream/],
  ]
  for (const [path, accept, type] of cases) {
    const answer = await fetch(service.url + path, { headers: { accept } })
    await answer.arrayBuffer()
    assert.match(answer.headers.get('content-type') ?? '', type, `${path} ${accept}`)
  }
})
