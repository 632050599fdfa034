/** One word of a query in an index: its postings, the people who have it, and how rare it is. */

import {
  addPeople,
  hasPeople,
  partRanges,
  termRanges,
  typoRanges,
  type PostingRange,
} from './posting-ranges.ts'
import { FACTOR, FIELD } from './fields.ts'
import type { QueryWord } from './query-word.ts'
import { scorePeople, type Candidates } from './score-people.ts'
import type { Layout } from './segment.ts'
import type { PeopleSet } from './people-set.ts'
import type { SearchScratch, WordValues } from './people-set.ts'

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
  readonly #all: Gathered = { set: undefined, count: 0, added: 0 }
  readonly #having: Gathered = { set: undefined, count: 0, added: 0 }

  constructor(layout: Layout, scratch: SearchScratch, word: QueryWord) {
    this.isOptional = word.isOptional
    this.isStrict = word.isStrict === true
    this.#layout = layout
    this.#scratch = scratch
    this.#word = word
    this.#ranges = termRanges(layout, word)
    const own = this.#ranges.filter((range) => !isVague(range))
    const [forms, others] = [own.filter(isForm), own.filter((one) => !isForm(one))]
    if (others.some(hasPeople)) {
      if (!others.some((range) => range.isWhole && hasPeople(range))) this.#addSingularName()
      return
    }
    if (forms.some(hasPeople)) this.#addNameTypos()
    else this.#addTypos()
  }

  get ranges(): readonly PostingRange[] {
    return this.#ranges
  }

  /** Postings to visit: about how common it is. */
  get postings(): number {
    return this.#ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** Also matches weak terms and typos, although the word has other matches. */
  makeThorough(): void {
    this.#ranges.push(...termRanges(this.#layout, this.#word, true))
    if (!this.#hasTypos) this.#addTypos()
  }

  /** Also matches words with one typo more. */
  allowMoreTypos(): void {
    if (this.isOptional || this.isStrict) return
    this.#ranges.push(...typoRanges(this.#layout, this.#word, { more: 1 }))
  }

  /** A word that is not required needs no other spellings. */
  #addTypos(): void {
    this.#hasTypos = true
    if (this.isOptional) return
    this.#ranges.push(...typoRanges(this.#layout, this.#word))
    if (!this.isStrict) this.#ranges.push(...partRanges(this.#layout, this.#word))
  }

  /** Longer names do not hide someone who is called the singular: Ty Investor from `investors`. */
  #addSingularName(): void {
    const term = PLURAL.exec(this.#word.text)?.[1]
    if (term === undefined || this.isOptional) return
    const singular = { term, factor: FACTOR.singular, fields: 1 << FIELD.name }
    for (const range of termRanges(this.#layout, { ...this.#word, terms: [singular] }))
      this.#ranges.push({ ...range, isWhole: false })
  }

  /** A note with `carting` does not hide Jim Carter from `Carters`. */
  #addNameTypos(): void {
    if (this.isOptional) return
    for (const range of typoRanges(this.#layout, this.#word, { most: 1 }))
      this.#ranges.push({ ...range, fields: range.fields & (1 << FIELD.name) })
  }

  /** Everyone who has it, or only a part of it or something related. The set is reused: do not change it. */
  people(): PeopleSet {
    return this.#gather(this.#all, () => true)
  }

  /** Everyone who has the word. */
  having(): PeopleSet {
    if (!this.#ranges.some(isVague)) return this.people()
    return this.#gather(this.#having, (range) => !isVague(range))
  }

  /** Those who have the word. */
  get count(): number {
    const set = this.having()
    return set === this.#having.set ? this.#having.count : this.#all.count
  }

  #gather(gathered: Gathered, isIn: (range: PostingRange) => boolean): PeopleSet {
    const set = (gathered.set ??= this.#scratch.emptySet())
    for (; gathered.added < this.#ranges.length; gathered.added += 1) {
      const range = this.#ranges[gathered.added]
      if (range && isIn(range)) gathered.count += addPeople(range, set)
    }
    return set
  }

  /** Among so many current connections. */
  rarity(people: number): number {
    this.people()
    const rarity = rarityOf(this.#all.count, people)
    return this.isOptional ? Math.round(OPTIONAL_WEIGHT * rarity) : rarity
  }

  /** Adds how well each candidate matches it. */
  score(candidates: Candidates, values: WordValues): void {
    for (const range of this.#ranges) scorePeople(range, candidates, values)
  }
}

/** Of a word that only asks or connects. */
const OPTIONAL_WEIGHT = 0.25

/** The people of the first `added` ranges. */
interface Gathered {
  set: PeopleSet | undefined
  count: number
  added: number
}

function isVague(range: PostingRange): boolean {
  return range.isVague === true
}

function isForm(range: PostingRange): boolean {
  return range.isForm === true
}

/** A whole number, so that sums do not depend on their order. A word that nothing matches is the rarest. */
function rarityOf(matches: number, people: number): number {
  return Math.round(100 * Math.log(1 + people / Math.max(matches, 0.5)))
}
