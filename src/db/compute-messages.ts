/** The messages between the main thread and a compute thread. */

import type { ThreadError } from '../base/concurrency/thread-error.ts'
import type { DatabaseAddress } from './database-address.ts'
import type { DatabaseTimeouts } from './timeouts.ts'
import type { MemberReader, Reader, ReportSteps } from './database.ts'

/** The database to read, and the statement timeout. */
export interface ComputeSource {
  readonly address: DatabaseAddress
  readonly timeouts: DatabaseTimeouts
}

/** What a compute thread reads. */
export interface ThreadReaders {
  member(memberId: number): MemberReader
  readonly shared: Reader
}

/** Instead of a member's number, for shared tables: 0 is never one. */
export const NO_MEMBER = 0

export interface ComputeTask {
  /** The member, or `NO_MEMBER`. */
  readonly memberId: number
  readonly module: string
  readonly name: string
  readonly input: unknown
}

/** Reports precede the single message that ends a task. */
export type ComputeMessage =
  | { readonly kind: 'report'; readonly steps: Parameters<ReportSteps> }
  | { readonly kind: 'output'; readonly output: unknown }
  | ThreadError
