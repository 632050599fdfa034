/** Reads one member's rows on a separate read-only connection, for a compute thread. */

import { bind, SqliteConnection } from './connection.ts'
import { translateFailure } from './failures.ts'
import type { MemberReader } from '../../database.ts'
import type { MemberStatement } from '../../statement.ts'

const CACHE_MEBIBYTES = 16

/** The connection stays open as long as its thread. */
export function openSqliteReaders(path: string): (memberId: number) => MemberReader {
  const connection = new SqliteConnection(path, {
    readOnly: true,
    cacheMebibytes: CACHE_MEBIBYTES,
  })
  return (memberId) => ({
    memberId,
    async get<P, Row>({ text }: MemberStatement<P, Row>, params: P) {
      return translating(() => {
        const prepared = connection.prepare(text)
        const values = bind(prepared, params as object, memberId)
        return prepared.statement.get(...values) as Row | undefined
      })
    },
    async all<P, Row>({ text }: MemberStatement<P, Row>, params: P) {
      return translating(() => {
        const prepared = connection.prepare(text)
        return prepared.statement.all(...bind(prepared, params as object, memberId)) as Row[]
      })
    },
  })
}

function translating<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw translateFailure(error)
  }
}
