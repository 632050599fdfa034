/**
 * The server for the MCP conformance suites: the tools, prompts and resources that they expect, on Weft's endpoint,
 * transport and HTTP service.
 */

import { randomBytes } from 'node:crypto'
import { systemClock, type Clock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log.ts'
import { assemble } from '../../src/http/http-service.ts'
import { defineRoute } from '../../src/http/route.ts'
import { createMcpEndpoint, type McpEndpoint } from '../../src/mcp/server/endpoint.ts'
import { answerMcp } from '../../src/mcp/server/exchange.ts'
import {
  methodError,
  resultOf,
  type Feature,
  type MethodHandler,
} from '../../src/mcp/protocol/method.ts'
import { LEGACY_RESULTS, modernResults, type Results } from '../../src/mcp/protocol/results.ts'
import { originCheck } from '../../src/mcp/protocol/origin.ts'
import { rpcErrorResponse } from '../../src/mcp/protocol/http-errors.ts'
import { openGate } from './gate.ts'
import { CONFORMANCE_PROMPTS, CONFORMANCE_RESOURCES } from './conformance-shelves.ts'
import { taskTools } from './conformance-tasks.ts'
import { conformanceTools, replies, type TestTool } from './conformance-tools.ts'
import { ClientRequests } from '../../src/mcp/features/client-requests.ts'
import { roundsOf } from './conformance-rounds.ts'
import { changeableLists } from './list-changes.ts'
import { checkParameterHeaders, parameterHeadersOf } from './parameter-headers.ts'
import type { McpServer } from '../../src/mcp/protocol/server.ts'

export interface ConformanceProfile extends AsyncDisposable {
  /** The URL of the endpoint. */
  readonly url: string
}

/** Listens on a free port of this machine, without a credential. */
export async function startConformanceProfile(): Promise<ConformanceProfile> {
  const endpoint = conformanceEndpoint({ more: sessionless })
  const refuseForeign = originCheck('http://127.0.0.1')
  const route = defineRoute({
    method: 'POST',
    path: '/mcp',
    operationId: 'callMcp',
    summary: 'The endpoint under judgement',
    access: 'public',
    body: { kind: 'bytes', types: ['*/*'], maxBytes: 1024 * 1024 },
    answers: {},
    onError: rpcErrorResponse,
    async handle({ body, header, signal }) {
      refuseForeign(header)
      return answerMcp(endpoint, 'judge', { method: 'POST', header, body, signal })
    },
  })
  const http = assemble({ ...openGate(), routes: [route], log: createLog('warn') })
  const port = await http.listen('127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

interface ConformanceOptions {
  readonly server?: McpServer<string>
  readonly more?: (results: Results) => Feature<string>
  readonly clock?: Clock
}

/**
 * The endpoint of the product with the features that only the suites need: rounds with state, requests to legacy
 * clients, logging, and arguments that are mirrored into headers.
 */
export function conformanceEndpoint({
  server = conformanceServer(),
  more,
  clock = systemClock,
}: ConformanceOptions = {}): McpEndpoint<string> {
  const asked = new ClientRequests()
  const asking = { principalOf: (caller: string) => caller, key: randomBytes(32), clock }
  const rounds = roundsOf(asking, asked, modernResults(server.serverInfo))
  const endpoint = createMcpEndpoint(server, { ...(more && { more }), rounds })
  return {
    ...endpoint,
    legacyMethods: callingWith(endpoint.legacyMethods, logging),
    modernMethods: callingWith(endpoint.modernMethods, (call) =>
      checkingHeaders(server, logging(call)),
    ),
    takeResponse: (caller, response) => asked.take(caller, response),
  }
}

/** The methods, with another handler of tool calls. */
function callingWith(
  methods: McpEndpoint<string>['modernMethods'],
  change: (handler: MethodHandler<string>) => MethodHandler<string>,
): McpEndpoint<string>['modernMethods'] {
  const handler = methods.get('tools/call')
  if (!handler) throw new Error('the server has no tools')
  return new Map(methods).set('tools/call', change(handler))
}

function logging(handler: MethodHandler<string>): MethodHandler<string> {
  return (call) => replies.run(call.reply, () => handler(call))
}

function checkingHeaders(
  { toolsList }: McpServer<string>,
  handler: MethodHandler<string>,
): MethodHandler<string> {
  const byTool = new Map(
    toolsList.map(({ name, inputSchema }) => [name, parameterHeadersOf(inputSchema)]),
  )
  return (call) => {
    const parameters = byTool.get(String(call.params?.['name'])) ?? []
    const failed = checkParameterHeaders(call.header, parameters, call.params?.['arguments'])
    return failed ? methodError(failed) : handler(call)
  }
}

/** Callers are identified by their names. */
export function conformanceServer(): McpServer<string> {
  const { subscriptions, announce } = changeableLists()
  const { tools: taskStarters, keeper } = taskTools()
  const tools = [...conformanceTools(announce), ...taskStarters]
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    serverInfo: { name: 'weft-conformance', title: 'Weft under judgement', version: '1.0.0' },
    instructions: 'Tools, prompts and resources that the conformance suites ask for.',
    toolsList: tools.map(listingOf),
    async callTool(_caller, call) {
      return byName.get(call.name)?.run(call) ?? { kind: 'unknown-tool' }
    },
    resources: CONFORMANCE_RESOURCES,
    prompts: CONFORMANCE_PROMPTS,
    complete: async (_caller, { value }) => ({ values: [`${value}…`], hasMore: false }),
    tasks: keeper,
    subscriptions,
    onInternalError: (error) => process.emitWarning(String(error)),
  }
}

/**
 * Legacy methods that are meaningful only with a session; the suites require a response. What a tool logs is
 * sent whatever the level is, and changes of a resource are not.
 */
function sessionless(results: Results): Feature<string> {
  if (results !== LEGACY_RESULTS) return { capabilities: { logging: {} }, methods: {} }
  return {
    capabilities: { logging: {}, resources: { subscribe: true } },
    methods: {
      'logging/setLevel': () => resultOf('{}'),
      'resources/subscribe': () => resultOf('{}'),
      'resources/unsubscribe': () => resultOf('{}'),
    },
  }
}

function listingOf({ name, description, input = {} }: TestTool) {
  return {
    name,
    title: name,
    description,
    inputSchema: { type: 'object', ...input },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}
