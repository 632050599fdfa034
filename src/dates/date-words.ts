/** The words of dates, from the lists in `words/`, one per language. A text may use the words of any of them. */

import { readdirSync } from 'node:fs'
import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { matchPhrase, phraseList, phrasesIn, type PhraseList } from '../base/phrase-list.ts'

const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ')
const WEEKDAY_NAMES = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/** What a phrase may mean: the names of the lines in the lists, in order. */
const GROUPS = {
  month: MONTH_NAMES,
  weekday: WEEKDAY_NAMES,
  /** Two letters, which mean other things where no date follows. */
  'weekday-short': WEEKDAY_NAMES.map((name) => `${name}-short`),
  /** `Fridays`: every one of them. */
  'weekday-often': WEEKDAY_NAMES.map((name) => `${name}-often`),
  season: ['spring', 'summer', 'autumn', 'winter'],
  unit: ['day', 'week', 'month', 'quarter', 'year'],
  'clock-unit': ['hour', 'minute'],
  number: Array.from({ length: 12 }, (_, index) => `${index + 1}`),
  'named-day': ['day-before-yesterday', 'yesterday', 'today', 'tomorrow', 'day-after-tomorrow'],
  order: ['last', 'this', 'next'],
  part: ['start', 'end', 'middle'],
  'end-of': ['end-of-month', 'end-of-year'],
  since: ['since'],
  before: ['before'],
  after: ['after'],
  during: ['during'],
  clock: ['noon', 'midnight'],
  ordinal: ['ordinal-1', 'ordinal-2', 'ordinal-3', 'ordinal-4', 'ordinal-last'],
  often: [
    'daily',
    'weekly',
    'biweekly',
    'monthly',
    'bimonthly',
    'quarterly',
    'half-yearly',
    'yearly',
  ],
  weekend: ['weekend'],
  between: ['between'],
  and: ['and'],
  ago: ['ago'],
  'ago-before': ['ago-before'],
  ahead: ['ahead'],
  'ahead-after': ['ahead-after'],
  soon: ['soon'],
  /** Words before an amount of time that say little: `more than`, `in the`. */
  longer: ['longer'],
  long: ['long'],
  article: ['article'],
  of: ['of'],
  every: ['every'],
  other: ['other'],
  never: ['never'],
} as const satisfies Record<string, readonly string[]>

export type WordGroup = keyof typeof GROUPS

interface MatchedWords {
  /** Index of the meaning in its group. */
  readonly line: number
  /** Tokens in the phrase. */
  readonly length: number
}

/** The longest phrase of a group that starts at a token. */
export function wordsAt(
  group: WordGroup,
  tokens: readonly string[],
  at: number,
): MatchedWords | undefined {
  return matchPhrase(listOf(group), tokens, at)
}

/** Tokens of the phrase of a group that starts here; 0 if there is none. */
export function lengthAt(group: WordGroup, tokens: readonly string[], at: number): number {
  return wordsAt(group, tokens, at)?.length ?? 0
}

export function startsWords(group: WordGroup, word: string): boolean {
  return listOf(group).has(word)
}

/** The normalized names and abbreviations of each month, from January on. */
export function monthWords(): readonly (readonly string[])[] {
  return MONTH_NAMES.map((name) => linesByName().get(name) ?? [])
}

function listOf(group: WordGroup): PhraseList {
  const list = lists().get(group)
  if (!list) throw new Error(`no words for ${group}`)
  return list
}

const lists = lazy(
  () =>
    new Map(
      Object.entries(GROUPS).map(([group, names]) => [
        group as WordGroup,
        phraseList(names.map((name) => linesByName().get(name) ?? [])),
      ]),
    ),
)

/** The normalized phrases of every language, by the name of their line. */
const linesByName = lazy((): ReadonlyMap<string, readonly string[]> => {
  const folder = new URL('words/', import.meta.url)
  const phrases = new Map<string, string[]>(
    Object.values(GROUPS)
      .flat()
      .map((name) => [name, []]),
  )
  for (const file of readdirSync(folder).sort())
    for (const line of readDataLines(new URL(file, folder))) {
      const [name = '', words = ''] = line.split(' = ')
      const known = phrases.get(name)
      if (!known) throw new Error(`dates have no words named “${name}”, which ${file} has`)
      known.push(...phrasesIn(words).filter((one) => !known.includes(one)))
    }
  return phrases
})
