/** SQL statements as values: one text for all engines, named parameters, and types that isolate private rows. */

/** A column or parameter value. Lists are only for `(:name...type)`. */
export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlParameter = SqlValue | readonly string[] | readonly number[]

declare const shape: unique symbol

/** A statement over shared tables. `Params` are its named parameters, `Row` is the type of a row. */
export interface Statement<Params, Row> {
  readonly text: string
  readonly binary?: BinaryColumns
  readonly [shape]?: (params: Params) => Row
}

/**
 * The columns of rows with large byte values, in the order of the statement: `bytes` or 64-bit `number`, never null.
 * PostgreSQL then sends bytes instead of text. Parameters must be whole numbers. Not for `heavy`, whose rows are JSON.
 */
export type BinaryColumns = Readonly<Record<string, 'bytes' | 'number'>>

/** A statement over private tables: contains `:member_id` and runs only on a handle bound to a member. */
export interface MemberStatement<Params, Row> extends Statement<Params, Row> {
  readonly private: true
}

/** For `MemberReader.receive`. */
export interface BinaryStatement<Params, Row> extends MemberStatement<Params, Row> {
  readonly binary: BinaryColumns
}

/**
 * Values: `:name`. Lists: `in (:ids...bigint)` or `in (:keys...text)`.
 *
 * For long lists of keys of a private table, `from notes n each (note_id = :ids...bigint)` finds each of them by the index,
 * whatever the planner assumes about the network. A key that is twice in the list is found twice.
 *
 * `from notes n newest (connection_id = :ids...bigint by note_id limit :limit)` finds the rows with the highest numbers of
 * each, of a private table whose rows have `deleted_at`. Deleted rows are left out.
 */
export function statement<Params = object, Row = never>(text: string): Statement<Params, Row> {
  return { text }
}

type NamesMember<Text extends string> = Text extends `${string}:member_id${string}` ? Text : never

/**
 * The same for private tables, in two calls because TypeScript infers either all type arguments or none:
 * `memberStatement<Params, Row>()('select … where member_id = :member_id …')`.
 * A text without `:member_id` does not type-check. `Params` omits it, because the handle supplies it.
 */
export function memberStatement<Params = object, Row = never>() {
  return <const Text extends string>(text: NamesMember<Text>): MemberStatement<Params, Row> => ({
    text,
    private: true,
  })
}

/**
 * A statement over private tables across members, for the service itself: assigning jobs to workers, sweeping expired
 * rows. It never searches by a member's content, and `isolation.test.ts` lists all of these statements.
 */
interface ServiceStatement<Params, Row> extends Statement<Params, Row> {
  readonly service: true
}

/** The plain text. PostgreSQL's row-level security allows it where a policy for the service exists. */
export function serviceStatement<Params = object, Row = never>(
  text: string,
): ServiceStatement<Params, Row> {
  return { text, service: true }
}

/** Whether a statement may touch every member's private rows. */
export function isServiceStatement(one: Statement<never, unknown>): boolean {
  return 'service' in one
}

/** An update of one member row and the insert that records it; `record` selects from `changed`. */
export interface RecordedUpdate<Params, Row> {
  readonly update: string
  readonly record: string
  readonly [shape]?: (params: Params) => Row
}

/**
 * Two statements that always run together: `update … returning …`, and `insert … select … from changed`, where `changed` is
 * the updated row. If no row matches, nothing is recorded.
 */
export function recordedChange<Params, Row>() {
  return <const Update extends string, const Record extends string>(
    update: NamesMember<Update>,
    record: NamesMember<Record>,
  ): RecordedUpdate<Params, Row> => ({ update, record })
}

/** Both as one statement, for engines that allow an update in a WITH clause. */
export function changeText({ update, record }: RecordedUpdate<never, unknown>): string {
  return `with changed as (${update}), recorded as (${record}) select * from changed`
}

/** A statement compiled for one engine: its placeholders and their parameters. */
export interface CompiledStatement {
  readonly text: string
  readonly parameters: readonly { readonly name: string; readonly list: boolean }[]
}

/** A string literal, a PostgreSQL cast, a list parameter, or a parameter; the first two are kept unchanged. */
const TOKENS = /'(?:[^']|'')*'|::|:([a-z][a-z0-9_]*)(?:\.\.\.(bigint|text))?/g

/** `table alias each (column = :name...type)`, with further columns of the key before it: `other = :other and`. */
const EACH = /(\w+) (\w+)\s+each \(((?:\w+ = :\w+ and )*)(\w+) = (:\w+\.\.\.\w+)\)/g

/** `table alias newest (column = :name...type by number limit :limit)` */
const NEWEST = /(\w+) (\w+)\s+newest \((\w+) = (:\w+\.\.\.\w+) by (\w+) limit (:\w+)\)/g

/** For SQLite: `:name` becomes `?`, and a list becomes rows of `json_each`. */
export function compileForSqlite(text: string): CompiledStatement {
  const parameters: { name: string; list: boolean }[] = []
  const joined = text.replaceAll(EACH, '($5) wanted cross join $1 $2 on $3$2.$4 = wanted.value')
  const bounded = joined.replaceAll(
    NEWEST,
    `($4) wanted cross join $1 $2 on $2.$3 = wanted.value and $2.deleted_at is null and $2.$5 >= coalesce((
      select $5 from $1 where member_id = :member_id and $3 = wanted.value and deleted_at is null
      order by $5 desc limit 1 offset $6 - 1), 0)`,
  )
  const compiled = bounded.replaceAll(TOKENS, (token, name?: string, list?: string) => {
    if (name === undefined) return token
    parameters.push({ name, list: list !== undefined })
    return list === undefined ? '?' : 'select value from json_each(?)'
  })
  return { text: compiled, parameters }
}

/**
 * For PostgreSQL: `:name` becomes `$n`, and a list becomes rows of `unnest`. The planner expects few rows and uses an
 * index for each. With `= any` of an unknown array, it would compare every row (measured: 40 times slower for 1,600
 * keys of a network). If it also expects few rows for the member, because most members have few, it would read all of
 * them; `offset 0` prevents that.
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
