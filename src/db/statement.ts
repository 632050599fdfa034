/** SQL as values: one text for every engine, named parameters, and types that keep private rows to one member. */

/** What a column or parameter may hold; lists are only for `(:name...type)`. */
export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlParameter = SqlValue | readonly string[] | readonly number[]

declare const shape: unique symbol

/** A statement over shared tables. `Params` are its named parameters, `Row` is what one row holds. */
export interface Statement<Params, Row> {
  readonly text: string
  readonly [shape]?: (params: Params) => Row
}

/** A statement over private tables: it names `:member_id`, and only a handle bound to a member runs it. */
export interface MemberStatement<Params, Row> extends Statement<Params, Row> {
  readonly private: true
}

/** Written for values: `:name`. For a list of values: `in (:ids...bigint)` or `in (:keys...text)`. */
export function statement<Params = object, Row = never>(text: string): Statement<Params, Row> {
  return { text }
}

type NamesMember<Text extends string> = Text extends `${string}:member_id${string}` ? Text : never

/**
 * The same for private data, in two steps because TypeScript infers all type arguments or none:
 * `memberStatement<Params, Row>()('select … where member_id = :member_id …')`.
 * A text without `:member_id` does not type-check; `Params` leave it out, the handle supplies it.
 */
export function memberStatement<Params = object, Row = never>() {
  return <const Text extends string>(text: NamesMember<Text>): MemberStatement<Params, Row> => ({
    text,
    private: true,
  })
}

/**
 * A statement over private tables across members, for what the service itself has to do: hand jobs to workers, sweep
 * what has expired. It names none of a member's content in what it looks for, and `isolation.test.ts` lists them all.
 */
export interface ServiceStatement<Params, Row> extends Statement<Params, Row> {
  readonly service: true
}

/** The same text as any; PostgreSQL's row-level security lets it pass where a policy for the service says so. */
export function serviceStatement<Params = object, Row = never>(
  text: string,
): ServiceStatement<Params, Row> {
  return { text, service: true }
}

export function isServiceStatement(one: Statement<never, unknown>): boolean {
  return 'service' in one
}

/** An update of one row of a member's and the insert that tells of it; `record` selects from `changed`. */
export interface RecordedChange<Params, Row> {
  readonly update: string
  readonly record: string
  readonly [shape]?: (params: Params) => Row
}

/**
 * Two statements that only ever happen together: `update … returning …`, and `insert … select … from changed`, where
 * `changed` is the row that the update returned. Nothing is recorded where it found none.
 */
export function recordedChange<Params, Row>() {
  return <const Update extends string, const Record extends string>(
    update: NamesMember<Update>,
    record: NamesMember<Record>,
  ): RecordedChange<Params, Row> => ({ update, record })
}

/** For an engine that lets an update stand in a WITH: both as one statement. */
export function changeText({ update, record }: RecordedChange<never, unknown>): string {
  return `with changed as (${update}), recorded as (${record}) select * from changed`
}

/** A statement made ready for one engine: its placeholders, and which parameter stands at each. */
export interface CompiledStatement {
  readonly text: string
  readonly parameters: readonly { readonly name: string; readonly list: boolean }[]
}

/** A string literal, a PostgreSQL cast, a list parameter, or a parameter; the first two pass through. */
const TOKENS = /'(?:[^']|'')*'|::|:([a-z][a-z0-9_]*)(?:\.\.\.(bigint|text))?/g

/** For SQLite: every `:name` becomes `?`, a list becomes rows of `json_each`. */
export function compileForSqlite(text: string): CompiledStatement {
  const parameters: { name: string; list: boolean }[] = []
  const compiled = text.replaceAll(TOKENS, (token, name?: string, list?: string) => {
    if (name === undefined) return token
    parameters.push({ name, list: list !== undefined })
    return list === undefined ? '?' : 'select value from json_each(?)'
  })
  return { text: compiled, parameters }
}

/**
 * For PostgreSQL: every `:name` becomes one `$n`, a list the rows of `unnest`: the planner takes them for a few, and
 * looks each up in an index. `= any` of an array that it does not know it would compare with every row (measured: 40
 * times slower for 1,600 keys of a network).
 */
export function compileForPostgres(text: string): CompiledStatement {
  const parameters: { name: string; list: boolean }[] = []
  const compiled = text.replaceAll(TOKENS, (token, name?: string, list?: string) => {
    if (name === undefined) return token
    let index = parameters.findIndex((parameter) => parameter.name === name)
    if (index < 0) index = parameters.push({ name, list: list !== undefined }) - 1
    const place = `$${index + 1}`
    return list === undefined ? place : `select unnest(${place}::${list}[])`
  })
  return { text: compiled, parameters }
}
