/** Finds the arguments that a model means by names that the tool does not have. */

import { isPlainObject } from '../../base/schema.ts'
import { propertyNamed, type SchemaPart } from './schema-part.ts'
import { argumentsMeantBy, plainName } from './argument-synonyms.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields under the names of the schema. A name that can mean nothing stays, and so does a second one for an argument. */
export function underKnownNames(schema: SchemaPart, given: Fields): Fields {
  const fields = withCustom(schema, withPerson(schema, unwrapped(schema, given)))
  const named = new Map<string, unknown>()
  const names = Object.keys(fields)
  for (const [name, value] of Object.entries(fields)) {
    const isTaken = (other: string) => names.includes(other) || named.has(other)
    const edit = propertyNamed(schema, name) ? undefined : listEditOf(schema, name)
    if (edit) {
      const before = named.get(edit.list) ?? fields[edit.list]
      named.set(edit.list, { ...(isPlainObject(before) && before), [edit.change]: value })
    } else if (!(named.has(name) && isPlainObject(named.get(name))))
      named.set(nameOf(schema, name, value, isTaken), value)
  }
  return Object.fromEntries(
    [...named].map(([name, value]) => [name, name === 'people' ? peopleIn(value) : value]),
  )
}

export function isArgumentName(schema: SchemaPart, name: string): boolean {
  return (
    propertyNamed(
      schema,
      nameOf(schema, name, undefined, () => false),
    ) !== undefined
  )
}

function nameOf(
  schema: SchemaPart,
  name: string,
  value: unknown,
  isTaken: (name: string) => boolean,
): string {
  if (propertyNamed(schema, name)) return name
  const plain = plainName(name)
  const isFree = (one: string) => propertyNamed(schema, one) !== undefined && !isTaken(one)
  const byId = argumentOfId(schema, value)
  const candidates = [
    plain,
    ...(byId === undefined || !argumentsMeantBy(plain).includes(byId) ? [] : [byId]),
    `${plain}s`,
    ...(plain.endsWith('s') ? [plain.slice(0, -1)] : []),
    ...argumentsMeantBy(plain),
  ]
  return candidates.find(isFree) ?? name
}

/** The argument that takes an ID such as `n_4`. Its letter tells the kind. */
function argumentOfId({ properties = {} }: SchemaPart, value: unknown): string | undefined {
  const [id] = Array.isArray(value) ? (value as unknown[]) : [value]
  const letter = typeof id === 'string' ? /^([a-z])_\d+$/.exec(id)?.[1] : undefined
  const names = letter === undefined ? [] : (ID_ARGUMENTS[letter] ?? [])
  return names.find((name) => Object.hasOwn(properties, name))
}

const ID_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  a: ['activity_id'],
  c: ['people', 'keep_id'],
  f: ['follow_up_ids', 'follow_up_id'],
  i: ['interaction_id', 'entry_id'],
  n: ['note_id', 'entry_id'],
}

/** `{"fields": {"title": "Admiral"}}`: the fields of the object, unless the tool has an argument of this name. */
function unwrapped(schema: SchemaPart, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      WRAPPERS.has(name) && isPlainObject(value) && !propertyNamed(schema, name)
        ? Object.entries(value)
        : [[name, value]],
    ),
  )
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'arguments',
  'args',
  'params',
  'fields',
  'updates',
  'changes',
  'data',
  'filters',
])

/** A tool that changes people by `people` and has a `name` too: without people, the name is theirs. */
function withPerson(schema: SchemaPart, fields: Fields): Fields {
  const { name, ...others } = fields
  if (name === undefined || !['people', 'where', 'name'].every((one) => propertyNamed(schema, one)))
    return fields
  const isNamed = Object.keys(others).some((other) =>
    ['people', 'where'].includes(nameOf(schema, other, others[other], () => false)),
  )
  return isNamed ? fields : { people: name, ...others }
}

/** `{"custom_fields": {"Tier": "Gold"}}` for a tool that takes custom values in `details`. */
function withCustom(schema: SchemaPart, fields: Fields): Fields {
  const name = ['custom_fields', 'custom'].find((one) => isPlainObject(fields[one]))
  if (name === undefined || propertyNamed(schema, name) || !propertyNamed(schema, 'details'))
    return fields
  const { [name]: custom, details, ...others } = fields
  if (details === undefined || isPlainObject(details))
    return { ...others, details: { ...details, custom } }
  return fields
}

interface ListEdit {
  readonly list: string
  readonly change: string
}

/** `add_tags` for `{"tags": {"add": …}}`. */
function listEditOf(schema: SchemaPart, name: string): ListEdit | undefined {
  const [, change = '', list = ''] = /^(add|remove|replace)_(\w+)$/.exec(plainName(name)) ?? []
  const found = [list, `${list}s`].find((one) => {
    const part = propertyNamed(schema, one)
    return part !== undefined && propertyNamed(part, change) !== undefined
  })
  return found === undefined ? undefined : { list: found, change }
}

/** People as results show them, `{"connection_id": "c_1", "name": …}`, by what identifies them. */
function peopleIn(value: unknown): unknown {
  return Array.isArray(value) ? value.map(personIn) : personIn(value)
}

function personIn(value: unknown): unknown {
  if (!isPlainObject(value)) return value
  const key = ['connection_id', 'id', 'email', 'name', 'full_name'].find(
    (one) => typeof value[one] === 'string',
  )
  return key === undefined ? value : value[key]
}
