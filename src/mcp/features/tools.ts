/** `tools/list` and `tools/call` in both eras (MCP 2025-11-25 and 2026-07-28, server/tools). */

import { similarName } from '../../base/similar-name.ts'
import { announced } from '../protocol/changes.ts'
import { tasksNeeded, takesTasks } from '../protocol/client-capabilities.ts'
import {
  invalidParams,
  isJsonObject,
  quote,
  rateLimited,
  serializeNotification,
  type RpcError,
} from '../protocol/json-rpc.ts'
import {
  singlePage,
  methodError,
  type Feature,
  type MethodCall,
  type MethodHandler,
} from '../protocol/method.ts'
import { legacyResult, type ModernResults } from '../protocol/modern-result.ts'
import { checkParameterHeaders, parameterHeadersOf } from '../protocol/parameter-headers.ts'
import { progressReporter } from '../protocol/progress.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { RunRounds } from './rounds.ts'
import type { Inputs } from '../protocol/input-required.ts'
import type { McpServer } from '../protocol/server.ts'
import type { ToolCallOutcome, ToolCallRequest, ToolResult } from '../protocol/tool-messages.ts'

export function toolsFeature<Caller>(
  server: McpServer<Caller>,
  results: ModernResults,
  rounds: RunRounds<Caller>,
): Feature<Caller> {
  const page = { tools: server.toolsList }
  const legacyCall = callTool(server, rounds, { complete: legacyResult, of: legacyResultOf })
  const modernCall = callTool(server, rounds, results)
  return {
    legacy: {
      capabilities: { tools: {} },
      methods: { 'tools/list': singlePage(JSON.stringify(page)), 'tools/call': legacyCall },
    },
    modern: {
      capabilities: { tools: announced(server.changes, 'tools') },
      methods: {
        'tools/list': singlePage(results.cacheable(page)),
        'tools/call': checkingHeaders(server, modernCall),
      },
    },
  }
}

/** Serializes the results of an era. */
type Writer = Pick<ModernResults, 'complete' | 'of'>

/** Without `takesTasks` no task is ever written. */
function legacyResultOf(): never {
  throw new Error('the legacy era only has complete results')
}

function callTool<Caller>(
  server: McpServer<Caller>,
  rounds: RunRounds<Caller>,
  writer: Writer,
): MethodHandler<Caller> {
  return (call) => {
    const name = call.params?.['name']
    if (typeof name !== 'string') return methodError(invalidParams('"name" must be a string'))
    const given = call.params?.['arguments'] ?? {}
    return rounds(
      call,
      ['tools/call', name, given],
      (inputs) => server.callTool(call.caller, toolCallRequest(name, given, call, inputs)),
      (outcome) => answerOf(outcome, { name, server, call, writer }),
    )
  }
}

/** Checks only tools whose schema mirrors parameters into headers, which are rare. */
function checkingHeaders<Caller>(
  { toolsList }: McpServer<Caller>,
  handler: MethodHandler<Caller>,
): MethodHandler<Caller> {
  const byTool = new Map(
    toolsList
      .map(({ name, inputSchema }) => [name, parameterHeadersOf(inputSchema)] as const)
      .filter(([, parameters]) => parameters.length > 0),
  )
  if (byTool.size === 0) return handler
  return (call) => {
    const parameters = byTool.get(String(call.params?.['name'])) ?? []
    const failed = checkParameterHeaders(call.header, parameters, call.params?.['arguments'])
    return failed ? methodError(failed) : handler(call)
  }
}

function toolCallRequest<Caller>(
  name: string,
  given: unknown,
  call: MethodCall<Caller>,
  inputs: Inputs,
): ToolCallRequest {
  const meta = call.params?.['_meta']
  return {
    name,
    arguments: given,
    era: call.era,
    protocolVersion: call.protocolVersion,
    clientInfo: call.clientInfo,
    clientCapabilities: call.clientCapabilities,
    meta: isJsonObject(meta) ? meta : {},
    inputs,
    progress: progressReporter(call),
    notify: (method, params) => void call.reply.say(serializeNotification(method, params)),
    signal: call.signal,
  }
}

/** The call that an outcome answers. */
interface Answered<Caller> {
  readonly name: string
  readonly server: McpServer<Caller>
  readonly call: MethodCall<Caller>
  readonly writer: Writer
}

function answerOf<Caller>(
  outcome: Exclude<ToolCallOutcome, { kind: 'input-required' }>,
  { name, server, call: { clientCapabilities }, writer }: Answered<Caller>,
): MethodAnswer {
  switch (outcome.kind) {
    case 'unknown-tool':
      return methodError(unknownTool(name, server))
    case 'rate-limited':
      return methodError(rateLimited(outcome.retryAfterSeconds))
    case 'error':
      return methodError(outcome.error)
    case 'task': {
      // Extension io.modelcontextprotocol/tasks, Capability Negotiation: never to a client that did not declare it.
      if (!takesTasks(clientCapabilities)) return methodError(tasksNeeded())
      const json = writer.of('task', JSON.stringify(outcome.task), outcome.metaJson)
      return { kind: 'result', json, headers: outcome.headers }
    }
    case 'result': {
      const json = writeResult(outcome.result, writer)
      return { kind: 'result', json, headers: outcome.headers }
    }
    case 'serialized': {
      const json = writer.complete(outcome.json, outcome.metaJson)
      return { kind: 'result', json, headers: outcome.headers }
    }
    default:
      return outcome satisfies never
  }
}

function unknownTool<Caller>(name: string, { toolsList }: McpServer<Caller>): RpcError {
  const meant = similarName(
    name,
    toolsList.map((tool) => tool.name),
  )
  const next = meant === undefined ? 'tools/list has all names' : `did you mean ${quote(meant)}?`
  return invalidParams(`there is no tool named ${quote(name)}; ${next}`)
}

function writeResult({ _meta, ...members }: ToolResult, writer: Writer): string {
  return writer.complete(JSON.stringify(members), _meta && JSON.stringify(_meta))
}
