/** The interface between the protocol and tools: listing, call and result. */

import type { JsonObject, RpcError } from './json-rpc.ts'
import type { InputRequired, Inputs } from './input-required.ts'
import type { Era } from './method.ts'
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

/** All four are set, because the defaults are destructive and open-world. */
interface ToolAnnotations {
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
  readonly clientCapabilities: JsonObject | undefined
  /** `_meta` as the caller sent it. */
  readonly meta: JsonObject
  /** The client's responses to the previous round. */
  readonly inputs: Inputs
  /** The token under which the client wants progress notifications. */
  readonly progress: ReportProgress | undefined
  /** Modern era only, where a closed connection cancels the request. */
  readonly signal: AbortSignal | undefined
}

export type ToolCallOutcome =
  | InputRequired
  /** Only for clients that support tasks: the client polls for the result. */
  | {
      readonly kind: 'task'
      readonly task: Task
      readonly metaJson?: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  /** A serialized result (MCP 2026-07-28, schema: CallToolResult). */
  | {
      readonly kind: 'serialized'
      /** `content`, `structuredContent`, `isError` as `JSON.stringify` writes them, without the braces around them. */
      readonly members: string
      /** `_meta`, an object. */
      readonly metaJson?: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  /** `meant`: the tool that does the same today. */
  | { readonly kind: 'unknown-tool'; readonly meant?: string | undefined }
  /** An error with its own JSON-RPC code and HTTP status, such as a reused idempotency key. */
  | { readonly kind: 'error'; readonly error: RpcError }
