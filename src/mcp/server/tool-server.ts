/** Serves Weft's tools over MCP: lists them and meters their calls. */

import { RequestError } from '../../base/request-error.ts'
import { REPLAYED } from '../../guards/idempotency-record.ts'
import { RENAMED_TOOLS } from '../../tools/renamed-tools.ts'
import { runTool } from '../../tools/run-tool.ts'
import type { MeteredCall, MeteringDeps } from '../../tools/run-tool-types.ts'
import type { ToolOutcome } from '../../tools/tool-outcome.ts'
import { isToolAllowed } from '../../tools/allowed-tools.ts'
import { publishedOutput, publishedSchema } from '../../tools/arguments/published-schema.ts'
import { callMeta, errorResult, listingMeta, successResult } from '../protocol/call-result.ts'
import { takesTasks } from '../protocol/client-capabilities.ts'
import { confirmFirst } from './confirm-before-deleting.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { awaitedOutput, startedTask } from './job-tasks.ts'
import { rpcErrorOf } from '../protocol/http-errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { App } from '../../tools/app.ts'
import type { ResourceLink, Tool } from '../../tools/tool.ts'
import { invalidParams, type RpcError } from '../protocol/json-rpc.ts'
import { iconsOf } from '../protocol/server-info.ts'
import type { McpServer } from '../protocol/server.ts'
import type { Task } from '../protocol/task-messages.ts'
import type { ToolCallOutcome, ToolListing } from '../protocol/tool-messages.ts'
import type { ToolCaller } from './tool-caller.ts'

export interface ToolServerDeps extends MeteringDeps {
  readonly tools: readonly Tool[]
  /** Not listed, because the member does not allow them. Calls are refused with a reason. */
  readonly forbidden?: readonly Tool[]
  /** Views of results. */
  readonly apps?: readonly App[]
  /** Names of tools that can be called but are not listed. */
  readonly unlisted?: ReadonlySet<string>
  /** Names of tools that the client chose not to be offered. */
  readonly leftOut?: ReadonlySet<string>
  readonly clock: Clock
  readonly publicUrl: string
  readonly version: string
}

/** Tools in `forbidden` are not listed; a call of one is refused with the reason. */
export function createToolServer(deps: ToolServerDeps): McpServer<ToolCaller> {
  const known = [...deps.tools, ...(deps.forbidden ?? [])]
  const byName = new Map(known.map((tool) => [tool.name, tool]))
  return {
    serverInfo: {
      name: 'weft',
      title: 'Weft',
      version: deps.version,
      websiteUrl: deps.publicUrl,
      icons: iconsOf(deps.publicUrl),
    },
    instructions: INSTRUCTIONS,
    toolsList: deps.tools
      .filter(({ name }) => deps.unlisted?.has(name) !== true)
      .map((tool) => listingOf(tool, appOf(deps.apps, tool))),
    async callTool(by, call) {
      const once = by.nextKey?.()
      const tool = byName.get(call.name)
      if (!tool && deps.leftOut?.has(call.name)) return notSelected(call.name)
      if (!tool) return { kind: 'unknown-tool', meant: RENAMED_TOOLS.get(call.name) }
      const { progress } = call
      const read = meteredCall(deps, by)
      const signal = tool.effect === 'read' ? read.signal : (call.signal ?? NEVER)
      const metered = { ...read, once, progress, signal }
      try {
        if (tool.effect !== 'read' && isToolAllowed(by.caller.limits, tool)) {
          const unconfirmed = await confirmFirst(deps, tool, metered, call)
          if (unconfirmed) return unconfirmed
        }
        const outcome = await runTool(deps, tool, metered, call.arguments)
        if (!outcome.ok || !startedJob(tool, outcome.output))
          return outcomeOf(tool, outcome, call.protocolVersion)
        if (takesTasks(call.clientCapabilities))
          return taskOutcome(outcome, await startedTask(deps, metered, outcome.output))
        const waiting = { caller: by.caller, signal: by.disconnected ?? signal }
        const output = await awaitedOutput(deps, waiting, outcome.output)
        return outcomeOf(tool, { ...outcome, output }, call.protocolVersion)
      } catch (error) {
        return failedCall(deps, error, by)
      }
    },
    onInternalError: (error) => deps.log.error({ err: error }, 'tool endpoint failed'),
  }
}

function notSelected(name: string): ToolCallOutcome {
  const detail = `${name} is not among the tools selected by ?tools= or the header Weft-Tools`
  return { kind: 'error', error: invalidParams(detail) }
}

/** A call of this moment by this caller. */
export function meteredCall({ clock }: Pick<ToolServerDeps, 'clock'>, by: ToolCaller): MeteredCall {
  const { caller, requestId, nextKey, disconnected = NEVER } = by
  // A call with a key continues if the client disconnects: a retry with the same key joins it or gets its response.
  const signal = nextKey ? NEVER : disconnected
  return { caller, requestId, now: clock.now(), signal }
}

/** Converts request errors, such as a reused key or an outage, to JSON-RPC errors. Rethrows unexpected errors. */
export function failedCall(
  { log }: Pick<ToolServerDeps, 'log'>,
  error: unknown,
  { requestId }: ToolCaller,
): { readonly kind: 'error'; readonly error: RpcError } {
  if (!(error instanceof RequestError)) throw error
  if (error.isFailure) log.warn({ err: error, request_id: requestId }, 'tool unavailable')
  return { kind: 'error', error: rpcErrorOf(error, requestId) }
}

/** False for the preview of a job. */
function startedJob(tool: Tool, output: object): boolean {
  return tool.effect !== 'read' && tool.startsJob === true && 'task_id' in output
}

function appOf(apps: readonly App[] | undefined, { name }: Tool): App | undefined {
  return apps?.find(({ tools }) => tools.includes(name))
}

/** MCP 2025-06-18, tools: all four hints are said. The world is open where a tool reaches beyond the member's data. */
export function listingOf(tool: Tool, app?: App): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: publishedSchema(tool.input),
    outputSchema: publishedOutput(tool.output),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === 'read',
      // Directories want one of the first two hints for every tool, also for one that only adds.
      destructiveHint: tool.effect !== 'read',
      idempotentHint: tool.effect === 'read' || tool.idempotent === true,
      openWorldHint: tool.openWorld === true,
    },
    // MCP Apps 2026-01-26, Resource Discovery. Clients without apps ignore it, and models never see it.
    _meta: { ...listingMeta(tool.credits), ...(app && { ui: { resourceUri: app.uri } }) },
  }
}

/** Links are content only since 2025-06-18. Clients of earlier revisions reject a result with content they do not know. */
function linkOf(tool: Tool, output: object, protocolVersion: string): ResourceLink | undefined {
  return protocolVersion < '2025-06-18' ? undefined : tool.resourceLink?.(output)
}

function taskOutcome(outcome: ToolOutcome & { readonly ok: true }, task: Task): ToolCallOutcome {
  const headers = outcome.replayed ? REPLAYED : undefined
  return { kind: 'task', task, metaJson: JSON.stringify(callMeta(outcome.meta)), headers }
}

function outcomeOf(tool: Tool, outcome: ToolOutcome, protocolVersion: string): ToolCallOutcome {
  const headers = outcome.replayed ? REPLAYED : undefined
  const result = outcome.ok
    ? successResult(outcome.output, outcome.meta, linkOf(tool, outcome.output, protocolVersion))
    : errorResult(outcome.error)
  return { kind: 'serialized', headers, ...result }
}

const NEVER = new AbortController().signal
