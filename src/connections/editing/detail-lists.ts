/** Changes to the lists of the argument `details`: entries to add, to remove, or to replace all others. */

import * as Type from '../../base/type.ts'
import { checkSchema, type SchemaProblem } from '../../base/schema.ts'
import { normalize } from '../../base/tokenize.ts'
import { mergedList } from '../model/add-details.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import { DetailsJson, detailsFromJson } from '../../contact-files/contact/details-json.ts'
import {
  LIST_DETAILS,
  type Details,
  type DetailValue,
  type ListDetail,
} from '../../contact-files/contact/details.ts'

/** How the argument changes one list. The entries to add are in `add` of the whole argument, which is checked elsewhere. */
interface ListEdit {
  /** Where the entries to add are in the value, for errors. */
  readonly path: '' | '/add' | '/replace'
  readonly remove: readonly object[]
}

type ListEdits = ReadonlyMap<ListDetail, ListEdit>

const FORMS = 'must be a list to add, {"add": […], "remove": […]} or {"replace": […]}'

/** Splits the fields into the entries to add, as `DetailsJson` has them, and the other changes of the lists. */
export function splitLists(input: Readonly<Record<string, unknown>>): {
  readonly added: Readonly<Record<string, unknown>>
  readonly edits: ListEdits
  readonly problems: readonly SchemaProblem[]
} {
  const [added, edits] = [{ ...input }, new Map<ListDetail, ListEdit>()]
  const problems: SchemaProblem[] = []
  for (const field of LIST_DETAILS) {
    const value = input[field]
    if (value === undefined) continue
    if (Array.isArray(value)) edits.set(field, { path: '', remove: [] })
    else if (isListForm(value)) {
      const { replace } = value
      const [add, remove] = [value.add ?? replace ?? [], value.remove ?? []]
      added[field] = add
      const checked = checkSchema(removable(field), remove)
      if (checked.ok)
        edits.set(field, {
          path: replace == null ? '/add' : '/replace',
          remove: checked.value,
        })
      else
        for (const { pointer, detail } of checked.problems)
          problems.push({ pointer: `/${field}/remove${pointer}`, detail })
    } else problems.push({ pointer: `/${field}`, detail: FORMS })
  }
  return { added, edits, problems }
}

interface ListForm {
  readonly add?: unknown
  readonly remove?: unknown
  readonly replace?: unknown
}

function isListForm(value: unknown): value is ListForm {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.entries(value).flatMap(([name, part]) => (part === null ? [] : name))
  return names.includes('replace')
    ? names.length === 1
    : names.length > 0 && names.every((name) => name === 'add' || name === 'remove')
}

/** Entries of which only some parts are given. */
function removable(field: ListDetail) {
  const { items } = DetailsJson.properties[field]
  const parts = Type.Partial(items, {
    additionalProperties: false,
    minProperties: 1,
  })
  return Type.Array(parts, { maxItems: MAX_VALUES })
}

/** The pointer with the part of the value in which the entries to add are. */
export function pointerInForm(pointer: string, edits: ListEdits): string {
  const [, field = '', rest = ''] = /^\/([^/]+)(.*)$/s.exec(pointer) ?? []
  const { path = '' } = edits.get(field as ListDetail) ?? {}
  return path === '' ? pointer : `/${field}${path}${rest}`
}

/** The list after the edit; undefined if it neither adds nor removes. Entries with the same key as an added one take its parts. */
export function editedList(
  field: ListDetail,
  { path, remove }: ListEdit,
  { present, added }: { readonly present: Details; readonly added: readonly object[] },
): DetailValue | null | undefined {
  if (path === '/replace') return added.length === 0 ? null : added
  if (added.length + remove.length === 0) return undefined
  const removed = (detailsFromJson({ [field]: remove })[field] ?? []) as readonly object[]
  const kept = ((present[field] ?? []) as readonly object[]).filter(
    (entry) => !removed.some((parts) => hasParts(entry, parts)),
  )
  const list = mergedList(field, kept, added, true)
  return list.length === 0 ? null : list
}

/** True if the entry has all these parts, in any case and spacing. */
function hasParts(entry: object, parts: object): boolean {
  const values = entry as Readonly<Record<string, unknown>>
  return Object.entries(parts).every(([name, part]) => keyOf(values[name]) === keyOf(part))
}

function keyOf(value: unknown): unknown {
  return typeof value === 'string' ? normalize(value) || value : value
}
