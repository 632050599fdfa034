// Recognizes names whose family name comes first: `Ravn, Otto`.

import { isGivenName } from '../../identity/given-names.ts'
import { isTitle, nameAffixes, plainWord } from '../../identity/name-affixes.ts'
import { companyKey } from '../../identity/company-name.ts'

interface FamilyFirstName {
  readonly family: string
  readonly given: string
  /** Empty for most names. */
  readonly prefix: string
  readonly suffix: string
}

/** The parts of a name with a comma after the family name; undefined for `Otto Ravn, PhD`, companies and other texts. */
export function familyFirstName(text: string): FamilyFirstName | undefined {
  if (!COMMA.test(text)) return undefined
  const [family = '', names = '', ...suffixes] = text.split(COMMA).map((part) => part.trim())
  const words = names.split(/\s+/)
  const title = words.findIndex((word) => !isTitle(word))
  if (title === -1 || !suffixes.every((suffix) => isSuffix(suffix))) return undefined
  const given = words.slice(title).join(' ')
  const isName = isNamePart(family) && isNamePart(given) && !isSuffix(given, family)
  if (!isName || isCompany(family, given)) return undefined
  return { family, given, prefix: words.slice(0, title).join(' '), suffix: suffixes.join(', ') }
}

/** Whether the given name is known or the family name starts with `van`, so that a single name of this form is clear. */
export function isClear({ family, given }: FamilyFirstName): boolean {
  const [start = '', ...others] = family.split(/\s+/)
  const hasParticle = others.length > 0 && nameAffixes().particles.has(start)
  return (isKnownGivenName(given.split(' ')[0]) || hasParticle) && !isWholeName(given)
}

/** The parts of a name of two words with the family name first; undefined if the first one is a known given name. */
export function familyFirstWords(text: string): FamilyFirstName | undefined {
  const [family = '', given = '', ...others] = text.trim().split(/\s+/)
  const isName = given !== '' && others.length === 0 && isNamePart(family) && isNamePart(given)
  return isName && !isKnownGivenName(family) ? { family, given, prefix: '', suffix: '' } : undefined
}

/** Whether most names of a column have the family name first. */
export function isFamilyFirstColumn(cells: readonly string[]): boolean {
  const names = cells.filter((text) => text.trim() !== '')
  const found = names.map(familyFirstName).filter((name) => name !== undefined)
  if (found.length < MIN_NAMES || found.length < names.length * MOST) return false
  // Odoo writes `Northwind, Mira Holt`.
  return found.filter(({ given }) => isWholeName(given)).length < found.length / 2
}

const MIN_NAMES = 2
const MOST = 0.6 // of the cells that are not empty

const COMMA = /[,،，]/

/** One to four words of letters. */
export function isNamePart(text: string): boolean {
  const words = text.split(/\s+/)
  return words.length <= 4 && words.every((word) => NAME_WORD.test(word))
}

const NAME_WORD = /^['’]?\p{L}[\p{L}\p{M}'’ʼ`.-]*$/u

/** `Jr.`, `PhD` or `MBA`: what is in capitals, unless the rest of the name is. */
export function isSuffix(text: string, before = ''): boolean {
  return text.split(/[\s/]+/).every((word) => {
    const plain = plainWord(word)
    if (nameAffixes().generations.has(plain) || nameAffixes().credentials.has(plain)) return true
    const isDegree = /^\p{Lu}\p{Ll}?(?:\.?\p{Lu})+\.?$|^\p{Lu}\p{Ll}{0,2}\.\p{L}.*\.$/u.test(word)
    return isDegree && !/^[\p{Lu}\P{L}]+$/u.test(before)
  })
}

/** `Acme, Inc.` and `Charité, Klinik für Chirurgie`. */
function isCompany(family: string, given: string): boolean {
  if (companyKey(`Acme ${given}`) === 'acme') return true
  return hasCompanyWord(`${family} ${given}`)
}

export function hasCompanyWord(text: string): boolean {
  return text.split(/[\s-]+/).some((word) => COMPANY_WORDS.test(plainWord(word)))
}

const COMPANY_WORDS =
  /^(?:inc|llc|ltd|gmbh|corp|company|bank|banco|banque|universit\p{L}*|university|hochschule|college|school|schule|ecole|escuela|scuola|hotel|restaurant|ristorante|restaurante|hospital|hopital|ospedale|klinik\p{L}*|clinic|clinica|clinique|praxis|apotheke|pharmacy|pharmacie|farmacia|kanzlei|stiftung|foundation|fondation|fundacion|fondazione|verein|association|asociacion|associazione|institut\p{L}*|instituto|istituto|ministr\p{L}*|ministerio|ministerium|departm\p{L}*|departamento|abteilung|office|bureau|buro|team|support|service|services|servicios|servizi|solutions|consulting|group|gruppe|groupe|grupo|gruppo|holding|studio|museum|church|kirche|eglise|iglesia|chiesa|partner|partners|sons|sohne|brothers|bros)$/u

/** Whether a text has a given and another name: `Mira Holt`, but not `Mira Anne` or `Mira J.` */
function isWholeName(text: string): boolean {
  const words = text.split(/\s+/)
  const last = words.at(-1) ?? ''
  return words.length > 1 && !isKnownGivenName(last) && plainWord(last).length > 1
}

export function isKnownGivenName(word = ''): boolean {
  return word.split('-').some((part) => isGivenName(plainWord(part)))
}
