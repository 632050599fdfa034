/** What emails, profiles and phone numbers of two records say about whether they are of one person. */

import { tokenize } from '../base/tokenize.ts'
import { domainOf, isFreemail, mailboxWords } from './email-address.ts'
import { isSamePhone, phoneKindOf } from './phone-number.ts'
import { fold } from './scripts/transliterate.ts'
import type { MatchPerson } from './match-person.ts'
import type { MatchReason } from './match-weights.ts'

interface ComparedNames {
  readonly isAlike: boolean
  /** Whether they have nothing in common. */
  readonly isOther: boolean
}

export function emailFindings(
  one: MatchPerson,
  other: MatchPerson,
  { isAlike, isOther }: ComparedNames,
): MatchReason[] {
  const shared = [...one.mailboxes].filter((mailbox) => other.mailboxes.has(mailbox))
  const isNamed = shared.some((mailbox) => fitsName(mailbox, one) || fitsName(mailbox, other))
  const isOfOffice = shared.some((mailbox) => fitsTitle(mailbox, one) || fitsTitle(mailbox, other))
  if (isOfOffice && !isNamed) return ['shared_mailbox']
  // Two names and a mailbox with neither of them: perhaps that of a team.
  if (shared.length > 0 && (isNamed || !isOther || ![one, other].every(isInLatin)))
    return isNamed && isAlike ? ['same_email', 'email_fits_name'] : ['same_email']
  const isShared =
    shared.length > 0 ||
    [...one.sharedMailboxes].some((mailbox) => other.sharedMailboxes.has(mailbox))
  const reasons: MatchReason[] = isShared ? ['shared_mailbox'] : []
  if (shared.length > 0 || one.mailboxes.size === 0 || other.mailboxes.size === 0) return reasons
  const domains = new Set([...one.mailboxes].filter((email) => !isFreemail(email)).map(domainOf))
  const isOneCompany = [...other.mailboxes].some((email) => domains.has(domainOf(email)))
  if (isOneCompany) return [...reasons, 'other_email_at_company']
  return [...reasons, isNearMailbox(one, other) ? 'similar_email' : 'other_email']
}

/** `ann.lee77@` and `annlee77@` at one provider, with a number that namesakes do not share. */
function isNearMailbox(
  { mailboxes: one }: MatchPerson,
  { mailboxes: other }: MatchPerson,
): boolean {
  const plain = new Set([...one].filter((email) => /\d/.test(email)).map(withoutDots))
  return [...other].some((email) => plain.has(withoutDots(email)))
}

function withoutDots(email: string): string {
  const at = email.lastIndexOf('@')
  return email.slice(0, at).replace(/[._-]/g, '') + email.slice(at)
}

function isInLatin({ name }: MatchPerson): boolean {
  return name.words.every((word) => /^[a-z]+$/.test(word))
}

/** Whether the mailbox is named after the person: `ann.lee@`, `alee@`. */
function fitsName(mailbox: string, { name }: MatchPerson): boolean {
  const local = mailboxWords(mailbox).join('')
  return name.words.some((word) => word.length > 2 && local.includes(word))
}

/** Whether the mailbox is named after the title, which passes to the next person: `head@` of a head teacher, `rektor@`. */
function fitsTitle(mailbox: string, { fields: { title } }: MatchPerson): boolean {
  if (title === null || isFreemail(mailbox)) return false
  const titles = tokenize(title)
  const isOf = (word: string) => (name: string) =>
    word.length >= MIN_ROLE &&
    (word === name || word.slice(0, ROLE_START) === name.slice(0, ROLE_START))
  return mailboxWords(mailbox).some((word) => titles.some(isOf(word)))
}

/** Letters. The start of a longer role is enough: `direction@` of a Directora. */
const [MIN_ROLE, ROLE_START] = [3, 5]

/**
 * Whether they share `christine.hall@`, or `c.hall@` if one is C. Hall, which is not the mailbox of a spouse. `chris.hall@` can be
 * that of Chris or Christine.
 */
export function shareMailboxOfGivenName(one: MatchPerson, other: MatchPerson): boolean {
  const given = [one.name.given[0] ?? '', other.name.given[0] ?? '']
  const names = given.filter((word) => word.length > 2)
  const initials = given.filter((word) => word.length === 1)
  return [...one.mailboxes].some((mailbox) => {
    if (!other.mailboxes.has(mailbox)) return false
    const local = mailboxWords(mailbox).join('')
    return (
      (names.length > 0 && names.every((word) => local.includes(word))) ||
      initials.some((initial) => one.name.family.some((word) => local === initial + word))
    )
  })
}

/** Whether one has an email at a domain that is named after the company of the other: `@haugenbygg.no` and Haugen Bygg. */
export function worksAt({ mailboxes }: MatchPerson, { companyKey }: MatchPerson): boolean {
  const names = [companyKey.replaceAll(' ', ''), ...companyKey.split(' ')].filter(
    ({ length }) => length >= MIN_DOMAIN_NAME,
  )
  return [...mailboxes].some(
    (email) => !isFreemail(email) && names.some((name) => domainOf(email).startsWith(name)),
  )
}

/** Letters. */
const MIN_DOMAIN_NAME = 5

export function profileFindings(
  { fields: { profileUrl: one } }: MatchPerson,
  { fields: { profileUrl: other } }: MatchPerson,
  isNameAlike: boolean,
): MatchReason[] {
  if (one === null || other === null) return []
  if (one === other) return ['same_profile_url']
  return [isNameAlike && isRenamed(one, other) ? 'renamed_profile_url' : 'other_profile_url']
}

/**
 * LinkedIn gives every profile a name with digits at first (`ann-lee-1a2b3c`), which members shorten later
 * (`ann-lee`, `annlee`).
 */
export function isRenamed(one: string, other: string): boolean {
  const [a, b] = [slugOf(one), slugOf(other)]
  if (hasDigit(a) === hasDigit(b)) return false
  const text = withoutDigits(a)
  return text !== '' && text === withoutDigits(b)
}

function slugOf(url: string): string {
  return fold(url.slice(url.lastIndexOf('/') + 1))
}

function withoutDigits(slug: string): string {
  const words = slug.split('-')
  return words.filter((word) => !hasDigit(word)).join('')
}

function hasDigit(text: string): boolean {
  return /\d/.test(text)
}

export function phoneFindings(
  { fields: one }: MatchPerson,
  { fields: other }: MatchPerson,
): MatchReason[] {
  if (one.phones.length === 0 || other.phones.length === 0) return []
  const kinds = one.phones.flatMap((phone) => {
    const same = other.phones.find((number) => isSamePhone(phone, number))
    if (same === undefined) return []
    const labels = [one.details?.labels?.[phone], other.details?.labels?.[same]]
    return [phoneKindOf([phone, same], labels)]
  })
  if (kinds.length === 0) return ['other_phone']
  const kind = (['mobile', 'landline'] as const).find((known) => kinds.includes(known))
  return kind === undefined ? ['same_phone'] : ['same_phone', kind]
}
