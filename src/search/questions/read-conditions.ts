/** The conditions of a question to a member's network: dates, what people must have or lack, and who is left out. */

import { dayInZone } from '../../dates/time-zone.ts'
import { lazy } from '../../base/lazy.ts'
import {
  readExclusions,
  readPresence,
  type ExcludedFacet,
  type PresenceFacet,
} from './exclusions.ts'
import { questionTokens, restOf } from './phrases.ts'
import { readQuestionDates, type DateFacet } from './question-dates.ts'

export interface QuestionContext {
  /** Milliseconds since 1970-01-01T00:00:00Z; relative dates count from here. */
  readonly now: number
  /** IANA name; decides which date is today. UTC unless given. */
  readonly timeZone?: string | undefined
  /** Whether someone in the network has all of these normalized words in the field. */
  readonly has: (field: 'name' | 'company', words: readonly string[]) => boolean
}

export interface Conditions {
  /** What is left to search for, as the member typed it. */
  readonly rest: string
  readonly dates: readonly DateFacet[]
  readonly presence: readonly PresenceFacet[]
  readonly excluded: readonly ExcludedFacet[]
}

/** The name of a person or a company passes through unchanged. */
export function readConditions(
  text: string,
  { now, timeZone = 'UTC', has }: QuestionContext,
): Conditions {
  const tokens = questionTokens(text)
  const plain = { rest: text, dates: [], presence: [], excluded: [] }
  if (tokens.words.length === 0) return plain
  const presence = readPresence(tokens)
  const excluded = readExclusions(tokens, (words) => has('company', words))
  const dates = readQuestionDates(
    tokens,
    lazy(() => dayInZone(timeZone, now)),
  )
  if (presence.length + excluded.length + dates.length === 0) return plain
  const isName =
    has('name', tokens.words) || (tokens.words.length > 1 && has('company', tokens.words))
  return isName ? plain : { rest: restOf(tokens), dates, presence, excluded }
}
