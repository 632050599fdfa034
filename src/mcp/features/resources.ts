/** `resources/list`, `resources/templates/list` and `resources/read` (MCP 2025-11-25 and 2026-07-28, server/resources). */

import { INVALID_PARAMS, invalidParams, type RpcError } from '../protocol/json-rpc.ts'
import {
  singlePage,
  methodError,
  type Era,
  type Feature,
  type MethodHandler,
} from '../protocol/method.ts'
import { legacyResult, type ModernResults } from '../protocol/modern-result.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { ResourceOutcome, ResourceProvider } from '../protocol/resource-messages.ts'
import type { RunRounds } from '../protocol/input-required.ts'

/** The code before 2026-07-28, which uses `-32602` instead (server/resources: Error Handling). */
const LEGACY_NOT_FOUND = -32002

export function resourcesFeature<Caller>(
  provider: ResourceProvider<Caller>,
  results: ModernResults,
  rounds: RunRounds<Caller>,
): Feature<Caller> {
  const resources = { resources: provider.list }
  const templates = { resourceTemplates: provider.templates }
  return {
    legacy: {
      capabilities: { resources: {} },
      methods: {
        'resources/list': singlePage(JSON.stringify(resources)),
        'resources/templates/list': singlePage(JSON.stringify(templates)),
        'resources/read': readResource(provider, rounds, legacyResult),
      },
    },
    modern: {
      capabilities: { resources: {} },
      methods: {
        'resources/list': singlePage(results.cacheable(resources)),
        'resources/templates/list': singlePage(results.cacheable(templates)),
        'resources/read': readResource(provider, rounds, results.fresh),
      },
    },
  }
}

function readResource<Caller>(
  provider: ResourceProvider<Caller>,
  rounds: RunRounds<Caller>,
  write: (json: string, metaJson?: string) => string,
): MethodHandler<Caller> {
  return (call) => {
    const uri = call.params?.['uri']
    if (typeof uri !== 'string') return methodError(invalidParams('"uri" must be a string'))
    return rounds(
      call,
      ['resources/read', uri],
      (inputs) => provider.read(call.caller, { uri, inputs, signal: call.signal }),
      (outcome) => answerOf(outcome, uri, call.era, write),
    )
  }
}

function answerOf(
  outcome: Exclude<ResourceOutcome, { kind: 'input-required' }>,
  uri: string,
  era: Era,
  write: (json: string, metaJson?: string) => string,
): MethodAnswer {
  switch (outcome.kind) {
    case 'not-found':
      return methodError(notFound(uri, era))
    case 'error':
      return methodError(outcome.error)
    case 'contents': {
      const { contents, meta, headers } = outcome
      const json = write(JSON.stringify({ contents }), meta && JSON.stringify(meta))
      return { kind: 'result', json, headers }
    }
    default:
      return outcome satisfies never
  }
}

function notFound(uri: string, era: Era): RpcError {
  const code = era === 'legacy' ? LEGACY_NOT_FOUND : INVALID_PARAMS
  return { code, message: 'Resource not found', data: { uri } }
}
