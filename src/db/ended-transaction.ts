/** The error for a statement that a transaction's handle gets after the commit or rollback, on every engine. */

/**
 * A bug in the caller: a promise of the transaction that its `work` did not await, or that was still running when another
 * one failed. Without this error, the statement would commit by itself, or in the next transaction of the connection.
 */
export function transactionEnded(): Error {
  return new Error('the transaction has ended; its work must await every statement')
}
