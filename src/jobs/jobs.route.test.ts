import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { assemble } from '../http/http-service.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  collect,
  credits,
  echo,
  endless,
  GRACE,
  inventedBytes,
  QUOTA,
  refused,
  silent,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { JOB, type PublishedJob } from './job-record.ts'
import { jobRoutes } from './jobs.route.ts'
import { uploadRoute } from './uploads.route.ts'
import { MAX_UPLOAD_BYTES, readUpload } from './uploads.ts'
import { JobWorker } from './worker.ts'
import { NO_LIMITS, type Caller } from '../http/caller.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { openGate } from '../../test/support/gate.ts'
import { until } from '../../test/support/until.ts'

const PUBLIC_URL = 'https://weft.example'
const MEMBERS: Readonly<Record<string, number>> = { 'Bearer ada': ADA, 'Bearer grace': GRACE }
const STORED = memberStatement<object, { uploads: number; chunks: number }>()(`
  select (select count(*) from uploads where member_id = :member_id) as uploads,
    (select count(*) from upload_chunks where member_id = :member_id) as chunks`)

interface World extends AsyncDisposable {
  readonly store: TestStore
  readonly worker: JobWorker
  readonly port: number
  readonly send: (method: string, path: string, options?: RequestOptions) => Promise<Response>
}

interface RequestOptions {
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
  readonly headers?: Record<string, string>
  /** The member whose token is sent. */
  readonly as?: 'ada' | 'grace' | 'nobody'
}

/** Routes and a worker on a real port; the worker must be started explicitly. */
async function createWorld(): Promise<World> {
  const store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const jobs = [echo, endless, refused]
  const worker = new JobWorker({ database, jobs, clock, log: silent })
  const wake = () => worker.wake()
  const requireTool = () => {}
  const routes = [
    ...jobRoutes({
      database,
      jobs,
      clock,
      publicUrl: PUBLIC_URL,
      quota: QUOTA,
      inFlight: createInFlight(),
      requireTool,
      wake,
    }),
    uploadRoute({ database, clock, uploadQuotaMb: 250, requireTool }),
  ]
  const http = assemble({ ...openGate({ authenticate }), routes, log: silent })
  const port = await http.listen('127.0.0.1', 0)
  return {
    store,
    worker,
    port,
    send: (method, path, { json, body, headers, as = 'ada' } = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(as === 'nobody' ? {} : { authorization: `Bearer ${as}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
      }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await worker[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

async function authenticate(authorization: string | undefined): Promise<Caller> {
  const memberId = MEMBERS[authorization ?? '']
  if (memberId === undefined) throw new RequestError('unauthorized', 'No token.')
  return {
    memberId,
    username: 'someone',
    name: 'Someone',
    timeZone: 'UTC',
    credential: {
      id: 'pat_1',
      kind: 'api_token',
      agent: null,
      clientId: null,
      name: 'test',
      holder: 'ai_client',
      createdAt: 0,
      expiresAt: null,
    },
    limits: NO_LIMITS,
  }
}

const readJob = async (response: Response) => (await response.json()) as PublishedJob

interface Problem {
  readonly code: string
  readonly detail: string
  readonly kinds?: string[]
  readonly errors?: { pointer: string }[]
}

async function expectProblem(response: Response, status: number, code: string): Promise<Problem> {
  const body = (await response.json()) as Problem
  assert.deepEqual([response.status, body.code], [status, code])
  return body
}

test('starting a job returns 202 with the URL to poll, which finally returns the result', async () => {
  await using world = await createWorld()
  const { send, store, worker } = world
  const started = await send('POST', '/api/jobs', { json: { kind: 'echo', text: 'hi' } })
  const job = await readJob(started)
  assert.equal(started.status, 202)
  assert.equal(job.state, 'queued')
  assert.equal(started.headers.get('location'), job.poll)
  assert.equal(job.poll, `${PUBLIC_URL}/api/jobs/${job.job_id}`)
  assert.equal(started.headers.get('retry-after'), '1')
  assert.equal(checkSchema(JOB, job).ok, true)
  const path = new URL(job.poll).pathname
  const polled = await send('GET', path)
  assert.deepEqual(await readJob(polled), job)
  assert.equal(polled.headers.get('retry-after'), '1')
  assert.equal(polled.headers.get('cache-control'), 'no-store')
  await worker.runToEnd(ADA, job.job_id)
  const over = await send('GET', path)
  const done = await readJob(over)
  assert.equal(over.headers.get('retry-after'), null)
  assert.deepEqual([done.state, done.terminal, done.result], ['succeeded', true, { text: 'hi' }])
  assert.equal(await credits(store.database, store.clock.now()), 95)
})

test('a running job of the same kind is returned with 202 and charged once', async () => {
  await using world = await createWorld()
  const { send, store } = world
  const all = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const response = await send('POST', '/api/jobs', { json: { kind: 'endless' } })
      assert.equal(response.status, 202)
      return readJob(response)
    }),
  )
  assert.equal(new Set(all.map(({ poll }) => poll)).size, 1)
  assert.equal(await credits(store.database, store.clock.now()), 97)
})

test('starting a job wakes the worker, and canceling reaches it', async () => {
  await using world = await createWorld()
  const { send, worker } = world
  worker.start()
  const { poll } = await readJob(await send('POST', '/api/jobs', { json: { kind: 'endless' } }))
  const path = new URL(poll).pathname
  const untilState = (state: string) =>
    until(async () => (await readJob(await send('GET', path))).state === state)
  await untilState('running')
  assert.equal((await send('DELETE', path)).status, 200)
  await untilState('cancelled')
  const again = await send('DELETE', path)
  assert.deepEqual([again.status, (await readJob(again)).state], [200, 'cancelled'])
})

test('a failed job says why', async () => {
  await using world = await createWorld()
  const { send, worker } = world
  const job = await readJob(await send('POST', '/api/jobs', { json: { kind: 'refused' } }))
  await worker.runToEnd(ADA, job.job_id)
  const done = await readJob(await send('GET', `/api/jobs/${job.job_id}`))
  assert.equal(done.error?.code, 'unreadable_file')
  assert.equal(done.result, null)
})

test('a job that cannot start is rejected with what to change', async () => {
  await using world = await createWorld()
  const { send, store } = world
  const post = (json: unknown) => send('POST', '/api/jobs', { json })
  const unknown = await expectProblem(await post({ kind: 'dance' }), 400, 'unknown_kind')
  assert.deepEqual(unknown.kinds, ['echo', 'endless', 'refused'])
  const wrong = await expectProblem(await post({ kind: 'echo' }), 400, 'invalid_request')
  assert.equal(wrong.errors?.[0]?.pointer, '/text')
  await expectProblem(await post({}), 400, 'invalid_request')
  await expectProblem(await post([]), 400, 'invalid_request')
  for (let index = 0; index < 20; index += 1) {
    const job = await readJob(await post({ kind: 'echo', text: 'a' }))
    await world.worker.runToEnd(ADA, job.job_id)
  }
  await expectProblem(await post({ kind: 'echo', text: 'a' }), 402, 'credits_exhausted')
  assert.equal(await credits(store.database, store.clock.now()), 0)
})

test('an unknown job, an invalid ID and another member’s job give the same 404', async () => {
  await using world = await createWorld()
  const { send } = world
  const job = await readJob(await send('POST', '/api/jobs', { json: { kind: 'endless' } }))
  for (const id of ['1', 'abc', '-1', '1.5', '0', '9007199254740993', '99999999999999999999'])
    for (const method of ['GET', 'DELETE'])
      await expectProblem(await send(method, `/api/jobs/${id}`), 404, 'job_not_found')
  const problem = await (await send('GET', '/api/jobs/1')).json()
  assert.partialDeepStrictEqual(problem, { hint: 'List your jobs with GET /api/jobs.' })
  for (const method of ['GET', 'DELETE']) {
    const response = await send(method, `/api/jobs/${job.job_id}`, { as: 'grace' })
    await expectProblem(response, 404, 'job_not_found')
  }
  const listed = (await (await send('GET', '/api/jobs', { as: 'grace' })).json()) as object
  assert.deepEqual(listed, { object: 'list', jobs: [], has_more: false, next_cursor: null })
  await expectProblem(await send('GET', '/api/jobs', { as: 'nobody' }), 401, 'unauthorized')
})

test('the cursor pages through the jobs, newest first, each once', async () => {
  await using world = await createWorld()
  const { send, worker, store } = world
  const ids: number[] = []
  for (let index = 0; index < 5; index += 1) {
    const job = await readJob(
      await send('POST', '/api/jobs', { json: { kind: 'echo', text: 'a' } }),
    )
    await worker.runToEnd(ADA, job.job_id)
    ids.unshift(job.job_id)
    store.clock.advance(index % 2) // two at the same time
  }
  const walked: number[] = []
  let path: string | null = '/api/jobs?limit=2&kind=echo'
  while (path !== null) {
    const page = (await (await send('GET', path)).json()) as {
      jobs: PublishedJob[]
      next_cursor: string | null
    }
    walked.push(...page.jobs.map((job) => job.job_id))
    path = page.next_cursor && `/api/jobs?limit=2&kind=echo&cursor=${page.next_cursor}`
  }
  assert.equal(walked.length, 5)
  assert.deepEqual(new Set(walked), new Set(ids))
  assert.equal(walked[0], ids[0])
  for (const bad of ['limit=0', 'limit=101', 'state=lost', 'kind=dance', 'cursor=x'])
    await expectProblem(await send('GET', `/api/jobs?${bad}`), 400, 'invalid_request')
})

test('the body of an upload is stored byte for byte, with its name', async () => {
  await using world = await createWorld()
  const { send, store } = world
  const bytes = inventedBytes(700_000)
  const response = await send('POST', '/api/uploads', {
    body: bytes,
    headers: {
      'content-type': 'text/csv',
      'content-disposition': "attachment; filename*=UTF-8''Kontakte%20%C3%BC.csv",
    },
  })
  const upload = (await response.json()) as { upload_id: string }
  assert.equal(response.status, 201)
  assert.deepEqual(upload, {
    object: 'upload',
    upload_id: upload.upload_id,
    filename: 'Kontakte ü.csv',
    bytes: 700_000,
    expires_at: '2026-11-22T12:00:00.000Z',
  })
  const back = await collect(readUpload(store.database.member(ADA), upload.upload_id))
  assert.ok(back.equals(bytes))
})

test('a form with one file is an upload, and its other fields are ignored', async () => {
  await using world = await createWorld()
  const { send, store } = world
  const bytes = inventedBytes(600_000)
  const form = new FormData()
  form.append('comment', 'my contacts')
  form.append('file', new File([bytes], 'dir/Élodie.csv', { type: 'text/csv' }))
  form.append('after', 'x')
  const response = await send('POST', '/api/uploads', { body: form })
  const upload = (await response.json()) as { upload_id: string; filename: string }
  assert.deepEqual([response.status, upload.filename], [201, 'Élodie.csv'])
  const back = await collect(readUpload(store.database.member(ADA), upload.upload_id))
  assert.ok(back.equals(bytes))
})

test('an empty upload, or a form without exactly one complete file, is rejected and stores nothing', async () => {
  await using world = await createWorld()
  const { send, store } = world
  const none = new FormData()
  none.append('comment', 'no file')
  const two = new FormData()
  two.append('a', new File(['a,b\n'.repeat(100_000)], 'a.csv'))
  two.append('b', new File(['c'], 'b.csv'))
  const hollow = new FormData()
  hollow.append('a', new File([], 'a.csv'))
  const cases: readonly [RequestOptions, RegExp][] = [
    [{}, /empty/],
    [{ body: '', headers: { 'content-type': 'text/csv' } }, /empty/],
    [{ body: none }, /exactly one file, but contains none/],
    [{ body: two }, /exactly one file, but contains more than one/],
    [{ body: hollow }, /empty/],
    [{ body: 'x', headers: { 'content-type': 'multipart/form-data' } }, /is malformed/],
    [
      { body: 'nothing', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
      /is malformed|none/,
    ],
    [
      {
        body: '--b\r\ncontent-disposition: form-data; name="f"; filename="a.csv"\r\n\r\nhalf a file',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
      /is malformed/,
    ],
  ]
  for (const [options, expected] of cases) {
    const response = await send('POST', '/api/uploads', options)
    assert.match((await expectProblem(response, 400, 'invalid_request')).detail, expected)
  }
  assert.deepEqual(
    { ...(await store.database.member(ADA).get(STORED, {})) },
    { uploads: 0, chunks: 0 },
  )
})

/** Sends without a content length, as `curl -T -` does, until the response arrives. */
async function sendUnannounced(
  port: number,
  type: string,
  head: string,
  bytes: number,
): Promise<[status: number | undefined, body: string]> {
  const block = Buffer.alloc(1024 * 1024)
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/uploads',
    headers: { authorization: 'Bearer ada', 'content-type': type },
  })
  request.on('error', () => {}) // the server stops reading once it has responded
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  request.write(head)
  for (let sent = 0; sent < bytes && !request.destroyed; sent += block.byteLength)
    if (!request.write(block)) await Promise.race([once(request, 'drain'), answered])
  const [response] = await answered
  const body = await collect(response)
  request.destroy()
  return [response.statusCode, body.toString()]
}

test('more than 50 MB is a 413, with or without a content length, raw or in a form, and stores nothing', async () => {
  await using world = await createWorld()
  const { send, store, port } = world
  const over = MAX_UPLOAD_BYTES + 2 * 1024 * 1024
  const announced = await send('POST', '/api/uploads', { body: Buffer.alloc(over) })
  await expectProblem(announced, 413, 'payload_too_large')
  const raw = await sendUnannounced(port, 'text/csv', '', over)
  assert.equal(raw[0], 413, raw[1])
  const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
  const form = await sendUnannounced(port, 'multipart/form-data; boundary=b', head, over)
  assert.equal(form[0], 413, form[1])
  assert.match(form[1], /payload_too_large/)
  assert.deepEqual(
    { ...(await store.database.member(ADA).get(STORED, {})) },
    { uploads: 0, chunks: 0 },
  )
})
