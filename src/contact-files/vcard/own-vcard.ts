// Reads the extensions in Weft's own vCards: properties named `X-WEFT-…`, and the address that is the location.

import { isDay } from '../../base/calendar-day.ts'
import type { CustomText, Interaction, Organization } from '../contact/details.ts'
import { partsOf, type CardProperty, type Properties } from './vcard-property.ts'

const OWN_PRODUCT = '-//Weft//'

export function isOwnCard(properties: Properties): boolean {
  return properties.get('PRODID')?.[0]?.value.startsWith(OWN_PRODUCT) === true
}

interface OwnParts {
  readonly connectedOn: string | null
  readonly organizations: readonly Organization[]
  readonly interactions: readonly Interaction[]
  readonly custom: readonly CustomText[]
}

export function ownParts(properties: Properties): OwnParts {
  const [connectedOn = ''] = (properties.get('X-WEFT-CONNECTED-ON') ?? []).map(({ value }) => value)
  return {
    connectedOn: isDay(connectedOn) ? connectedOn : null,
    organizations: partsIn(properties, 'X-WEFT-POSITION').map(
      ([name = '', title = '', department = '', from = '', until = '', state]) => ({
        name,
        title,
        department,
        from,
        until,
        current: state !== 'former',
      }),
    ),
    interactions: partsIn(properties, 'X-WEFT-INTERACTION').map(([kind = '', on = '']) => ({
      kind,
      on,
    })),
    custom: partsIn(properties, 'X-WEFT-FIELD').map(([field = '', value = '']) => ({
      field,
      value,
    })),
  }
}

function partsIn(properties: Properties, name: string): (readonly string[])[] {
  return (properties.get(name) ?? []).map(({ value }) => partsOf(value, ';'))
}

/** The preferred address contains the location as its city; the others are the person's addresses. */
export function ownLocation(written: readonly CardProperty[]): {
  readonly location: string
  readonly addresses: readonly CardProperty[]
} {
  const preferred = written.find(({ rank }) => rank === 1)
  return {
    location: partsOf(preferred?.value ?? '', ';')[CITY] ?? '',
    addresses: written.filter((one) => one !== preferred),
  }
}

const CITY = 3 // RFC 6350 section 6.3.1
