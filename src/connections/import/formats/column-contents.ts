// Recognizes columns by their cells: emails, links, phone numbers and names.

import { emailsIn } from '../../model/emails-and-phones.ts'
import { profileUrlIn } from '../../model/urls.ts'
import type { ColumnTarget } from './column-fields.ts'
import type { ColumnRole } from './column-roles.ts'
import { isDate } from './dates.ts'
import { phonesIn } from './phone-cells.ts'

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
  const isLinkedin = isLinkedinTable(named)
  return targets.map((target, at) => {
    if (target !== null && target.field !== 'address') return target
    const cells = sample.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '')
    if (target !== null) return hasMostly(cells, isEmail) ? { field: 'email' } : target
    if (isLinkedin && cells.length > 0 && cells.every(isDate)) return { field: 'connected_on' }
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

/** Whether only the last one of LinkedIn's seven columns is unknown. Its name differs most between languages. */
function isLinkedinTable(fields: readonly string[]): boolean {
  return (
    fields.length === LINKEDIN_FIELDS.length + 1 &&
    fields.at(-1) === '' &&
    LINKEDIN_FIELDS.every((field) => fields.includes(field))
  )
}

const LINKEDIN_FIELDS = ['given_name', 'family_name', 'url', 'email', 'company', 'title']

function hasMostly(cells: readonly string[], test: (text: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(test).length >= cells.length * MOST
}

function isEmail(text: string): boolean {
  return text.includes('@') && emailsIn(text).length > 0
}

function recognize(cells: readonly string[]): ColumnTarget | null {
  const most = (test: (text: string) => boolean) => hasMostly(cells, test)
  if (most(isEmail)) return { field: 'email' }
  if (most((text) => profileUrlIn(text) !== null)) return { field: 'url', label: 'linkedin' }
  if (most((text) => /^(?:https?:\/\/|www\.)\S+$/i.test(text))) return { field: 'url' }
  return most((text) => phonesIn(text).every(({ number }) => looksLikePhone(number)))
    ? { field: 'phone' }
    : null
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
