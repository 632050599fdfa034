/** One word of a query in an index: its postings, the people who have it, and how rare it is. */

import { addPeople, hasPeople, termRanges, type PostingRange } from './posting-ranges.ts'
import { partRanges } from './word-parts.ts'
import { typoRanges } from './typos.ts'
import { FACTOR, FIELD } from './fields.ts'
import { NAME_GUESSES, VAGUE_GUESSES, type GuessedWord, type QueryWord } from './query-word.ts'
import { fieldsInRange } from './score-word.ts'
import { termText, type Layout } from './segment.ts'
import { countPeople, unite, type PeopleSet, type SearchScratch } from './people-set.ts'

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
  /** People of the first `#added` ranges. */
  #people: WordPeople | undefined
  #added = 0

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
    const { certain, having, anyone } = (this.#people ??= {
      certain: this.#scratch.emptySet(),
      having: this.#scratch.emptySet(),
      anyone: this.#scratch.emptySet(),
    })
    if (this.#added === this.#ranges.length) return this.#people
    for (const range of this.#ranges.slice(this.#added))
      addPeople(range, !isGuess(range) ? certain : isVague(range) ? anyone : having)
    this.#added = this.#ranges.length
    unite(having, certain)
    unite(anyone, having)
    return this.#people
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

  #peopleIn(isIn: (range: PostingRange) => boolean): PeopleSet {
    const set = this.#scratch.emptySet()
    for (const range of this.#ranges) if (isIn(range)) addPeople(range, set)
    return set
  }

  /** Returns what this person has instead of the word, if they do not have the word itself. May be called after the search. */
  guessFor(at: number): GuessedWord {
    const guesses = this.#ranges.filter(isGuess)
    // Of ranges of several terms, it is not known who has which.
    const best = guesses
      .filter((range) => fieldsInRange(range, at) !== 0)
      .toSorted((one, other) => other.factor - one.factor)[0]
    const guess = best?.guess ?? guesses.find(({ isSorted }) => !isSorted)?.guess ?? 'part'
    const found = best?.term === undefined ? undefined : termText(best.placed.segment, best.term)
    return { word: this.#word, guess, found }
  }

  /** Among so many current connections. */
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

/** More people do not have a word that is misspelled. */
const MAX_MISSPELLED = 100

const NAME = 1 << FIELD.name

function isVague({ guess }: PostingRange): boolean {
  return VAGUE_GUESSES.has(guess)
}

function isGuess({ guess }: PostingRange): boolean {
  return guess !== undefined
}

/** A similar name, or a name with its initials. */
function isNameGuess({ guess, fields }: PostingRange): boolean {
  return NAME_GUESSES.has(guess) && (fields & ~NAMES) === 0
}

const NAMES = NAME | (1 << FIELD.initials)

function isInitial({ guess, fields }: PostingRange): boolean {
  return guess === 'initial' && fields === NAME
}

/** A whole number, so that sums do not depend on their order. A word that nothing matches is the rarest. */
function rarityOf(matches: number, people: number): number {
  return Math.round(100 * Math.log(1 + people / Math.max(matches, 0.5)))
}
