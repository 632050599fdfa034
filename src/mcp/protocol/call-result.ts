/** Serializes `tools/call` results (MCP 2026-07-28, schema: CallToolResult), with Weft's own keys in `_meta`. */

import type { CallMeta, ToolError } from '../../tools/tool-outcome.ts'
import type { ResourceLink } from '../../tools/tool.ts'

/** A result as `JSON.stringify` writes it. */
export interface CallResultJson {
  /** Its members without `_meta`, without the braces: `"content":[],"isError":true`. */
  readonly members: string
  /** `_meta`, an object. */
  readonly metaJson?: string
}

/** The structured result, the same JSON as text for clients that read only text, and a link for those that follow it. */
export function successResult(
  output: object,
  meta?: CallMeta,
  link?: ResourceLink,
): CallResultJson {
  const json = JSON.stringify(output)
  const linked = link ? `,${JSON.stringify({ type: 'resource_link', ...link })}` : ''
  return {
    members: `"content":[${textBlock(json)}${linked}],"structuredContent":${json}`,
    ...(meta && { metaJson: JSON.stringify(callMeta(meta)) }),
  }
}

/** The whole result in the legacy era: the members and `_meta` of `CallResultJson`. */
export function legacyCallResult(members: string, metaJson?: string): string {
  return metaJson === undefined ? `{${members}}` : `{"_meta":${metaJson},${members}}`
}

/**
 * A failed call. The error is text, which every client passes to its model. It is not in `structuredContent`, which must
 * conform to the `outputSchema` (MCP 2025-06-18, server/tools): clients built on SDK v1 reject the whole result otherwise.
 * Programs can read the same error in `_meta`.
 */
export function errorResult(error: ToolError): CallResultJson {
  return {
    members: `"content":[${textBlock(JSON.stringify({ error }))}],"isError":true`,
    metaJson: JSON.stringify({ [ERROR_KEY]: error }),
  }
}

/** The cost of a successful call. The keys without a prefix are deprecated and will be removed in the next release. */
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

/** The cost of a listed tool. For the key without a prefix, see `callMeta`. */
export function listingMeta(cost: number): { readonly [key: string]: number } {
  return { 'weft/cost': cost, cost }
}

/** MCP 2025-06-18, basic: custom keys in `_meta` need a prefix. */
const ERROR_KEY = 'weft/error'

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text })
}
