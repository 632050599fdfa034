/** Runs in a worker thread: heavy reads, one at a time, on a separate read-only connection. */

import { messageOf } from '../../../base/thrown.ts'
import { parentPort, workerData } from 'node:worker_threads'
import type { SQLInputValue } from 'node:sqlite'
import { SqliteConnection } from './sqlite-connection.ts'
import { errorCode } from './failures.ts'
import { everyRow } from './statements.ts'

export interface SearchThreadData {
  readonly path: string
  readonly cacheMebibytes: number
}

export interface SearchQuestion {
  readonly id: number
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** Rows are sent as JSON: one string crosses threads several times faster than an object graph. */
export type SearchAnswer =
  | { readonly id: number; readonly rows: string }
  | { readonly id: number; readonly error: string; readonly errcode: number | undefined }

if (parentPort) answerQuestions(parentPort, workerData as SearchThreadData)

function answerQuestions(port: NonNullable<typeof parentPort>, data: SearchThreadData): void {
  const connection = new SqliteConnection(data.path, {
    readOnly: true,
    cacheMebibytes: data.cacheMebibytes,
  })
  port.on('message', (query: SearchQuestion | 'close') => {
    if (query === 'close') {
      connection.close()
      port.close()
      return
    }
    port.postMessage(answer(connection, query))
  })
}

function answer(connection: SqliteConnection, { id, text, values }: SearchQuestion): SearchAnswer {
  try {
    return { id, rows: JSON.stringify(everyRow(connection.prepare(text), values)) }
  } catch (error) {
    return { id, error: messageOf(error), errcode: errorCode(error) }
  }
}
