/** A word of a query, and the terms of the index that match it. */

import type { LatinPattern } from '../../identity/latin-patterns.ts'
import type { StemForms } from '../questions/word-forms.ts'

/**
 * How a word is matched by something other than itself. Matches without one are complete: the word as typed, its beginning,
 * another inflection or spelling of it, or a nickname.
 *
 * - `spelling`: a typo, or a word that sounds alike.
 * - `letters`: a name in other letters, if many names are written so: 李娜 for Lina, or any in a change by where.
 * - `ending`: a name without the last letter: `Piotr` for `piotrs`.
 * - `initial`: an initial in a name for the whole word, or the initials of a name or a company for all of it.
 * - `longer`: a word that begins with a proper noun, or with any word of a change of everyone who matches.
 * - `beginning`: a longer word of a name, beside a whole word of that name; or a name in a script without spaces of which the
 *   query has only a part.
 * - `noted`: a word of a person's name, only in a note about another person of whose name the query has a word.
 * - `named`: the name of a person who is not asked for: Mila for `Mila's teacher`.
 * - `part`: a part of the word, or a word of which it is a part.
 * - `synonym`: other words for it, in any language.
 * - `place`: a place that is in it, or its name in another language.
 * - `related`: something similar.
 * - `elsewhere`: the name of an employer, in a field that names no employer.
 * - `employer`: a place or the name of a person, only in the name of a company.
 * - `former`: an employer or a title, only in a former position.
 */
export type Guess =
  | 'spelling'
  | 'letters'
  | 'ending'
  | 'initial'
  | 'longer'
  | 'beginning'
  | 'noted'
  | 'named'
  | 'part'
  | 'synonym'
  | 'place'
  | 'related'
  | 'elsewhere'
  | 'employer'
  | 'former'

/** People who have only these do not have the word, in any spelling or language. */
export const VAGUE_GUESSES: ReadonlySet<Guess | undefined> = new Set<Guess>(['part', 'related'])

/** In a name, these count only for people who have every other word of the query, too. */
export const NAME_GUESSES: ReadonlySet<Guess | undefined> = new Set<Guess>(['spelling', 'initial'])

export interface QueryWord {
  /** The normalized word. */
  readonly text: string
  /** As typed; for messages. */
  readonly typed?: string
  /** Whether it matches only whole words without typos: words that ask, and abbreviations in capitals. */
  readonly isExact?: boolean
  /** Whether it is a single letter that may be the initial of a name: see `judgeNames`. */
  readonly isInitial?: boolean
  /** Whether it stands in a person's name of several words: `Karl` in `Karl Müller`. */
  readonly isPartOfName?: boolean
  /** In a script without spaces: the text that it stands in, which may be a name. */
  readonly part?: string
  /** Whether the query names it as an employer: `at Uber`. */
  readonly isEmployer?: boolean
  /** Whether it is a common noun although it has a capital, as in German. */
  readonly isCommonNoun?: boolean
  /** Whether it stands after a word such as `in`, and so names no person. */
  readonly isPlace?: boolean
  /** A stop word beside other words: it counts where it matches, but is not required. */
  readonly isOptional: boolean
  /** Whether only people who have it are results: quoted words, emails and phone numbers. */
  readonly isStrict?: boolean
  readonly terms: readonly QueryTerm[]
}

/** What a person has instead of a word of the query. */
export interface GuessedWord {
  readonly word: QueryWord
  readonly guess: Guess
  /** The term of the index; undefined for one of many. */
  readonly found?: string | undefined
}

export interface QueryTerm {
  readonly term: string
  /** See `FACTOR`. */
  readonly factor: number
  /** Whether longer terms that begin with it match, too; of `forms`, those that begin with the word as asked for. */
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
  /** How the term stands for the word, if it is not the word itself. */
  readonly guess?: Guess | undefined
  /** A bit mask of the fields in which it counts; all by default. */
  readonly fields?: number
}
