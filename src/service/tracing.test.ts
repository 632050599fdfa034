/** Spans as a real OpenTelemetry SDK receives them. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { startMailServer } from '../../test/support/mail-server.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { createLog } from '../base/log.ts'
import { createEmailSender } from '../email/sender.ts'
import { openMailServer } from '../email/smtp.ts'
import { queueEmail } from '../outbox/outbox.ts'
import { openTracing } from './tracing.ts'

const exporter = new InMemorySpanExporter()

/** Like an SDK that is loaded before the service. */
function loadSdk(): Disposable {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return { [Symbol.dispose]: unloadSdk }
}

function unloadSdk(): void {
  trace.disable()
  context.disable()
  propagation.disable()
  exporter.reset()
}

after(unloadSdk)

/** The trace and the span of a caller that traces its own requests. */
const [TRACE, CALLER] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const TRACED = { traceparent: `00-${TRACE}-${CALLER}-01` }

/** The spans of the caller's trace once so many requests have ended, a moment after their responses have arrived. */
async function spansOfRequests(count: number): Promise<readonly ReadableSpan[]> {
  return until(() => {
    const spans = exporter.getFinishedSpans().filter((one) => one.spanContext().traceId === TRACE)
    return spans.filter(({ kind }) => kind === SpanKind.SERVER).length >= count && spans
  })
}

function toolCall(name: string, args: object) {
  const params = { name, arguments: args }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

test('without an SDK, nothing is traced', async () => {
  assert.equal(await openTracing(), undefined)
})

test('a tool call continues its caller’s trace: request, tool and transaction', async () => {
  using _sdk = loadSdk()
  await using service = await startTestService()
  await service.addMember()
  const authorization = `Bearer ${await service.mintToken()}`
  const headers = { ...TRACED, authorization, 'content-type': 'application/json' }
  const body = toolCall('add_connections', { name: 'Grace Hopper' })
  const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body })
  assert.equal(response.status, 200)
  await response.text()
  const spans = await spansOfRequests(1)
  const named = (wanted: string) => spans.find(({ name }) => name === wanted)
  const [request, tool] = [named('POST /mcp'), named('tools/call add_connections')]
  assert.ok(request && tool, spans.map(({ name }) => name).join())
  const transaction = spans.find(
    ({ parentSpanContext }) => parentSpanContext?.spanId === tool.spanContext().spanId,
  )
  assert.equal(request.kind, SpanKind.SERVER)
  assert.equal(request.parentSpanContext?.spanId, CALLER)
  assert.equal(tool.parentSpanContext?.spanId, request.spanContext().spanId)
  assert.equal(transaction?.name, 'transaction')
  assert.equal(request.attributes['http.route'], '/mcp')
  assert.equal(request.attributes['http.response.status_code'], 200)
  assert.equal(request.attributes['weft.request_id'], response.headers.get('x-request-id'))
  assert.equal(tool.status.code, SpanStatusCode.UNSET)
  assert.equal(tool.attributes['gen_ai.tool.name'], 'add_connections')
  assert.match(String(transaction.attributes['db.system.name']), /^(sqlite|postgresql)$/)
})

test('spans contain no secrets and no personal data, and errors only have their code', async () => {
  using _sdk = loadSdk()
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  const headers = {
    ...TRACED,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const call = (body: string) => fetch(`${service.url}/mcp`, { method: 'POST', headers, body })
  await (await call(toolCall('search_connections', { query: 'Hopper' }))).text()
  await (await call(toolCall('get_connections', { people: 'c_404' }))).text()
  for (const path of ['/api/human/ada?secret=Hopper', '/api/human/hopper', '/join?link=Hopper'])
    await (await fetch(service.url + path, { headers: TRACED })).text()
  await (await fetch(`${service.url}/hopper`, { headers: TRACED })).text()
  const spans = await spansOfRequests(6)
  const failed = spans.find(({ name }) => name === 'tools/call get_connections')
  assert.equal(failed?.status.code, SpanStatusCode.ERROR)
  assert.equal(failed.attributes['error.type'], 'not_found')
  const missing = spans.find(
    ({ name, attributes }) =>
      name === 'GET /api/human/:username' && attributes['http.response.status_code'] === 404,
  )
  // The client's mistake, not a failure of the server.
  assert.equal(missing?.status.code, SpanStatusCode.UNSET)
  assert.ok(spans.some(({ name }) => name === 'GET'))
  const said = JSON.stringify(
    spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )
  for (const word of ['hopper', 'ada', token, '127.0.0.1'])
    assert.ok(!said.toLowerCase().includes(word.toLowerCase()), `${word} in ${said}`)
})

test('jobs and emails have their own traces', async () => {
  using _sdk = loadSdk()
  await using mail = await startMailServer()
  await using service = await startTestService()
  await service.addMember()
  const authorization = `Bearer ${await service.mintToken()}`
  const headers = { ...TRACED, authorization, 'content-type': 'application/json' }
  const started = await fetch(`${service.url}/api/jobs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ kind: 'purge_deleted' }),
  })
  assert.equal(started.status, 202, await started.text())
  const { database, clock } = service
  const sender = createEmailSender({
    database,
    clock,
    log: createLog('silent'),
    server: openMailServer(mail.smtp),
    domain: 'example.org',
    publicUrl: service.url,
    trace: await openTracing(),
  })
  const invitation = {
    kind: 'invitation',
    recipient: 'grace@example.org',
    details: { days: 7 },
  } as const
  await database.write((tx) => queueEmail(tx, invitation, clock.now()))
  await sender.sendDue()
  const find = (wanted: string) => exporter.getFinishedSpans().find(({ name }) => name === wanted)
  const job = await until(() => find('job purge_deleted'))
  const email = find('send email')
  assert.notEqual(job?.spanContext().traceId, TRACE)
  assert.equal(job?.attributes['weft.job.attempt'], 1)
  assert.equal(email?.kind, SpanKind.CLIENT)
  assert.equal(email.attributes['weft.email.kind'], 'invitation')
  assert.ok(!JSON.stringify(email.attributes).includes('grace'))
  await sender[Symbol.asyncDispose]()
})
