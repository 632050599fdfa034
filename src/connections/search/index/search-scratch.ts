/** Working memory of searches: what is known about each person while a query is answered. */

import { FIELD, FIELD_BITS, FIELD_MASK, FIELD_WEIGHTS } from './fields.ts'
import { includes, setLength, type PeopleSet } from './people-set.ts'
import type { PostingRange } from './posting-ranges.ts'

const VALUE_SHIFT = 16
const FIELDS_MASK = 0xffff
const WORDS_MASK = 0xffff

/** Reused by the next search. A search does not yield, so a thread needs only one. */
export class SearchScratch {
  /** By person: the value of the current word in the high half, and the fields of all words in the low half. */
  #states = new Uint32Array(0)
  /** By person, bit masks of words: those that are a whole word of the name in the high half, those that match in the low. */
  #words = new Uint32Array(0)
  readonly #sets: PeopleSet[] = []
  #usedSets = 0
  #size = 0
  /** People who match the current word. */
  #wordPeople = new Uint32Array(0)
  /** By person: sums of whole numbers. */
  scores = new Uint32Array(0)
  /** People who match any scored word. */
  people = new Uint32Array(0)
  count = 0
  /** How many people match the current word. */
  wordCount = 0

  /** Makes room for so many people. Sets of earlier searches may be given out again. */
  begin(size: number): void {
    this.#usedSets = 0
    this.#size = size
    if (this.people.length >= size) return
    this.#sets.length = 0
    this.#states = new Uint32Array(size)
    this.#words = new Uint32Array(size)
    this.#wordPeople = new Uint32Array(size)
    this.scores = new Uint32Array(size)
    this.people = new Uint32Array(size)
  }

  /** A set for this search. */
  emptySet(): PeopleSet {
    const known = this.#sets[this.#usedSets]
    const set = known ?? new Uint32Array(setLength(this.people.length))
    this.#sets[this.#usedSets] = set
    this.#usedSets += 1
    const part = set.subarray(0, setLength(this.#size))
    part.fill(0)
    return part
  }

  fieldsOf(at: number): number {
    return (this.#states[at] ?? 0) & FIELDS_MASK
  }

  /** A bit mask of the words that someone matches. */
  wordsOf(at: number): number {
    return (this.#words[at] ?? 0) & WORDS_MASK
  }

  /** A bit mask of the words that are whole words of someone's name. */
  nameWordsOf(at: number): number {
    return (this.#words[at] ?? 0) >>> 16
  }

  /** Scores one word for the people of a range, or those of them in a set. Each person's best posting counts. */
  score(range: PostingRange, bit: number, among: PeopleSet | undefined): void {
    const { placed, start, end, factor, fields, isWhole } = range
    const { gone, offset, segment } = placed
    const { postings } = segment
    const states = this.#states
    const nameBit = isWhole ? 1 << (16 + bit) : 0
    for (let index = start; index < end; index += 1) {
      const posting = postings[index] ?? 0
      const field = posting & FIELD_MASK
      const person = posting >>> FIELD_BITS
      const at = offset + person
      if (((fields >>> field) & 1) === 0 || (among && !includes(among, at))) continue
      if (gone?.[person] === 1) continue
      const before = states[at] ?? 0
      const value = factor * (FIELD_WEIGHTS[field] ?? 0)
      const valueBefore = before >>> VALUE_SHIFT
      if (valueBefore === 0) this.#wordPeople[this.wordCount++] = at
      const best = value > valueBefore ? value : valueBefore
      states[at] = (best << VALUE_SHIFT) | (before & FIELDS_MASK) | (1 << field)
      if (nameBit !== 0 && field === FIELD.name) this.#words[at] = (this.#words[at] ?? 0) | nameBit
    }
  }

  /** Adds the scored word to the score of everyone who matches it. */
  finishWord(bit: number, rarity: number): void {
    const [states, words, scores] = [this.#states, this.#words, this.scores]
    for (let index = 0; index < this.wordCount; index += 1) {
      const at = this.#wordPeople[index] ?? 0
      const state = states[at] ?? 0
      const mask = words[at] ?? 0
      if ((mask & WORDS_MASK) === 0) this.people[this.count++] = at
      words[at] = mask | (1 << bit)
      scores[at] = (scores[at] ?? 0) + rarity * (state >>> VALUE_SHIFT)
      states[at] = state & FIELDS_MASK
    }
    this.wordCount = 0
  }

  /** Forgets all people, so that other words can be scored. */
  clear(): void {
    if (this.count > this.#size / 8) {
      this.#states.fill(0, 0, this.#size)
      this.#words.fill(0, 0, this.#size)
      this.scores.fill(0, 0, this.#size)
    } else
      for (let index = 0; index < this.count; index += 1) {
        const at = this.people[index] ?? 0
        this.#states[at] = 0
        this.#words[at] = 0
        this.scores[at] = 0
      }
    this.count = 0
  }
}
