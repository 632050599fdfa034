// The postal addresses of a card, and the location of its person.

import { hasWordsOf, joinLocation, locationOf } from '../values/address-text.ts'
import { labelOf, ordered, type Card } from './vcard-card.ts'
import { partsOf, textOf, type CardProperty } from './vcard-property.ts'
import type { Address } from '../contact/details.ts'

/** The location, and the addresses with more detail. */
export function placesOf(card: Card): {
  readonly location: string
  readonly addresses: readonly Address[]
} {
  const written = ['ADR', 'X-SAMSUNGADR'].flatMap((name) =>
    ordered(card.properties, name, (adr) => addressRank(adr, card)),
  )
  const { location, addresses } = locationIn(written, card)
  return { location, addresses: addressesOf(addresses, card) }
}

/** Prefers the work address among addresses of equal preference. */
function addressRank(property: CardProperty, card: Card): number {
  return property.rank - (!card.isOwn && labelOf(property, card) === 'work' ? 0.5 : 0)
}

function addressesOf(written: readonly CardProperty[], card: Card): readonly Address[] {
  const addresses = written.map((property) =>
    addressOf(property, labelOf(property, card), card.isOwn),
  )
  // A LABEL of vCard 2.1 and 3.0 is the address of the same type as one text.
  const labels = (card.properties.get('LABEL') ?? []).map((property) => ({
    label: labelOf(property, card),
    formatted: textOf(property.value),
  }))
  const alone: Address[] = []
  for (const { label, formatted } of labels) {
    const at = addresses.findIndex((address) => (address.label ?? '') === label)
    const address = addresses[at]
    if (address === undefined) alone.push({ label, formatted })
    else if ((address.formatted ?? '') === '' && !hasWordsOf(address, formatted))
      addresses[at] = { ...address, formatted }
  }
  return [...addresses, ...alone]
}

function addressOf(
  { value, label: written }: CardProperty,
  label: string,
  isOwn: boolean,
): Address {
  const [
    poBox = '',
    extended = '',
    street = '',
    city = '',
    region = '',
    postalCode = '',
    country = '',
  ] = partsOf(value, ';')
  const formatted = isOwn ? written : written.replaceAll(/\\n/gi, '\n')
  return { label, poBox, extended, street, city, region, postalCode, country, formatted }
}

function locationIn(
  written: readonly CardProperty[],
  card: Card,
): { readonly location: string; readonly addresses: readonly CardProperty[] } {
  // Weft's own export prefers the address that has the location, or a city that is the location.
  for (const property of card.isOwn ? written.filter(({ rank }) => rank === 1) : written) {
    const address = addressOf(property, labelOf(property, card), card.isOwn)
    const isAll = isCityOnly(address)
    const location = isAll && card.isOwn ? (address.city ?? '') : locationOfAddress(address)
    if (location === '') continue
    return { location, addresses: isAll ? written.filter((one) => one !== property) : written }
  }
  return { location: '', addresses: written }
}

/** City, region and country of an address, or its lines if it has none of them. */
export function locationOfAddress(address: Address): string {
  const { poBox = '', extended = '', street = '', formatted = '' } = address
  const location = locationOf(address)
  if (location !== '') return location
  // Google writes the whole address into one part.
  const written = [poBox, extended, street, formatted]
  return joinLocation(written.flatMap((part) => part.split(/[\r\n]+/)))
}

/** Weft's own export writes a location as a city, because vCard has no property for it. */
export function isCityOnly({ city: _city, ...others }: Address): boolean {
  return Object.values(others).every((part) => part.trim() === '')
}
