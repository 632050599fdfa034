/** For tests: a server with a few trivial tools, and requests to it as clients of both eras send them. */

import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { answerMcp } from './exchange.ts'
import type { McpAnswer, McpRequest } from './http-message.ts'
import { isJsonObject, type JsonObject } from './json-rpc.ts'
import type { ToolCallOutcome, ToolCallRequest } from './tool-messages.ts'

/** What the tools saw: who called, with what. */
export interface EchoWorld {
  readonly endpoint: McpEndpoint<string>
  readonly calls: { readonly caller: string; readonly call: ToolCallRequest }[]
  readonly internalErrors: unknown[]
}

export const SERVER_INFO = {
  name: 'echo',
  title: 'Echo',
  version: '1.2.3',
  websiteUrl: 'https://echo.example',
}

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export const ECHO_TOOL = {
  name: 'echo',
  title: 'Echo',
  description: 'Returns what it is given.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: ANNOTATIONS,
}

export function createEchoWorld(): EchoWorld {
  const calls: EchoWorld['calls'] = []
  const internalErrors: unknown[] = []
  const endpoint = createMcpEndpoint<string>({
    serverInfo: SERVER_INFO,
    instructions: 'Say something.',
    toolsList: [ECHO_TOOL],
    callTool: async (caller, call) => {
      calls.push({ caller, call })
      return runEchoTool(call)
    },
    onInternalError: (error) => internalErrors.push(error),
  })
  return { endpoint, calls, internalErrors }
}

function runEchoTool(call: ToolCallRequest): ToolCallOutcome {
  switch (call.name) {
    case 'echo':
      return { kind: 'result', result: echoed(call.arguments) }
    case 'fail':
      return { kind: 'result', result: { content: [], isError: true } }
    case 'charged':
      return {
        kind: 'serialized',
        json: '{"content":[]}',
        metaJson: '{"cost":1}',
        headers: { 'idempotency-replayed': 'true' },
      }
    case 'limited':
      return { kind: 'rate-limited', retryAfterSeconds: 7 }
    case 'reused':
      return { kind: 'error', error: { code: 4220, message: 'Key reused', status: 422 } }
    case 'crash':
      throw new Error('the password is hunter2')
    default:
      return { kind: 'unknown-tool' }
  }
}

function echoed(given: unknown) {
  const text = isJsonObject(given) && typeof given['text'] === 'string' ? given['text'] : ''
  return { content: [{ type: 'text', text }], structuredContent: { text }, _meta: { cost: 0 } }
}

/** An answer with its body parsed. */
export interface ReadAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export function postOf(body: unknown, headers: Readonly<Record<string, string>> = {}): McpRequest {
  return postOfBytes(Buffer.from(JSON.stringify(body)), headers)
}

export function postOfBytes(
  body: Uint8Array | undefined,
  headers: Readonly<Record<string, string>> = {},
): McpRequest {
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers }
  return { method: 'POST', header: (name) => all[name.toLowerCase()], body }
}

export async function exchange(world: EchoWorld, request: McpRequest): Promise<ReadAnswer> {
  return readAnswer(await answerMcp(world.endpoint, 'ada', request))
}

export function readAnswer({ status, headers, body }: McpAnswer): ReadAnswer {
  return { status, headers, body: body === undefined ? undefined : (JSON.parse(body) as unknown) }
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request as a 2026-07-28 client sends it; `headers` override, an empty one removes. */
export function modernPost(
  method: string,
  params: JsonObject = {},
  headers: Readonly<Record<string, string | undefined>> = {},
  meta: JsonObject = MODERN_META,
): McpRequest {
  const name = params['name']
  const all: Record<string, string | undefined> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? name : undefined,
    ...headers,
  }
  const sent = Object.entries(all).flatMap(([header, value]) =>
    value === undefined ? [] : [[header, value] as const],
  )
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
  return postOf(message, Object.fromEntries(sent))
}

/** The messages of an answer that came as server-sent events, as they come. */
export async function* messagesOf({ stream }: McpAnswer): AsyncGenerator<JsonObject> {
  if (!stream) throw new Error('the answer is no stream')
  for await (const events of stream)
    for (const [, data = ''] of events.matchAll(/^event: message\ndata: (.*)\n\n/gm)) {
      const message: unknown = JSON.parse(data)
      if (isJsonObject(message)) yield message
    }
}

/** The JSON-RPC error of an answer, without its words. */
export function errorOf({ status, body }: ReadAnswer) {
  const { id, error } = body as { id: unknown; error?: { code: number; message: string } }
  return { status, id, code: error?.code }
}

export function resultOf({ body }: ReadAnswer): unknown {
  return (body as { result?: unknown }).result
}
