/** Why a calendar cannot be fetched or read, for members in their language. */

import { inEnglish, t, messageText, type Message } from '../languages/message.ts'

/** A calendar cannot be fetched or read. The text continues “The calendar …”, without a full stop. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError'
  readonly text: Message

  constructor(text: Message) {
    super(inEnglish(text))
    this.text = text
  }
}

/** How a calendar stores the error of its last sync. */
export function storedProblem({ text }: CalendarError): string {
  return JSON.stringify(text)
}

/** A stored error as a sentence in the language of the reader. */
export function problemText(stored: string): string {
  return t('The calendar {reason}.', { reason: messageText(JSON.parse(stored) as Message) })
}
