/** When the keys of a network are loaded for an import, and how long they are valid. */

import { readNetworkState } from '../../tools/call-state.ts'
import { emptyRun, hasKey } from '../model/key-run.ts'
import { readRemoved, readRuns } from '../model/key-run-store.ts'
import { pairOf } from '../model/connection-key.ts'
import { countKeyRows, deleteKeyRows, firstKeyRows, readKeyRows } from '../model/key-store.ts'
import { recordKeyChanges } from '../model/search-changes.ts'
import { KeyIndex } from './key-index.ts'
import type { KeyChanges } from './key-changes.ts'
import type { MemberDatabase } from '../../db/database.ts'

export interface KnownKeys {
  readonly index: KeyIndex
  /** `search_version` of the network. The keys are valid only while the network has this version. */
  readonly version: number
}

/** In a transaction of the import. */
export interface ChangedKeys extends KnownKeys {
  /** Since the index was saved. */
  readonly changes: KeyChanges
}

/** Smaller files add rows to the table of keys, and loading all keys takes longer than looking up theirs. */
const MIN_BYTES = 50_000
/** With more connections per row to import, loading all keys takes longer than looking up those of the rows. */
const MAX_CONNECTIONS_PER_ROW = 20
/** Of a short row. Longer rows only cause keys to be loaded for fewer of them. */
const BYTES_PER_ROW = 100
/** Times per import. A network that changes while it is imported into loses its keys again and again. */
const MAX_LOADS = 4
/** With more rows in the table of keys, they become runs first, which are loaded faster. */
const MAX_ROWS = 16_384
/** Rows per transaction. */
const ROWS_MOVED = 8192

interface Limits {
  readonly minBytes: number
  readonly maxRows: number
  readonly rowsMoved: number
}

const LIMITS: Limits = { minBytes: MIN_BYTES, maxRows: MAX_ROWS, rowsMoved: ROWS_MOVED }

/** Loads the keys of a network for an import. */
export class KeyLoader {
  readonly #db: MemberDatabase
  readonly #limits: Limits
  #loads = 0

  constructor(db: MemberDatabase, limits: Partial<Limits> = {}) {
    this.#db = db
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Undefined if it is not worth it for the rest of a file, of which so many bytes are left. */
  async load(bytes: number): Promise<KnownKeys | undefined> {
    if (this.#loads === MAX_LOADS || bytes < this.#limits.minBytes) return undefined
    // The version is read first: whatever is written while the keys are read raises it.
    const { last_connection: connections, search_version: version } = await readNetworkState(
      this.#db,
    )
    if (connections * BYTES_PER_ROW > bytes * MAX_CONNECTIONS_PER_ROW) return undefined
    this.#loads += 1
    const rows = await countKeyRows(this.#db, this.#limits.maxRows + 1)
    const isMoved = rows > this.#limits.maxRows
    const parts = {
      runs: await readRuns(this.#db),
      rows: isMoved ? emptyRun(0) : await readKeyRows(this.#db),
    }
    const removed = (await readRemoved(this.#db)).filter((one) => !hasKey(parts.rows, one))
    const known = {
      index: new KeyIndex({ ...parts, removed: new Set(removed.map(pairOf)) }),
      version,
    }
    return isMoved ? this.#moveRows(known) : known
  }

  /** Turns the rows of the table into runs. Undefined if someone else changes the network meanwhile. */
  async #moveRows(before: KnownKeys): Promise<KnownKeys | undefined> {
    let known = before
    for (;;) {
      const next = await this.#db.write(
        async (tx) => {
          if ((await readNetworkState(tx)).search_version !== known.version) return undefined
          const rows = await firstKeyRows(tx, this.#limits.rowsMoved)
          const [first, last] = [rows[0], rows.at(-1)]
          if (!first || !last) return known
          const index = await known.index.saveRows(tx, rows)
          await deleteKeyRows(tx, last)
          const version = await recordKeyChanges(tx, [first.connection_id])
          return { index, version: version ?? known.version }
        },
        { bulk: true },
      )
      if (!next || next === known) return next
      known = next
    }
  }
}
