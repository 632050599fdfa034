/** Reads on a separate read-only connection, for a compute thread. */

import { SqliteConnection } from './sqlite-connection.ts'
import { allRows, getRow } from './statements.ts'
import type { ThreadReaders } from '../../compute-messages.ts'
import type { MemberReader, Reader } from '../../database.ts'
import type { MemberStatement, Statement } from '../../statement.ts'

const CACHE_MEBIBYTES = 16

/** The connection stays open as long as its thread. */
export function openSqliteReaders(path: string): ThreadReaders {
  const connection = new SqliteConnection(path, {
    readOnly: true,
    cacheMebibytes: CACHE_MEBIBYTES,
  })
  return {
    shared: readerOn(connection),
    member: (memberId) => ({ memberId, ...readerOn(connection, memberId) }),
  }
}

function readerOn(connection: SqliteConnection, memberId?: number) {
  return {
    async get<P, Row>({ text }: Statement<P, Row> | MemberStatement<P, Row>, params: P) {
      return getRow<Row>(connection, text, params as object, memberId)
    },
    async all<P, Row>({ text }: Statement<P, Row> | MemberStatement<P, Row>, params: P) {
      return allRows<Row>(connection, text, params as object, memberId)
    },
  } satisfies Reader & Omit<MemberReader, 'memberId'>
}
