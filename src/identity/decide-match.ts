/**
 * Decides whether two records describe one person by weighing all evidence. Agreement must outweigh contradictions: a
 * shared email with different names, or one name at one company with two phone numbers, is not a match.
 */

import { areInitials, isFullerName, type NameComparison, type NameReason } from './compare-names.ts'
import { tokenize } from '../base/tokenize.ts'
import { compareCompanies } from './company-name.ts'
import {
  emailFindings,
  phoneFindings,
  profileFindings,
  shareMailboxOfGivenName,
  worksAt,
} from './address-findings.ts'
import { matchPersonOf, type Matchable, type MatchPerson } from './match-person.ts'
import { MIN_SAME_SCORE, minUnsureScore, WEIGHTS, type MatchReason } from './match-weights.ts'
import { nameFindings } from './name-findings.ts'

/** `unsure` records are kept apart until the member decides. */
export type MatchOutcome = 'same' | 'unsure' | 'different'

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

/** With these findings there is never an automatic match, no matter what else agrees. */
const VETOES: ReadonlySet<MatchReason> = new Set([
  'other_form_of_address',
  'similar_given_name',
  'other_name',
  'unknown_given_name',
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

/** With these findings, only a profile makes a match: relatives with such names share addresses, and twins a birthday. */
const NAMES_OF_RELATIVES: readonly MatchReason[] = [
  'other_form_of_name',
  'given_name_typo',
  'part_of_given_name',
]

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
  return nameFindings(one, other).reasons.some((reason) => OBVIOUS.has(reason))
}

/** Whether this looks like a changed address book entry: the same name and company, and no other address or job elsewhere. */
function isSameEntry(one: Matchable, other: Matchable, reasons: readonly MatchReason[]): boolean {
  const isOtherTitle = one.title !== null && other.title !== null && one.title !== other.title
  const isOtherLocation = reasons.includes('other_location')
  return (
    one.name === other.name &&
    one.company === other.company &&
    !reasons.some((reason) => OTHER_ADDRESSES.has(reason)) &&
    !(reasons.includes('common_name')
      ? isOtherTitle || isOtherLocation
      : isOtherTitle && isOtherLocation)
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
  if (score < minUnsureScore(isSameFile))
    return isQuestion(reasons, isSameFile) ? 'unsure' : 'different'
  if (score < MIN_SAME_SCORE || [...VETOES].some((veto) => reasons.has(veto))) return 'unsure'
  // Anna Schmidt and Anna Weber at one address: a marriage, or a successor with the same given name.
  if (reasons.has('other_family_name') && !reasons.has('same_birthday')) return 'unsure'
  if (reasons.has('generation_missing')) return 'unsure'
  // Two towns can each have a Michael Müller, and one of them the address of the other by mistake.
  if (reasons.has('common_name') && reasons.has('other_location') && !isSamePerson(reasons))
    return 'unsure'
  // محمد can be Mohammed or his brother Mahmoud.
  if (reasons.has('other_script') || reasons.has('same_in_other_script')) return 'unsure'
  if (NAMES_OF_RELATIVES.some((reason) => reasons.has(reason))) return 'unsure'
  if (reasons.has('other_title') && !isPromoted(reasons)) return 'unsure'
  // The phone number that namesakes at one company share is often that of the switchboard.
  if (reasons.has('other_email_at_company') && !reasons.has('same_birthday')) return 'unsure'
  // A large company gives the address of a Michael Brown to the next one.
  if (reasons.has('other_profile_url') && reasons.has('common_name')) return 'unsure'
  if (reasons.has('same_reading') && !isProved(reasons)) return 'unsure'
  if (!isNameEnough(reasons)) return 'unsure'
  return isSameFile && !isProved(reasons) ? 'unsure' : 'same'
}

/** Whether more than a name and an email agrees. */
function isSamePerson(reasons: ReadonlySet<MatchReason>): boolean {
  return (['same_phone', 'same_birthday', 'same_company'] as const).some((reason) =>
    reasons.has(reason),
  )
}

/**
 * Twins share a birthday, and families and companies phone numbers, so with one of these, the names have to be the same: Wil and Wim Peters, or
 * Yuki and Yuko Sato, can be colleagues or siblings. A short form is enough if the company is not the same, too.
 */
function isNameEnough(reasons: ReadonlySet<MatchReason>): boolean {
  if (reasons.has('similar_short_name'))
    return reasons.has('same_email') && !reasons.has('same_birthday')
  if (reasons.has('same_email') || reasons.has('same_birthday')) return true
  if (reasons.has('nickname')) return reasons.has('same_phone') && !reasons.has('same_company')
  return reasons.has('same_name') || !reasons.has('same_phone')
}

/**
 * Evidence that is worth a question whatever its weight: a given name that no list has, with one email or mobile, unless both
 * are rows of one file, which are more likely spouses; another family name or script with one mobile; a shared mailbox
 * with a short name; a father or son at one company; similar given names at one company; a rare name with one title at two companies, of which one may be the
 * former name of the other; one name in one location; and a rare name without contradictions.
 */
function isQuestion(reasons: ReadonlySet<MatchReason>, isSameFile: boolean): boolean {
  if (CONTRADICTIONS.some((reason) => reasons.has(reason))) return false
  const isOneMobile = reasons.has('same_phone') && !reasons.has('landline')
  // Twins have one birthday.
  const isOneAddress = reasons.has('same_email') || (isOneMobile && !reasons.has('same_birthday'))
  return (
    (reasons.has('unknown_given_name') && isOneAddress && !isSameFile) ||
    ((reasons.has('other_family_name') || reasons.has('other_script')) && isOneMobile) ||
    (reasons.has('shared_mailbox') && SHORT.some((reason) => reasons.has(reason))) ||
    (reasons.has('generation_missing') && reasons.has('same_company')) ||
    (reasons.has('similar_given_name') &&
      reasons.has('same_company') &&
      isOnlyNameOther(reasons)) ||
    (reasons.has('same_name') && reasons.has('same_title') && !reasons.has('common_name')) ||
    (reasons.has('same_name') && reasons.has('same_location') && !reasons.has('other_company')) ||
    (reasons.has('same_name') && [...reasons].every((reason) => WEIGHTS[reason] >= 0))
  )
}

/** Nino and Antonino Scaramuzza at one company: a familiar form that no list has, unless anything else says otherwise. */
function isOnlyNameOther(reasons: ReadonlySet<MatchReason>): boolean {
  return [...reasons].every((reason) => reason === 'similar_given_name' || WEIGHTS[reason] >= 0)
}

const SHORT: readonly MatchReason[] = ['initial', 'only_given_name']

const CONTRADICTIONS: readonly MatchReason[] = [
  'other_birthday',
  'other_profile_url',
  'renamed_profile_url',
  'other_form_of_address',
]

/** Whether an address of the person, not only the name and company, agrees. */
function isProved(reasons: ReadonlySet<MatchReason>): boolean {
  return reasons.has('same_email') || (reasons.has('same_phone') && reasons.has('same_name'))
}

/**
 * A large company has namesakes with other titles and one switchboard. An entry of the same source whose title has changed is
 * still that entry.
 */
function isPromoted(reasons: ReadonlySet<MatchReason>): boolean {
  if (reasons.has('same_source') || reasons.has('same_connected_on')) return true
  return reasons.has('same_phone') && !reasons.has('common_name')
}

function findingsOf(one: MatchPerson, other: MatchPerson): MatchReason[] {
  const { reasons, comparison: names } = nameFindings(one.fields, other.fields)
  const isNameAlike =
    names.outcome === 'same' ||
    names.outcome === 'compatible' ||
    reasons.includes('same_in_other_script')
  reasons.push(
    ...emailFindings(one, other, { isAlike: isNameAlike, isOther: reasons.includes('other_name') }),
  )
  reasons.push(...profileFindings(one, other, isNameAlike))
  const isAmbiguous =
    names.reasons.includes('unisex_nickname') ||
    (isGivenInitial(one, other) && isOnlyEmailSame(reasons))
  if ((isAmbiguous && !shareMailboxOfGivenName(one, other)) || isSimilarPart(one, other, names))
    reasons.push('similar_given_name')
  reasons.push(...phoneFindings(one, other))
  reasons.push(...companyFindings(one, other))
  reasons.push(...dateFindings(one.fields, other.fields))
  const location = compareLocations(one.locationWords, other.locationWords)
  if (location !== undefined) reasons.push(location)
  const title = compareTitles(one.fields.title, other.fields.title, reasons)
  if (title !== undefined) reasons.push(title)
  return reasons
}

/** C. Hall and Christine Hall with one email can be spouses, but Ann L. and Ann Lee cannot. */
function isGivenInitial({ name: one }: MatchPerson, { name: other }: MatchPerson): boolean {
  return (one.given[0]?.length === 1) !== (other.given[0]?.length === 1)
}

/** `A. Berg` and `Anna Berger`: one name is short, and the other is not quite a longer form of it. */
function isSimilarPart(
  { name: one }: MatchPerson,
  { name: other }: MatchPerson,
  { reasons }: NameComparison,
): boolean {
  if (!SHORT_NAMES.some((reason) => reasons.includes(reason))) return false
  if (one.words.join(' ') === other.words.join(' ')) return false
  if (areInitials(one.given, other.given) || areInitials(other.given, one.given)) return false
  return !isFullerName(one, other) && !isFullerName(other, one)
}

const SHORT_NAMES: readonly NameReason[] = ['initial', 'only_given_name', 'only_family_name']

function isOnlyEmailSame(reasons: readonly MatchReason[]): boolean {
  return (
    reasons.includes('initial') &&
    reasons.includes('same_email') &&
    !reasons.includes('same_profile_url')
  )
}

/** Titles count against a match only if nothing but a name and a company is known. `Nurse` and `Senior nurse` do not. */
function compareTitles(
  one: string | null,
  other: string | null,
  reasons: readonly MatchReason[],
): MatchReason | undefined {
  if (one === null || other === null) return undefined
  if (one === other) return 'same_title'
  if (!reasons.includes('same_company') || PROOFS.some((proof) => reasons.includes(proof)))
    return undefined
  const words = new Set(tokenize(one))
  return tokenize(other).some((word) => words.has(word)) ? undefined : 'other_title'
}

const PROOFS: readonly MatchReason[] = ['same_profile_url', 'same_email', 'same_birthday']

function companyFindings(one: MatchPerson, other: MatchPerson): MatchReason[] {
  if (one.companyKey === '' || other.companyKey === '')
    return worksAt(one, other) || worksAt(other, one) ? ['similar_company'] : []
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
