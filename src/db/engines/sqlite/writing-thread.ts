/** Runs in a worker thread: the statements of one transaction at a time, on a connection of its own. */

import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { threadErrorOf, type ThreadError } from '../../../base/thread-error.ts'
import { SqliteConnection } from './connection.ts'
import { errorCode } from './failures.ts'
import {
  allRows,
  changeRow,
  deleteRows,
  getRow,
  insertRows,
  runWrite,
  updateRows,
} from './statements.ts'

export interface WritingThreadData {
  readonly path: string
  readonly cacheMebibytes: number
}

/** What the thread can do, each with the connection of its transaction. */
const OPERATIONS = {
  begin: ({ handle }: SqliteConnection) => handle.exec('begin immediate'),
  commit: ({ handle }: SqliteConnection) => handle.exec('commit'),
  rollback({ handle }: SqliteConnection) {
    if (handle.isTransaction) handle.exec('rollback')
  },
  get: getRow<unknown>,
  all: allRows<unknown>,
  run: runWrite,
  change: changeRow<unknown>,
  insert: insertRows,
  update: updateRows,
  delete: deleteRows,
}

type Operations = typeof OPERATIONS
export type Operation = keyof Operations
/** Without the connection. */
export type Operands<Name extends Operation> =
  Parameters<Operations[Name]> extends [unknown, ...infer Rest] ? Rest : never

/** Answered in the order in which they arrive. */
export interface WriteRequest<Name extends Operation = Operation> {
  readonly operation: Name
  readonly operands: Operands<Name>
}

export type WriteAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string; readonly errcode: number }
  | ThreadError

if (parentPort) answerRequests(parentPort, workerData as WritingThreadData)

function answerRequests(port: MessagePort, { path, cacheMebibytes }: WritingThreadData): void {
  const connection = new SqliteConnection(path, { cacheMebibytes })
  // The main thread decides when the log is copied (`checkpoints.ts`).
  connection.handle.exec('pragma wal_autocheckpoint = 0')
  port.on('message', (request: WriteRequest | 'close') => {
    if (request === 'close') {
      connection.close()
      port.close()
      return
    }
    port.postMessage(answerTo(connection, request))
  })
}

function answerTo(
  connection: SqliteConnection,
  { operation, operands }: WriteRequest,
): WriteAnswer {
  try {
    // The operands are those of the operation (`WriteRequest`), which TypeScript does not follow through a union.
    const run = OPERATIONS[operation] as (on: SqliteConnection, ...all: unknown[]) => unknown
    return { kind: 'value', value: run(connection, ...operands) }
  } catch (error) {
    const errcode = errorCode(error)
    if (errcode === undefined) return threadErrorOf(error)
    return { kind: 'failure', message: (error as Error).message, errcode }
  }
}
