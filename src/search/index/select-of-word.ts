/**
 * Selects the best people who have one word, which is what a search field asks for after the first letters. Those who have
 * the word itself are scored first. Of the many with a longer word, people are scored only until none of the others can be
 * among the best.
 */

import { BestHits } from './select-people.ts'
import { lowestBit, subtract, unite, type PeopleSet } from './people-set.ts'
import { addPeople, type PostingRange } from './posting-ranges.ts'
import { IN_NAME, maxValueOf, personScorer, VALUE_MASK } from './score-people.ts'
import {
  ALL_WORDS,
  FULL_VALUE,
  fieldsOfHits,
  guessesOfHits,
  unknownBits,
  WHOLE_NAME_BONUS,
  type IndexResult,
  type Search,
} from './select-people.ts'
import type { AskedWord } from './asked-word.ts'

/** The same as `selectBest` for everyone who has the only, required word: in every field that is searched, a match counts. */
export function selectOfWord(search: Search, word: AskedWord): IndexResult {
  const { query, people, scratch } = search
  const everyone = word.having()
  const certain = word.certain()
  const [itself, others, guessed] = [scratch.emptySet(), scratch.emptySet(), scratch.emptySet()]
  const longer: PostingRange[] = []
  for (const range of word.ranges)
    if (range.isWhole) addPeople(range, itself)
    else longer.push(range)
  unite(others, certain)
  subtract(others, itself)
  unite(guessed, everyone)
  subtract(guessed, certain)
  const rarity = word.rarity(people)
  const best = new BestHits(query.limit, query.after ?? null)
  const values = scratch.valuesOf(0)
  const valueOf = personScorer(word.ranges, everyone, values)
  const selection = { search, best, rarity, valueOf, isComplete: true }
  const most = rarity * Math.max(0, ...longer.map(maxValueOf))
  addBest(selection, itself, Infinity)
  addBest(selection, others, 2 * ALL_WORDS + most)
  addBest({ ...selection, isComplete: false }, guessed, ALL_WORDS + most)
  values.fill(0)
  return {
    hits: best.hits,
    total: word.count,
    complete: word.certainCount,
    unknown: unknownBits([word]),
    maxScore: FULL_VALUE * rarity,
    isNamed: best.isNamed,
    isRanked: false,
    fieldsOf: fieldsOfHits([word]),
    guessesOf: guessesOfHits([word]),
  }
}

interface Selection {
  readonly search: Search
  readonly best: BestHits
  readonly rarity: number
  /** Of a person, as in `WordValues`. */
  readonly valueOf: (at: number) => number
  /** Whether the people have the word itself. */
  readonly isComplete: boolean
}

/** Adds people of a set who score at most `maxScore`. In a segment, later people have higher IDs and lose ties. */
function addBest(
  { search, best, rarity, valueOf, isComplete }: Selection,
  set: PeopleSet,
  maxScore: number,
): void {
  for (const { segment, offset } of search.layout.segments) {
    const { ids, nameLengths } = segment
    const end = offset + ids.length
    for (let word = offset >>> 5; 32 * word < end; word += 1) {
      let rest = set[word] ?? 0
      if (rest === 0) continue
      if (!best.mayTake(maxScore, ids[Math.max(0, 32 * word - offset)] ?? 0)) break
      for (; rest !== 0; rest &= rest - 1) {
        const at = 32 * word + lowestBit(rest)
        if (at < offset || at >= end) continue
        const value = valueOf(at)
        const isNamed = (value & IN_NAME) !== 0
        if (isNamed) best.isNamed = true
        const isWholeName = isNamed && nameLengths[at - offset] === 1
        const sum = rarity * (value & VALUE_MASK)
        const lift = isComplete ? 2 * ALL_WORDS : ALL_WORDS
        const score = lift + (isWholeName ? Math.round(sum * WHOLE_NAME_BONUS) : sum)
        const connectionId = ids[at - offset] ?? 0
        if (best.count(score, connectionId))
          best.add({
            at,
            connectionId,
            score,
            isNamed,
            matched: 1,
            having: 1,
            certain: isComplete ? 1 : 0,
            share: 1,
            isComplete,
          })
      }
    }
  }
}
