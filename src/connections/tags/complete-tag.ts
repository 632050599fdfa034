/** Completes a prefix of a tag. Listing tags is free, so empty input returns the most used ones. */

import { normalize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS } from '../../tools/completion.ts'
import { listTags } from './tags.ts'
import type { IndexReader } from '../search/index/network-index.ts'

/** Tags that are searched, most used first. */
const MAX_SEARCHED = 1000

export async function completeTag(db: IndexReader, typed: string): Promise<readonly string[]> {
  const start = normalize(typed.trim())
  const { entries: tags } = await listTags(db, { limit: MAX_SEARCHED })
  const matching = tags.map(({ tag }) => tag).filter((tag) => normalize(tag).startsWith(start))
  return matching.slice(0, MAX_COMPLETIONS)
}
