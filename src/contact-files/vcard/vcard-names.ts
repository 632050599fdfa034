// The name of a card: as a whole and in parts.

import {
  androidItems,
  keepCustom,
  ordered,
  partsIn,
  rank,
  textIn,
  type Card,
} from './vcard-card.ts'
import { partsOf, textOf, type Properties } from './vcard-property.ts'
import type { ContactDetails } from '../contact/details.ts'

/** The full name that the card has, or else its parts, or else the nickname. */
export function fullNameOf(properties: Properties, names: readonly string[]): string {
  const written = textIn(properties, 'FN').trim()
  if (written !== '') return written
  const parts = names.map((name) => name.trim()).filter((name) => name !== '')
  return parts.join(' ') || (partsOf(textIn(properties, 'NICKNAME'), ',')[0] ?? '')
}

/** The parts beyond the given and the family name. */
export function nameDetails({ properties, isOwn }: Card): ContactDetails {
  const [, , middleName = '', namePrefix = '', nameSuffix = ''] = partsIn(properties, 'N')
  const part = (text: string) => (isOwn ? text : listed(text))
  return {
    middleName: part(middleName),
    namePrefix: part(namePrefix),
    nameSuffix: part(nameSuffix),
    nickname: nicknamesOf(properties),
    phoneticGivenName: textIn(properties, 'X-PHONETIC-FIRST-NAME'),
    phoneticFamilyName: textIn(properties, 'X-PHONETIC-LAST-NAME'),
    pronouns: textIn(properties, 'PRONOUNS') || textIn(properties, 'X-PRONOUNS'),
  }
}

function nicknamesOf(properties: Properties): string {
  const written = ordered(properties, 'NICKNAME', rank).flatMap(({ value }) => partsOf(value, ','))
  const android = androidItems(properties, 'nickname').map(([text = '']) => text)
  return [...new Set([...written, ...android])].join(', ')
}

/** Keeps the other names of a card, such as those in another language. */
export function keepOtherNames(card: Card): void {
  const all = (name: string) => card.properties.get(name) ?? []
  if (all('N').length < 2 && all('FN').length < 2) return
  const [, ...names] = ordered(card.properties, 'N', rank)
  for (const { value } of names) {
    const parts = partsOf(value, ';').filter((part) => part.trim() !== '')
    if (parts.length > 0) keepCustom(card, 'N', parts.join(' '))
  }
  const [first, ...others] = ordered(card.properties, 'FN', rank).map(({ value }) => textOf(value))
  for (const name of new Set(others)) if (name !== first) keepCustom(card, 'FN', name)
}

/** A part of a name can be a list (RFC 6350 section 6.2.2), whose commas many programs escape. */
function listed(part: string): string {
  return part
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(' ')
}
