/** A tool is a record: its schemas, effect, price and implementation. */

import type { Static, TSchema } from 'typebox'
import type { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import type { Caller } from '../http/caller.ts'
import type { ActivityAction } from './activity-action.ts'
import type { NetworkState } from './network-state.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

/** The context of a call, passed to every tool with its arguments. */
export interface ToolCall {
  readonly caller: Caller
  readonly now: number
  /** Fires when the caller disconnects or cancels. */
  readonly signal: AbortSignal
  /** Reports progress; undefined if the caller did not request it. */
  readonly progress?: ReportProgress | undefined
}

/** `done` increases with every report. `total` is omitted while unknown. */
export type ReportProgress = (done: number, total?: number, message?: string) => void

export interface ReadCall extends ToolCall {
  readonly db: MemberReader & Pick<MemberDatabase, 'heavy' | 'memory' | 'compute'>
  /** The network when the call began. */
  readonly network: NetworkState
}

/** A write runs in the transaction that also charges for it and records it in the activity log. */
export interface WriteCall extends ToolCall {
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly tx: MemberTransaction
  /** Records a change that can be undone, and returns its number in the activity log. */
  readonly record: (change: Change) => Promise<number>
  /** The result of `prepare`, if the tool has it. */
  readonly prepared?: PreparedUndo | undefined
}

/** The context of a change, made by a tool or a page. */
export type Changing = Pick<WriteCall, 'tx' | 'now' | 'record'>

/** A large undo that is mostly done and committed, except for the rest and the entry in the activity log. */
export interface PreparedUndo {
  readonly activityId: number
  /** The progress, in units of the feature. */
  readonly position: number
  /** One sentence for each item that could not be undone, with the reason. */
  readonly skipped: readonly string[]
}

export interface Change {
  readonly action: ActivityAction
  readonly subjectKind: string
  readonly subjectId: string
  /** Null if the subject did not exist before, or does not exist afterwards. */
  readonly before: object | null
  readonly after: object | null
  /** Numbers of the affected connections, whose history shows the change. Imports report them row by row. */
  readonly connections?: readonly number[]
  /** Number of the change that this one undoes. */
  readonly undoes?: number
}

/** MCP 2025-06-18, schema: ResourceLink. */
export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

interface ToolRecord<Input extends TSchema, Output extends TSchema> {
  /** snake_case, verb first. */
  readonly name: string
  readonly title: string
  /** For a model: purpose, side effects, result. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Whole credits per successful call. */
  readonly credits: number
  /** Reaches people or systems outside the member's network: MCP `openWorldHint`. */
  readonly openWorld?: true
  /** A resource that the result links to, for clients that follow links. */
  resourceLink?(output: Static<Output>): ResourceLink
  /** Whether repeating a call with the same arguments has no additional effect. Always true for reads. */
  readonly idempotent?: boolean
}

export interface ReadTool<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> extends ToolRecord<Input, Output> {
  readonly effect: 'read'
  run(call: ReadCall, input: Static<Input>): Promise<Static<Output>>
}

/** Arguments after `resolve`, with the people that it found, if they may be too many to name, and left out. */
type Resolved<Arguments> = unknown extends Arguments
  ? Arguments
  : Arguments & { readonly found?: readonly number[]; readonly leftOut?: readonly LeftOut[] }

interface LeftOut {
  readonly given: string
  readonly reason: string
}

export interface WriteTool<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> extends ToolRecord<Input, Output> {
  readonly effect: 'write' | 'destructive'
  run(call: WriteCall, input: Resolved<Static<Input>>): Promise<Static<Output>>
  /**
   * Runs before the transaction, for work that would block other members' writes as one transaction. Calling the tool
   * again after a crash must continue what this began.
   */
  prepare?(
    call: ToolCall & { readonly db: MemberDatabase },
    input: Static<Input>,
  ): Promise<PreparedUndo | undefined>
  /**
   * Runs before the transaction: replaces arguments that need the search index, such as a query, by what they mean. A
   * failure here is free.
   */
  resolve?(call: ReadCall, input: Static<Input>): Promise<Resolved<Static<Input>>>
  /** For work so large that each member may have only one call of the tool at a time. */
  readonly turns?: KeyedSemaphore<number>
  /** The tool charges credits itself, or is free: it starts a job or reports on one. */
  readonly chargesItself?: boolean
  /** For calls that cost nothing although the tool has a price, such as completing a follow-up. */
  isFree?(input: Static<Input>): boolean
  /** The tool may write a whole network: it yields to small transactions and does not share commits with them. */
  readonly bulk?: true
  /** The tool starts a job; its output contains the `task_id`. */
  readonly startsJob?: true
  /**
   * For a tool that deletes or merges: the question for the person, if their client supports it. Names what the call
   * affects and how to restore it. Undefined if no confirmation is needed.
   */
  question?(reader: MemberReader, input: Static<Input>): Promise<string | undefined>
  /** For calls that only preview a change. They write nothing, cost nothing and start no job. */
  readonly preview?: {
    isAsked(input: Static<Input>): boolean
    run(call: ReadCall, input: Static<Input>): Promise<Static<Output>>
  }
  /** The output that is stored for retries of a keyed call, without secrets. All of it by default. */
  withoutSecrets?(output: Static<Output>): Static<Output>
  /** Runs after the commit, for example to wake the worker. Not called for previews. */
  committed?(output: Static<Output>): void
}

/** A tool whose types were checked at its definition. */
export type Tool = ReadTool | WriteTool

/** Types `run` by the schemas. A read tool changes nothing, so it needs no key. */
export function defineReadTool<const Input extends TSchema, const Output extends TSchema>(
  tool: Omit<ReadTool<Input, Output>, 'effect'>,
): Tool {
  // Safe: the input is validated against this schema before every run.
  return { ...tool, effect: 'read' }
}

/** Types `run` by the schemas. Its effect and its charge are one transaction. */
export function defineWriteTool<const Input extends TSchema, const Output extends TSchema>(
  tool: WriteTool<Input, Output>,
): Tool {
  return tool
}
