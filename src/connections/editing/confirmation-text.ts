/** Names of connections in a question to the person whose agent is about to delete or merge them. */

import { resolvePeople } from './require-connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** Names listed in full; the rest are counted. */
const MAX_NAMES = 3
/** Characters of one name. */
const MAX_NAME_LENGTH = 80

/** `Ada Lovelace, Grace Hopper, Alan Turing and 2 more`; undefined if none of them exists. */
export async function listNames(
  reader: MemberReader,
  people: readonly string[],
): Promise<string | undefined> {
  const resolved = await resolvePeople(reader, people, { wholeNames: true })
  const found = resolved.flatMap(({ connection }) => connection ?? [])
  if (found.length === 0) return undefined
  const names = found.slice(0, MAX_NAMES).map(({ name }) => shorten(name))
  const more = found.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : joinNames(names)
}

/** A name that fits in a question. */
export function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  return `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`
}

function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
