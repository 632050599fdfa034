/** Failed tool calls as the official clients read them: SDK v1, and SDK v2 in both eras. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startTestService, type TestService } from './support/service.ts'

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

interface ToolError {
  readonly code: string
  readonly message: string
  readonly [member: string]: unknown
}

interface Connection extends AsyncDisposable {
  /** Lists the tools, so that the client compiles a validator for every output schema. */
  readonly tools: readonly string[]
  call(name: string, input?: Record<string, unknown>): Promise<Result>
}

type Connect = (service: TestService, path: string, token?: string) => Promise<Connection>

const CLIENT_INFO = { name: 'reader', version: '1.0.0' }

const CLIENTS: Readonly<Record<string, Connect>> = {
  'SDK v1': connectEarlier,
  'SDK v2, legacy': connectIn('legacy'),
  'SDK v2, 2026-07-28': connectIn({ pin: '2026-07-28' }),
}

/** Every tool endpoint. The sandbox and the documentation need no token. */
const SERVERS = ['/mcp', '/mcp/v1', '/mcp/sandbox', '/sandbox/mcp', '/mcp/docs']

for (const [client, connect] of Object.entries(CLIENTS)) {
  test(`${client} reads the error of a failed call of every tool of every server`, async () => {
    await using service = await startTestService({ rateLimits: { sandbox: WIDE } })
    const token = await memberToken(service)
    for (const path of SERVERS) {
      await using connection = await connect(service, path, token)
      assert.ok(connection.tools.length >= 3, path)
      for (const name of connection.tools) {
        const { code, message } = readError(await connection.call(name, { nonsense: true }))
        assert.match(code, /^(invalid_arguments|invalid_request|sandbox_read_only)$/, name)
        assert.ok(message.includes(name), `${path} ${name}: ${message}`)
      }
    }
  })

  test(`${client} reads every kind of error: not found, not in the sandbox, no credits`, async () => {
    await using service = await startTestService({ monthlyCredits: 1 })
    const token = await memberToken(service)
    await using member = await connect(service, '/mcp', token)
    const missing = readError(await member.call('get_connections', { people: 'c_999' }))
    assert.equal(missing.code, 'not_found')
    const added = await member.call('add_connections', { name: 'Grace Hopper' })
    assert.equal(added.isError, undefined)
    for (const [name, input] of PRICED) {
      const { message, hint: _hint, ...spent } = readError(await member.call(name, input))
      assert.match(message, /credit/, name)
      assert.deepEqual(Object.keys(spent), EXHAUSTED, name)
      assert.deepEqual(
        [spent.code, spent['limit'], spent['quota'], spent['remaining'], spent['retryable']],
        ['credits_exhausted', 'monthly_credits', 1, 0, false],
        name,
      )
    }
    await using sandbox = await connect(service, '/mcp/sandbox')
    const refused = readError(await sandbox.call('add_connections', { name: 'Grace Hopper' }))
    assert.equal(refused.code, 'sandbox_read_only')
    await using docs = await connect(service, '/mcp/docs')
    const unknown = readError(await docs.call('read_doc', { name: 'nonesuch' }))
    assert.equal(unknown.code, 'not_found')
    assert.match(String(unknown['hint']), /connect/)
  })
}

/** These tests do not test rate limits. */
const WIDE = { quota: 10_000, window: 60 }

/** A read, a write, and one that starts a job. */
const PRICED: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ['search_connections', {}],
  ['find_duplicates', {}],
  ['add_connections', { name: 'Jean Bartik' }],
  ['import_connections', { content: 'First Name,Last Name\nJean,Bartik\n' }],
]

const EXHAUSTED = [
  'code',
  'limit',
  'quota',
  'required',
  'remaining',
  'period_start',
  'resets_at',
  'retryable',
]

/** The error in the text that a model reads, which equals the one in `_meta`. */
function readError({ content, isError, structuredContent, _meta }: Result): ToolError {
  assert.equal(isError, true)
  assert.equal(structuredContent, undefined)
  assert.equal(content.length, 1)
  const { error } = JSON.parse(content[0]?.text ?? '') as { error: ToolError }
  assert.deepEqual(_meta?.['weft/error'], error)
  return error
}

async function memberToken(service: TestService): Promise<string> {
  await service.addMember()
  return service.mintToken()
}

async function connectEarlier(
  service: TestService,
  path: string,
  token?: string,
): Promise<Connection> {
  const client = new EarlierClient(CLIENT_INFO)
  await client.connect(new EarlierTransport(new URL(service.url + path), authorized(token)))
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    call: async (name, input = {}) =>
      (await client.callTool({ name, arguments: input })) as unknown as Result,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function connectIn(mode: VersionNegotiationMode): Connect {
  return async (service, path, token) => {
    const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(service.url + path), authorized(token)),
    )
    const { tools } = await client.listTools()
    return {
      tools: tools.map(({ name }) => name),
      call: async (name, input = {}) =>
        (await client.callTool({ name, arguments: input })) as unknown as Result,
      [Symbol.asyncDispose]: () => client.close(),
    }
  }
}

function authorized(token: string | undefined) {
  const headers: Record<string, string> = {}
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  return { requestInit: { headers } }
}
