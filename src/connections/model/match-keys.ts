/**
 * Keys that two records of one person are likely to share: email, profile URL, phone number, name, name and birthday, and name
 * and company, exact and approximate. They find the candidates that matching compares (`identity/decide-match.ts`); sharing one proves nothing.
 */

import { memoize } from '../../base/memoize.ts'
import { nameKey } from '../../base/tokenize.ts'
import { companySpelling } from '../../identity/company-name.ts'
import { mailboxOf } from '../../identity/email-address.ts'
import { givenNameKey } from '../../identity/given-names.ts'
import { phoneKey } from '../../identity/phone-number.ts'
import { nameAffixes } from '../../identity/name-affixes.ts'
import { joinMac, type WrittenName } from '../../identity/person-name.ts'
import { pinyinReadingsOf } from '../../identity/other-scripts.ts'
import { readingOf } from '../../identity/name-readings.ts'
import { fold, isForeign } from '../../identity/scripts/transliterate.ts'
import { familySpellings, TITLES } from '../../identity/family-spelling.ts'
import type { Connection } from './connection.ts'
import { emailKey, hashOf, hashedKey } from '../../contact-files/contact/contact-keys.ts'
import type { MatchKeys } from '../../contact-files/contact/contact.ts'

/** The fields needed to match a person. */
type MatchableContact = Pick<
  Connection,
  'name' | 'company' | 'emails' | 'phones' | 'profileUrl' | 'birthday'
> &
  Pick<WrittenName, 'details'>

type NamedContact = Pick<MatchableContact, 'name' | 'company' | 'details'>
type NamedPerson = Pick<MatchableContact, 'name' | 'company' | 'profileUrl'>

/** Whether two states of a person have the same keys for certain. */
export function hasSameKeys(one: MatchableContact, other: MatchableContact): boolean {
  return (
    one.name === other.name &&
    one.company === other.company &&
    one.profileUrl === other.profileUrl &&
    one.birthday === other.birthday &&
    hasSameReading(one, other) &&
    isSameList(one.emails, other.emails) &&
    isSameList(one.phones, other.phones)
  )
}

function hasSameReading({ details: one }: NamedContact, { details: other }: NamedContact): boolean {
  return (
    one === other ||
    (one?.phoneticGivenName === other?.phoneticGivenName &&
      one?.phoneticFamilyName === other?.phoneticFamilyName)
  )
}

/** The keys that are stored for a person, strongest first. The key of name and company always exists. */
export function keysOf(person: MatchableContact): readonly string[] {
  return matchKeysOf(person).stored
}

/** The stored keys of the present name, company and birthday of a person. */
export function nameKeysOf(person: NamedPerson & Pick<MatchableContact, 'birthday'>): string[] {
  const name = nameKey(person.name)
  return [
    ...familyKeysOf(person, name).own,
    ...birthdayKeysOf(person, name),
    ...wholeNameKeysOf(person, name),
    nameCompanyKeyOf(person, name),
  ]
}

/** Returns the keys by which an import or an edit finds the people that a contact may be. */
export function matchKeysOf(person: MatchableContact): MatchKeys {
  const { emails, phones } = person
  const addresses = addressKeysOf(person)
  for (const phone of phones) addresses.push(phoneNumberKey(phone))
  const isDistinct = emails.length <= 1 && phones.length <= 1
  const stored = isDistinct ? addresses : [...new Set(addresses)]
  const name = nameKey(person.name)
  const family = familyKeysOf(person, name)
  stored.push(...readingKeysOf(person), ...family.own, ...birthdayKeysOf(person, name))
  stored.push(...wholeNameKeysOf(person, name), nameCompanyKeyOf(person, name))
  return { stored, lookupOnly: family.other }
}

/** All keys by which people are found. */
export function lookupKeysOf(person: MatchableContact): string[] {
  const { stored, lookupOnly } = matchKeysOf(person)
  return [...stored, ...lookupOnly]
}

/** The keys by which an import searches candidates for a contact. */
export function searchedKeysOf(
  { stored, lookupOnly }: MatchKeys,
  contact: Pick<Connection, 'profileUrl'>,
): readonly string[] {
  const searched = stored.filter((key) => !isOnlyStored(key, contact))
  for (const key of lookupOnly) searched.push(key)
  return searched
}

/** Returns the keys of the name and company; `matchKeysOf` puts that of the name as written last. */
export function nameKeysIn({ stored }: MatchKeys): readonly string[] {
  return stored.slice(-1)
}

/** The number of people up to which everyone who has a key is compared. */
export const MAX_HOLDERS = 20

/**
 * The number of people up to which a key says something about each of them. More share the number of a switchboard, a common family
 * name at a company, or a common name.
 */
export function maxHoldersOf(key: string): number {
  return LIMITED_KEYS.get(key.charAt(0)) ?? Infinity
}

/** Maximum number of holders of a phone number, of an initial with family name and company, and of a whole name. */
const LIMITED_KEYS: ReadonlyMap<string, number> = new Map([
  ['p', MAX_HOLDERS],
  ['f', MAX_HOLDERS],
  ['g', MAX_HOLDERS],
  ['w', 2],
])

/**
 * Whether a key of a person is only stored, and finds no one. Colleagues with two profiles count as two people unless they share an address
 * or their name. A large file has many with similar names, which need not be loaded.
 */
function isOnlyStored(key: string, { profileUrl }: Pick<Connection, 'profileUrl'>): boolean {
  return profileUrl !== null && key.startsWith('f')
}

/** Whether a key is that of an email. */
export function isEmailKey(key: string): boolean {
  return key.startsWith('e')
}

function phoneNumberKey(phone: string): string {
  return hashedKey('p', phoneKey(phone) || phone)
}

/** The keys of the profile URL and the emails, as written and without insignificant dots and tags. */
export function addressKeysOf({ emails, profileUrl }: MatchableContact): string[] {
  const keys = emails.map(emailKey)
  for (const email of emails) {
    const mailbox = mailboxOf(email)
    if (mailbox !== email && !emails.includes(mailbox)) keys.push(emailKey(mailbox))
  }
  if (profileUrl !== null) keys.push(profileUrlKey(profileUrl))
  return keys
}

/** The URL as the connection stores it. */
export function profileUrlKey(profileUrl: string): string {
  return hashedKey('u', profileUrl)
}

/** One key for the spellings of a name and a company: short forms, word order, romanization of both, legal forms. */
export function nameCompanyKey(person: NamedContact): string {
  return nameCompanyKeyOf(person, nameKey(person.name))
}

/** The keys of the name as it is read, which a record with the name in Latin letters has. */
export function readingKeysOf({ name, company, details }: NamedContact): readonly string[] {
  const reading = readingOf({ name, details })
  const readings = reading === null ? pinyinReadingsOf(name) : [reading]
  return readings.map((words) => nameCompanyKey({ name: words.join(' '), company }))
}

const NO_KEYS: readonly string[] = []

interface FamilyKeys {
  /** Stored for the person. */
  readonly own: readonly string[]
  /** Stored for others: those with a profile if the person has none, and otherwise those without. */
  readonly other: readonly string[]
}

/**
 * The keys of an initial, the family name without its vowels, and the company. Colleagues whose given names are initials,
 * short forms or misspelled share one, as J. Walker and Joe Walker at Acme do. People with a profile and people without one
 * have different ones. None without a company, because too many people would share them.
 */
function familyKeysOf(person: NamedPerson, name = nameKey(person.name)): FamilyKeys {
  const hashes = familySpellings(person, name).map(hashOf)
  const withProfile = hashes.map((one) => `f${one}`)
  const without = hashes.map((one) => `g${one}`)
  return person.profileUrl === null
    ? { own: without, other: withProfile }
    : { own: withProfile, other: without }
}

/**
 * The key of a name of at least two words, without particles and what is in parentheses: `Jasper v.d. Berg (beekeeper)` has two.
 * `key` is its name key.
 */
function wholeNameKeysOf({ name }: Pick<NamedPerson, 'name'>, key: string): readonly string[] {
  const plain = name.replace(IN_PARENTHESES, ' ')
  const words = spellingOf(plain, nameKeyOf(plain, plain === name ? key : nameKey(plain))).split(
    ' ',
  )
  const names = words.filter((word) => !nameAffixes().particles.has(word))
  const whole = names.length > 1 ? names : words
  return whole.length > 1 ? [hashedKey('w', whole.join(' '))] : NO_KEYS
}

const IN_PARENTHESES = /\([^()]*\)/g

/** `name` is the name key of the person. */
function nameCompanyKeyOf({ name: text, company }: NamedContact, name: string): string {
  const key = company === null ? '' : companySpelling(company)
  const joined = joinMac(text)
  const words = nameKeyOf(joined, joined === text ? name : nameKey(joined))
  return hashedKey('n', `~${spellingOf(text, words)}|${key}`)
}

/**
 * A key for each word of a name, in any spelling, and the day, with or without the year. A new job changes none of them, and
 * another family name not all.
 */
function birthdayKeysOf(
  { name: text, birthday }: Pick<MatchableContact, 'name' | 'birthday'>,
  name = nameKey(text),
): readonly string[] {
  if (birthday === null) return NO_KEYS
  const words = new Set(spellingOf(text, nameKeyOf(text, name)).split(' ').slice(0, MAX_NAME_WORDS))
  return [...words].map((word) => hashedKey('b', `${word}|${birthday.slice(-5)}`))
}

const MAX_NAME_WORDS = 4

/** `words` is the name key of the text. */
function spellingOf(text: string, key: string): string {
  const words: string[] = []
  const whole: string[] = []
  for (const word of key.split(' ')) {
    if (TITLES.has(word)) continue
    const spelling = spellingOfWord(word)
    words.push(spelling)
    if (word.length > 1) whole.push(spelling)
  }
  return inOrder(whole.length > 1 ? whole : words).trim() || text
}

/** O'Brien and OBrien have one key. */
function nameKeyOf(text: string, name: string): string {
  const plain = text.includes("'") || text.includes('’') ? text.replace(INNER_APOSTROPHE, '') : text
  if (isForeign(plain)) return nameKey(fold(plain))
  return plain === text ? name : nameKey(plain)
}

const INNER_APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu

/** The sorted words. Most names have two, for which `sort` is slow. */
function inOrder(words: string[]): string {
  const [one = '', two = ''] = words
  if (words.length === 2) return one < two ? `${one} ${two}` : `${two} ${one}`
  return words.sort().join(' ')
}

/** The same names and companies recur in an import. */
const spellingOfWord = memoize(givenNameKey)

/** Whether two lists have the same values in the same order. */
function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((value, index) => value === other[index]))
  )
}
