/** Words of a question that name a company or another proper noun: `who do I know at Uber`, `alguien de Zara`. */

import { FACTOR, FIELD } from '../index/fields.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { phraseLength, type WordList } from '../questions/phrases.ts'
import { STOP_WORDS } from '../stop-words.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'

/** The places of words that name an employer, which are never grammar. */
export function employersIn(tokens: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [at, token] of tokens.entries()) {
    if (!isIn('employer', token)) continue
    let next = at + 1
    while (next < tokens.length - 1 && isIn('article', tokens[next])) next += 1
    if (next < tokens.length && !isIn('pronoun', tokens[next])) found.add(next)
  }
  return found
}

interface Typed {
  /** As the lists of words have it. */
  readonly token: string
  /** With its capitals. */
  readonly typed: string
}

/**
 * The places of words that are no grammar although they are in the lists: employers, and capitalized words after a
 * preposition or in a name: `who do I know at Uber`, `people in Nice`, `Ben Over`; but not `Who Is Ben` or `Maria De Souza`.
 */
export function contentWords(words: readonly Typed[]): ReadonlySet<number> {
  const tokens = words.map(({ token }) => token)
  const employers = employersIn(tokens)
  const hasLowercase = words.some(({ typed }) => typed !== '' && !isCapitalized(typed))
  const isQuestion = isFunctionWord(tokens[0] ?? '')
  const isContent = ({ token, typed }: Typed, at: number) => {
    if (employers.has(at)) return true
    if (at === 0 || !isCapitalized(typed) || !isIn('weak', token)) return false
    const isAfterPreposition = isIn('location', tokens[at - 1])
    return (hasLowercase && isAfterPreposition) || (!isQuestion && token.length >= MIN_NAME_LETTERS)
  }
  return new Set(words.flatMap((word, at) => (isContent(word, at) ? [at] : [])))
}

/** Letters of a name that is also a function word. Particles of names are shorter. */
const MIN_NAME_LETTERS = 4

/** Whether a word only asks or connects, in any language. */
export function isFunctionWord(text: string): boolean {
  return STOP_WORDS.has(text) || isIn('question', text) || isIn('weak', text)
}

function isIn(list: WordList, word = ''): boolean {
  return phraseLength(list, [word], 0) > 0
}

/** Whether a word of a question is typed like a proper noun. */
export function isCapitalized(typed: string): boolean {
  return /^\p{Lu}/u.test(typed)
}

const NAME = 1 << FIELD.name
const ALL_FIELDS = 0xffff

/** Whether a word may be only a name: typed with a capital, and neither grammar nor a title, a topic or a place. */
export function isNameWord({ typed = '', text, isEmployer = false }: QueryWord): boolean {
  return (
    !isEmployer &&
    isCapitalized(typed) &&
    !isFunctionWord(text) &&
    thesaurus().find(text).length === 0
  )
}

/** Zaragoza is not Zara. A person may be asked for by the beginning of their name. */
export function asProperNoun(word: QueryWord): QueryWord {
  return withTerms(word, (term) => longerIn(term, ALL_FIELDS & ~NAME))
}

/** A nasal surgeon does not work at NASA. */
export function withoutLongerWords(word: QueryWord): QueryWord {
  return withTerms(word, (term) => longerIn(term, ALL_FIELDS))
}

/** Armin does not work at Arm, and a note with `booked` is not about Booking. */
export function asEmployer(word: QueryWord): QueryWord {
  return withTerms({ ...word, isEmployer: true }, (term) => {
    if (term.forms) return [{ ...term, guess: 'ending' }]
    const isNickname = term.factor === FACTOR.nickname && term.isPrefix !== true
    return isNickname ? [{ ...term, guess: term.guess ?? 'spelling' }] : longerIn(term, ALL_FIELDS)
  })
}

/** A note that says `über` is rarely about Uber. */
export function outsideTexts(word: QueryWord): QueryWord {
  return withTerms(word, (term) => {
    const { fields = ALL_FIELDS, guess = 'spelling' } = term
    return [
      { ...term, fields: fields & ~TEXTS },
      ...(word.isEmployer === true ? [] : [{ ...term, fields: fields & TEXTS, guess }]),
    ]
  })
}

const TEXTS = (1 << FIELD.note) | (1 << FIELD.followUp)

function withTerms(word: QueryWord, read: (term: QueryTerm) => QueryTerm[]): QueryWord {
  return { ...word, terms: word.terms.flatMap(read) }
}

/** Longer words in these fields (a bit mask) are only guesses. */
function longerIn(term: QueryTerm, fields: number): QueryTerm[] {
  const { isPrefix, guess, fields: own = ALL_FIELDS } = term
  if (isPrefix !== true || guess) return [term]
  const others = own & ~fields
  return [
    { ...term, isPrefix: false },
    { ...term, edits: 0, guess: 'longer', fields: own & fields },
    ...(others === 0 ? [] : [{ ...term, edits: 0, fields: others }]),
  ]
}
