// The people who are related to the person of a card.

import { textOf } from './vcard-property.ts'
import type { Relation } from '../../model/details.ts'
import type { Card } from './vcard-card.ts'

export const RELATION_PROPERTIES: readonly (readonly [name: string, relation: string])[] = [
  ['RELATED', ''],
  ['X-ABRELATEDNAMES', ''],
  ['X-SPOUSE', 'spouse'],
  ['X-EVOLUTION-SPOUSE', 'spouse'],
  ['X-KADDRESSBOOK-X-SPOUSESNAME', 'spouse'],
  ['X-MANAGER', 'manager'],
  ['X-EVOLUTION-MANAGER', 'manager'],
  ['X-KADDRESSBOOK-X-MANAGERSNAME', 'manager'],
  ['X-ASSISTANT', 'assistant'],
  ['X-EVOLUTION-ASSISTANT', 'assistant'],
  ['X-KADDRESSBOOK-X-ASSISTANTSNAME', 'assistant'],
  ['X-CHILDREN', 'child'],
  ['AGENT', 'agent'],
]

export function relationsOf(card: Card): readonly Relation[] {
  return RELATION_PROPERTIES.flatMap(([property, kind]) =>
    (card.properties.get(property) ?? []).flatMap(({ value, group, types }) => {
      const name = textOf(value)
      if (/^urn:uuid:/i.test(name)) return [] // refers to another card of the file
      const relation =
        kind || (card.labels.get(group) ?? types.find((type) => type !== 'pref') ?? '')
      return [{ name, ...(relation !== '' && { relation }) }]
    }),
  )
}
