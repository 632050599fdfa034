/** Saved views: names for states of the list of people. */

import { column, selected } from '../../records/columns.ts'
import { entryOf } from '../../records/activity-entry.ts'
import { isChanged } from '../../records/record-rows.ts'
import {
  addRow,
  findRows,
  insertDrafts,
  recordedTable,
  storeRows,
  type RowIn,
} from '../../records/recorded-table.ts'
import { undoerOf } from '../../records/undo-rows.ts'
import { changedSince } from '../../tools/undo.ts'
import { phrase, t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { listQuery } from './list-state.ts'
import type { Change } from '../../tools/tool.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const MAX_VIEW_NAME_LENGTH = 80

/** All of them are in the sidebar. */
const MAX_VIEWS = 30

/** Fits every filter at its maximum length, percent-encoded. */
const MAX_QUERY_LENGTH = 8000

const VIEWS = recordedTable({
  table: 'saved_views',
  key: 'viewId',
  counter: 'last_view',
  prefix: 'v',
  noun: 'view',
  plural: 'views',
  title: 'View',
  listedBy: 'search_connections',
  actions: { add: 'view.save', change: 'view.save', remove: 'view.delete' },
  isWhole: true,
  columns: {
    viewId: column<number>(),
    name: column<string>(),
    query: column<string>(),
    createdAt: column<number>(),
  },
  logged: { name: 'name', query: 'query' },
  conflict: (id, _fields, { name = id }) => t('the view {name}', { name: String(name) }),
  async assertFree(tx, restored) {
    const views = await listViews(tx)
    for (const view of restored) {
      const other = named(views, view.name)
      if (other && other.viewId !== view.viewId) throw changedSince(takenName(view.name))
    }
    const ids = new Set([...views, ...restored].map(({ viewId }) => viewId))
    if (ids.size > MAX_VIEWS) throw tooManyViews()
  },
})

export const viewUndoer = undoerOf(VIEWS)

export type SavedView = RowIn<typeof VIEWS>

export type NewView = Pick<SavedView, 'name' | 'query'>

/** Views that most people need after their first import, which no view shows as a whole. */
const START_VIEWS: readonly NewView[] = [
  {
    name: phrase('Added manually'),
    query: listQuery({ added: '30', source: 'typed', sort: 'added' }),
  },
  { name: phrase('No email'), query: listQuery({ lacks: 'email' }) },
  {
    name: phrase('Silent for a year'),
    query: listQuery({ has: 'contact', silent: '365', sort: 'contact' }),
  },
  { name: phrase('Changed jobs'), query: listQuery({ jobs: 'changed' }) },
]

/** True if the first import added it. */
export function isStartView({ query }: Pick<SavedView, 'query'>): boolean {
  return START_VIEWS.some((one) => one.query === query)
}

/** In the order in which they were saved. */
export async function listViews(reader: MemberReader): Promise<readonly SavedView[]> {
  return reader.all(LIST, {})
}

/** @throws {RequestError} `not_found` when no view has this name. */
export async function requireView(reader: MemberReader, name: string): Promise<SavedView> {
  const views = await listViews(reader)
  const view = named(views, name)
  if (view) return view
  const known = views.map((one) => one.name).join(', ')
  throw new RequestError('not_found', `There is no saved view “${cleanName(name)}”.`, {
    hint:
      known === ''
        ? 'The member has no saved views. Use search_connections.'
        : `Saved views: ${known}.`,
  })
}

/**
 * Saves a view. One with the same name is replaced. Returns the change for the activity log; undefined if nothing changed.
 *
 * @throws {RequestError} `invalid_request` when the name is missing or too long, or there are too many views.
 */
export async function saveView(
  tx: MemberTransaction,
  { name, query }: NewView,
  now: number,
): Promise<Change | undefined> {
  const text = requireName(name)
  if (query.length > MAX_QUERY_LENGTH)
    throw new RequestError('invalid_request', t('The filters are too long to save. Remove some.'))
  const views = await listViews(tx)
  const before = named(views, text)
  if (before) return changeView(tx, before, { ...before, name: text, query }, now)
  if (views.length >= MAX_VIEWS) throw tooManyViews()
  const after = await addRow(VIEWS, tx, { name: text, query, createdAt: now }, now)
  return entryOf(VIEWS, [{ after }])
}

/**
 * As `saveView`, for the name of a view.
 *
 * @throws {RequestError} `invalid_request` when the name is missing, too long or taken.
 * @throws {RequestError} `not_found` when the view was deleted.
 */
export async function renameView(
  tx: MemberTransaction,
  viewId: number,
  name: string,
  now: number,
): Promise<Change | undefined> {
  const text = requireName(name)
  const views = await listViews(tx)
  const view = views.find((one) => one.viewId === viewId)
  if (!view) throw new RequestError('not_found', t('This view was deleted. Save it again.'))
  const other = named(views, text)
  if (other && other !== view) throw new RequestError('invalid_request', takenName(text))
  return changeView(tx, view, { ...view, name: text }, now)
}

async function changeView(
  tx: MemberTransaction,
  before: SavedView,
  after: SavedView,
  now: number,
): Promise<Change | undefined> {
  if (!isChanged(VIEWS, before, after)) return undefined
  await storeRows(VIEWS, tx, [{ before, after }], now)
  return entryOf(VIEWS, [{ before, after }])
}

/** Deletes a view. Returns the change for the activity log; undefined if it does not exist. */
export async function deleteView(
  tx: MemberTransaction,
  viewId: number,
): Promise<Change | undefined> {
  const [before] = await findRows(VIEWS, tx, [viewId])
  if (!before) return undefined
  await storeRows(VIEWS, tx, [{ before, after: { ...before, deletedAt: 0 } }], 0)
  return entryOf(VIEWS, [{ before }])
}

function takenName(name: string): string {
  return t('Another view is named “{name}”.', { name })
}

function tooManyViews(): RequestError {
  return new RequestError(
    'invalid_request',
    t('You have {max} saved views. Delete one first.', { max: MAX_VIEWS }),
  )
}

/** Adds the views to start with, unless the member has ever had a view. */
export async function addStartViews(tx: MemberTransaction, now: number): Promise<void> {
  const numbered = await tx.get(NUMBERED, {})
  if (numbered?.last_view === 0) await insertDrafts(VIEWS, tx, started(START_VIEWS, now))
}

/** Adds those whose names no view has, as far as there is room for them. Returns the added ones. */
export async function addMissingViews(
  tx: MemberTransaction,
  given: readonly NewView[],
  now: number,
): Promise<readonly NewView[]> {
  const views = [...(await listViews(tx))]
  const missing = given.flatMap(({ name, query }) => {
    const view = { viewId: 0, name: cleanName(name), query, createdAt: now }
    if (!isName(view.name) || query.length > MAX_QUERY_LENGTH) return []
    if (named(views, name) || views.length >= MAX_VIEWS) return []
    views.push(view)
    return [view]
  })
  await insertDrafts(VIEWS, tx, started(missing, now))
  return missing.map(({ name, query }) => ({ name, query }))
}

function started(views: readonly NewView[], now: number) {
  return views.map(({ name, query }) => ({ name, query, createdAt: now }))
}

function requireName(name: string): string {
  const text = cleanName(name)
  if (isName(text)) return text
  throw new RequestError(
    'invalid_request',
    t('Name the view with at most {max} characters.', { max: MAX_VIEW_NAME_LENGTH }),
  )
}

function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_VIEW_NAME_LENGTH && !/\p{Cc}/u.test(text)
}

function cleanName(name: string): string {
  return name.replace(/\s+/g, ' ').trim()
}

function named(views: readonly SavedView[], name: string): SavedView | undefined {
  const key = cleanName(name).toLowerCase()
  return views.find((one) => one.name.toLowerCase() === key)
}

/** By primary key. */
const LIST = memberStatement<object, SavedView>()(`
  select ${selected(VIEWS.columns, 'v')} from saved_views v
  where v.member_id = :member_id order by v.view_id`)

const NUMBERED = memberStatement<object, { last_view: number }>()(
  'select last_view from networks where member_id = :member_id',
)
