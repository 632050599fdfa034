/** The questions of `questions.txt` with the people who answer them. */

import { readCells, SEARCH_PEOPLE, type SearchPerson } from './people.ts'
import type { SearchQuestion } from '../support/search-set.ts'

export const CATEGORIES = [
  'name',
  'typo',
  'transliteration',
  'other script',
  'partial',
  'company',
  'email',
  'phone',
  'facets',
  'notes',
  'dates',
  'negatives',
] as const

function readQuestions(): SearchQuestion[] {
  const counts = new Map<string, number>()
  return readCells('questions.txt').map(([category = '', query = '', answer = '']) => {
    const known = CATEGORIES.find((one) => one === category)
    if (!known) throw new Error(`unknown category: ${category}`)
    const count = counts.get(category) ?? 0
    counts.set(category, count + 1)
    return { category: known, isHeldOut: count % 2 === 1, query, relevant: relevantOf(answer) }
  })
}

/** `handle`, `handle:1`, or `fact=value fact=value / fact=value`. */
function relevantOf(answer: string): ReadonlyMap<string, number> {
  if (!answer.includes('=')) {
    const pairs = answer.split(' ').filter((one) => one !== '')
    return new Map(pairs.map((pair) => [pair.split(':')[0] ?? '', Number(pair.split(':')[1] ?? 3)]))
  }
  const [exact = '', related] = answer.split('/')
  const relevant = new Map<string, number>()
  if (related !== undefined) for (const { handle } of peopleWith(related)) relevant.set(handle, 1)
  for (const { handle } of peopleWith(exact)) relevant.set(handle, 3)
  return relevant
}

function peopleWith(conditions: string): SearchPerson[] {
  const tests = conditions
    .trim()
    .split(' ')
    .map((condition) => {
      const [fact = '', values = ''] = condition.split('=')
      const test = TESTS[fact]
      if (!test) throw new Error(`unknown fact: ${condition}`)
      return (person: SearchPerson) => test(person, values.replaceAll('_', ' ').split('+'))
    })
  return SEARCH_PEOPLE.filter((person) => tests.every((test) => test(person)))
}

const TESTS: Readonly<
  Record<string, (person: SearchPerson, values: readonly string[]) => boolean>
> = {
  role: ({ facts }, values) => values.includes(facts.role),
  city: ({ facts }, values) => values.includes(facts.city),
  company: ({ facts }, values) => values.includes(facts.company),
  former: ({ facts }, values) => values.includes(facts.former),
  topic: ({ facts }, values) => facts.topics.some((topic) => values.includes(topic)),
  /** The newest note is before this day. */
  silent: ({ notes }, [day = '']) => notes.every(({ on }) => on < day),
  /** A note from the first day to before the second. */
  seen: ({ notes }, [from = '', to = '']) => notes.some(({ on }) => from <= on && on < to),
}

export const QUESTIONS: readonly SearchQuestion[] = readQuestions()
