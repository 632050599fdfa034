/** The filter by custom fields: the connections that meet conditions such as `Tier=Gold`, `Score>=5` or `Tier=*`. */

import { RequestError } from '../../../base/request-error.ts'
import { normalize } from '../../../base/tokenize.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../../db/database.ts'
import {
  customFieldNameKey,
  readCustomFields,
  requireCustomField,
  type CustomField,
} from '../../custom-fields/custom-fields.ts'
import { type CustomFieldKind } from '../../../contact-files/contact/field-definition.ts'
import {
  readCustomValues,
  customValueOf,
  expectedValue,
} from '../../custom-fields/custom-values.ts'

type Operator = '=' | '<' | '<=' | '>' | '>=' | '*'

interface Condition {
  readonly fieldId: number
  readonly kind: CustomFieldKind
  readonly operator: Operator
  /** As the field stores values; empty for `*`. */
  readonly value: string
}

/**
 * The IDs of the connections that meet every condition.
 *
 * @throws {RequestError} `invalid_request` when a field is unknown or a value is invalid for it.
 */
export async function filterByCustom(
  reader: MemberReader & Pick<MemberDatabase, 'compute'>,
  custom: readonly string[],
): Promise<ReadonlySet<number>> {
  const fields = await readCustomFields(reader)
  const conditions = custom.map((text) => conditionOf(splitCondition(fields, text)))
  return new Set(await reader.compute(COMPUTATION, conditions))
}

interface SplitCondition {
  readonly field: CustomField
  readonly sign: Exclude<Operator, '*'>
  readonly text: string
}

/** Names and values may contain operators: the first operator after a field name counts. */
function splitCondition(fields: readonly CustomField[], condition: string): SplitCondition {
  const parts = [...condition.matchAll(/<=|>=|<|>|=/g)].map(({ index, 0: sign }) => ({
    name: condition.slice(0, index).trim(),
    sign: sign as SplitCondition['sign'],
    text: condition.slice(index + sign.length).trim(),
  }))
  const known = new Set(fields.map(({ key }) => key))
  const part = parts.find(({ name }) => known.has(customFieldNameKey(name))) ?? parts[0]
  if (!part) throw invalid('must be like Tier=Gold, Score>=5 or Tier=*')
  const { name, sign, text } = part
  return { field: requireCustomField(fields, name, '/custom'), sign, text }
}

function conditionOf({ field, sign, text: asked }: SplitCondition): Condition {
  const { fieldId, kind, name } = field
  if (asked === '*' && sign === '=') return { fieldId, kind, operator: '*', value: '' }
  if (sign !== '=' && !ORDERED.has(kind))
    throw invalid(`has ${sign} for ${name}, which is neither a number nor a date; use =`)
  const operator = sign
  const value =
    kind === 'choice' ? (customValueOf(field, asked) ?? asked) : customValueOf(field, asked)
  if (value === undefined) throw invalid(`must have ${expectedValue(field)} for ${name}`)
  return { fieldId, kind, operator, value }
}

function invalid(detail: string): RequestError {
  return new RequestError('invalid_request', `custom ${detail}.`, {
    errors: [{ pointer: '/custom', detail }],
  })
}

/** Kinds whose values have an order. */
const ORDERED: ReadonlySet<CustomFieldKind> = new Set(['number', 'date'])

/** Runs in a thread, because it reads the details of the whole network. */
export async function findByCustom(
  reader: MemberReader,
  conditions: readonly Condition[],
): Promise<number[]> {
  const found: number[] = []
  for await (const { connectionId, values } of readCustomValues(reader))
    if (conditions.every((one) => meets(values[one.fieldId], one))) found.push(connectionId)
  return found
}

function meets(stored: string | undefined, { kind, operator, value }: Condition): boolean {
  if (stored === undefined) return false
  if (operator === '*') return true
  if (operator === '=' && kind !== 'number') return normalize(stored) === normalize(value)
  const order =
    kind === 'number'
      ? Number(stored) - Number(value)
      : stored < value
        ? -1
        : Number(stored > value)
  if (operator === '=') return order === 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

const COMPUTATION = defineComputation(import.meta.url, { findByCustom })
