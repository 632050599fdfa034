// The CSV export of Google Contacts, with the headers used before and since 2024.

import type { ColumnReading } from './columns.ts'
import { cell, columnNamed, columnsNamed, joinLocation } from './columns.ts'
import { birthdayIn } from './dates.ts'
import { unescapeFormula } from './formula-guard.ts'

export function googleColumns(header: readonly string[]): ColumnReading | null {
  const known = header.filter((name) => NAMES.has(name) || NUMBERED.test(name))
  const isGoogle = known.some((name) => SIGNATURE.test(name))
  if (!isGoogle || known.length < 2) return null
  const at = columnsIn(header)
  return {
    score: known.length,
    draftOf(row) {
      const cells = row.map(unescapeFormula)
      return {
        fullName: fullNameOf(cells, at),
        givenName: cell(cells, at.given),
        familyName: cell(cells, at.family),
        company: first(cell(cells, at.company)),
        title: first(cell(cells, at.title)),
        location: locationOf(cells, at),
        emails: valuesOf(cells, at.emails),
        phones: valuesOf(cells, at.phones),
        urls: valuesOf(cells, at.websites),
        birthday: birthdayIn(cell(cells, at.birthday)),
        connectedOn: null,
        note: cell(cells, at.notes),
        labels: several(cell(cells, at.labels)),
      }
    },
  }
}

type Columns = ReturnType<typeof columnsIn>

function columnsIn(header: readonly string[]) {
  return {
    name: columnNamed(header, ['name']),
    given: columnNamed(header, ['first name', 'given name']),
    middle: columnNamed(header, ['middle name', 'additional name']),
    family: columnNamed(header, ['last name', 'family name']),
    otherNames: columnsNamed(header, ['nickname', 'file as', 'short name']),
    company: columnNamed(header, ['organization name', 'organization 1 - name']),
    title: columnNamed(header, ['organization title', 'organization 1 - title']),
    place: columnNamed(header, ['location', 'organization 1 - location']),
    birthday: columnNamed(header, ['birthday']),
    notes: columnNamed(header, ['notes']),
    labels: columnNamed(header, ['labels', 'group membership']),
    emails: numbered(header, 'e-mail'), // prose-ok
    phones: numbered(header, 'phone'),
    websites: numbered(header, 'website'),
    addresses: addressesIn(header),
  }
}

interface NumberedColumn {
  readonly label: number
  readonly value: number
}

function numbered(header: readonly string[], kind: string): readonly NumberedColumn[] {
  const columns: NumberedColumn[] = []
  for (const [value, name] of header.entries()) {
    const number = new RegExp(`^${kind} (\\d+) - value$`).exec(name)?.[1]
    if (number === undefined) continue
    const label = columnNamed(header, [`${kind} ${number} - label`, `${kind} ${number} - type`])
    columns.push({ label, value })
  }
  return columns
}

function addressesIn(header: readonly string[]) {
  return [1, 2, 3, 4, 5].map((number) => ({
    parts: columnsNamed(
      header,
      ['city', 'region', 'country'].map((part) => `address ${number} - ${part}`),
    ),
    formatted: columnNamed(header, [`address ${number} - formatted`]),
  }))
}

function fullNameOf(cells: readonly string[], at: Columns): string {
  const parts = [at.given, at.middle, at.family].map((index) => cell(cells, index).trim())
  const written = parts.filter((part) => part !== '').join(' ')
  const other = at.otherNames.map((index) => cell(cells, index).trim()).find((name) => name !== '')
  return cell(cells, at.name).trim() || written || other || ''
}

function locationOf(cells: readonly string[], at: Columns): string {
  for (const { parts, formatted } of at.addresses) {
    const location =
      joinLocation(parts.map((index) => first(cell(cells, index)))) ||
      joinLocation(first(cell(cells, formatted)).split(/[\r\n]+/))
    if (location !== '') return location
  }
  return cell(cells, at.place)
}

/** The values of the columns `… 1 - Value`, `… 2 - Value`, and so on; one labeled `* Work` comes first. */
function valuesOf(cells: readonly string[], columns: readonly NumberedColumn[]): string[] {
  const preferred: string[] = []
  const others: string[] = []
  for (const { label, value } of columns) {
    const text = cell(cells, value)
    if (text === '') continue
    const starred = cell(cells, label).startsWith('*')
    ;(starred ? preferred : others).push(...several(text))
  }
  return [...preferred, ...others]
}

function several(text: string): string[] {
  return text.includes(':::') ? text.split(':::') : text === '' ? [] : [text]
}

function first(text: string): string {
  return (
    several(text)
      .map((value) => value.trim())
      .find((value) => value !== '') ?? ''
  )
}

const NUMBERED =
  /^(?:e-mail|phone|address|organization|website|event|relation|custom field|im|jot) \d+ - / // prose-ok

/** Column names that only Google uses. */
const SIGNATURE =
  /^(?:(?:e-mail|phone|address|organization|website) \d+ - |group membership$|given name$|organization (?:name|title)$|labels$|file as$)/ // prose-ok

const NAMES = new Set([
  'name',
  'given name',
  'additional name',
  'family name',
  'first name',
  'middle name',
  'last name',
  'name prefix',
  'name suffix',
  'nickname',
  'file as',
  'organization name',
  'organization title',
  'organization department',
  'birthday',
  'notes',
  'photo',
  'labels',
  'group membership',
  'location',
  'phonetic first name',
  'phonetic last name',
])
