/**
 * The keys of a network in memory. Most rows of a large file are new people: instead of looking up all of their keys, an
 * import asks the database only for keys that exist.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { KeyFilter } from './key-filter.ts'

export interface KnownKeys {
  /** Has every key of the network; keys that were removed since may remain. */
  readonly filter: KeyFilter
  /** `search_version` of the network. The filter is valid only while the network has this version. */
  readonly version: number
}

/** With more connections per row to import, loading all keys takes longer than looking up those of the rows. */
const MAX_CONNECTIONS_PER_ROW = 3
/** Of a short row. Longer rows only cause keys to be loaded for fewer of them. */
const BYTES_PER_ROW = 100
/** Times per import. A network that changes while it is imported into loses its keys again and again. */
const MAX_LOADS = 4

interface RestOfFile {
  readonly bytes: number
  /** Of the rows before it, most were new people. */
  readonly isMostlyNew: boolean
}

/** Loads the keys of a network for an import. */
export class KeyLoader {
  readonly #db: MemberReader
  readonly #page: number
  #loads = 0

  /** `page` is the number of keys per statement. */
  constructor(db: MemberReader, page = PAGE) {
    this.#db = db
    this.#page = page
  }

  /** Undefined if it is not worth it for the rest of a file. */
  async load({ bytes, isMostlyNew }: RestOfFile): Promise<KnownKeys | undefined> {
    if (this.#loads === MAX_LOADS) return undefined
    // The version is read first: whatever is written while the keys are read raises it.
    const { last_connection: connections, search_version: version } = await readNetworkState(
      this.#db,
    )
    const isLarge = connections * BYTES_PER_ROW <= bytes * MAX_CONNECTIONS_PER_ROW
    if (connections > 0 && !(isMostlyNew && isLarge)) return undefined
    this.#loads += 1
    const filter = new KeyFilter()
    if (connections > 0) await this.#readKeys(filter)
    return { filter, version }
  }

  async #readKeys(filter: KeyFilter): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const page: KeyPage | undefined = await this.#db.get(KEYS, { after, limit: this.#page })
      filter.addAll(page?.keys ?? '')
      after = page?.last ?? null
      await nextTurn()
    }
  }
}

/** Takes SQLite less than a millisecond. A search thread for larger pages would take 27 MB (decisions/0071). */
const PAGE = 2000

interface KeyPage {
  /** Separated by spaces. Null without any. */
  readonly keys: string | null
  readonly last: string | null
}

/** By primary key. One text is read faster than a row per key. */
const KEYS = memberStatement<{ after: string; limit: number }, KeyPage>()(`
  select string_agg(k.key, ' ') as keys, max(k.key) as last from (
    select key from connection_keys where member_id = :member_id and key > :after
    order by key limit :limit) k`)
