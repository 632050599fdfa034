/**
 * Every request to every operation of the API description has a documented response: no internal error, no hang, and a
 * body that matches the schema for its status in `/openapi.json`. Requests are generated from the same description.
 */

import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { TSchema } from 'typebox'
import { createLog } from '../src/base/log.ts'
import { checkSchema } from '../src/base/schema.ts'
import { LIMITS } from '../src/guards/rate-limit-policies.ts'
import { startTestService, type TestService } from './support/service.ts'
import { TEST_ENGINE } from './support/store.ts'
import { unicodeText } from './support/unicode-text.ts'
import { HUNG_MS } from './support/hung.ts'

/** WEFT_TEST_FUZZ_REQUESTS sends more. Fewer on PostgreSQL, because most requests are rejected before the database is read. */
const REQUESTS = Number(env['WEFT_TEST_FUZZ_REQUESTS'] ?? (TEST_ENGINE === 'sqlite' ? 2_000 : 800))
/** The seed is fixed by default, so that every run sends the same requests. */
const SEED = Number(env['WEFT_TEST_FUZZ_SEED'] ?? 20_261_121)
const AT_ONCE = 8

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}

interface Content {
  readonly schema?: Schema
}

interface Operation {
  readonly parameters?: readonly { name?: string; in?: string; schema?: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, Content>> }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface Attempt {
  readonly endpoint: Endpoint
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

test('every request has a documented response', async (t) => {
  const failures: string[] = []
  const log = createLog('error', { write: (line) => void failures.push(line) })
  await using service = await startTestService({ log, rateLimits: noLimits() })
  await service.addMember()
  const token = await service.mintToken()
  const description = await describe(service)
  const endpoints = endpointsOf(description)
  assert.ok(endpoints.length > 30)
  const tools = await listTools(service, token)
  const attempts = fc.sample(attemptOf(endpoints, token, tools), { numRuns: REQUESTS, seed: SEED })
  const statuses = new Map<number, number>()
  const queue = attempts.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const attempt of queue) {
        const status = await send(service, description, attempt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  assert.deepEqual(failures, [])
  const told = [...statuses].sort(([one], [other]) => one - other)
  t.diagnostic(told.map(([status, count]) => `${count} × ${status}`).join(', '))
  // Some requests must succeed, because errors alone would prove little.
  for (const status of [200, 201, 400, 401, 404, 415, 422])
    assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`)
})

function noLimits() {
  const limits = Object.values(LIMITS).map(
    ({ name }) => [name, { quota: 1e9, window: 60 }] as const,
  )
  return Object.fromEntries(limits)
}

async function describe({ url }: TestService): Promise<Description> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Description
}

interface Tool {
  readonly name: string
  readonly inputSchema: Schema
}

async function listTools({ url }: TestService, token: string): Promise<Tool[]> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return ((await response.json()) as { result: { tools: Tool[] } }).result.tools
}

function endpointsOf({ paths }: Description): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => 'responses' in operation)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

async function send(
  { url }: TestService,
  description: Description,
  { endpoint, target, headers, body }: Attempt,
): Promise<number> {
  const about = `${endpoint.method} ${target} ${JSON.stringify(headers)} ${body?.slice(0, 300)}`
  const response = await fetch(url + target, {
    method: endpoint.method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(HUNG_MS),
    ...(body !== undefined && endpoint.method !== 'GET' && { body }),
  })
  const text = await response.text()
  const { status } = response
  assert.ok(status < 500, `${about}: ${status} ${text}`)
  const { responses } = endpoint.operation
  const described = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  assert.ok(described, `${about}: ${status} is not described`)
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
  if (text === '' || (!isPage(endpoint) && isPageOfRefusal(status, type))) return status
  const content = described.content?.[type] ?? described.content?.['*/*']
  assert.ok(content, `${about}: ${status} ${type} is not described`)
  if (type.endsWith('json') && content.schema) {
    const schema = resolve(content.schema, description)
    const checked = checkSchema(schema, JSON.parse(text) as unknown)
    if (!checked.ok) assert.fail(`${about}: ${JSON.stringify(checked.problems)} ${text}`)
  }
  return status
}

/** Routes that return pages, and therefore also return errors as pages. */
function isPage({ operation: { responses } }: Endpoint): boolean {
  return responses['200']?.content?.['text/html'] !== undefined
}

/** Clients that accept pages get errors as pages. */
function isPageOfRefusal(status: number, type: string): boolean {
  return status >= 400 && (type === 'text/html' || type === 'text/markdown')
}

const resolved = new WeakMap<Schema, TSchema>()

/** Resolves references. None of them is circular. */
function resolve(schema: Schema, description: Description): TSchema {
  let whole = resolved.get(schema)
  if (!whole) {
    const json = JSON.stringify(writtenOut(schema, description))
    whole = JSON.parse(json) as TSchema
    resolved.set(schema, whole)
  }
  return whole
}

function writtenOut(value: unknown, description: Description): unknown {
  if (Array.isArray(value)) return value.map((item) => writtenOut(item, description))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value && typeof value.$ref === 'string') {
    const name = value.$ref.slice('#/components/schemas/'.length)
    assert.ok(description.components.schemas[name], value.$ref)
    return writtenOut(description.components.schemas[name], description)
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, writtenOut(item, description)]),
  )
}

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202eevil',
  '../../etc/passwd',
  '%00',
  '%ff',
  '..%2f..%2f',
  "' or 1=1 --",
  '"; drop table members; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${jndi:ldap://127.0.0.1/}',
  'constructor',
  '__proto__',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  'a'.repeat(5_000),
  '😀'.repeat(300),
  'ß'.normalize('NFD'),
]

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  unicodeText({ maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)

const anything: fc.Arbitrary<unknown> = fc.oneof(
  hostile,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.constantFrom(null, true, 0, -1, 1e15, [], {}, [[]], { a: { b: {} } }),
)

/** Whether a value matches its schema, or any part of it may violate the schema. */
type Manner = 'careful' | 'wild'

function valueOf(schema: Schema = {}, manner: Manner, name = ''): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, manner, name)
  if (manner === 'careful') return fitting
  return fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: anything })
}

function fittingOf(schema: Schema, manner: Manner, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum && schema.enum.length > 0) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && schema.anyOf.length > 0)
    return fc.oneof(...schema.anyOf.map((one) => valueOf(one, manner, name)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, manner)
    case 'array':
      return fc.array(valueOf(schema.items, manner, name), { minLength: 1, maxLength: 3 })
    case 'integer':
    case 'number':
      return fc.integer({ min: 1, max: 30 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return fc.constantFrom(...(PLAUSIBLE[name] ?? ['ada', 'demo', 'x']))
    case undefined:
    default:
      return anything
  }
}

/** Plausible values for strings, by name. */
const PLAUSIBLE: Readonly<Record<string, readonly string[]>> = {
  redirect_uris: ['https://client.example/callback', 'http://127.0.0.1/cb'],
  path: ['/api/human/ada', '/api/human/demo.md', '/api/network/members', '/api/jobs'],
  method: ['tools/call', 'tools/call', 'tools/list', 'initialize', 'server/discover'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_uri: ['https://client.example'],
}

function objectOf({ properties = {} }: Schema, manner: Manner): fc.Arbitrary<unknown> {
  const freq = manner === 'careful' ? 20 : 6
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      [name, fc.option(valueOf(schema, manner, name), { nil: undefined, freq })] as const,
  )
  const record = fc.record(Object.fromEntries(members))
  if (manner === 'careful') return record
  return fc.oneof(
    { weight: 6, arbitrary: record },
    { weight: 1, arbitrary: fc.tuple(record, hostile, anything).map(withMember) },
  )
}

function withMember([object, name, value]: [object, string, unknown]): object {
  return Object.fromEntries([...Object.entries(object), [name, value]])
}

/** A call of a tool, generated from its listed schema. */
function callOf(tools: readonly Tool[], manner: Manner): fc.Arbitrary<unknown> {
  return fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.constantFrom(1, 'a'),
      method: fc.constant('tools/call'),
      params: fc.record({ name: fc.constant(name), arguments: valueOf(inputSchema, manner) }),
    }),
  )
}

function attemptOf(
  endpoints: readonly Endpoint[],
  token: string,
  tools: readonly Tool[],
): fc.Arbitrary<Attempt> {
  // POST is drawn three times as often, because more can go wrong there.
  const writes = endpoints.filter(({ method }) => method === 'POST')
  return fc.constantFrom(...endpoints, ...writes, ...writes).chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      target: targetOf(endpoint),
      headers: headersOf(endpoint, token),
      body: bodyOf(endpoint, tools),
    }),
  )
}

function targetOf({ path, operation }: Endpoint): fc.Arbitrary<string> {
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const names = [...path.matchAll(/\{[a-z_]+\}/g)].map(([name]) => name)
  const text = fc.oneof(fc.constantFrom('ada', 'demo', '1', 'tools'), hostile)
  return fc
    .tuple(
      fc.array(text, { minLength: names.length, maxLength: names.length }),
      fc.array(
        fc.tuple(
          fc.constantFrom(...inQuery.map(({ name = 'q' }) => name), 'unknown'),
          fc.oneof(text, fc.integer({ min: -1, max: 200 }).map(String)),
        ),
        { maxLength: 3 },
      ),
    )
    .map(([values, query]) => {
      let at = 0
      const filled = path.replaceAll(/\{[a-z_]+\}/g, () =>
        encodeURIComponent((values[at++] ?? '').toWellFormed()),
      )
      const search = new URLSearchParams(query).toString()
      return search === '' ? filled : `${filled}?${search}`
    })
}

function headersOf({ operation }: Endpoint, token: string): fc.Arbitrary<Record<string, string>> {
  const types = Object.keys(operation.requestBody?.content ?? {})
  return fc
    .record(
      {
        authorization: fc.oneof(
          { weight: 6, arbitrary: fc.constant(`Bearer ${token}`) },
          { weight: 1, arbitrary: fc.constantFrom('Bearer x', 'Basic YTpi', 'Bearer', '') },
        ),
        accept: fc.constantFrom('application/json', '*/*', 'text/markdown', 'text/html', 'x', ''),
        'content-type': fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(...types, 'application/json') },
          {
            weight: 1,
            arbitrary: fc.constantFrom('text/plain', 'nonsense', 'multipart/form-data'),
          },
        ),
        'idempotency-key': fc.constantFrom('k', '"k"', '""', 'a b', 'x'.repeat(300)),
        'mcp-protocol-version': fc.constantFrom('2025-11-25', '2026-07-28', 'x'),
        'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"'),
      },
      { requiredKeys: ['authorization', 'content-type'] },
    )
    .map((headers) => headers as Record<string, string>)
}

function bodyOf(
  { path, operation }: Endpoint,
  tools: readonly Tool[],
): fc.Arbitrary<string | undefined> {
  const content = operation.requestBody?.content ?? {}
  const form = content['application/x-www-form-urlencoded']
  const json = Object.entries(content).find(([type]) => type.endsWith('json'))?.[1]
  const write = form ? asForm : (value: unknown) => JSON.stringify(value)
  const isForTools = /^(\/sandbox)?\/mcp/.test(path)
  const made = (manner: Manner) => {
    const message = valueOf((form ?? json)?.schema, manner)
    return isForTools ? fc.oneof(message, callOf(tools, manner), callOf(tools, manner)) : message
  }
  const garbage = fc.oneof(
    hostile,
    fc.constantFrom('{', '[', '{"a":', '"', '[]', '{}', 'null', '['.repeat(200)),
    fc.constant(undefined),
  )
  return fc.oneof(
    { weight: 4, arbitrary: made('careful').map(write) },
    { weight: 5, arbitrary: made('wild').map(write) },
    { weight: 1, arbitrary: garbage },
  )
}

function asForm(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return new URLSearchParams(fields.map(([name, one]) => [name, asText(one)])).toString()
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
