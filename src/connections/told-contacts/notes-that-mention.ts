/** The notes about others in which a person is mentioned. */

import type { Connection } from '../model/connection.ts'
import { findPresent } from '../model/connection-store.ts'
import { newestNotesOf, type Note } from '../notes/notes.ts'
import { lazy } from '../../base/lazy.ts'
import { excerpt } from '../../search/index/snippet.ts'
import { searchConnections } from '../search/search.ts'
import { MENTION, mentionedIn, personAfter, type MentionedPerson } from './mentions.ts'
import type { IndexReader } from '../search/index/network-index.ts'
import type { MemberReader } from '../../db/database.ts'

export interface MentioningNote {
  readonly note: Note
  /** The person that it is about. */
  readonly about: Connection
  /** The sentence of the first mention, cut if it is long. */
  readonly sentence: string
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
    notes.map((note) => [
      note,
      mentionsIn(note.text).filter(({ name: one }) => one.startsWith(first)),
    ]),
  )
  const known = await mentionedIn(
    db,
    [...mentions.values()].flat().map((mention) => `@${mention.name}`),
  )
  const found = notes.flatMap((note) => {
    const meant = mentions
      .get(note)
      ?.find((mention) => personAfter(mention.name, known)?.person.connectionId === connectionId)
    return meant ? { note, sentence: sentenceAt(note.text, meant.index) } : []
  })
  const people = await findPresent(
    db,
    found.map(({ note }) => note.connectionId),
  )
  return found
    .flatMap((one) => {
      const about = people.get(one.note.connectionId)
      return about?.deletedAt === null ? [{ ...one, about }] : []
    })
    .toSorted((one, other) => other.note.createdAt - one.note.createdAt)
    .slice(0, MAX_NOTES)
}

const MAX_PEOPLE = 20
const MAX_READ = 20
const MAX_NOTES = 10

interface Mention {
  readonly name: string
  /** Where it begins in the text. */
  readonly index: number
}

function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(MENTION)].map(({ 0: mention, index }) => ({
    name: mention.slice(1),
    index,
  }))
}

const SENTENCES = lazy(() => new Intl.Segmenter(undefined, { granularity: 'sentence' }))

/** Characters before and after a mention in which its sentence is looked for. */
const NEAR = 300

function sentenceAt(text: string, index: number): string {
  const from = Math.max(0, index - NEAR)
  const near = text.slice(from, index + NEAR)
  const sentence = SENTENCES()
    .segment(near)
    .containing(index - from)
  return excerpt(sentence?.segment ?? near, index - from - (sentence?.index ?? 0))
}
