/** The positions of a person: keeps the former position when an import or an edit changes company or title. */

import { editDistance } from '../../base/spelling/edit-distance.ts'
import { normalize } from '../../base/tokenize.ts'
import { companyKey, compareCompanies } from '../../identity/company-name.ts'
import {
  withDetails,
  type Details,
  type Organization,
} from '../../contact-files/contact/details.ts'

interface Job {
  readonly company: string | null
  readonly title: string | null
}

/** Whether company or title has changed. A first value or another spelling is not a change of job. */
export function isJobChange(before: Job, after: Job): boolean {
  const { company, title } = before
  if (company !== null && !isSameCompany(company, after.company)) return true
  return title !== null && !isSameTitle(title, after.title)
}

/** True if two names are of one company, apart from legal forms and spelling. */
export function isSameCompany(one: string, other: string | null): boolean {
  if (other === null) return false
  if (one === other) return true
  return (
    (companyKey(one) || one) === (companyKey(other) || other) ||
    compareCompanies(one, other) === 'same'
  )
}

/** Whether a person has a position at this company, now or formerly. */
export function holdsPosition(
  { company, details }: Pick<Job, 'company'> & { readonly details: Details },
  other: string,
): boolean {
  const names = [company, ...(details.organizations ?? []).map(({ name }) => name)]
  return names.some((name) => name != null && isSameCompany(name, other))
}

/** A corrected typo changes one or two letters of a long title. */
function isSameTitle(one: string, other: string | null): boolean {
  if (other === null) return false
  if (one === other) return true
  const [a, b] = [normalize(one), normalize(other)]
  if (a === b) return true
  const shorter = Math.min(a.length, b.length)
  return (
    shorter >= MIN_TYPO_LENGTH && !/\d/.test(a + b) && editDistance(a, b, MAX_TYPOS) <= MAX_TYPOS
  )
}

const MIN_TYPO_LENGTH = 8
const MAX_TYPOS = 2

/** The details with the former position closed on this day (YYYY-MM-DD), on which the change was seen. */
export function closePosition(details: Details, former: Job, day: string): Details {
  const { company, title } = former
  const all = details.organizations ?? []
  const open = all.find((one) => isPosition(one, former))
  const closed: Organization = {
    ...open,
    ...(company !== null && { name: company }),
    ...(title !== null && { title }),
    until: day,
    current: false,
  }
  const others = all.filter((one) => one !== open && positionKey(one) !== positionKey(closed))
  return withDetails(details, [['organizations', [closed, ...others]]])
}

/** Without a company, the position is the entry that has none either. */
function isPosition({ name, current }: Organization, { company }: Job): boolean {
  return current && (name === undefined ? company === null : isSameCompany(name, company))
}

/**
 * Closes a position that has only a department if a newer record has another one: without
 * a name and a title, the two departments look like two positions.
 */
export function closeDepartment(details: Details, newer: Details, day: string): Details {
  const { organizations: all = [] } = details
  const isOpen = (one: Organization) =>
    one.current && one.name === undefined && one.title === undefined
  const next = newer.organizations?.find(isOpen)
  if (!next || !all.some(isOpen)) return details
  const closed = all.map((one) =>
    isOpen(one) && positionKey(one) !== positionKey(next) ? closedOn(day, one) : one,
  )
  return withDetails(details, [['organizations', closed]])
}

function closedOn(day: string, position: Organization): Organization {
  return { ...position, until: day, current: false }
}

/** The key by which two entries are the same position. */
export function positionKey({ name = '', title = '', department = '' }: Organization): string {
  if (name === '' && title === '') return `||${normalize(department)}`
  return `${companyKey(name) || name}|${normalize(title) || title}`
}

/** The last day on which a position ended, as far as known: YYYY-MM-DD, YYYY-MM or YYYY. */
export function lastJobEnd(details: Details): string | null {
  return lastPosition(details)?.until ?? null
}

/** The position that ended last; undefined if none has an end. */
export function lastPosition({ organizations = [] }: Details): Organization | undefined {
  let last: Organization | undefined
  for (const one of organizations)
    if (!one.current && one.until !== undefined && one.until > (last?.until ?? '')) last = one
  return last
}
