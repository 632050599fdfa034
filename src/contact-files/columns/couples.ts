// Splits rows with the names of two people in one cell, such as `Anna & Ben Poe`.

import { hasCompanyWord, isKnownGivenName, isNamePart } from './family-first.ts'
import { isTitle, plainWord } from '../../identity/name-affixes.ts'
import { emailsIn } from '../contact/emails-and-phones.ts'
import { valueOf, type ContactDraft } from '../contact/contact-draft.ts'

interface PersonName {
  readonly prefix: string
  readonly given: string
  readonly family: string
}

/**
 * The people of a row: both of a couple, or the one of the row. A row stays whole if its names are not clearly two, or if it
 * has a value that only one of them can have. Where other rows are couples, one known given name is enough.
 */
export function splitCouple(draft: ContactDraft, areCouples: boolean): readonly ContactDraft[] {
  const { fullName, givenName, familyName, company, birthday, title, connectedOn, details } = draft
  const isOfOne = birthday !== null || connectedOn !== null || title !== '' || details?.middleName
  const hasParts = givenName !== '' && familyName !== ''
  const text = hasParts ? givenName : fullName || givenName || familyName
  if (isOfOne || text === company || text.length > MAX_LENGTH || !AND.test(text)) return [draft]
  const prefixes = partsOf(details?.namePrefix ?? '').map((words) => words.join(' '))
  const isClear = hasParts || areCouples || prefixes.length === 2
  const names = twoNames(text, hasParts ? familyName : '', isClear)
  if (names === undefined) return [draft]
  return names.map((name, at) => {
    const ofRow = prefixes.length === 2 || at === 0 ? (prefixes[at] ?? '') : ''
    return personOf(draft, name, {
      other: names[1 - at] ?? name,
      prefix: isHousehold(ofRow) ? '' : ofRow,
    })
  })
}

function personOf(
  draft: ContactDraft,
  name: PersonName,
  { other, prefix }: { readonly other: PersonName; readonly prefix: string },
): ContactDraft {
  const { details } = draft
  const related = { name: `${other.given} ${other.family}`.trim() }
  return {
    ...draft,
    fullName: '',
    givenName: name.given,
    familyName: name.family,
    emails: draft.emails.filter((email) => !namesOnly(other, name, valueOf(email))),
    details: {
      ...details,
      namePrefix: name.prefix || prefix,
      relations: [...(details?.relations ?? []), related],
    },
  }
}

const MAX_LENGTH = 100 // characters

/** Whether a cell certainly has the names of two people. */
export function isCouple(text: string): boolean {
  return text.length <= MAX_LENGTH && AND.test(text) && twoNames(text, '', false) !== undefined
}

const AND = /[&+/]| (?:and|und|et|y|e|i|en|og|och|és|ja|ve|и|та|і) /u
const AND_WORD = /^(?:[&+/]|and|und|et|y|e|i|en|og|och|és|ja|ve|и|та|і)$/u

/** The words of each part. */
function partsOf(text: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const word of text.replaceAll(/[&+/]/g, ' $& ').split(/\s+/)) {
    if (AND_WORD.test(word)) parts.push([])
    else if (word !== '') parts.at(-1)?.push(word)
  }
  return parts.filter((words) => words.length > 0)
}

/** Undefined if a text is not clearly two names. `isClear`: if only people can have them. */
function twoNames(
  text: string,
  familyName: string,
  isClear: boolean,
): readonly PersonName[] | undefined {
  const [before = '', after, more] = text.split(',')
  if (more !== undefined || hasCompanyWord(`${text} ${familyName}`)) return undefined
  const families = partsOf(familyName || (after === undefined ? '' : before))
  const [one, two, third] = partsOf(after ?? text).map((words) =>
    nameIn(words, families.length > 0),
  )
  if (one === undefined || two === undefined || third !== undefined) return undefined
  const isList = after !== undefined && isKnownGivenName(before.trim())
  if (families.length > 2 || isList || isAmbiguous(one, two)) return undefined
  const shared = two.family
  const names = [
    { ...one, family: families[0]?.join(' ') ?? (one.family || shared) },
    { ...two, family: families.at(-1)?.join(' ') ?? two.family },
  ]
  const areNames = names.every(
    ({ given, family }) => isNamePart(given) && (family === '' || isNamePart(family)),
  )
  const known = names.filter(({ given }) => isKnownGivenName(given.split(' ')[0])).length
  const needed = isClear && names[1]?.family !== '' ? 1 : 2
  return areNames && known >= needed ? names : undefined
}

/** In `Anna Maria & Ben Poe`, the second word can be a given or a family name. */
function isAmbiguous(one: PersonName, two: PersonName): boolean {
  return one.family !== '' && two.family !== '' && isKnownGivenName(one.family)
}

/** Without the family name, which is known, all words are given names. */
function nameIn(words: readonly string[], isGiven: boolean): PersonName {
  const start = words.findIndex((word) => !isTitle(word) && !isHousehold(word))
  const name = start === -1 ? [] : words.slice(start)
  const prefix = words
    .slice(0, words.length - name.length)
    .filter((word) => !isHousehold(word))
    .join(' ')
  const last = isGiven ? name.length : 1
  return { prefix, given: name.slice(0, last).join(' '), family: name.slice(last).join(' ') }
}

/** `Family`, in the languages of most address books. */
export function isHousehold(word: string): boolean {
  return HOUSEHOLD.test(plainWord(word))
}

const HOUSEHOLD =
  /^(?:family|fam|familie|famille|familia|famiglia|familien|familjen|rodzina|rodina|eheleute|ehepaar|household|haushalt|semya)$/

/** Whether the address of an email has the name of one of two people and not that of the other. */
function namesOnly(one: PersonName, other: PersonName, email: string): boolean {
  const [local = ''] = emailsIn(email)[0]?.split('@') ?? []
  const plain = plainWord(local)
  const has = ({ given, family }: PersonName) =>
    [given.split(' ')[0] ?? '', ...(one.family === other.family ? [] : [family])]
      .map(plainWord)
      .some((word) => word.length > 2 && plain.includes(word))
  return has(one) && !has(other)
}
