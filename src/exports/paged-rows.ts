/** Reads long lists page by page. Pages are separate reads, not one snapshot. */

import type { MemberReader } from '../db/database.ts'
import type { MemberStatement } from '../db/statement.ts'

export interface PageParams {
  readonly after: number
  readonly limit: number
}

/** A page of rows ordered by `key`, a positive number. The next page starts after the last key. */
export type PageStatement<Row> = MemberStatement<PageParams, Row & { readonly key: number }>

const PAGE_SIZE = 200

export async function* pagesOf<Row>(
  reader: MemberReader,
  page: PageStatement<Row>,
): AsyncGenerator<readonly (Row & { readonly key: number })[], void> {
  for (let after = 0; ;) {
    const rows = await reader.all(page, { after, limit: PAGE_SIZE })
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_SIZE) return
    after = rows.at(-1)?.key ?? after
  }
}
