/**
 * Finds the people that `my brother`, also in German, means: those with such a tag, or with such a relation to the member. On
 * their records, that is a relation to `me`: `brother of`, or `direct report` for my boss.
 */

import { nameKey, normalize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { kinTerm } from '../../search/questions/kinship.ts'
import { findConnections } from '../model/connection-store.ts'
import { findRelatedTo } from '../model/relation-keys.ts'
import { tagOf } from '../model/tag-store.ts'
import { inverseRelation, relationKind } from '../../contact-files/contact/relation-kinds.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** The words after `my` in a text; undefined for other texts. */
export function ownWord(text: string): string | undefined {
  return MY.exec(text)?.[1]
}

const MY = /^(?:my|mein(?:e|en|em|er)?)\s{1,5}(\S.{0,98})$/iu

/** What relations call the member. */
const ME = ['me', 'myself', 'ich', 'mir', 'mich']

/** Live people who are compared for one word. */
const MAX_OWN = 50
/** People with a relation to the member whose records are read. */
const MAX_RELATED = 200

/** The IDs of the live people with a tag of this name, or with this relation to the member, by word. */
export async function findOwnPeople(
  reader: MemberReader,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>()
  if (words.length === 0) return found
  const live = await findRelatedToMe(reader)
  for (const word of new Set(words)) {
    const rows = await reader.all(TAGGED, { tag_key: tagOf(word).key, limit: MAX_OWN })
    const tagged = rows.map(({ connection_id }) => connection_id)
    const own = live.filter((person) => isToMe(person, word))
    found.set(word, [...new Set([...tagged, ...own.map(({ connectionId }) => connectionId)])])
  }
  return found
}

async function findRelatedToMe(reader: MemberReader): Promise<Connection[]> {
  const ids = await findRelatedTo(reader, ME)
  const related = await findConnections(reader, ids.slice(0, MAX_RELATED))
  return related.filter(({ deletedAt }) => deletedAt === null)
}

/** What the members of the family are to the member, such as `brother`, by their numbers. */
export async function findFamily(reader: MemberReader): Promise<ReadonlyMap<number, string>> {
  const family = new Map<number, string>()
  for (const person of await findRelatedToMe(reader)) {
    const kin = relationsToMe(person)
      .map(calledBy)
      .find((called) => FAMILY.has(relationKind(called)))
    if (kin !== undefined) family.set(person.connectionId, kin)
  }
  return family
}

/** As in `relation-kinds.txt`. */
const FAMILY: ReadonlySet<string> = new Set([
  'spouse',
  'partner',
  'parent',
  'child',
  'sibling',
  'grandparent',
  'grandchild',
  'uncle or aunt',
  'nephew or niece',
  'cousin',
  'relative',
  'step-parent',
  'step-child',
  'godparent',
  'godchild',
])

function relationsToMe({ details }: Connection): string[] {
  return (details.relations ?? []).flatMap(({ name, relation }) =>
    relation !== undefined && ME.includes(nameKey(name)) ? relation : [],
  )
}

function isToMe(person: Connection, word: string): boolean {
  return relationsToMe(person).some((relation) => isCalled(relation, word))
}

/** What a person with this relation to the member is called. */
function calledBy(relation: string): string {
  return inverseRelation(relation.trim().replace(/ von$/iu, ' of')).trim()
}

/** Whether a person with this relation to the member is called so. A sibling may be no brother, so kin need the word itself. */
function isCalled(relation: string, word: string): boolean {
  const called = normalize(calledBy(relation))
  const asked = normalize(word).trim()
  if (called === asked) return true
  return kinTerm(asked) === undefined && relationKind(called) === relationKind(asked)
}

/** By primary key. */
const TAGGED = memberStatement<
  { tag_key: string; limit: number },
  { readonly connection_id: number }
>()(`
  select t.connection_id from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.tag_key = :tag_key and c.deleted_at is null
  order by t.connection_id limit :limit`)
