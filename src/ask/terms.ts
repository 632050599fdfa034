/** The terms of a question: its words without stop words, each with the forms in which a profile may contain it. */

import { tokenize } from '../base/tokenize.ts'

export interface Term {
  /** Normalized, as in the question. */
  readonly word: string
  /** Whole words that mean the same: `engineers`, `engineer`. */
  readonly forms: readonly string[]
  /** The prefix of its other forms, `engineer…`; undefined if it is too short to be useful. */
  readonly stem: string | undefined
}

/** Further words of a question are ignored. */
const MAX_TERMS = 12

/** Too many words share a shorter prefix: `art…` matches artists and Arthurs. Characters. */
const MIN_STEM_LENGTH = 4

/** If a question has only stop words (“Who is who?”), all of them are terms. */
export function termsOf(question: string): Term[] {
  const words = [...new Set(tokenize(question))]
  const meaningful = words.filter((word) => !STOP_WORDS.has(word))
  return (meaningful.length > 0 ? meaningful : words).slice(0, MAX_TERMS).map(termOf)
}

/** How well a word of a profile matches a term, 0 to 1. */
export function termSimilarity({ word, forms, stem }: Term, other: string): number {
  if (other === word) return 1
  if (forms.includes(other)) return 0.95
  return stem !== undefined && other.startsWith(stem) ? 0.85 : 0
}

/** The endings of English plurals, and the singular endings that replace them. */
const PLURALS: readonly (readonly [ending: RegExp, singular: string])[] = [
  [/(?<=\p{L}{3})ies$/u, 'y'],
  [/(?<=\p{L}{3}(?:s|x|z|ch|sh))es$/u, ''],
  [/(?<=\p{L}{3}[^s])s$/u, ''],
]

/** `engineering` becomes `engineer`. Words that would become too short stay unchanged: `founder`, `hiring`. */
const DOING = /(?<=\p{L}{4})ing$/u
const DOER = /(?<=\p{L}{6})(?:er|or|ist)$/u

function termOf(word: string): Term {
  const plural = PLURALS.find(([ending]) => ending.test(word))
  const one = plural ? word.replace(...plural) : word
  const root = one.replace(DOING, '').replace(DOER, '')
  // The common prefix of `batteries` and `battery` is shorter than both.
  const stem = plural?.[1] === 'y' ? one.slice(0, -1) : root
  return {
    word,
    forms: [...new Set([word, one, root])],
    stem: Array.from(stem).length >= MIN_STEM_LENGTH ? stem : undefined,
  }
}

/** Words of a question that do not describe a person. */
// prose-ok: a word list
const STOP_WORDS: ReadonlySet<string> = new Set(
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
