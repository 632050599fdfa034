/** `tools/call` results as JSON text (MCP 2026-07-28, schema: CallToolResult), and Weft's own members of their `_meta`. */

import type { CallMeta, ToolError } from '../../tools/run-tool.ts'

/** The members of a result without its `_meta`, and that `_meta`; both are objects as `JSON.stringify` writes them. */
export interface CallResultJson {
  readonly json: string
  readonly metaJson?: string
}

/** The structured result, and the same JSON as text for clients that read only text. */
export function successResult(output: object, meta?: CallMeta): CallResultJson {
  const json = JSON.stringify(output)
  return {
    json: `{"content":[${textBlock(json)}],"structuredContent":${json}}`,
    ...(meta && { metaJson: JSON.stringify(callMeta(meta)) }),
  }
}

/**
 * A failed call. The error is text, which every client shows to its model. It is not `structuredContent`: that has to
 * fit the tool's `outputSchema` (MCP 2025-06-18, server/tools), and clients built on SDK v1 reject the whole result
 * otherwise. Programs read the same error in `_meta`.
 */
export function errorResult(error: ToolError): CallResultJson {
  return {
    json: `{"content":[${textBlock(JSON.stringify({ error }))}],"isError":true}`,
    metaJson: JSON.stringify({ [ERROR_KEY]: error }),
  }
}

/** What a successful call cost. The names without a prefix are deprecated: they go with the next release. */
export function callMeta({ cost, remaining, resets_at }: CallMeta): object {
  return {
    'weft/cost': cost,
    'weft/remaining': remaining,
    'weft/resets_at': resets_at,
    cost,
    remaining,
    resets_at,
  }
}

/** What a call of a listed tool costs; the name without a prefix as in `callMeta`. */
export function listingMeta(cost: number): { readonly [key: string]: number } {
  return { 'weft/cost': cost, cost }
}

/** MCP 2025-06-18, basic: a key of our own in `_meta` has a prefix. */
const ERROR_KEY = 'weft/error'

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`
}
