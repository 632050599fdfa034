// Recognizes columns by their cells: emails, links, phone numbers and names.

import { emailsIn } from '../contact/emails-and-phones.ts'
import { profileUrlIn } from '../contact/urls.ts'
import { NAME_FIELDS, type ColumnTarget, type ColumnRole } from '../fields/column-fields.ts'
import { isDate } from '../../dates/date-notations.ts'
import { labelNamed, namesOthers, plainHeader } from '../fields/header-words.ts'
import { phonesIn } from './phone-cells.ts'

/** Recognizes columns without a known name by their cells. A column _Work_ of phone numbers has work numbers. */
export function contentTargets(
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
  headers: readonly string[] = [],
): (ColumnRole | null)[] {
  const named = new Set<string>(targets.map((target) => target?.field ?? ''))
  let foundName = [...NAME_FIELDS].some((field) => named.has(field))
  const found = targets.map((target, at): ColumnRole | null => {
    if (target !== null && !MAY_BE_OTHER.has(target.field)) return target
    const cells = cellsIn(sample, at)
    if (target?.field === 'relation') return recognizedRelation(target, cells, headers[at] ?? '')
    if (target !== null) return hasMostly(cells, isEmail) ? { field: 'email' } : target
    const header = headers[at] ?? ''
    const plain = plainHeader(header)
    if (cells.length > 0 && cells.every(isEmailType)) return { field: 'technical' }
    const recognized = recognize(cells)
    if (recognized !== null)
      return isOfOthers(recognized, plain, named) ? null : withLabel(recognized, plain, header)
    if (!foundName && cells.length > 0 && cells.every(looksLikeName) && !namesOthers(plain)) {
      foundName = true
      return { field: 'name' }
    }
    return null
  })
  return withConnectionDate(found, sample)
}

const MAY_BE_OTHER: ReadonlySet<string> = new Set(['address', 'relation'])

/** Lists often have the phone number or email of a relative instead of the name. */
function recognizedRelation(
  target: ColumnRole,
  cells: readonly string[],
  header: string,
): ColumnRole {
  const recognized = recognize(cells)
  const isAddressOfOther = recognized?.field === 'phone' || recognized?.field === 'email'
  return isAddressOfOther ? { field: recognized.field, label: header.trim() } : target
}

function cellsIn(sample: readonly (readonly string[])[], at: number): readonly string[] {
  return sample.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '')
}

/** Whether a column belongs to someone else, such as `Owner email` in a table that also has a column `Email`. */
function isOfOthers({ field }: ColumnTarget, plain: string, named: ReadonlySet<string>): boolean {
  return named.has(field) && namesOthers(plain)
}

/** The words of an unknown name are the label of phone numbers, such as `WhatsApp number`, and of others' emails. */
function withLabel(target: ColumnTarget, plain: string, header: string): ColumnTarget {
  const hasWords = target.field === 'phone' && plain.includes(' ')
  if (target.field !== 'phone' && target.field !== 'email') return target
  const label = labelNamed(plain) ?? (hasWords || namesOthers(plain) ? header.trim() : undefined)
  return label === undefined ? target : { ...target, label }
}

/** The last one of LinkedIn's seven columns, if only that one is unknown. Its name differs most between languages. */
function withConnectionDate(
  targets: (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): (ColumnRole | null)[] {
  const isLinkedin =
    targets.length === LINKEDIN_FIELDS.length + 1 &&
    targets.at(-1) === null &&
    LINKEDIN_FIELDS.every((field) => targets.some((target) => target?.field === field))
  if (!isLinkedin) return targets
  const last = targets.length - 1
  const dates = cellsIn(sample, last)
  const isKnown = dates.length > 0 && dates.every(isDate)
  return isKnown ? targets.with(last, { field: 'connected_on' }) : targets
}

const LINKEDIN_FIELDS = ['given_name', 'family_name', 'url', 'email', 'company', 'title']

/** True for what Outlook writes beside each email address. */
function isEmailType(text: string): boolean {
  return text === 'SMTP' || text === 'EX'
}

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

/** True for an email or a phone number, which no header has as a name. */
export function isAddress(text: string): boolean {
  return isEmail(text) || looksLikePhone(text.trim())
}

/** International, or as North Americans and others write numbers; a plain number may be anything. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && PHONE.test(text) && !isDate(text)
}

const PHONE = /^(?:(?:\+|\(|00|0\d)[\d\s()./-]+|\d{3}([ .-])\d{3}\1\d{4})$/

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
