/** Completes a prefix of a tag. Listing tags is free, so empty input returns the most used ones. */

import { normalize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import { listTags } from './tags.ts'

/** Tags that are searched, most used first. */
const MAX_SEARCHED = 1000

export const completeTag: CompleteArgument = async (db, typed) => {
  const start = normalize(typed.trim())
  const { entries: tags } = await listTags(db, { limit: MAX_SEARCHED })
  const matching = tags.map(({ tag }) => tag).filter((tag) => normalize(tag).startsWith(start))
  return matching.slice(0, MAX_COMPLETIONS)
}
