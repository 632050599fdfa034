/** `tools/list` and `tools/call` in both eras (MCP 2025-11-25 and 2026-07-28, server/tools). */

import { invalidParams, isJsonObject, quote, rateLimited } from './json-rpc.ts'
import {
  refusal,
  resultOf,
  type Feature,
  type MethodAnswer,
  type MethodCall,
  type MethodHandler,
} from './method.ts'
import type { ModernResults } from './modern-result.ts'
import type { McpServer } from './server.ts'
import type { ToolCallOutcome, ToolCallRequest, ToolResult } from './tool-messages.ts'

/** The list never changes while the process runs, so no `listChanged`. */
export function toolsFeature<Caller>(
  server: McpServer<Caller>,
  results: ModernResults,
): Feature<Caller> {
  const page = { tools: server.toolsList }
  return {
    capabilities: { tools: {} },
    legacy: {
      'tools/list': listTools(JSON.stringify(page)),
      'tools/call': callTool(server, legacyResult),
    },
    modern: {
      'tools/list': listTools(results.cacheable(page)),
      'tools/call': callTool(server, results.complete),
    },
  }
}

/** There is one page, so no cursor was ever given out. */
function listTools<Caller>(pageJson: string): MethodHandler<Caller> {
  const onlyPage = resultOf(pageJson)
  const foreignCursor = refusal(invalidParams('"cursor" was not issued by this server'))
  return ({ params }) =>
    (params?.['cursor'] ?? undefined) === undefined ? onlyPage : foreignCursor
}

type WriteResult = (json: string, metaJson?: string) => string

function callTool<Caller>(server: McpServer<Caller>, write: WriteResult): MethodHandler<Caller> {
  return async (call) => {
    const name = call.params?.['name']
    if (typeof name !== 'string') return refusal(invalidParams('"name" must be a string'))
    const outcome = await server.callTool(call.caller, toolCallRequest(name, call))
    return answerOf(outcome, name, write)
  }
}

function toolCallRequest<Caller>(name: string, call: MethodCall<Caller>): ToolCallRequest {
  return {
    name,
    arguments: call.params?.['arguments'] ?? {},
    era: call.era,
    protocolVersion: call.protocolVersion,
    clientInfo: call.clientInfo,
    clientCapabilities: call.clientCapabilities,
    progressToken: progressTokenOf(call.params?.['_meta']),
    signal: call.signal,
  }
}

function progressTokenOf(meta: unknown): string | number | undefined {
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

function answerOf(outcome: ToolCallOutcome, name: string, write: WriteResult): MethodAnswer {
  switch (outcome.kind) {
    case 'unknown-tool':
      return refusal(invalidParams(`there is no tool named ${quote(name)}`))
    case 'rate-limited':
      return refusal(rateLimited(outcome.retryAfterSeconds))
    case 'error':
      return refusal(outcome.error)
    case 'result': {
      const json = writeResult(outcome.result, write)
      return { kind: 'result', json, headers: outcome.headers }
    }
    case 'serialized': {
      const json = write(outcome.json, outcome.metaJson)
      return { kind: 'result', json, headers: outcome.headers }
    }
    default:
      return outcome satisfies never
  }
}

function writeResult({ _meta, ...members }: ToolResult, write: WriteResult): string {
  return write(JSON.stringify(members), _meta && JSON.stringify(_meta))
}

function legacyResult(json: string, metaJson?: string): string {
  if (metaJson === undefined) return json
  return `{"_meta":${metaJson}${json === '{}' ? '}' : `,${json.slice(1)}`}`
}
