/** A matching key of a connection (`match-keys.ts`). */

export interface ConnectionKey {
  readonly key: string
  readonly connectionId: number
}

/** The same as a row of a query. */
export interface FoundKey {
  readonly key: string
  readonly connection_id: number
}
