import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as Type from '../../base/type.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { REQUEST_ERRORS } from '../../base/request-error.ts'
import { json } from '../../http/response.ts'
import { defineRoute, pathTemplate, type Route } from '../../http/route.ts'
import { describedRoutes } from './described-routes.ts'
import { openApi } from './openapi.ts'
import { pathTag } from './tags.ts'

interface Header {
  readonly $ref: string
}

interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly {
    name?: string
    in?: string
    required?: boolean
    deprecated?: boolean
    $ref?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, Response>>
}

interface OpenApi {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

// One service for all tests, which only read.
let service: TestService
let document: OpenApi

before(async () => {
  service = await startTestService()
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi
})
after(() => service[Symbol.asyncDispose]())

interface Placed {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

function operations({ paths }: OpenApi): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** The operation of one route. */
function describe(route: Partial<Route>): Operation {
  const whole = defineRoute({
    method: 'GET',
    path: '/x',
    operationId: 'x',
    summary: 'X',
    access: 'public',
    answers: { 200: { description: 'Yes' } },
    handle: () => Promise.resolve(json({})),
    ...route,
  })
  const deps = { publicUrl: 'https://weft.example', version: '1', routes: [whole] }
  const [placed] = operations(openApi(deps) as unknown as OpenApi)
  assert.ok(placed)
  return placed.operation
}

/** An existing value for each path parameter. */
const SAMPLES: Readonly<Record<string, string>> = {
  username: 'demo',
  name: 'connect',
  file: 'pages',
}

function sample(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => SAMPLES[name] ?? '1')
}

test('every operation responds, and none with an unknown path or method', async () => {
  for (const { path, method, operation } of operations(document)) {
    const answer = await fetch(service.url + sample(path), { method: method.toUpperCase() })
    const text = await answer.text()
    assert.notEqual(answer.status, 405, `${method} ${path}`)
    assert.doesNotMatch(text, /"detail":"There is nothing at \//, `${method} ${path}`)
    assert.ok(answer.status < 500, `${method} ${path} answers ${answer.status}`)
    const status = String(answer.status)
    const response = operation.responses[status] ?? operation.responses[`${status[0]}XX`]
    assert.ok(response, `${method} ${path} answers ${status}, which it does not describe`)
    if (text === '') continue
    const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? ''
    const types = Object.keys(response.content ?? {})
    assert.ok(types.includes(type) || types.includes('*/*'), `${method} ${path}: ${status} ${type}`)
  }
})

test('exactly the routes that are not pages for people are described', () => {
  const described = operations(document).map(({ path, method }) => `${method} ${path}`)
  const routes = service.routes
    .filter(
      ({ access, path, forPeople }) =>
        (access === 'public' || access === 'bearer') && !forPeople && !path.includes('*'),
    )
    .map(({ method, path }) => `${method.toLowerCase()} ${pathTemplate(path)}`)
    .concat('get /oauth/authorize')
  assert.deepEqual(described.toSorted(), routes.toSorted())
  assert.ok(routes.length > 30)
})

test('GET /oauth/authorize is described with its parameters', () => {
  const found = operations(document).find(({ path }) => path === '/oauth/authorize')
  const parameters = found?.operation.parameters ?? []
  assert.deepEqual(
    parameters.filter(({ required }) => required).map(({ name }) => name),
    ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'],
  )
})

test('the document is OpenAPI 3.1.1 with this version and the public URL', () => {
  assert.equal(document.openapi, '3.1.1')
  assert.match(document.info.version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(document.servers, [{ url: service.url }])
  const schemes = JSON.stringify(document.components['securitySchemes'])
  assert.ok(schemes.includes(`"tokenUrl":"${service.url}/oauth/token"`))
  assert.ok(schemes.includes('"scopes":{"network":'))
})

test('operations have unique IDs, a summary, one listed tag, and typed responses', () => {
  const all = operations(document)
  const ids = all.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const { path, method, operation } of all) {
    const about = `${method} ${path}`
    assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/, about)
    assert.ok(operation.summary.length >= 5, about)
    assert.equal(operation.tags.length, 1, about)
    assert.ok(tags.has(operation.tags[0] ?? ''), about)
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      assert.ok(description.length > 2, `${about} ${status}`)
      const hasContent = content !== undefined && Object.keys(content).length > 0
      assert.ok(hasContent || Number(status) < 400, `${about} ${status} has no type`)
    }
  }
})

test('every reference resolves, and every component is referenced', () => {
  const referred = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path),
  )
  const shared = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, deps]) => Object.keys(deps).map((name) => `components/${kind}/${name}`))
  assert.deepEqual(new Set(referred), new Set(shared))
})

test('a bearer route has both security schemes and a 401', () => {
  const operation = describe({ access: 'bearer' })
  assert.deepEqual(operation.security, [{ bearer: [] }, { oauth: ['network'] }])
  assert.ok(operation.responses['401']?.headers['WWW-Authenticate'])
  assert.deepEqual(describe({}).security, [])
})

test('the problem document lists every code', () => {
  const problem = document.components['schemas']?.['Problem'] as {
    properties: { code: { enum: string[] } }
  }
  assert.deepEqual(problem.properties.code.enum, Object.keys(REQUEST_ERRORS))
})

test('a rate-limited route has both families of headers, and Retry-After on its 429', () => {
  const limit = { name: 'x', quota: 1, window: 60, per: 'address' } as const
  const { responses } = describe({ limit })
  for (const name of ['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining'])
    assert.ok(responses['200']?.headers[name], name)
  assert.ok(responses['429']?.headers['Retry-After'])
  assert.equal(describe({}).responses['429'], undefined)
})

test('an idempotent route documents the key and its responses', () => {
  const { parameters, responses } = describe({ method: 'POST', idempotent: true })
  assert.deepEqual(parameters, [{ $ref: '#/components/parameters/IdempotencyKey' }])
  assert.ok(responses['200']?.headers['Idempotency-Replayed'])
  assert.ok(responses['409'] && responses['422'])
})

test('parameters have a location, and flags for required and deprecated', () => {
  const operation = describe({
    path: '/x/:id',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({
      query: Type.Optional(Type.String({ description: 'Words', maxLength: 9 })),
      q: Type.Optional(Type.String({ deprecated: true })),
    }),
  })
  assert.deepEqual(operation.parameters, [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    {
      name: 'query',
      in: 'query',
      required: false,
      description: 'Words',
      schema: { type: 'string', maxLength: 9 },
    },
    { name: 'q', in: 'query', required: false, deprecated: true, schema: { type: 'string' } },
  ])
  assert.equal(operation.deprecated, undefined)
  const whole = describe({ deprecated: { path: '/x', since: 0, successor: '/y' } })
  assert.equal(whole.deprecated, true)
  assert.ok(whole.responses['200']?.headers['Deprecation'])
})

test('bodies are described by content type: JSON, forms and raw bytes', () => {
  const schema = Type.Object({ a: Type.String() })
  const types = (body: Route['body']) => Object.keys(describe({ body }).requestBody?.content ?? {})
  assert.deepEqual(types({ kind: 'json', schema, maxBytes: 1 }), ['application/json'])
  assert.deepEqual(types({ kind: 'form', fields: schema, maxBytes: 1 }), [
    'application/x-www-form-urlencoded',
  ])
  assert.deepEqual(types({ kind: 'bytes', types: ['text/csv'], maxBytes: 1 }), ['text/csv'])
  const content = { 'application/octet-stream': Type.String(), 'multipart/form-data': schema }
  assert.deepEqual(types({ kind: 'stream', content, maxBytes: 1 }), Object.keys(content))
  assert.deepEqual(
    types(service.routes.find(({ path }) => path === '/api/uploads')?.body),
    Object.keys(content),
  )
})

test('a response can have several types; one with an ETag can also be a 304', () => {
  const schema = Type.Object({ a: Type.String() })
  const { responses } = describe({
    answers: {
      200: { description: 'Both', schema, type: 'text/markdown; charset=utf-8', headers: ['ETag'] },
    },
  })
  assert.deepEqual(responses['200']?.content, {
    'application/json': {
      schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
    'text/markdown': { schema: { type: 'string' } },
  })
  assert.ok(responses['304'] && responses['304'].content === undefined)
})

test('errors of pages are pages (markdown for 404); errors of other routes are problem documents', () => {
  const limit = { name: 'x', quota: 1, window: 60, per: 'address' } as const
  const params = Type.Object({ id: Type.String() })
  const errorTypes = (type: string) => {
    const answers = { 200: { description: 'Yes', type } }
    const { responses } = describe({ path: '/x/:id', params, limit, answers })
    return ['4XX', '404', '429', '5XX'].map((status) =>
      Object.keys(responses[status]?.content ?? {}),
    )
  }
  const problem = 'application/problem+json'
  assert.deepEqual(errorTypes('text/html; charset=utf-8'), [
    [problem],
    [problem, 'text/html', 'text/markdown'],
    [problem, 'text/html'],
    [problem, 'text/html'],
  ])
  assert.deepEqual(errorTypes('text/csv'), [[problem], [problem], [problem], [problem]])
})

test('a route with its own error format documents it', () => {
  const error = Type.Object({ error: Type.String() })
  const { responses } = describe({
    answers: { 200: { description: 'Yes' }, 400: { description: 'No', schema: error } },
    onError: () => json({}),
  })
  assert.deepEqual(Object.keys(responses['4XX']?.content ?? {}), ['application/json'])
  assert.deepEqual(responses['4XX']?.content, responses['400']?.content)
})

test('a started job has Location and Retry-After; a list page has Link', () => {
  const started = document.paths['/api/jobs']?.['post']?.responses['202']
  assert.ok(started?.headers['Location'] && started.headers['Retry-After'])
  assert.deepEqual(started.content, {
    'application/json': { schema: { $ref: '#/components/schemas/Job' } },
  })
  const directory = document.paths['/api/network/members']?.['get']?.responses['200']
  assert.ok(directory?.headers['Link'])
})

test('named objects are shared; two different objects with one name are an error', () => {
  const named = (field: string) =>
    Type.Object({ object: Type.Literal('some_thing'), [field]: Type.String() })
  const route = (operationId: string, field: string) =>
    defineRoute({
      method: 'GET',
      path: `/${operationId}`,
      operationId,
      summary: 'X',
      access: 'public',
      answers: { 200: { description: 'Yes', schema: named(field) } },
      handle: () => Promise.resolve(json({})),
    })
  const deps = { publicUrl: 'https://weft.example', version: '1' }
  const description = openApi({ ...deps, routes: [route('a', 'x'), route('b', 'x')] })
  assert.ok(JSON.stringify(description).includes('#/components/schemas/SomeThing'))
  assert.throws(
    () => openApi({ ...deps, routes: [route('a', 'x'), route('b', 'y')] }),
    /named SomeThing/,
  )
})

test('/v1 lists the same endpoints with URL and credential', async () => {
  const answer = await fetch(`${service.url}/v1`)
  const { endpoints } = (await answer.json()) as {
    endpoints: { method: string; url: string; auth: string; description: string }[]
  }
  assert.deepEqual(
    endpoints.map(({ method, url }) => `${method.toLowerCase()} ${url.slice(service.url.length)}`),
    describedRoutes(service.routes).map(
      ({ method, path }) => `${method.toLowerCase()} ${pathTemplate(path)}`,
    ),
  )
  assert.deepEqual(
    endpoints.find(({ url, method }) => url === `${service.url}/mcp` && method === 'POST'),
    {
      method: 'POST',
      url: `${service.url}/mcp`,
      auth: 'bearer',
      description: 'The tool endpoint, latest implementation',
    },
  )
  const authorize = endpoints.filter(({ url }) => url === `${service.url}/oauth/authorize`)
  assert.deepEqual(
    authorize.map(({ method, auth }) => [method, auth]),
    [['GET', 'browser']],
  )
})

test('a path has the tag of its longest prefix', () => {
  assert.equal(pathTag('/mcp'), 'Tools')
  assert.equal(pathTag('/mcp/v1'), 'Tools')
  assert.equal(pathTag('/mcp/docs'), 'Documentation')
  assert.equal(pathTag('/mcp/docs/server-card'), 'Discovery')
  assert.equal(pathTag('/mcp/sandbox'), 'Sandbox')
  assert.equal(pathTag('/.well-known/oauth-protected-resource/mcp'), 'Authorization')
  assert.equal(pathTag('/robots.txt'), 'Discovery')
})
