// Reads the columns of postal addresses: one column for the whole, or one for each part.

import type { ColumnTarget } from './column-fields.ts'
import type { CellRole, ColumnRole } from './column-roles.ts'
import {
  onText,
  type AddressPart,
  type AddressSlot,
  type MutableAddress,
  type TableRow,
  type Step,
  type Table,
} from './table-row.ts'

export const ADDRESS_PARTS: Readonly<Partial<Record<CellRole['field'], AddressPart>>> = {
  street: 'street',
  po_box: 'poBox',
  city: 'city',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
}

export function addressSlots(targets: readonly (ColumnRole | null)[]): readonly AddressSlot[] {
  const slots = new Map<string, AddressSlot>()
  for (const target of targets) {
    const key = addressKey(target)
    if (key === null) continue
    const inParts = target?.field !== 'address' && target?.field !== 'numbered'
    const label = target !== null && 'label' in target ? (target.label ?? '') : ''
    slots.set(key, { key, label, inParts: inParts || (slots.get(key)?.inParts ?? false) })
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
  const rank = ['work', '', 'mailing', 'home', 'other'].indexOf(key)
  return rank === -1 ? 9 : rank
}

export function addressIn(row: TableRow, slot: number, label: string): MutableAddress {
  row.addresses ??= []
  return (row.addresses[slot] ??= label === '' ? {} : { label })
}

export function addressStep(at: number, target: ColumnTarget, { addresses }: Table): Step {
  const slot = addresses.findIndex(({ key }) => key === addressKey(target))
  const { label = '', inParts = false } = addresses[slot] ?? {}
  const part = ADDRESS_PARTS[target.field] ?? (inParts ? 'street' : 'formatted')
  return onText(at, (text, row) => {
    const address = addressIn(row, slot, label)
    const before = address[part]
    address[part] = before === undefined ? text : `${before}\n${text}`
  })
}
