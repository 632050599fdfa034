/** One word of a query in an index: its postings, the people who have it, and how rare it is. */

import { addPeople, hasPeople, termRanges, type PostingRange } from '../index/posting-ranges.ts'
import { partRanges } from '../index/word-parts.ts'
import { typoRanges } from '../index/typos.ts'
import { FIELD, NAMING_FIELDS, PROSE_FIELDS } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import {
  NAME_GUESSES,
  VAGUE_GUESSES,
  type Guess,
  type GuessedWord,
  type QueryWord,
} from '../index/query-word.ts'
import { fieldsInRange } from './score-word.ts'
import { termText, type Layout } from '../index/segment.ts'
import {
  countPeople,
  intersect,
  subtract,
  unite,
  type PeopleSet,
  type SearchScratch,
} from '../index/people-set.ts'
import { wholePartTerm } from '../index/special-terms.ts'
import { thesaurus } from '../questions/thesaurus.ts'

const PLURAL = /^(\p{L}{4,})s$/u

/** Used during one search. */
export class AskedWord {
  readonly isOptional: boolean
  /** Whether only people who have it are results. */
  readonly isStrict: boolean
  readonly #layout: Layout
  readonly #scratch: SearchScratch
  readonly #word: QueryWord
  readonly #ranges: PostingRange[]
  /** Whether typos are among the ranges. */
  #hasTypos = false
  /** Whether any current person has the word itself, another form of it or other words for it. */
  readonly #isFound: boolean
  /** People of the first `#added` ranges, as if it were the only word. */
  #matching: WordPeople | undefined
  #added = 0
  #judgment: Judgment | undefined
  /** People by the judgment. */
  #people: WordPeople | undefined

  constructor(layout: Layout, scratch: SearchScratch, word: QueryWord) {
    this.isOptional = word.isOptional
    this.isStrict = word.isStrict === true
    this.#layout = layout
    this.#scratch = scratch
    this.#word = word
    this.#ranges = termRanges(layout, word)
    const own = this.#ranges.filter((range) => !isVague(range))
    this.#isFound = own.some(hasPeople)
    if (!own.some((range) => range.isWhole && hasPeople(range))) this.#addSingularName()
  }

  /** Whether it is a single letter, which may be an initial. */
  get isInitial(): boolean {
    return this.#word.isInitial === true
  }

  /** The letter that it begins with. */
  get letter(): string {
    return this.#word.text.charAt(0)
  }

  get ranges(): readonly PostingRange[] {
    return this.#ranges
  }

  /** Number of postings to visit: about how common the word is. */
  get postings(): number {
    return this.#ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** Also matches typos and parts if it has no other matches. Comparing all terms takes longer than a search without. */
  addTyposIfMissing(): void {
    if (!this.#isFound && !this.#hasTypos) this.#addTypos()
  }

  /** Also matches weak terms and, unless many people have the word itself, typos. */
  makeThorough(): void {
    const isCommon = countPeople(this.people.certain) > MAX_MISSPELLED
    this.#ranges.push(...termRanges(this.#layout, this.#word, true))
    if (!this.#hasTypos && !isCommon) this.#addTypos()
  }

  /** Also matches words with one typo more. */
  allowMoreTypos(): void {
    if (this.isOptional || this.isStrict) return
    this.#ranges.push(...typoRanges(this.#layout, this.#word, 1))
  }

  /** A word that is not required needs no other spellings. */
  #addTypos(): void {
    this.#hasTypos = true
    if (this.isOptional || this.#word.isExact === true) return
    this.#ranges.push(...typoRanges(this.#layout, this.#word))
    if (!this.isStrict) this.#ranges.push(...partRanges(this.#layout, this.#word))
  }

  /** Longer names and notes do not hide Ty Investor from `investors`, or Piotr from `piotrs wife`. */
  #addSingularName(): void {
    const term = PLURAL.exec(this.#word.text)?.[1]
    if (term === undefined || this.isOptional) return
    const singular = { term, factor: FACTOR.singular, fields: NAME, guess: 'ending' as const }
    this.#ranges.push(...termRanges(this.#layout, { ...this.#word, terms: [singular] }))
  }

  /** The people who have the word. The sets are reused: do not change them. */
  get people(): WordPeople {
    if (this.#added === this.#ranges.length && this.#people) return this.#people
    const matching = this.#peopleOfRanges()
    return (this.#people = this.#judgment ? this.#judged(matching, this.#judgment) : matching)
  }

  #peopleOfRanges(): WordPeople {
    const { certain, having, anyone } = (this.#matching ??= {
      certain: this.#scratch.emptySet(),
      having: this.#scratch.emptySet(),
      anyone: this.#scratch.emptySet(),
    })
    for (const range of this.#ranges.slice(this.#added))
      addPeople(range, !isGuess(range) ? certain : isVague(range) ? anyone : having)
    this.#added = this.#ranges.length
    unite(having, certain)
    unite(anyone, having)
    return this.#matching
  }

  /** Everyone who has it as a whole word of their name; undefined if no one does, and for a letter. */
  namedPeople(): PeopleSet | undefined {
    if (this.isInitial || !this.#ranges.some(isNaming)) return undefined
    const set = this.#scratch.emptySet()
    for (const range of this.#ranges) if (isNaming(range)) addPeople({ ...range, ...IN_NAME }, set)
    return countPeople(set) > 0 ? set : undefined
  }

  /** Whether names that have it have a word that begins with this letter for it. */
  namesBeginWith(letter: string): boolean {
    return this.#ranges.some(
      (range) =>
        isNaming(range) &&
        range.term !== undefined &&
        termText(range.placed.segment, range.term).startsWith(letter),
    )
  }

  /** Reads it in the light of the other words. */
  judge(judgment: Judgment): void {
    const isJudged =
      this.isInitial || this.#word.isPartOfName === true || this.#ranges.some(isBeginning)
    if (!isJudged || this.#word.typed === undefined || UNSPACED.test(this.#word.text)) return
    this.#judgment = judgment
    this.#people = undefined
  }

  #judged(matching: WordPeople, { named, initials }: Judgment): WordPeople {
    if (initials) return this.#initialPeople(named, initials)
    const guessed = this.#scratch.copyOf(matching.certain)
    intersect(guessed, named)
    const isOwnTerm = (range: PostingRange) => !isGuess(range)
    const fieldsOfLonger = this.#fieldsOfBeginnings()
    const fields = this.#word.isPartOfName === true ? ~PROSE_FIELDS : ~0
    subtract(guessed, this.#peopleIn(isOwnTerm, { fields: fields & ~ADDRESSES, fieldsOfLonger }))
    // `min-jung.kim@example.org` does not make Kim Min of Kim Min-jung.
    const addressed = this.#peopleIn(isOwnTerm, { fields: ADDRESSES, fieldsOfLonger })
    subtract(addressed, this.#peopleIn(isBeginning, { fields: NAME }))
    subtract(guessed, addressed)
    const certain = this.#scratch.copyOf(matching.certain)
    subtract(certain, guessed)
    return { ...matching, certain }
  }

  /** An initial of those who have another word of the query in their name; of others, a word such as in `plan B`. */
  #initialPeople(named: PeopleSet, initials: PeopleSet): WordPeople {
    const certain = this.#peopleIn(({ fields }) => fields === NAME)
    intersect(certain, initials)
    const elsewhere = this.#peopleIn(({ fields }) => fields !== NAME)
    subtract(elsewhere, named)
    unite(certain, elsewhere)
    unite(
      certain,
      this.#peopleIn(({ factor }) => factor === FACTOR.joined),
    )
    return { certain, having: certain, anyone: certain }
  }

  /** A bit mask of the fields in which longer words count as the word itself: a capital begins a name in all others. */
  #fieldsOfBeginnings(): number {
    const { typed = '', text } = this.#word
    const isName = /^\p{Lu}/u.test(typed) && thesaurus().find(text).length === 0
    return isName ? 0 : ~NAMING_FIELDS
  }

  /** Everyone who matches by more than a name that is similar; undefined if no similar names match. */
  apartFromNames(): PeopleSet | undefined {
    return this.#ranges.some(isNameGuess)
      ? this.#peopleIn((range) => !isNameGuess(range))
      : undefined
  }

  /** Everyone with its initial in their name; undefined if no initials match. */
  byInitial(): PeopleSet | undefined {
    return this.#ranges.some(isInitial) ? this.#peopleIn(isInitial) : undefined
  }

  /** People of some ranges in some fields (a bit mask); of longer words, perhaps in fewer. */
  #peopleIn(
    isIn: (range: PostingRange) => boolean,
    { fields: counted = ~0, fieldsOfLonger = ~0 } = {},
  ): PeopleSet {
    const set = this.#scratch.emptySet()
    for (const range of this.#ranges) {
      if (!isIn(range)) continue
      const fields = range.fields & counted & (isBeginning(range) ? fieldsOfLonger : ~0)
      if (fields === range.fields) addPeople(range, set)
      else if (fields !== 0) addPeople(withFields(range, fields), set)
    }
    return set
  }

  /** Returns what this person has instead of the word, if they do not have the word itself. May be called after the search. */
  guessFor(at: number): GuessedWord {
    if (this.#judgment && this.#isOnlyNoted(at)) return { word: this.#word, guess: 'noted' }
    const guesses = this.#ranges.filter(isGuess)
    // It is not known who has which of several terms.
    const best = guesses
      .filter((range) => fieldsInRange(range, at) !== 0)
      .toSorted((one, other) => other.factor - one.factor)[0]
    const guess = best?.guess ?? (this.#judgment ? 'beginning' : this.#guessOfMany(guesses))
    const text = best?.term === undefined ? undefined : termText(best.placed.segment, best.term)
    const found = text?.startsWith(wholePartTerm('')) === true ? text.slice(1) : text
    return { word: this.#word, guess, found }
  }

  /** Whether this person has the word itself, and so only in a note. */
  #isOnlyNoted(at: number): boolean {
    const isPart = this.#word.isPartOfName === true
    const isNoted = (one: PostingRange) => (fieldsInRange(one, at) & PROSE_FIELDS) !== 0
    return isPart && this.#ranges.some((one) => isOwn(one) && isNoted(one))
  }

  #guessOfMany(guesses: readonly PostingRange[]): Guess {
    return guesses.find(({ isSorted }) => !isSorted)?.guess ?? 'part'
  }

  /** How rare the word is among this many current connections. */
  rarity(people: number): number {
    const rarity = rarityOf(countPeople(this.people.anyone), people)
    return this.isOptional ? Math.round(OPTIONAL_WEIGHT * rarity) : rarity
  }
}

/** Weight of a word that only asks or connects. */
const OPTIONAL_WEIGHT = 0.25

interface WordPeople {
  /** Everyone who has the word itself: see `Guess`. */
  readonly certain: PeopleSet
  /** Everyone who has the word, or other words or another spelling for it. */
  readonly having: PeopleSet
  /** Everyone who has it, or only a part of it or something related. */
  readonly anyone: PeopleSet
}

/** What other words of the query tell about a word. */
interface Judgment {
  /** People with another word of the query in their name. */
  readonly named: PeopleSet
  /** For a single letter: the people with another word of their name that begins with it. */
  readonly initials?: PeopleSet
}

/** More people do not have a word that is misspelled. */
const MAX_MISSPELLED = 100

const NAME = 1 << FIELD.name
const IN_NAME = { fields: NAME, merged: undefined } as const

/** Words of scripts without spaces are parts of a name. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Whole words of a name. */
function isNaming({ isWhole, fields }: PostingRange): boolean {
  return isWhole && (fields & NAME) !== 0
}

/** Longer words that begin with the word. */
function isBeginning({ term, guess }: PostingRange): boolean {
  return term === undefined && guess === undefined
}

function withFields(range: PostingRange, fields: number): PostingRange {
  const { start, end, placed } = range
  return { ...range, fields, merged: placed.segment.merged.read({ start, end, fields }) }
}

function isVague({ guess }: PostingRange): boolean {
  return VAGUE_GUESSES.has(guess)
}

/** The word itself. */
function isOwn({ isWhole, guess }: PostingRange): boolean {
  return isWhole && guess === undefined
}

function isGuess({ guess }: PostingRange): boolean {
  return guess !== undefined
}

/** A similar name, or a name with its initials. */
function isNameGuess({ guess, fields }: PostingRange): boolean {
  return NAME_GUESSES.has(guess) && (fields & ~NAMES) === 0
}

const NAMES = NAME | (1 << FIELD.initials)
/** What is made of names in emails and URLs. */
const ADDRESSES = (1 << FIELD.emailWord) | (1 << FIELD.linkWord)

function isInitial({ guess, fields }: PostingRange): boolean {
  return guess === 'initial' && fields === NAME
}

/** A whole number, so that sums do not depend on their order. A word that nothing matches is the rarest. */
function rarityOf(matches: number, people: number): number {
  return Math.round(100 * Math.log(1 + people / Math.max(matches, 0.5)))
}
