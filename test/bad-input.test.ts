/** Invalid input to every endpoint, import and tool: never a 5xx, never a hang, always a stable code or a report. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { env } from 'node:process'
import * as fc from 'fast-check'
import { createLog } from '../src/base/log.ts'
import { REQUEST_ERRORS } from '../src/base/request-error.ts'
import { MAX_UPLOAD_BYTES } from '../src/jobs/uploads.ts'
import { startTestService, type TestService } from './support/service.ts'
import type { Route } from '../src/http/route.ts'
import { unicodeCharacter, unicodeText } from './support/unicode-text.ts'
import { onOneEngine } from './support/engine-options.ts'
import { HUNG_MS } from './support/hung.ts'
import { until } from './support/until.ts'

/** WEFT_TEST_FUZZ_REQUESTS sends more. */
const FUZZED = Number(env['WEFT_TEST_FUZZ_REQUESTS'] ?? 500)
const ROW = 'Ada,Lovelace,https://www.linkedin.com/in/ada-l,,Engines,Countess,21 Nov 2026\n'
const LINKEDIN = `First Name,Last Name,URL,Email Address,Company,Position,Connected On\n${ROW}`

let service: TestService
let authorization: string
/** The errors that the service logged. No input may cause one. */
const failures: string[] = []

before(async () => {
  const log = createLog('error', { write: (line) => void failures.push(line) })
  service = await startTestService({ monthlyCredits: 1_000_000, log })
  await service.addMember()
  authorization = `Bearer ${await service.mintToken()}`
})
after(() => service[Symbol.asyncDispose]())

type Bytes = string | Uint8Array<ArrayBuffer>

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: Bytes | undefined
  readonly headers?: Record<string, string>
}

function send({ method, path, body, headers }: Sent): Promise<Response> {
  return fetch(service.url + path, {
    method,
    headers: { authorization, ...headers },
    signal: AbortSignal.timeout(HUNG_MS),
    ...(body !== undefined && !['GET', 'HEAD'].includes(method) && { body }),
  })
}

interface ErrorBody {
  readonly code?: string
  readonly status?: number
  readonly jsonrpc?: string
  /** The error of OAuth endpoints. */
  readonly error?: unknown
  readonly error_description?: unknown
}

/** RFC 4918 section 16. */
function isDavError(type: string | null, text: string): boolean {
  return type?.startsWith('application/xml') === true && text.startsWith('<?xml')
}

/** No response is a 5xx. Every error is a problem document with a documented code, or the format of its protocol. */
async function isDecent(response: Response, about: string, method = 'POST'): Promise<void> {
  const text = await response.text()
  assert.ok(response.status < 500, `${about}: ${response.status} ${text}`)
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  if (response.status < 400 || method === 'HEAD') return
  const type = response.headers.get('content-type')
  if (type?.startsWith('text/html') || isDavError(type, text)) return
  if (type?.startsWith('text/markdown') && response.status === 404) return
  const parsed = JSON.parse(text) as ErrorBody | ErrorBody[]
  // The response to a JSON-RPC batch is a batch, in which every message may have failed.
  const body = Array.isArray(parsed) ? (parsed[0] ?? {}) : parsed
  if (body.jsonrpc === '2.0') assert.equal(type, 'application/json', about)
  else if (typeof body.error === 'string')
    assert.equal(typeof body.error_description, 'string', about)
  else {
    assert.equal(type, 'application/problem+json; charset=utf-8', about)
    const known = Object.entries(REQUEST_ERRORS).find(([code]) => code === body.code)
    assert.equal(known?.[1][0], response.status, `${about}: ${text}`)
    assert.equal(body.status, response.status)
  }
}

async function stillAnswers(): Promise<void> {
  assert.equal((await send({ method: 'GET', path: '/api/human/ada' })).status, 200)
  const { result } = await callTool('whoami', {})
  assert.equal(result?.isError, undefined)
  assert.deepEqual(failures, [])
}

interface Job {
  readonly job_id: number
  readonly state: string
  readonly terminal: boolean
  readonly result: Record<string, unknown> | null
  readonly error: { readonly code: string; readonly detail: string } | null
}

async function importFile(body: Bytes, type = 'text/csv', format?: string): Promise<Job> {
  const headers = { 'content-type': type }
  const uploaded = await send({ method: 'POST', path: '/api/uploads', body, headers })
  assert.equal(uploaded.status, 201)
  const { upload_id } = (await uploaded.json()) as { upload_id: string }
  const started = await send({
    method: 'POST',
    path: '/api/jobs',
    body: JSON.stringify({ kind: 'file_import', upload_id, ...(format && { format }) }),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(started.status, 202)
  return pollToEnd(((await started.json()) as Job).job_id)
}

async function pollToEnd(jobId: number): Promise<Job> {
  return until(async () => {
    const polled = await send({ method: 'GET', path: `/api/jobs/${jobId}` })
    const job = (await polled.json()) as Job
    return job.terminal && job
  })
}

interface ToolAnswer {
  readonly error?: { readonly code: number }
  readonly result?: {
    readonly isError?: boolean
    readonly structuredContent?: Record<string, unknown>
    readonly _meta?: { readonly 'weft/error'?: { readonly code: string } }
  }
}

async function callTool(name: string, input: unknown): Promise<ToolAnswer> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(call)
  const response = await send({ method: 'POST', path: '/mcp', body, headers })
  assert.ok(response.status < 500, name)
  return (await response.json()) as ToolAnswer
}

/** A bug appears as the code `internal`, even in a 200 response. */
function isNoBug(answer: ToolAnswer, about: string): void {
  assert.notEqual(answer.error?.code, -32603, about)
  assert.notEqual(answer.result?._meta?.['weft/error']?.code, 'internal', about)
}

test('a file without contacts fails with a reason', onOneEngine, async () => {
  const files: Readonly<Record<string, Bytes>> = {
    pdf: `%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 1\ntrailer\n%%EOF`,
    'zip of a workbook': Buffer.from(
      'PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml\0\0xl/workbook.xml',
      'latin1',
    ),
    'cut zip': Buffer.from('PK\x03\x04', 'latin1'),
    'random bytes': Buffer.from(randomBytes(200_000)),
    NUL: '\0'.repeat(1000),
    'unknown columns': 'color,size\nred,7\n',
    'one line': 'hello',
    'deep JSON': '['.repeat(100_000),
    html: '<!doctype html><title>Sign in</title>',
    BOM: '\ufeff',
    quotes: '"'.repeat(10_001),
    newlines: '\r\n'.repeat(10_000),
  }
  for (const [name, file] of Object.entries(files)) {
    const job = await importFile(file)
    assert.deepEqual([job.state, job.error?.code], ['failed', 'unreadable_file'], name)
    assert.match(job.error?.detail ?? '', /^[A-Z].*\.$/, name)
  }
  await stillAnswers()
})

test('a file that is damaged midway is imported as far as possible, with a report of every row', async () => {
  const cut = `${LINKEDIN}Grace,Hopper,,,"Navy`
  const card = (name: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEND:VCARD\r\n`
  const files: readonly [string, string, Bytes][] = [
    ['truncated CSV', 'text/csv', cut],
    ['one broken card', 'text/vcard', `${card('One A')}BEGIN:VCARD\r\nFN\r\n${card('Two B')}`],
    ['a card without a name', 'text/vcard', card('One A') + card('') + card('Two B')],
    ['a card cut off', 'text/vcard', `${card('One A')}BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tw`],
    ['rows of other lengths', 'text/csv', `${LINKEDIN}a\n,,,,,,,,,,,,,\nb,c,d,e,f,g,h,i,j\n`],
    ['NUL in a row', 'text/csv', `${LINKEDIN}Gr\0ace,Hopper,,,Navy,,\n`],
    ['a row of a megabyte', 'text/csv', `${LINKEDIN}${'x'.repeat(1_000_000)},Hopper,,,,,\n`],
    [
      'not UTF-8',
      'text/csv',
      Buffer.concat([Buffer.from(LINKEDIN), Buffer.from([0xff, 0xfe, 10])]),
    ],
    ['formulas', 'text/csv', `${LINKEDIN}=cmd|' /C calc'!A0,+1,@x,-2,=1,=2,=3\n`],
    ['dates of no calendar', 'text/csv', `${LINKEDIN}G,H,,,,,99 Foo 0000\nG,I,,,,,-1\n`],
  ]
  for (const [name, type, file] of files) {
    const { state, result } = await importFile(file, type)
    assert.equal(state, 'succeeded', name)
    const count = (field: string) => Number(result?.[field])
    const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'rejected_count'].map(count)
    assert.equal(
      outcomes.reduce((sum, one) => sum + one, 0),
      count('rows'),
      `${name}: ${JSON.stringify(result)}`,
    )
    assert.ok(count('rows') > 0, name)
  }
  await stillAnswers()
})

test('valid cards around a broken one are all imported', onOneEngine, async () => {
  const cards = `BEGIN:VCARD\nVERSION:3.0\nFN:Left Neighbour\nEND:VCARD
BEGIN:VCARD\nVERSION:3.0\nN:;;;;\nEND:VCARD
BEGIN:VCARD\nVERSION:3.0\nFN:Right Neighbour\nEND:VCARD\n`
  const { result } = await importFile(cards, 'text/vcard')
  assert.deepEqual([result?.['rows'], result?.['created']], [3, 2])
  assert.match(JSON.stringify(result?.['rejected']), /^\[\{"row":2,/)
})

test(
  'a 50 MB upload without contacts fails with a reason; a larger body is a 413',
  onOneEngine,
  async () => {
    const job = await importFile(Buffer.alloc(MAX_UPLOAD_BYTES, ' '))
    assert.deepEqual([job.state, job.error?.code], ['failed', 'unreadable_file'])
    for (const path of ['/api/uploads', '/mcp', '/api/jobs']) {
      const headers = { 'content-type': 'application/json' }
      const route = service.routes.find((one) => one.method === 'POST' && one.path === path)
      assert.ok(route?.body)
      const body = Buffer.alloc(route.body.maxBytes + 1, ' ')
      const large = await send({ method: 'POST', path, headers, body })
      assert.equal(large.status, 413, path)
      await isDecent(large, path)
    }
    await stillAnswers()
  },
)

test('a job cannot start with a missing upload or invalid input', onOneEngine, async () => {
  const inputs: unknown[] = [
    {},
    { upload_id: 'upl_nothing' },
    { upload_id: 1 },
    { upload_id: '' },
    { upload_id: 'x', content: 'y' },
    { upload_id: { $ne: null } },
    { content: '' },
    { content: [] },
    { content: 'a', format: 'excel' },
    { content: 'a', extra: true },
    { content: 'a', __proto__: null, constructor: {} },
  ]
  for (const input of inputs) {
    const body = JSON.stringify({ kind: 'file_import', ...(input as object) })
    const headers = { 'content-type': 'application/json' }
    const response = await send({ method: 'POST', path: '/api/jobs', body, headers })
    assert.equal(response.status, 400, body)
    await isDecent(response, body)
  }
})

const HOSTILE_TEXTS = [
  '" OR 1=1 NEAR(*',
  '*',
  '"',
  "'; drop table members;--",
  'a NEAR/5 b',
  'name:x',
  '-',
  '^a',
  '🎉🎉',
  '\u202eadA\u202c',
  'مرحبا',
  '\u200b',
  '__proto__',
  'constructor',
  '%',
  '_',
  '\\',
  '(',
  'AND',
  'NOT',
  '{}',
  '\n\r\t',
  '<script>alert(1)</script>',
  '\u0007',
  '\ufffe',
  '0',
  'é',
  '[x](javascript:alert(1))',
  'null',
  '🏳️‍🌈',
  'ﷺ'.repeat(50),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍',
  '\ud800',
  '\0',
  '',
]

test('hostile text in a tool call is stored as text, or rejected with a hint', async () => {
  const added = await callTool('add_connections', { name: 'Target' })
  const [id] = /c_\d+/.exec(JSON.stringify(added.result?.structuredContent)) ?? []
  for (const text of [...HOSTILE_TEXTS, 'x'.repeat(1_000_000)]) {
    const calls: readonly [string, unknown][] = [
      ['search_connections', { query: text }],
      ['search_connections', { query: 'a', company: text, tag: text }],
      ['add_connections', { name: text, company: text, note: text, tags: [text], emails: [text] }],
      ['update_connections', { people: id, title: text, tags: { add: [text] }, note: text }],
      ['get_connections', { people: text }],
      ['search_connections', { cursor: text }],
      ['get_jobs', { task_id: text }],
      [text, {}],
    ]
    for (const [tool, input] of calls)
      isNoBug(await callTool(tool, input), `${tool} ${JSON.stringify(text.slice(0, 50))}`)
  }
  await stillAnswers()
})

test('stored text is returned unchanged', async () => {
  const texts = HOSTILE_TEXTS.filter((text) => /^[\p{L}\p{S} ]{3,}$/u.test(text))
  assert.ok(texts.length > 1)
  for (const note of [
    '" OR 1=1 NEAR(*',
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    ...texts,
  ]) {
    const { result } = await callTool('add_connections', {
      name: `Keeper ${note}`.slice(0, 60),
      note,
      allow_duplicate: true,
    })
    const [id] = /c_\d+/.exec(JSON.stringify(result?.structuredContent)) ?? []
    const read = await callTool('get_connections', { people: [id] })
    assert.match(JSON.stringify(read.result?.structuredContent), new RegExp(quoted(note), 'u'))
  }
})

/** The text as a JSON string, escaped for a pattern. */
function quoted(text: string): string {
  return RegExp.escape(JSON.stringify(text).slice(1, -1))
}

test(
  'wrong types in a tool call are rejected with a hint, free of charge',
  onOneEngine,
  async () => {
    const credits = async () =>
      JSON.stringify((await callTool('whoami', {})).result?.structuredContent?.['credits'])
    const remaining = await credits()
    const inputs = [
      null,
      [],
      'x',
      1,
      true,
      { query: {} },
      { name: [1] },
      { limit: 1e9 },
      { nothing: 1 },
    ]
    const tools = ['import_connections', 'add_connections', 'update_connections', 'save_note']
    for (const tool of tools)
      for (const input of inputs) {
        const answer = await callTool(tool, input)
        const about = `${tool} ${JSON.stringify(input)} ${JSON.stringify(answer)}`
        isNoBug(answer, about)
        if (input === null && answer.result?.isError !== true) continue // as if left out
        assert.ok(answer.error !== undefined || answer.result?.isError === true, about)
      }
    assert.equal(await credits(), remaining)
  },
)

test('an import through a tool ends with a reason or a report', async () => {
  const contents = [
    'hello',
    '%PDF-1.7',
    LINKEDIN,
    `${LINKEDIN}"`,
    '\u202e',
    'BEGIN:VCARD',
    '🎉\n🎉',
  ]
  for (const content of contents) {
    const { result } = await callTool('import_connections', { content })
    const jobId = result?.structuredContent?.['task_id']
    assert.ok(Number(jobId) > 0, JSON.stringify(result))
    const job = await pollToEnd(Number(jobId))
    if (job.state === 'failed') assert.equal(job.error?.code, 'unreadable_file', content)
    else assert.deepEqual([job.state, typeof job.result?.['rows']], ['succeeded', 'number'])
  }
})

test('any request to any route has a valid response', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest(service.routes), async (sent) => {
      const about = JSON.stringify({ ...sent, body: String(sent.body).slice(0, 500) })
      await isDecent(await send(sent), about, sent.method)
    }),
    { numRuns: FUZZED },
  )
  await stillAnswers()
})

const value = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text.isWellFormed())),
  fc.constantFrom('0', '-1', '1e9', '1.5', '101', 'ada', 'demo', 'true', '9007199254740993'),
  unicodeText({ maxLength: 60 }),
)

const json = fc.oneof(
  fc.json({ stringUnit: unicodeCharacter }),
  fc.jsonValue().map((any) => JSON.stringify({ kind: 'file_import', content: any })),
  rpcMessage().map((message) => JSON.stringify(message)),
)

function rpcMessage() {
  const method = fc.constantFrom(
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'server/discover',
  )
  const tool = fc.constantFrom(
    'search_connections',
    'add_connections',
    'update_connections',
    'whoami',
  )
  const field = fc.constantFrom(
    'query',
    'name',
    'limit',
    'cursor',
    'connection_id',
    'tags',
    '_meta',
  )
  const input = fc.oneof(fc.dictionary(field, fc.jsonValue()), fc.jsonValue())
  const params = fc.oneof(fc.record({ name: tool, arguments: input }), fc.jsonValue())
  const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double())
  const message = fc.record(
    { jsonrpc: fc.constant('2.0'), id, method: fc.oneof(method, fc.string()), params },
    { requiredKeys: ['jsonrpc'] },
  )
  return fc.oneof(message, fc.array(message, { maxLength: 3 }))
}

const body = fc.option(
  fc.oneof(
    json,
    fc.string(),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  ),
  { nil: undefined },
)

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=x',
      'text/csv',
      'foo',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      ';',
      'text/vcard',
    ),
    'content-disposition': fc.constantFrom(
      'attachment; filename="a',
      "inline; filename*=UTF-8''%zz",
    ),
    'if-none-match': fc.constantFrom('*', '"', 'W/', ',,,'),
    accept: fc.constantFrom('text/markdown', '*/*;q=9', ';;;', 'text/markdown;q=0, */*'),
    'mcp-protocol-version': fc.constantFrom(
      '2026-07-28',
      '2025-11-25',
      'x',
      '🎉'.length.toString(),
    ),
    origin: fc.constantFrom('null', 'https://evil.example', 'http://localhost:1'),
    authorization: fc.constantFrom('Bearer x', 'Basic', 'Bearer'),
  },
  { requiredKeys: [] },
)

function anyRequest(routes: readonly Route[]): fc.Arbitrary<Sent> {
  const targets = routes.map((route) => ({
    method: route.method as string,
    path: route.path,
    names: [...namesOf(route), 'x'],
  }))
  targets.push({ method: 'GET', path: '/:any', names: ['q'] })
  return fc.constantFrom(...targets).chain(({ method, path, names }) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 8, arbitrary: fc.constant(method) },
          fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
        ),
        param: value,
        query: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }),
        body,
        headers,
      })
      .map((drawn) => ({
        method: drawn.method,
        path: `${path.replace(/:[a-z_]+/, () => encodeURIComponent(drawn.param))}?${new URLSearchParams(drawn.query).toString()}`,
        headers: drawn.headers,
        body: drawn.body,
      })),
  )
}

/** The query parameters that a route knows. */
function namesOf({ query }: Route): string[] {
  return Object.keys(query?.properties ?? {})
}
