/** Why an address book cannot be read, for members in their language. */

import { inEnglish, messageText, phrase, t, type Message } from '../languages/message.ts'

interface Failure {
  /** The status of the answer; undefined without one. */
  readonly status?: number
  /** When the server wants to be asked again. Milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Whether only the member can help, so the book is no longer pulled. */
  readonly isFinal?: boolean
}

/** The text continues “The address book …”, without a full stop. It has no password. */
export class BookError extends Error {
  override readonly name = 'BookError'
  readonly text: Message
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly isFinal: boolean

  constructor(text: Message, { status, retryAfterMs, isFinal = false }: Failure = {}) {
    super(inEnglish(text))
    this.text = text
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.isFinal = isFinal
  }

  /** Whether another request may work: the server answered, and does not want to be left alone. */
  get isAboutRequest(): boolean {
    return this.status !== undefined && !this.isFinal && this.retryAfterMs === undefined
  }
}

export const UNREACHABLE: Message = {
  source: phrase('could not be reached, or its server did not answer in time'),
}

/** A stored error as a sentence in the language of the reader. */
export function bookProblem(stored: string): string {
  return t('The address book {reason}.', { reason: messageText(JSON.parse(stored) as Message) })
}
