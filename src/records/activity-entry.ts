/** Entries of the activity log about rows: one row, or several rows as one change. */

import { stateOf, statesOf, type State } from './logged-state.ts'
import { peopleOf, type RestorableRows, type RowChange } from './undo-rows.ts'
import type { ActivityAction } from '../tools/activity-action.ts'
import type { Change } from '../tools/tool.ts'

/** A change of a row, with what was written together with it. */
export interface RecordedRowChange<Row> extends RowChange<Row> {
  /** Added to the state after the change: rows of other tables, or other rows. */
  readonly attached?: State | undefined
}

interface Entry {
  /** By default that of a row that was added, changed or removed; `several` of an entry that lists rows. */
  readonly action?: ActivityAction | undefined
  /** The subject of an entry that lists rows, also if there is only one, or if all were added or removed. */
  readonly listOf?: string
}

/** The state of a row with its ID, as entries about several things have it. */
export function identified<Row>(rows: RestorableRows<Row>, row: Row): State {
  return { [`${rows.noun}_id`]: rows.idOf(row), ...stateOf(rows, row) }
}

/** The entry about some changes. */
export function entryOf<Row>(
  rows: RestorableRows<Row>,
  changes: readonly RecordedRowChange<Row>[],
  { action, listOf }: Entry = {},
): Change {
  const connections = peopleOf(
    rows,
    changes.flatMap(({ before, after }) => [before, after]),
  )
  const [first, ...others] = changes
  const isOne = others.length === 0 && listOf === undefined
  const states = changes.map((change) => listedStates(rows, change, !isOne))
  const [only] = states
  if (isOne && first && only)
    return {
      action: action ?? actionOf(rows, first),
      subjectKind: rows.noun,
      subjectId: only.id,
      before: only.before ?? null,
      after: only.after ?? null,
      connections,
    }
  const listed = (side: 'before' | 'after') =>
    listOf === undefined && states.every((one) => !one[side])
      ? null
      : {
          [rows.plural]: states.map((one) =>
            Object.assign({ [`${rows.noun}_id`]: one.id }, one[side]),
          ),
        }
  return {
    action: rows.actions['several'] ?? action ?? rows.actions.change,
    subjectKind: rows.plural,
    subjectId: listOf ?? String(changes.length),
    before: listed('before'),
    after: listed('after'),
    connections,
  }
}

function actionOf<Row>(
  { actions }: RestorableRows<Row>,
  { before, after }: RowChange<Row>,
): ActivityAction {
  if (!before) return actions.add
  return after ? actions.change : actions.remove
}

function listedStates<Row>(
  rows: RestorableRows<Row>,
  { before, after, attached }: RecordedRowChange<Row>,
  isListed: boolean,
) {
  const row = after ?? before
  if (!row) throw new TypeError('a change of a row that neither was nor is')
  const states = statesOf(rows, before, after, isListed)
  return {
    id: rows.idOf(row),
    before: states.before,
    after: states.after && { ...states.after, ...attached },
  }
}
