/** The main use case end to end: a contact file is uploaded over HTTP, and the official MCP clients find its people. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { inventedPeople, linkedinCsv } from './support/invented.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const CLIENT = { name: 'journey', version: '1.0.0' }
const SEED = 11
const ROWS = 300

interface Job {
  readonly job_id: number
  readonly state: string
  readonly terminal: boolean
  readonly poll: string
  readonly result: {
    readonly rows: number
    readonly created: number
    readonly unchanged: number
  } | null
}

test('a LinkedIn file is uploaded, imported and polled until it ends, and changes nothing the second time', async () => {
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  const first = await importOverHttp(service, token)
  assert.equal(first.state, 'succeeded')
  assert.deepEqual([first.result?.rows, first.result?.created], [ROWS, ROWS])
  const again = await importOverHttp(service, token)
  assert.deepEqual([again.result?.created, again.result?.unchanged], [0, ROWS])
})

test('the official client 2.x finds the imported people in every era', async () => {
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  await importOverHttp(service, token)
  const person = someone()
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] satisfies VersionNegotiationMode[]) {
    const client = new Client(CLIENT, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), withToken(token)),
    )
    const { tools } = await client.listTools()
    const found = await client.callTool({
      name: 'search_connections',
      arguments: { query: person },
    })
    await client.close()
    assert.ok(tools.some(({ name }) => name === 'search_connections'))
    assert.ok(
      namesIn(found.structuredContent).includes(person),
      `${JSON.stringify(mode)} finds ${person}`,
    )
    assert.deepEqual(JSON.parse(textOf(found.content)), found.structuredContent)
  }
})

test('the official client 1.x finds them too, at the pinned URL', async () => {
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  await importOverHttp(service, token)
  const client = new EarlierClient(CLIENT)
  const transport = new EarlierTransport(new URL(`${service.url}/mcp/v1`), withToken(token))
  await client.connect(transport)
  const { tools } = await client.listTools()
  const found = await client.callTool({
    name: 'search_connections',
    arguments: { query: someone() },
  })
  await client.close()
  assert.ok(tools.some(({ name }) => name === 'search_connections'))
  assert.ok(namesIn(found.structuredContent).includes(someone()))
})

test('an agent imports, adds, changes and reads, and is charged exactly', async () => {
  await using service = await startTestService({ monthlyCredits: 20 })
  await service.addMember()
  const token = await service.mintToken()
  const client = new Client(CLIENT, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), withToken(token)),
  )
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: input })
    return { ...result, data: result.structuredContent as Record<string, unknown> }
  }
  const started = await call('import_connections', { content: [...linkedinCsv(20, SEED)].join('') }) // 5
  const readJob = async () => {
    const { data } = await call('get_jobs', { task_id: started.data['task_id'] })
    return (data['jobs'] as { terminal: boolean; result: { created: number } }[])[0]
  }
  const job = await until(async () => {
    const read = await readJob()
    return read?.terminal === true && read
  })
  assert.equal(job.result.created, 20)
  const added = await call('add_connections', {
    name: 'Grace Hopper',
    company: 'Navy',
    emails: ['grace@example.org'],
  }) // 1
  const [grace] = added.data['people'] as { connection_id: string }[]
  assert.ok(grace)
  const same = await call('add_connections', { name: 'G. Hopper', emails: ['Grace@Example.org'] }) // 1
  assert.equal(same.data['created'], 0)
  await call('update_connections', {
    people: grace.connection_id,
    title: 'Rear Admiral',
    tags: ['compilers'],
    note: 'Nanoseconds of wire',
  }) // 1
  const read = await call('get_connections', { people: grace.connection_id }) // 1
  const [person] = read.data['connections'] as { title?: string }[]
  assert.equal(person?.title, 'Rear Admiral')
  const byNote = await call('search_connections', { query: 'nanosec' }) // 1
  assert.deepEqual(namesIn(byNote.data), ['Grace Hopper'])
  const summary = await call('get_network_summary') // 1
  assert.equal(summary.data['connections'], 21)
  const refused = await call('get_connections', { people: 'c_9999' }) // rejected: free
  assert.equal(refused.isError, true)
  const { data: me } = await call('whoami')
  const credits = me['credits'] as Record<string, unknown>
  assert.equal(credits['remaining'], 20 - 11)
  for (let left = 9; left > 0; left -= 1) await call('search_connections')
  const exhausted = await call('search_connections')
  assert.equal(exhausted.isError, true)
  assert.match(textOf(exhausted.content), /"code":"credits_exhausted"/)
  assert.equal((await call('whoami')).isError, undefined)
  await client.close()
})

async function importOverHttp(service: TestService, token: string): Promise<Job> {
  const upload = await fetch(`${service.url}/api/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="Connections.csv"',
    },
    body: [...linkedinCsv(ROWS, SEED)].join(''),
  })
  assert.equal(upload.status, 201)
  const { upload_id } = (await upload.json()) as { upload_id: string }
  const started = await fetch(`${service.url}/api/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'file_import', upload_id }),
  })
  assert.equal(started.status, 202)
  assert.match(started.headers.get('retry-after') ?? '', /^\d+$/)
  const { poll } = (await started.json()) as Job
  assert.equal(started.headers.get('location'), poll)
  return until(async () => {
    const read = await fetch(poll, { headers: { authorization: `Bearer ${token}` } })
    const job = (await read.json()) as Job
    return job.terminal && job
  })
}

/** The name of one of the people in the file. */
function someone(): string {
  const people = inventedPeople(SEED)
  for (const person of people) if (person.index === 7) return person.name
  throw new Error('no member')
}

function withToken(token: string) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } }
}

function namesIn(content: unknown): string[] {
  return (content as { connections: { name: string }[] }).connections.map(({ name }) => name)
}

function textOf(content: unknown): string {
  const [first] = content as { type: string; text: string }[]
  return first?.text ?? ''
}
