// The people who are related to the person of a card, and the names of the file's cards by their UID, to which other cards
// refer (RFC 6350 section 6.6.6).

import { androidItems, keepUnread, partsIn, textIn, type Card } from './vcard-card.ts'
import { cardIdOf, cardKey } from '../contact/contact-keys.ts'
import { propertiesFor } from './vcard-fields.ts'
import { fullNameOf } from './vcard-names.ts'
import { textOf, type CardProperty, type Properties } from './vcard-property.ts'
import type { Relation } from '../contact/details.ts'

export function relationsOf(card: Card, directory: CardDirectory): readonly Relation[] {
  const written = propertiesFor('relation').flatMap(({ name: property, label }) =>
    (card.properties.get(property) ?? []).flatMap((one) => {
      const relation = label || kindOf(one, card)
      const name = nameIn(one, directory)
      if (name !== undefined) return [relationOf(name, relation)]
      const column = relation === '' ? property : `${property} (${relation})`
      const value = textOf(one.value)
      keepUnread(card, column, value)
      if (isCardReference(value))
        card.references.push({ column, value, relation, key: cardKey(value) })
      return []
    }),
  )
  return [...written, ...androidRelations(card)]
}

/** Whether a card refers to one that is not known, which a later part of the file may have. */
export function isIncomplete(properties: Properties, directory: CardDirectory): boolean {
  return propertiesFor('relation').some(({ name }) =>
    properties.get(name)?.some(({ value }) => {
      const text = textOf(value)
      return isCardReference(text) && directory.nameOf(text) === undefined
    }),
  )
}

function relationOf(name: string, relation: string): Relation {
  return { name, ...(relation !== '' && { relation }) }
}

function kindOf({ group, types }: CardProperty, { labels }: Card): string {
  return labels.get(group) ?? types.find((type) => type !== 'pref') ?? ''
}

/** Undefined for a reference to a card or a page that is not in the file. */
function nameIn({ value }: CardProperty, directory: CardDirectory): string | undefined {
  const text = textOf(value).trim()
  if (isCardReference(text)) return directory.nameOf(text)
  const address = /^(?:mailto|tel):([^?]+)/i.exec(text)?.[1]
  if (address !== undefined) return address
  const [, inner] = /^BEGIN:VCARD\n(?:.*\n)*?FN[^:\n]*:(.+)/i.exec(text) ?? []
  if (inner !== undefined) return inner
  return /^(?:urn|https?|xmpp|cid|data|BEGIN):/i.test(text) ? undefined : text
}

/** The kinds of ContactsContract.CommonDataKinds.Relation of Android, from 1; 0 is a label of its own. */
const ANDROID_RELATIONS =
  'assistant,brother,child,partner,father,friend,manager,mother,parent,partner,referred by,relative,sister,spouse'.split(
    ',',
  )

function androidRelations(card: Card): Relation[] {
  return androidItems(card.properties, 'relation').map(([name = '', type = '', label = '']) =>
    relationOf(name, ANDROID_RELATIONS[Number(type) - 1] ?? label),
  )
}

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
