/**
 * A connection as a vCard 4.0 (RFC 6350), with the labels of Apple's address books. Values without a vCard property are
 * in Weft's own properties, `X-WEFT-…`, which its import reads.
 */

import { escaped, folded } from '../base/content-line.ts'
import { SCHEME_OF_SERVICE } from '../contact-files/values/account-services.ts'
import { isCityOnly, locationOfAddress } from '../contact-files/vcard/vcard-addresses.ts'
import { photoProperty } from './write-vcard-photo.ts'
import { departmentOf, type PortableContact } from './contact-mapping.ts'
import type { Photo } from '../contact-files/contact/photo.ts'
import type { Address, ContactDetails } from '../contact-files/contact/details.ts'

export function vcardOf(contact: PortableContact, photo?: Photo): string {
  const { name, company, title, birthday, connectedOn, note, details } = contact
  const labels = labelsOf(details)
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'PRODID:-//Weft//Weft//EN',
    `FN:${escaped(name)}`,
    ...nameLines(contact),
    ...organizationLine(company, departmentOf(contact)),
    ...property('TITLE', title),
    ...locationLines(contact),
    ...labels.lines('EMAIL', contact.emails),
    ...labels.lines('TEL', contact.phones),
    ...labels.lines('URL', contact.urls),
    // Section 4.3.1: no hyphens, except for a missing year.
    ...(birthday === null ? [] : [`BDAY:${basicDate(birthday)}`]),
    ...detailLines(contact, labels),
    ...property('X-WEFT-CONNECTED-ON', connectedOn),
    ...(contact.labels.length > 0 ? [`CATEGORIES:${contact.labels.map(escaped).join(',')}`] : []),
    ...property('NOTE', note === '' ? null : note),
  ]
  return `${lines.map((line) => folded(line)).join('')}${photo ? photoProperty(photo) : ''}END:VCARD\r\n`
}

function nameLines({ givenName, familyName, details }: PortableContact): string[] {
  const { middleName, namePrefix, nameSuffix, nickname, pronouns } = details
  const parts = [familyName, givenName, middleName, namePrefix, nameSuffix].map((part) =>
    escaped(part ?? ''),
  )
  return [
    ...(parts.some((part) => part !== '') ? [`N:${parts.join(';')}`] : []),
    ...property('NICKNAME', nickname),
    ...property('X-PHONETIC-FIRST-NAME', details.phoneticGivenName),
    ...property('X-PHONETIC-LAST-NAME', details.phoneticFamilyName),
    ...property('PRONOUNS', pronouns), // RFC 9554
  ]
}

function organizationLine(company: string | null, department: string): string[] {
  if (company === null) return []
  return [`ORG:${escaped(company)}${department === '' ? '' : `;${escaped(department)}`}`]
}

/** The location is one text, so it goes into the city field, which every program shows, unless an address has it. */
function locationLines(contact: PortableContact): string[] {
  const { location } = contact
  if (location === null || isLocatedByAddress(contact)) return []
  return [`ADR;PREF=1:;;;${escaped(location)};;;`]
}

/** True if the first address says the location. Readers would move another address before it. */
function isLocatedByAddress({ location, details: { addresses = [] } }: PortableContact): boolean {
  const [first] = addresses
  return first !== undefined && !isCityOnly(first) && locationOfAddress(first) === location
}

function detailLines(contact: PortableContact, labels: Labels): string[] {
  const { details } = contact
  const { addresses = [], handles = [], organizations = [], dates = [] } = details
  const { relations = [], interactions = [], custom = [] } = details
  return [
    ...addresses.flatMap((one, index) => {
      const preference = index === 0 && isLocatedByAddress(contact) ? ';PREF=1' : ''
      return labels.line('ADR', one.label, `${preference}${addressValue(one)}`)
    }),
    ...handles.flatMap(({ service, value, label }) => {
      const scheme = SCHEME_OF_SERVICE.get(service) ?? 'x-apple'
      const text = `;X-SERVICE-TYPE=${parameter(service)}:${scheme}:${escaped(value)}`
      return labels.line('IMPP', label, text)
    }),
    ...organizations.map(
      ({ name = '', title = '', department = '', from = '', until = '', current }) =>
        structured('X-WEFT-POSITION', [
          name,
          title,
          department,
          from,
          until,
          current ? 'current' : 'former',
        ]),
    ),
    ...dates.flatMap(({ label, date }, index) =>
      // Readers expect one anniversary, so later ones are written like other dates.
      label === 'anniversary' && dates.slice(0, index).every((one) => one.label === label)
        ? [`ANNIVERSARY:${basicDate(date)}`]
        : labels.grouped('X-ABDATE', label, `:${basicDate(date)}`),
    ),
    ...relations.flatMap(({ name, relation }) =>
      labels.grouped('RELATED', relation, `;VALUE=text:${escaped(name)}`),
    ),
    ...interactions.map(({ kind, on, subject = '', text = '' }) =>
      structured('X-WEFT-INTERACTION', [kind, on, subject, text]),
    ),
    ...custom.map(({ field, value }) => structured('X-WEFT-FIELD', [field, value])),
  ]
}

/** RFC 6350 section 6.3.1; `LABEL` is the address as it is written on a letter. */
function addressValue(address: Address): string {
  const { poBox, extended, street, city, region, postalCode, country, formatted } = address
  const parts = [poBox, extended, street, city, region, postalCode, country]
  const label = formatted === undefined ? '' : `;LABEL=${parameter(formatted)}`
  return `${label}:${parts.map((part) => escaped(part ?? '')).join(';')}`
}

// Labels

interface Labels {
  /** Values in order of preference. */
  lines(name: string, values: readonly string[]): string[]
  /** `rest` has the other parameters, if any, and the value. The label is a type, or as `grouped` writes it. */
  line(name: string, label: string | undefined, rest: string): string[]
  /** With the label on a separate line, as Apple writes it. */
  grouped(name: string, label: string | undefined, rest: string): string[]
}

function labelsOf({ labels = {} }: ContactDetails): Labels {
  let groups = 0
  function grouped(name: string, label: string | undefined, rest: string): string[] {
    if (label === undefined) return [`${name}${rest}`]
    groups += 1
    const group = `item${groups}`
    return [`${group}.${name}${rest}`, `${group}.X-ABLABEL:${escaped(label)}`]
  }
  function line(name: string, label: string | undefined, rest: string): string[] {
    const type = label === undefined ? undefined : TYPES.get(label)
    const isType = type !== undefined && (name === 'TEL' || !PHONE_TYPES.has(type))
    return isType ? [`${name};TYPE=${type}${rest}`] : grouped(name, label, rest)
  }
  return {
    grouped,
    line,
    lines(name, values) {
      return values.flatMap((value, index) => {
        // Section 5.3: the first of several values is the preferred one.
        const preference = index === 0 && values.length > 1 ? ';PREF=1' : ''
        const label = Object.hasOwn(labels, value) ? labels[value] : undefined
        const text = name === 'URL' ? value.replaceAll('\\', '\\\\') : escaped(value)
        return line(name, label, `${preference}:${text}`)
      })
    },
  }
}

/** The labels that are types in RFC 6350 sections 5.6 and 6.4.1. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['work', 'work'],
  ['home', 'home'],
  ['mobile', 'cell'],
  ['fax', 'fax'],
  ['pager', 'pager'],
])
const PHONE_TYPES: ReadonlySet<string> = new Set(['cell', 'fax', 'pager'])

// Lines

function property(name: string, text: string | null | undefined): string[] {
  return text == null ? [] : [`${name}:${escaped(text)}`]
}

function structured(name: string, parts: readonly string[]): string {
  return `${name}:${parts.map(escaped).join(';')}`
}

/** RFC 6868. */
function parameter(text: string): string {
  const encoded = text.replace(/[\^\n"]/g, (character) => CARETS.get(character) ?? '')
  return `"${encoded}"`
}

const CARETS: ReadonlyMap<string, string> = new Map([
  ['^', '^^'],
  ['\n', '^n'],
  ['"', "^'"],
])

/** Section 4.3.1: a month of a year keeps its hyphen. */
function basicDate(date: string): string {
  return date.length === 'YYYY-MM'.length && !date.startsWith('-')
    ? date
    : date.replace(/(?<=\d)-/g, '')
}
