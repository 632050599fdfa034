/** The words between the protocol and the tools: how a tool is listed, called, and how a call comes out. */

import type { JsonObject, RpcError } from './json-rpc.ts'
import type { InputRequired, Inputs } from './input-required.ts'
import type { ClientInfo, Era } from './method.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import type { Task } from './task-messages.ts'

/** MCP 2026-07-28, schema: Tool. The schemas are JSON Schema 2020-12 with an object at the root. */
export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema?: object
  readonly annotations: ToolAnnotations
  readonly _meta?: JsonObject
}

/** All four are said: the defaults are destructive and open-world. */
export interface ToolAnnotations {
  /** For clients that read titles only here (MCP 2025-03-26). */
  readonly title?: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface ToolCallRequest {
  readonly name: string
  /** As the caller sent it; `{}` when there was none. The tool checks it. */
  readonly arguments: unknown
  readonly era: Era
  readonly protocolVersion: string
  readonly clientInfo: ClientInfo | undefined
  readonly clientCapabilities: JsonObject | undefined
  /** `_meta` as the caller sent it. */
  readonly meta: JsonObject
  /** What the client answered to what was asked in the round before. */
  readonly inputs: Inputs
  /** Where the client wants to hear of it. */
  readonly progress: ReportProgress | undefined
  /** Sends a notification about this very call, where the client can be sent any. */
  readonly notify: (method: string, params: JsonObject) => void
  /** Modern era only: aborts when the client goes away, which there means cancel. */
  readonly signal: AbortSignal | undefined
}

/** MCP 2026-07-28, schema: CallToolResult. A failed call has no `structuredContent` (`call-result.ts`). */
export interface ToolResult {
  readonly content: readonly JsonObject[]
  readonly structuredContent?: object
  readonly isError?: boolean
  readonly _meta?: object
}

export type ToolCallOutcome =
  | InputRequired
  /** For clients that take tasks, and only then: the result is to be asked for. */
  | {
      readonly kind: 'task'
      readonly task: Task
      readonly metaJson?: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | {
      readonly kind: 'result'
      readonly result: ToolResult
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A result that is text already; both texts are objects as `JSON.stringify` writes them. */
  | {
      readonly kind: 'serialized'
      /** `content`, `structuredContent`, `isError`; without `_meta`. */
      readonly json: string
      readonly metaJson?: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | { readonly kind: 'unknown-tool' }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number }
  /** A refusal with a JSON-RPC code and HTTP status of its own, such as a reused idempotency key. */
  | { readonly kind: 'error'; readonly error: RpcError }
