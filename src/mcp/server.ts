/** What one MCP server offers; one is made per mount. Whatever depends on the caller goes through `Caller`. */

import type { ToolCallOutcome, ToolCallRequest, ToolListing } from './tool-messages.ts'

/** MCP 2026-07-28, schema: Implementation. */
export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly websiteUrl?: string
}

export interface McpServer<Caller> {
  readonly serverInfo: ServerInfo
  /** Told to the model by most clients: what this server is for. */
  readonly instructions: string
  /** The same for every caller, and serialised once. */
  readonly toolsList: readonly ToolListing[]
  callTool(caller: Caller, call: ToolCallRequest): Promise<ToolCallOutcome>
  /** Hears of everything a method threw; the caller is told only "Internal error". Must not throw. */
  onInternalError(error: unknown): void
}
