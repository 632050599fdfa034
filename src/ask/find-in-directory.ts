/** Answers a question in the database, while there is no search index of public profiles: see `profile-index.ts`. */

import { tokenize } from '../base/tokenize.ts'
import { searchEntries } from '../members/directory-index.ts'
import { STOP_WORDS } from '../search/questions/stop-words.ts'
import type { FoundPerson } from './search-profiles.ts'
import type { Database } from '../db/database.ts'

/** Further words of a question are ignored. */
const MAX_WORDS = 12

/** The members with all words of the question, or else those with the most. A last word may be a prefix, as in the directory. */
export async function findInDirectory(
  database: Database,
  question: string,
  limit: number,
): Promise<FoundPerson[]> {
  const asked = [...new Set(tokenize(question))]
  const telling = asked.filter((word) => !STOP_WORDS.has(word))
  const words = (telling.length > 0 ? telling : asked).slice(0, MAX_WORDS)
  const search = async (some: readonly string[]) => {
    const page = { words: some, after: null, limit }
    return searchEntries<{ member_id: number }>(database.anonymous, 'm.member_id', page)
  }
  const all = words.length === 0 ? [] : await search(words)
  if (all.length > 0) return all.map(({ member_id: memberId }) => ({ memberId, score: 100 }))
  const found = (await Promise.all(words.map((word) => search([word])))).flat()
  const byMember = [...Map.groupBy(found, ({ member_id }) => member_id)]
  const most = Math.max(...byMember.map(([, matches]) => matches.length))
  const score = Math.max(1, Math.round((100 * most) / words.length))
  return byMember
    .filter(([, matches]) => matches.length === most)
    .slice(0, limit)
    .map(([memberId]) => ({ memberId, score }))
}
