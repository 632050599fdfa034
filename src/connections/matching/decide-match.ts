/**
 * Decides whether two records describe one person by weighing all evidence. Agreement must outweigh contradictions: a
 * shared email with different names, or one name at one company with two phone numbers, is not a match.
 */

import { compareNames, type NameComparison, type NameReason } from '../../names/compare-names.ts'
import { compareCompanies } from '../../names/company-name.ts'
import { domainOf, isFreemail, mailboxWords } from '../../names/email-address.ts'
import { isGivenName } from '../../names/given-names.ts'
import { isSamePhone } from '../../names/phone-number.ts'
import { isReading, readingOf } from '../../names/readings.ts'
import { fold } from '../../names/transliterate.ts'
import { isCommonName } from './common-names.ts'
import { matchPersonOf, personNameOf, type Matchable, type MatchPerson } from './match-person.ts'
import type { PersonName } from '../../names/person-name.ts'

/** `unsure` records are kept apart until the member decides. */
export type MatchOutcome = 'same' | 'unsure' | 'different'

/**
 * The weight of each finding. Tuned on the tuning half of `bench/matching-set/`; one unit is about a factor of
 * three in the odds that the records are one person.
 */
export const WEIGHTS = {
  identical: 14,
  same_profile_url: 9,
  other_profile_url: -4,
  renamed_profile_url: -2,
  same_email: 6,
  email_fits_name: 1,
  shared_mailbox: 0.5,
  other_email: -1,
  other_email_at_company: -3,
  same_phone: 4,
  other_phone: -0.5,
  same_name: 4,
  nickname: 3,
  middle_name: 3,
  alias: 2.5,
  typo: 2.5,
  initial: 2,
  same_single_name: 3,
  only_given_name: 0.5,
  only_family_name: 0.5,
  name_missing: 1.5,
  other_family_name: -2,
  other_script: -2,
  same_reading: 3,
  generation_missing: -5,
  common_name: -2,
  similar_given_name: -1,
  other_name: -5,
  other_given_name: -14,
  other_generation: -14,
  other_form_of_address: -4,
  other_number: -14,
  same_company: 3,
  similar_company: 1,
  other_company: -0.5,
  same_birthday: 3,
  same_birthday_without_year: 2,
  other_birthday: -7,
  same_location: 1,
  other_location: -0.5,
  same_title: 0.5,
  same_source: 4,
  same_connected_on: 2,
} as const satisfies Readonly<Record<string, number>>

export type MatchReason = keyof typeof WEIGHTS

export interface MatchDecision {
  readonly outcome: MatchOutcome
  readonly score: number
  /** Every finding that counted, in the order compared. */
  readonly reasons: readonly MatchReason[]
}

interface MatchContext {
  /** Whether both are rows of one file, where each row is a person unless an address proves them equal. */
  readonly isSameFile: boolean
  /** Whether both come from the same kind of file, imported at different times. */
  readonly isSameSource?: boolean
}

export const MIN_SAME_SCORE = 7
const MIN_UNSURE_SCORE = 3.5
/** Within one file, namesakes are different people; only strong agreement is worth a question. */
const MIN_UNSURE_SCORE_IN_FILE = 6

/** Records with a lower score are different people. */
export function minUnsureScore(isSameFile: boolean): number {
  return isSameFile ? MIN_UNSURE_SCORE_IN_FILE : MIN_UNSURE_SCORE
}

/** With these findings there is never an automatic match, no matter what else agrees. */
const VETOES: ReadonlySet<MatchReason> = new Set([
  'other_form_of_address',
  'similar_given_name',
  'other_name',
  'other_given_name',
  'other_generation',
  'other_number',
  'other_birthday',
])

/** Two records that differ in one of these are never queued for review. */
const OBVIOUS: ReadonlySet<MatchReason> = new Set([
  'other_given_name',
  'other_generation',
  'other_number',
])

/** Compares two records. The order does not matter. */
export function decideMatch(
  one: Matchable,
  other: Matchable,
  { isSameFile, isSameSource = false }: MatchContext = { isSameFile: false },
): MatchDecision {
  const reasons = findingsOf(matchPersonOf(one), matchPersonOf(other))
  if (isSameSource && !isSameFile && isSameEntry(one, other, reasons)) reasons.push('same_source')
  const score = reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0)
  return { outcome: outcomeOf(new Set(reasons), score, isSameFile), score, reasons }
}

/**
 * Whether their names or birthdays show that two records are of different people, such as spouses, twins, or father and
 * son. The same findings as those of `decideMatch`, without comparing anything else.
 */
export function areTwoPeople(one: Matchable, other: Matchable): boolean {
  const isOtherBirthday =
    one.birthday !== null &&
    other.birthday !== null &&
    compareBirthdays(one.birthday, other.birthday) === 'other_birthday'
  const isOneName = one.name === other.name && one.details?.nameSuffix === other.details?.nameSuffix
  if (isOtherBirthday || isOneName) return isOtherBirthday
  const [name, otherName] = [personNameOf(one), personNameOf(other)]
  const findings = nameFindings(name, otherName, compareNames(name, otherName))
  return findings.some((reason) => OBVIOUS.has(reason))
}

/** Whether this looks like a changed address book entry: the same name and company, and no other address. */
function isSameEntry(one: Matchable, other: Matchable, reasons: readonly MatchReason[]): boolean {
  return (
    one.name === other.name &&
    one.company === other.company &&
    !reasons.some((reason) => OTHER_ADDRESSES.has(reason))
  )
}

const OTHER_ADDRESSES: ReadonlySet<MatchReason> = new Set([
  'other_email',
  'other_email_at_company',
  'other_phone',
  'other_profile_url',
  'renamed_profile_url',
  'other_birthday',
])

function outcomeOf(
  reasons: ReadonlySet<MatchReason>,
  score: number,
  isSameFile: boolean,
): MatchOutcome {
  if (reasons.has('same_profile_url')) {
    // The profile is more reliable than the name or the date in it.
    const isVetoed = [...VETOES].some((veto) => reasons.has(veto))
    return isVetoed || score < MIN_SAME_SCORE ? 'unsure' : 'same'
  }
  if ([...OBVIOUS].some((reason) => reasons.has(reason))) return 'different'
  if (score < minUnsureScore(isSameFile)) return 'different'
  if (score < MIN_SAME_SCORE || [...VETOES].some((veto) => reasons.has(veto))) return 'unsure'
  // Anna Schmidt and Anna Weber at one address: a marriage, or a successor with the same given name.
  if (reasons.has('other_family_name') && !reasons.has('same_birthday')) return 'unsure'
  if (reasons.has('generation_missing')) return 'unsure'
  if (reasons.has('same_reading') && !isProved(reasons)) return 'unsure'
  return isSameFile && !isProved(reasons) ? 'unsure' : 'same'
}

/** Whether an address of the person, not only the name and company, agrees. */
function isProved(reasons: ReadonlySet<MatchReason>): boolean {
  return reasons.has('same_email') || (reasons.has('same_phone') && reasons.has('same_name'))
}

function findingsOf(one: MatchPerson, other: MatchPerson): MatchReason[] {
  const names = compareNames(one.name, other.name)
  const reasons = nameFindings(one.name, other.name, names)
  if (areReadAlike(one.fields, other.fields)) reasons.splice(0, reasons.length, 'same_reading')
  const isNameAlike = names.outcome === 'same' || names.outcome === 'compatible'
  reasons.push(...emailFindings(one, other, isNameAlike))
  if (names.reasons.includes('unisex_nickname') && !shareMailboxOfGivenName(one, other))
    reasons.push('similar_given_name')
  reasons.push(...profileFindings(one, other, isNameAlike))
  reasons.push(...phoneFindings(one, other))
  reasons.push(...companyFindings(one, other))
  reasons.push(...dateFindings(one.fields, other.fields))
  const location = compareLocations(one.locationWords, other.locationWords)
  if (location !== undefined) reasons.push(location)
  if (one.fields.title !== null && one.fields.title === other.fields.title)
    reasons.push('same_title')
  return reasons
}

/** 田中太郎, read タナカ タロウ, and Taro Tanaka; 王小明 and Wang Xiaoming. */
function areReadAlike(one: Matchable, other: Matchable): boolean {
  return isReadAs(one, other.name) || isReadAs(other, one.name)
}

function isReadAs({ name, details }: Matchable, other: string): boolean {
  if (details?.phoneticFamilyName === undefined) return false
  const reading = readingOf({ name, details })
  return reading !== null && isReading(reading, other)
}

function nameFindings(
  one: PersonName,
  other: PersonName,
  comparison: NameComparison,
): MatchReason[] {
  const found = comparedNames(one, other, comparison)
  // Mr and Mrs Pat Byrne.
  if (one.gender !== null && other.gender !== null && one.gender !== other.gender)
    found.push('other_form_of_address')
  return found
}

function comparedNames(
  one: PersonName,
  other: PersonName,
  { outcome, reasons }: NameComparison,
): MatchReason[] {
  const has = (reason: NameReason) => reasons.includes(reason)
  if (outcome === 'same') {
    const reason = has('nickname') ? 'nickname' : 'same_name'
    const isCommon = isCommonName(one) && isCommonName(other)
    return isCommon ? [reason, 'common_name'] : [reason]
  }
  if (outcome === 'different') {
    if (has('other_generation')) return ['other_generation']
    if (has('other_number')) return ['other_number']
    if (isOtherPersonOfFamily(one, other, reasons)) return ['other_given_name']
    return [isSimilarGivenName(one, other) ? 'similar_given_name' : 'other_name']
  }
  if (has('not_a_name')) return ['name_missing']
  if (isSingleName(one, other) && !has('generation_missing')) return ['same_single_name']
  const found: MatchReason[] = COMPARED_NAMES.filter(has).slice(0, 1)
  if (!has('generation_missing')) return found
  return found.length === 0 ? ['same_name', 'generation_missing'] : [...found, 'generation_missing']
}

/** `Mom`, `Plumber`: a single word that is the same in both. */
function isSingleName({ words: one }: PersonName, { words: other }: PersonName): boolean {
  return one.length === 1 && other.length === 1 && one[0] === other[0]
}

/** Partial agreement, by the weakest part. */
const COMPARED_NAMES = [
  'other_script',
  'other_family_name',
  'only_given_name',
  'only_family_name',
  'typo',
  'initial',
  'alias',
  'middle_name',
] as const satisfies readonly (MatchReason & NameReason)[]

/** Whether the names suggest relatives: one family name, and two known given names. */
function isOtherPersonOfFamily(
  one: PersonName,
  other: PersonName,
  reasons: readonly NameReason[],
): boolean {
  if (reasons.includes('other_middle_name')) return true
  const sharesFamily = one.family.some((word) => other.family.includes(word))
  return sharesFamily && one.given.some(isGivenName) && other.given.some(isGivenName)
}

/**
 * One family name, and given names that begin alike, or of which one ends with the other (Oluwaseun, Seun): perhaps a short
 * form or a typo.
 */
function isSimilarGivenName(one: PersonName, other: PersonName): boolean {
  const [a = '', b = ''] = [one.given[0], other.given[0]]
  if (!one.family.some((word) => other.family.includes(word))) return false
  if (Math.min(a.length, b.length) >= SIMILAR_END && (a.endsWith(b) || b.endsWith(a))) return true
  return a.length >= SIMILAR_START && a.slice(0, SIMILAR_START) === b.slice(0, SIMILAR_START)
}

/** Letters. */
const [SIMILAR_START, SIMILAR_END] = [3, 4]

function emailFindings(one: MatchPerson, other: MatchPerson, isNameAlike: boolean): MatchReason[] {
  const shared = [...one.mailboxes].filter((mailbox) => other.mailboxes.has(mailbox))
  if (shared.length > 0)
    return isNameAlike &&
      shared.some((mailbox) => fitsName(mailbox, one) || fitsName(mailbox, other))
      ? ['same_email', 'email_fits_name']
      : ['same_email']
  const isShared = [...one.sharedMailboxes].some((mailbox) => other.sharedMailboxes.has(mailbox))
  const reasons: MatchReason[] = isShared ? ['shared_mailbox'] : []
  if (one.mailboxes.size === 0 || other.mailboxes.size === 0) return reasons
  const domains = new Set([...one.mailboxes].filter((email) => !isFreemail(email)).map(domainOf))
  const isOneCompany = [...other.mailboxes].some((email) => domains.has(domainOf(email)))
  return [...reasons, isOneCompany ? 'other_email_at_company' : 'other_email']
}

/** Whether the mailbox is named after the person: `ann.lee@`, `alee@`. */
function fitsName(mailbox: string, { name }: MatchPerson): boolean {
  const local = mailboxWords(mailbox).join('')
  return name.words.some((word) => word.length > 2 && local.includes(word))
}

/** Whether they share `chris.hall@`, which is not the mailbox of a spouse. */
function shareMailboxOfGivenName(one: MatchPerson, other: MatchPerson): boolean {
  const given = [...one.name.given, ...other.name.given].filter((word) => word.length > 2)
  return [...one.mailboxes].some(
    (mailbox) =>
      other.mailboxes.has(mailbox) &&
      given.some((word) => mailboxWords(mailbox).join('').includes(word)),
  )
}

function profileFindings(
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
  const [a, b] = [plainSlug(one), plainSlug(other)]
  return a.text !== '' && a.text === b.text && a.hasDigits !== b.hasDigits
}

function plainSlug(url: string): { text: string; hasDigits: boolean } {
  const slug = fold(url.slice(url.lastIndexOf('/') + 1))
  const words = slug.split('-')
  const given = words.filter((word) => !/\d/.test(word))
  return { text: given.join(''), hasDigits: given.length < words.length }
}

function phoneFindings(
  { fields: one }: MatchPerson,
  { fields: other }: MatchPerson,
): MatchReason[] {
  if (one.phones.length === 0 || other.phones.length === 0) return []
  const isShared = one.phones.some((phone) => other.phones.some((same) => isSamePhone(phone, same)))
  return [isShared ? 'same_phone' : 'other_phone']
}

function companyFindings(one: MatchPerson, other: MatchPerson): MatchReason[] {
  if (one.companyKey === '' || other.companyKey === '') return []
  if (one.companyKey === other.companyKey) return ['same_company']
  const relation = compareCompanies(one.fields.company, other.fields.company)
  if (relation === 'same') return ['same_company']
  return [relation === 'similar' ? 'similar_company' : 'other_company']
}

function dateFindings(one: Matchable, other: Matchable): MatchReason[] {
  const reasons: MatchReason[] = []
  if (one.birthday !== null && other.birthday !== null)
    reasons.push(compareBirthdays(one.birthday, other.birthday))
  if (one.connectedOn !== null && one.connectedOn === other.connectedOn)
    reasons.push('same_connected_on')
  return reasons
}

/** Both are YYYY-MM-DD or --MM-DD. */
function compareBirthdays(one: string, other: string): MatchReason {
  if (one === other) return one.startsWith('--') ? 'same_birthday_without_year' : 'same_birthday'
  const isYearMissing = one.startsWith('--') || other.startsWith('--')
  return isYearMissing && one.slice(-5) === other.slice(-5)
    ? 'same_birthday_without_year'
    : 'other_birthday'
}

/** `Berlin` and `Berlin, Germany` are one location. */
function compareLocations(
  one: readonly string[],
  other: readonly string[],
): MatchReason | undefined {
  if (one.length === 0 || other.length === 0) return undefined
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.every((word) => long.includes(word)) ? 'same_location' : 'other_location'
}
