import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { RequestError } from '../base/request-error.ts'
import { endpointModel, type EndpointSettings } from './endpoint-model.ts'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly input: string[]
    readonly encoding_format: string
  }
}

type Respond = (asked: Asked, response: ServerResponse) => void

const KEY = 'sk-secret'

/** A local endpoint, a model that calls it, and the pauses of the model between attempts. */
async function serve(respond: Respond, settings: Partial<EndpointSettings> = {}) {
  const asked: Asked[] = []
  const pauses: number[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = request
    const body = await readBody(request)
    const one = { method, path, authorization: headers.authorization, body }
    asked.push(one)
    respond(one, response)
  }
  const server = createServer((request, response) => {
    void receive(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1`
  const model = endpointModel(
    { url, key: KEY, model: 'small', ...settings },
    {
      patience: 5000,
      pause: async (milliseconds, signal) => {
        signal?.throwIfAborted()
        pauses.push(milliseconds)
      },
    },
  )
  return {
    url,
    model,
    asked,
    pauses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Asked['body']> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked['body']
}

/** The vector of a text contains its length. The results are in reverse order, which the API allows. */
const answer: Respond = ({ body }, response) => {
  const data = body.input
    .map((text, index) => ({ index, embedding: [text.length, 0] }))
    .toReversed()
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
}

const refuse =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_asked, response) =>
    response.writeHead(status, headers).end('{"error":{"message":"sk-secret was wrong"}}')

/** Responds with each in turn, then always with the last one. */
function inTurn(...each: readonly Respond[]): Respond {
  let turn = 0
  return (asked, response) => {
    each[Math.min(turn, each.length - 1)]?.(asked, response)
    turn += 1
  }
}

test('sends requests as the API documents them, and returns unit vectors in the order of the texts', async () => {
  await using endpoint = await serve(({ body }, response) => {
    const data = body.input.map((_, index) => ({ index, embedding: [index + 3, 4] })).toReversed()
    response.end(JSON.stringify({ object: 'list', data, model: 'small', usage: {} }))
  })
  const [first, second] = await endpoint.model.embed(['one', 'two'])
  assert.deepEqual(first, Float32Array.of(3 / 5, 4 / 5))
  assert.deepEqual(second, Float32Array.of(Math.SQRT1_2, Math.SQRT1_2))
  assert.deepEqual(endpoint.asked, [
    {
      method: 'POST',
      path: '/v1/embeddings',
      authorization: `Bearer ${KEY}`,
      body: { model: 'small', input: ['one', 'two'], encoding_format: 'float' },
    },
  ])
})

test('no Authorization header is sent without a key', async () => {
  await using endpoint = await serve(answer, { key: null })
  await endpoint.model.embed(['one'])
  assert.equal(endpoint.asked[0]?.authorization, undefined)
})

test('many texts are sent in several requests; long texts are truncated, and empty ones are not sent', async () => {
  await using endpoint = await serve(answer)
  const texts = Array.from({ length: 150 }, (_, at) => (at % 50 === 0 ? ' ' : 'x'.repeat(at * 100)))
  const vectors = await endpoint.model.embed(texts)
  assert.equal(vectors.length, 150)
  for (const [at, vector] of vectors.entries())
    assert.deepEqual(Array.from(vector), at % 50 === 0 ? [] : [1, 0])
  const sent = endpoint.asked.map(({ body }) => body.input)
  assert.ok(sent.every((input) => input.length <= 64))
  assert.equal(sent.flat().length, 147)
  assert.ok(sent.flat().every(({ length }) => length > 0 && length <= 8000))
  assert.deepEqual(await endpoint.model.embed(['', ' ']), [
    new Float32Array(0),
    new Float32Array(0),
  ])
  assert.equal(endpoint.asked.length, sent.length)
})

test('retries after 429 and 5xx, and waits as long as Retry-After says', async () => {
  await using endpoint = await serve(
    inTurn(refuse(429, { 'retry-after': '3' }), refuse(503), answer),
  )
  assert.deepEqual(await endpoint.model.embed(['x']), [Float32Array.of(1, 0)])
  assert.deepEqual(endpoint.pauses, [3000, 1000])
})

test('gives up after three attempts, and never waits longer than ten seconds', async () => {
  await using endpoint = await serve(refuse(500, { 'retry-after': '86400' }))
  await assert.rejects(endpoint.model.embed(['x']), unavailable('returned status 500'))
  assert.equal(endpoint.asked.length, 3)
  assert.deepEqual(endpoint.pauses, [10_000, 10_000])
})

test('permanent errors are not retried, and no error contains the key', async () => {
  for (const status of [400, 401, 404]) {
    await using endpoint = await serve(refuse(status))
    await assert.rejects(endpoint.model.embed(['x']), unavailable(`returned status ${status}`))
    assert.equal(endpoint.asked.length, 1)
  }
})

test('a response without valid embeddings is reported as such', async () => {
  const answers = [
    'not JSON',
    '{}',
    '{"data":[]}',
    '{"data":[{"index":0,"embedding":[]}]}',
    '{"data":[{"index":0,"embedding":["1"]}]}',
    '{"data":[{"index":0,"embedding":[1e999]}]}',
    '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}',
  ]
  for (const text of answers) {
    await using endpoint = await serve((_asked, response) => response.end(text))
    await assert.rejects(
      endpoint.model.embed(['x']),
      unavailable('did not answer with embeddings'),
      text,
    )
  }
})

test('redirects are not followed, so the key is not sent to another host', async () => {
  await using elsewhere = await serve(answer)
  await using endpoint = await serve(refuse(307, { location: `${elsewhere.url}/embeddings` }))
  await assert.rejects(endpoint.model.embed(['x']), unavailable('cannot be reached'))
  assert.equal(elsewhere.asked.length, 0)
})

test('an unreachable endpoint is unavailable', async () => {
  await using endpoint = await serve(answer, { url: 'http://127.0.0.1:1/v1' })
  await assert.rejects(endpoint.model.embed(['x']), unavailable('cannot be reached'))
  assert.equal(endpoint.pauses.length, 2)
})

test('an aborted call rejects with the reason of the abort and is not retried', async () => {
  const stop = new AbortController()
  await using endpoint = await serve(() => stop.abort(new Error('gone')))
  await assert.rejects(endpoint.model.embed(['x'], stop.signal), /gone/)
  assert.equal(endpoint.asked.length, 1)
})

function unavailable(reason: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof RequestError)
    assert.equal(error.code, 'unavailable')
    assert.equal(error.message, `The embeddings endpoint ${reason}.`)
    assert.ok(!JSON.stringify(error, Object.getOwnPropertyNames(error)).includes(KEY))
    return true
  }
}
