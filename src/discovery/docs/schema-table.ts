/** Renders the properties of a schema as a markdown table. */

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

/** `heading` names the properties, such as `argument`. Returns undefined if there are none. */
export function schemaTable(heading: string, schema: TSchema): string | undefined {
  // TypeBox types a schema by its builder; at run time it is plain JSON Schema.
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
  return standard === undefined || standard === false || /default/i.test(description)
    ? description
    : `${description} (default \`${JSON.stringify(standard)}\`)`.trimStart()
}
