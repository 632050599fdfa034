/** The columns of the list: which there are, and which the state of the list shows, in its order. */

import { phrase } from '../../languages/message.ts'
import type { ListState } from '../../connections/people/list-state.ts'
import type { PeopleSort } from '../../connections/people/people-query.ts'

export type ColumnName =
  | 'title'
  | 'company'
  | 'location'
  | 'tags'
  | 'contact'
  | 'since'
  | 'due'
  | 'email'
  | 'phone'
  | 'birthday'

export interface Column<Name extends string = ColumnName> {
  readonly name: Name
  readonly label: string
  readonly sort?: PeopleSort
}

export const NAME_COLUMN: Column<'name'> = { label: phrase('Name'), sort: 'name', name: 'name' }

/** All columns beside the name, in their usual order. */
export const OPTIONAL_COLUMNS: readonly Column[] = [
  { label: phrase('Title'), sort: 'title', name: 'title' },
  { label: phrase('Company'), sort: 'company', name: 'company' },
  { label: phrase('Location'), sort: 'location', name: 'location' },
  { label: phrase('Tags'), name: 'tags' },
  { label: phrase('Last contact'), sort: 'contact', name: 'contact' },
  { label: phrase('Since'), sort: 'since', name: 'since' },
  { label: phrase('Due'), sort: 'due', name: 'due' },
  { label: phrase('Email'), name: 'email' },
  { label: phrase('Phone'), name: 'phone' },
  { label: phrase('Birthday'), sort: 'birthday', name: 'birthday' },
]

const USUAL: readonly ColumnName[] = ['title', 'company', 'location', 'tags', 'contact']

/** The columns of a list. Without a choice, a list by due date or birthday has that date as its last one. */
export function shownColumns(
  { columns }: Pick<ListState, 'columns'>,
  by?: 'due' | 'birthday',
): Column[] {
  const chosen = [...new Set(columns.split(','))].flatMap(
    (name) => OPTIONAL_COLUMNS.find((one) => one.name === name) ?? [],
  )
  if (chosen.length > 0) return chosen
  // Phones show one date.
  const usual = by === 'birthday' ? USUAL.filter((name) => name !== 'contact') : USUAL
  return [...usual, by].flatMap((name) => OPTIONAL_COLUMNS.find((one) => one.name === name) ?? [])
}

/** The parameter of the URL for these columns; empty for the usual ones. */
export function columnsText(names: readonly ColumnName[]): string {
  const text = names.join(',')
  return text === USUAL.join(',') ? '' : text
}
