/** Emails, URLs, domains, phone numbers, ORCID iDs and handles of a query, each as one word. */

import { normalForm } from '../../base/normal-form.ts'
import { tokenize } from '../../base/tokenize.ts'
import { withoutLast } from '../../base/without-last.ts'
import { FIELD } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import {
  domainTerm,
  emailTerm,
  ORCID,
  orcidTerm,
  phoneTerm,
  plainHandle,
  urlTerm,
} from '../index/special-terms.ts'
import { allowedEdits } from '../index/typos.ts'
import { splitText, pairsOf } from '../index/split-words.ts'
import { asUnspaced } from './unspaced-words.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'

interface SpecialWords {
  readonly words: readonly QueryWord[]
  readonly rest: string
}

const LINK = /https?:\/\/[^\s<>"]+/gi
/**
 * With the subject of a `mailto:` link. `youtube.com/@ada` is none. Like the other patterns, it begins only where a word
 * begins, because one that begins anywhere takes quadratic time.
 */
const EMAIL = /(?<![^\s@<>(),;:"])[^\s@<>(),;:"]*[^\s@<>(),;:"/]@[^\s@<>(),;:"/?]+(?:\?[^\s<>"]+)?/g
const URL = /www\.[^\s<>"]+|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\/[^\s<>"]+/giu
const DOMAIN =
  /(?<![\p{L}\p{N}@._-])@?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,24}(?![\p{L}\p{N}._-])/giu
const PHONE = /(?<![\p{L}\p{N}@._/-])[+(]{0,2}\d[\d\s()./-]{4,24}\d(?![\p{L}\p{N}@])/gu
const HANDLE =
  /(?<![\p{L}\p{N}._-])(?:@[\p{L}\p{N}._-]+|[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+)(?![\p{L}\p{N}_-])/gu

/** One of these is in every email, URL, domain, phone number and handle. */
const SPECIAL_CHARACTER = /[@./_\-\d%]/

/** In the order of these patterns, because each may look like a later one. */
export function takeSpecial(query: string): SpecialWords {
  const words: QueryWord[] = []
  const composed = normalForm(query, 'NFKC')
  if (!SPECIAL_CHARACTER.test(composed)) return { words, rest: composed }
  const take = (text: string, pattern: RegExp, wordOf: (found: string) => QueryWord | undefined) =>
    text.replace(pattern, (found) => {
      const word = wordOf(found)
      if (!word) return found
      words.push(word)
      return ' '
    })
  let rest = take(decodeMailto(composed), ORCID, orcidWord)
  rest = take(rest, LINK, urlWord)
  rest = take(rest, EMAIL, emailWord)
  rest = take(rest, URL, urlWord)
  const identifiers = words.length
  rest = take(rest, DOMAIN, domainWord)
  const others = words.length
  rest = take(rest, PHONE, phoneWord)
  if (identifiers > 0 || words.length > others) rest = withoutLabels(rest)
  rest = take(rest, HANDLE, handleWord)
  return { words, rest }
}

/** `alrashid@gulfsteel` as the words of its mailbox and its domain; undefined for a query without an email. */
export function withSplitEmails(query: string): string | undefined {
  if (!query.includes('@')) return undefined
  const composed = normalForm(query, 'NFKC')
  const split = composed.replace(EMAIL, (email) => email.replaceAll('@', ' '))
  return split === composed ? undefined : split
}

/** Browsers write `mailto:ada%2Bx%40acme.example`. */
function decodeMailto(text: string): string {
  return text.replace(/\bmailto:(\S+)/gi, (_, address: string) =>
    address.replace(/%(?:2[1-9a-f]|3d|40|5f|7e)/gi, (code) => decodeURIComponent(code)),
  )
}

/** Words before an identifier: `Tel: +44 …`, `ORCID iD …`. */
const LABELS: ReadonlySet<string> = new Set(
  `address adresse callto cell correo courriel e email fax handy id linkedin link mail mailto mobil mobile nummer number
   orcid phone profil profile sms tel telefon telefono telephone url web website whatsapp`.split(
    /\s+/,
  ),
)

function withoutLabels(text: string): string {
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
    const [token = '', ...more] = tokenize(word)
    return more.length === 0 && LABELS.has(token) ? ' ' : word
  })
}

function orcidWord(found: string): QueryWord {
  const term = orcidTerm(found)
  return specialWord(term.slice(1), [{ term, factor: FACTOR.exact }])
}

/** Fewer characters of an email are not compared with whole emails. */
function emailWord(found: string): QueryWord {
  const text = emailTerm(withoutLast(found.replace(/^([^@]*@[^?]*)\?.*/s, '$1'), '.'))
  return strictWord(text, [
    { term: text, factor: FACTOR.exact, isPrefix: true, edits: allowedEdits(text.length) },
  ])
}

/** `ada.example/@a.example` may also be an email. */
function urlWord(found: string): QueryWord {
  const text = urlTerm(withoutLast(found, '])}\'".,:;!'))
  const path = text.slice(text.lastIndexOf('/') + 1)
  return specialWord(text, [
    { term: text, factor: FACTOR.exact, isPrefix: true },
    { term: plainHandle(path), factor: FACTOR.joined },
    ...(found.includes('@') ? [{ term: emailTerm(found), factor: FACTOR.exact }] : []),
  ])
}

/** A company may be named like a domain: `acme.io`. */
function domainWord(found: string): QueryWord {
  const domain = found.replace(/^@/, '').toLowerCase()
  const labels = domain.split('.')
  return specialWord(domain, [
    { term: domainTerm(domain), factor: FACTOR.exact },
    { term: urlTerm(domain), factor: FACTOR.exact, isPrefix: true },
    { term: plainHandle(domain), factor: FACTOR.exact },
    { term: labels.join(''), factor: FACTOR.joined },
    { term: labels.at(-2) ?? domain, factor: FACTOR.nickname, fields: DOMAIN_FIELDS },
  ])
}

/** Someone who plays chess is not at `chess.com`. */
const DOMAIN_FIELDS =
  (1 << FIELD.company) | (1 << FIELD.detail) | (1 << FIELD.emailWord) | (1 << FIELD.linkWord)

/** `anna-maria` may be a handle or two names. As two names, the words are also found when they are written as one. */
function handleWord(found: string): QueryWord | undefined {
  const handle = plainHandle(found)
  if (!found.startsWith('@') && !/[_\d]/.test(found)) return undefined
  const { words } = splitText(found)
  return specialWord(handle.slice(1), [
    { term: handle, factor: FACTOR.exact, isPrefix: true },
    ...words
      .filter(([main]) => main.length >= MIN_HANDLE_WORD)
      .map(([main]) => ({
        term: main,
        factor: /^\d+$/.test(main) ? FACTOR.joined : FACTOR.joined / 2,
        isPrefix: true,
        guess: words.length > 1 && !/^\d+$/.test(main) ? ('part' as const) : undefined,
      })),
    { term: words.map(([main]) => main).join(''), factor: FACTOR.joined, isPrefix: true },
  ])
}

/** Shorter words of a handle or a number, such as `K-20588`, say nothing. */
const MIN_HANDLE_WORD = 3

/** Fewer digits match only a number that ends with them. */
const MIN_TRUNCATED_DIGITS = 7

/** A number with country code also finds one that is stored without, and the other way around. */
function phoneWord(found: string): QueryWord | undefined {
  const term = phoneTerm(found)
  if (term === undefined) return undefined
  const shorter: QueryTerm[] = []
  for (let length = term.length - 1; length > MIN_TRUNCATED_DIGITS; length -= 1)
    if (term.length - length <= MAX_COUNTRY_DIGITS)
      shorter.push({ term: term.slice(0, length), factor: FACTOR.spelling })
  const digits = found.replace(/\D/g, '')
  return strictWord(digits, [
    { term, factor: FACTOR.exact, isPrefix: true },
    ...shorter,
    { term: digits, factor: FACTOR.exact, isPrefix: true },
  ])
}

/** Digits of a country code and an area code's leading digit. */
const MAX_COUNTRY_DIGITS = 4

/** Only people who have an email, a phone number or a quoted word of a query are results. */
function strictWord(text: string, terms: readonly QueryTerm[]): QueryWord {
  return { ...specialWord(text, terms), isStrict: true }
}

export function specialWord(text: string, terms: readonly QueryTerm[]): QueryWord {
  return { text, isOptional: false, terms: terms.filter(({ term }) => term !== '') }
}

const MINUS = /(?<=^|\s)(?:NOT +|-)(?=\p{L})/gu

/** With words for the operators that exclude; undefined if there are none. */
export function withExclusionsInWords(query: string): string | undefined {
  const worded = query.replace(MINUS, 'excluding ')
  return worded === query ? undefined : worded
}

const QUOTED = /["“„«]([^"“”„«»]+)["”“»]/gu

/** The words in quotation marks, which are strict: exactly as they are spelled. */
export function quotedWords(query: string): {
  readonly quoted: readonly QueryWord[]
  readonly rest: string
} {
  const quoted: QueryWord[] = []
  const rest = query.replace(QUOTED, (whole, text: string) => {
    if (tokenize(text).length === 0) return whole
    const { words, runs } = splitText(text)
    for (const spellings of words) quoted.push(exactWord(spellings[0], spellings))
    for (const run of runs)
      for (const pair of pairsOf(run))
        quoted.push(asUnspaced(exactWord(pair, [pair]), [run], false))
    return ' '
  })
  return { quoted, rest }
}

function exactWord(text: string, terms: readonly string[]): QueryWord {
  return strictWord(
    text,
    terms.map((term) => ({ term, factor: FACTOR.exact })),
  )
}
