/** The interface between the protocol and work that outlives a call (extension io.modelcontextprotocol/tasks). */

import type { JsonObject } from './json-rpc.ts'
import type { InputRequests, InputResponses } from './input-required.ts'

/** The state of a task in every response; times in RFC 3339, durations in milliseconds. */
export interface Task {
  /** Unguessable. */
  readonly taskId: string
  readonly status: TaskState['status']
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** How long the task is kept after its creation; null means without a known end. */
  readonly ttlMs: number | null
  readonly pollIntervalMs?: number
}

/** Data that depends on the state: `failed` is for protocol errors; a failed tool has the state `completed`. */
export type TaskState =
  | { readonly status: 'working' | 'cancelled' }
  | { readonly status: 'input_required'; readonly inputRequests: InputRequests }
  | { readonly status: 'completed'; readonly result: object }
  | { readonly status: 'failed'; readonly error: JsonObject }

export type DetailedTask = Task & TaskState

export interface TaskProvider<Caller> {
  /** Undefined for another caller's task and for an unknown one. */
  find(caller: Caller, taskId: string): Promise<DetailedTask | undefined>
  /** False for an unknown task. A task that has ended does not change. */
  cancel(caller: Caller, taskId: string): Promise<boolean>
  /** Accepts responses to the task's input requests and ignores others. False for an unknown task. */
  update(caller: Caller, taskId: string, responses: InputResponses): Promise<boolean>
}
