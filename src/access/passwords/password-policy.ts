/**
 * Requirements for new passwords, following NIST SP 800-63B revision 4, section 3.1.1.2: long and hard to guess, with no
 * composition rules.
 */

import { t } from '../../languages/message.ts'
import { wordLinesOf } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { normalForm } from '../../base/normal-form.ts'
import { RequestError } from '../../base/request-error.ts'

/** For a single factor. Characters. */
export const MIN_PASSWORD_LENGTH = 15
/** At least 64 are required. Characters. */
export const MAX_PASSWORD_LENGTH = 200

/** Characters that remain without the guessable parts. */
const LEAST_LEFT = 8

/** Normalizes how a keyboard composed the characters. */
export function normalizePassword(password: string): string {
  return normalForm(password.toWellFormed(), 'NFC')
}

/**
 * Checks a password. `context` has the email, username, name and host name.
 *
 * @throws {RequestError} `invalid_request` with the pointer `/password` when the password is rejected.
 */
export function assertStrongPassword(
  password: string,
  context: readonly (string | null | undefined)[],
): void {
  const normalized = normalizePassword(password)
  const { length } = Array.from(normalized)
  if (length < MIN_PASSWORD_LENGTH)
    throw passwordError(
      t('must have at least {minPasswordLength} characters', {
        minPasswordLength: MIN_PASSWORD_LENGTH,
      }),
    )
  if (length > MAX_PASSWORD_LENGTH)
    throw passwordError(
      t('must have at most {maxPasswordLength} characters', {
        maxPasswordLength: MAX_PASSWORD_LENGTH,
      }),
    )
  if (isGuessable(normalized, []))
    throw passwordError(t('is too easy to guess; use a few unrelated words instead'))
  if (isGuessable(normalized, context.flatMap(wordsOf)))
    throw passwordError(
      t('must contain more than your name, email, username or the name of this service'),
    )
}

function passwordError(detail: string): RequestError {
  return new RequestError('invalid_request', t('The password {detail}.', { detail }), {
    errors: [{ pointer: '/password', detail }],
  })
}

/** A text and its parts, as they may appear in a password. */
function wordsOf(text: string | null | undefined): string[] {
  const parts = normalize(text ?? '').split(/[^\p{L}\p{N}]+/u)
  return [...parts, parts.join('')].filter((word) => word.length >= 3)
}

/** True if too little remains without guessable parts, also with digits read as letters. */
function isGuessable(password: string, context: readonly string[]): boolean {
  const folded = normalize(password)
  if (common().has(folded)) return true
  const words = [...context, ...baseWords()].toSorted((a, b) => b.length - a.length)
  return [folded, lettersForDigits(folded)].some((text) => leftOf(text, words) < LEAST_LEFT)
}

/** Counts letters and digits that no guessable part covers. */
function leftOf(text: string, words: readonly string[]): number {
  let left = text.replaceAll(/(.{2,}?)\1+/gsu, '$1')
  for (const word of words) left = left.replaceAll(word, ' ')
  left = withoutKeyboardRuns(withoutSequences(left)).replaceAll(/(?:19|20)\d\d/g, ' ')
  return Array.from(left.replaceAll(/[\s!-/:-@[-`{-~]/g, '')).length
}

function normalize(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase().trim()
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function lettersForDigits(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign)
}

/** Removes runs of three or more: `aaa`, `1234`, `zyx`. */
function withoutSequences(text: string): string {
  const characters = Array.from(text)
  const stepAt = (index: number) =>
    (characters[index]?.codePointAt(0) ?? 0) - (characters[index - 1]?.codePointAt(0) ?? 0)
  const isInSequence = characters.map(() => false)
  for (let index = 2; index < characters.length; index += 1) {
    const step = stepAt(index)
    if (Math.abs(step) <= 1 && step === stepAt(index - 1))
      isInSequence.fill(true, index - 2, index + 1)
  }
  return characters.map((character, index) => (isInSequence[index] ? ' ' : character)).join('')
}

/** Four or more keys along rows, columns and zigzags. */
const KEYBOARD_RUNS = [
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  "asdfghjkl;'",
  'qsdfghjklm',
  'zxcvbnm,./',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1234567890',
].flatMap((row) => [row, Array.from(row).toReversed().join('')])

const SHORTEST_RUN = 4

function withoutKeyboardRuns(text: string): string {
  let left = text
  for (const row of KEYBOARD_RUNS)
    for (let length = row.length; length >= SHORTEST_RUN; length -= 1)
      for (let start = 0; start + length <= row.length; start += 1)
        left = left.replaceAll(row.slice(start, start + length), ' ')
  return left
}

const wordLines = wordLinesOf(new URL('data/passwords.txt', import.meta.url))

/** Frequent words of published leaks, and our own name. */
const baseWords = lazy(() => wordLines('parts').flat())

/** Long passwords from published leaks. */
const common = lazy(() => new Set(wordLines('whole').flat()))
