/** Saved views: names for states of the list of people. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { phrase, t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { listQuery } from './list-state.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const MAX_VIEW_NAME_LENGTH = 80

/** All of them are in the sidebar. */
const MAX_VIEWS = 30

/** Fits every filter at its maximum length, percent-encoded. */
const MAX_QUERY_LENGTH = 8000

export interface SavedView {
  readonly viewId: number
  readonly name: string
  readonly query: string
}

export type NewView = Pick<SavedView, 'name' | 'query'>

/** Views that most people need after their first import, which no view shows as a whole. */
const START_VIEWS: readonly NewView[] = [
  {
    name: phrase('Added manually this month'),
    query: listQuery({ added: '30', source: 'typed', sort: 'added' }),
  },
  { name: phrase('No email'), query: listQuery({ lacks: 'email' }) },
  {
    name: phrase('Silent for a year'),
    query: listQuery({ has: 'contact', silent: '365', sort: 'contact' }),
  },
  { name: phrase('Changed jobs'), query: listQuery({ jobs: 'changed' }) },
  { name: phrase('Possible duplicates'), query: listQuery({ duplicates: 'possible' }) },
]

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
 * Saves a view. One with the same name is replaced.
 *
 * @throws {RequestError} `invalid_request` when the name is missing or too long, or there are too many views.
 */
export async function saveView(
  tx: MemberTransaction,
  { name, query }: NewView,
  now: number,
): Promise<void> {
  const text = requireName(name)
  if (query.length > MAX_QUERY_LENGTH)
    throw new RequestError('invalid_request', t('The filters are too long to save. Remove some.'))
  const views = await listViews(tx)
  const replaced = named(views, text)
  if (replaced) {
    await tx.run(CHANGE, { view_id: replaced.viewId, name: text, query })
    return
  }
  if (views.length >= MAX_VIEWS)
    throw new RequestError(
      'invalid_request',
      t('You have {max} saved views. Delete one first.', { max: MAX_VIEWS }),
    )
  await addViews(tx, [{ name: text, query }], now)
}

/**
 * @throws {RequestError} `invalid_request` when the name is missing, too long or taken.
 * @throws {RequestError} `not_found` when the view was deleted.
 */
export async function renameView(
  tx: MemberTransaction,
  viewId: number,
  name: string,
): Promise<SavedView> {
  const text = requireName(name)
  const views = await listViews(tx)
  const view = views.find((one) => one.viewId === viewId)
  if (!view) throw new RequestError('not_found', t('This view was deleted. Save it again.'))
  const other = named(views, text)
  if (other && other !== view)
    throw new RequestError('invalid_request', t('Another view is named “{name}”.', { name: text }))
  await tx.run(CHANGE, { view_id: viewId, name: text, query: view.query })
  return view
}

/** Deletes a view, if it exists. */
export async function deleteView(tx: MemberTransaction, viewId: number): Promise<void> {
  await tx.run(DELETE, { view_id: viewId })
}

/** Adds the views to start with, unless the member has ever had a view. */
export async function addStartViews(tx: MemberTransaction, now: number): Promise<void> {
  const numbered = await tx.get(NUMBERED, {})
  if (numbered?.last_view === 0) await addViews(tx, START_VIEWS, now)
}

/** Adds those whose names no view has, as far as there is room for them. Returns the added ones. */
export async function addMissingViews(
  tx: MemberTransaction,
  given: readonly NewView[],
  now: number,
): Promise<readonly NewView[]> {
  const views = [...(await listViews(tx))]
  const missing = given.flatMap(({ name, query }) => {
    const view = { viewId: 0, name: cleanName(name), query }
    if (!isName(view.name) || query.length > MAX_QUERY_LENGTH) return []
    if (named(views, name) || views.length >= MAX_VIEWS) return []
    views.push(view)
    return [view]
  })
  if (missing.length > 0) await addViews(tx, missing, now)
  return missing.map(({ name, query }) => ({ name, query }))
}

async function addViews(
  tx: MemberTransaction,
  views: readonly NewView[],
  now: number,
): Promise<void> {
  const first = await reserveNumbers(tx, 'last_view', views.length)
  await tx.insertMany({
    table: 'saved_views',
    columns: ['view_id', 'name', 'query', 'created_at'],
    rows: views.map(({ name, query }, at) => [first + at, name, query, now]),
  })
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
  select ${asProperties('view_id, name, query')} from saved_views
  where member_id = :member_id order by view_id`)

/** By primary key. */
const CHANGE = memberStatement<{ view_id: number; name: string; query: string }>()(`
  update saved_views set name = :name, query = :query where member_id = :member_id and view_id = :view_id`)

const NUMBERED = memberStatement<object, { last_view: number }>()(
  'select last_view from networks where member_id = :member_id',
)

/** By primary key. */
const DELETE = memberStatement<{ view_id: number }>()(
  'delete from saved_views where member_id = :member_id and view_id = :view_id',
)
