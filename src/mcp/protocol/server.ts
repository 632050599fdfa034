/** An MCP server, one per endpoint. Everything that depends on the caller uses `Caller`. */

import type { Complete } from './completion-messages.ts'
import type { JsonObject } from './json-rpc.ts'
import type { PromptProvider } from './prompt-messages.ts'
import type { ResourceProvider } from './resource-messages.ts'
import type { TaskProvider } from './task-messages.ts'
import type { ToolCallOutcome, ToolCallRequest, ToolListing } from './tool-messages.ts'
import type { ServerInfo } from './server-info.ts'
import type { SkillEntry } from './skill-messages.ts'
import type { EventProvider } from './event-messages.ts'
import type { SubscriptionProvider } from './subscription-messages.ts'

/** Optional features that are omitted are neither advertised nor served. */
export interface McpServer<Caller> {
  readonly serverInfo: ServerInfo
  /** The purpose of the server. Most clients pass it to the model. */
  readonly instructions: string
  /** The same for every caller, and serialized once. */
  readonly toolsList: readonly ToolListing[]
  callTool(caller: Caller, call: ToolCallRequest): Promise<ToolCallOutcome>
  /** Extensions without methods of their own, with their settings. */
  readonly extensions?: JsonObject
  readonly resources?: ResourceProvider<Caller>
  readonly prompts?: PromptProvider<Caller>
  readonly skills?: readonly SkillEntry[]
  /** Completes the arguments of prompts and the variables of resource templates. */
  readonly complete?: Complete<Caller>
  /** Background work of tools, for clients that support tasks. */
  readonly tasks?: TaskProvider<Caller>
  readonly subscriptions?: SubscriptionProvider<Caller>
  readonly events?: EventProvider<Caller>
  /** Receives every error that a method throws. The caller sees only "Internal error". Must not throw. */
  onInternalError(error: unknown): void
}
