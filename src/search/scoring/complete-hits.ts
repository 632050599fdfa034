/** Which hits are complete: people who have every required word itself, rather than a `Guess`. */

import { intersect, type PeopleSet } from '../index/people-set.ts'
import type { IndexHit } from './best-hits.ts'

interface RequiredWord {
  readonly isOptional: boolean
  /** People who have the word itself. */
  readonly certain: PeopleSet
}

/** Removes everyone who lacks a required word. */
export function keepComplete(people: PeopleSet, words: readonly RequiredWord[]): void {
  for (const { isOptional, certain } of words) if (!isOptional) intersect(people, certain)
}

/** Whether the words that someone has themselves, as a bit mask, include all required ones. */
export function isCompleteHit(certain: number, required: number): boolean {
  return (certain & required) === required
}

/** Counts the hits that have every word itself. */
export function completeIn(hits: readonly IndexHit[]): number {
  return hits.filter(({ isComplete }) => isComplete).length
}
