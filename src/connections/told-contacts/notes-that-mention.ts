/** The notes about others in which a person is mentioned. */

import type { Connection } from '../model/connection.ts'
import { findPresent } from '../model/connection-store.ts'
import { notesContaining, type Note } from '../notes/notes.ts'
import { lazy } from '../../base/lazy.ts'
import { excerpt } from '../../search/index/snippet.ts'
import { MENTION, mentionedIn, personAfter, type MentionedPerson } from './mentions.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'

export interface MentioningNote {
  readonly note: Note
  /** The person that it is about. */
  readonly about: Connection
  /** The sentence of the first mention, cut if it is long. */
  readonly sentence: string
}

/** At most `MAX_NOTES`, newest first. A mention begins with the person's first name as it is written. */
export async function notesThatMention(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  { connectionId, name }: MentionedPerson,
): Promise<readonly MentioningNote[]> {
  const [first = name] = name.split(' ')
  const asked = { text: `@${first}`, except: connectionId, limit: MAX_READ }
  const notes = await notesContaining(db, asked)
  if (notes.length === 0) return []
  const mentions = notes.map((note) => ({
    note,
    named: mentionsIn(note.text).filter(({ name: one }) => one.startsWith(first)),
  }))
  const known = await mentionedIn(
    db,
    mentions.flatMap(({ named }) => named.map((mention) => `@${mention.name}`)),
  )
  const found = mentions.flatMap(({ note, named }) => {
    const meant = named.find(
      (mention) => personAfter(mention.name, known)?.person.connectionId === connectionId,
    )
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
    .slice(0, MAX_NOTES)
}

const MAX_READ = 40
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
