/** What a question is about: its words without those that only ask, each in the forms it may stand in on a profile. */

import { tokenize } from '../base/tokenize.ts'

export interface Term {
  /** As it was asked for, folded. */
  readonly word: string
  /** Whole words that mean the same: `engineers`, `engineer`. */
  readonly forms: readonly string[]
  /** How its other forms begin, `engineer…`; undefined for one too short to tell anything. */
  readonly stem: string | undefined
}

/** More words than these no question needs to find somebody. */
const MAX_TERMS = 12

/** A shorter beginning is shared by too many words: `art…` by artists and Arthurs. */
const MIN_STEM_LENGTH = 4

/** Of a question that asks with nothing else (“Who is who?”) all words are terms. */
export function termsOf(question: string): Term[] {
  const asked = [...new Set(tokenize(question))]
  const telling = asked.filter((word) => !ASKING.has(word))
  return (telling.length > 0 ? telling : asked).slice(0, MAX_TERMS).map(termOf)
}

/** How well a word of a profile meets a term, 0 to 1. */
export function termSimilarity({ word, forms, stem }: Term, other: string): number {
  if (other === word) return 1
  if (forms.includes(other)) return 0.95
  return stem !== undefined && other.startsWith(stem) ? 0.85 : 0
}

/** The endings of English plurals, and what stands in their place in one of them. */
const PLURALS: readonly (readonly [ending: RegExp, singular: string])[] = [
  [/(?<=\p{L}{3})ies$/u, 'y'],
  [/(?<=\p{L}{3}(?:s|x|z|ch|sh))es$/u, ''],
  [/(?<=\p{L}{3}[^s])s$/u, ''],
]

/** `engineering` becomes `engineer`; a word of which too little would be left stays as it is: `founder`, `hiring`. */
const DOING = /(?<=\p{L}{4})ing$/u
const DOER = /(?<=\p{L}{6})(?:er|or|ist)$/u

function termOf(word: string): Term {
  const plural = PLURALS.find(([ending]) => ending.test(word))
  const one = plural ? word.replace(...plural) : word
  const root = one.replace(DOING, '').replace(DOER, '')
  // Of `batteries` and `battery` the common beginning is shorter than both.
  const stem = plural?.[1] === 'y' ? one.slice(0, -1) : root
  return {
    word,
    forms: [...new Set([word, one, root])],
    stem: Array.from(stem).length >= MIN_STEM_LENGTH ? stem : undefined,
  }
}

/** Words of a question that tell nothing of whom it is about. */
const ASKING: ReadonlySet<string> = new Set(
  tokenize(`
    a about all am an and any anybody anyone are around as at based be been being best by can companies company contact
    could current currently d did do does doing else employed employee employees expert experts experience experienced
    find for from get give good has have having help helps her hi him his how i id ideally in interested intro introduce
    introduction is it job jobs know knows list live lives living ll located look looking m me meet member members met my
    named near need network of on one or our people person please profile profiles re recommend s search she he should show
    skill skilled skills some somebody someone specialist specialists specialized specializes speak speaks t talk tell
    that the their them there these they this those to us ve want was we were what when where which who whom whose will
    with work worked working works would you your`),
)
