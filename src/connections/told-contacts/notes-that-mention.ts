/** The notes about others in which a person is mentioned. */

import type { Connection } from '../model/connection.ts'
import { findPresent } from '../model/connection-store.ts'
import { newestNotesOf, type Note } from '../notes/notes.ts'
import { searchConnections } from '../search/search.ts'
import { MENTION, mentionedIn, personAfter, type MentionedPerson } from './mentions.ts'
import type { IndexReader } from '../search/index/network-index.ts'
import type { MemberReader } from '../../db/database.ts'

export interface MentioningNote {
  readonly note: Note
  /** The person that it is about. */
  readonly about: Connection
}

/** At most `MAX_NOTES`, newest first, from the people whose notes fit the name best. */
export async function notesThatMention(
  db: MemberReader & IndexReader,
  { connectionId, name }: MentionedPerson,
): Promise<readonly MentioningNote[]> {
  const { connections, matches } = await searchConnections(db, {
    query: { query: name },
    limit: MAX_PEOPLE,
  })
  const ids = connections.flatMap((one, at) =>
    one.connectionId !== connectionId && matches[at]?.fields.includes('notes')
      ? one.connectionId
      : [],
  )
  if (ids.length === 0) return []
  const notes = [...(await newestNotesOf(db, ids, MAX_READ)).values()].flat()
  const [first = name] = name.split(' ')
  const mentions = new Map(
    notes.map((note) => [note, mentionsIn(note.text).filter((one) => one.startsWith(first))]),
  )
  const known = await mentionedIn(
    db,
    [...mentions.values()].flat().map((mention) => `@${mention}`),
  )
  const isMeant = (mention: string) =>
    personAfter(mention, known)?.person.connectionId === connectionId
  const found = notes.filter((note) => mentions.get(note)?.some(isMeant) === true)
  const people = await findPresent(
    db,
    found.map((note) => note.connectionId),
  )
  return found
    .flatMap((note) => {
      const about = people.get(note.connectionId)
      return about?.deletedAt === null ? [{ note, about }] : []
    })
    .toSorted((one, other) => other.note.createdAt - one.note.createdAt)
    .slice(0, MAX_NOTES)
}

const MAX_PEOPLE = 20
const MAX_READ = 20
const MAX_NOTES = 10

function mentionsIn(text: string): string[] {
  return [...text.matchAll(MENTION)].map(([mention]) => mention.slice(1))
}
