/** Health, readiness, metrics and the request log, as supervisors, proxies and Prometheus see them. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { after, test } from 'node:test'
import { createLog } from '../base/log.ts'
import {
  findPostgres,
  startCluster,
  workingDatabase,
  type Cluster,
} from '../../test/support/postgres.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE } from '../../test/support/store.ts'
import { postToolCall } from '../../test/support/tool-call.ts'
import { readConfig } from '../config/config.ts'
import { startWorking } from './work.ts'
import type { TestServiceOptions } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'

const TOKEN = 'a-token-of-the-metrics-page'
const MISSING = spawnSync('promtool', ['--version']).error !== undefined
const PROMTOOL = { skip: MISSING && 'promtool is not installed (package prometheus)' }

const lines: string[] = []
const log = createLog('info', { write: (line: string) => void lines.push(line) })
const service = await startTestService({
  metrics: { port: 0, host: '127.0.0.1', token: TOKEN },
  logRequests: 'errors',
  log,
})
await service.addMember()
const token = await service.mintToken()
after(() => service[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, body: await answer.text(), headers: answer.headers }
}

const metricsText = async ({ url }: Pick<TestService, 'url'> = service) =>
  (await get(`${url}/metrics`, { authorization: `Bearer ${TOKEN}` })).body

const ownPort = () => `http://127.0.0.1:${service.metricsPort}`

function callTool(name: string, args: object = {}): Promise<Response> {
  return postToolCall(service.url, token, name, args)
}

/** The log lines of one request. */
const linesOf = (requestId: string | null) =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['request_id'] === requestId)

test('a process that only runs jobs has metrics and health checks on a separate port', async () => {
  await using location = await createDatabaseLocation('seeded')
  const metrics = { port: 0, host: '127.0.0.1', token: null }
  const config = { ...readConfig({}), database: location.database, metrics, searchThreads: 1 }
  await using working = await startWorking(config, { clock: fixedClock(), log })
  const url = `http://127.0.0.1:${working.metricsPort}`
  assert.equal((await get(`${url}/healthz`)).status, 200)
  assert.equal((await get(`${url}/readyz`)).status, 200)
  const { body } = await get(`${url}/metrics`)
  for (const name of ['weft_jobs_finished_total', 'weft_jobs', 'weft_database_pool_size'])
    assert.match(body, new RegExp(`^# TYPE ${name} `, 'm'))
  assert.match(body, /^weft_build_info\{.*\} 1$/m)
  // A second process with the same settings still runs its jobs.
  const taken = { ...config, metrics: { ...metrics, port: working.metricsPort ?? 0 } }
  await using second = await startWorking(taken, { clock: fixedClock(), log })
  assert.equal(second.metricsPort, undefined)
  assert.ok(lines.some((line) => line.includes('a different port')))
  working.drain()
  assert.equal((await get(`${url}/readyz`)).status, 503)
})

test('a started service is healthy and ready, on both ports; other methods are 405', async () => {
  for (const base of [service.url, ownPort()]) {
    assert.deepEqual((await get(`${base}/healthz`)).body, '{"status":"ok"}\n')
    assert.deepEqual((await get(`${base}/readyz`)).body, '{"status":"ready"}\n')
  }
  const posted = await fetch(`${service.url}/readyz`, { method: 'POST' })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  const head = await fetch(`${service.url}/healthz`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('metrics need the token on the main port and none on their own port, which serves nothing else', async () => {
  assert.equal((await get(`${service.url}/metrics`)).status, 401)
  const wrong = await get(`${service.url}/metrics`, { authorization: `Bearer ${TOKEN}x` })
  assert.deepEqual([wrong.status, wrong.headers.get('www-authenticate')], [401, 'Bearer'])
  assert.equal(
    (await get(`${service.url}/metrics`, { authorization: `Bearer ${token}` })).status,
    401,
  )
  assert.match(await metricsText(), /^weft_build_info\{version="/m)
  const own = await get(`${ownPort()}/metrics`)
  assert.match(own.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.equal((await get(`${ownPort()}/api/human/ada`)).status, 404)
})

test('without a setting there are no metrics', async () => {
  await using plain = await startTestService()
  assert.equal((await get(`${plain.url}/metrics`)).status, 404)
  assert.equal((await get(`${plain.url}/healthz`)).status, 200)
})

test('requests, tool calls, credits, jobs and rate limits are counted by route template, never by path', async () => {
  await get(`${service.url}/api/human/ada`)
  await get(`${service.url}/api/human/no-one-of-that-name`)
  await get(`${service.url}/a/secret/path`)
  await (await callTool('search_connections', { query: 'x' })).text()
  await (await callTool('search_connections', { query: {} })).text()
  const text = await metricsText()
  const count = (series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }
  const requests = (labels: string) => count(`weft_http_request_duration_seconds_count{${labels}}`)
  assert.equal(requests('method="GET",route="/api/human/:username",status="200"'), 1)
  assert.equal(requests('method="GET",route="/api/human/:username",status="404"'), 1)
  assert.ok((requests('method="GET",route="unmatched",status="404"') ?? 0) >= 1)
  assert.ok((requests('method="POST",route="/mcp",status="200"') ?? 0) >= 2)
  const calls = (outcome: string) =>
    count(`weft_tool_call_duration_seconds_count{tool="search_connections",outcome="${outcome}"}`)
  assert.deepEqual([calls('ok'), calls('invalid_arguments')], [1, 1])
  assert.ok((count('weft_credits_charged_total{tool="search_connections"}') ?? 0) >= 1)
  assert.ok((count('weft_database_commit_duration_seconds_count') ?? 0) >= 1)
  assert.equal(count('weft_job_queue_age_seconds'), 0)
  assert.equal(count('weft_search_preparation_age_seconds'), 0)
  assert.equal(count('weft_search_preparations{state="failed"}'), 0)
  const writing = TEST_ENGINE === 'sqlite' ? 'writer' : 'main'
  assert.ok((count(`weft_database_pool_size{pool="${writing}"}`) ?? 0) >= 1)
  assert.ok((count('process_resident_memory_bytes') ?? 0) > 1e7)
  assert.ok(count('weft_event_loop_delay_seconds{percentile="99"}') !== undefined)
  assert.doesNotMatch(text, /secret|no-one-of/)
})

test('promtool reports no problems', PROMTOOL, async () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], {
    input: await metricsText(),
    encoding: 'utf8',
  })
  assert.equal(checked.status, 0, `${checked.stdout}${checked.stderr}`)
  assert.equal(`${checked.stdout}${checked.stderr}`, '')
})

test('an error is logged with its request ID and route; a success is not', async () => {
  const missing = await get(`${service.url}/api/human/missing?link=a-secret`)
  const [line, ...more] = linesOf(missing.headers.get('x-request-id'))
  assert.deepEqual(more, [])
  const { level, method, route, status, code } = line ?? {}
  assert.deepEqual(
    { level, method, route, status, code },
    { level: 30, method: 'GET', route: '/api/human/:username', status: 404, code: 'not_found' },
  )
  const found = await get(`${service.url}/api/human/ada`)
  assert.deepEqual(linesOf(found.headers.get('x-request-id')), [])
  assert.doesNotMatch(lines.join(''), /a-secret|missing/)
})

test('a rejected tool call is logged with the request ID of its response', async () => {
  const answer = await callTool('search_connections', { query: {} })
  await answer.text()
  const [line] = linesOf(answer.headers.get('x-request-id'))
  assert.equal(line?.['tool'], 'search_connections')
  assert.equal(line?.['outcome'], 'invalid_arguments')
})

test('all requests are logged with the setting all, and one in a hundred with sampled', async () => {
  for (const [logRequests, expected] of [
    ['all', 100],
    ['sampled', 1],
  ] as const) {
    const own: string[] = []
    await using other = await startTestService({
      logRequests,
      log: createLog('info', { write: (line: string) => void own.push(line) }),
    })
    await Promise.all(Array.from({ length: 100 }, () => get(`${other.url}/robots.txt`)))
    assert.equal(own.filter((line) => line.includes('"route":"/robots.txt"')).length, expected)
  }
})

test('a draining service is healthy, not ready, and still serves requests', async () => {
  await using draining = await startTestService()
  draining.drain()
  assert.equal((await get(`${draining.url}/healthz`)).status, 200)
  const ready = await get(`${draining.url}/readyz`)
  assert.deepEqual(
    [ready.status, ready.body],
    [503, '{"status":"unavailable","reason":"draining"}\n'],
  )
  assert.equal((await get(`${draining.url}/robots.txt`)).status, 200)
})

/** Polls until the response is as expected. Returns the milliseconds that it took. */
async function untilReady({ url }: { readonly url: string }, status: number): Promise<number> {
  const startedAt = performance.now()
  await until(async () => (await get(`${url}/readyz`)).status === status)
  return performance.now() - startedAt
}

test(
  'a SQLite file that was moved away makes the service unready until it is back',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using moved = await startTestService()
    const path = moved.address.replace(/^sqlite:/, '')
    await untilReady(moved, 200)
    await rename(path, `${path}.away`)
    await untilReady(moved, 503)
    assert.match((await get(`${moved.url}/readyz`)).body, /"reason":"database"/)
    assert.equal((await get(`${moved.url}/healthz`)).status, 200)
    await rename(`${path}.away`, path)
    await untilReady(moved, 200)
  },
)

const programs = TEST_ENGINE === 'postgres' ? await findPostgres() : undefined

async function onCluster(
  cluster: Cluster,
  settings: TestServiceOptions = {},
): Promise<TestService> {
  const url = await workingDatabase(cluster.url)
  return startTestService({ ...settings, database: { engine: 'postgres', url } })
}

test(
  'the service is unready while PostgreSQL is stopped, and its metrics still work',
  {
    skip:
      programs === undefined &&
      (TEST_ENGINE === 'postgres' ? 'PostgreSQL is not installed' : 'for PostgreSQL only'),
  },
  async (t) => {
    await using cluster = await startCluster(programs ?? '')
    await using stopped = await onCluster(cluster, {
      metrics: { port: null, host: '127.0.0.1', token: TOKEN },
    })
    await untilReady(stopped, 200)
    await cluster.stop()
    const gone = await untilReady(stopped, 503)
    assert.equal((await get(`${stopped.url}/healthz`)).status, 200)
    assert.match(await metricsText(stopped), /^weft_database_pool_size/m)
    await cluster.start()
    const back = await untilReady(stopped, 200)
    t.diagnostic(`unready ${gone.toFixed(0)} ms after the stop, ready ${back.toFixed(0)} ms after`)
  },
)
