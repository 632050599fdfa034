/** A word of a query, and the terms of the index that match it. */

import type { LatinPattern } from '../../identity/latin-patterns.ts'
import type { StemForms } from '../questions/word-forms.ts'

export interface QueryWord {
  /** As normalized. */
  readonly text: string
  /** A stop word beside other words: it counts where it matches, but is not required. */
  readonly isOptional: boolean
  /** Whether only people who have it are results: quoted words, emails and phone numbers. */
  readonly isStrict?: boolean
  readonly terms: readonly QueryTerm[]
}

export interface QueryTerm {
  readonly term: string
  /** See `FACTOR`. */
  readonly factor: number
  /** Whether longer terms that begin with it match, too. */
  readonly isPrefix?: boolean
  /**
   * The forms of a word that begin with the term, which match instead of the term itself. Not used for a word that is a
   * name in the network.
   */
  readonly forms?: readonly StemForms[]
  /** Latin words that match instead of the term. */
  readonly latin?: LatinPattern
  /** Whether names in other scripts that may be written like the term match instead of it. */
  readonly isLatin?: boolean
  /** Maximum number of typos if nothing else matches. */
  readonly edits?: number
  /** Used only when no connection matches every word otherwise. */
  readonly isWeak?: boolean
  /** Whether it is something related or a part of the word: people who have only this do not have the word. */
  readonly isVague?: boolean
  /** A bit mask of the fields in which it counts; all by default. */
  readonly fields?: number
}
