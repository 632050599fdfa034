/** Serializes `tools/call` results (MCP 2026-07-28, schema: CallToolResult), with Weft's own keys in `_meta`. */

import { joinBytes, utf8Bytes, Utf8Content, type Utf8Bytes } from '../../base/utf8.ts'
import { jsonText, resultText } from '../../tools/result-json.ts'
import type { CallMeta, ToolError } from '../../tools/tool-outcome.ts'
import type { ResourceLink } from '../../tools/tool.ts'

/** A result as `JSON.stringify` writes it. */
export interface CallResultJson {
  /** Its members without `_meta`, without the braces: `"content":[],"isError":true`. */
  readonly members: Utf8Bytes
  /** `_meta`, an object. */
  readonly metaJson?: string
}

/** The structured result, the same JSON as text for clients that read only text, and a link for those that follow it. */
export function successResult(
  output: object,
  meta?: CallMeta,
  link?: ResourceLink,
): CallResultJson {
  const { json, quoted } = resultText(output)
  const linked = link ? `,${utf8Bytes(JSON.stringify({ type: 'resource_link', ...link }))}` : ''
  return {
    members: joinBytes(`"content":[${textBlock(quoted)}${linked}],"structuredContent":${json}`),
    ...(meta && { metaJson: JSON.stringify(callMeta(meta)) }),
  }
}

/** The whole result in the legacy era: the members and `_meta` of `CallResultJson`. */
export function legacyCallResult(members: Utf8Bytes, metaJson?: string): Utf8Content {
  const meta = metaJson === undefined ? '' : `"_meta":${utf8Bytes(metaJson)},`
  return new Utf8Content(joinBytes(`{${meta}${members}}`))
}

/**
 * A failed call. The error is text, which every client passes to its model. It is not in `structuredContent`, which must
 * conform to the `outputSchema` (MCP 2025-06-18, server/tools): clients built on SDK v1 reject the whole result otherwise.
 * Programs can read the same error in `_meta`.
 */
export function errorResult(error: ToolError): CallResultJson {
  return {
    members: joinBytes(`"content":[${textBlock(jsonText({ error }).quoted)}],"isError":true`),
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

/** `quoted` is the text as it stands within a JSON string. */
function textBlock(quoted: Utf8Bytes): string {
  return `{"type":"text","text":"${quoted}"}`
}
