/**
 * The input schema that `tools/list` shows. Models read it in every conversation, so it has only what they use: names,
 * types, choices and descriptions. Bounds and patterns stay in the schema that the server checks, whose errors explain
 * themselves; descriptions name the bounds that matter. See decision 0029.
 */

import type { SchemaPart } from './schema-part.ts'
import type { TSchema } from 'typebox'

interface PublishedSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: PublishedSchema
  readonly properties?: Readonly<Record<string, PublishedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

export function publishedSchema(schema: TSchema): PublishedSchema {
  const { properties = {}, ...root } = publish(schema)
  const isEmpty = Object.keys(properties).length === 0
  // Clients expect the properties of an object, even if there are none. MCP 2025-11-25, server/tools: an object that is
  // empty says so, or strict clients take it for one with any properties.
  return { ...root, properties, ...(isEmpty && { additionalProperties: false }) }
}

function publish(part: SchemaPart): PublishedSchema {
  const { type, description, items, properties, required } = part
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(part.enum && { enum: part.enum }),
    ...(items && { items: withoutDescription(publish(items), description) }),
    ...(properties && { properties: mapped(properties) }),
    ...(required && required.length > 0 && { required }),
  }
}

/** The description of a list describes its items. */
function withoutDescription(items: PublishedSchema, ofList: string | undefined): PublishedSchema {
  if (ofList === undefined) return items
  const { description: _description, ...rest } = items
  return rest
}

function mapped(properties: Readonly<Record<string, SchemaPart>>): Record<string, PublishedSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, publish(property)]),
  )
}
