/** The outcome of a call: a result and its cost, or an error that a model can act on. */

import { RequestError } from '../base/request-error.ts'
import { exampleHint, type Explanation } from './arguments/explain-arguments.ts'
import type { Log } from '../base/log.ts'
import type { SchemaProblem } from '../base/schema.ts'
import type { Tool } from './tool.ts'

/** Outcome of a call. The tool endpoint converts it to a JSON-RPC result. */
export type ToolOutcome =
  | {
      readonly ok: true
      readonly output: object
      readonly meta: CallMeta
      readonly replayed?: true
    }
  | { readonly ok: false; readonly error: ToolError; readonly replayed?: true }

/** Cost of a successful call, and the remaining credits. */
export interface CallMeta {
  readonly cost: number
  /** The remaining budget of the agent, if it is lower. */
  readonly remaining: number
  readonly resets_at: string
}

/** An error that a model can act on: stable code, message, and what to change. */
export interface ToolError {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly errors?: readonly SchemaProblem[]
  readonly [member: string]: unknown
}

export function invalidArguments(explanation: Explanation): ToolError {
  return { code: 'invalid_arguments', ...explanation }
}

/** The error as the caller learns it. One that is a bug is logged. */
export function toolError(
  log: Log,
  tool: Tool,
  { requestId, given }: { readonly requestId: string; readonly given?: unknown },
  error: unknown,
): ToolError {
  if (error instanceof RequestError) {
    const { errors, members } = error.details
    const hint = error.details.hint ?? argumentHint(tool, error, given)
    return {
      code: error.code,
      message: error.message,
      ...(hint === undefined ? {} : { hint }),
      ...(errors === undefined ? {} : { errors }),
      ...members,
    }
  }
  log.error({ err: error, request_id: requestId, tool: tool.name }, 'tool failed')
  return {
    code: 'internal',
    message: `${tool.name} failed because of an internal error. No changes were made, and no credits charged.`,
    request_id: requestId,
  }
}

/** For arguments that only the tool itself can check. */
function argumentHint(
  tool: Tool,
  { code, details }: RequestError,
  given: unknown,
): string | undefined {
  if (code !== 'invalid_request') return undefined
  return exampleHint(tool.name, tool.input, details.errors, given)
}
