/**
 * Recorded tables: one declaration of a table, its key, its columns, its public ID and what the activity log says gives
 * reading, writing, activity entries, undo, and undo of undo.
 */

import * as Type from '../base/type.ts'
import { formatPublicId, parsePublicId, publicIdPattern } from '../base/public-id.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, type MemberStatement } from '../db/statement.ts'
import { reserveNumbers, type Counter } from '../tools/network-numbers.ts'
import { columnName, jsonIn, selected, valuesOf, type Columns, type RowOf } from './columns.ts'
import {
  isLive,
  peopleOf,
  restorable,
  type Actions,
  type Present,
  type Restorable,
  type RestorableRows,
  type StoredChange,
} from './undo-rows.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

/** What a transaction has changed. */
interface Written<Row> {
  readonly changes: readonly { readonly before?: Row; readonly after: Row | Present<Row> }[]
  /** Numbers of the connections that they concern, each once. */
  readonly people: readonly number[]
  readonly now: number
}

interface Declaration<Row> extends Omit<RestorableRows<Row>, 'idOf' | 'find' | 'store' | 'blank'> {
  readonly table: string
  /** The property with the number of a row in the network. */
  readonly key: keyof Row & string
  /** The column of `networks` with the last number. */
  readonly counter: Counter
  /** The prefix of public IDs: `n` for `n_12`. */
  readonly prefix: string
  /** Its name in errors, and the tool that lists it. */
  readonly title: string
  readonly listedBy: string
  readonly columns: Columns
  /** Deleted rows stay, with the time in `deleted_at`. Others are removed, and an undo inserts them again. */
  readonly isKept?: true
  /** Adds the `linked` properties to rows. */
  complete?(reader: MemberReader, rows: readonly Present<Row>[]): Promise<Present<Row>[]>
  /** Writes what follows from changes, in their transaction. */
  written?(tx: MemberTransaction, written: Written<Row>): Promise<unknown>
}

/** A declared table, with the types of its rows and of rows that have no number yet. */
export interface RecordedTable<Row, Draft>
  extends RestorableRows<Row>, Declaration<Row>, Restorable {
  /** By primary key. */
  readonly byIds: MemberStatement<{ readonly ids: readonly number[] }, Record<string, unknown>>
  readonly [unnumbered]?: (draft: Draft) => Draft
}

declare const unnumbered: unique symbol

/** The rows of a table. */
export type RowIn<T extends { idOf(row: never): string }> = Parameters<T['idOf']>[0]

type DraftOf<Row, Key extends keyof Row> = Omit<Row, Key | 'updatedAt'> & {
  readonly updatedAt?: number
}

/** A row of a table that has no number yet. */
export type DraftIn<T> = T extends RecordedTable<infer _Row, infer Draft> ? Draft : never

/** Declares a table. Its rows have the types of its columns. */
export function recordedTable<
  const C extends Columns,
  K extends keyof C & string,
  const A extends Actions,
>(
  declaration: Declaration<RowOf<C>> & {
    readonly columns: C
    readonly key: K
    readonly actions: A
  },
): RecordedTable<RowOf<C>, DraftOf<RowOf<C>, K>> & { readonly actions: A } {
  const { table, key, prefix, columns, isKept } = declaration
  const keyColumn = columnName(columns, key)
  // Safe: the key is a number.
  const idOf = (row: RowOf<C>) => formatPublicId(prefix, row[key] as number)
  const byIds = memberStatement<{ readonly ids: readonly number[] }, Record<string, unknown>>()(`
    select ${selected(columns, 't')}${isKept === true ? ', t.deleted_at as "deletedAt"' : ''}
    from ${table} t each (${keyColumn} = :ids...bigint)
    where t.member_id = :member_id order by t.${keyColumn}`)
  const rows: RecordedTable<RowOf<C>, DraftOf<RowOf<C>, K>> = {
    ...declaration,
    byIds,
    ...restorable<RowOf<C>>({
      ...declaration,
      idOf,
      async find(reader, ids) {
        const numbers = ids.map((id) => numberIn(rows, id))
        return new Map((await findRows(rows, reader, numbers)).map((row) => [idOf(row), row]))
      },
      store: (tx, changes, now) => storeRows(rows, tx, changes, now),
      ...(isKept !== true && { blank: (id, now) => removedRow(rows, id, now) }),
    }),
  }
  return Object.assign(rows, { actions: declaration.actions })
}

/** The ID of a row, as a tool argument. */
export function rowId({ prefix, listedBy }: Pick<Declaration<never>, 'prefix' | 'listedBy'>) {
  return Type.String({
    pattern: publicIdPattern(prefix),
    description: `${prefix}_… from ${listedBy}`,
    examples: [`${prefix}_999999`],
  })
}

/** The row's number; 0, which is never used, if the text is not one of the table's IDs. */
export function numberIn({ prefix }: { readonly prefix: string }, publicId: string): number {
  return parsePublicId(prefix, publicId) ?? 0
}

/** Includes deleted rows that are kept, because an undo can restore them. */
export async function findRows<Row, Draft>(
  table: RecordedTable<Row, Draft>,
  reader: MemberReader,
  ids: readonly number[],
): Promise<Present<Row>[]> {
  if (ids.length === 0) return []
  const found = await reader.all(table.byIds, { ids: [...new Set(ids)] })
  // Safe: the statement selects the columns of the declaration.
  const rows = found.map((row) => Object.assign(row, jsonIn(table.columns, row)) as Present<Row>)
  return table.complete ? table.complete(reader, rows) : rows
}

/** @throws {RequestError} `not_found` when the row does not exist, is deleted or belongs to another member. */
export async function requireRow<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  reader: MemberReader,
  publicId: string,
): Promise<Present<Row>> {
  const [found] = await findRows(rows, reader, [numberIn(rows, publicId)])
  if (found && isLive(found)) return found
  throw new RequestError('not_found', `${rows.title} ${publicId.slice(0, 20)} was not found.`, {
    hint: `Find its ${rows.noun}_id with ${rows.listedBy}.`,
  })
}

/** Inserts rows in order, with new numbers, and writes what follows from them. */
export async function addRows<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  drafts: readonly Draft[],
  now: number,
): Promise<Row[]> {
  const added = await insertDrafts(rows, tx, drafts)
  const changes = added.map((after) => ({ after }))
  await rows.written?.(tx, { changes, people: peopleOf(rows, added), now })
  return added
}

/** As `addRows`, for one row. */
export async function addRow<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  draft: Draft,
  now: number,
): Promise<Row> {
  const [added] = await addRows(rows, tx, [draft], now)
  if (!added) throw new Error(`no row was added to ${rows.table}`)
  return added
}

/** Does the same as `addRows` for a caller that writes by itself what follows from many rows. */
export async function insertDrafts<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  drafts: readonly Draft[],
): Promise<Row[]> {
  if (drafts.length === 0) return []
  const first = await reserveNumbers(tx, rows.counter, drafts.length)
  const added = drafts.map((one, index) => {
    const { createdAt, updatedAt = createdAt } = one as { createdAt?: number; updatedAt?: number }
    const times = 'updatedAt' in rows.columns ? { updatedAt } : {}
    // Safe: a draft with a number and times is a row.
    const row: unknown = { ...one, ...times, [rows.key]: first + index }
    return row as Row
  })
  await insertNumberedRows(rows, tx, added)
  return added
}

/** Inserts rows with the numbers that they have. The caller writes what follows from them. */
export async function insertNumberedRows<Row, Draft>(
  { table, columns }: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > 0) await tx.insertMany({ table, ...valuesOf(columns, rows) })
}

/** Stores every column of existing rows, and writes what follows. A row with a time in `deletedAt` is deleted. */
export async function storeRows<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  changes: readonly StoredChange<Row>[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return
  await (rows.isKept === true ? updateRows : replaceRows)(rows, tx, changes, now)
  const people = peopleOf(
    rows,
    changes.flatMap(({ before, after }) => [before, after]),
  )
  await rows.written?.(tx, { changes, people, now })
}

async function updateRows<Row, Draft>(
  { table, columns, key }: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  changes: readonly StoredChange<Row>[],
  now: number,
): Promise<void> {
  const after = changes.map((one) => ({ ...one.after, updatedAt: now }))
  const { [key]: keyed = {}, ...others } = columns
  const stored = valuesOf({ [key]: keyed, ...others, deletedAt: {} }, after)
  const [first = '', ...names] = stored.columns
  await tx.updateMany({ table, key: [first], columns: names, rows: stored.rows })
}

async function replaceRows<Row, Draft>(
  rows: RecordedTable<Row, Draft>,
  tx: MemberTransaction,
  changes: readonly StoredChange<Row>[],
): Promise<void> {
  const { table, key, columns } = rows
  const present = changes.map(({ before }) => before).filter(isLive)
  const { columns: names, rows: numbers } = valuesOf({ [key]: columns[key] ?? {} }, present)
  if (numbers.length > 0) await tx.deleteMany({ table, key: names, rows: numbers })
  await insertNumberedRows(rows, tx, changes.map(({ after }) => after).filter(isLive))
}

/** What is known of a row without its state. */
function removedRow<Row, Draft>(
  { key, columns, prefix }: RecordedTable<Row, Draft>,
  id: string,
  now: number,
): Present<Row> {
  const times = 'createdAt' in columns ? { createdAt: now } : {}
  // Completed with the state that the log has.
  return { [key]: numberIn({ prefix }, id), ...times, deletedAt: now } as Present<Row>
}
