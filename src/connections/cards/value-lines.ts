/**
 * The lines of a card for values, in the dialect that phones read: vCard 3.0 (RFC 2426) as Apple writes it, or 4.0 (RFC 6350)
 * for cards that are. Each fact is written once.
 */

import { SCHEME_OF_SERVICE } from '../../contact-files/values/account-services.ts'
import { escapedText } from '../../contact-files/vcard/vcard-text-lines.ts'
import { photoDataUrl, type Photo } from '../../contact-files/contact/photo.ts'
import type { CardVersion } from './card-lines.ts'
import type { CardLists, CardTexts } from './card-values.ts'

type Item<Name extends keyof CardLists> = CardLists[Name][number]

/** A property and its label, if the label needs a line of its own. */
export interface WrittenLine {
  readonly name: string
  /** With a semicolon before each. */
  readonly parameters: string
  readonly value: string
  /** Becomes X-ABLabel of the same group. */
  readonly label?: string | undefined
}

/** How the values of each list are written, except tags, which share a line. */
export const LIST_WRITERS: {
  readonly [Name in Exclude<keyof CardLists, 'tags'>]: (
    item: Item<Name>,
    version: CardVersion,
  ) => WrittenLine
} = {
  emails: (item) => typed('EMAIL', item, ';TYPE=INTERNET', escapedText(item.value)),
  phones: (item) => typed('TEL', item, '', escapedText(item.value)),
  urls: (item) => typed('URL', item, '', item.value.replaceAll('\\', '\\\\')),
  addresses(item) {
    const { poBox, extended, street, city, region, postalCode, country, formatted } = item
    const parts = [poBox, extended, street, city, region, postalCode, country]
    const whole = formatted === undefined ? '' : `;LABEL=${quoted(formatted)}`
    return typed('ADR', item, whole, parts.map((part) => escapedText(part ?? '')).join(';'))
  },
  handles({ service, value, label }) {
    const scheme = SCHEME_OF_SERVICE.get(service) ?? 'x-apple'
    const text = scheme === 'x-apple' ? encodeURIComponent(value) : escapedText(value)
    return typed('IMPP', { label }, `;X-SERVICE-TYPE=${quoted(service)}`, `${scheme}:${text}`)
  },
  dates({ label, date }, version) {
    if (version === '4.0' && label === 'anniversary')
      return { name: 'ANNIVERSARY', parameters: '', value: basicDate(date) }
    return { name: 'X-ABDATE', ...dateValue(date, version), label: appleLabel(label, DATE_LABELS) }
  },
  relations({ name, relation }, version) {
    const property = version === '4.0' ? 'RELATED' : 'X-ABRELATEDNAMES'
    const parameters = version === '4.0' ? ';VALUE=text' : ''
    const label = relation === undefined ? undefined : appleLabel(relation, RELATION_LABELS)
    return { name: property, parameters, value: escapedText(name), label }
  },
}

export function tagsLine(tags: readonly string[]): WrittenLine {
  return { name: 'CATEGORIES', parameters: '', value: tags.map(escapedText).join(',') }
}

/** Never read: what a client does to these lines is replaced by what the connection says. */
export const CUSTOM_FIELD_LINE = 'X-WEFT-CUSTOM'

/** Writes a location that no address of the person has. Its type makes readers prefer it. */
export function locationLine(location: string, version: CardVersion): WrittenLine {
  const parameters = version === '4.0' ? ';PREF=1' : ';TYPE=pref'
  return { name: 'ADR', parameters, value: `;;;${escapedText(location)};;;` }
}

export function birthdayLine(date: string, version: CardVersion): WrittenLine {
  return { name: 'BDAY', ...dateValue(date, version) }
}

export function photoLine(photo: Photo, version: CardVersion): WrittenLine {
  if (version === '4.0') return { name: 'PHOTO', parameters: '', value: photoDataUrl(photo) }
  const type = photo.mediaType.slice('image/'.length).toUpperCase()
  const value = Buffer.from(photo.bytes).toString('base64')
  return { name: 'PHOTO', parameters: `;ENCODING=b;TYPE=${type}`, value }
}

/** The five parts of N. Without a given and a family name, phones show the last word as the family name. */
export function nameParts(texts: CardTexts): readonly string[] {
  const { name, givenName, familyName, middleName, namePrefix, nameSuffix, company } = texts
  if (givenName + familyName !== '')
    return [familyName, givenName, middleName, namePrefix, nameSuffix]
  if (name === company) return ['', '', middleName, namePrefix, nameSuffix]
  const words = name.split(' ')
  const last = words.length > 1 ? (words.pop() ?? '') : ''
  return [last, words.join(' '), middleName, namePrefix, nameSuffix]
}

/** Types that mean the same in every address book (RFC 2426 sections 3.2.1 and 3.3). Other labels are Apple's. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['work', ';TYPE=WORK'],
  ['home', ';TYPE=HOME'],
])
const PHONE_TYPES: ReadonlyMap<string, string> = new Map([
  ...TYPES,
  ['mobile', ';TYPE=CELL'],
  ['main', ';TYPE=MAIN'],
  ['iphone', ';TYPE=IPHONE'],
  ['pager', ';TYPE=PAGER'],
  ['fax', ';TYPE=FAX'],
  ['work fax', ';TYPE=WORK;TYPE=FAX'],
  ['home fax', ';TYPE=HOME;TYPE=FAX'],
])

function typed(
  name: string,
  { label }: { readonly label?: string | undefined },
  others: string,
  value: string,
): WrittenLine {
  if (label === undefined) return { name, parameters: others, value }
  const type = (name === 'TEL' ? PHONE_TYPES : TYPES).get(label)
  if (type === undefined) return { name, parameters: others, value, label: escapedText(label) }
  return { name, parameters: type + others, value }
}

/** The labels that Apple translates. */
const DATE_LABELS: ReadonlyMap<string, string> = new Map([['anniversary', 'Anniversary']])
const RELATION_LABELS: ReadonlyMap<string, string> = new Map(
  'Mother Father Parent Brother Sister Son Daughter Child Friend Spouse Partner Assistant Manager'
    .split(' ')
    .map((label) => [label.toLowerCase(), label]),
)

function appleLabel(label: string, known: ReadonlyMap<string, string>): string {
  const apple = known.get(label)
  return apple === undefined ? escapedText(label) : `_$!<${apple}>!$_`
}

/** Apple has no dates without a year: it writes 1604. */
function dateValue(date: string, version: CardVersion): Pick<WrittenLine, 'parameters' | 'value'> {
  if (version === '4.0') return { parameters: '', value: basicDate(date) }
  if (date.startsWith('--'))
    return { parameters: ';X-APPLE-OMIT-YEAR=1604', value: `1604-${date.slice(2)}` }
  return { parameters: '', value: date }
}

/** RFC 6350 section 4.3.1: a month of a year keeps its hyphen. */
function basicDate(date: string): string {
  return date.length === 'YYYY-MM'.length && !date.startsWith('-')
    ? date
    : date.replace(/(?<=\d)-/g, '')
}

/** RFC 6868. */
function quoted(text: string): string {
  return `"${text.replaceAll('^', '^^').replaceAll('\n', '^n').replaceAll('"', "^'")}"`
}
