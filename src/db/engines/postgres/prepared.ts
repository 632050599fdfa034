/** Compiles statements for PostgreSQL and names them, so that each connection prepares them once. */

import { hash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import { compileForPostgres, type CompiledStatement, type SqlParameter } from '../../statement.ts'

interface Prepared {
  readonly name: string
  readonly text: string
  readonly parameters: CompiledStatement['parameters']
}

/** A bounded cache: the statements in the sources, and the few variants of search queries. */
export class PreparedStatements {
  readonly #prepared = new Map<string, Prepared>()

  prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text)
    if (!prepared) {
      const compiled = compileForPostgres(text)
      // Names have at most 63 bytes. The same text has the same name on every connection.
      prepared = { ...compiled, name: `weft_${hash('sha256', text, 'base64url').slice(0, 22)}` }
      this.#prepared.set(text, prepared)
    }
    return prepared
  }
}

/** `memberId` is the value of `:member_id`. */
export function bind(prepared: Prepared, params: object, memberId?: number): QueryConfig {
  const values = prepared.parameters.map(({ name }) => {
    const value =
      name === 'member_id' && memberId !== undefined
        ? memberId
        : (params as Record<string, SqlParameter | undefined>)[name]
    if (value === undefined) throw new TypeError(`the parameter :${name} is missing`)
    return toSqlValue(value)
  })
  return { name: prepared.name, text: prepared.text, values }
}

/**
 * Adapts values that PostgreSQL rejects but SQLite accepts: text cannot contain U+0000, so a search for it matches
 * nothing, and our numbers are integers, unless a cursor is forged.
 */
export function toSqlValue<Value>(value: Value): Value | string | number {
  if (typeof value === 'string')
    return value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER))
}
