/**
 * The input schema that `tools/list` shows. Models read it in every conversation, so it has only what they use: names,
 * types, choices and descriptions of arguments whose names do not say enough. Bounds and patterns stay in the schema
 * that the server checks, whose errors explain themselves; descriptions name the bounds that matter. See decision 0029.
 */

import { PLAIN_KEYWORD, type SchemaPart } from './schema-part.ts'
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

/** The schema of a tool as `tools/list` gives it, with only the parts that a model needs. */
export function publishedSchema(schema: TSchema): PublishedSchema {
  const { properties = {}, ...root } = publish(schema)
  const isEmpty = Object.keys(properties).length === 0
  // Clients expect the properties of an object, even if there are none. MCP 2025-11-25, server/tools: an object that is
  // empty says so, or strict clients take it for one with any properties.
  return { ...root, properties, ...(isEmpty && { additionalProperties: false }) }
}

function publish(part: SchemaPart, isNested = false): PublishedSchema {
  const { type, description, items, properties, required } = part
  const isSaid = description !== undefined && !isNested && part[PLAIN_KEYWORD] !== true
  return {
    ...(type !== undefined && { type }),
    ...(isSaid && { description }),
    ...(part.enum && { enum: part.enum }),
    // The description of a list describes its items.
    ...(items && { items: publish(items, true) }),
    ...(properties && { properties: mapped(properties, (one) => publish(one, isNested)) }),
    ...(required && required.length > 0 && { required }),
  }
}

/**
 * The output schema that `tools/list` shows, for clients that check results: without descriptions, which docs/tools.md
 * has, and open to fields of later versions.
 */
export function publishedOutput({
  description: _description,
  additionalProperties: _additional,
  ...part
}: OutputPart): object {
  const { properties, patternProperties, items, anyOf } = part
  return {
    ...part,
    ...(properties && { properties: mapped(properties, publishedOutput) }),
    ...(patternProperties && { patternProperties: mapped(patternProperties, publishedOutput) }),
    ...(items && { items: publishedOutput(items) }),
    ...(anyOf && { anyOf: anyOf.map(publishedOutput) }),
  }
}

interface OutputPart {
  readonly description?: unknown
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, OutputPart>>
  readonly patternProperties?: Readonly<Record<string, OutputPart>>
  readonly items?: OutputPart
  readonly anyOf?: readonly OutputPart[]
}

function mapped<Part, Result>(
  parts: Readonly<Record<string, Part>>,
  change: (part: Part) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))
}
