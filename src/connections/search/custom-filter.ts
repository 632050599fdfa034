/** The filter by custom fields: the connections whose values meet conditions such as `Gold`, `>=5` or `*`. */

import { RequestError } from '../../base/request-error.ts'
import { normalize } from '../../base/tokenize.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  customValueOf,
  expectedValue,
  readCustomFields,
  requireCustomField,
  type CustomField,
  type CustomFieldKind,
} from '../model/custom-fields.ts'
import type { Details } from '../model/details.ts'

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
 * @throws {RequestError} `invalid_request` for unknown fields and for values that their field does not take.
 */
export async function filterByCustom(
  reader: MemberReader & Pick<MemberDatabase, 'compute'>,
  custom: Readonly<Record<string, string>>,
): Promise<ReadonlySet<number>> {
  const fields = await readCustomFields(reader)
  const conditions = Object.entries(custom).map(([name, text]) =>
    conditionOf(requireCustomField(fields, name, '/custom'), text),
  )
  return new Set(await reader.compute(COMPUTATION, conditions))
}

function conditionOf(field: CustomField, text: string): Condition {
  const { fieldId, kind } = field
  if (text.trim() === '*') return { fieldId, kind, operator: '*', value: '' }
  const [, sign, rest] = /^\s*(<=|>=|<|>|=)?\s*(.*)$/s.exec(text) ?? []
  const operator = ORDERED.has(kind) ? ((sign ?? '=') as Operator) : '='
  const asked = ORDERED.has(kind) ? (rest ?? '') : text
  const value =
    kind === 'choice' ? (customValueOf(field, asked) ?? asked) : customValueOf(field, asked)
  if (value === undefined) {
    const detail = `must be ${expectedValue(field)}${ORDERED.has(kind) ? ', or begin with <, <=, > or >=' : ''}`
    throw new RequestError('invalid_request', `custom/${field.name} ${detail}.`, {
      errors: [{ pointer: '/custom', detail }],
    })
  }
  return { fieldId, kind, operator, value }
}

/** Kinds whose values have an order. */
const ORDERED: ReadonlySet<CustomFieldKind> = new Set(['number', 'date'])

/** Connections per read. */
const PAGE = 2000

/** Runs in a thread, because it reads the details of the whole network. */
export async function findByCustom(
  reader: MemberReader,
  conditions: readonly Condition[],
): Promise<number[]> {
  const found: number[] = []
  for (let after = 0; ;) {
    const rows = await reader.all(CUSTOM, { after, limit: PAGE })
    for (const { connection_id, details } of rows) {
      // Written by the service.
      const { custom } = JSON.parse(details) as Details
      if (conditions.every((one) => meets(custom?.[one.fieldId], one))) found.push(connection_id)
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return found
    after = last.connection_id
  }
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

/** Scans the member's connections. */
const CUSTOM = memberStatement<
  { after: number; limit: number },
  { connection_id: number; details: string }
>()(`
  select connection_id, details from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
    and details like '%"custom":{%'
  order by connection_id limit :limit`)
