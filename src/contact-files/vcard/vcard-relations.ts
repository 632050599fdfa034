// The people who are related to the person of a card.

import { isCardReference, type CardDirectory } from './card-directory.ts'
import { androidItems, keepUnread, type Card } from './vcard-card.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { textOf, type CardProperty, type Properties } from './vcard-property.ts'
import type { Relation } from '../contact/details.ts'

export const RELATION_PROPERTIES: readonly (readonly [name: string, relation: string])[] = [
  ['RELATED', ''],
  ['X-ABRELATEDNAMES', ''],
  ['X-SPOUSE', 'spouse'],
  ['X-MS-SPOUSE', 'spouse'],
  ['X-EVOLUTION-SPOUSE', 'spouse'],
  ['X-KADDRESSBOOK-X-SPOUSENAME', 'spouse'],
  ['X-KADDRESSBOOK-X-SPOUSESNAME', 'spouse'],
  ['X-MANAGER', 'manager'],
  ['X-MS-MANAGER', 'manager'],
  ['X-EVOLUTION-MANAGER', 'manager'],
  ['X-KADDRESSBOOK-X-MANAGERSNAME', 'manager'],
  ['X-ASSISTANT', 'assistant'],
  ['X-MS-ASSISTANT', 'assistant'],
  ['X-EVOLUTION-ASSISTANT', 'assistant'],
  ['X-KADDRESSBOOK-X-ASSISTANTSNAME', 'assistant'],
  ['X-CHILDREN', 'child'],
  ['X-MS-CHILD', 'child'],
  ['X-SPOUSESNAME', 'spouse'],
  ['X-MANAGERSNAME', 'manager'],
  ['X-ASSISTANTSNAME', 'assistant'],
  ['AGENT', 'agent'],
]

export function relationsOf(card: Card, directory: CardDirectory): readonly Relation[] {
  const written = RELATION_PROPERTIES.flatMap(([property, kind]) =>
    (card.properties.get(property) ?? []).flatMap((one) => {
      const relation = kind || kindOf(one, card)
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
  return RELATION_PROPERTIES.some(([property]) =>
    properties.get(property)?.some(({ value }) => {
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
