/** `resources/list`, `resources/templates/list` and `resources/read` (MCP 2025-11-25 and 2026-07-28, server/resources). */

import { INVALID_PARAMS, invalidParams, type RpcError } from '../protocol/json-rpc.ts'
import {
  singlePage,
  methodError,
  type Era,
  type Feature,
  type MethodHandler,
} from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { ResourceOutcome, ResourceProvider } from '../protocol/resource-messages.ts'
import type { RunRounds } from '../protocol/input-required.ts'

/** The code before 2026-07-28, which uses `-32602` instead (server/resources: Error Handling). */
const LEGACY_NOT_FOUND = -32002

export function resourcesFeature<Caller>(
  provider: ResourceProvider<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): Feature<Caller> {
  const { list: resources, templates: resourceTemplates } = provider
  return {
    capabilities: { resources: {} },
    methods: {
      'resources/list': singlePage(results.cacheable({ resources })),
      'resources/templates/list': singlePage(results.cacheable({ resourceTemplates })),
      'resources/read': readResource(provider, results, rounds),
    },
  }
}

function readResource<Caller>(
  provider: ResourceProvider<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): MethodHandler<Caller> {
  return (call) => {
    const uri = call.params?.['uri']
    if (typeof uri !== 'string') return methodError(invalidParams('"uri" must be a string'))
    return rounds(
      call,
      ['resources/read', uri],
      (inputs) => provider.read(call.caller, { uri, inputs, signal: call.signal }),
      (outcome) => answerOf(outcome, uri, call.era, results),
    )
  }
}

function answerOf(
  outcome: Exclude<ResourceOutcome, { kind: 'input-required' }>,
  uri: string,
  era: Era,
  results: Results,
): MethodAnswer {
  switch (outcome.kind) {
    case 'not-found':
      return methodError(notFound(uri, era))
    case 'error':
      return methodError(outcome.error)
    case 'contents': {
      const { contents, meta, headers } = outcome
      const json = results.fresh(JSON.stringify({ contents }), meta && JSON.stringify(meta))
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
