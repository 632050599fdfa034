/** Words of a written name that are not names: titles, degrees, generations and particles. */

import { fold } from './transliterate.ts'

export type Gender = 'female' | 'male'

export const NAME_TITLES = wordSet(`
  dr prof professor mr mrs ms miss mx sir dame lord lady rev reverend fr father sr sra srta senor senora don dona herr frau
  fraulein hr fru m mme mlle monsieur madame mademoiselle dott dottssa dottoressa dottore ing dipl diplom mag doctor doc
  docteur avv arch geom sig signor signora signora pan pani inz mgr hab dhr mevr mevrouw meneer drs ir mgr judr mudr phdr
  rndr bc capt captain col colonel maj major sgt lt gen general hon rabbi imam sheikh shri smt eng engr adv atty dipling
  univ pd priv doz med phil jur nat rer habil oec vet gospodin gospozha`)

/** Of titles. */
export const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...wordSet(
    `mr sir lord senor don herr hr monsieur m dott dottore sig signor signore pan meneer dhr shri gospodin`,
  )
    .values()
    .map((title) => [title, 'male'] as const),
  ...wordSet(`mrs ms miss dame lady srta senora senorita dona frau fraulein mme mlle madame mademoiselle dottssa dottoressa
    signora pani mevr mevrouw smt gospozha`)
    .values()
    .map((title) => [title, 'female'] as const),
])

/** Titles that are also names or initials; they are titles only with a dot. */
const DOTTED_TITLES = wordSet('m fr sr don gen hon pan col maj med nat phil jur vet eng')

/** Degrees and memberships after a name. */
export const CREDENTIALS = wordSet(`
  phd mba md mph msc bsc cpa cfa pmp esq jd llm rn dds dmd dvm pharmd edd psyd cissp shrm phr sphr acca aca fcca frcs cissp
  csm cspo cfp cpcu pe mpa mfa frm caia obe mbe cbe ccna ccie aia leed rdn bsn msn dnp lcsw scphr gphr bcba`)

/** 1 for Sr., 2 for Jr. or II, and so on. */
export const GENERATIONS: ReadonlyMap<string, number> = new Map([
  ...['sr', 'snr', 'senior', 'pere', 'padre', 'sen', 'st', 'starsi', 'starshiy', 'id', 'idosb'].map(
    (word) => [word, 1] as const,
  ),
  ...'jr jnr junior ii 2nd fils filho hijo jun ml mladsi mladshiy ifj ifjabb'
    .split(' ')
    .map((word) => [word, 2] as const),
  ...['iii', '3rd', 'neto'].map((word) => [word, 3] as const),
  ...['iv', '4th'].map((word) => [word, 4] as const),
])

/** Words between given and family name that people write, omit and capitalize inconsistently. */
export const PARTICLES = wordSet(`
  van von de der den del della di da do dos das du des la le las los el al ul bin ibn ben bint ter ten te zu zum zur vom
  af av y e i het t d l o degli dei dal dalla lo`)

/** `Dr.`, `Prof.Dr.` and `Frau`; some words only with a dot, because they are also names. */
export function isTitle(token: string): boolean {
  const parts = token.split('.').filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => isTitleWord(fold(part), token.includes('.')))
}

function isTitleWord(word: string, hasDot: boolean): boolean {
  const plain = word.replace(/[^\p{L}]/gu, '')
  return NAME_TITLES.has(plain) && (hasDot || !DOTTED_TITLES.has(plain))
}

/** A word as the sets have it: folded, with letters and digits only. */
export function plainWord(token: string): string {
  return fold(token).replace(/[^\p{L}\p{N}]/gu, '')
}

/** Words that are separated by whitespace. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
