/** The cards of a book as they were when they were last read, so that only changed ones are imported. */

import { hashOf } from '../contact-files/contact/contact-keys.ts'
import type { ListedCard } from './changed-cards.ts'

interface KnownCard {
  readonly etag: string | null
  /** Empty if the card could not be read. */
  readonly hash: string
}

/** By the names of cards. A card that was removed stays known, so that it is not imported again when it comes back. */
export type KnownCards = Map<string, KnownCard>

/** More cards than a book can have. The ones that have not changed for the longest time are forgotten first. */
const MAX_KNOWN = 60_000

export function readKnown(stored: string): KnownCards {
  // Written below.
  const rows = JSON.parse(stored) as [name: string, etag: string | null, hash: string][]
  return new Map(rows.map(([name, etag, hash]) => [name, { etag, hash }]))
}

export function writeKnown(known: KnownCards): string {
  const rows = [...known].map(([name, { etag, hash }]) => [name, etag, hash])
  return JSON.stringify(rows.slice(-MAX_KNOWN))
}

export function isUnchanged(known: KnownCards, { name, etag }: ListedCard): boolean {
  return etag !== null && known.get(name)?.etag === etag
}

/** Remembers a card. Returns whether its text is another one than before: an ETag can change without it. */
export function rememberCard(
  known: KnownCards,
  { name, etag }: ListedCard,
  text: string | undefined,
): boolean {
  const hash = text === undefined ? '' : hashOf(text)
  const isNew = hash !== '' && known.get(name)?.hash !== hash
  known.delete(name)
  known.set(name, { etag, hash })
  return isNew
}

export function countUnread(known: KnownCards): number {
  return [...known.values()].filter(({ hash }) => hash === '').length
}
