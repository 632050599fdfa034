/** Single letters of a query that stand for a word, such as initials, rather than being grammar: `T. Kirchmoser`, `T-Mobile`. */

import { nameAffixes } from '../../identity/name-affixes.ts'
import { FIELD } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import { isFunctionWord } from '../questions/phrases.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { isCapitalized, type TypedWord } from './proper-nouns.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'

/** Words of one letter: articles, prepositions, conjunctions and pronouns. The others are what an apostrophe leaves. */
const LETTERS_OF_GRAMMAR: ReadonlySet<string> = new Set(
  'a e i o u y k v w s z а е и о у к я в с з й є'.split(' '),
)

/**
 * The places of these letters. An initial has a dot or a capital, or stands beside nothing but names; in sentences, words of
 * one letter stay what they are. `isName` tells whether a word is one of a name in the network.
 */
export function initialsIn(
  words: readonly TypedWord[],
  isName: (token: string) => boolean = () => false,
): ReadonlySet<number> {
  if (words.length < 2 || !words.some(isLetter)) return NONE
  const isSentence = words.some((_, at) => isGrammar(words, at))
  const isStanding = isSentence ? isInSentence : isInName
  return new Set(
    words.flatMap((word, at) =>
      isLetter(word) && (isMarked(words, at) ?? isStanding(words, at, isName)) ? [at] : [],
    ),
  )
}

const NONE: ReadonlySet<number> = new Set()

/** A letter of a script with capitals. */
function isLetter({ typed, token }: TypedWord): boolean {
  return token !== '' && /^[\p{Lu}\p{Ll}]\p{M}*$/u.test(typed)
}

/** Particles before a family name are no grammar: `J. de Vries`, but `do I know`. */
function isGrammar(words: readonly TypedWord[], at: number): boolean {
  const { typed = '', token = '' } = words[at] ?? {}
  if (typed.length === 1 || !isFunctionWord(token)) return false
  const isParticle = (word: TypedWord) => nameAffixes().particles.has(word.token)
  const next = words.slice(at).find((word) => !isParticle(word))
  return at === 0 || next === words[at] || !isCapitalized(next?.typed ?? '')
}

/** By the characters beside it; undefined if they do not tell. */
function isMarked(words: readonly TypedWord[], at: number): boolean | undefined {
  const { typed = '', before = '', after = '' } = words[at] ?? {}
  const isCapital = isCapitalized(typed)
  if (APOSTROPHE.test(before) || APOSTROPHE.test(after)) return false
  if (before === '-') return isCapital
  const next = words[at + 1]?.typed ?? ''
  // `a-t-il`, `e-shop`
  if (after === '-') return isCapital || (next.length >= MIN_HYPHENATED && typed !== 'e')
  const previous = words[at - 1]
  // `annie.w`, but `e.g.`
  if (before === '.' && (previous?.typed.length ?? 0) > 1) return true
  if (after !== '.') return undefined
  // `z. B.`
  const isAbbreviation = previous?.after === '.' && /^\p{Ll}$/u.test(previous.typed)
  return isCapital ? !isAbbreviation : isAbbreviation ? false : undefined
}

const APOSTROPHE = /['’ʼ`´]/u
/** Letters of a word after a letter and a hyphen: `x-ray`. */
const MIN_HYPHENATED = 3

/** A capital within a sentence, other than `I`, and a letter that ends it. */
function isInSentence(words: readonly TypedWord[], at: number): boolean {
  const { typed = '', token = '' } = words[at] ?? {}
  const before = words[at - 1]
  if (!isCapitalized(typed)) return at === words.length - 1 && !isFunctionWord(before?.token ?? '')
  const isTitleCase = words.every((word) => isCapitalized(word.typed))
  if (typed === 'I' || (isTitleCase && LETTERS_OF_GRAMMAR.has(token))) return false
  return before !== undefined || !LETTERS_OF_GRAMMAR.has(token)
}

/** Without a sentence around it: `a plumber` and `anna e marco` have grammar, `a kirchmoser` and `anna e` have initials. */
function isInName(
  words: readonly TypedWord[],
  at: number,
  isName: (token: string) => boolean,
): boolean {
  const { typed = '', token = '' } = words[at] ?? {}
  const next = words[at + 1]
  if (!LETTERS_OF_GRAMMAR.has(token) || !next) return true
  if (at > 0) return isCapitalized(typed)
  const isNoun = thesaurus().find(next.token).length > 0
  return isName(next.token) || (isCapitalized(next.typed) && !isNoun)
}

const NAME = 1 << FIELD.name
const TEXTS = (1 << FIELD.note) | (1 << FIELD.followUp)

/** The word of a letter that is an initial of a name, or a word of anything else: `plan B`, `T-Mobile`. */
export function asInitial({ word, typed, after }: TypedWord): QueryWord {
  const own = word.terms.filter(
    ({ factor, isPrefix, guess }) => factor >= FACTOR.spelling && isPrefix === true && !guess,
  )
  const joined = word.terms.filter(({ factor, guess }) => factor === FACTOR.joined && !guess)
  const isPart = after === '-'
  // Apostrophes leave letters in texts: `don't`.
  const fields = isPart && APOSTROPHIZED.has(word.text) ? ~(NAME | TEXTS) : ~NAME
  const terms = own.flatMap(({ term, factor }): QueryTerm[] => [
    { term, factor, fields: NAME, isPrefix: !isPart },
    { term, factor, fields: fields & ALL_FIELDS },
  ])
  const shown = after === '.' ? `${typed}.` : typed
  return {
    text: word.text,
    typed: shown,
    isOptional: false,
    isExact: true,
    isInitial: !isPart,
    terms: [...terms, ...joined],
  }
}

const ALL_FIELDS = 0xffff & ~(1 << FIELD.value)
const APOSTROPHIZED: ReadonlySet<string> = new Set('c d j l m n s t'.split(' '))
