// Reads contacts from vCard 2.1, 3.0 and 4.0. Each card is read separately, so a broken one affects no others.

import { joinLocation } from './join-location.ts'
import type { ContactDraft, ImportRow } from '../../model/contact.ts'
import { rowOf } from '../../model/contact.ts'
import { birthdayIn } from './dates.ts'
import type { CardLines } from './vcard-lines.ts'
import { cardScanner } from './vcard-lines.ts'
import type { CardProperty } from './vcard-property.ts'
import { partsOf, propertyOf, textOf } from './vcard-property.ts'

/** The cards of the text, one batch per text block. */
export async function* vcardRowBatches(
  text: AsyncIterable<string>,
): AsyncGenerator<ImportRow[], void, undefined> {
  const scanner = cardScanner()
  let row = 0
  const rowsOf = (cards: readonly CardLines[]) => cards.map((card) => rowFrom(card, ++row))
  for await (const block of text) {
    const rows = rowsOf(scanner.push(block, false))
    if (rows.length > 0) yield rows
  }
  const rest = rowsOf(scanner.push('', true))
  if (rest.length > 0) yield rest
}

/** Whether the first non-blank line starts a card. */
export function startsWithCard(head: string): boolean {
  return /^[\s\ufeff]*BEGIN[ \t]*:[ \t]*VCARD[ \t]*[\r\n]/i.test(head)
}

/** Whether any line starts a card. */
export function holdsCard(head: string): boolean {
  return /^[ \t\ufeff]*BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/im.test(head)
}

function rowFrom(card: CardLines, row: number): ImportRow {
  const { line, lines, broken } = card
  if (broken !== undefined) return { row, line, rejected: broken }
  const properties = propertiesOf(lines)
  if (isGroup(properties)) return { row, line, skipped: 'This card is a group, not a person' }
  return rowOf(row, line, draftOf(properties))
}

type Properties = ReadonlyMap<string, readonly CardProperty[]>

const MAX_PROPERTIES = 5000 // with the same name: a card has one or a few

function propertiesOf(lines: readonly string[]): Properties {
  const byName = new Map<string, CardProperty[]>()
  for (const line of lines) {
    const property = propertyOf(line)
    if (property === null || property.value.trim() === '') continue
    const same = byName.get(property.name)
    if (same === undefined) byName.set(property.name, [property])
    else if (same.length < MAX_PROPERTIES) same.push(property)
  }
  return byName
}

function isGroup(properties: Properties): boolean {
  return ['KIND', 'X-ADDRESSBOOKSERVER-KIND'].some(
    (name) => textIn(properties, name).trim().toLowerCase() === 'group',
  )
}

function draftOf(properties: Properties): ContactDraft {
  const [familyName = '', givenName = '', middle = ''] = partsIn(properties, 'N')
  const labels = labelsOf(properties)
  return {
    fullName: fullNameOf(properties, [givenName, middle, familyName]),
    givenName,
    familyName,
    company: partsIn(properties, 'ORG').find((part) => part.trim() !== '') ?? '',
    title: textIn(properties, 'TITLE') || textIn(properties, 'ROLE'),
    location: locationOf(ordered(properties, 'ADR', (card) => addressRank(card, labels))),
    emails: ordered(properties, 'EMAIL', rank).map(({ value }) => textOf(value)),
    phones: ordered(properties, 'TEL', (card) => phoneRank(card, labels)).map(phoneOf),
    urls: ['URL', 'X-SOCIALPROFILE', 'SOCIALPROFILE', 'X-LINKEDIN', 'IMPP'].flatMap((name) =>
      ordered(properties, name, rank).map(({ value }) => textOf(value)),
    ),
    birthday: birthdayIn(textIn(properties, 'BDAY')),
    connectedOn: null,
    note: (properties.get('NOTE') ?? []).map(({ value }) => textOf(value).trim()).join('\n\n'),
    labels: (properties.get('CATEGORIES') ?? []).flatMap(({ value }) => partsOf(value, ',')),
  }
}

function fullNameOf(properties: Properties, names: readonly string[]): string {
  const written = textIn(properties, 'FN').trim()
  if (written !== '') return written
  const parts = names.map((name) => name.trim()).filter((name) => name !== '')
  return parts.join(' ') || (partsOf(textIn(properties, 'NICKNAME'), ',')[0] ?? '')
}

function textIn(properties: Properties, name: string): string {
  return textOf(ordered(properties, name, rank)[0]?.value ?? '')
}

function partsIn(properties: Properties, name: string): readonly string[] {
  return partsOf(ordered(properties, name, rank)[0]?.value ?? '', ';')
}

function ordered(
  properties: Properties,
  name: string,
  rankOf: (property: CardProperty) => number,
): readonly CardProperty[] {
  const same = properties.get(name) ?? []
  return same.length < 2 ? same : same.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rank(property: CardProperty): number {
  return property.rank
}

const AFTER_ALL_RANKS = 1000

/** Ranks faxes and pagers after all other numbers. */
function phoneRank(property: CardProperty, labels: ReadonlyMap<string, string>): number {
  const types = [...property.types, labels.get(property.group) ?? ''].join(' ')
  return /fax|pager/.test(types) ? AFTER_ALL_RANKS + property.rank : property.rank
}

/** Prefers the work address among addresses of equal preference. */
function addressRank(property: CardProperty, labels: ReadonlyMap<string, string>): number {
  const work = property.types.includes('work') || labels.get(property.group) === 'work'
  return property.rank - (work ? 0.5 : 0)
}

/** Apple writes the label of `item1.TEL` as `item1.X-ABLabel:_$!<HomeFAX>!$_`. */
function labelsOf(properties: Properties): ReadonlyMap<string, string> {
  const labels = properties.get('X-ABLABEL') ?? []
  return new Map(
    labels.map(({ group, value }) => [group, value.replace(/^_\$!<|>!\$_$/g, '').toLowerCase()]),
  )
}

function phoneOf(property: CardProperty): string {
  return textOf(property.value)
}

function locationOf(addresses: readonly CardProperty[]): string {
  for (const { value, label } of addresses) {
    const [box, extended, street, city, region, , country] = partsOf(value, ';')
    const location = joinLocation([city ?? '', region ?? '', country ?? ''])
    if (location !== '') return location
    // Google writes the whole address into one part.
    const written = [box ?? '', extended ?? '', street ?? '', label.replaceAll('\\n', '\n')]
    const lines = joinLocation(written.flatMap((part) => part.split(/[\r\n]+/)))
    if (lines !== '') return lines
  }
  return ''
}
