/**
 * The official SDK's own stateless server with one tool that does nothing, behind a bearer check against a Map.
 * `node sdk-echo.mjs <port> <token> [once]`: the tool's schema is made for every request, as the SDK's own examples
 * have it, or once. JavaScript, so that the types of the repository do not need the SDK installed.
 */

import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { z } from 'zod'

const [port, token, once] = process.argv.slice(2)
const callers = new Map([[token, 'ada']])
const made = z.object({ text: z.string() })

const handler = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'echo', version: '1.0.0' })
    const inputSchema = once === undefined ? z.object({ text: z.string() }) : made
    server.registerTool('echo', { description: 'Says it again', inputSchema }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }))
    return server
  }),
)

createServer((request, response) => {
  const sent = request.headers.authorization ?? ''
  if (!callers.has(sent.slice('Bearer '.length))) response.writeHead(401).end()
  else void handler(request, response)
}).listen(Number(port), '127.0.0.1')
