/** What a question to a member's network says, as data for a search. */

import type { ConceptTerm } from './concept-terms.ts'
import type { Alternative, SearchField } from './expand-word.ts'

/** The words of the member's own network: decides what is a name, a company or a tag. */
export interface Vocabulary {
  /**
   * Whether one connection has all of these normalized words, or terms of initials, in the field. `detail` has the former
   * companies.
   */
  has(field: 'name' | 'company' | 'tag' | 'detail', words: readonly string[]): boolean
}

export interface QuestionContext {
  /** Milliseconds since 1970-01-01T00:00:00Z; relative dates count from here. */
  readonly now: number
  /** IANA name; decides which date is today. UTC unless given. */
  readonly timeZone?: string
  /** Without it, no word of the question is known as a name, company or tag. */
  readonly vocabulary?: Vocabulary
}

/**
 * A search matches `words` as usual, each in any field; a facet is met by any of its alternatives in one of its fields,
 * or by its asked words in any field. A connection that fails a filter is no answer; one that fails a boost ranks lower.
 * Without words and filters, an answer must meet at least one boost.
 */
export interface UnderstoodQuestion {
  /** What is left to search for as the member typed it: emails, phone numbers and URLs are whole. */
  readonly text: string
  /** The normalized words of `text`. */
  readonly words: readonly string[]
  /** The normalized words that only ask, such as `who knows about`; empty if they also say when, or that something is past. */
  readonly asking: readonly string[]
  /** Of `words`, those that are no subject of their own: the verb after `who`, and what someone is wanted for. */
  readonly incidental: readonly string[]
  readonly facets: readonly Facet[]
  readonly dates: readonly DateFacet[]
  /** Always filters. */
  readonly presence: readonly PresenceFacet[]
  /** Always filters: people with any of these are no answer. */
  readonly excluded: readonly ExcludedFacet[]
}

/** What a person has, or lacks. */
export interface PresenceFacet {
  readonly what: 'email' | 'phone' | 'note' | 'tag'
  readonly isMissing: boolean
}

export interface ExcludedFacet {
  readonly field: 'company' | 'title' | 'location'
  /** The normalized words of the question; the initials of a company as their term. */
  readonly asked: readonly string[]
  /** The terms of `conceptTermsOf`; empty for a company. */
  readonly terms: readonly ConceptTerm[]
}

export type FacetKind =
  | 'title'
  | 'topic'
  | 'location'
  | 'tag'
  | 'company'
  /** A company where the person no longer works: in notes, and not in the company field. */
  | 'former-company'
  /** What the member plans to do: in open follow-ups. */
  | 'follow-up'
  /** Where the member met the person: in notes and tags. */
  | 'event'

export interface Facet {
  readonly kind: FacetKind
  /** The normalized words of the question; the initials of a company as their term. */
  readonly asked: readonly string[]
  /** Best first; what was asked for has weight 1: one phrase, or several in `Milan or New York`. */
  readonly alternatives: readonly Alternative[]
  /** The same as terms of `conceptTermsOf`, for an index that has them; empty if the thesaurus does not know `asked`. */
  readonly terms: readonly ConceptTerm[]
  /** Where alternatives count. `asked` also counts anywhere else, with less weight. */
  readonly fields: readonly SearchField[]
  readonly effect: 'filter' | 'boost'
  /** Whether it says what someone is wanted for, such as `a seed round` after `for`, and not what they do. */
  readonly isPurpose?: boolean
}

/**
 * Days as YYYY-MM-DD; each end is optional, at least one is present. Of birthdays and anniversaries, both are present as MM-DD, and if `to`
 * is not after `from`, the range includes the end of the year. Always a filter.
 */
export interface DateFacet {
  /**
   * `last-interaction`: the newest note or interaction, where a connection without any passes too; `interaction`: any of
   * them; `connected`: the date connected; `met`: any of
   * them, or for a connection without any, the date connected.
   */
  readonly about:
    | 'last-interaction'
    | 'interaction'
    | 'connected'
    | 'met'
    | 'birthday'
    | 'anniversary'
  /** Inclusive. */
  readonly from?: string
  /** Exclusive. */
  readonly to?: string
}
