// Addresses as text: their location, and whether a text has more than the parts.

import type { Address } from '../contact/details.ts'

/** Whether the parts have every word of the address as written. */
export function hasWordsOf({ label: _label, ...parts }: Address, whole: string): boolean {
  const known = new Set(wordsIn(Object.values(parts).join(' ')))
  return wordsIn(whole).every((word) => word === '' || known.has(word))
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/[\s,]+/)
}

/** The location of the first address that has one. */
export function locationOfAddresses(addresses: readonly Address[]): string {
  return addresses.map(locationOf).find((place) => place !== '') ?? ''
}

/** City, region and country of an address. */
export function locationOf({ city = '', region = '', country = '' }: Address): string {
  return joinLocation([city, region, country])
}

/** The parts, as far as known, on one line. */
export function joinLocation(parts: readonly string[]): string {
  const known = parts.map((part) => part.trim()).filter((part) => part !== '')
  return [...new Set(known)].join(', ')
}
