/** Finds the live connections that a text names: by ID, email address or name. By indexes, without the search index. */

import { tokenize } from '../../base/tokenize.ts'
import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { isPlainEmail } from '../../contact-files/contact/emails-and-phones.ts'
import { memberStatement } from '../../db/statement.ts'
import { readConnectionId, type Connection } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { findByKeys } from '../model/key-store.ts'
import { isUnspaced, unspacedKey, wholePartsOf } from '../../identity/unspaced-names.ts'
import { findOwnPeople, ownWord } from './own-people.ts'
import {
  findByNames,
  MAX_NAMESAKES,
  ordersOf,
  wordsOf,
  hasWords,
  rangeOf,
  type NamedRow,
} from './find-by-name.ts'
import type { MemberReader } from '../../db/database.ts'

/** A name may match this many people; of more, the closest are enough for a question. */
export const MAX_CANDIDATES = 5

/** The people that a text may name: one if it is unambiguous. Of an ID, also a deleted connection. */
export interface NamedCandidates {
  readonly text: string
  readonly candidates: readonly Connection[]
}

interface FindOptions {
  /** Only whole names, not a given name alone: for changes that are hard to notice. */
  readonly wholeNames?: boolean
}

/** In the order of the texts. */
export async function findNamedPeople(
  reader: MemberReader,
  texts: readonly string[],
  { wholeNames = false }: FindOptions = {},
): Promise<NamedCandidates[]> {
  const distinct = [...new Set(texts.map((text) => text.trim()))]
  const ids = new Map<string, readonly number[]>()
  for (const text of distinct) {
    const id = readConnectionId(text)
    if (id !== undefined) ids.set(text, [id])
  }
  const others = distinct.filter((text) => !ids.has(text))
  const emails = others.filter(isPlainEmail)
  const names = others.filter((text) => !isPlainEmail(text) && tokenize(text).length > 0)
  for (const [text, found] of await findByNames(reader, names, { wholeNames })) ids.set(text, found)
  const byEmail = await findByEmail(reader, emails)
  if (!wholeNames) await addOwnPeople(reader, others, ids)
  const wanted = [...ids.values()].flatMap((some) => some.slice(0, MAX_NAMESAKES))
  const connections = new Map(
    (await findConnections(reader, wanted)).map((one) => [one.connectionId, one]),
  )
  return distinct.map((text) => {
    const found = (ids.get(text) ?? []).flatMap((id) => connections.get(id) ?? [])
    const isPart = isUnspaced(text) && ownWord(text) === undefined
    const named = isPart ? found.filter((one) => isNamed(one, unspacedKey(text))) : found
    return { text, candidates: byEmail.get(text) ?? named }
  })
}

/** Whether a person has this name, or a whole part of a name in a script without spaces: 王伟明 is not called 王伟. */
function isNamed({ name, givenName, familyName, details }: Connection, key: string): boolean {
  const { nickname } = details
  if (nickname !== undefined && unspacedKey(nickname) === key) return true
  return wholePartsOf(name, [givenName, familyName]).has(key)
}

/** Adds the people that `my brother` refers to, unless someone has that name. */
async function addOwnPeople(
  reader: MemberReader,
  texts: readonly string[],
  ids: Map<string, readonly number[]>,
): Promise<void> {
  const words = new Map<string, string>()
  for (const text of texts) {
    const word = ownWord(text)
    if (word !== undefined && (ids.get(text) ?? []).length === 0) words.set(text, word)
  }
  const own = await findOwnPeople(reader, [...words.values()])
  for (const [text, word] of words) ids.set(text, own.get(word) ?? [])
}

/** The live connections with these addresses. */
async function findByEmail(
  reader: MemberReader,
  emails: readonly string[],
): Promise<ReadonlyMap<string, readonly Connection[]>> {
  const keys = new Map(emails.map((email) => [email, emailKey(email.toLowerCase())]))
  const holders = await findByKeys(reader, [...keys.values()])
  const ids = holders.map(({ connection_id }) => connection_id)
  const live = new Map(
    (await findConnections(reader, ids)).flatMap((one) =>
      one.deletedAt === null ? [[one.connectionId, one] as const] : [],
    ),
  )
  return new Map(
    [...keys].map(([email, key]) => [
      email,
      holders.flatMap((one) => (one.key === key ? (live.get(one.connection_id) ?? []) : [])),
    ]),
  )
}

/** Deleted connections that can be restored, with this ID, email address or name, also a part of it. Last deleted first. */
export async function findDeletedPeople(
  reader: MemberReader,
  text: string,
): Promise<readonly Connection[]> {
  const id = readConnectionId(text)
  const holders = isPlainEmail(text)
    ? (await findByKeys(reader, [emailKey(text.toLowerCase())])).map((one) => one.connection_id)
    : []
  const keys = id === undefined && holders.length === 0 ? ordersOf(text) : []
  const whole =
    keys.length === 0 ? [] : await reader.all(DELETED_BY_NAMES, { keys, limit: MAX_NAMESAKES })
  const [first = '', ...rest] = keys.length > 0 && whole.length === 0 ? wordsOf(text) : []
  const partial = first === '' ? [] : await reader.all(DELETED_BY_FIRST_WORD, rangeOf(first))
  const named = [
    ...whole,
    ...partial.filter(({ name_key }) => hasWords(name_key.split(' ').slice(1), rest)),
  ].slice(0, MAX_NAMESAKES)
  const ids = [
    ...(id === undefined ? [] : [id]),
    ...holders,
    ...named.map((one) => one.connection_id),
  ]
  const found = await findConnections(reader, [...new Set(ids)])
  return found
    .filter(({ deletedAt, mergedInto }) => deletedAt !== null && mergedInto === null)
    .toSorted((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0))
}

/** By connections_by_name, like the next one. */
const DELETED_BY_NAMES = memberStatement<{ keys: readonly string[]; limit: number }, NamedRow>()(`
  select c.name_key, c.connection_id from connections c each (name_key = :keys...text)
  where c.member_id = :member_id and c.deleted_at is not null and c.merged_into is null
  order by c.connection_id limit :limit`)

const DELETED_BY_FIRST_WORD = memberStatement<
  { first: string; after: string; limit: number },
  NamedRow
>()(`
  select c.name_key, c.connection_id from connections c
  where c.member_id = :member_id and c.name_key >= :first and c.name_key < :after
    and c.deleted_at is not null and c.merged_into is null
  order by c.name_key, c.connection_id limit :limit`)
