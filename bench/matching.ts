/**
 * How well matching tells the same person from two people: labeled pairs of invented people (`matching-set/`).
 * Half of them were used to tune the weights, the other half is held out. Time is not measured, so the figures are the
 * same on every machine. Run `node bench/matching.ts`; `-v` prints every wrong decision.
 */

import { decideMatch, type MatchOutcome } from '../src/identity/decide-match.ts'
import { keysOf, matchKeysOf, searchedKeysOf } from '../src/connections/model/match-keys.ts'
import { pairsOf, type LabelledPair } from './matching-set/pairs.ts'
import { print, printFigures, type Figure } from './support/figures.ts'

export const title = 'Matching people: labeled pairs, tuning and held-out'

export interface Confusion {
  readonly same: Readonly<Record<MatchOutcome, number>>
  readonly different: Readonly<Record<MatchOutcome, number>>
}

export function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const part of ['tuning', 'heldOut'] as const) {
    const pairs = pairsOf(part)
    const confusion = confusionOf(pairs)
    const { precision, recall } = qualityOf(confusion)
    figures.push({
      name: `${part === 'tuning' ? 'tuning' : 'held out'}, ${pairs.length} pairs`,
      value: `automatic precision ${precision.toFixed(4)}  automatic or review recall ${recall.toFixed(4)}`,
      aim: '.998 and .95',
    })
    figures.push({
      name: '  of records that share a key, as imports compare them',
      value: `automatic or review recall ${qualityOf(confusionOf(pairs, shareKey)).recall.toFixed(4)}`,
      aim: '.95',
    })
    for (const [category, some] of Map.groupBy(pairs, (pair) => pair.category))
      figures.push({ name: `  ${category}`, value: describe(some) })
  }
  return Promise.resolve(figures)
}

/** `areCompared`: the other pairs count as different people. */
export function confusionOf(
  pairs: readonly LabelledPair[],
  areCompared: (pair: LabelledPair) => boolean = () => true,
): Confusion {
  const counts = {
    same: { same: 0, unsure: 0, different: 0 },
    different: { same: 0, unsure: 0, different: 0 },
  }
  for (const pair of pairs) {
    const { isSame, one, other } = pair
    const outcome = areCompared(pair) ? decideMatch(one, other).outcome : 'different'
    counts[isSame ? 'same' : 'different'][outcome] += 1
  }
  return counts
}

/** Whether an import of one finds the other. */
export function shareKey({ one, other }: LabelledPair): boolean {
  const keys = new Set(keysOf(one))
  return searchedKeysOf(matchKeysOf(other), other).some((key) => keys.has(key))
}

export function qualityOf({ same, different }: Confusion): { precision: number; recall: number } {
  const people = same.same + same.unsure + same.different
  return {
    precision: same.same / (same.same + different.same),
    recall: (same.same + same.unsure) / people,
  }
}

function describe(pairs: readonly LabelledPair[]): string {
  const { same, different } = confusionOf(pairs)
  const { same: merged, unsure, different: apart } = pairs[0]?.isSame ? same : different
  return `merged ${merged}  review ${unsure}  apart ${apart}`
}

if (import.meta.main) {
  printFigures(title, await measure())
  if (process.argv.includes('-v'))
    for (const part of ['tuning', 'heldOut'] as const)
      for (const { category, isSame, one, other } of pairsOf(part)) {
        const decision = decideMatch(one, other)
        const wrong = isSame ? 'different' : 'same'
        if (decision.outcome === wrong)
          print(JSON.stringify({ part, category, decision, one, other }, omitEmpty))
      }
}

function omitEmpty(_key: string, value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value
}
