/** Reads outside a transaction: on a connection, or in threads. */

import { bind, SqliteConnection } from './sqlite-connection.ts'
import { translateFailure } from './failures.ts'
import { allRows, getRow } from './statements.ts'
import type { ThreadReaders } from '../../compute-messages.ts'
import type { MemberReader, Reader } from '../../database.ts'
import type { MemberStatement, Statement } from '../../statement.ts'
import type { SearchThreads } from './search-threads.ts'

type LightConnection = () => SqliteConnection

type AnyStatement<P, Row> = Statement<P, Row> | MemberStatement<P, Row>

const CACHE_MEBIBYTES = 16

/** Reads on a separate connection, for a compute thread. It stays open as long as its thread. */
export function openSqliteReaders(path: string): ThreadReaders {
  const connection = new SqliteConnection(path, {
    readOnly: true,
    cacheMebibytes: CACHE_MEBIBYTES,
  })
  return {
    shared: readerOn(() => connection),
    member: (memberId) => ({ memberId, ...readerOn(() => connection, memberId) }),
  }
}

/** Reads of shared rows, or of those of a member. */
export function readerOn(light: LightConnection, memberId?: number) {
  return {
    async get<P, Row>({ text }: AnyStatement<P, Row>, params: P) {
      return getRow<Row>(light(), text, params as object, memberId)
    },
    async all<P, Row>({ text }: AnyStatement<P, Row>, params: P) {
      return allRows<Row>(light(), text, params as object, memberId)
    },
  } satisfies Reader & Omit<MemberReader, 'memberId'>
}

/** The same in threads. Compiled here, so that a missing parameter throws here; prepared and run in the thread. */
export function threadReader(light: LightConnection, threads: SearchThreads, memberId?: number) {
  return {
    async get<P, Row>(statement: AnyStatement<P, Row>, params: P) {
      return (await this.all(statement, params))[0]
    },
    async all<P, Row>({ text }: AnyStatement<P, Row>, params: P) {
      try {
        const values = bind(light().prepare(text), params as object, memberId)
        return (await threads.all(text, values, memberId)) as Row[]
      } catch (error) {
        throw translateFailure(error)
      }
    },
  } satisfies Reader & Omit<MemberReader, 'memberId'>
}
