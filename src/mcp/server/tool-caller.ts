/** The authenticated caller of a tool. */

import type { RequestKey } from '../../guards/idempotency-key.ts'
import type { Caller } from '../../http/caller.ts'

/** Who calls, and by which request: what the log and a failed call name. */
export interface ToolCaller {
  readonly caller: Caller
  readonly requestId: string
  /** The key of the HTTP request; each call of a batch has its own position under it. */
  readonly nextKey?: (() => RequestKey) | undefined
  /**
   * Aborts when the connection closes. Reads without a key stop then in every era, because no one can receive what they
   * find; whether a closed connection cancels a write is the era's to say.
   */
  readonly disconnected?: AbortSignal | undefined
}
