/** The records that an agent read, and the IDs that it takes from them. */

import { idSourceOf, isIdArgument, type OfferedTool } from './tool-words.ts'

/** An object with an ID in an answer. */
export interface Found {
  readonly fields: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Every object in an answer that has an ID, outer ones first. */
export function recordsIn(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn)
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Readonly<Record<string, unknown>>
  const own = Object.entries(fields).some(([name, id]) => /(?:^|_)ids?$/u.test(name) && isId(id))
  const inner = Object.values(fields).flatMap(recordsIn)
  return own ? [{ fields, text: JSON.stringify(fields) }, ...inner] : inner
}

function isId(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(isId)
    : typeof value === 'string' && /^[a-z]+_\w+$/u.test(value)
}

/** The value for an ID argument: the field of that name, else of its singular, else any ID of that kind. */
export function idIn({ fields }: Found, name: string, prefix?: string): unknown {
  if (isId(fields[name])) return fields[name]
  const singular = name.replace(/s$/u, '')
  if (isId(fields[singular])) return fields[singular]
  if (prefix === undefined) return undefined
  return Object.entries(fields).find(
    ([key, id]) => key.endsWith('_id') && typeof id === 'string' && id.startsWith(`${prefix}_`),
  )?.[1]
}

/** Those with a field of exactly this name, if there are any. */
export function mostExact(records: readonly Found[], name: string): readonly Found[] {
  const exact = records.filter(({ fields }) => isId(fields[name]))
  return exact.length > 0 ? exact : records
}

/** The ID arguments of each call: one call for all records if the tool takes a list, else one for each. */
export function* idArgumentsOf(
  tool: OfferedTool,
  records: readonly Found[],
): Generator<Record<string, unknown>> {
  const properties = Object.entries(tool.inputSchema.properties ?? {})
  const groups = properties.find(([, { items }]) =>
    items?.required?.every((name) => records.every((record) => isId(record.fields[name]))),
  )
  if (records.length > 1 && groups !== undefined) {
    const [name, { items }] = groups
    const fields = Object.keys(items?.properties ?? {})
    yield {
      [name]: records.map((record) =>
        Object.fromEntries(fields.map((field) => [field, record.fields[field]])),
      ),
    }
    return
  }
  const ids = properties.filter(([name, property]) => isIdArgument(name, property))
  const list = ids.find(
    ([name, { type }]) => type === 'array' && !records.some(({ fields }) => isId(fields[name])),
  )
  if (list !== undefined) {
    const [name, property] = list
    const most = Number(/Up to (\d+)/u.exec(property.description ?? '')?.[1] ?? records.length)
    const all = [
      ...new Set(records.map((record) => idIn(record, name, idSourceOf(property).prefix))),
    ]
    for (let start = 0; start < all.length; start += most)
      yield { [name]: all.slice(start, start + most) }
    return
  }
  for (const record of records)
    yield Object.fromEntries(
      ids.flatMap(([name, property]) => {
        const isRequired = tool.inputSchema.required?.includes(name) === true
        const id = idIn(record, name, isRequired ? idSourceOf(property).prefix : undefined)
        return id === undefined ? [] : [[name, id]]
      }),
    )
}
