/** Dependencies of the connection pages. */

import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface ConnectionDeps {
  readonly database: Database
  readonly clock: Clock
  readonly embedder: Embedder
  readonly undoers: readonly Undoer[]
}
