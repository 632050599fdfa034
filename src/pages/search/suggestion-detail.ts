/** The line beside a suggested person: what they do, and why they are found if the name does not tell. */

import { tokenize } from '../../base/tokenize.ts'
import { t } from '../../languages/message.ts'
import type { SuggestedConnection } from '../../connections/search/search.ts'

type Suggested = Pick<
  SuggestedConnection,
  'name' | 'title' | 'company' | 'location' | 'weaker' | 'tags' | 'snippet'
>

/** With the place, the tag or the part of a note that has a word that was typed. */
export function suggestionDetail(suggested: Suggested, typed: string): string {
  const { name, title, company, location, weaker, tags = [], snippet } = suggested
  const work = [title, company].filter((part) => part !== null)
  const seen = weaker === undefined ? work : [weaker, ...work]
  const missing = withoutBegun(tokenize(typed), [name, ...seen].join(' '))
  const isTelling = (text: string) => withoutBegun(missing, text).length < missing.length
  if (location !== null && isTelling(location)) return [...seen, location].join(' · ')
  const tag = tags.find(isTelling)
  if (tag !== undefined) return [t('Tagged {tag}', { tag }), ...seen].join(' · ')
  return snippet !== undefined && isTelling(snippet) ? snippet : seen.join(' · ')
}

/** The words that begin no word of the text. */
function withoutBegun(words: readonly string[], text: string): readonly string[] {
  const shown = tokenize(text)
  return words.filter((begun) => !shown.some((word) => word.startsWith(begun)))
}
