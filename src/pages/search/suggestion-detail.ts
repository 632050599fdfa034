/** The line below a suggested person: what they do, what they have instead of words, and where they are. */

import { tokenize } from '../../base/tokenize.ts'
import type { SuggestedConnection } from '../../connections/search/search.ts'

type Suggested = Pick<SuggestedConnection, 'name' | 'title' | 'company' | 'location' | 'weaker'>

/** With the place if that is what has a word that was typed. */
export function suggestionDetail(suggested: Suggested, typed: string): string {
  const { name, title, company, location, weaker } = suggested
  const seen = [weaker, title, company].filter((part) => part !== null && part !== undefined)
  const shown = tokenize([name, ...seen].join(' '))
  const isIn = (words: readonly string[], begun: string) =>
    words.some((word) => word.startsWith(begun))
  const placed = tokenize(location ?? '')
  const isTelling = tokenize(typed).some((one) => !isIn(shown, one) && isIn(placed, one))
  return (isTelling ? [...seen, location] : seen).join(' · ')
}
