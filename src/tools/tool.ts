/** A tool is a record: its schemas, its effect, its price, and what it does. */

import Type, { type Static, type TSchema } from 'typebox'
import type { Caller } from '../http/caller.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

/** `read` changes nothing; `write` adds or changes; `destroy` takes something away or overwrites it. */
export type Effect = 'read' | 'write' | 'destroy'

/** What every tool is given beside its arguments. */
export interface ToolCall {
  readonly caller: Caller
  readonly now: number
  /** Fires when the caller has gone or cancelled. */
  readonly signal: AbortSignal
  /** Tells how far the call is, where the caller wants to hear of it. */
  readonly progress?: ReportProgress | undefined
}

/** `done` grows from report to report; `total` is left out while it is not known. */
export type ReportProgress = (done: number, total?: number, message?: string) => void

export interface ReadCall extends ToolCall {
  readonly db: MemberReader & Pick<MemberDatabase, 'heavy' | 'fullText' | 'compute'>
}

/** A write runs inside the transaction that also charges for it and writes it into the member's activity. */
export interface WriteCall extends ToolCall {
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly tx: MemberTransaction
  /** Writes one change into the member's activity, from which it can be undone; returns its number there. */
  readonly record: (change: Change) => Promise<number>
}

/** One change as the member's activity shows it. */
export interface Change {
  /** `connection.add`, `connection.update`, … */
  readonly action: string
  readonly subjectKind: string
  readonly subjectId: string
  /** Null where there was, or is, nothing. */
  readonly before: object | null
  readonly after: object | null
  /** Numbers of the connections that it concerns, in whose history it stands; an import tells them row by row. */
  readonly connections?: readonly number[]
  /** The number of the change that this one takes back. */
  readonly undoes?: number
}

interface ToolRecord<Input extends TSchema, Output extends TSchema> {
  /** snake_case, verb first. */
  readonly name: string
  readonly title: string
  /** For a model: purpose, side effects, what comes back. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Whole credits a successful call costs. */
  readonly credits: number
  /** Whether calling it twice with the same arguments changes no more than calling it once. Reads are. */
  readonly idempotent?: boolean
}

export interface ReadTool<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> extends ToolRecord<Input, Output> {
  readonly effect: 'read'
  run(call: ReadCall, input: Static<Input>): Promise<Static<Output>>
}

export interface WriteTool<
  Input extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> extends ToolRecord<Input, Output> {
  readonly effect: 'write' | 'destroy'
  run(call: WriteCall, input: Static<Input>): Promise<Static<Output>>
  /** True for a tool whose run charges its credits itself, or not at all: one that starts a job, or reports it. */
  readonly chargesItself?: boolean
  /** True for a tool that may write a whole network: it waits for small transactions and shares no commit with them. */
  readonly bulk?: true
  /** For a tool that starts a job: its output names the job by its `task_id`. */
  readonly startsJob?: true
  /** After the commit, such as waking the worker for a job that was made. */
  committed?(output: Static<Output>): void
}

/** A tool whose types were checked where it was defined. */
export type Tool = ReadTool | WriteTool

export function defineReadTool<const Input extends TSchema, const Output extends TSchema>(
  tool: Omit<ReadTool<Input, Output>, 'effect'>,
): Tool {
  // Its input is checked against this very schema before every run.
  return { ...tool, effect: 'read' }
}

export function defineWriteTool<const Input extends TSchema, const Output extends TSchema>(
  tool: WriteTool<Input, Output>,
): Tool {
  return tool
}

/** The input of a tool that takes none. */
export const NO_INPUT = Type.Object({}, { additionalProperties: false })
