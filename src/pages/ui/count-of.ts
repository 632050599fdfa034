/** A number and what is counted, as text on one line: `1 call`, `1,204 calls`. For words whose plural takes an s. */

import { lazy } from '../../base/lazy.ts'

export function countOf(count: number, word: string): string {
  return `${NUMBER().format(count)}\u00A0${count === 1 ? word : `${word}s`}`
}

const NUMBER = lazy(() => new Intl.NumberFormat('en'))
