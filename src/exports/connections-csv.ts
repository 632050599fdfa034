/**
 * Connections as CSV with the headers of Google Contacts, which most address books and Weft can import. Values without
 * a Google column have their own columns, and so has each custom field.
 */

import { CUSTOM_COLUMN_PREFIX } from '../contact-files/fields/column-fields.ts'
import { escapeFormula } from '../contact-files/values/formula-guard.ts'
import { departmentOf, type PortableContact } from './contact-mapping.ts'
import type { CustomField } from '../connections/custom-fields/custom-fields.ts'

/** The header and the lines of a file with a column for each of these custom fields. */
interface ConnectionsCsv {
  readonly header: string
  line(contact: PortableContact): string
}

export function connectionsCsv(fields: readonly CustomField[]): ConnectionsCsv {
  const names = fields.map(({ name }) => name)
  return {
    header: lineOf([...HEADER, ...names.map((name) => CUSTOM_COLUMN_PREFIX + name)]),
    line(contact) {
      const { custom = [] } = contact.details
      const values = new Map(custom.map(({ field, value }) => [field, value]))
      return lineOf([...cellsOf(contact), ...names.map((name) => values.get(name) ?? '')])
    },
  }
}

/** Google's current headers have no `Name`. It contains names that are not composed of the other columns. */
const SINGLE: readonly (readonly [header: string, cell: (contact: PortableContact) => string])[] = [
  ['Name', ({ name }) => name],
  ['First Name', ({ givenName }) => givenName ?? ''],
  ['Middle Name', ({ details }) => details.middleName ?? ''],
  ['Last Name', ({ familyName }) => familyName ?? ''],
  ['Phonetic First Name', ({ details }) => details.phoneticGivenName ?? ''],
  ['Phonetic Last Name', ({ details }) => details.phoneticFamilyName ?? ''],
  ['Name Prefix', ({ details }) => details.namePrefix ?? ''],
  ['Name Suffix', ({ details }) => details.nameSuffix ?? ''],
  ['Nickname', ({ details }) => details.nickname ?? ''],
  ['Pronouns', ({ details }) => details.pronouns ?? ''],
  ['Organization Name', ({ company }) => company ?? ''],
  ['Organization Title', ({ title }) => title ?? ''],
  ['Organization Department', (contact) => whole(departmentOf(contact))],
  ['Location', ({ location }) => location ?? ''],
  ['Birthday', ({ birthday }) => birthday ?? ''],
  ['Connected On', ({ connectedOn }) => connectedOn ?? ''],
  ['Last Contact', ({ lastContactOn }) => lastContactOn ?? ''],
  ['Keep In Touch', ({ cadence }) => cadence],
  ['Notes', ({ note }) => note],
  ['Labels', ({ labels }) => labels.filter(isWhole).join(JOINT)],
]

/** The parts of one value, in the order of their columns. */
type Parts = readonly string[]

interface Kind {
  readonly name: string
  readonly parts: readonly string[]
  readonly valuesOf: (contact: PortableContact) => readonly Parts[]
}

const LABEL_AND_VALUE = ['Label', 'Value']

const KINDS: readonly Kind[] = [
  {
    name: 'E-mail', // prose-ok: Google's header
    parts: LABEL_AND_VALUE,
    valuesOf: ({ emails, details }) => labeled(emails, details),
  },
  {
    name: 'Phone',
    parts: LABEL_AND_VALUE,
    valuesOf: ({ phones, details }) => labeled(phones, details),
  },
  {
    name: 'Website',
    parts: LABEL_AND_VALUE,
    valuesOf: ({ urls, details }) => labeled(urls, details),
  },
  {
    name: 'Address',
    parts: [
      'Label',
      'Formatted',
      'Street',
      'Extended Address',
      'PO Box',
      'City',
      'Region',
      'Postal Code',
      'Country',
    ],
    valuesOf: ({ details: { addresses = [] } }) =>
      addresses.map((one) => [
        one.label ?? '',
        one.formatted ?? '',
        one.street ?? '',
        one.extended ?? '',
        one.poBox ?? '',
        one.city ?? '',
        one.region ?? '',
        one.postalCode ?? '',
        one.country ?? '',
      ]),
  },
  {
    name: 'IM',
    parts: ['Label', 'Service', 'Value'],
    valuesOf: ({ details: { handles = [] } }) =>
      handles.map(({ label = '', service, value }) => [label, service, value]),
  },
  {
    name: 'Relation',
    parts: LABEL_AND_VALUE,
    valuesOf: ({ details: { relations = [] } }) =>
      relations.map(({ relation = '', name }) => [relation, name]),
  },
  {
    name: 'Event',
    parts: LABEL_AND_VALUE,
    valuesOf: ({ details: { dates = [] } }) => dates.map(({ label, date }) => [label, date]),
  },
  {
    name: 'Position',
    parts: ['Name', 'Title', 'Department', 'From', 'Until', 'Current'],
    valuesOf: ({ details: { organizations = [] } }) =>
      organizations.map(
        ({ name = '', title = '', department = '', from = '', until = '', current }) => [
          name,
          title,
          department,
          from,
          until,
          current ? 'yes' : 'no',
        ],
      ),
  },
  {
    name: 'Interaction',
    parts: LABEL_AND_VALUE,
    valuesOf: ({ details: { interactions = [] } }) =>
      interactions.map(({ kind, on, subject }) => [
        kind === 'other' ? (subject ?? kind) : kind,
        on,
      ]),
  },
]

/** The last column of a kind contains all remaining values, joined as in Google's files. */
const COLUMNS_OF_A_KIND = 3

const HEADER = [
  ...SINGLE.map(([header]) => header),
  ...KINDS.flatMap(({ name, parts }) =>
    Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) =>
      parts.map((part) => `${name} ${index + 1} - ${part}`),
    ).flat(),
  ),
]

function cellsOf(contact: PortableContact): string[] {
  return [
    ...SINGLE.map(([, cell]) => cell(contact)),
    ...KINDS.flatMap((kind) => kindCells(kind, contact)),
  ]
}

function kindCells({ parts, valuesOf }: Kind, contact: PortableContact): string[] {
  const values = valuesOf(contact).filter((value) => value.every(isWhole))
  const last = COLUMNS_OF_A_KIND - 1
  return Array.from({ length: COLUMNS_OF_A_KIND }, (_, index) => {
    const own = index < last ? values.slice(index, index + 1) : values.slice(last)
    return parts.map((_part, at) => joined(own.map((value) => value[at] ?? '')))
  }).flat()
}

/** One string per value, so that the parts of a value are found by position. */
function joined(texts: readonly string[]): string {
  return texts.every((text) => text === '') ? '' : texts.join(JOINT)
}

function labeled(
  values: readonly string[],
  { labels = {} }: PortableContact['details'],
): readonly Parts[] {
  return values.map((value) => [Object.hasOwn(labels, value) ? (labels[value] ?? '') : '', value])
}

/** Separates the values of a cell. A value that contains it would read as two, so it is only in the JSON. */
const SEPARATOR = ':::'
const JOINT = ` ${SEPARATOR} `

function isWhole(text: string): boolean {
  return !text.includes(SEPARATOR)
}

function whole(text: string): string {
  return isWhole(text) ? text : ''
}

/** RFC 4180. Formulas are escaped, because the file may be opened in a spreadsheet program. */
function lineOf(cells: readonly string[]): string {
  const quoted = cells
    .map(escapeFormula)
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\r\n`
}
