/** What the pages of connections are made of. */

import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Meaning } from '../../embeddings/embedder.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface ConnectionParts {
  readonly database: Database
  readonly clock: Clock
  readonly meaning: Meaning
  readonly undoers: readonly Undoer[]
}
