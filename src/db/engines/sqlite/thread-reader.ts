/** Runs heavy reads in threads. */

import type { MemberReader, Reader } from '../../database.ts'
import type { MemberStatement, Statement } from '../../statement.ts'
import { bind, type SqliteConnection } from './sqlite-connection.ts'
import { translateFailure } from './failures.ts'
import type { SearchThreads } from './search-threads.ts'

/** Selects the connection for light reads. */
export type LightConnection = () => SqliteConnection

/**
 * Reads of shared rows, or of those of a member. Compiled here, so that a missing parameter throws here; prepared and run in
 * the thread.
 */
export function threadReader(light: LightConnection, threads: SearchThreads, memberId?: number) {
  return {
    async get<P, Row>(statement: Statement<P, Row> | MemberStatement<P, Row>, params: P) {
      return (await this.all(statement, params))[0]
    },
    async all<P, Row>({ text }: Statement<P, Row> | MemberStatement<P, Row>, params: P) {
      try {
        const values = bind(light().prepare(text), params as object, memberId)
        return (await threads.all(text, values, memberId)) as Row[]
      } catch (error) {
        throw translateFailure(error)
      }
    },
  } satisfies Reader & Omit<MemberReader, 'memberId'>
}
