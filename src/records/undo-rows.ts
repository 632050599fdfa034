/** Undo of rows: restores the states before a change if the rows are still as the change left them. */

import { changedSince, type Undoer } from '../tools/undo.ts'
import { changedNames, propertiesIn, type LoggedRows, type State } from './logged-state.ts'
import type { ActivityAction } from '../tools/activity-action.ts'
import type { MemberTransaction } from '../db/database.ts'

/** A row as it is stored, also after its deletion. */
export type Present<Row> = Row & { readonly deletedAt?: number | null }

/** Whether a row is not deleted. */
export function isLive(row: unknown): boolean {
  return (row as Present<unknown>).deletedAt == null
}

/** Actions of entries about one row; `several` is the action of entries about several. */
export interface Actions extends Readonly<Record<string, ActivityAction>> {
  readonly add: ActivityAction
  readonly change: ActivityAction
  readonly remove: ActivityAction
}

/** A row before and after a change; undefined if it did not exist, or no longer does. */
export interface RowChange<Row> {
  readonly before?: Row | undefined
  readonly after?: Row | undefined
}

/** A change of a stored row. */
export interface StoredChange<Row> {
  readonly before: Row | Present<Row>
  readonly after: Row | Present<Row>
}

/** Rows whose changes are recorded and can be undone. */
export interface RestorableRows<Row> extends LoggedRows<Row> {
  /** As `follow_up`: the kind of an entry's subject; `follow_up_id` identifies each in an entry about several. */
  readonly noun: string
  /** The name of the list in an entry about several. */
  readonly plural: string
  readonly actions: Actions
  /** The public ID. */
  readonly idOf: (row: Row) => string
  /** By public ID, those that are deleted included. */
  find(tx: MemberTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, Present<Row>>>
  store(tx: MemberTransaction, changes: readonly StoredChange<Row>[], now: number): Promise<void>
  /** A row to restore that `find` does not find because its deletion removed it. */
  blank?(id: string, now: number): Present<Row>
  /** Numbers of the connections that a row concerns. */
  people?(row: Row): readonly number[]
  /** How a conflict names a row, by default with its ID. */
  conflict?(id: string, fields: readonly string[], state: State): string
  /** Throws `changedSince` if these rows cannot be restored beside the others. */
  assertFree?(tx: MemberTransaction, restored: readonly Row[]): Promise<void>
}

/** The states of some rows before and after a change, by public ID. */
interface Swap {
  readonly was: ReadonlyMap<string, State>
  readonly is: ReadonlyMap<string, State>
  readonly now: number
}

/** Rows of any type, for an undo. */
export interface Restorable extends Pick<RestorableRows<never>, 'noun' | 'plural' | 'actions'> {
  /**
   * Restores rows from one state to another. Returns the numbers of the connections concerned.
   *
   * @throws {RequestError} `conflict` when one is no longer as the change left it.
   */
  swap(tx: MemberTransaction, swap: Swap): Promise<number[]>
}

interface DeclaredRows<Row> extends Omit<RestorableRows<Row>, 'actions'> {
  /** A string is the action of every change. */
  readonly actions: Actions | ActivityAction
}

/** Adds undo to rows. */
export function restorable<Row>(declared: DeclaredRows<Row>): RestorableRows<Row> & Restorable {
  const { actions: named } = declared
  const actions = typeof named === 'string' ? { add: named, change: named, remove: named } : named
  const rows = { ...declared, actions }
  return { ...rows, swap: (tx, swap) => swapStates(rows, tx, swap) }
}

async function swapStates<Row>(
  rows: RestorableRows<Row>,
  tx: MemberTransaction,
  { was, is, now }: Swap,
): Promise<number[]> {
  const ids = [...new Set([...is.keys(), ...was.keys()])]
  if (ids.length === 0) return []
  const present = await rows.find(tx, ids)
  const changes = ids.map((id) =>
    restored(rows, present.get(id) ?? rows.blank?.(id, now), {
      id,
      was: was.get(id),
      is: is.get(id),
      now,
    }),
  )
  const back = changes.map(({ after }) => after).filter(isLive)
  await rows.assertFree?.(tx, back)
  await rows.store(tx, changes, now)
  return peopleOf(
    rows,
    changes.flatMap(({ before, after }) => [before, after]),
  )
}

interface OneSwap {
  readonly id: string
  readonly was: State | undefined
  readonly is: State | undefined
  readonly now: number
}

function restored<Row>(
  rows: RestorableRows<Row>,
  present: Present<Row> | undefined,
  { id, was, is, now }: OneSwap,
): StoredChange<Row> {
  const conflict = (fields: readonly string[]) =>
    changedSince(rows.conflict?.(id, fields, is ?? was ?? {}) ?? id)
  if (!present || isLive(present) !== (is !== undefined)) throw conflict([])
  const isFull = rows.isWhole === true || !was || !is
  const changed = is ? changedNames(rows, present, is, isFull) : []
  if (changed.length > 0) throw conflict(changed)
  const after = was
    ? { ...present, ...propertiesIn(rows, was, isFull), deletedAt: null }
    : { ...present, deletedAt: now }
  return { before: present, after }
}

/** The connections that rows concern, each once. */
export function peopleOf<Row>(
  rows: Pick<RestorableRows<Row>, 'people'>,
  some: readonly (Row | undefined)[],
): number[] {
  return [...new Set(some.flatMap((row) => (row && rows.people?.(row)) ?? []))]
}

/** Undoes entries about rows of the first table, and rows of the others that the entries also have. */
export function undoerOf(first: Restorable, ...others: readonly Restorable[]): Undoer {
  return {
    actions: Object.values(first.actions),
    async undo({ tx, now }, { subjectId, before, after }) {
      const connections: number[] = []
      for (const rows of [first, ...others]) {
        const subject = rows === first ? subjectId : undefined
        const was = new Map([
          ...statesIn(rows, before, subject),
          ...statesIn(rows, alongIn(before, 'after')),
          ...statesIn(rows, alongIn(after, 'before')),
        ])
        const is = new Map([
          ...statesIn(rows, after, subject),
          ...statesIn(rows, alongIn(after, 'after')),
          ...statesIn(rows, alongIn(before, 'before')),
        ])
        connections.push(...(await rows.swap(tx, { was, is, now })))
      }
      return { connections }
    },
  }
}

/**
 * Rows of other tables that a change also changed, in the state of its row after it: the states before and after, listed by
 * the plural. An undo swaps the two, so the state before it then has them.
 */
export interface Along {
  readonly along: Readonly<Record<'before' | 'after', State>>
}

/** The rows before or after the change that were changed along with it. */
export function alongIn(
  entry: Partial<Along> | object | null,
  side: keyof Along['along'],
): State | null {
  // Written by the change.
  return entry && 'along' in entry ? (entry.along?.[side] ?? null) : null
}

/**
 * The states of the rows in an entry, by public ID: of its subject, of those in the list with the plural of the noun, and of
 * the next row of each. Only these names are read, because other values can be texts and names from files.
 */
export function statesIn(
  { noun, plural }: Pick<Restorable, 'noun' | 'plural'>,
  entry: object | null,
  subjectId?: string,
): Map<string, State> {
  const found = new Map<string, State>()
  const idName = `${noun}_id`
  // Written by `entryOf`, or swapped by an undo.
  const visit = (state: State) => {
    const { [idName]: id, ...fields } = state
    if (typeof id === 'string' && Object.keys(fields).length > 0) found.set(id, fields)
    for (const one of [state[plural], state['next']].flat())
      if (typeof one === 'object' && one !== null) visit(one as State)
  }
  if (entry)
    visit(
      subjectId === undefined || plural in entry ? { ...entry } : { [idName]: subjectId, ...entry },
    )
  return found
}
