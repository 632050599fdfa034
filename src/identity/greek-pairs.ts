/** Greek letters that stand for one sound in pairs. Texts are lower-case and composed (NFC). */

/** Each pair with its Latin letters, in this order. */
export type Pairs = readonly (readonly [pair: RegExp, letters: string])[]

/** The only pair that every romanization writes in the same way. */
export const OU: Pairs = [[/ο[υύ]/g, 'ou']]

/**
 * As passports write them (ELOT 743): Ευάγγελος is Evangelos, Ελευθέριος Eleftherios. At the start of a word, μπ, ντ and γκ
 * are b, d and g, as people write them: Μπάμπης, Ντίνος, Γκίκας.
 */
export const PAIRS: Pairs = [
  ...OU,
  [/(?<=[αεη])[υύ](?=[αάεέηήιίοόυύωώβγδζλμνρ])/g, 'v'],
  [/(?<=[αεη])[υύ]/g, 'f'],
  [/(?<!\p{L})μπ/gu, 'b'],
  [/(?<!\p{L})ντ/gu, 'd'],
  [/(?<!\p{L})γκ/gu, 'g'],
  [/γ(?=[γξχ])/g, 'n'],
]

/** Λάμπρος as Labros, Άγγελος as Agelos. */
export const VOICED_PAIRS = withInner({ mp: 'b', nt: 'd', gk: 'g' })

/** Λάμπρος as Lambros, Άγγελος as Angelos. */
export const NASAL_PAIRS = withInner({ mp: 'mb', nt: 'nd', gk: 'ng' })

/** How μπ, ντ, and γκ or γγ are written inside a word. */
interface InnerPairs {
  readonly mp: string
  readonly nt: string
  readonly gk: string
}

function withInner({ mp, nt, gk }: InnerPairs): Pairs {
  return [...PAIRS, [/μπ/g, mp], [/ντ/g, nt], [/nγ|γκ/g, gk]]
}

/** With the Latin letters of the pairs; other letters stay Greek. */
export function withPairs(text: string, pairs: Pairs): string {
  if (!isGreek(text)) return text
  return pairs.reduce((written, [pair, letters]) => written.replace(pair, letters), text)
}

export function isGreek(text: string): boolean {
  return /[\u0370-\u03ff]/.test(text)
}
