/** JSON Schemas as data: the keywords that reading, explaining and publishing arguments need. */

import type { DAY_KEYWORD, DayKind, TIME_KEYWORD } from './date-argument.ts'

/** Marks an argument whose name says what it is: `tools/list` omits its description, and errors include it. */
export const PLAIN_KEYWORD = 'weftPlain'

/** Marks an argument that is read, but not listed: another one says the same. */
export const UNLISTED_KEYWORD = 'weftUnlisted'

/** Names the field that a text or a list stands for in place of the object: `"Called"` for `{"text": "Called"}`. */
export const SHORT_KEYWORD = 'weftShort'

/**
 * Marks a list of `name=value`, such as `Tier=Gold`: clients in strict mode cannot send objects whose names are not in the
 * schema. See decision 0029.
 */
export const PAIRS_KEYWORD = 'weftPairs'

export interface SchemaPart {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: SchemaPart
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly required?: readonly string[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly [DAY_KEYWORD]?: DayKind
  readonly [TIME_KEYWORD]?: true
  readonly [PAIRS_KEYWORD]?: true
  readonly [PLAIN_KEYWORD]?: true
  readonly [SHORT_KEYWORD]?: string
  readonly [UNLISTED_KEYWORD]?: true
}

export function propertyNamed(part: SchemaPart, name: string): SchemaPart | undefined {
  return part.properties && Object.hasOwn(part.properties, name) ? part.properties[name] : undefined
}

/** The part of a schema that describes the value at an RFC 6901 pointer. */
export function partAt(root: SchemaPart, pointer: string): SchemaPart | undefined {
  let part: SchemaPart | undefined = root
  for (const step of stepsOf(pointer)) part = part && (part.items ?? propertyNamed(part, step))
  return part
}

export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
