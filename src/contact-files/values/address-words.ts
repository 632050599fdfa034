// Compares an address in parts with the same address as one text.

import type { Address } from '../contact/details.ts'

/** Whether the parts have every word of the address as written. */
export function hasWordsOf({ label: _label, ...parts }: Address, whole: string): boolean {
  const known = new Set(wordsIn(Object.values(parts).join(' ')))
  return wordsIn(whole).every((word) => word === '' || known.has(word))
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/[\s,]+/)
}
