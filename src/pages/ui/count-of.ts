/** A number with its noun: `1 call`, `1,204 calls`. Supports nouns whose plural ends in s. */

import { lazy } from '../../base/lazy.ts'

export function countOf(count: number, word: string): string {
  return `${NUMBER().format(count)}\u00A0${count === 1 ? word : `${word}s`}`
}

const NUMBER = lazy(() => new Intl.NumberFormat('en'))
