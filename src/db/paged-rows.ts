/** Reads long lists page by page. Pages are separate reads, not one snapshot. */

import type { MemberReader } from './database.ts'
import type { MemberStatement } from './statement.ts'

export interface PageParams<Key = number> {
  readonly after: Key
  readonly limit: number
}

interface Keyed<Key> {
  readonly key: Key
}

/** A page of rows ordered by `key`, a number above 0 or a text that is not empty. The next page starts after the last key. */
export type PageStatement<Row, Key = number> = MemberStatement<PageParams<Key>, Row & Keyed<Key>>

const PAGE_SIZE = 200

/** Yields no empty page. `first` is before the first key. */
export async function* pagesOf<Row, Key extends number | string = number>(
  reader: MemberReader,
  page: PageStatement<Row, Key>,
  { first, limit = PAGE_SIZE }: { readonly first: Key; readonly limit?: number },
): AsyncGenerator<readonly (Row & Keyed<Key>)[], void> {
  for (let after = first; ;) {
    const rows = await reader.all(page, { after, limit })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = last.key
  }
}
