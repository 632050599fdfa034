/** Turns a query into words, each with the terms that match it. */

import { arabicNameKeys, isArabic, latinNameKey } from '../../identity/scripts/arabic-names.ts'
import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { isShortFormOf, otherForms } from '../../identity/given-names.ts'
import { latinPatternOf, latinSpellingsOf } from '../../identity/latin-patterns.ts'
import { spellingKey } from '../../identity/scripts/transliterate.ts'
import { initialsTerm, typedInitials } from '../questions/company-initials.ts'
import { findConcepts } from '../questions/concept-terms.ts'
import { kinTerm } from '../questions/kinship.ts'
import { hasOtherAccent, isFunctionWord } from '../questions/phrases.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { formsOf, stemRootsOf } from '../questions/word-forms.ts'
import { STOP_WORDS } from '../questions/stop-words.ts'
import { isUnspaced } from '../../identity/unspaced-names.ts'
import { isHan } from '../index/script-names.ts'
import { FIELD } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import { arabicTerm, soundTerm } from '../index/special-terms.ts'
import { asNegation, negationsIn } from './negations.ts'
import { asInitial, initialsIn } from './query-initials.ts'
import {
  isCapitalized,
  outsideTexts,
  withNameParts,
  withoutLongerWords,
  type TypedWord,
} from './proper-nouns.ts'
import { specialWord, takeSpecial } from './special-words.ts'
import { asUnspaced, pairWord, unspacedWords } from './unspaced-words.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'
import { allowedEdits } from '../index/typos.ts'
import {
  ampersandPairs,
  joinedTriples,
  pairsOf,
  splitText,
  withoutAmpersandPairs,
  type Spellings,
} from '../index/split-words.ts'

/** Longer queries are truncated. */
const MAX_QUERY_WORDS = 16

const NAME_FIELD = 1 << FIELD.name
/** Names of people and of companies where they work. */
const NAMED_FIELDS = NAME_FIELD | (1 << FIELD.company)

/** Words whose terms are remembered, about 1 MB. */
const MAX_MEMOIZED = 2000

interface TypedWords {
  /** In the order of the query. Emails, phone numbers and URLs count as one word each, and come first. */
  readonly words: readonly TypedWord[]
  /** Runs of characters of scripts without spaces. */
  readonly runs: readonly string[]
}

/** Queries whose words are remembered, about 1 MB: each is read as words and as a question, and again for its next pages. */
const MAX_QUERIES = 100

/** The words of a query, regardless of what they ask. */
export const typedWords = memoize((query): TypedWords => {
  const { words, rest } = takeSpecial(query)
  const pairs = ampersandPairs(rest).map(ampersandWord)
  const text = withoutAmpersandPairs(rest)
  const { words: plain, runs, raw } = splitText(text)
  const beside = charactersBeside(text, raw)
  const initials = typedInitials(rest)
  const special = { token: '', typed: '', ...NOTHING_BESIDE }
  return {
    words: [
      ...[...words, ...pairs].map((word) => Object.assign({ word }, special)),
      ...plain.map((spellings, index) => {
        const { typed, token } = raw[index] ?? { typed: spellings[0], token: spellings[0] }
        const own = withForms(plainWord(spellings, { all: plain, index, initials }))
        const named = { word: asTyped(own, typed), token, typed }
        return Object.assign(named, beside[index] ?? NOTHING_BESIDE)
      }),
    ],
    runs,
  }
}, MAX_QUERIES)

const NOTHING_BESIDE = { before: '', after: '' }

/** The characters before and after each word of a text. */
function charactersBeside(text: string, words: readonly { readonly typed: string }[]) {
  let end = 0
  return words.map(({ typed }) => {
    const start = text.indexOf(typed, end)
    if (start === -1) return NOTHING_BESIDE
    end = start + typed.length
    return { before: text.charAt(start - 1), after: text.charAt(end) }
  })
}

/** Words that ask or possess, and abbreviations, are not misspelled names: `mein`, `NASA`. */
function asTyped(word: QueryWord, typed: string): QueryWord {
  const isInCapitals =
    typed.length > 1 && typed === typed.toUpperCase() && typed !== typed.toLowerCase()
  if (!isInCapitals && !isFunctionWord(word.text)) return { ...word, typed }
  const terms = word.terms.flatMap((term): QueryTerm[] =>
    term.guess === 'spelling' || term.factor === FACTOR.initial ? [] : [{ ...term, edits: 0 }],
  )
  const exact = { ...word, typed, terms, isExact: true }
  if (isInCapitals) return withoutLongerWords(exact)
  return isCapitalized(typed) && isFunctionWord(word.text) ? outsideTexts(exact) : exact
}

/** The words of a text that is not read as a question. Function words are optional beside others. */
export function analyzeQuery(query: string): QueryWord[] {
  const { words, runs } = typedWords(query)
  const isPossessive = POSSESSIVE.test(query)
  const initials = initialsIn(words)
  const negations = negationsIn(words)
  const isRequired = (at: number) =>
    initials.has(at) || negations.has(at) || hasOtherAccent(words[at]?.typed ?? '')
  return withOptional(
    [
      ...withNameParts(
        words.map((word, at) =>
          initials.has(at) ? asInitial(word) : negations.has(at) ? asNegation(word) : word.word,
        ),
      ),
      ...runs.flatMap((run) => unspacedWords(run, { runs, isAlone: words.length === 0 })),
    ],
    ({ text }, at) => !isRequired(at) && (STOP_WORDS.has(text) || (isPossessive && text === 's')),
  )
}

/** Marks words that only ask or connect, unless all of them do. */
export function withOptional(
  words: readonly QueryWord[],
  isAsking: (word: QueryWord, at: number) => boolean,
): QueryWord[] {
  const all = words.slice(0, MAX_QUERY_WORDS)
  const asking = all.map(isAsking)
  if (asking.every(Boolean) || !asking.includes(true)) return all
  // Names have no stop words: "orthodontist in Oman" does not ask for O. O.
  return withoutInitials(all).map((word, at) => (asking[at] === true ? optional(word) : word))
}

/** Only where it is a whole word of a name or a company. */
function optional({ text, terms }: QueryWord): QueryWord {
  const [own] = terms
  const exact = { term: own?.term ?? text, factor: FACTOR.exact, fields: OPTIONAL_FIELDS }
  return { text, isOptional: true, terms: [exact] }
}

const OPTIONAL_FIELDS = (1 << FIELD.name) | (1 << FIELD.company) | (1 << FIELD.tag)

/** `Anna's`, whose `s` is a word of its own, because it may be part of a name: McDonald's. */
export const POSSESSIVE = /\p{L}['’]s(?![\p{L}\p{N}])/iu

/** The words of a filter, all required. */
export function analyzeFilter(text: string): QueryWord[] {
  const { words, runs } = splitText(text)
  const initials = typedInitials(text)
  return [
    ...words.map((word, index) => plainWord(word, { all: words, index, initials })),
    ...runs.flatMap((run) => pairsOf(run).map(pairWord)),
  ].slice(0, MAX_QUERY_WORDS)
}

/** As `analyzeFilter`, with the people who are in a city, region or country under another name: `Deutschland`. */
export function analyzeLocation(text: string): QueryWord[] {
  const words = analyzeFilter(text)
  const place = findConcepts(tokenize(text)).find(({ kind }) => kind === 'location')
  const [own] = place?.terms ?? []
  if (!own) return words
  const [only, ...others] = words
  const typed = only && others.length === 0 ? only.terms : []
  return [specialWord(text, [...typed, { term: own.term, factor: FACTOR.exact }])]
}

/** `R&D`, as documents have it. */
function ampersandWord(pair: string): QueryWord {
  return specialWord(pair, [{ term: pair, factor: FACTOR.exact }])
}

function withForms(word: QueryWord): QueryWord {
  const forms = formTerms(word.text, FORM_FIELDS)
  return forms.length === 0 ? word : { ...word, terms: [...word.terms, ...forms] }
}

/** Words for things, not names. */
const FORM_FIELDS =
  (1 << FIELD.note) |
  (1 << FIELD.followUp) |
  (1 << FIELD.detail) |
  (1 << FIELD.custom) |
  (1 << FIELD.title) |
  (1 << FIELD.tag)

/** Other forms of a word, where it is found in one of these fields (a bit mask). */
function formTerms(text: string, fields: number): readonly QueryTerm[] {
  const mask = fields & FORM_FIELDS
  if (mask === 0 || STOP_WORDS.has(text)) return []
  const forms = formsOf(text)
  return stemRootsOf(forms).map((term) => ({ term, forms, factor: FACTOR.form, fields: mask }))
}

interface WordContext {
  readonly all: readonly Spellings[]
  readonly index: number
  /** Words that were typed as initials. */
  readonly initials: ReadonlySet<string>
}

function plainWord(spellings: Spellings, { all, index, initials }: WordContext): QueryWord {
  const [text] = spellings
  const { own, others } = wordTerms(spellings)
  const [before, after] = [all[index - 1]?.[0], all[index + 1]?.[0]]
  const joined = [
    ...(before === undefined ? [] : [before + text]),
    ...(after === undefined ? [] : [text + after]),
    ...joinedTriples(all.slice(Math.max(0, index - 2), index + 3)),
  ]
  const word = {
    text,
    isOptional: false,
    terms: [
      ...own,
      ...(initials.has(text) ? [initialsOf(text, COMPANY_FIELDS)] : []),
      ...joined.map((term) => ({ term, factor: FACTOR.joined })),
      ...macSpellings(text, FACTOR.spelling),
      ...joined.flatMap((term) => macSpellings(term, FACTOR.nickname)),
      ...joined.filter(beginsLikeArabic).flatMap(inArabicLetters),
      ...joined.filter(isShort).flatMap(inOtherScripts),
      ...others,
      ...(all.length > 1 ? initialOf(text) : []),
    ],
  }
  if (!isUnspaced(text)) return word
  return asUnspaced(word, [text, ...joined], all.length === 1)
}

/**
 * The words of a name in another script, to find it where it is stored in Latin letters; none for other texts. As one
 * word, two words are also found: عبد الله as Abdullah.
 */
export function latinWords(query: string): QueryWord[] {
  const spellings = latinSpellingsOf(query)
  return spellings.map(({ word, latin: own }, index) => {
    const [before, after] = [spellings[index - 1]?.word, spellings[index + 1]?.word]
    const joined = [
      ...(before === undefined ? [] : [`${before}${word}`]),
      ...(after === undefined ? [] : [`${word}${after}`]),
    ].map(latinPatternOf)
    const terms = [own, ...joined]
      .filter((latin) => latin !== undefined)
      .map((latin) => ({
        term: word,
        latin,
        factor: FACTOR.sound,
        fields: NAMED_FIELDS,
        guess: isHan(word) ? ('letters' as const) : undefined,
      }))
    return { text: word, isOptional: false, terms }
  })
}

/** `MacDonald` and `McDonald` are one name. */
function macSpellings(text: string, factor: number): QueryTerm[] {
  const [, beginning, rest] = /^(mac|mc)([a-z]{4,})$/.exec(text) ?? []
  if (rest === undefined) return []
  const term = `${beginning === 'mc' ? 'mac' : 'mc'}${rest}`
  return [{ term, factor, isPrefix: true, fields: NAME_FIELD }]
}

/** The terms of a word that do not depend on the words beside it. */
interface WordTerms {
  readonly own: readonly QueryTerm[]
  /** Nicknames, and how it sounds. */
  readonly others: readonly QueryTerm[]
}

function wordTerms(spellings: Spellings): WordTerms {
  return termsOfSpellings(spellings.join(' '))
}

/** Each character typed and each page asks for the same words again. The spellings of a word, with spaces between. */
const termsOfSpellings = memoize((spellings): WordTerms => {
  const [text = '', ...others] = spellings.split(' ')
  return {
    own: [
      { term: text, factor: FACTOR.exact, isPrefix: true, edits: allowedEdits(text.length) },
      ...others.map((term) => ({ term, factor: FACTOR.spelling, isPrefix: true })),
    ],
    others: [
      ...otherForms(text).map((term) => otherForm(text, term)),
      ...soundOf(text),
      ...inArabicLetters(text),
      ...inOtherScripts(text),
      ...relativeOf(text),
      ...(text.length >= MIN_WEAK_INITIALS
        ? [
            { ...initialsOf(text, COMPANY_FIELDS), isWeak: true },
            { ...initialsOf(text, INITIALS_FIELD), isWeak: true },
          ]
        : []),
    ],
  }
}, MAX_MEMOIZED)

/** Samanta is rather Samantha than Sam. Who asks for Jan rarely means Hannes, and who asks for Kimberly may not mean Kim. */
function otherForm(text: string, term: string): QueryTerm {
  if (spellingKey(text) === spellingKey(term))
    return { term, factor: FACTOR.spelling, fields: NAME_FIELD }
  const nickname = { term, factor: FACTOR.nickname, fields: NAME_FIELD }
  const isFamiliar = text.length < term.length && isShortFormOf(text, term)
  return isFamiliar ? nickname : { ...nickname, guess: 'spelling' }
}

function soundOf(text: string): QueryTerm[] {
  if (allowedEdits(text.length) === 0 || /\d/.test(text)) return []
  const term = soundTerm(spellingKey(text))
  return [{ term, factor: FACTOR.sound, guess: 'spelling', isWeak: true, fields: NAME_FIELD }]
}

/** Omar is also found as عمر. A title or a place is no name: the consonants of `mayor` are those of a name. */
const inArabicLetters = memoize((text): readonly QueryTerm[] => {
  const keys = isArabic(text)
    ? arabicNameKeys(text)
    : [latinNameKey(text)].filter((key) => key !== '')
  if (keys.length === 0 || thesaurus().find(text).length > 0) return []
  return keys.map((key) => ({
    term: arabicTerm(key),
    factor: FACTOR.sound,
    isWeak: true,
    fields: NAME_FIELD,
  }))
}, MAX_MEMOIZED)

/** Noa is also found as נועה, Jimin as 지민, and the company Kakao as 카카오. */
const inOtherScripts = memoize((text): readonly QueryTerm[] => {
  if (!LATIN_NAME.test(text) || STOP_WORDS.has(text) || thesaurus().find(text).length > 0) return []
  return [{ term: text, isLatin: true, factor: FACTOR.sound, isWeak: true, fields: NAMED_FIELDS }]
}, MAX_MEMOIZED)

const LATIN_NAME = /^[a-z]{2,30}$/

/** Two syllables, which a given name may have as two words. */
function isShort(joined: string): boolean {
  return joined.length <= MAX_TWO_SYLLABLES
}

/** Most names are at most this long: `sunghoon`. */
const MAX_TWO_SYLLABLES = 9

/** Articles and the like, which are words of their own in Latin letters. */
function beginsLikeArabic(joined: string): boolean {
  return /^(?:al|el|ab[dou])/.test(joined) || isArabic(joined)
}

/** `Anna's dad`: someone who calls Anna their daughter. */
function relativeOf(text: string): QueryTerm[] {
  const term = kinTerm(text)
  if (term === undefined) return []
  return [
    { term, factor: FACTOR.form, fields: 1 << FIELD.detail },
    { term, factor: FACTOR.form, fields: 1 << FIELD.note, guess: 'synonym' },
  ]
}

/** The initials of a company where someone works or worked, or of a name. */
function initialsOf(text: string, fields: number): QueryTerm {
  return { term: initialsTerm(text), factor: FACTOR.companyInitials, fields, guess: 'initial' }
}

const COMPANY_FIELDS = (1 << FIELD.company) | (1 << FIELD.detail)
const INITIALS_FIELD = 1 << FIELD.initials
/** Letters of initials. */
const MIN_WEAK_INITIALS = 2

/** Beside other words, a name may be only an initial. */
function initialOf(text: string): QueryTerm[] {
  if (text.length <= 1) return []
  const initial = { term: text.charAt(0), factor: FACTOR.initial, guess: 'initial' as const }
  return [{ ...initial, isWeak: true, fields: NAME_FIELD }]
}

/** Words that no longer match names of which they may be the initial. */
function withoutInitials(words: readonly QueryWord[]): QueryWord[] {
  return words.map((word) => ({
    ...word,
    terms: word.terms.filter(({ factor }) => factor !== FACTOR.initial),
  }))
}
