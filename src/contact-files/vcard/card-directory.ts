// The names of a file's cards by their UID, to which other cards refer (RFC 6350 section 6.6.6).

import { fullNameOf } from './vcard-names.ts'
import { cardIdOf } from '../contact/contact-keys.ts'
import { partsIn, textIn } from './vcard-card.ts'
import type { Properties } from './vcard-property.ts'

/** Cards whose names are remembered, about 15 MB. */
const MAX_CARDS = 100_000

export interface CardDirectory {
  /** Returns whether this is the first card with its UID. */
  add(properties: Properties): boolean
  /** The name of the card that a `RELATED` value refers to. */
  nameOf(reference: string): string | undefined
}

export function cardDirectory(): CardDirectory {
  const names = new Map<string, string>()
  return {
    add(properties) {
      const id = cardIdOf(uidOf(properties))
      if (id === '' || names.size === MAX_CARDS || names.has(id)) return false
      const [family = '', given = '', middle = ''] = partsIn(properties, 'N')
      const name = fullNameOf(properties, [given, middle, family])
      if (name !== '') names.set(id, name)
      return name !== ''
    },
    nameOf: (reference) => names.get(cardIdOf(reference)),
  }
}

/** Old versions of Apple's Contacts write their own ID only. Empty for none. */
export function uidOf(properties: Properties): string {
  return textIn(properties, 'UID') || textIn(properties, 'X-ABUID')
}

/** Whether a value is the UID of a card. */
export function isCardReference(text: string): boolean {
  return CARD_REFERENCE.test(text)
}

const CARD_REFERENCE = /^\s*(?:urn:)?uuid:/i
