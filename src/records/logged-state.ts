/** What the activity log stores of a row, and how a row is read back from it. */

import { rfc3339 } from '../base/clock.ts'

/** A row in the activity log. */
export type State = Readonly<Record<string, unknown>>

/** One value of a row in the activity log. */
export interface LoggedField<Row> {
  /** Undefined leaves it out. */
  write(row: Row): unknown
  /** What an undo restores from it; absent if the log has it only to be shown, so that it is not compared either. */
  read?(recorded: unknown, state: State): Partial<Row>
  /** Also part of an entry about several rows if it did not change. */
  readonly isAlways?: true
}

/** By the names in the log, in their order. A name of a property is its value as it is. */
export type Logged<Row> = Readonly<Record<string, (keyof Row & string) | LoggedField<Row>>>

/** What the log and an undo need to know about rows. */
export interface LoggedRows<Row> {
  readonly logged: Logged<Row>
  /** An entry has all values of a changed row; otherwise only those that differ. */
  readonly isWhole?: true
}

/** A time in milliseconds, as RFC 3339. */
export function loggedTime<P extends string>(
  property: P,
): LoggedField<Readonly<Record<P, number | null>>> {
  return {
    write: (row) => rfc3339(row[property]),
    // Safe: as written above.
    read: (recorded) =>
      ({ [property]: recorded === null ? null : Date.parse(recorded as string) }) as Record<
        P,
        number | null
      >,
  }
}

/** All values of a row. */
export function stateOf<Row>({ logged }: LoggedRows<Row>, row: Row): State {
  const state: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(logged)) {
    const value: unknown = typeof field === 'string' ? row[field] : field.write(row)
    if (value !== undefined) state[name] = value
  }
  return state
}

/** The states of a row before and after a change, with the values that the entry has. */
export function statesOf<Row>(
  rows: LoggedRows<Row>,
  before: Row | undefined,
  after: Row | undefined,
  isListed = false,
): { readonly before: State | undefined; readonly after: State | undefined } {
  const [was, is] = [before, after].map((row) => row && stateOf(rows, row))
  if (!was || !is || rows.isWhole === true) return { before: was, after: is }
  const differing = new Set(differingNames(was, is))
  const isKept = ([name]: [string, unknown]) => differing.has(name)
  const always = isListed ? alwaysIn(rows, is) : {}
  return {
    before: { ...always, ...Object.fromEntries(Object.entries(was).filter(isKept)) },
    after: { ...always, ...Object.fromEntries(Object.entries(is).filter(isKept)) },
  }
}

function alwaysIn<Row>({ logged }: LoggedRows<Row>, state: State): State {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => {
      const field = logged[name]
      return typeof field === 'object' && field.isAlways === true
    }),
  )
}

/** The names of the values in which two states differ. */
export function differingNames(one: State, other: State): string[] {
  return Object.keys({ ...one, ...other }).filter((name) => !isSame(one[name], other[name]))
}

/** The names of the values that are no longer as the log says. A state that is not `isFull` has only what had changed. */
export function changedNames<Row>(
  rows: LoggedRows<Row>,
  row: Row,
  state: State,
  isFull: boolean,
): string[] {
  const present = stateOf(rows, row)
  return Object.entries(rows.logged)
    .filter(([name, field]) => isRestored(field) && (isFull || name in state))
    .map(([name]) => name)
    .filter((name) => !isSame(present[name], state[name]))
}

/** The properties of a row that a state restores. */
export function propertiesIn<Row>(
  { logged }: LoggedRows<Row>,
  state: State,
  isFull: boolean,
): Partial<Row> {
  const properties: Partial<Row> = {}
  for (const [name, field] of Object.entries(logged)) {
    if (!isFull && !(name in state)) continue
    const recorded = state[name] ?? null
    if (typeof field === 'string') Object.assign(properties, { [field]: recorded })
    else Object.assign(properties, field.read?.(recorded, state))
  }
  return properties
}

function isRestored<Row>(field: Logged<Row>[string]): boolean {
  return typeof field === 'string' || field.read !== undefined
}

/** No value is the same as null. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
