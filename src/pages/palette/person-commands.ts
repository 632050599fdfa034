/** A word of an action and the beginning of a name are the action for this person: `log mi`, `edit mia`, `merge mia tom`. */

import { t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { closestFirst, type Closeness } from '../../connections/editing/closest-first.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { face } from '../../html/face.ts'
import { spacedWords, wordsBeside } from './matching-links.ts'
import { MAX_COMMANDED, mergePath, PERSON_ACTIONS } from './palette-actions.ts'
import { namesakeDetails } from '../../connections/people/namesake-details.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PaletteLink } from './palette.page.ts'

/** Words of what is typed that can be a name, and people who are compared by how close they are. */
const [MAX_NAME_WORDS, MAX_COMPARED] = [4, 30]

export async function commandsFor(
  db: MemberDatabase,
  q: string,
  near: Closeness,
): Promise<readonly PaletteLink[]> {
  const asked = PERSON_ACTIONS.map((one) => ({ action: one, rest: wordsBeside(one, q) }))
  const { action, rest } = asked.find((one) => one.rest !== undefined) ?? {}
  const words = rest?.split(' ') ?? []
  if (!action || words.length === 0 || words.length > 2 * MAX_NAME_WORDS) return []
  // At most two searches for each key.
  const named = words.length > MAX_NAME_WORDS ? [] : await peopleNamed(db, words, near)
  const telling = namesakeDetails(named)
  if (named.length > 0)
    return named.map((person, at) => ({
      label: `${t(action.label)}: ${person.name}`,
      face: face(person),
      detail: telling[at] || suggestionDetail(person, ''),
      path: action.path(publicConnectionId(person.connectionId)),
    }))
  if (action.name !== 'merge') return []
  const [person] = await peopleNamed(db, words.slice(0, 1), near)
  if (!person) return []
  const other = words.slice(1).join(' ')
  return [
    {
      label: t('Merge {name} with {other}', { name: person.name, other }),
      path: mergePath(publicConnectionId(person.connectionId), other),
      icon: 'tidy',
    },
  ]
}

async function peopleNamed(db: MemberDatabase, name: readonly string[], near: Closeness) {
  const words = spacedWords(name.join(' '))
  const named = (await suggestConnections(db, name.join(' '), MAX_COMPARED)).filter((one) =>
    words.every((begun) => spacedWords(one.name).some((word) => word.startsWith(begun))),
  )
  return closestFirst(db, named, { ...near, limit: MAX_COMMANDED })
}
