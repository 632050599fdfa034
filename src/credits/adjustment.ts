/** What an admin enters to add or remove credits, on the page of a member and on the command line. */

/** Maximum length of the reason, which the member's ledger shows. */
export const MAX_REASON_LENGTH = 100

const MAX_ADJUSTMENT = 1_000_000_000

export const CREDITS_RULE = 'Use a whole number other than 0, such as 500 or -500.'
export const REASON_RULE = `Use 1 to ${MAX_REASON_LENGTH} characters on one line.`

/** Returns a whole number other than 0; undefined for other text. */
export function readCredits(text: string): number | undefined {
  const value = Number(text)
  const isValid = /^[+-]?\d{1,10}$/.test(text) && value !== 0 && Math.abs(value) <= MAX_ADJUSTMENT
  return isValid ? value : undefined
}

/** Returns the text without spaces around it; undefined if it is empty, too long or more than a line. */
export function readReason(text: string): string | undefined {
  const trimmed = text.trim()
  const isValid = trimmed !== '' && trimmed.length <= MAX_REASON_LENGTH && !/\p{C}/u.test(trimmed)
  return isValid ? trimmed : undefined
}

/** Returns the text in the audit log, such as `+500: trial`. */
export function adjustmentText(credits: number, reason: string): string {
  return `${credits > 0 ? '+' : ''}${credits}: ${reason}`
}
