/** Words of a written name that are not names: titles, degrees, generations and particles. */

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { fold } from './scripts/transliterate.ts'

export type Gender = 'female' | 'male'

interface NameAffixes {
  readonly titles: ReadonlySet<string>
  /** Titles that are also names or initials; they are titles only with a dot. */
  readonly dottedTitles: ReadonlySet<string>
  /** Genders of titles. */
  readonly genders: ReadonlyMap<string, Gender>
  /** Degrees and memberships after a name. */
  readonly credentials: ReadonlySet<string>
  /** 1 for Sr., 2 for Jr. or II, and so on. */
  readonly generations: ReadonlyMap<string, number>
  /** The same beside a name, where other words are names: `Giuseppe Conti (father)`. */
  readonly relatives: ReadonlyMap<string, number>
  /** Words between given and family name that people write, omit and capitalize inconsistently. */
  readonly particles: ReadonlySet<string>
}

const linesOf = wordLinesOf(new URL('data/name-affixes.txt', import.meta.url))

/** The words of `data/name-affixes.txt`. */
export const nameAffixes = lazy((): NameAffixes => ({
  titles: new Set(linesOf('title').flat()),
  dottedTitles: new Set(linesOf('title with a dot').flat()),
  genders: meanings({ 'male title': 'male', 'female title': 'female' }),
  credentials: new Set(linesOf('credential').flat()),
  generations: meanings({
    'generation 1': 1,
    'generation 2': 2,
    'generation 3': 3,
    'generation 4': 4,
  }),
  relatives: meanings({ 'generation 1': 1, father: 1, 'generation 2': 2, son: 2 }),
  particles: new Set(linesOf('particle').flat()),
}))

/** The words of sections with what they mean. */
function meanings<Meaning>(
  sections: Readonly<Record<string, Meaning>>,
): ReadonlyMap<string, Meaning> {
  return new Map(
    Object.entries(sections).flatMap(([section, meaning]) =>
      linesOf(section)
        .flat()
        .map((word) => [word, meaning] as const),
    ),
  )
}

/** `Dr.`, `Prof.Dr.` and `Frau`; some words only with a dot, because they are also names. */
export function isTitle(token: string): boolean {
  const parts = token.split('.').filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => isTitleWord(fold(part), token.includes('.')))
}

function isTitleWord(word: string, hasDot: boolean): boolean {
  const plain = word.replace(/[^\p{L}]/gu, '')
  const { titles, dottedTitles } = nameAffixes()
  return titles.has(plain) && (hasDot || !dottedTitles.has(plain))
}

/** A word as the sets have it: folded, with letters and digits only. */
export function plainWord(token: string): string {
  return fold(token).replace(/[^\p{L}\p{N}]/gu, '')
}

/** Words that are separated by whitespace. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
