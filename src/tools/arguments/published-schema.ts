/**
 * The input schema that `tools/list` shows. What it allows is accepted, unless the data say otherwise. Models read it in
 * every conversation, so it has only what they use: names, types, choices, numbers of items, and descriptions of arguments
 * whose names do not say enough. Objects are closed. Forms of texts, such as dates in words, are in descriptions, and so are
 * lengths that matter: OpenAI's strict mode rejects schemas with lengths. See decisions 0029 and 0046.
 */

import {
  PLAIN_KEYWORD,
  propertyNamed,
  SHORT_KEYWORD,
  UNLISTED_KEYWORD,
  type SchemaPart,
} from './schema-part.ts'
import type { TSchema } from 'typebox'

type Kept = 'type' | 'description' | 'enum' | 'required'
type Bounds = 'minimum' | 'maximum' | 'minItems' | 'maxItems'

interface PublishedSchema extends Pick<SchemaPart, Kept | Bounds> {
  readonly items?: PublishedSchema
  readonly properties?: Readonly<Record<string, PublishedSchema>>
  readonly additionalProperties?: false
}

/** The schema of a tool as `tools/list` gives it, with only the parts that a model needs. */
export function publishedSchema(schema: TSchema): PublishedSchema {
  // Clients expect the properties of an object, even if there are none.
  return { properties: {}, ...publish(schema) }
}

function publish(part: SchemaPart, isNested = false): PublishedSchema {
  const short = propertyNamed(part, part[SHORT_KEYWORD] ?? '')
  // A list that stands for an object is shorter, and all that most calls need.
  if (short?.type === 'array') return publish(short, isNested)
  const { type, description, items, properties, required } = part
  const { minimum, maximum, minItems, maxItems } = part
  const isSaid = description !== undefined && !isNested && part[PLAIN_KEYWORD] !== true
  return {
    ...(type !== undefined && { type }),
    ...(isSaid && { description }),
    ...(part.enum && { enum: part.enum }),
    // The description of a list describes its items.
    ...(items && { items: publish(items, true) }),
    ...(properties && { properties: mapped(listed(properties), (one) => publish(one, isNested)) }),
    ...(required && required.length > 0 && { required }),
    ...(type === 'object' && { additionalProperties: false as const }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && maxItems <= MAX_TOLD_ITEMS && { maxItems }),
  }
}

function listed(properties: Readonly<Record<string, SchemaPart>>) {
  return Object.fromEntries(
    Object.entries(properties).filter(([, part]) => part[UNLISTED_KEYWORD] !== true),
  )
}

/** More items are rarely given, and too many are refused by their number. */
const MAX_TOLD_ITEMS = 100

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
