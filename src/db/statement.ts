/** SQL statements as values: one text for all engines, named parameters, and types that isolate private rows. */

/** A column or parameter value. Lists are only for `(:name...type)`. */
export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlParameter = SqlValue | readonly string[] | readonly number[]

declare const shape: unique symbol

/** A statement over shared tables. */
export interface Statement<Params, Row> {
  readonly text: string
  readonly [shape]?: (params: Params) => Row
}

/** A statement over private tables. Contains `:member_id` and runs only on a handle of a member. */
export interface MemberStatement<Params, Row> extends Statement<Params, Row> {
  readonly private: true
}

/**
 * Creates a statement with values `:name` and lists `in (:ids...bigint)` or `in (:keys...text)`. For private tables:
 *
 * - `from notes n each (note_id = :ids...bigint)` finds each key by the index, whatever the planner assumes.
 * - `from notes n newest (connection_id = :ids...bigint by note_id limit :limit)` finds the latest rows of each key that are
 *   not deleted.
 */
export function statement<Params = object, Row = never>(text: string): Statement<Params, Row> {
  return { text }
}

type NamesMember<Text extends string> = Text extends `${string}:member_id${string}` ? Text : never

/**
 * Creates a statement over private tables. Two calls, because TypeScript infers all type arguments or none:
 * `memberStatement<Params, Row>()('select … where member_id = :member_id …')`. `Params` omits `member_id`.
 */
export function memberStatement<Params = object, Row = never>() {
  return <const Text extends string>(text: NamesMember<Text>): MemberStatement<Params, Row> => ({
    text,
    private: true,
  })
}

/**
 * Marks a statement that reads all rows of a member in a table that grows with the network, because nothing but `member_id`
 * limits them. `test/hot-queries.test.ts` finds those without it. They belong in a thread, a cached value or a job.
 */
export const WHOLE_NETWORK = '/* whole network */'

/**
 * A statement across members, for the service itself: assigning jobs, sweeping expired rows. `isolation.test.ts` lists
 * them.
 */
interface ServiceStatement<Params, Row> extends Statement<Params, Row> {
  readonly service: true
}

/** Creates a statement that row-level security allows where a policy for the service exists. */
export function serviceStatement<Params = object, Row = never>(
  text: string,
): ServiceStatement<Params, Row> {
  return { text, service: true }
}

/** True if a statement may touch every member's private rows. */
export function isServiceStatement(one: Statement<never, unknown>): boolean {
  return 'service' in one
}

/** An update of one row and the insert that records it, which selects from `changed`. */
export interface RecordedUpdate<Params, Row> {
  readonly update: string
  readonly record: string
  readonly [shape]?: (params: Params) => Row
}

/** Joins `update … returning …` and `insert … select … from changed`. Records nothing if no row matches. */
export function recordedChange<Params, Row>() {
  return <const Update extends string, const Record extends string>(
    update: NamesMember<Update>,
    record: NamesMember<Record>,
  ): RecordedUpdate<Params, Row> => ({ update, record })
}

/** Returns one statement with the update in a WITH clause. */
export function changeText({ update, record }: RecordedUpdate<never, unknown>): string {
  return `with changed as (${update}), recorded as (${record}) select * from changed`
}

/** As `connection_id` for `connectionId`. */
export function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Selects columns under the names of properties: `n.note_id` is `n.note_id as "noteId"`. */
export function asProperties(columns: string): string {
  return columns
    .split(',')
    .map((column) => {
      const name = column.trim()
      const property = name
        .slice(name.indexOf('.') + 1)
        .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return property === name ? name : `${name} as "${property}"`
    })
    .join(', ')
}

export interface CompiledStatement {
  readonly text: string
  readonly parameters: readonly { readonly name: string; readonly list: boolean }[]
}

/** A string literal or cast, which are kept, or a parameter. */
const TOKENS = /'(?:[^']|'')*'|::|:([a-z][a-z0-9_]*)(?:\.\.\.(bigint|text))?/g

/** `table alias each (column = :name...type)`, with more columns of the key before it: `other = :other and`. */
const EACH = /(\w+) (\w+)\s+each \(((?:\w+ = :\w+ and )*)(\w+) = (:\w+\.\.\.\w+)\)/g

/** `table alias newest (column = :name...type by number limit :limit)` */
const NEWEST = /(\w+) (\w+)\s+newest \((\w+) = (:\w+\.\.\.\w+) by (\w+) limit (:\w+)\)/g

/** Lower than every number and time. */
const LOWEST = Number.MIN_SAFE_INTEGER

/** Replaces `:name` with `?`, and a list with rows of `json_each`. */
export function compileForSqlite(text: string): CompiledStatement {
  const parameters: { name: string; list: boolean }[] = []
  const joined = text.replaceAll(EACH, '($5) wanted cross join $1 $2 on $3$2.$4 = wanted.value')
  const bounded = joined.replaceAll(
    NEWEST,
    `($4) wanted cross join $1 $2 on $2.$3 = wanted.value and $2.deleted_at is null and $2.$5 >= coalesce((
      select $5 from $1 where member_id = :member_id and $3 = wanted.value and deleted_at is null
      order by $5 desc limit 1 offset $6 - 1), ${LOWEST})`,
  )
  const compiled = bounded.replaceAll(TOKENS, (token, name?: string, list?: string) => {
    if (name === undefined) return token
    parameters.push({ name, list: list !== undefined })
    return list === undefined ? '?' : 'select value from json_each(?)'
  })
  return { text: compiled, parameters }
}

/**
 * Replaces `:name` with `$n`, and a list with rows of `unnest`, of which the planner expects few, so it uses an index for
 * each. `= any` of an unknown array compared every row (40 times slower for 1,600 keys). `offset 0` prevents reading all
 * rows of a member who is expected to have few.
 */
export function compileForPostgres(text: string): CompiledStatement {
  const parameters: { name: string; list: boolean }[] = []
  const joined = text.replaceAll(
    EACH,
    `($5) wanted (value) cross join lateral (
      select * from $1 $2 where $2.member_id = :member_id and $3$2.$4 = wanted.value offset 0) $2`,
  )
  const bounded = joined.replaceAll(
    NEWEST,
    `($4) wanted (value) cross join lateral (
      select * from $1 where member_id = :member_id and $3 = wanted.value and deleted_at is null
      order by $5 desc limit $6) $2`,
  )
  const compiled = bounded.replaceAll(TOKENS, (token, name?: string, list?: string) => {
    if (name === undefined) return token
    let index = parameters.findIndex((parameter) => parameter.name === name)
    if (index < 0) index = parameters.push({ name, list: list !== undefined }) - 1
    const place = `$${index + 1}`
    return list === undefined ? place : `select unnest(${place}::${list}[])`
  })
  return { text: compiled, parameters }
}
