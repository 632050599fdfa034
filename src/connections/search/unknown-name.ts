/** What a query names that no connection has: a person or a company that is not in the network. */

import { t } from '../../languages/message.ts'
import { isCapitalized, isNameWord } from '../../search/query/proper-nouns.ts'
import type { Guess, QueryWord } from '../../search/index/query-word.ts'
import type { MatchedField } from '../../search/index/search-fields.ts'
import type { Found } from './find.ts'
import type { WeakerMatch } from './weaker-match.ts'

type Answered = Pick<Found, 'asked' | 'unknown' | 'complete' | 'hasHanNames'>

function isProperNoun(word: QueryWord): boolean {
  return isNameWord(word) || word.isEmployer === true || word.isPlace === true
}

/** Words of a name. */
const MAX_NAME_WORDS = 4

/** Whether the query is only a name or an employer of which no one has any word. */
export function isUnknownName(answer: Answered): boolean {
  const required = requiredOf(answer)
  return (
    required.length > 0 && required.every(({ word, isUnknown }) => isUnknown && isProperNoun(word))
  )
}

/** A listed person, and how they match. */
interface ListedMatch {
  /** Not given where the people are listed with the hint. */
  readonly name?: string
  readonly fields: readonly MatchedField[]
  readonly weaker?: WeakerMatch
}

/**
 * `No person named Haverkamp.`; undefined if someone matches completely, or the query names no one. With the weaker
 * matches that are listed, of which some may have the name in another spelling.
 */
export function unknownNameText(
  answer: Answered,
  listed: readonly ListedMatch[],
): string | undefined {
  if (answer.complete > 0) return undefined
  const required = requiredOf(answer)
  const missing = required.filter(({ isUnknown }) => isUnknown)
  const guesses = listed.flatMap(({ weaker }) => weaker?.guesses ?? [])
  // The same name in other letters may be theirs, and one word may still be typed.
  if (missing.some(({ word }) => isGuessedAs('letters', word, guesses))) return undefined
  if (isOneBeginning(required, guesses)) return undefined
  const named = missing.filter(
    ({ word }) => isProperNoun(word) && !isGuessedAs('named', word, guesses),
  )
  if (missing.length > 0 && named.length === 0) return undefined
  // No one has the whole name, also where others have a word of it.
  const words = isName(required) ? required : named
  if (words.length === 0) return undefined
  const isAlike = words.some(({ word }) => spellingOf(word, guesses) !== undefined)
  if (!isAlike && words.every(mayBeJapanese) && answer.hasHanNames()) return undefined
  // Only if someone has all of the name, a similar word is shown: a Carver Group is not like the Carter Bank.
  const compared = isAlike ? withNeighbors(words, required) : words
  const typed = typedIn(compared)
  const found = isAlike ? spelledBy(compared, listed) : ''
  if (isName(required))
    return found === ''
      ? withNear(t('No person named {name}.', { name: typed }), listed)
      : t('No person is named exactly {name}; similar spelling: {found}.', {
          name: typed,
          found,
        })
  if (found !== '')
    return t('No person has exactly {words}; similar spelling: {found}.', {
      words: typed,
      found,
    })
  return isElsewhere(words, guesses)
    ? t('No person has {words} as the company.', { words: typed })
    : t('No person has {words}.', { words: typed })
}

/** With the people who have a word of it in their name. */
function withNear(text: string, listed: readonly ListedMatch[]): string {
  const near = listed.filter(
    ({ weaker, fields }) => weaker && weaker.words.length > 0 && fields.includes('name'),
  )
  const names = near.slice(0, MAX_NEAR).flatMap(({ name }) => name ?? [])
  if (names.length === 0) return text
  return `${text} ${t('Names that have a part of it: {names}.', { names: names.join(', ') })}`
}

/** Names in a hint. */
const MAX_NEAR = 3

/** A name that may be that of someone in Han letters, of which the reading is unknown: Tanaka for 田中. */
function mayBeJapanese({ word }: RequiredWord): boolean {
  const { text, typed = text } = word
  return isNameWord(word) && /^[a-zāīūēō]+$/i.test(typed) && SYLLABLES.test(text)
}

/** The syllables of Japanese in Latin letters, as Hepburn writes them. */
const SYLLABLES =
  /^(?:[kgnhbpmr]y[auo]|(?:[cs]h|j)[aiuo]|tsu|fu|wa|y[auo]|[kgnhbpmr]?[aiueo]|[sz][aueo]|[td][aeo]|n(?![aiueoy]))+$/

/** A proper noun that a listed person has and that is spelled like the word, as written. */
function spellingOf(word: QueryWord, guesses: WeakerMatch['guesses']): string | undefined {
  const { typed, text } = word
  const isAlike = ({ word: other, guess, found = '' }: WeakerMatch['guesses'][number]) =>
    other === (typed ?? text) && SPELLINGS.has(guess) && /^[\p{Lu}\p{Lo}]/u.test(found)
  return guesses.find(isAlike)?.found
}

const SPELLINGS: ReadonlySet<Guess> = new Set(['spelling', 'ending'])

/** With the capitalized words beside them, of which a name may consist. */
function withNeighbors(
  words: readonly RequiredWord[],
  required: readonly RequiredWord[],
): RequiredWord[] {
  const isPart = (one: RequiredWord | undefined) =>
    one !== undefined && (words.includes(one) || isCapitalized(one.word.typed ?? ''))
  let [start, end] = [required.length, -1]
  for (const [at, one] of required.entries())
    if (words.includes(one)) [start, end] = [Math.min(start, at), at]
  while (isPart(required[start - 1])) start -= 1
  while (isPart(required[end + 1])) end += 1
  return required.slice(start, end + 1)
}

/** All of the words as the first of these people has them; empty if no one has all. */
function spelledBy(words: readonly RequiredWord[], listed: readonly ListedMatch[]): string {
  for (const { weaker } of listed) {
    const parts = words.flatMap(({ word }) => {
      const own = word.typed ?? word.text
      const guess = weaker?.guesses.find((one) => one.word === own)
      if (guess) return spellingOf(word, [guess]) ?? []
      return weaker?.words.includes(own) === true ? own : []
    })
    if (parts.length === words.length) return parts.join(' ')
  }
  return ''
}

/** Whether the query is one word, and someone has a longer one. */
function isOneBeginning(
  [only, ...others]: readonly RequiredWord[],
  guesses: WeakerMatch['guesses'],
): boolean {
  if (!only || others.length > 0 || only.word.isEmployer === true) return false
  return isGuessedAs('longer', only.word, guesses)
}

function isElsewhere(words: readonly RequiredWord[], guesses: WeakerMatch['guesses']): boolean {
  return words.every(({ word }) => isGuessedAs('elsewhere', word, guesses))
}

function isGuessedAs(
  kind: Guess,
  { typed, text }: QueryWord,
  guesses: WeakerMatch['guesses'],
): boolean {
  return guesses.some(({ word, guess }) => guess === kind && word === (typed ?? text))
}

interface RequiredWord {
  readonly word: QueryWord
  /** Whether no one in the network has the word itself. */
  readonly isUnknown: boolean
}

function requiredOf({ asked, unknown }: Answered): RequiredWord[] {
  return asked.words.flatMap((word, at) =>
    word.isOptional ? [] : [{ word, isUnknown: (unknown & (1 << at)) !== 0 }],
  )
}

function isName(required: readonly RequiredWord[]): boolean {
  const { length } = required
  return length > 0 && length <= MAX_NAME_WORDS && required.every(({ word }) => isNameWord(word))
}

function typedIn(words: readonly RequiredWord[]): string {
  return words
    .map(({ word: { typed, text } }) => typed ?? text)
    .join(' ')
    .replace(/\.$/, '')
}
