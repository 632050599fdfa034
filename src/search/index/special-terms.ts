/**
 * Terms that are not words: whole emails, domains, phone numbers, URLs and handles. Each starts with a character that no
 * word contains, or contains `@`, so they never match a word.
 */

import { normalForm } from '../../base/normal-form.ts'
import { tokenize } from '../../base/tokenize.ts'
import { withoutLast } from '../../base/without-last.ts'

/** Terms of these first characters are not compared by edit distance. */
const WITHOUT_TYPOS = new Set(['#', '/', '=', '~', '^', '|', '>', '*', '<', '%'])

export function allowsTypos(term: string): boolean {
  return !WITHOUT_TYPOS.has(term.charAt(0))
}

/** Longer terms are truncated, as words are. */
const MAX_TERM_LENGTH = 80

/** `ada@acme.com`, a whole address */
export function emailTerm(email: string): string {
  return email.toLowerCase().slice(0, MAX_TERM_LENGTH).toWellFormed()
}

/** `@acme.com` */
export function domainTerm(domain: string): string {
  return `@${domain.toLowerCase()}`.slice(0, MAX_TERM_LENGTH).toWellFormed()
}

/** Fewer digits identify no one. */
const MIN_PHONE_DIGITS = 6
const MAX_PHONE_DIGITS = 15

/**
 * The digits in reverse, without trunk prefix: numbers with and without country code have the same beginning. Undefined
 * for too few digits.
 */
export function phoneTerm(text: string): string | undefined {
  const digits = normalForm(text, 'NFKC')
    // Every later pattern is linear, because it meets at most one space at a time.
    .replace(/\s+/g, ' ')
    .trimEnd()
    .replace(/\( ?0 ?\)/, '')
    .replace(/ ?(?:ext|extension|x|;ext=)\.? ?\d{1,6}$/i, '')
    .replace(TRUNK_ZERO, '$1')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  if (digits.length < MIN_PHONE_DIGITS) return undefined
  return `#${Array.from(digits.slice(-MAX_PHONE_DIGITS)).toReversed().join('')}`
}

/**
 * The zero in `+44 020 …`, which is dialed only within the country, after the codes of countries where no number begins
 * with it: not in Italy (39), for example.
 */
// regex-ok: one number at the start, and two runs without a digit between them
const TRUNK_ZERO = new RegExp(
  String.raw`^( ?(?:\+|00) ?(?:${[
    '2[07]|3[0-46]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]',
    '23[34]|25[1456]|26[03]|35[389]|38[015679]|421|96[1234678]|97[0127]',
  ].join('|')})\D*)0(?=\D*\d)`,
)

/** `https://m.facebook.com/ada/?fbclid=…` becomes `/facebook.com/ada`. */
export function urlTerm(url: string): string {
  const plain = decoded(url.trim().replace(/[?#].*/s, ''))
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(COUNTRY_OR_MOBILE, '')
    .replace(/^(linkedin\.com\/)(?:mwlite\/)?(in\/[^/]+)\/.*$/, '$1$2')
  return `/${withoutLast(plain, '/')}`.slice(0, MAX_TERM_LENGTH).toWellFormed()
}

/** Beginning of a host that shows the same pages: `m.youtube.com`, `de.linkedin.com`, but not `mobile.de`. */
const COUNTRY_OR_MOBILE =
  /^(?:(?:m|mobile|mbasic|touch)\.(?=[^./]+\.[^./])|[a-z]{2}\.(?=linkedin\.com))/

/** Without percent-encoding; unchanged if it is invalid. */
function decoded(url: string): string {
  if (!url.includes('%')) return url
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

/** The last part of the path in the term of a URL, `/ada-lovelace`; undefined where there is no path. */
export function handleTerm(term: string): string | undefined {
  const slash = term.lastIndexOf('/')
  return slash <= 0 || slash === term.length - 1 ? undefined : plainHandle(term.slice(slash + 1))
}

/** A handle as people write it: `@ada_l`, `ada-lovelace`. */
export function plainHandle(text: string): string {
  return `/${text.toLowerCase().replace(/^@+/, '')}`.slice(0, MAX_TERM_LENGTH).toWellFormed()
}

/** With or without hyphens and the address of orcid.org. All known identifiers begin with 0000. */
export const ORCID =
  /(?:https?:\/\/)?(?:(?:www\.)?orcid\.org\/)?(?<![\d-])0000([- ]?)\d{4}\1\d{4}\1\d{3}[\dX](?![\p{L}\p{N}-])(?:\/?(?:[?#]\S*)?)/giu

/** The same as the handle of the identifier's address: `/0000-0002-1825-0097`. */
export function orcidTerm(orcid: string): string {
  const digits = orcid.replace(/^.*\.org\/|[?#].*/gis, '').replace(/[^\dX]/gi, '')
  return plainHandle((digits.match(/.{4}/g) ?? []).join('-'))
}

/** `2024-05-01` is 20240501, so that days compare as numbers. */
export function dayNumber(day: string | null): number {
  return day === null ? 0 : Number(day.replaceAll('-', ''))
}

/** `key` is the key of a tag. */
export function tagTerm(key: string): string {
  return `=${key}`
}

/** Returns the term of a spelling key (`identity/scripts/transliterate.ts`). */
export function soundTerm(key: string): string {
  return `~${key}`
}

/** Returns the term of a name in Arabic letters (`identity/scripts/arabic-names.ts`). */
export function arabicTerm(key: string): string {
  return `<${key}`
}

/** Returns the term of a whole part of a name in a script without spaces (`identity/unspaced-names.ts`). */
export function wholePartTerm(key: string): string {
  return `%${key}`
}

/** The terms of days (YYYY-MM-DD) are sorted like the days. */
export function contactTerm(day: string): string {
  return `>${day}`
}

/** The day of a meeting is also a term of `contactTerm`. */
export function meetingTerm(day: string): string {
  return `>m${day}`
}

/** When a connection was added, in milliseconds. The terms are sorted like the moments; their day depends on the time zone. */
export function addedTerm(time: number): string {
  return `>a${new Date(time).toISOString().slice(0, 16)}`
}

/** Days that recur every year: birthdays, and all other dates of a connection. */
export type Occasion = 'birthday' | 'anniversary'

/** The terms of an occasion's days (MM-DD) are sorted like the days of a year. */
export function occasionTerm(occasion: Occasion, day: string): string {
  return `|${occasion}/${day}`
}

/** What is counted in a network. `tag` values are the tag's key, NUL and the tag as written. */
export type CountedKind = 'company' | 'title' | 'location' | 'tag' | 'has'

/** As written and whole; an empty value begins the terms of its kind. */
export function valueTerm(kind: CountedKind, value: string): string {
  return `|${kind}/${value}`
}

/** Words of the term of a URL without those that every URL has. */
export function urlWords(term: string): string[] {
  return tokenize(term).filter((word) => !COMMON_URL_WORDS.has(word))
}

const COMMON_URL_WORDS = new Set('com org net io in www http https linkedin profile'.split(' '))
