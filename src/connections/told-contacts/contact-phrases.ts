/** The phrases and words of `data/contact-words.txt`, which say that the writer of a note was in contact with people. */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import type { InteractionKind } from '../interactions/interaction-store.ts'

/** A phrase such as `had * lunch with @`; the signs are explained in the file. */
export interface Phrase {
  readonly kind: InteractionKind
  readonly words: readonly (ReadonlySet<string> | Sign)[]
  /** Whether it can also tell of a call that no one answered. */
  readonly isAttempt: boolean
}

const SIGNS = ['@', '*', '^', '$'] as const
type Sign = (typeof SIGNS)[number]

const LISTS = [
  'subjects',
  'openers',
  'perfect',
  'places',
  'doubt',
  'off',
  'unreal',
  'origin',
  'topic',
  'clause',
  'others',
] as const

/** The word lists of a language, which are explained in the file, and its phrases. */
export interface ContactWords extends Readonly<
  Record<(typeof LISTS)[number], ReadonlySet<string>>
> {
  readonly phrases: readonly Phrase[]
  /** The phrases, and others that need not mean that there was a contact: `lunch with @`. */
  readonly hints: readonly Phrase[]
  /** Whether nouns begin with capitals, which are names otherwise. */
  readonly hasCapitals: boolean
}

const KINDS: readonly (readonly [section: string, kind: InteractionKind])[] = [
  ['meeting', 'meeting'],
  ['talk', 'call'],
  ['call', 'call'],
  ['message', 'message'],
]

const sections = lazy(() => readDataSections(new URL('data/contact-words.txt', import.meta.url)))

/** Times of day, which follow a date or a word for `this`. */
export const dayWords = lazy(() => ({
  hours: new Set(sections().get('hours')),
  these: new Set(sections().get('these')),
}))

/** The languages of the file. */
export const languages = lazy((): readonly ContactWords[] => {
  const codes = new Set([...sections().keys()].flatMap((name) => /^(..) /.exec(name)?.[1] ?? []))
  const doubt = [...codes].flatMap((code) => linesIn(code, 'doubt'))
  return [...codes].map((code) => languageOf(code, doubt))
})

function languageOf(code: string, doubt: readonly string[]): ContactWords {
  // Safe: the entries are those of the type.
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, new Set(linesIn(code, list))]),
  ) as unknown as Pick<ContactWords, (typeof LISTS)[number]>
  const ordinary = new Set(linesIn(code, 'ordinary'))
  const phrases = phrasesIn(code, '')
  return {
    ...lists,
    doubt: new Set([...doubt.filter((word) => !ordinary.has(word)), ...lists.doubt]),
    phrases,
    hints: [...phrases, ...phrasesIn(code, 'hinted ')],
    hasCapitals: code === 'de',
  }
}

function linesIn(code: string, section: string): readonly string[] {
  return sections().get(`${code} ${section}`) ?? []
}

function phrasesIn(code: string, prefix: string): Phrase[] {
  return KINDS.flatMap(([section, kind]) =>
    linesIn(code, prefix + section).map((line) => ({
      kind,
      words: line
        .split(' ')
        .map((word) => SIGNS.find((sign) => sign === word) ?? new Set(word.split('|'))),
      isAttempt: section === 'call',
    })),
  )
}
