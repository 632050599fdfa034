/**
 * One session of a client library with the endpoint: `node client-session.mjs <client> <endpoint> <token>`. It lists the
 * tools, makes ten calls and one that fails, and reads resources and prompts where the library has them. It prints what was
 * done; what was not as expected is an error. JavaScript, so that the types of the repository do not need the packages.
 */

import assert from 'node:assert/strict'
import { argv, stdout } from 'node:process'
import { URL } from 'node:url'

const [clientName, endpoint, token] = argv.slice(2)
const headers = { authorization: `Bearer ${token}` }
const info = { name: 'judge', version: '1.0.0' }

/** What each client offers: `tools()` returns names, `call()` the text of a result and whether it failed. */
const CLIENTS = {
  'sdk-v1': async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const client = new Client(info)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }),
    )
    return official(client)
  },
  'sdk-v2-legacy': () => openV2('legacy'),
  'sdk-v2-auto': () => openV2('auto'),
  mcpjam: async () => {
    const { MCPClientManager } = await import('@mcpjam/sdk')
    const manager = new MCPClientManager({ weft: { url: endpoint, requestInit: { headers } } })
    await manager.connectToServer?.('weft')
    return {
      tools: async () => (await manager.listTools('weft')).tools.map((tool) => tool.name),
      call: async (tool, given) => resultOf(await manager.executeTool('weft', tool, given)),
      resources: async () => (await manager.listResources('weft')).resources,
      read: async (uri) => (await manager.readResource('weft', { uri })).contents[0].text,
      prompts: async () => (await manager.listPrompts('weft')).prompts,
      close: () => manager.disconnectAllServers(),
    }
  },
  'ai-sdk': async () => {
    const { experimental_createMCPClient: open } = await import('@ai-sdk/mcp')
    const client = await open({ transport: { type: 'http', url: endpoint, headers } })
    const tools = await client.tools()
    const options = { toolCallId: 'call', messages: [] }
    return {
      tools: async () => Object.keys(tools),
      call: async (tool, given) => resultOf(await tools[tool].execute(given, options)),
      resources: async () => (await client.listResources()).resources,
      read: async (uri) => (await client.readResource({ uri })).contents[0].text,
      prompts: async () => (await client.listPrompts()).prompts,
      close: () => client.close(),
    }
  },
  'mcp-use': async () => {
    const { MCPClient } = await import('mcp-use/client')
    const client = new MCPClient({ mcpServers: { weft: { url: endpoint, headers } } })
    const session = await client.createSession('weft')
    return {
      tools: async () => (await session.listTools()).map((tool) => tool.name),
      call: async (tool, given) => resultOf(await session.callTool(tool, given)),
      resources: async () => (await session.listAllResources()).resources,
      read: async (uri) => (await session.readResource(uri)).contents[0].text,
      prompts: async () => (await session.listPrompts()).prompts,
      close: () => client.closeAllSessions(),
    }
  },
  langchain: async () => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
    const client = new MultiServerMCPClient({
      mcpServers: { weft: { transport: 'http', url: endpoint, headers } },
    })
    const tools = await client.getTools()
    return {
      tools: async () => tools.map((tool) => tool.name),
      call: (tool, given) => told(() => find(tools, tool).invoke(given)),
      resources: async () => (await client.listResources('weft')).weft,
      read: async (uri) => (await client.readResource('weft', uri))[0].text,
      close: () => client.close(),
    }
  },
  'openai-agents-loose': () => openAgents(false),
  'openai-agents-strict': () => openAgents(true),
  anthropic: async () => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const { mcpTools, mcpMessage } = await import('@anthropic-ai/sdk/helpers/beta/mcp')
    const client = new Client(info)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }),
    )
    const tools = mcpTools((await client.listTools()).tools, client)
    const { read, resources, close } = official(client)
    return {
      tools: async () => tools.map((tool) => tool.name),
      call: (tool, given) => told(() => find(tools, tool).run(given)),
      resources,
      read,
      prompts: async () => {
        const { messages } = await client.getPrompt({ name: 'weekly_follow_ups' })
        return messages.map((message) => mcpMessage(message))
      },
      close,
    }
  },
}

async function openV2(mode) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }),
  )
  return official(client)
}

function official(client) {
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, given) => resultOf(await client.callTool({ name: tool, arguments: given })),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents[0].text,
    prompts: async () => (await client.listPrompts()).prompts,
    close: () => client.close(),
  }
}

/** In strict mode a model gives every argument of a tool, and null for those that it does not use. */
async function openAgents(convertSchemasToStrict) {
  const { getAllMcpTools, MCPServerStreamableHttp, RunContext } = await import('@openai/agents')
  const server = new MCPServerStreamableHttp({
    name: 'weft',
    url: endpoint,
    requestInit: { headers },
  })
  await server.connect()
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict })
  const others = tools.filter((tool) => tool.strict !== convertSchemasToStrict)
  assert.deepEqual(
    others.map((tool) => tool.name),
    [],
    'every tool has the schema that was asked for',
  )
  const filled = ({ parameters }, given) =>
    convertSchemasToStrict ? { ...nulls(Object.keys(parameters.properties)), ...given } : given
  return {
    tools: async () => tools.map((tool) => tool.name),
    call: (name, given) =>
      told(() => {
        const tool = find(tools, name)
        return tool.invoke(new RunContext(), JSON.stringify(filled(tool, given)))
      }),
    resources: async () => (await server.listResources()).resources,
    read: async (uri) => (await server.readResource(uri)).contents[0].text,
    close: () => server.close(),
  }
}

function nulls(names) {
  return Object.fromEntries(names.map((key) => [key, null]))
}

function find(tools, wanted) {
  const tool = tools.find((one) => one.name === wanted)
  assert.ok(tool, `no tool ${wanted}`)
  return tool
}

function resultOf({ content = [], isError = false }) {
  return { text: content.map(({ text = '' }) => text).join('\n'), failed: isError }
}

/** For libraries that throw a failed call, or give its text to the model. */
async function told(run) {
  try {
    const output = await run()
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    return { text, failed: /not_found/.test(text) }
  } catch (error) {
    const content = Array.isArray(error.content) ? JSON.stringify(error.content) : ''
    return { text: `${error.message} ${content}`, failed: true }
  }
}

const client = await CLIENTS[clientName]()
const tools = await client.tools()
assert.ok(tools.length >= 25, `${tools.length} tools`)
const added = await client.call('add_connections', {
  connections: [{ name: `Grace Hopper ${clientName}` }],
})
const [connection_id] = /c_\d+/.exec(added.text) ?? []
assert.ok(connection_id, added.text)
const calls = [
  ['whoami', {}],
  ['get_jobs', {}],
  ['search_connections', { query: `Hopper ${clientName}` }],
  ['get_connections', { people: [connection_id] }],
  ['save_note', { people: [connection_id], text: 'Found a moth' }],
  ['list_timeline', { people: [connection_id], kinds: ['note'] }],
  ['save_follow_up', { people: [connection_id], text: 'Call her', due_on: '2031-03-05' }],
  ['update_connections', { people: [connection_id], tags: ['navy'] }],
  ['list_activity', {}],
]
for (const [tool, given] of calls) {
  const { text, failed } = await client.call(tool, given)
  assert.ok(!failed && text.length > 2, `${JSON.stringify(tool)}: ${text}`)
}
const wrong = await client.call('get_connections', { people: ['c_99999'] })
assert.ok(wrong.failed, 'a failed call must be seen as one')
assert.match(wrong.text, /c_99999 was not found.*search_connections/s)
const done = [`${tools.length} tools`, '10 calls', 'a readable error']
if (client.resources) {
  const resources = await client.resources()
  assert.match(await client.read('weft://me.md'), /^# Me/)
  done.push(`${resources.length} resources`)
}
if (client.prompts) done.push(`${(await client.prompts()).length} prompts`)
await client.close()
stdout.write(done.join(', '))
// Some libraries keep timers and sockets.
process.exit(0)
