/** The capabilities that a 2026-07-28 client declares in each request (MCP 2026-07-28, basic: Capabilities). */

import {
  isJsonObject,
  MISSING_CLIENT_CAPABILITY,
  type JsonObject,
  type RpcError,
} from './json-rpc.ts'

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

/** Whether the client can show a form. Elicitation that names no mode is by form (MCP 2026-07-28, client/elicitation). */
export function takesForms(declared: JsonObject | undefined): boolean {
  const elicitation = declared?.['elicitation']
  if (!isJsonObject(elicitation)) return false
  return isJsonObject(elicitation['form']) || !isJsonObject(elicitation['url'])
}

/** MCP 2026-07-28, schema: MissingRequiredClientCapabilityError. */
export function missingCapability(requiredCapabilities: JsonObject): RpcError {
  return {
    code: MISSING_CLIENT_CAPABILITY,
    message: 'Missing required client capability',
    data: { requiredCapabilities },
    status: 400,
  }
}
