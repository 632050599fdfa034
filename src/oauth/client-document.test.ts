import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { createServer } from 'node:https'
import { test } from 'node:test'
import { HOUR, MINUTE } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { fixedClock } from '../../test/support/store.ts'
import { clientDocuments } from './client-document.ts'
import { openNameServer } from '../../test/fixtures/oauth/name-server.ts'
import { certifyLocalhost } from '../../test/fixtures/oauth/localhost-certificate.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HUNG_MS } from '../../test/support/hung.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** For tests that do not depend on the limits per requester. */
const REQUESTERS: readonly string[] = []

type Answers = (request: IncomingMessage, response: ServerResponse) => void

/** A site with a certificate for localhost, and documents that trust it. */
async function createWorld() {
  const certificate = certifyLocalhost()
  const asked: IncomingMessage[] = []
  let answers: Answers = (_, response) => void response.writeHead(404).end()
  const site = createServer(certificate, (request, response) => {
    asked.push(request)
    answers(request, response)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = site.address() as AddressInfo
  const origin = `https://localhost:${port}`
  const clock = fixedClock()
  const allowed = {
    clock,
    isAllowedAddress: () => true,
    certificateAuthority: certificate.cert,
    timeoutMs: HUNG_MS,
  }
  return {
    origin,
    /** The URL of the default document. */
    id: `${origin}/client.json`,
    clock,
    /** Requests that reached the site. */
    asked,
    allowed,
    documents: clientDocuments(allowed),
    answer(next: Answers) {
      answers = next
    },
    /** Sets the response of the site, as JSON. Strings are sent unchanged. */
    serve(document: unknown, headers: Record<string, string> = {}, status = 200) {
      const body = typeof document === 'string' ? document : JSON.stringify(document)
      answers = (_, response) =>
        void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body)
    },
    async [Symbol.asyncDispose]() {
      site.closeAllConnections()
      site.close()
      await once(site, 'close')
    },
  }
}

function describing(clientId: string, more: object = {}): Record<string, unknown> {
  return {
    client_id: clientId,
    client_name: 'App',
    redirect_uris: ['http://localhost/cb'],
    ...more,
  }
}

async function errorOf(reading: Promise<unknown>): Promise<RequestError> {
  const error = await reading.then(
    () => assert.fail('was accepted'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof RequestError)
  return error
}

test('a client is described by the document at its client_id', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  world.serve(
    describing(id, { client_uri: 'https://app.example/', jwks_uri: 'x', unknown: [null] }),
  )
  assert.deepEqual(await documents.read(id, REQUESTERS), {
    clientId: id,
    name: 'App',
    uri: 'https://app.example/',
    redirectUris: ['http://localhost/cb'],
    registered: false,
  })
  const [request] = world.asked
  assert.equal(request?.method, 'GET')
  assert.equal(request?.url, '/client.json')
  assert.equal(request?.headers.accept, 'application/json')
  assert.match(request?.headers['user-agent'] ?? '', /Weft/)
  assert.equal(request?.headers.cookie, undefined)
  assert.equal(request?.headers.authorization, undefined)
})

test('the documents of real clients are accepted', async () => {
  await using world = await createWorld()
  const flows = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
  const real = {
    '/oauth/claude-code-client-metadata': {
      ...flows,
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    },
    '/oauth/client-metadata.json': {
      client_name: 'Visual Studio Code',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: [...flows.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    '/': {
      client_name: 'One page',
      redirect_uris: ['com.example.app:/cb'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    // Prefers to sign its requests, but accepts a server that offers only `none`.
    '/oauth/client.json?v=2': {
      ...flows,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  }
  for (const [path, metadata] of Object.entries(real)) {
    const id = world.origin + path
    world.serve({ ...metadata, client_id: id }, { 'content-type': 'application/cimd+json' })
    const { name, redirectUris } = await world.documents.read(id, REQUESTERS)
    assert.deepEqual([name, redirectUris], [metadata.client_name, metadata.redirect_uris])
  }
})

test('a site without a public address or a trusted certificate is not reached', async () => {
  await using world = await createWorld()
  const { id, allowed, clock } = world
  world.serve(describing(id))
  const { isAllowedAddress, certificateAuthority } = allowed
  for (const deps of [{ clock }, { clock, isAllowedAddress }, { clock, certificateAuthority }])
    await errorOf(clientDocuments(deps).read(id, REQUESTERS))
  assert.equal(world.asked.length, 0)
  await world.documents.read(id, REQUESTERS)
})

test('one disallowed address of a name prevents the connection', async () => {
  await using world = await createWorld()
  world.serve(describing(world.id))
  const seen: string[] = []
  const isAllowedAddress = (address: string) => {
    seen.push(address)
    return address !== '127.0.0.1'
  }
  await errorOf(clientDocuments({ ...world.allowed, isAllowedAddress }).read(world.id, REQUESTERS))
  assert.ok(seen.includes('127.0.0.1'))
  assert.equal(world.asked.length, 0)
})

test('every failure to reach the site has the same message', async () => {
  await using world = await createWorld()
  const { id, allowed, clock } = world
  world.serve(describing(id))
  const refusedAddress = clientDocuments({ ...allowed, isAllowedAddress: () => false })
  const unknownCertificate = clientDocuments({ clock, isAllowedAddress: () => true })
  const words = new Set<string>()
  const note = async (reading: Promise<unknown>, host: string) => {
    const { code, message, details } = await errorOf(reading)
    words.add(JSON.stringify([code, message.replace(host, 'HOST'), details]))
  }
  const host = new URL(id).host
  await note(refusedAddress.read(id, REQUESTERS), host)
  await note(clientDocuments({ clock }).read(id, REQUESTERS), host)
  await note(unknownCertificate.read(id, REQUESTERS), host)
  // A label of 64 characters is never sent to a name server (RFC 1035 section 2.3.4).
  const nameless = `${'x'.repeat(64)}.example`
  await note(world.documents.read(`https://${nameless}/client.json`, REQUESTERS), nameless)
  // Nothing listens on a port that was just closed.
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  await note(world.documents.read(`https://localhost:${port}/x`, REQUESTERS), `localhost:${port}`)
  world.answer((request) => request.socket.destroy())
  await note(world.documents.read(id, REQUESTERS), host)
  world.answer((_, response) =>
    response.writeHead(200, JSON_TYPE).write('{', () => response.destroy()),
  )
  await note(world.documents.read(`${id}?2`, REQUESTERS), host)
  assert.deepEqual(
    [...words].map((each) => (JSON.parse(each) as string[])[1]),
    ['The app’s description at HOST could not be read.'],
  )
})

test('a response that does not start or never ends times out', async () => {
  await using world = await createWorld()
  const documents = clientDocuments({ ...world.allowed, timeoutMs: 50 })
  world.answer(() => {})
  const { message } = await errorOf(documents.read(world.id, REQUESTERS))
  assert.match(message, /could not be read\.$/)
  world.answer((_, response) => void response.writeHead(200, JSON_TYPE).write('{'))
  assert.match(
    (await errorOf(documents.read(`${world.id}?2`, REQUESTERS))).message,
    /could not be read\.$/,
  )
})

test('only a 200 response with JSON is read, and redirects are not followed', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  const elsewhere = { location: `${world.origin}/other.json` }
  const valid = describing(id)
  const answers = [
    () => world.serve(valid, elsewhere, 302),
    () => world.serve(valid, elsewhere, 307),
    () => world.serve(valid, {}, 404),
    () => world.serve(valid, {}, 500),
    () => world.serve(valid, {}, 201),
    () => world.serve(valid, { 'content-type': 'text/html' }),
    () => world.serve(valid, { 'content-type': 'text/json' }),
    () => world.serve(valid, { 'content-type': 'application/jsonp' }),
    () => world.serve('{'),
    () => world.serve(''),
    () => world.serve('"\\u0000"'),
    () => world.serve('['.repeat(10_000)),
    () =>
      world.answer(
        (_, response) => void response.writeHead(200, JSON_TYPE).end('"\xff"', 'latin1'),
      ),
    () => world.answer((_, response) => void response.writeHead(200).end(JSON.stringify(valid))),
  ]
  for (const [index, answer] of answers.entries()) {
    answer()
    const { code, message } = await errorOf(documents.read(id, REQUESTERS))
    assert.equal(code, 'invalid_request')
    assert.match(message, /is not a JSON response/, `answer ${index}`)
  }
  assert.equal(world.asked.length, answers.length)
})

test('a document larger than 64 KiB is rejected, with or without a declared length', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  const filled = (bytes: number) => {
    const document = describing(id, { padding: '' })
    return { ...document, padding: 'x'.repeat(bytes - JSON.stringify(document).length) }
  }
  world.serve(filled(64 * 1024 + 1))
  assert.match((await errorOf(documents.read(id, REQUESTERS))).message, /larger than 65536 bytes/)
  // Without an end and without a length.
  world.answer((_, response) => {
    response.writeHead(200, JSON_TYPE)
    const more = () => {
      while (response.write('x'.repeat(16 * 1024)));
    }
    response.on('drain', more)
    more()
  })
  assert.match((await errorOf(documents.read(id, REQUESTERS))).message, /larger than 65536 bytes/)
  world.serve(filled(64 * 1024))
  await documents.read(id, REQUESTERS)
})

test('an invalid document is rejected with the rule it breaks', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  const { client_id: _, ...anonymous } = describing(id)
  const wrong: [document: unknown, words: RegExp][] = [
    [[], /it must be an object/],
    [anonymous, /client_id is required/],
    [describing(`${id}?`), /client_id must be the URL of the document/],
    [describing(id.replace('localhost', 'LOCALHOST')), /client_id must be the URL of the document/],
    [describing(id, { redirect_uris: undefined }), /redirect_uris is required/],
    [describing(id, { redirect_uris: [] }), /redirect_uris must have at least 1 item/],
    [describing(id, { redirect_uris: ['http://a.example/'] }), /redirect_uris\[0\]/],
    [describing(id, { redirect_uris: ['javascript:alert(1)'] }), /redirect_uris\[0\]/],
    [describing(id, { client_name: 'Cla\u202eude' }), /client_name/],
    [describing(id, { client_name: 7 }), /client_name/],
    [describing(id, { client_secret: 'x' }), /client_secret/],
    [describing(id, { client_secret_expires_at: 0 }), /client_secret/],
    [describing(id, { grant_types: ['client_credentials'] }), /grant_types/],
    [describing(id, { response_types: ['token'] }), /response_types/],
  ]
  const others = ['none', 'client_secret_basic', 'private_key_jwt']
  for (const more of [
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
    },
    {
      token_endpoint_auth_method: 'client_secret_basic',
      token_endpoint_auth_methods_supported: others,
    },
  ])
    wrong.push([describing(id, more), /token_endpoint_auth_method must be none/])
  for (const [document, words] of wrong) {
    world.serve(document)
    const { code, message } = await errorOf(documents.read(id, REQUESTERS))
    assert.equal(code, 'invalid_request')
    assert.match(message, words)
    assert.ok(message.startsWith(`The app’s description at ${new URL(id).host} cannot be used: `))
  }
})

test('a client_id that is not a valid document URL is not fetched', async () => {
  await using world = await createWorld()
  const { port } = new URL(world.origin)
  const addresses = [
    world.origin,
    `${world.origin}?x`,
    `${world.id}#`,
    `${world.id}#x`,
    `${world.origin}/a/../client.json`,
    `${world.origin}/./client.json`,
    `${world.origin}/a/%2e%2e/client.json`,
    `${world.origin}\\client.json`,
    `${world.id} `,
    `${world.id}\n`,
    `${world.origin}/ü`,
    `${world.origin}/${'x'.repeat(500)}`,
    `https://LOCALHOST:${port}/client.json`,
    `https://ada@localhost:${port}/client.json`,
    `https://ada:x@localhost:${port}/client.json`,
    `https://127.0.0.1:${port}/client.json`,
    `https://127.1:${port}/client.json`,
    `https://2130706433:${port}/client.json`,
    `https://[::1]:${port}/client.json`,
    `https://[::ffff:127.0.0.1]:${port}/client.json`,
    'https://localhost:443/client.json',
    'https://localhost:22/client.json',
    'https://localhost:80/client.json',
    'https://',
    'http://localhost/client.json',
    'HTTPS://localhost/client.json',
  ]
  for (const address of addresses) {
    const { code, message } = await errorOf(world.documents.read(address, REQUESTERS))
    assert.equal(code, 'invalid_request')
    assert.match(message, /not a valid URL for a metadata document/, address)
  }
  assert.equal(world.asked.length, 0)
})

test('a document is cached for its max-age, between 5 minutes and a day', async () => {
  await using world = await createWorld()
  const { id, documents, clock } = world
  const lifetimes: [cacheControl: string, lifetime: number][] = [
    ['', 5 * MINUTE],
    ['max-age=0', 5 * MINUTE],
    ['no-store', 5 * MINUTE],
    ['no-cache, max-age=7200', 5 * MINUTE],
    ['s-maxage=7200', 5 * MINUTE],
    ['public, max-age=7200', 2 * HOUR],
    ['Max-Age="7200"', 2 * HOUR],
    ['max-age=31536000', 24 * HOUR],
    [`max-age=${'9'.repeat(400)}`, 24 * HOUR],
  ]
  for (const [index, [cacheControl, lifetime]] of lifetimes.entries()) {
    const name = `Version ${index}`
    world.serve(describing(id, { client_name: name }), { 'cache-control': cacheControl })
    assert.equal((await documents.read(id, REQUESTERS)).name, name)
    clock.advance(lifetime - 1)
    assert.equal((await documents.read(id, REQUESTERS)).name, name)
    assert.equal(world.asked.length, index + 1, cacheControl)
    clock.advance(1)
  }
})

test('an unreachable site is not retried for a minute', async () => {
  await using world = await createWorld()
  const { id, clock } = world
  world.serve(describing(id))
  let allowed = false
  const documents = clientDocuments({ ...world.allowed, isAllowedAddress: () => allowed })
  const first = await errorOf(documents.read(id, REQUESTERS))
  allowed = true
  clock.advance(MINUTE - 1)
  assert.equal((await errorOf(documents.read(id, REQUESTERS))).message, first.message)
  assert.equal(world.asked.length, 0)
  clock.advance(1)
  assert.equal((await documents.read(id, REQUESTERS)).name, 'App')
})

test('errors and invalid documents are not cached', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  await errorOf(documents.read(id, REQUESTERS))
  world.serve(describing(id, { redirect_uris: [] }))
  await errorOf(documents.read(id, REQUESTERS))
  world.serve(describing(id))
  assert.equal((await documents.read(id, REQUESTERS)).name, 'App')
  assert.equal(world.asked.length, 3)
})

test('concurrent requests share one fetch', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  world.serve(describing(id))
  const clients = await Promise.all([
    documents.read(id, REQUESTERS),
    documents.read(id, REQUESTERS),
    documents.read(id, REQUESTERS),
  ])
  assert.deepEqual(
    clients.map(({ name }) => name),
    ['App', 'App', 'App'],
  )
  assert.equal(world.asked.length, 1)
})

test('at most 32 documents are fetched at once, and cached ones stay available', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  world.serve(describing(id))
  await documents.read(id, REQUESTERS)
  const waiting: ServerResponse[] = []
  const full = Promise.withResolvers<void>()
  world.answer((_, response) => {
    if (waiting.push(response) === 32) full.resolve()
  })
  const slow = Array.from({ length: 32 }, (_, index) =>
    documents.read(`${id}?${index}`, REQUESTERS),
  )
  const ended = Promise.allSettled(slow)
  await full.promise
  const { code, details } = await errorOf(documents.read(`${id}?32`, REQUESTERS))
  assert.equal(code, 'unavailable')
  assert.equal(details.retryAfter, 5)
  assert.equal((await documents.read(id, REQUESTERS)).name, 'App')
  for (const response of waiting) response.destroy()
  await ended
  world.serve(describing(`${id}?32`))
  assert.equal((await documents.read(`${id}?32`, REQUESTERS)).name, 'App')
})

test('each member and each IP address has four concurrent fetches', async () => {
  await using world = await createWorld()
  const { id, documents } = world
  const waiting: ServerResponse[] = []
  const full = Promise.withResolvers<void>()
  world.answer((_, response) => {
    if (waiting.push(response) === 4) full.resolve()
  })
  const ada = ['member 1', 'address 192.0.2.1']
  const slow = Array.from({ length: 4 }, (_, index) => documents.read(`${id}?${index}`, ada))
  const ended = Promise.allSettled(slow)
  await full.promise
  for (const requesters of [
    ada,
    ['member 1', 'address 192.0.2.2'],
    ['member 2', 'address 192.0.2.1'],
  ])
    assert.equal((await errorOf(documents.read(`${id}?4`, requesters))).code, 'unavailable')
  world.serve(describing(`${id}?4`))
  assert.equal((await documents.read(`${id}?4`, ['member 2', 'address 192.0.2.2'])).name, 'App')
  for (const response of waiting) response.destroy()
  await ended
  world.serve(describing(`${id}?5`))
  assert.equal((await documents.read(`${id}?5`, ada)).name, 'App')
})

test('unresponsive name servers time out and do not block other lookups', async () => {
  await using silent = await openNameServer()
  const { clock, nameServers } = { clock: fixedClock(), nameServers: [silent.address] }
  const documents = clientDocuments({ clock, nameServers, timeoutMs: HUNG_MS })
  const names = Array.from({ length: 32 }, (_, index) => `app-${index}.example`)
  let settled = 0
  const slow = names.map((name) =>
    errorOf(documents.read(`https://${name}/client.json`, REQUESTERS)).finally(
      () => (settled += 1),
    ),
  )
  await silent.asked(names.length)
  // As `fetch` looks up an identity provider: a thread of libuv must be free.
  await lookup('localhost')
  assert.equal(settled, 0)
  for (const { message } of await Promise.all(slow)) assert.match(message, /could not be read\.$/)
})

test('the connection uses only the addresses that were resolved and checked', async () => {
  await using world = await createWorld()
  const { port } = new URL(world.origin)
  await using server = await openNameServer([127, 0, 0, 1])
  const id = `https://app.example:${port}/client.json`
  world.serve(describing(id))
  const seen: string[] = []
  const isAllowedAddress = (address: string) => seen.push(address) > 0
  const deps = { ...world.allowed, nameServers: [server.address] }
  // The site was reached, and its certificate is for another name.
  await errorOf(clientDocuments({ ...deps, isAllowedAddress }).read(id, REQUESTERS))
  assert.deepEqual(seen, ['127.0.0.1'])
  assert.equal(server.queries.filter((name) => name === 'app.example').length, 2, 'A and AAAA')
  await errorOf(clientDocuments({ ...deps, isAllowedAddress: () => false }).read(id, REQUESTERS))
  await errorOf(
    clientDocuments({ clock: world.clock, nameServers: deps.nameServers }).read(id, REQUESTERS),
  )
  assert.equal(world.asked.length, 0)
})

test('the cache holds 500 documents, including failures, and evicts the oldest', async () => {
  await using world = await createWorld()
  const { id } = world
  let allowed = true
  const documents = clientDocuments({ ...world.allowed, isAllowedAddress: () => allowed })
  world.serve(describing(id))
  await documents.read(id, REQUESTERS)
  allowed = false
  for (let index = 1; index < 500; index += 1)
    await errorOf(documents.read(`${id}?${index}`, REQUESTERS))
  assert.equal((await documents.read(id, REQUESTERS)).name, 'App')
  await errorOf(documents.read(`${id}?500`, REQUESTERS))
  allowed = true
  await documents.read(id, REQUESTERS)
  assert.equal(world.asked.length, 2)
})
