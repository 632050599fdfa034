/** Clients that select tools with `?tools=` or the header `Weft-Tools`. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RENAMED_TOOLS } from '../src/tools/renamed-tools.ts'
import { TOOL_RULES } from './fixtures/tool-rules.ts'
import { startTestService, type TestService } from './support/service.ts'

interface Reply {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[]
    readonly isError?: boolean
  }
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly hint?: string }
  }
}

async function client(service: TestService) {
  await service.addMember()
  const token = await service.mintToken()
  return async (
    search: string,
    headers: Record<string, string>,
    method: string,
    params: object,
  ) => {
    const answer = await fetch(`${service.url}/mcp${search}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { status: answer.status, ...((await answer.json()) as Reply) }
  }
}

test('only selected tools can be listed and called, with either form of selection', async () => {
  await using service = await startTestService()
  const rpc = await client(service)
  const listed = async (search: string, header?: string) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'Weft-Tools': header }
    const { result } = await rpc(search, headers, 'tools/list', {})
    return result?.tools?.map(({ name }) => name)
  }
  const everything = await listed('')
  assert.ok(everything && everything.length > 20)
  const notes = everything.filter((name) => {
    const { groups = [] } = TOOL_RULES[name] ?? {}
    return groups.length === 0 || groups.includes('notes')
  })
  assert.ok(notes.includes('list_timeline') && notes.includes('save_note'))
  assert.deepEqual(await listed('?tools=notes'), notes)
  assert.deepEqual(await listed('', ' Notes ,'), notes)
  assert.deepEqual(
    await listed('?tools=read', 'notes'),
    notes.filter((name) => TOOL_RULES[name]?.effect === 'read'),
  )
  assert.deepEqual(await listed('?tools=undo,list_tags&other=1'), [
    'whoami',
    'list_tags',
    'restore_connections',
    'list_activity',
    'undo',
  ])
  assert.deepEqual(await listed('?tools='), everything)
  const groups = await Promise.all(
    ['read', 'write', 'delete'].map((group) => listed(`?tools=${group}`)),
  )
  assert.deepEqual(new Set(groups.flat()), new Set(everything))

  const call = { name: 'add_connections', arguments: { name: 'Grace Hopper' } }
  const refused = await rpc('?tools=read', {}, 'tools/call', call)
  assert.equal(refused.error?.code, -32602)
  assert.match(refused.error.message, /add_connections is not among the tools selected/)
  const resource = { uri: 'weft://connections/c_1' }
  assert.ok((await rpc('?tools=notes', {}, 'resources/read', resource)).error)
  assert.equal((await rpc('?tools=write', {}, 'tools/call', call)).result?.isError, undefined)
})

test('search and fetch are listed for ChatGPT or on request, and always work', async () => {
  await using service = await startTestService()
  const rpc = await client(service)
  const listed = async (search: string, headers: Record<string, string> = {}) => {
    const { result } = await rpc(search, headers, 'tools/list', {})
    const names = result?.tools?.map(({ name }) => name) ?? []
    return names.filter((name) => name === 'search' || name === 'fetch')
  }
  assert.deepEqual(await listed(''), [])
  assert.deepEqual(await listed('', { 'user-agent': 'openai-mcp/1.0.0' }), ['search', 'fetch'])
  assert.deepEqual(await listed('?tools=chatgpt'), ['search', 'fetch'])
  assert.deepEqual(await listed('?tools=search'), ['search'])
  const call = { name: 'search', arguments: { query: 'Grace' } }
  assert.equal((await rpc('', {}, 'tools/call', call)).result?.isError, undefined)
})

test('an unknown group is an error that names the groups', async () => {
  await using service = await startTestService()
  const rpc = await client(service)
  for (const selection of ['reed', 'read,nonesuch', '__proto__', 'constructor']) {
    const { status, error } = await rpc(`?tools=${selection}`, {}, 'tools/list', {})
    assert.equal(status, 400)
    assert.match(error?.message ?? '', /is neither a group of tools nor a tool/)
    assert.match(error?.data?.hint ?? '', /Groups: read, write, delete/)
  }
  const { error } = await rpc('?tools=reed', {}, 'tools/list', {})
  assert.match(error?.message ?? '', /Did you mean read\?/)
})

test('the error for an unknown tool suggests a similar name', async () => {
  await using service = await startTestService()
  const rpc = await client(service)
  const { error } = await rpc('', {}, 'tools/call', { name: 'find_contacts', arguments: {} })
  assert.equal(error?.code, -32602)
  assert.match(error.message, /no tool named "find_contacts"; did you mean "search_connections"\?/)

  // Names of earlier versions.
  for (const [name, meant] of RENAMED_TOOLS) {
    const { error: renamed } = await rpc('', {}, 'tools/call', { name, arguments: {} })
    assert.match(renamed?.message ?? '', new RegExp(`did you mean "${meant}"\\?`))
  }
})
