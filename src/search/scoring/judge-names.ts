/**
 * Judges the words of a query by each other, where they name one person. Beside a whole word of a name, the beginning of
 * another word is only a guess: Daniel Fürst is not Daniel Fürstenberg. A single letter counts only there, and only for a
 * word of the name that the query does not have: A. Kirchmoser is Anneliese Kirchmoser, K. Kirchmoser is not.
 */

import { initialsTerm } from '../questions/company-initials.ts'
import { FIELD } from '../index/search-fields.ts'
import {
  intersect,
  subtract,
  unite,
  type PeopleSet,
  type SearchScratch,
} from '../index/people-set.ts'
import { addPeople, termRange } from '../index/posting-ranges.ts'
import { bytesOfTerm, lowerBound, prefixEnd, termText, type Layout } from '../index/segment.ts'
import type { AskedWord } from './asked-word.ts'

/** Tells each word whose names have others as whole words. Called again when the words match more. */
export function judgeNames(
  layout: Layout,
  words: readonly AskedWord[],
  scratch: SearchScratch,
): void {
  const required = words.filter(({ isOptional }) => !isOptional)
  if (required.length < 2) return
  const naming = required.flatMap((word): NamingWord[] => {
    const people = word.namedPeople()
    return people ? [{ word, people }] : []
  })
  for (const word of required) {
    const others = naming.filter((one) => one.word !== word)
    const named = unionOf(others, scratch)
    if (!word.isInitial) {
      if (others.length > 0) word.judge({ named })
      continue
    }
    const alike = required.filter((one) => one.isInitial && one.letter === word.letter)
    const wanted = { letter: word.letter, least: alike.length }
    word.judge({ named, initials: withInitial(layout, wanted, { others, named }, scratch) })
  }
}

/** A word of the query, and the people who have it as a whole word of their name. */
interface NamingWord {
  readonly word: AskedWord
  readonly people: PeopleSet
}

function unionOf(words: readonly NamingWord[], scratch: SearchScratch): PeopleSet {
  const all = scratch.emptySet()
  for (const { people } of words) unite(all, people)
  return all
}

interface WantedLetter {
  readonly letter: string
  /** Words of a name that begin with it. */
  readonly least: number
}

/** People with another word of the query in their name, and as many further words that begin with the letter. */
function withInitial(
  layout: Layout,
  { letter, least }: WantedLetter,
  { others, named }: { readonly others: readonly NamingWord[]; readonly named: PeopleSet },
  scratch: SearchScratch,
): PeopleSet {
  const found = scratch.copyOf(named)
  intersect(found, peopleWithLetter(layout, { letter, least }, scratch))
  // Where words of the query begin with the letter, too, the name needs one word more for each.
  const taken = others.filter(({ word }) => word.namesBeginWith(letter))
  for (let count = 1; count <= taken.length; count += 1) {
    const having = peopleWithSome(taken, count, scratch)
    const more = scratch.copyOf(having)
    intersect(more, peopleWithLetter(layout, { letter, least: least + count }, scratch))
    subtract(found, having)
    unite(found, more)
  }
  return found
}

/** People with at least `count` of these words in their name. */
function peopleWithSome(
  words: readonly NamingWord[],
  count: number,
  scratch: SearchScratch,
): PeopleSet {
  const having = Array.from({ length: count }, () => scratch.emptySet())
  for (const { people } of words)
    for (let at = count - 1; at >= 0; at -= 1) {
      const more = scratch.copyOf(people)
      const fewer = having[at - 1]
      if (fewer) intersect(more, fewer)
      unite(having[at] ?? more, more)
    }
  return having[count - 1] ?? scratch.emptySet()
}

/** People with so many words of their name that begin with the letter. */
function peopleWithLetter(
  { segments }: Layout,
  { letter, least }: WantedLetter,
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  const bytes = bytesOfTerm(initialsTerm(''))
  const [fields, factor, isWhole] = [1 << FIELD.initials, 0, false]
  for (const placed of segments) {
    const first = lowerBound(placed.segment, bytes)
    const until = prefixEnd(placed.segment, bytes, first)
    for (let term = first; term < until; term += 1)
      if (termText(placed.segment, term).split(letter).length > least)
        addPeople({ ...termRange(placed, term), fields, factor, isWhole }, set)
  }
  return set
}
