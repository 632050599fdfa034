/** Words of a question that name a company or another proper noun: `who do I know at Uber`, `alguien de Zara`. */

import { isFreemail } from '../../identity/email-address.ts'
import { isGivenName, mayBeGivenName } from '../../identity/given-names.ts'
import { FIELD, PROSE_FIELDS } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import { arabicTerm, domainTerm } from '../index/special-terms.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { isFunctionWord, phraseLength, type WordList } from '../questions/phrases.ts'
import { asWholePart } from './unspaced-words.ts'
import type { Guess, QueryTerm, QueryWord } from '../index/query-word.ts'

/** How a word names an employer: certainly, or it may also name the place of one. */
type Employer = 'employer' | 'place'

/**
 * By the place of the word: those that name an employer, which are never grammar. `isCompany` tells whether a word is one of
 * a company in the network.
 */
export function employersIn(
  words: readonly Typed[],
  isCompany: (token: string) => boolean,
): ReadonlyMap<number, Employer> {
  const tokens = words.map(({ token }) => token)
  const found = new Map<number, Employer>()
  if (tokens.some((token) => isIn('occasion', token))) return found
  for (const at of tokens.keys()) {
    const length = phraseLength('employer', tokens, at)
    if (length === 0) continue
    let next = at + length
    while (next < tokens.length - 1 && isIn('article', tokens[next])) next += 1
    // Words such as `chess.com` come before all others.
    if (next >= tokens.length)
      for (const [place, token] of tokens.entries()) if (token === '') found.set(place, 'employer')
    if (next >= tokens.length || isIn('pronoun', tokens[next])) continue
    // `at the weekend`, but `at the Guardian`.
    const isDetermined = next > at + length && !isCapitalized(words[next]?.typed ?? '')
    if (isDetermined && !isCompany(tokens[next] ?? '')) continue
    // Someone in Madrid, not at a company of that name.
    if (length > 1 && isPlace(tokens[next])) continue
    const end = endOfEmployer(words, next)
    for (let place = next; place < end; place += 1) {
      const isPartOfName = isIn('connector', tokens[place - 1])
      if (place > next && isIn('connector', tokens[place])) continue
      found.set(place, isPlace(tokens[place]) && !isPartOfName ? 'place' : 'employer')
    }
  }
  return found
}

/** After the last word of a name such as `Bank of America`, which begins at `from`. */
function endOfEmployer(words: readonly Typed[], from: number): number {
  const isProper = isCapitalized(words[from]?.typed ?? '')
  const isNext = (at: number) => {
    const { token, typed } = words[at] ?? { token: '', typed: '' }
    return token !== '' && !isFunctionWord(token) && (!isProper || isCapitalized(typed))
  }
  let end = from + 1
  for (;;)
    if (isNext(end)) end += 1
    else if (isIn('connector', words[end]?.token) && isNext(end + 1)) end += 2
    else return end
}

function isPlace(token = ''): boolean {
  return thesaurus()
    .find(token)
    .some(({ kind }) => kind === 'location')
}

interface Typed {
  /** As the thesaurus and the lists of words have it; empty for emails, phone numbers and URLs. */
  readonly token: string
  /** With its capitals. */
  readonly typed: string
}

export interface TypedWord extends Typed {
  readonly word: QueryWord
  /** The characters beside it; empty at the ends of the query. */
  readonly before: string
  readonly after: string
}

/**
 * The places of words that are no grammar although they are in the lists: employers, and capitalized words after a
 * preposition or in a name: `who do I know at Uber`, `people in Nice`, `Ben Over`; but not `Who Is Ben` or `Maria De Souza`.
 */
export function contentWords(
  words: readonly Typed[],
  employers: ReadonlyMap<number, unknown>,
): ReadonlySet<number> {
  const tokens = words.map(({ token }) => token)
  const hasLowercase = words.some(({ typed }) => typed !== '' && !isCapitalized(typed))
  const isQuestion = isFunctionWord(tokens[0] ?? '')
  const isContent = ({ token, typed }: Typed, at: number) => {
    if (employers.has(at)) return true
    if (at === 0 || !isCapitalized(typed) || !isIn('weak', token)) return false
    const isAfterPreposition = isIn('location', tokens[at - 1])
    // `Do I know Maria Schön?`, whose umlaut the lists of words do not have.
    const isAfterName =
      token.length > 1 &&
      isCapitalized(words[at - 1]?.typed ?? '') &&
      !isFunctionWord(tokens[at - 1] ?? '')
    return (
      (hasLowercase && (isAfterPreposition || isAfterName)) ||
      (!isQuestion && (token.length >= MIN_NAME_LETTERS || at === words.length - 1))
    )
  }
  return new Set(words.flatMap((word, at) => (isContent(word, at) ? [at] : [])))
}

/** Letters of a name that is also a function word. Particles of names are shorter, and never last: `Kim Min`. */
const MIN_NAME_LETTERS = 4

function isIn(list: WordList, word = ''): boolean {
  return phraseLength(list, [word], 0) > 0
}

/** Whether a word of a question is typed like a proper noun. */
export function isCapitalized(typed: string): boolean {
  return /^\p{Lu}/u.test(typed)
}

/** Whether a word is a name where a place stands: `in Zwolle`, `у Києві`. */
export function isUnknownPlace(words: readonly Typed[], at: number): boolean {
  const { typed = '', token = '' } = words[at] ?? {}
  const isName = isCapitalized(typed) && thesaurus().find(token).length === 0
  return isName && IN.has(words[at - 1]?.token ?? '')
}

/** Whether a word is a place where a place stands, and so no name: `in Paris`. */
export function isKnownPlace(words: readonly Typed[], at: number): boolean {
  return isPlace(words[at]?.token) && IN.has(words[at - 1]?.token ?? '')
}

const IN: ReadonlySet<string> = new Set('in im en em à v ve w we в во у'.split(' '))

const NAME = 1 << FIELD.name
const ALL_FIELDS = 0xffff

/** Whether a word may be only a name: typed with a capital, and neither grammar nor a title, a topic or a place. */
export function isNameWord(word: QueryWord): boolean {
  const { typed = '', text, isEmployer = false, isCommonNoun = false } = word
  if (word.isInitial === true) return isCapitalized(typed)
  return (
    !isEmployer &&
    !isCommonNoun &&
    word.isPlace !== true &&
    isCapitalized(typed) &&
    !isFunctionWord(text) &&
    !isConcept(text)
  )
}

/** Whether a word is a title, a topic or a place. Peter is no `pet`. */
function isConcept(text: string): boolean {
  const isName = isGivenName(text)
  return thesaurus()
    .find(text)
    .some(({ phrases }) => !isName || phrases.includes(text))
}

type HasName = (tokens: readonly string[]) => boolean

/**
 * Marks the words of a person's name: capitalized names beside each other of which one is a given name, and the given names
 * of a query of one or two words. A place is one of them if the other is a name or someone has both: Madison Halvorsen and
 * Jack London are no one in Madison or London. A word in a note about another person is not one of their name.
 */
export function withNameParts(
  words: readonly QueryWord[],
  hasName: HasName = () => false,
): QueryWord[] {
  const isGiven = ({ text }: QueryWord) => isGivenName(text) && !isConcept(text)
  const named = new Set<number>()
  for (const { start, end } of runsOfNames(words)) {
    const run = words.slice(start, end)
    const isName = run.some((word, at) => isGiven(word) || (at === 0 && mayBeGivenName(word.text)))
    if (
      run.length > 1 &&
      (isName || (run.some(isPlaceName) && hasName(run.map(({ text }) => text))))
    )
      for (let at = start; at < end; at += 1) named.add(at)
  }
  const [only] = words
  const isAlone = words.length === 1 && only !== undefined && isBareName(only, hasName)
  return words.map((word, at) => {
    if (named.has(at)) return asNamePart(word)
    return isAlone || (words.length === 2 && isGiven(word)) ? { ...word, isPartOfName: true } : word
  })
}

/** Capitalized names beside each other. `Max Weber Berlin` ends before the place, but `Max Berlin` has it. */
function runsOfNames(words: readonly QueryWord[]): { start: number; end: number }[] {
  const isNamed = words.map(
    (word) => word.typed !== undefined && (isNameWord(word) || isPlaceName(word)),
  )
  const runs: { start: number; end: number }[] = []
  for (let start = 0; start < words.length; start += 1) {
    let end = start
    while (isNamed[end] === true) end += 1
    const next = Math.max(start, end)
    while (end - start > 2 && isPlaceName(words[end - 1])) end -= 1
    // `Paris France`
    if (words.slice(start, end).some(isNameWord)) runs.push({ start, end })
    start = next
  }
  return runs
}

function isPlaceName(word: QueryWord | undefined): boolean {
  const { typed = '', text = '', isEmployer = false } = word ?? {}
  return !isEmployer && isCapitalized(typed) && isPlace(text)
}

/** A given name alone, in small letters if someone has it. */
function isBareName({ typed = '', text }: QueryWord, hasName: HasName): boolean {
  return mayBeGivenName(text) && (isCapitalized(typed) || hasName([text]))
}

/** Where someone lives is not their name. */
function asNamePart(word: QueryWord): QueryWord {
  const fields = isPlace(word.text) ? LOCATION | DETAIL : LOCATION
  return { ...guessing(word, fields, 'place'), isPartOfName: true }
}

/**
 * Where the whole query is the name of a person, everyone who only mentions it is a guess: Karl Brandt is not Anna, who works with
 * him. For a change, any names are a name, also with a place, if one of them is known: Müller Berlin.
 */
export function asMentioned(
  words: readonly QueryWord[],
  { isChange, isPerson, hasName }: MentionedBy,
): readonly QueryWord[] {
  const required = words.filter(({ isOptional }) => !isOptional)
  const isNamed = (word: QueryWord) => isNameWord(word) || isLowercaseName(required)
  const isAlone = required.length === words.length
  const isPlaced = isChange && isAlone && isNameWithPlace(required, hasName)
  const isPart = (word: QueryWord) =>
    !isOwner(word) &&
    (word.isPartOfName === true || isPlaced || ((isChange || isPerson) && isNamed(word)))
  const hasGivenName = required.some(({ text }) => mayBeGivenName(text))
  const isName = required.length > 1 || isPerson || hasGivenName
  if (!isName || !required.every(isPart)) return words
  return words.map((word) => {
    if (word.isOptional || word.isInitial) return word
    const noted = asNoted(isPlaced ? asNamePart(word) : word)
    return isPerson && hasGivenName ? outsideCompanies(noted) : noted
  })
}

interface MentionedBy {
  readonly isChange: boolean
  /** Whether something is asked of the person, who then does not work at a company of that name. */
  readonly isPerson: boolean
  readonly hasName: HasName
}

/** Names of people and a place, also in small letters. */
function isNameWithPlace(words: readonly QueryWord[], hasName: HasName): boolean {
  const others = words.filter(({ text }) => !isPlace(text))
  const isKnown = ({ text }: QueryWord) => mayBeGivenName(text) || hasName([text])
  if (others.length === 0) return words.length > 1 && hasName(words.map(({ text }) => text))
  return others.every(({ text }) => !isConcept(text)) && others.some(isKnown)
}

function asNoted(word: QueryWord): QueryWord {
  return guessing(word, PROSE_FIELDS, 'noted')
}

/** A given name and words that mean nothing else: `karl brandt`. */
function isLowercaseName(words: readonly QueryWord[]): boolean {
  const [first] = words
  return (
    first !== undefined &&
    isGivenName(first.text) &&
    words.every(
      ({ typed = '', text }) =>
        /^\p{L}/u.test(typed) && !isCapitalized(typed) && thesaurus().find(text).length === 0,
    )
  )
}

/** Whether the query describes another person by it (`asOwner`). */
function isOwner({ terms }: QueryWord): boolean {
  return terms.some(({ guess }) => guess === 'named')
}

/** Zaragoza is not Zara. A person may be asked for by the beginning of their name. */
export function asProperNoun(word: QueryWord): QueryWord {
  return withTerms(word, (term) => longerIn(term, ALL_FIELDS & ~NAME))
}

/** A nasal surgeon does not work at NASA. */
export function withoutLongerWords(word: QueryWord): QueryWord {
  return withTerms(word, (term) => longerIn(term, ALL_FIELDS))
}

/** Longer words are only guesses, but other forms of the word are not: nor is the rest of a phone number or an initial. */
export function asWholeWord(word: QueryWord): QueryWord {
  if (word.isInitial === true) return word
  const own = withTerms(word, (term) =>
    isInOtherLetters(term) ? { ...term, guess: 'letters' } : term,
  )
  if (word.part !== undefined) return asWholePart(own, true)
  if (word.typed === undefined && !word.text.includes('@')) return own
  return withTerms(own, (term) =>
    term.forms ? [{ ...term, isPrefix: true }] : longerIn(term, ALL_FIELDS),
  )
}

function isInOtherLetters({ term, latin, isLatin }: QueryTerm): boolean {
  return latin !== undefined || isLatin === true || term.startsWith(arabicTerm(''))
}

/** Armin does not work at Arm, and a note with `booked` or about a visa is not about Booking or Visa. */
export function asEmployer(word: QueryWord, employer: Employer): QueryWord {
  if (word.typed === undefined) return { ...word, isEmployer: true }
  const fields = employer === 'place' ? EMPLOYER_FIELDS | LOCATION : EMPLOYER_FIELDS
  const named = withTerms({ ...word, isEmployer: true }, (term) => {
    if (term.forms) return [{ ...term, guess: 'ending' }]
    const isNickname = term.factor === FACTOR.nickname && term.isPrefix !== true
    return isNickname ? [{ ...term, guess: term.guess ?? 'spelling' }] : longerIn(term, ALL_FIELDS)
  })
  const domain = { term: `${domainTerm(word.text)}.`, factor: FACTOR.prefix, fields: EMAIL }
  const terms = named.terms.flatMap((term) => onlyIn(term, fields))
  const domains = isFreemail(`a@${word.text}.com`) ? [] : [{ ...domain, isPrefix: true }]
  return { ...named, terms: [...terms, ...domains] }
}

/** Who left a company does not work there, and who left a job no longer has its title. */
export function outsideFormerPositions(word: QueryWord): QueryWord {
  return guessing(word, DETAIL, 'former')
}

/** In other fields than these (a bit mask), a term is only a guess. */
function onlyIn(term: QueryTerm, fields: number): QueryTerm[] {
  const { fields: own = ALL_FIELDS, guess } = term
  if (guess) return [term]
  return [
    { ...term, fields: own & fields },
    { ...term, fields: own & ~fields, edits: 0, guess: 'elsewhere' },
  ]
}

const EMAIL = 1 << FIELD.email
const LOCATION = 1 << FIELD.location
const DETAIL = 1 << FIELD.detail
const COMPANY = 1 << FIELD.company
/** The company, former positions, and domains of emails typed as a whole. */
const EMPLOYER_FIELDS = COMPANY | DETAIL | EMAIL

/** Whether a capitalized word is rather a common noun of German: after an article, or a compound. */
export function mayBeCommonNoun(words: readonly Typed[], at: number): boolean {
  const { token = '' } = words[at] ?? {}
  const [before, first] = [words[at - 1], words[at - 2]]
  const isDetermined = before !== undefined && DETERMINER.test(before.typed)
  return (isDetermined && first?.token !== 'von' && first?.token !== 'van') || NOUN.test(token)
}

const DETERMINER =
  /^(?:d(?:er|ie|as|en|em)|[dmsk]?ein(?:e[mnr]?)?|unser(?:e[mnr]?)?|[aiv]m|vom|beim|ins|zu[mr])$/
/** A compound that ends with one of these names no one. */
const NOUN =
  /\p{L}{4}(?:ung|heit|keit|schaft|tion|unterricht|stunden?|kurs|lehrerin|termin)(?:en)?$/u

/** Who works at Oslo Seafood is not in Oslo. */
export function outsideCompanies(word: QueryWord): QueryWord {
  return guessing(word, COMPANY, 'employer')
}

/** A note that says `über` is rarely about Uber. */
export function outsideTexts(word: QueryWord): QueryWord {
  return withTerms(word, (term) => {
    const [own, noted] = guessedIn(term, TEXTS, term.guess ?? 'spelling')
    return word.isEmployer === true ? own : [own, noted]
  })
}

/** In these fields (a bit mask), the word is only a guess. Terms that are guesses already keep their reason. */
function guessing(word: QueryWord, fields: number, guess: Guess): QueryWord {
  return withTerms(word, (term) =>
    term.guess === undefined ? guessedIn(term, fields, guess) : term,
  )
}

/** In these fields (a bit mask), a term is only a guess. */
function guessedIn(term: QueryTerm, fields: number, guess: Guess): [QueryTerm, QueryTerm] {
  const { fields: own = ALL_FIELDS } = term
  return [
    { ...term, fields: own & ~fields },
    { ...term, fields: own & fields, guess },
  ]
}

const TEXTS = (1 << FIELD.note) | (1 << FIELD.followUp)

function withTerms(
  word: QueryWord,
  read: (term: QueryTerm) => QueryTerm | readonly QueryTerm[],
): QueryWord {
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
