/** Errors as messages of worker threads: structured clone keeps neither the class of an error nor its own fields. */

import { RequestError, type RequestErrorCode, type RequestErrorDetails } from '../request-error.ts'

export type ThreadError =
  | {
      readonly kind: 'request_error'
      readonly code: RequestErrorCode
      readonly message: string
      readonly details: RequestErrorDetails
    }
  | { readonly kind: 'error'; readonly error: Error }

/** The message for an error that was thrown in a thread. */
export function threadErrorOf(error: unknown): ThreadError {
  if (error instanceof RequestError) {
    const { code, message, details } = error
    return { kind: 'request_error', code, message, details }
  }
  return { kind: 'error', error: error instanceof Error ? error : new Error(String(error)) }
}

/** The error to throw for such a message. */
export function errorOf(thrown: ThreadError): Error {
  if (thrown.kind === 'error') return thrown.error
  return new RequestError(thrown.code, thrown.message, thrown.details)
}
