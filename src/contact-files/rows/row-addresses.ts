// Reads the columns of postal addresses: one column for the whole, or one for each part.

import type { ColumnTarget, CellRole, ColumnRole } from '../fields/column-fields.ts'
import type { AddressPart, AddressSlot, CellReader, Table } from './row.ts'
import type { Cells } from '../table/csv.ts'

export const ADDRESS_PARTS: Readonly<Partial<Record<CellRole['field'], AddressPart>>> = {
  street: 'street',
  po_box: 'poBox',
  city: 'city',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
}

/** Groups the columns of a table that are parts of one address. */
export function addressSlots(targets: readonly (ColumnRole | null)[]): readonly AddressSlot[] {
  const slots = new Map<string, AddressSlot & { readonly parts: Map<AddressPart, number> }>()
  for (const [at, target] of targets.entries()) {
    const key = addressKey(target)
    if (key === null) continue
    const label = target !== null && 'label' in target ? (target.label ?? '') : ''
    const slot = slots.get(key) ?? { key, label, parts: new Map() }
    const part = ADDRESS_PARTS[target?.field as CellRole['field']]
    if (part !== undefined && !slot.parts.has(part)) slot.parts.set(part, at)
    slots.set(key, slot)
  }
  return [...slots.values()].toSorted((a, b) => addressRank(a.key) - addressRank(b.key))
}

/** Columns of one address: those with the same label, or with the same number in Google's files. */
function addressKey(target: ColumnRole | null): string | null {
  if (target === null) return null
  if (target.field === 'numbered') return target.kind === 'address' ? `#${target.number}` : null
  if (target.field !== 'address' && ADDRESS_PARTS[target.field] === undefined) return null
  return 'label' in target ? (target.label ?? '') : ''
}

function addressRank(key: string): number {
  if (key.startsWith('#')) return Number(key.slice(1))
  const rank = ['', 'work', 'mailing', 'home', 'other'].indexOf(key)
  return rank === -1 ? 9 : rank
}

export function addressCellReader(target: ColumnTarget, { addresses }: Table): CellReader {
  const slot = addresses.find(({ key }) => key === addressKey(target))
  const index = slot === undefined ? -1 : addresses.indexOf(slot)
  const own = ADDRESS_PARTS[target.field]
  return (row, text, cells) => {
    const address = (row.addresses[index] ??= slot?.label ? { label: slot.label } : {})
    const part = own ?? (isWhole(text, cells, slot) ? 'formatted' : 'street')
    const [, code, city] = part === 'city' ? (CODE_AND_CITY.exec(text) ?? []) : []
    if (code !== undefined && address.postalCode === undefined) address.postalCode = code
    address[part] = joined(address[part], city ?? text)
  }
}

/** `8001 Zürich`, also with the letters of the country. */
const CODE_AND_CITY = /^\s*((?:[A-Z]{1,3}-)?\d{4,6}) +(\p{L}.*)$/u

/** Whether a cell in a column `Address` has all of it, and not only the street beside columns for the other parts. */
function isWhole(text: string, cells: Cells, slot: AddressSlot | undefined): boolean {
  const parts = slot?.parts ?? new Map<AddressPart, number>()
  if (parts.size === 0) return true
  const has = (part: AddressPart) => {
    const cell = cells[parts.get(part) ?? -1]?.trim() ?? ''
    return cell !== '' && text.includes(cell)
  }
  return parts.has('street') && (has('city') || has('postalCode'))
}

/** A house number in a column of its own is in the line of the street. */
function joined(before: string | undefined, text: string): string {
  if (before === undefined || before === text) return text
  const isNumber = HOUSE_NUMBER.test(before) || HOUSE_NUMBER.test(text)
  return isNumber ? `${before.trim()} ${text.trim()}` : `${before}\n${text}`
}

const HOUSE_NUMBER = /^\s*\d{1,5} ?\p{L}?\s*$/u
