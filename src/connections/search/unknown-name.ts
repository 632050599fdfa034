/** What a query names that no connection has: a person or a company that is not in the network. */

import { t } from '../../languages/message.ts'
import { isNameWord } from '../../search/query/proper-nouns.ts'
import type { Guess, QueryWord } from '../../search/index/query-word.ts'
import type { Found } from './find.ts'
import type { WeakerMatch } from './weaker-match.ts'

type Answered = Pick<Found, 'asked' | 'unknown' | 'complete' | 'hasHanNames'>

/** Words of a name. */
const MAX_NAME_WORDS = 4

/** Whether the query is only a name or an employer of which no one has any word. */
export function isUnknownName(answer: Answered): boolean {
  const required = requiredOf(answer)
  return (
    required.length > 0 &&
    required.every(
      ({ word, isUnknown }) => isUnknown && (isNameWord(word) || word.isEmployer === true),
    )
  )
}

/**
 * `No connection named Haverkamp.`; undefined if someone matches completely, or the query names no one. With the weaker
 * matches that are listed, of which some may have the name in another spelling.
 */
export function unknownNameText(
  answer: Answered,
  listed: readonly { readonly weaker?: WeakerMatch }[],
): string | undefined {
  if (answer.complete > 0) return undefined
  const required = requiredOf(answer)
  const missing = required.filter(({ isUnknown }) => isUnknown)
  const named = missing.filter(({ word }) => word.isEmployer === true || isNameWord(word))
  const words = isName(required) && missing.length === 0 ? required : named
  if (words.length === 0) return undefined
  const guesses = listed.flatMap(({ weaker }) => weaker?.guesses ?? [])
  const found = words
    .flatMap(({ word, isUnknown }) => (isUnknown ? (spellingOf(word, guesses) ?? []) : []))
    .join(' ')
  if (found === '' && words.every(mayBeJapanese) && answer.hasHanNames()) return undefined
  const typed = typedIn(words)
  if (isName(required))
    return found === ''
      ? t('No connection named {name}.', { name: typed })
      : t('No connection is named exactly {name}; similar spelling: {found}.', {
          name: typed,
          found,
        })
  if (found !== '')
    return t('No connection has exactly {words}; similar spelling: {found}.', {
      words: typed,
      found,
    })
  return isElsewhere(words, guesses)
    ? t('No connection has {words} as the company.', { words: typed })
    : t('No connection has {words}.', { words: typed })
}

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

function isElsewhere(words: readonly RequiredWord[], guesses: WeakerMatch['guesses']): boolean {
  return words.every(({ word: { typed, text } }) =>
    guesses.some(({ word, guess }) => guess === 'elsewhere' && word === (typed ?? text)),
  )
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
  return words.map(({ word: { typed, text } }) => typed ?? text).join(' ')
}
