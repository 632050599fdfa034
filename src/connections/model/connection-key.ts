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

/** Both as one text. */
export function pairOf({ key, connection_id }: FoundKey): string {
  return `${key} ${connection_id}`
}

/** The inverse of `pairOf`. */
export function readPair(pair: string): FoundKey {
  const [key = '', id] = pair.split(' ')
  return { key, connection_id: Number(id) }
}
