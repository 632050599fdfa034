/**
 * What a new password must be: NIST SP 800-63B revision 4, section 3.1.1.2. Long enough for a single factor, not one that
 * is guessed first, and nothing else: no rule asks for capitals, digits or signs. Passwords from before a rule keep
 * working; the rule applies when one is chosen.
 */

import { RequestError } from '../base/request-error.ts'

/** Characters: the minimum for a password that is the only factor. */
export const MIN_PASSWORD_LENGTH = 15
/** Characters; section 3.1.1.2 asks for at least 64. */
export const MAX_PASSWORD_LENGTH = 200

/** Characters that must be left of a password without its guessable parts. */
const LEAST_LEFT = 8

/** The same password however a keyboard composes its letters. */
export function normalizePassword(password: string): string {
  return password.toWellFormed().normalize('NFC')
}

/**
 * `context` is what is known of the member and the service: email address, username, name, host name.
 *
 * @throws Refusal `invalid_request` that names the field `/password`.
 */
export function assertStrongPassword(
  password: string,
  context: readonly (string | null | undefined)[],
): void {
  const normalized = normalizePassword(password)
  const { length } = Array.from(normalized)
  if (length < MIN_PASSWORD_LENGTH)
    throw refusal(`must have at least ${MIN_PASSWORD_LENGTH} characters`)
  if (length > MAX_PASSWORD_LENGTH)
    throw refusal(`must have at most ${MAX_PASSWORD_LENGTH} characters`)
  if (isGuessable(normalized, []))
    throw refusal('is too easy to guess; use a few unrelated words instead')
  if (isGuessable(normalized, context.flatMap(wordsOf)))
    throw refusal(
      'must be more than your name, email address, username or the name of this service',
    )
}

function refusal(detail: string): RequestError {
  return new RequestError('invalid_request', `The password ${detail}.`, {
    errors: [{ pointer: '/password', detail }],
  })
}

/** A whole text and its parts, as they could stand in a password. */
function wordsOf(text: string | null | undefined): string[] {
  const parts = normalize(text ?? '').split(/[^\p{L}\p{N}]+/u)
  return [...parts, parts.join('')].filter((word) => word.length >= 3)
}

/** Whether little is left of the password without its guessable parts: as it is typed, or with digits for letters. */
function isGuessable(password: string, context: readonly string[]): boolean {
  const folded = normalize(password)
  if (COMMON.has(folded)) return true
  const words = [...context, ...BASE_WORDS].toSorted((a, b) => b.length - a.length)
  return [folded, lettersForDigits(folded)].some((text) => leftOf(text, words) < LEAST_LEFT)
}

/** The number of characters that no guess explains; spaces and punctuation never count. */
function leftOf(text: string, words: readonly string[]): number {
  let left = text.replaceAll(/(.{2,}?)\1+/gsu, '$1')
  for (const word of words) left = left.replaceAll(word, ' ')
  left = withoutKeyboardRuns(withoutSequences(left)).replaceAll(/(?:19|20)\d\d/g, ' ')
  return Array.from(left.replaceAll(/[\s!-/:-@[-`{-~]/g, '')).length
}

function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
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

/** Of three and more characters that are the same, or each the next of the one before: `aaa`, `1234`, `zyx`. */
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

/** Along the rows, columns and zigzags of common keyboards, four keys and more. */
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

/** What long passwords are padded around, most of all: the commonest words in published leaks, and our own name. */
const BASE_WORDS =
  `weft password passwort passwd pass word admin administrator root login signin welcome letmein
  changeme default secret private access account user guest test testing temp iloveyou loveyou love trustno qwerty
  azerty abc dragon monkey football baseball basketball soccer hockey superman batman spiderman pokemon starwars
  minecraft fortnite princess sunshine shadow master hello charlie michael jordan liverpool arsenal chelsea
  barcelona spring summer autumn winter january february march april june july august september october november
  december monday friday correcthorsebatterystaple`
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * The passwords of fifteen characters and more among the 49,000 commonest that zxcvbn-ts lists
 * (@zxcvbn-ts/language-common 4.1.3, MIT), without those that the parts above explain.
 */
const COMMON: ReadonlySet<string> = new Set(
  `mailcreated5240 polniypizdec0211 polniypizdec110211 momsanaladventure hd764nw5d7e1vb1 hd764nw5d7e1vbv 23176djivanfros
  zqjphsyf6ctifgu lhbjkjubz2957704 nemvxyheqdd5oqxyxyzi passwordstandard bpgjldsgjldthnf 12345678987654321
  122333444455555 nick1234-rem936 aksjdlasdakj89879 lytdybrbdfvgbhf 420842084208555 polniypizdec1102 ne_e_pod_chehyl
  bhrh0h2oof6xbqjeh`.split(/\s+/),
)
