/** Tool parameters that are mirrored into headers (MCP 2026-07-28, Streamable HTTP: Custom Headers). */

import {
  HEADER_MISMATCH,
  isJsonObject,
  quote,
  type RpcError,
} from '../../src/mcp/protocol/json-rpc.ts'
import { decodeHeaderValue } from '../../src/mcp/protocol/mirrored-headers.ts'

/** A parameter with `x-mcp-header`: its header and its path in the arguments. */
interface ParameterHeader {
  /** In lower case. */
  readonly header: string
  readonly path: readonly string[]
}

/** The marked parameters that are reached from the root through `properties` only. No others may be marked. */
export function parameterHeadersOf(
  schema: unknown,
  path: readonly string[] = [],
): ParameterHeader[] {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return []
  return Object.entries(schema['properties']).flatMap(([name, property]) => {
    const mark = isJsonObject(property) ? property['x-mcp-header'] : undefined
    const here = [...path, name]
    if (typeof mark !== 'string') return parameterHeadersOf(property, here)
    return [{ header: `mcp-param-${mark.toLowerCase()}`, path: here }]
  })
}

/** A header must be present with the value of its argument, and absent if the argument is absent or null. */
export function checkParameterHeaders(
  header: (name: string) => string | undefined,
  parameters: readonly ParameterHeader[],
  given: unknown,
): RpcError | undefined {
  for (const { header: name, path } of parameters) {
    const sent = header(name)
    const value = path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), given)
    const isAbsent = value === undefined || value === null
    if (isAbsent ? sent !== undefined : sent === undefined || !says(decodeHeaderValue(sent), value))
      return mismatch(name, sent)
  }
  return undefined
}

/** Integers compare as numbers: `42.0` is 42. */
function says(text: string | undefined, value: unknown): boolean {
  if (text === undefined) return false
  if (typeof value === 'number') return text.trim() !== '' && Number(text) === value
  return text === (typeof value === 'string' ? value : JSON.stringify(value))
}

function mismatch(name: string, sent: string | undefined): RpcError {
  const found = sent === undefined ? 'is missing' : `is ${quote(sent)}`
  return {
    code: HEADER_MISMATCH,
    message: `Header mismatch: ${name} ${found}, which is not what the arguments say`,
    status: 400,
  }
}
