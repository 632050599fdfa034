// The meanings of column names in address books, in more than thirty languages. The whole name is looked up first, then
// the name without words that only label a value (`Telefon geschäftlich 2` is a phone labeled work).

import { readDataLines, readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { normalForm } from '../../base/normal-form.ts'
import { ADDRESS_FIELDS, type ColumnField, type HeaderTarget } from './column-fields.ts'

/** The meaning of a column name; null when it is unknown. */
export function targetNamed(header: string): HeaderTarget | null {
  const meaning = meaningOf(plainHeader(header))
  if (meaning !== null) return meaning
  const [, name = '', remark = ''] = REMARK.exec(header.slice(0, MAX_HEADER_LENGTH)) ?? []
  if (name === '' || isAboutOthers(remark)) return null
  const named = meaningOf(plainHeader(name))
  return partInRemark(named, remark) ?? named
}

/** `Location (City)` is a city, `Home address (ZIP)` a postal code at home. */
function partInRemark(named: HeaderTarget | null, remark: string): HeaderTarget | null {
  if (named?.field !== 'location' && named?.field !== 'address') return null
  const part = whole(plainHeader(remark))
  if (part === null || !isAddressField(part.field)) return null
  const label = 'label' in named ? named.label : undefined
  return { field: part.field as ColumnField, ...(label !== undefined && { label }) }
}

function isAddressField(field: string): boolean {
  return ADDRESS_FIELDS.some((one) => one === field)
}

function meaningOf(plain: string): HeaderTarget | null {
  if (plain === '') return null
  const known = whole(plain) ?? composed(plain)
  if (known !== null) return known
  const shorter = withoutQuestion(withoutOwner(withoutAddress(plain)))
  return shorter === plain ? null : (whole(shorter) ?? composed(shorter))
}

/** `Mobile no. (with area code)`, `手機（台灣）` */
const REMARK = /^([^([（]*[^([（\s])\s*[([（]([^)\]）]*)[)\]）]\s*$/u

/** Whether a remark says that the values are those of another person or a company: `Phone (emergency contact)`. */
function isAboutOthers(remark: string): boolean {
  const plain = plainHeader(remark)
  return (
    namesOthers(plain) ||
    plain.split(' ').some((word) => OTHER_FIELDS.has(whole(word)?.field ?? ''))
  )
}

const OTHER_FIELDS: ReadonlySet<string> = new Set(['name', 'company', 'relation'])

/** The label if a name has nothing else, such as `work` for `Ufficio 2`. */
export function labelNamed(plain: string): string | undefined {
  const { labels: known } = labelWords()
  const labels = plain.split(' ').flatMap((word) => known.get(word) ?? [])
  const others = plain.split(' ').filter((word) => !known.has(word) && !/^\d{1,2}$/.test(word))
  return others.length === 0 ? labels[0] : undefined
}

/** How many known column names a text has in its first lines; only names that are not ASCII count. */
export function countKnownColumns(text: string): number {
  let known = 0
  for (const line of text.split(/[\r\n]+/, 3))
    for (const cell of line.split(/[,;\t|]/, 200)) {
      const bare = cell.replaceAll('"', '').trim()
      if (/\P{ASCII}/u.test(bare) && targetNamed(bare) !== null) known++
    }
  return Math.min(known, MAX_COUNTED)
}

const MAX_COUNTED = 5

/**
 * Lower-case words without accents, marks and camel case: `Phone 1 – Value` becomes `phone 1 value`, and `Birthdate__c` of
 * Salesforce `birthdate`.
 */
export function plainHeader(header: string): string {
  const spaced = normalForm(header.slice(0, MAX_HEADER_LENGTH), 'NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  const unaccented = normalForm(spaced, 'NFD').replace(/[\u0300-\u036f]/g, '')
  return normalForm(unaccented, 'NFC')
    .replace(/[đðłøıßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/\u02bc/g, ' ')
    .replace(AIRTABLE_LOOKUP, '')
    .replace(/(?<=\S)__c$/, '')
    .replace(/[^\p{L}\p{N}\p{M}#]+/gu, ' ')
    .trim()
}

/** Letters that Unicode does not decompose, as people write them without the marks. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** Airtable names a column with values of linked records `Company (from Companies)`. */
const AIRTABLE_LOOKUP = /(?<=\S) \(from [^()]+\)$/

const MAX_HEADER_LENGTH = 100 // characters

/** Pipedrive writes `Person - Name`, Attio `Name > First name`, other tools `Contact: Name` and `Invitee Name`. */
function withoutOwner(plain: string): string {
  return plain.replace(OWNER, '')
}

const OWNER =
  /^(?:person|people|contact|lead|customer|invitee|attendee|participant|registrant|member|employee|subscriber|student|volunteer|donor|candidate|name(?= (?:first|last|full) name$)) (?!number$|account$|no$)(?=.)/

/** Pipedrive has columns such as `House number of Postal address`. */
function withoutAddress(plain: string): string {
  return plain.replace(/(?<=.) of (?:postal |mailing )?address$/, '')
}

/** Forms ask `What is your full name?` and `Which company do you work for?`. */
function withoutQuestion(plain: string): string {
  return plain
    .replace(
      /^(?:please )?(?:(?:enter|provide|what is|what s|when is|which is) )?(?:your|the) (?=.)/,
      '',
    )
    .replace(/^(?:what|which) (.+) do you (?:work (?:for|at)|have)$/, '$1')
}

function whole(plain: string): HeaderTarget | null {
  return columnNames().get(plain) ?? null
}

/** The meaning of the words that remain without labels, numbers and filler words. */
function composed(plain: string): HeaderTarget | null {
  const { labels } = labelWords()
  const words = plain.split(' ').flatMap(splitCompound)
  let label: string | undefined
  let number: number | undefined
  const rest: string[] = []
  for (const word of words) {
    if (/^\d{1,2}$/.test(word)) number ??= Number(word)
    else if (labels.has(word)) label ??= labels.get(word)
    else rest.push(word)
  }
  const found = meaningOfWords(rest)
  if (found?.field === 'technical' && label === undefined) return found
  if (found !== null && words.includes('id') && !TAKES_ID.has(found.field)) return null
  if (found === null || !TAKES_LABEL.has(found.field)) {
    // `Name 2` is not known, but `Street 2` is.
    return null
  }
  const own = 'label' in found ? found.label : undefined
  const combined =
    own !== undefined && label !== undefined && own !== label ? `${label} ${own}` : (own ?? label)
  return {
    field: found.field as ColumnField,
    ...(combined !== undefined && { label: combined }),
    ...(number !== undefined && { number }),
  }
}

function meaningOfWords(words: readonly string[]): HeaderTarget | null {
  const { articles, fillers } = labelWords()
  for (const left of [NONE, articles, fillers]) {
    const bare = words.filter((word) => !left.has(word)).join(' ')
    const known = whole(bare)
    if (known !== null) return known
  }
  return null
}

const NONE: ReadonlySet<string> = new Set()

/** `Email ID` is an email address, but `Reports to ID` is no person. */
const TAKES_ID: ReadonlySet<string> = new Set(['email', 'handle'])

/** Names that can have a label or a number. */
const TAKES_LABEL: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'url',
  'handle',
  'address',
  ...ADDRESS_FIELDS,
  'location',
  'date',
  'relation',
  'tags',
])

const NUMBERED_WORD = /^(\p{L}{3,}?)(\d{1,2})$/u

/** `商务地址` is `商务` (work) and `地址` (address); `werkadres` is `werk` and `adres`; `street2` is `street` and `2`. */
function splitCompound(word: string): readonly string[] {
  const [, name, number] = NUMBERED_WORD.exec(word) ?? []
  if (name !== undefined && number !== undefined && !columnNames().has(word)) return [name, number]
  for (const [part, label] of labelWords().compounds) {
    if (word.length > part.length && word.startsWith(part) && !columnNames().has(word))
      return [label, word.slice(part.length).replace(/^の/, '')]
  }
  return [word]
}

const columnNames = lazy((): ReadonlyMap<string, HeaderTarget> => {
  const table = new Map<string, HeaderTarget>()
  for (const [target, names] of readDataLines(dataFile('column-names.txt')).map(namesOf)) {
    const [field = '', label] = target.split(':')
    const [of, isPart] = field.split('_part')
    const meaning = (
      isPart === undefined
        ? { field, ...(label !== undefined && { label }) }
        : { field: 'date_part', of, part: label }
    ) as HeaderTarget
    for (const name of names) {
      const plain = plainHeader(name)
      if (!table.has(plain)) table.set(plain, meaning)
    }
  }
  const { articles } = labelWords()
  const complete = [...table]
  for (const [name, meaning] of complete) {
    const bare = name.split(' ').filter((word) => !articles.has(word))
    if (bare.length > 1 && !table.has(bare.join(' '))) table.set(bare.join(' '), meaning)
  }
  return table
})

interface LabelWords {
  readonly labels: ReadonlyMap<string, string>
  readonly articles: ReadonlySet<string>
  /** The articles and other words that say nothing. */
  readonly fillers: ReadonlySet<string>
  /** Labels that are written as one word with the name they label. */
  readonly compounds: readonly (readonly [part: string, label: string])[]
}

const labelWords = lazy((): LabelWords => {
  const sections = readDataSections(dataFile('label-names.txt'))
  const wordsOf = (section: string) =>
    (sections.get(section) ?? []).flatMap((line) => line.split(' '))
  const articles = wordsOf('article')
  return {
    labels: new Map(
      (sections.get('label') ?? [])
        .map(namesOf)
        .flatMap(([label, names]) => names.map((name) => [plainHeader(name), label] as const)),
    ),
    articles: new Set(articles),
    fillers: new Set([...articles, ...wordsOf('filler')]),
    compounds: (sections.get('compound') ?? []).map((line) => {
      const [part = '', label = ''] = line.split(' ')
      return [part, label]
    }),
  }
})

/** `email:home = private email | personal email` */
function namesOf(line: string): readonly [meaning: string, names: readonly string[]] {
  const [meaning = '', names = ''] = line.split(' = ')
  return [meaning, names.split(' | ')]
}

function dataFile(name: string): URL {
  return new URL(`data/${name}`, import.meta.url)
}

type NameSet =
  | 'linkedin'
  | 'outlook'
  | 'honorific'
  | 'english'
  | 'child'
  | 'other people'
  | 'house number'
  | 'guest'

/** Whether a name of a column is in a section of `data/header-sets.txt`. */
export function isNameOf(set: NameSet, plain: string): boolean {
  return nameSets().get(set)?.has(plain) === true
}

const nameSets = lazy(
  () =>
    new Map(
      Array.from(readDataSections(dataFile('header-sets.txt')), ([set, lines]) => [
        set,
        new Set(lines.flatMap((line) => line.split(' | ')).map(plainHeader)),
      ]),
    ),
)

/** Whether a name of a column says that the values are those of someone else. */
export function namesOthers(plain: string): boolean {
  return plain.split(' ').some((word) => isNameOf('other people', word))
}
