/** Edge cases of HTTP on real sockets: unusual, malformed and hostile requests get correct responses. */

import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from './support/service.ts'
import { exchange, requestBytes, Wire, type WireAnswer } from './support/wire.ts'

const PROBLEM = 'application/problem+json; charset=utf-8'

// All tests share one service: each adds its own members or only reads.
let service: TestService
let token: string

before(async () => {
  service = await startTestService()
  await service.addMember({ headline: 'Enchantress of Number', skills: ['analysis'] })
  token = await service.mintToken()
})
after(() => service[Symbol.asyncDispose]())

type Headers = Readonly<Record<string, string>>

const ask = (method: string, path: string, headers: Headers = {}, body = '') =>
  exchange(service.port, requestBytes(method, path, headers, body))

function isProblem(answer: WireAnswer, status: number, code: string, about = ''): void {
  const { 'content-type': type, 'x-request-id': id } = answer.headers
  assert.deepEqual([answer.status, type], [status, PROBLEM], `${about} ${answer.body}`)
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual([problem['status'], problem['code']], [status, code], about)
  assert.equal(problem['request_id'], id)
  assert.match(id ?? '', /^req_/)
}

/** The same error in the format of the path's protocol. */
function assertRejected(answer: WireAnswer, status: number, code: string, about = ''): void {
  const type = answer.headers['content-type'] ?? ''
  assert.equal(answer.status, status, `${about} ${answer.body}`)
  if (type === PROBLEM) return isProblem(answer, status, code, about)
  if (type.startsWith('text/html')) return assert.match(answer.body, /^<!doctype html>/)
  if (type.startsWith('application/xml')) return assert.match(answer.body, /^<\?xml/)
  const body = JSON.parse(answer.body) as { jsonrpc?: string; error?: unknown }
  if (body.jsonrpc === undefined) return assert.equal(typeof body.error, 'string', about)
  const { data } = body.error as { data?: { code?: string; request_id?: string } }
  assert.equal(data?.code, code, about)
  assert.equal(data?.request_id, answer.headers['x-request-id'])
}

/** A path that a route's pattern matches. */
const pathOf = (pattern: string) => pattern.replace(/:[a-z_]+/, 'demo')

/** The headers that are the same for every response. */
function lasting({ status, headers }: WireAnswer): object {
  const {
    'x-request-id': _id,
    date: _date,
    ratelimit: _limit,
    'ratelimit-remaining': _remaining,
    'set-cookie': _mark,
    ...rest
  } = headers
  return { status, headers: rest }
}

test('HEAD is GET without the content: same status, same headers, same length', async () => {
  const gets = service.routes.filter(({ method }) => method === 'GET')
  const paths = [
    ...gets.map(({ path }) => pathOf(path)),
    '/api/human/nobody',
    '/nowhere',
    '/api/network/members?per_page=0',
    '/api/network/members?q=demo',
  ]
  for (const path of paths) {
    const get = await ask('GET', path)
    assert.deepEqual(lasting(await ask('HEAD', path)), lasting(get), path)
    assert.equal(get.headers['content-length'], String(Buffer.byteLength(get.body)))
  }
})

test('OPTIONS on every path is 204 with Allow and CORS, for anyone', async () => {
  for (const path of new Set(service.routes.map((route) => route.path))) {
    const answer = await ask('OPTIONS', pathOf(path), {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, idempotency-key',
    })
    const { headers } = answer
    const methods = service.routes
      .filter((route) => route.path === path)
      .map(({ method }) => method)
    const heads = methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method))
    assert.deepEqual([answer.status, answer.body], [204, ''], path)
    assert.equal(headers['allow'], [...heads, 'OPTIONS'].join(', '))
    assert.equal(headers['access-control-allow-methods'], headers['allow'])
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(headers['access-control-allow-headers'] ?? '', /Authorization.*Idempotency-Key/)
    assert.equal(headers['content-length'], undefined, 'RFC 9110 section 8.6')
  }
})

test('every other method on every path is 405 with Allow', async () => {
  const paths = new Set(service.routes.map(({ path }) => path))
  for (const path of paths) {
    const { headers } = await ask('OPTIONS', pathOf(path))
    const allowed = headers['allow']?.split(', ') ?? []
    const others = METHODS.filter((method) => method !== 'CONNECT' && !allowed.includes(method))
    using wire = await Wire.open(service.port)
    for (const method of others) {
      wire.send(requestBytes(method, pathOf(path)))
      const answer = await wire.answer(method)
      assert.deepEqual([answer.status, answer.headers['allow']], [405, headers['allow']], method)
      if (method !== 'HEAD') assertRejected(answer, 405, 'method_not_allowed')
    }
  }
})

test('two slashes are not the home page', async () => {
  isProblem(await ask('GET', '//'), 404, 'not_found')
})

test('every response has a unique X-Request-Id and can be read across origins', async () => {
  const answers = await Promise.all(
    ['/api/human/demo', '/api/human/demo?x', '/nowhere', '/api/jobs', '/%zz'].map((path) =>
      ask('GET', path),
    ),
  )
  answers.push(await exchange(service.port, 'not http at all\r\n\r\n'))
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  assert.equal(new Set(ids).size, answers.length)
  for (const { headers } of answers.slice(0, -1)) {
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(headers['access-control-expose-headers'] ?? '', /X-Request-Id.*WWW-Authenticate/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('an unknown path is a 404; one that cannot be decoded is a 400', async () => {
  const missing = [
    '/nowhere',
    '/api',
    '/api/human',
    '/api/human/',
    '//api//human',
    '/api/human/demo/',
    '/api/human/../human/demo',
    '/api/human/%2e%2e/human/demo',
    '/API/HUMAN/demo',
    '*',
    '/api/human/%00',
    '/api/human/d%C3%A9mo',
    '/api/human/%F0%9F%8E%89',
    '/api/human/__proto__',
    '/api/human/.md',
    '/api/human/constructor',
    '/api/human/demo;x',
    '/api/human/demo%3Fx',
    '/api/human/demo%2Fx',
    `/api/human/${'a'.repeat(300)}`,
    `/api/human/${'%20'.repeat(300)}`,
    '/api/human/demo.xml',
  ]
  for (const path of missing) isProblem(await ask('GET', path), 404, 'not_found', path)
  for (const path of ['/api/human/%zz', '/api/human/%ff', '/%', '/api/human/%ed%a0%80', '/%c0%af'])
    isProblem(await ask('GET', path), 400, 'invalid_request', path)
})

test('a resource has the same response with a redundant query or encoding, and in absolute form', async () => {
  const short = await ask('GET', '/api/human/ada')
  assert.equal(short.status, 200)
  const long = ['/api/human/ada?', '/api/human/ada?x=1', '/api/human/ad%61']
  for (const path of [...long, 'http://weft.test/api/human/ada', '/api/human/ada#top'])
    assert.deepEqual(await withoutDate('GET', path), { ...lasting(short), body: short.body }, path)
  const upper = await ask('GET', '/api/human/ADA')
  assert.equal(upper.body, short.body)
  const unknown = await ask('GET', '/api/human/nobody')
  const unknownLong = await ask('GET', '/api/human/nobody?x')
  assert.deepEqual(lasting(unknownLong), lasting(unknown))
  for (const extension of ['json', 'md']) {
    const hot = await ask('GET', `/api/human/ada.${extension}`)
    const cold = await withoutDate('GET', `/api/human/ada.${extension}?x`)
    assert.deepEqual(cold, { ...lasting(hot), body: hot.body })
  }
})

async function withoutDate(method: string, path: string): Promise<object> {
  const answer = await ask(method, path)
  return { ...lasting(answer), body: answer.body }
}

test('If-None-Match supports lists, weak tags and `*`', async () => {
  for (const path of ['/api/human/ada', '/api/human/ada?x', '/api/network/members']) {
    const full = await ask('GET', path)
    const etag = full.headers['etag'] ?? ''
    for (const tags of [etag, `W/${etag}`, `"a", W/${etag} ,"b"`, '*', `"a",${etag}`])
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(method, path, { 'if-none-match': tags })
        assert.deepEqual([answer.status, answer.body], [304, ''], `${path} ${tags}`)
        assert.equal(answer.headers['etag'], etag)
        assert.equal(answer.headers['cache-control'], full.headers['cache-control'])
        assert.equal(answer.headers['vary'], full.headers['vary'])
        assert.equal(answer.headers['content-type'], undefined)
        assert.equal(answer.headers['content-length'], undefined)
      }
    for (const tags of ['"a"', '', '"a", "b"', etag.slice(0, -2), `"${etag}"`])
      assert.equal((await ask('GET', path, { 'if-none-match': tags })).status, 200, tags)
  }
  assert.equal((await ask('GET', '/api/human/nobody', { 'if-none-match': '*' })).status, 404)
})

test('a parameter out of range is a 400 that names it; of repeated parameters the first counts', async () => {
  for (const value of ['1e9', 'abc', '-1', '0', '101', '1.5', '', '%00', '1%2500', '９'])
    isProblem(
      await ask('GET', `/api/network/members?per_page=${encodeURI(value)}`),
      400,
      'invalid_request',
      value,
    )
  const cursor = 'a'.repeat(10_000)
  isProblem(await ask('GET', `/api/network/members?cursor=${cursor}`), 400, 'invalid_request')
  const first = await ask('GET', '/api/network/members?per_page=1&per_page=abc&q=%zz&q')
  assert.equal(first.status, 200)
  assert.equal((JSON.parse(first.body) as { per_page: number }).per_page, 1)
})

test('a long URL is a 414, large headers are a 431, and the next connection works', async () => {
  isProblem(await ask('GET', `/api/human/${'a'.repeat(20_000)}`), 414, 'uri_too_long')
  isProblem(await ask('GET', `/?${'a'.repeat(20_000)}`), 414, 'uri_too_long')
  isProblem(await ask('GET', '/', { x: 'a'.repeat(100_000) }), 431, 'headers_too_large')
  const enormous = await ask('GET', `/${'a'.repeat(2_000_000)}`)
  isProblem(enormous, 431, 'headers_too_large')
  assert.equal((await ask('GET', '/api/human/ada')).status, 200)
})

test('an invalid HTTP/1.1 request gets a 400 and a closed connection', async () => {
  const body = '0\r\n\r\n'
  const both = { 'content-length': '5', 'transfer-encoding': 'chunked' }
  const broken = [
    requestBytes('POST', '/api/jobs', both, body),
    requestBytes('POST', '/api/jobs', { 'transfer-encoding': 'chunked, identity' }, body),
    requestBytes('POST', '/api/jobs', { 'transfer-encoding': 'xchunked' }, body),
    requestBytes('POST', '/api/jobs', { 'content-length': '-1' }),
    requestBytes('POST', '/api/jobs', { 'content-length': '5, 6' }, 'aaaaaa'),
    requestBytes('POST', '/api/jobs', { 'content-length': '0x5' }, 'aaaaa'),
    'POST /api/jobs HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\naa',
    'POST /api/jobs HTTP/1.1\r\nhost: a\r\ncontent-length : 1\r\n\r\na',
    'GET / HTTP/1.1\nhost: a\n\n',
    'GET / HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n',
    'GET /é HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
    'FETCH / HTTP/1.1\r\nhost: a\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]
  for (const bytes of broken) {
    using wire = await Wire.open(service.port)
    wire.send(Buffer.from(bytes, 'latin1'))
    isProblem(await wire.answer(), 400, 'invalid_request', bytes.slice(0, 100))
    await wire.closed()
  }
})

test('Host is required in HTTP/1.1, not in HTTP/1.0', async () => {
  isProblem(await exchange(service.port, 'GET / HTTP/1.1\r\n\r\n'), 400, 'invalid_request')
  using old = await Wire.open(service.port)
  old.send('GET /api/human/ada HTTP/1.0\r\n\r\n')
  assert.equal((await old.answer()).status, 200)
  await old.closed()
})

test('a request hidden in the body of another is never answered', async () => {
  using wire = await Wire.open(service.port)
  const hidden = requestBytes('GET', '/api/human/ada')
  wire.send(requestBytes('GET', '/api/human/demo', {}, hidden))
  assert.match((await wire.answer()).body, /"username":"demo"/)
  wire.send(requestBytes('POST', '/api/jobs', {}, hidden))
  assert.equal((await wire.answer()).status, 401)
  wire.send(requestBytes('GET', '/api/human/nobody', { connection: 'close' }))
  assert.equal((await wire.answer()).status, 404)
  await wire.closed()
})

test('a body shorter than its Content-Length is dropped with its connection', async () => {
  using wire = await Wire.open(service.port)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  wire.socket.end(requestBytes('POST', '/api/jobs', { ...headers, 'content-length': '50' }, '{}'))
  await wire.answer().then(
    ({ status }) => assert.equal(status, 400),
    () => {}, // closing without a response is fine too
  )
  assert.equal((await ask('GET', '/api/human/ada')).status, 200)
})

test('a body with the wrong type or structure is rejected with the reason', async () => {
  const bearer = { authorization: `Bearer ${token}` }
  const as = (type: string) => ({ ...bearer, 'content-type': type })
  const json = as('application/json')
  for (const headers of [bearer, as('text/plain'), as('foo'), as(''), as('multipart/form-data')]) {
    const answer = await ask('POST', '/api/jobs', headers, '{"kind":"file_import"}')
    isProblem(answer, 415, 'unsupported_media_type')
    assert.equal(answer.headers['accept-post'], 'application/json')
  }
  const deep = 100_000
  const broken = ['', '{', 'null', '[]', '"x"', '1', '{"kind":1}', '{}', '\\', '{"kind":"\\u0000"}']
  const more = ['{"kind":"\\ud800"}', '['.repeat(deep) + ']'.repeat(deep), '{"a":'.repeat(deep)]
  for (const body of [...broken, ...more])
    isProblem(await ask('POST', '/api/jobs', json, body), 400, 'invalid_request', body.slice(0, 40))
  const notUtf8 = Buffer.from(requestBytes('POST', '/api/jobs', json, '{"kind":"a"}'))
  notUtf8[notUtf8.byteLength - 3] = 0xff
  isProblem(await exchange(service.port, notUtf8), 400, 'invalid_request')
  isProblem(await ask('POST', '/api/jobs', json, '{"kind":"nothing"}'), 400, 'unknown_kind')
})

test('the 401 challenge names the metadata, and an error only if a token was sent', async () => {
  const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`
  const challenge = `Bearer resource_metadata="${metadata}", scope="network"`
  const bearerRoutes = service.routes.filter(({ access }) => access === 'bearer')
  assert.ok(bearerRoutes.length > 4)
  for (const { method, path } of bearerRoutes) {
    const none = await ask(method, pathOf(path), {}, method === 'POST' ? 'x' : '')
    assertRejected(none, 401, 'unauthorized')
    assert.equal(none.headers['www-authenticate'], challenge)
    const wrong = [
      'Bearer nonsense',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'é',
      `Bearer ${token} x`,
      token,
    ]
    const altered = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    for (const authorization of [...wrong, `Bearer ${altered}`, `Bearer "${token}"`]) {
      const answer = await ask(method, pathOf(path), { authorization })
      assertRejected(answer, 401, 'unauthorized', authorization)
      const sent = answer.headers['www-authenticate'] ?? ''
      assert.ok(sent.startsWith(`${challenge}, error="invalid_token"`), sent)
    }
  }
})

test('the scheme is case-insensitive, and spaces around the token are ignored', async () => {
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   '])
    for (const end of ['', '  ', '\t'])
      assert.equal(
        (await ask('GET', '/api/jobs', { authorization: `${scheme}${token}${end}` })).status,
        200,
      )
})

test('a 50 MB body that is not read gets a response at once and does not block its sender', async () => {
  const size = 50 * 1024 * 1024
  for (const path of ['/api/uploads', '/mcp', '/api/jobs', '/nowhere', '/api/human/ada']) {
    using wire = await Wire.open(service.port)
    const method = path === '/api/human/ada' ? 'PUT' : 'POST'
    wire.send(requestBytes(method, path, { 'content-length': String(size) }))
    const answer = await wire.answer()
    assert.ok([401, 404, 405].includes(answer.status))
    assert.equal(answer.headers['connection'], 'close')
  }
})

test('two Host headers are rejected in either order', async () => {
  const right = new URL(service.url).host
  const lines = [
    ['Host: evil.example', `Host: ${right}`],
    [`Host: ${right}`, 'hOST: evil.example'],
    [`Host: ${right}`, `Host: ${right}`],
  ]
  for (const [first, second] of lines) {
    const bytes = `GET /api/human/ada HTTP/1.1\r\n${first}\r\n${second}\r\nConnection: close\r\n\r\n`
    isProblem(await exchange(service.port, bytes), 400, 'invalid_request', first)
  }
})

test('no error repeats a parameter name from the request', async () => {
  const name = 'markup<b>here</b>'
  const field = encodeURIComponent(name)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const answers = [
    await ask('POST', '/sign-in', form, `${field}=%00`),
    await ask('POST', '/oauth/token', form, `${field}=%00`),
    await ask('POST', '/oauth/token', form, `${field}=1&${field}=2`),
    await ask('GET', `/oauth/authorize?${field}=1&${field}=2&client_id=x`),
  ]
  for (const { status, body } of answers) {
    assert.equal(Math.floor(status / 100), 4, body)
    assert.doesNotMatch(body, /markup/)
  }
})

test('a form sent to another host is rejected, even if the browser calls it same-origin', async () => {
  const { host } = new URL(service.url)
  const page = await fetch(`${service.url}/sign-in`)
  const [cookie = ''] = page.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const formToken = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const body = new URLSearchParams({
    form_token: formToken,
    login: 'ada',
    password: 'x',
  }).toString()
  const send = (to: string) =>
    exchange(
      service.port,
      [
        'POST /sign-in HTTP/1.1',
        `Host: ${to}`,
        `Cookie: ${cookie}`,
        'Sec-Fetch-Site: same-origin',
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  for (const to of ['evil.example', `evil.example:${service.port}`, `${host}0`, 'a b']) {
    const answer = await send(to)
    assert.equal(answer.status, 403, to)
    assert.match(answer.body, /submitted to a host other than/)
  }
  assert.equal((await send(host.toUpperCase())).status, 422, 'the right host, and a wrong password')
})
