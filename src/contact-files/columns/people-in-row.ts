// Lists with several people in a row, each with columns of their own: a child and its parents, or the two of a couple.

import {
  ADDRESS_FIELDS,
  NAME_FIELDS,
  type ColumnRole,
  type ColumnTarget,
} from '../fields/column-fields.ts'
import { plainHeader, targetNamed } from '../fields/header-words.ts'

/** A person other than the first one of a row. */
export interface RowPerson {
  /** What the person is to the first one; absent for one of a couple. */
  readonly relation?: string
  /** The names of the columns without the words for the person; null for columns of others. */
  readonly names: readonly (string | null)[]
  /** The columns that only this person has. */
  readonly own: readonly number[]
}

export interface PeopleColumns {
  readonly others: readonly RowPerson[]
  /** Names of the first person. */
  readonly names: readonly string[]
  /** How the first person has the names of the others, by column. */
  readonly relations: ReadonlyMap<number, ColumnTarget>
}

/** The people whose columns a header names, if there are several. `targets`: what each column is by its whole name. */
export function peopleColumns(
  headers: readonly string[],
  targets: readonly (ColumnRole | null)[],
  isMapped: (at: number) => boolean,
): PeopleColumns | undefined {
  const owners = headers.map((header, at) => (isMapped(at) ? undefined : ownerOf(header)))
  const groups = groupsOf(owners)
  const owned = new Set(groups.flatMap(({ own }) => own))
  const hasFirst = targets.some((target, at) => !owned.has(at) && isName(target?.field))
  if (groups.length < (hasFirst ? 1 : 2)) return undefined
  const [first, ...couple] = groups
  const others = hasFirst ? groups : couple
  const rest = (at: number) => owners[at]?.rest ?? ''
  return {
    others: others.map(({ relation, own }) => ({
      own,
      ...(hasFirst && relation !== undefined && { relation }),
      names: headers.map((header, at) => {
        if (own.includes(at)) return rest(at)
        return owned.has(at) || !isShared(targets[at]?.field ?? '', hasFirst) ? null : header
      }),
    })),
    names: headers.map((header, at) =>
      !hasFirst && first?.own.includes(at) === true ? rest(at) : header,
    ),
    relations: new Map(others.flatMap((group) => relationColumns(group, owners))),
  }
}

interface Owner {
  readonly relation: string | undefined
  readonly number: number | undefined
  /** The name of the column without the words for its owner. */
  readonly rest: string
}

interface Group extends Pick<Owner, 'relation' | 'number'> {
  readonly own: readonly number[]
}

/** `Mother's email`, `Mobile (father)`, `Parent 2 first name` and `First name 2` */
function ownerOf(header: string): Owner | undefined {
  const words = plainHeader(header)
    .split(' ')
    .flatMap((word) => (NUMBERED.exec(word) ?? ['', word]).slice(1))
  const isNumber = (word: string) => /^[1-4]$/.test(word)
  const relations = words.map(relationIn)
  const relation = relations.find((one) => one !== undefined)
  const number = words.find(isNumber)
  if (relation === undefined && number === undefined) return undefined
  const rest = words.filter(
    (word, at) => relations[at] === undefined && !isNumber(word) && !LINKING.has(word),
  )
  return {
    relation,
    number: number === undefined ? undefined : Number(number),
    rest: rest.length === 0 && relation !== undefined ? 'name' : rest.join(' '),
  }
}

/** `Parent1` */
const NUMBERED = /^(\p{L}{3,})([1-4])$/u
const LINKING: ReadonlySet<string> = new Set(
  's of the de der des die du della del da do van von'.split(' '),
)

function relationIn(word: string): string | undefined {
  const target = targetNamed(word)
  const label = target?.field === 'relation' && 'label' in target ? target.label : undefined
  return label !== undefined && FAMILY.has(label) ? label : undefined
}

const FAMILY: ReadonlySet<string> = new Set(['mother', 'father', 'parent', 'spouse'])
const PARENTS: ReadonlySet<string> = new Set(['mother', 'father', 'parent'])

/** Relatives with a name and an email or a phone, or at least two people with numbers, a given name each. */
function groupsOf(owners: readonly (Owner | undefined)[]): readonly Group[] {
  const fieldsOf = ({ own }: Group) => own.map((at) => fieldNamed(owners[at]?.rest ?? ''))
  const relatives = groupsBy(owners, ({ relation }) => relation !== undefined)
  const named = relatives
    .filter((group) => fieldsOf(group).some(isName))
    .map((group) => withSharedColumns(group, owners, relatives))
    .filter((group) => fieldsOf(group).some((field) => field === 'email' || field === 'phone'))
  if (named.length > 0) return named
  const numbered = groupsBy(owners, ({ relation }) => relation === undefined)
  const people = numbered.filter((group) => fieldsOf(group).includes('given_name'))
  return people.length < 2 ? [] : people
}

function groupsBy(
  owners: readonly (Owner | undefined)[],
  isIncluded: (owner: Owner) => boolean,
): readonly Group[] {
  const groups = new Map<string, Group & { own: number[] }>()
  for (const [at, owner] of owners.entries()) {
    if (owner === undefined || !isIncluded(owner)) continue
    const { relation, number } = owner
    const key = `${relation ?? ''} ${number ?? ''}`
    const group = groups.get(key) ?? { relation, number, own: [] }
    group.own.push(at)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** With `Parents' email` beside the name of one or of each parent, and with `Email 2` beside `Parent 2`. */
function withSharedColumns(
  group: Group,
  owners: readonly (Owner | undefined)[],
  relatives: readonly Group[],
): Group {
  const isOwn = (owner: Owner | undefined) => {
    if (owner === undefined || isName(fieldNamed(owner.rest))) return false
    if (owner.relation === undefined)
      return (
        owner.number === group.number &&
        relatives.filter(({ number }) => number === group.number).length === 1
      )
    return (
      owner.relation === 'parent' && owner.number === undefined && PARENTS.has(group.relation ?? '')
    )
  }
  const shared = owners.keys().filter((at) => isOwn(owners[at]))
  return { ...group, own: [...new Set([...group.own, ...shared])] }
}

function fieldNamed(name: string): string | undefined {
  return targetNamed(name)?.field
}

function isName(field: string | undefined): boolean {
  return field !== undefined && (NAME_FIELDS.has(field) || NAMES_BY_CONTEXT.has(field))
}

const NAMES_BY_CONTEXT: ReadonlySet<string> = new Set(['given_or_name', 'family_or_name'])

/** The people of a row share their address; a couple also what the columns without a number say. */
function isShared(field: string, hasFirst: boolean): boolean {
  return hasFirst ? ADDRESS.has(field) : !OF_ONE.has(field) && !isName(field)
}

const ADDRESS: ReadonlySet<string> = new Set(['address', 'location', ...ADDRESS_FIELDS])
const OF_ONE: ReadonlySet<string> = new Set(['birthday', 'title', 'nickname', 'name_prefix'])

/** The columns of a name as a relation; those after the first one continue it. */
function relationColumns(
  { relation, own }: Group,
  owners: readonly (Owner | undefined)[],
): readonly (readonly [number, ColumnTarget])[] {
  const names = own.filter((at) => isName(fieldNamed(owners[at]?.rest ?? '')))
  const label = relation === undefined ? {} : { label: relation }
  return names.map((at, index) => [
    at,
    { field: 'relation', ...label, ...(index > 0 && { continues: true }) },
  ])
}
