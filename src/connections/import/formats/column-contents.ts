// Recognizes columns by their cells: emails, links, phone numbers and names.

import { emailsIn } from '../../model/emails-and-phones.ts'
import { profileUrlIn } from '../../model/urls.ts'
import type { ColumnTarget } from './column-fields.ts'
import type { ColumnRole } from './column-roles.ts'
import { isDate } from './dates.ts'

/** Recognizes columns without a known name by their cells. A column _Work_ of phone numbers has work numbers. */
export function contentTargets(
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
  plain: readonly string[] = [],
): (ColumnRole | null)[] {
  const named = targets.map((target) => target?.field ?? '')
  const hasName = named.some(
    (field) => field === 'name' || field === 'given_name' || field === 'family_name',
  )
  let foundName = hasName
  return targets.map((target, at) => {
    if (target !== null) return target
    const cells = sample.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '')
    const recognized = recognize(cells)
    const label = plain[at] ?? ''
    if (recognized?.field === 'phone' && PHONE_LABELS.has(label)) return { ...recognized, label }
    if (recognized !== null) return recognized
    if (!foundName && cells.length > 0 && cells.every(looksLikeName)) {
      foundName = true
      return { field: 'name' }
    }
    return null
  })
}

function recognize(cells: readonly string[]): ColumnTarget | null {
  const most = (test: (text: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length >= cells.length * MOST
  if (most((text) => text.includes('@') && emailsIn(text).length > 0)) return { field: 'email' }
  if (most((text) => profileUrlIn(text) !== null)) return { field: 'url', label: 'linkedin' }
  if (most((text) => /^(?:https?:\/\/|www\.)\S+$/i.test(text))) return { field: 'url' }
  return most(looksLikePhone) ? { field: 'phone' } : null
}

const MOST = 0.8 // of the cells that are not empty

/** International, or with separators as phone numbers have them; a plain number may be anything. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && /^(?:\+|\(|00|0\d)[\d\s()./-]+$/.test(text) && !isDate(text)
}

/** One to four capitalized words without digits. */
function looksLikeName(text: string): boolean {
  const words = text.split(/\s+/)
  return (
    words.length <= 4 &&
    !/[\d@/:_]/.test(text) &&
    words.every((word) =>
      /^[\p{Lu}\p{Lo}]|^(?:de|da|van|von|der|den|la|le|di|bin|al|y|e)$/u.test(word),
    )
  )
}

/** Yahoo names its phone columns only by their labels. */
export const PHONE_LABELS: ReadonlySet<string> = new Set(['home', 'work', 'other', 'mobile'])
