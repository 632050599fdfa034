/** What relations are called: words for the same kind, and what a person is in return. */

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'

interface RelationKind {
  readonly kind: string
  readonly inverse: string
}

/** By normalized word. */
const kinds = lazy(() => {
  const lines = readDataLines(new URL('data/relation-kinds.txt', import.meta.url))
  return new Map(
    lines.flatMap((line) => {
      const [kind = '', rest = ''] = line.split(' = ')
      const [inverse = '', words = ''] = rest.split(' | ')
      const entry: RelationKind = { kind, inverse: inverse.trim() }
      return [kind, ...words.split(', ')].flatMap((word) =>
        word === '' ? [] : [[word, entry] as const],
      )
    }),
  )
})

/** The kind of a relation: `child` for `Daughter`. A word that is not known is its own kind. */
export function relationKind(relation: string): string {
  const word = relation.trim().toLowerCase()
  return kinds().get(word)?.kind ?? word
}

/** What the other person is in return: `parent` for `daughter`, and `skipper of` for `skipper`. */
export function inverseRelation(relation: string): string {
  const word = relation.trim()
  const known = kinds().get(word.toLowerCase())
  if (known) return known.inverse
  return word.endsWith(' of') ? word.slice(0, -3) : `${word} of`
}
