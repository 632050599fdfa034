/** People in the text of a note who are named after an @: `@Rosa`, `@Rosa Luz`, or `@Rosa Luz (c_7)` if several have the name. */

import { findNamedPeople } from '../editing/find-person.ts'
import { publicConnectionId, readConnectionId, type Connection } from '../model/connection.ts'
import { findPresent } from '../model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'

/** A person who a text names. */
export type MentionedPerson = Pick<Connection, 'connectionId' | 'name'>

/** People by the name, or the public ID, that follows the @. A name that several people have is absent. */
export type Mentioned = ReadonlyMap<string, MentionedPerson>

/** Names after an @ that are looked up for a page. */
const MAX_MENTIONS = 40

/** The people that these texts mention, by two lookups. */
export async function mentionedIn(
  reader: MemberReader,
  texts: readonly string[],
): Promise<Mentioned> {
  const names = new Set<string>()
  const ids = new Set<number>()
  for (const text of texts)
    for (const [mention] of text.matchAll(MENTION)) {
      if (names.size + ids.size >= MAX_MENTIONS) break
      const { name, id } = partsOf(mention.slice(1))
      if (id !== undefined) ids.add(readConnectionId(id) ?? 0)
      else for (const part of beginningsOf(name)) names.add(part)
    }
  const found = new Map<string, MentionedPerson>()
  if (ids.size > 0)
    for (const [id, person] of await findPresent(reader, [...ids]))
      if (person.deletedAt === null) found.set(publicConnectionId(id), person)
  if (names.size > 0)
    for (const { text, candidates } of await findNamedPeople(reader, [...names])) {
      const [only, ...others] = candidates.filter(({ deletedAt }) => deletedAt === null)
      if (only && others.length === 0) found.set(text, only)
    }
  return found
}

/** What to write for each of these people: the name alone if it names no one else. */
export async function mentionsOf(
  reader: MemberReader,
  people: readonly MentionedPerson[],
): Promise<readonly string[]> {
  const mentions = people.map(({ name }) => `@${name}`)
  const mentioned = await mentionedIn(reader, mentions)
  return people.map(({ connectionId, name }, at) => {
    const found = personAfter(name, mentioned)
    const isPlain = found?.person.connectionId === connectionId && found.length === name.length
    if (isPlain) return mentions[at] ?? ''
    // Parentheses enclose the ID.
    const id = publicConnectionId(connectionId)
    const shown = name
      .replaceAll(/[\n@()]+/g, ' ')
      .slice(0, MAX_NAME)
      .toWellFormed()
      .trim()
    return `@${shown || id} (${id})`
  })
}

/** Characters of a name before an ID, as in `MENTION`. */
const MAX_NAME = 100

interface MentionParts {
  readonly name: string
  readonly id?: string | undefined
}

function partsOf(mention: string): MentionParts {
  const { name = mention, id } = /^(?<name>.{1,100}) \((?<id>c_\d+)\)$/u.exec(mention)?.groups ?? {}
  return { name, id }
}

/** `Rosa Maria Luz`, `Rosa Maria` and `Rosa`, the longest first, without the end of a sentence and `'s`. */
function beginningsOf(name: string): string[] {
  const words = name.split(' ')
  return words.map((_, at) =>
    words
      .slice(0, words.length - at)
      .join(' ')
      .replace(/(?:['’]s|[.'’-]{1,10})$/, ''),
  )
}

/** The person that a text after an @ names, with the name as written and how much of the text names them. */
export function personAfter(
  mention: string,
  people: Mentioned,
):
  | { readonly person: MentionedPerson; readonly name: string; readonly length: number }
  | undefined {
  const { name, id } = partsOf(mention)
  for (const part of id === undefined ? beginningsOf(name) : [id]) {
    const person = people.get(part)
    if (person && id !== undefined) return { person, name, length: mention.length }
    if (person) return { person, name: part, length: part.length }
  }
  return undefined
}

/**
 * Any name with an ID, or up to four words with a capital letter. It does not follow a letter: an email is no mention.
 */
export const MENTION =
  /(?<![\p{L}\p{N}._-])@(?:[^\n@()]{1,100} \(c_\d{1,9}\)|\p{Lu}[\p{L}\p{M}'’.-]{0,40}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,40}){0,3})/gu
