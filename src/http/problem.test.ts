import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openGate } from '../../test/support/gate.ts'
import { createLog } from '../base/log.ts'
import { RequestError, REQUEST_ERRORS, type RequestErrorCode } from '../base/request-error.ts'
import { prefers } from './content/accept.ts'
import { content } from './response.ts'
import { assemble } from './http-service.ts'
import { problem } from './problem.ts'
import { defineRoute, type Route } from './route.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

async function serve(routes: readonly Route[] = []) {
  const http = assemble({
    ...openGate(),
    routes,
    log: createLog('silent'),
    errorPage: ({ status }) => content('<h1>Nothing</h1>', 'text/html', status),
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    get: (path: string, accept?: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: accept === undefined ? {} : { accept } }),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

function refusing(path: string, error: RequestError, own: Partial<Route> = {}): Route {
  return defineRoute({
    method: 'GET',
    path,
    operationId: path,
    summary: path,
    access: 'public',
    answers: {},
    handle: () => Promise.reject(error),
    ...own,
  })
}

test('every code has a problem document with its status, title and code', () => {
  for (const code of Object.keys(REQUEST_ERRORS) as RequestErrorCode[]) {
    const answer = problem(new RequestError(code, 'Because.', { retryAfter: 3 }), 'req_1')
    const document = JSON.parse(String(answer.body)) as Record<string, unknown>
    const [status, title] = REQUEST_ERRORS[code]
    assert.deepEqual(document, {
      type: 'about:blank',
      title,
      status,
      detail: 'Because.',
      code,
      retry_after: 3,
      request_id: 'req_1',
    })
    assert.equal(answer.status, status)
    assert.equal(answer.headers['retry-after'], '3')
  }
})

test('a 404 is a problem document unless the client requests markdown or HTML by name', async () => {
  await using service = await serve()
  const types: readonly [accept: string | undefined, type: string][] = [
    [undefined, 'application/problem+json; charset=utf-8'],
    ['*/*', 'application/problem+json; charset=utf-8'],
    ['application/json', 'application/problem+json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/problem+json; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown; charset=utf-8'],
    [BROWSER, 'text/html'],
  ]
  for (const [accept, type] of types) {
    const answer = await service.get('/nowhere', accept)
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('content-type'), type, String(accept))
    assert.equal(answer.headers.get('vary'), 'Accept')
    await answer.arrayBuffer()
  }
})

test('a 404 in markdown says what is missing and has links, and text from the caller is escaped', async () => {
  await using service = await serve([
    refusing('/hint', new RequestError('not_found', 'No such page.', { hint: 'Look at /docs.' })),
  ])
  const answer = await service.get('/[x](javascript:alert)*y*<b>', 'text/markdown')
  const text = await answer.text()
  assert.match(text, /^# Not found\n/)
  assert.match(text, /\]\(\/llms\.txt\)/)
  assert.ok(text.includes(answer.headers.get('x-request-id') ?? 'none'))
  assert.doesNotMatch(text, /\]\(javascript/)
  assert.doesNotMatch(text, /[^\\]\*y/)
  assert.match(await (await service.get('/hint', 'text/markdown')).text(), /\n\nLook at \/docs\.\n/)
})

test('only browsers get pages for rate limits and failures', async () => {
  await using service = await serve([
    refusing('/busy', new RequestError('rate_limited', 'Wait.', { retryAfter: 7 })),
    refusing('/failed', new RequestError('internal', 'Broken.')),
    refusing('/away', new RequestError('unavailable', 'Not now.', { retryAfter: 7 })),
  ])
  for (const path of ['/busy', '/failed', '/away'])
    for (const [accept, type] of [
      [BROWSER, 'text/html'],
      ['text/markdown', 'application/problem+json; charset=utf-8'],
      ['*/*', 'application/problem+json; charset=utf-8'],
    ] as const) {
      const answer = await service.get(path, accept)
      assert.equal(answer.headers.get('content-type'), type, `${path} for ${accept}`)
      assert.equal(answer.headers.get('vary'), 'Accept')
      await answer.arrayBuffer()
    }
})

test('other errors, and those with the route’s own writer, have one format for all clients', async () => {
  await using service = await serve([
    refusing('/wrong', new RequestError('invalid_request', 'No such cursor.')),
    refusing('/own', new RequestError('not_found', 'Gone.'), {
      onError: ({ message, status }) => content(message, 'text/plain', status),
    }),
  ])
  for (const accept of ['text/markdown', BROWSER]) {
    const wrong = await service.get('/wrong', accept)
    assert.equal(wrong.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    assert.equal(await (await service.get('/own', accept)).text(), 'Gone.')
    await wrong.arrayBuffer()
  }
})

test('the preferred type has the higher quality, then the more specific range, then the earlier position', () => {
  const cases: readonly [accept: string, preferred: boolean][] = [
    ['text/markdown', true],
    ['TEXT/Markdown', true],
    ['text/markdown, text/html', true],
    ['text/html, text/markdown', false],
    ['text/html;q=0.9, text/markdown', true],
    ['text/html, text/markdown;q=0.9', false],
    ['text/*, text/markdown;q=0.5', false],
    ['text/markdown;q=0', false],
    ['text/*', false],
    ['text/*, text/html;q=0.5', true],
    ['*/*, text/html;q=0.5', true],
    ['text/markdown, text/*', true],
    ['text/html, text/*', false],
    ['*/*', false],
    [BROWSER, false],
    ['', false],
  ]
  for (const [accept, preferred] of cases)
    assert.equal(prefers(accept, 'text/markdown', 'text/html'), preferred, accept)
  assert.equal(prefers(undefined, 'text/markdown', 'text/html'), false)
})

test('for any header, at most one of two types is preferred to the other', () => {
  const ranges = [
    'text/markdown',
    'text/html',
    'text/*',
    '*/*',
    'x',
    ';q=2',
    ';q=-1',
    ';q=0.3',
    ',',
  ]
  const header = fc
    .array(fc.oneof(fc.constantFrom(...ranges), fc.string()))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(header, (accept) => {
      const markdown = prefers(accept, 'text/markdown', 'text/html')
      const page = prefers(accept, 'text/html', 'text/markdown')
      assert.ok(!(markdown && page))
    }),
  )
})
