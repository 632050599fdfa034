/** The capabilities that a 2026-07-28 client declares in each request (MCP 2026-07-28, basic: Capabilities). */

import {
  isJsonObject,
  MISSING_CLIENT_CAPABILITY,
  type JsonObject,
  type RpcError,
} from './json-rpc.ts'
import type { InputRequests } from './input-required.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** Whether the client supports tasks. */
export function takesTasks(declared: JsonObject | undefined): boolean {
  const extensions = declared?.['extensions']
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION])
}

/** The error for a client that does not support tasks. */
export function tasksNeeded(): RpcError {
  return missingCapability({ extensions: { [TASKS_EXTENSION]: {} } })
}

/** The error for capabilities that these requests need and the client does not declare; undefined if there are none. */
export function undeclaredCapability(
  requests: InputRequests,
  declared: JsonObject,
): RpcError | undefined {
  const needed = Object.values(requests).map(({ method, params }) => neededBy(method, params))
  const missing = needed.filter(({ name, mode }) => !declares(declared[name], mode))
  if (missing.length === 0) return undefined
  return missingCapability(
    Object.fromEntries(
      missing.map(({ name, mode }) => [name, mode === undefined ? {} : { [mode]: {} }]),
    ),
  )
}

/** MCP 2026-07-28, schema: MissingRequiredClientCapabilityError. */
function missingCapability(requiredCapabilities: JsonObject): RpcError {
  return {
    code: MISSING_CLIENT_CAPABILITY,
    message: 'Missing required client capability',
    data: { requiredCapabilities },
    status: 400,
  }
}

interface Capability {
  readonly name: string
  readonly mode?: 'url'
}

function neededBy(method: string, params: JsonObject): Capability {
  if (method === 'sampling/createMessage') return { name: 'sampling' }
  if (method === 'roots/list') return { name: 'roots' }
  return params['mode'] === 'url' ? { name: 'elicitation', mode: 'url' } : { name: 'elicitation' }
}

/** Elicitation that names no mode is by form (MCP 2026-07-28, client/elicitation: Capabilities). */
function declares(capability: unknown, mode: string | undefined): boolean {
  if (!isJsonObject(capability)) return false
  return mode === undefined || isJsonObject(capability[mode])
}
