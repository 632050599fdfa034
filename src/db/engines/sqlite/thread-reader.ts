/** Runs heavy reads in threads. */

import type { Reader } from '../../database.ts'
import type { Statement } from '../../statement.ts'
import { bind, type SqliteConnection } from './sqlite-connection.ts'
import { translateFailure } from './failures.ts'
import type { SearchThreads } from './search-threads.ts'

/** Selects the connection for light reads. */
export type LightConnection = () => SqliteConnection

/** Runs shared reads in threads. */
export function threadReader(light: LightConnection, threads: SearchThreads): Reader {
  return {
    async get<P, Row>(statement: Statement<P, Row>, params: P) {
      return (await this.all(statement, params))[0]
    },
    async all<P, Row>(statement: Statement<P, Row>, params: P) {
      return askThread<Row>(light, threads, statement.text, params as object)
    },
  }
}

/** Compiled here, so that a missing parameter throws here; prepared and run in the thread. */
export async function askThread<Row>(
  light: LightConnection,
  threads: SearchThreads,
  text: string,
  params: object,
  memberId?: number,
): Promise<Row[]> {
  try {
    const values = bind(light().prepare(text), params, memberId)
    return (await threads.all(text, values, memberId)) as Row[]
  } catch (error) {
    throw translateFailure(error)
  }
}
