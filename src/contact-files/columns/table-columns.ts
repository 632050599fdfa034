// Determines the meaning of a table's columns by their names, their contents, and the member's mapping.

import type { ImportFormat } from '../contact/contact.ts'
import {
  type ColumnTarget,
  type DatePart,
  type HeaderTarget,
  type ColumnRole,
  type NumberedRole,
  customFieldInHeader,
} from '../fields/column-fields.ts'
import { isCouple } from './couples.ts'
import { contentTargets, PHONE_LABELS } from './column-contents.ts'
import { notationOf } from './date-order.ts'
import { isFamilyFirstColumn } from './family-first.ts'
import { peopleColumns, type PeopleColumns, type RowPerson } from './people-in-row.ts'
import { numberedPosition, numberedRole } from './numbered-roles.ts'
import { formatOf } from './table-format.ts'
import { isNameOf, plainHeader, targetNamed } from '../fields/header-words.ts'
import type { DateNotation } from '../../dates/date-notations.ts'

/** The columns of a table, and how to read their cells. */
export interface TableColumns {
  readonly format: Exclude<ImportFormat, 'vcard' | 'monica'>
  /** As in the file; generated when the file has no header. */
  readonly names: readonly string[]
  /** One per column; null for an unknown column without a mapping, which becomes a custom field. */
  readonly targets: readonly (ColumnRole | null)[]
  readonly dates: DateNotation
  /** Whether names have the family name first: `Lee, Ann`. */
  readonly isFamilyFirst: boolean
  /** Whether the header says so, also of names without a comma. */
  readonly isFamilyFirstHeader?: boolean
  /** Whether names of two people are in one cell. */
  readonly hasCouples?: boolean
  readonly others?: readonly PersonColumns[]
}

/** The columns of a person beside the first one of a row. */
interface PersonColumns extends Pick<RowPerson, 'relation' | 'own'> {
  readonly targets: readonly (ColumnRole | null)[]
}

/** A mapping by column name, as the member or an agent gave it. */
export type ColumnMapping = ReadonlyMap<string, ColumnTarget>

interface ReadHeader {
  readonly names: readonly string[]
  /** Rows after the header, for columns with unknown names. */
  readonly sample: readonly (readonly string[])[]
  readonly mapping?: ColumnMapping
  readonly hint?: ImportFormat | 'auto'
}

/** The columns of a header; null if no column identifies people. */
export function readHeader({ names, sample, mapping, hint }: ReadHeader): TableColumns | null {
  const plain = names.map(plainHeader)
  const given = names.map((name) => mapping?.get(name.trim()) ?? null)
  const byName = rolesNamed(names, given)
  const people = peopleColumns(names, byName, (at) => given[at] != null)
  const targets = people === undefined ? byName : rolesOfFirst(people, given)
  const isMapped = given.some((target) => target !== null)
  const known = targets.filter((target) => target !== null && target.field !== 'ignore')
  const enough = isMapped || known.length >= MIN_KNOWN || (names.length === 1 && known.length === 1)
  if (!enough || !targets.some(identifies)) return null
  const withContent = contentTargets(targets, sample, names)
  const isFirst = names.some(isFamilyFirstHeader)
  const format = formatOf({ plain, targets: withContent, ...(hint !== undefined && { hint }) })
  return {
    format,
    names,
    targets: withContent,
    dates: notationOf({ plain, names }, withContent, sample),
    isFamilyFirst: isFirst || people !== undefined || isFamilyFirst(withContent, sample),
    isFamilyFirstHeader: isFirst,
    hasCouples: hasCouples(withContent, sample),
    others: people === undefined ? [] : othersOf(people, sample),
  }
}

/** The meaning of each column by its name, unless it is given. */
function rolesNamed(
  names: readonly string[],
  given: readonly (ColumnTarget | null)[],
): (ColumnRole | null)[] {
  const plain = names.map(plainHeader)
  const byName = names.map(
    (name, at) =>
      given[at] ??
      customRole(name) ??
      numberedRole(plain[at] ?? '') ??
      numberedPosition(plain[at] ?? '') ??
      targetNamed(name) ??
      (isFamilyFirstHeader(name) ? NAME : null),
  )
  return withLabels(settled(byName, plain), plain)
}

function rolesOfFirst(
  { names, relations }: PeopleColumns,
  given: readonly (ColumnTarget | null)[],
): readonly (ColumnRole | null)[] {
  return rolesNamed(
    names,
    given.map((target, at) => target ?? relations.get(at) ?? null),
  )
}

function othersOf(
  { others }: PeopleColumns,
  sample: readonly (readonly string[])[],
): readonly PersonColumns[] {
  return others.map(({ names, own, relation }) => {
    const texts = names.map((name) => name ?? '')
    const roles = rolesNamed(
      texts,
      names.map((name) => (name === null ? { field: 'ignore' as const } : null)),
    )
    const targets = contentTargets(roles, sample, texts)
    return { targets, own, ...(relation !== undefined && { relation }) }
  })
}

const NAME: ColumnTarget = { field: 'name' }

/** `Last name, first name`, `Last name and first name` */
function isFamilyFirstHeader(name: string): boolean {
  const [family = '', given = '', ...others] = name.split(
    /[,/]| (?:and|und|et|y|e|i|a|en|og|och|и) /,
  )
  if (given === '' || others.length > 0) return false
  const fields = [targetNamed(family)?.field, targetNamed(given)?.field]
  return FAMILY_NAMES.has(fields[0] ?? '') && GIVEN_NAMES.has(fields[1] ?? '')
}

const FAMILY_NAMES: ReadonlySet<string> = new Set(['family_name', 'family_or_name', 'name'])
const GIVEN_NAMES: ReadonlySet<string> = new Set(['given_name', 'given_or_name'])

function hasCouples(
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): boolean {
  const names = targets.findIndex((target) => target?.field === 'name')
  return names !== -1 && sample.some((row) => isCouple(row[names] ?? ''))
}

function isFamilyFirst(
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): boolean {
  const names = targets.findIndex((target) => target?.field === 'name')
  return names !== -1 && isFamilyFirstColumn(sample.map((row) => row[names] ?? ''))
}

/** The columns of a header with at most one known name: the others are recognized by their contents. */
export function guessHeader(
  names: readonly string[],
  sample: readonly (readonly string[])[],
): TableColumns {
  const byName = settled(names.map(targetNamed), names.map(plainHeader))
  return unnamedColumns(names, contentTargets(byName, sample, names), sample)
}

export function identifiesPeople({ names, targets }: TableColumns): boolean {
  const byName = settled(names.map(targetNamed), names.map(plainHeader))
  return (
    byName.some(identifies) ||
    targets.some((target) => target?.field === 'email' || target?.field === 'phone')
  )
}

/** The columns of a file without a header, by the contents of its rows; null if they are inconclusive. */
export function readContents(sample: readonly (readonly string[])[]): TableColumns | null {
  const width = Math.max(0, ...sample.map((cells) => cells.length))
  const targets = withName(
    contentTargets(
      Array.from({ length: width }, () => null),
      sample,
    ),
    sample,
  )
  const known = targets.filter((target) => target !== null)
  if (!known.some((target) => target.field === 'email' || target.field === 'phone')) return null
  if (sample.length < 2 && known.length < MIN_KNOWN) return null
  const names = targets.map((_target, at) => `Column ${at + 1}`)
  return unnamedColumns(names, targets, sample)
}

/** Beside addresses, the first column of words without digits has the names: `Ann (football)`, `grandma`. */
function withName(
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): readonly (ColumnRole | null)[] {
  if (targets.some((target) => target?.field === 'name')) return targets
  const isWords = (text: string) =>
    text.trim() === '' || (/\p{L}/u.test(text) && !/[\d@:_]/.test(text))
  const at = targets.findIndex(
    (target, column) => target === null && sample.every((row) => isWords(row[column] ?? '')),
  )
  return targets.map((target, column) => (column === at ? NAME : target))
}

function unnamedColumns(
  names: readonly string[],
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): TableColumns {
  return {
    format: 'table',
    names,
    targets,
    dates: { order: 'month-first' },
    isFamilyFirst: isFamilyFirst(targets, sample),
  }
}

const MIN_KNOWN = 2 // columns: fewer may be a line of a preamble

/** Whether a column can identify a person. */
function identifies(role: ColumnRole | null): boolean {
  if (role === null) return false
  if (role.field === 'numbered') return role.kind === 'email' || role.kind === 'phone'
  return IDENTIFYING.has(role.field)
}

const IDENTIFYING: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'nickname',
  'email',
  'phone',
  'company',
])

/** Decides names that have several meanings by the other columns. */
function settled(
  targets: readonly (HeaderTarget | NumberedRole | null)[],
  plain: readonly string[],
): (ColumnRole | null)[] {
  const has = (...fields: string[]) =>
    targets.some((target) => target !== null && fields.includes(target.field))
  const titles = targets.filter((target) => target?.field === 'title')
  const hasMonthOnly =
    targets.some((target) => isPart(target, 'month')) &&
    !targets.some((target) => isPart(target, 'day'))
  const hasName = has('name', 'given_name', 'family_name', 'given_or_name', 'family_or_name')
  const phoneLabelsAlone = plain.includes('pager') || plain.includes('fax')
  return targets.map((target, at) => {
    const name = plain[at] ?? ''
    const ofChild = childNamePart(name)
    if (ofChild !== undefined)
      return !hasName
        ? { field: ofChild }
        : {
            field: 'relation',
            label: 'child',
            ...(ofChild === 'family_name' && { continues: true }),
          }
    if (isNameOf('guest', name) && !hasName) return { field: 'name' }
    const before = targets[at - 1]
    if (before?.field === 'street' && isNameOf('house number', name)) return before
    if (target === null)
      return phoneLabelsAlone && PHONE_LABELS.has(name) ? { field: 'phone', label: name } : null
    if (target.field === 'given_or_name')
      return { field: has('family_name', 'family_or_name') ? 'given_name' : 'name' }
    if (target.field === 'family_or_name')
      // Catalan has the French word for a family name for a given name.
      return {
        field: has('given_name') ? 'family_name' : has('family_name') ? 'given_name' : 'name',
      }
    if (target.field === 'birthday') {
      // The same word as the birthday in German, Swedish, Russian and Japanese.
      if (hasMonthOnly) return { field: 'date_part', of: 'birthday', part: 'day' }
      // The birthday in Portuguese, the anniversary in Spanish.
      if (name === 'aniversario' && plain.some((one, other) => other !== at && isBirthday(one)))
        return { field: 'date', label: 'anniversary' }
    }
    // The line below a name on LinkedIn, beside the title of a position.
    if (target.field === 'title' && titles.length > 1 && name === 'headline')
      return { field: 'custom' }
    const isHonorific = target.field === 'title' && titles.length > 1 && isNameOf('honorific', name)
    // French Outlook has the same name twice: first for Ms., then for the job.
    if (isHonorific && plain.indexOf(name) === at) return { field: 'name_prefix' }
    // The company in Close, a child in the list of a school class.
    if (name === 'lead name' && plain.includes('contact name')) return { field: 'company' }
    if (isNameOf('child', name) && !hasName) return { field: 'name' }
    return target as ColumnRole
  })
}

function isPart(target: HeaderTarget | NumberedRole | null, part: DatePart['part']): boolean {
  return target?.field === 'date_part' && target.of === 'birthday' && target.part === part
}

function childNamePart(plain: string): 'given_name' | 'family_name' | undefined {
  const [child = '', ...words] = plain.split(' ')
  const field = isNameOf('child', child) ? targetNamed(words.join(' '))?.field : undefined
  return field === 'given_name' || field === 'family_name' ? field : undefined
}

/** With the columns whose cells label the values of another column: `Phone 1 Type`, `Email Type 2`, `Website label`. */
function withLabels(
  targets: readonly (ColumnRole | null)[],
  plain: readonly string[],
): (ColumnRole | null)[] {
  return targets.map((target, own) => {
    const [, name = '', number = ''] = LABEL_COLUMN.exec(plain[own] ?? '') ?? []
    const at = name === '' ? -1 : plain.indexOf(name + number)
    const of = targets[at]?.field
    return of === 'email' || of === 'phone' || of === 'url'
      ? { field: 'value_label', at, of }
      : target
  })
}

const LABEL_COLUMN = /^(.+?) (?:type|label|kind)( \d+)?$/

function isBirthday(name: string): boolean {
  return targetNamed(name)?.field === 'birthday'
}

function customRole(header: string): ColumnTarget | null {
  const label = customFieldInHeader(header)
  return label === null ? null : { field: 'custom', label }
}
