/** The line beside a suggested person: what they do, and why they are found if the name does not tell. */

import { tokenize } from '../../base/tokenize.ts'
import { t } from '../../languages/message.ts'
import { plainNote } from '../../connections/notes/note-text.page.ts'
import type { Listed } from '../../connections/model/connection.ts'
import { withoutSmallWords } from './small-words.ts'

interface Suggested extends Pick<Listed, 'name' | 'title' | 'company' | 'location'> {
  /** What they have instead of words, such as another spelling. */
  readonly weaker?: string | undefined
  readonly tags?: readonly string[]
  /** The part of a note or a detail that matches. */
  readonly snippet?: string | undefined
}

/** With the place, the tag or the part of a note that has a word that was typed. */
export function suggestionDetail(suggested: Suggested, typed: string): string {
  const { name, title, company, location, weaker, tags = [], snippet } = suggested
  const work = [title, company].filter((part) => part !== null)
  const seen = weaker === undefined ? work : [weaker, ...work]
  const missing = withoutBegun(withoutSmallWords(tokenize(typed)), [name, ...seen].join(' '))
  const isTelling = (text: string) => withoutBegun(missing, text).length < missing.length
  if (location !== null && isTelling(location)) return [...seen, location].join(' · ')
  const tag = tags.find(isTelling)
  if (tag !== undefined) return [t('Tagged {tag}', { tag }), ...seen].join(' · ')
  return snippet !== undefined && isTelling(snippet) ? plainNote(snippet) : seen.join(' · ')
}

/** The words that begin no word of the text. */
function withoutBegun(words: readonly string[], text: string): readonly string[] {
  const shown = tokenize(text)
  return words.filter((begun) => !shown.some((word) => word.startsWith(begun)))
}
