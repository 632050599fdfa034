/**
 * `Clara's dad`, `who introduced me to Ben`: the connections with that relation to the person in the query, or to the member,
 * as in `my sister's phone`. Relations are read from both sides, so it does not matter whose record has them.
 */

import { tokenize } from '../../../base/tokenize.ts'
import { kinTerm } from '../../../search/questions/kinship.ts'
import { findOwnPeople, ownWord } from '../../editing/own-people.ts'
import { findPresent } from '../../model/connection-store.ts'
import { linkedRelations } from '../../relations/linked-relations.ts'
import { relationKind } from '../../../contact-files/contact/relation-kinds.ts'
import type { MemberReader } from '../../../db/database.ts'

/** People of the first results whose relations are read. */
const MAX_NAMED = 3

/** Their IDs, if the query asks for a relative or an introduction. `found` are the results of its words, best first. */
export async function askedRelatives(
  reader: MemberReader,
  query: string,
  found: readonly number[],
): Promise<readonly number[]> {
  const words = tokenize(query)
  const asked = words.filter((word) => kinTerm(word) !== undefined)
  const others = new Set(words.filter((word) => !asked.includes(word)))
  if (asked.length === 0 || others.size === 0) return []
  const ownWords = asked.flatMap(
    (word) => ownWord(`${words[words.indexOf(word) - 1] ?? ''} ${word}`) ?? [],
  )
  const relatives = [...(await findOwnPeople(reader, ownWords)).values()].flat()
  const people = [...(await findPresent(reader, found)).values()]
  const named = people.filter(({ name }) => tokenize(name).some((word) => others.has(word)))
  for (const person of named.slice(0, MAX_NAMED)) {
    // `Anna Berg, partner` may be her title, and `Mann` a name.
    const own = tokenize(`${person.name} ${person.title ?? ''}`)
    const kinds = new Set(asked.filter((word) => !own.includes(word)).map(kinTerm))
    if (kinds.size === 0) continue
    for (const { connectionId, relation = '' } of await linkedRelations(reader, person))
      if (connectionId !== undefined && kinds.has(kindOfRelation(relation)))
        relatives.push(connectionId)
  }
  return [...new Set(relatives)]
}

/** The first word of `uncle or aunt` tells the kind. */
function kindOfRelation(relation: string): string | undefined {
  const [first = ''] = tokenize(relationKind(relation))
  return kinTerm(first)
}
