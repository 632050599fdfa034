// What is no field: kept as custom fields, except what is about the card itself.

import { keepCustom, type Card } from './vcard-card.ts'
import { DATE_PROPERTIES } from './vcard-dates.ts'
import { HANDLE_PROPERTIES, LINK_PROPERTIES } from './vcard-links.ts'
import { textOf } from './vcard-property.ts'
import { ORGANIZATIONS } from './vcard-organizations.ts'
import { RELATION_PROPERTIES } from './vcard-relations.ts'

/** Keeps every property that no field reads. */
export function keepOthers(card: Card): void {
  for (const [name, properties] of card.properties) {
    if (KNOWN.has(name) || (BOOKKEEPING.test(name) && name !== 'X-ABDATE')) continue
    for (const property of properties) {
      if (name === 'X-ANDROID-CUSTOM' && ANDROID_FIELD.test(property.value)) continue
      const own = property.group === '' ? undefined : card.labels.get(property.group)
      keepCustom(card, own === undefined || own === '' ? name : own, textOf(property.value))
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  'N',
  'FN',
  'NICKNAME',
  ...ORGANIZATIONS,
  'TITLE',
  'ROLE',
  'EMAIL',
  'TEL',
  'ADR',
  'LABEL',
  'BDAY',
  'NOTE',
  'CATEGORIES',
  'X-GROUP-NAME',
  'X-SAMSUNGADR',
  'X-PHONETIC-FIRST-NAME',
  'X-PHONETIC-LAST-NAME',
  'PRONOUNS',
  'X-PRONOUNS',
  ...LINK_PROPERTIES,
  ...HANDLE_PROPERTIES.keys(),
  ...DATE_PROPERTIES.map(([name]) => name),
  ...RELATION_PROPERTIES.map(([name]) => name),
])

/** Those that other fields read. */
const ANDROID_FIELD = /^[^;]*\/(?:nickname|contact_event|relation);/

/** Properties about the card and the program that wrote it, not about the person. */
const BOOKKEEPING =
  /^(?:VERSION|PRODID|REV|UID|KIND|SOURCE|PROFILE|MAILER|CLASS|SORT-STRING|CLIENTPIDMAP|XML|CREATED|BEGIN|END|AGENT|NAME|X-AB(?!RELATED).*|X-ADDRESSBOOKSERVER-.*|X-IMAGE.*|X-SHARED-PHOTO.*|X-APPLE-.*|X-EVOLUTION-FILE-AS|X-EVOLUTION-WEBDAV.*|X-MS-OL-.*|X-MS-IMADDRESS-.*|X-PHOTOSTATE|X-CUSTOM-RINGTONE|X-KADDRESSBOOK-.*FORMATTED.*|X-PM-.*|X-WEFT-.*)$/
