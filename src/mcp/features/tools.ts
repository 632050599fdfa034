/** `tools/list` and `tools/call` (MCP 2025-11-25 and 2026-07-28, server/tools). */

import { similarName } from '../../base/spelling/similar-name.ts'
import { tasksNeeded, takesTasks } from '../protocol/client-capabilities.ts'
import { invalidParams, isJsonObject, quote, type RpcError } from '../protocol/json-rpc.ts'
import {
  singlePage,
  methodError,
  type Feature,
  type MethodCall,
  type MethodHandler,
} from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import { progressReporter } from '../protocol/reply.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { Inputs, RunRounds } from '../protocol/input-required.ts'
import type { McpServer } from '../protocol/server.ts'
import type { ToolCallOutcome, ToolCallRequest } from '../protocol/tool-messages.ts'

export function toolsFeature<Caller>(
  server: McpServer<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): Feature<Caller> {
  return {
    capabilities: { tools: {} },
    methods: {
      'tools/list': singlePage(results.cacheable({ tools: server.toolsList })),
      'tools/call': callTool(server, results, rounds),
    },
  }
}

function callTool<Caller>(
  server: McpServer<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): MethodHandler<Caller> {
  return (call) => {
    const name = call.params?.['name']
    if (typeof name !== 'string') return methodError(invalidParams('"name" must be a string'))
    const given = call.params?.['arguments'] ?? {}
    return rounds(
      call,
      ['tools/call', name, given],
      (inputs) => server.callTool(call.caller, toolCallRequest(name, given, call, inputs)),
      (outcome) => answerOf(outcome, { name, server, call, results }),
    )
  }
}

function toolCallRequest<Caller>(
  name: string,
  given: unknown,
  call: MethodCall<Caller>,
  inputs: Inputs,
): ToolCallRequest {
  const meta = call.params?.['_meta']
  const about = isJsonObject(meta) ? meta : {}
  return {
    name,
    arguments: given,
    era: call.era,
    protocolVersion: call.protocolVersion,
    clientCapabilities: call.clientCapabilities,
    meta: about,
    inputs,
    progress: about['progressToken'] === undefined ? undefined : progressReporter(call),
    signal: call.signal,
  }
}

interface Answered<Caller> {
  readonly name: string
  readonly server: McpServer<Caller>
  readonly call: MethodCall<Caller>
  readonly results: Results
}

function answerOf<Caller>(
  outcome: Exclude<ToolCallOutcome, { kind: 'input-required' }>,
  { name, server, call: { clientCapabilities }, results }: Answered<Caller>,
): MethodAnswer {
  switch (outcome.kind) {
    case 'unknown-tool':
      return methodError(unknownTool(name, server, outcome.meant))
    case 'error':
      return methodError(outcome.error)
    case 'task': {
      // Extension io.modelcontextprotocol/tasks, Capability Negotiation: never to a client that did not declare it.
      if (!takesTasks(clientCapabilities)) return methodError(tasksNeeded())
      const json = results.of('task', JSON.stringify(outcome.task), outcome.metaJson)
      return { kind: 'result', json, headers: outcome.headers }
    }
    case 'serialized': {
      const json = results.call(outcome.members, outcome.metaJson)
      return { kind: 'result', json, headers: outcome.headers }
    }
    default:
      return outcome satisfies never
  }
}

function unknownTool<Caller>(
  name: string,
  { toolsList }: McpServer<Caller>,
  successor: string | undefined,
): RpcError {
  const names = toolsList.map((tool) => tool.name)
  const meant = names.find((one) => one === successor) ?? similarName(name, names)
  const next = meant === undefined ? 'tools/list has all names' : `did you mean ${quote(meant)}?`
  return invalidParams(`there is no tool named ${quote(name)}; ${next}`)
}
