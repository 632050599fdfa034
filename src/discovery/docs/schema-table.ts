/** The properties of a schema as a markdown table: what a reader has to send, or may. */

import type { TSchema } from 'typebox'

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly default?: unknown
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** `heading` is what the properties are here: an argument, a parameter. Undefined where there are none. */
export function schemaTable(heading: string, schema: TSchema): string | undefined {
  // A schema is JSON Schema; TypeBox types it by what it was made with.
  const { properties = {}, required = [] } = schema as ObjectSchema
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}\`${required.includes(name) ? '' : ' optional'} | ${kindOf(property)} | ${describe(property)} |`,
  )
  return rows.length === 0
    ? undefined
    : [`| ${heading} | type | meaning |`, '|---|---|---|', ...rows].join('\n')
}

function kindOf({ type, enum: values }: Property): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  return type ?? 'string or null'
}

function describe({ description = '', default: standard }: Property): string {
  return standard === undefined
    ? description
    : `${description} (default \`${JSON.stringify(standard)}\`)`.trimStart()
}
