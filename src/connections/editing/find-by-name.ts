/** Finds live connections by name: whole names, parts, nicknames, familiar forms and other spellings. By indexes. */

import { nameKey, tokenize } from '../../base/tokenize.ts'
import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { TITLES } from '../../identity/family-spelling.ts'
import { isShortFormOf } from '../../identity/given-names.ts'
import { familyFirstOrders, parsePersonName } from '../../identity/person-name.ts'
import { longForms } from '../../identity/similar-given-names.ts'
import { MAX_SORT_KEY_LENGTH } from '../model/connection-columns.ts'
import { findConnections } from '../model/connection-store.ts'
import { otherSpellings, withoutUmlauts } from './umlauts.ts'
import type { MemberReader } from '../../db/database.ts'

/** People with one name, of which the closest are shown. */
export const MAX_NAMESAKES = 50

/** The connections that each of these names may mean: whole names, and without `wholeNames` also parts and other forms. */
export async function findByNames(
  reader: MemberReader,
  names: readonly string[],
  { wholeNames }: { readonly wholeNames: boolean },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const exact = await findByExactName(reader, names)
  const ids = new Map<string, readonly number[]>(names.map((text) => [text, exact.get(text) ?? []]))
  if (!wholeNames) await addPartsOfNames(reader, names, ids)
  return ids
}

/** Adds the people of texts that are no whole name, or a single word, which may also be a part of other names. */
async function addPartsOfNames(
  reader: MemberReader,
  names: readonly string[],
  ids: Map<string, readonly number[]>,
): Promise<void> {
  const open = names.filter((text) => ids.get(text)?.length === 0)
  const partial = [...open, ...names.filter((text) => isOneWord(text) && !open.includes(text))]
  for (const text of open) ids.set(text, await findByPartOfName(reader, text))
  await addOtherNames(reader, partial, ids)
  const nicknamed = await findByNickname(reader, partial)
  const add = (text: string, found: readonly number[]) =>
    ids.set(text, [...new Set([...(ids.get(text) ?? []), ...found])])
  for (const text of partial) add(text, nicknamed.get(text) ?? [])
  const respelled = open.filter((text) => otherSpellings(text).length > 0)
  for (const text of respelled.slice(0, MAX_OTHER_NAMES))
    add(text, await findByOtherSpelling(reader, text))
  for (const text of open) {
    // A familiar form alone does not name a person, but it makes a name that other people have ambiguous.
    if (!isOneWord(text) || (ids.get(text) ?? []).length > 0)
      add(text, await findByFullForm(reader, text))
  }
}

/** The live connections with exactly these names, in either order of given and family name. */
async function findByExactName(
  reader: MemberReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const orders = new Map(names.map((name) => [name, ordersOf(name)]))
  const keys = [...new Set([...orders.values()].flat())]
  if (keys.length === 0) return new Map()
  const rows = await reader.all(BY_NAMES, { keys, limit: MAX_SAME_NAMES })
  const byKey = Map.groupBy(rows, ({ name_key }) => name_key)
  return new Map(
    [...orders].map(([name, spellings]) => {
      // Other word orders only count if this one has no match: James Martin is not Martin James.
      const found = spellings.map((key) => byKey.get(key) ?? []).find((some) => some.length > 0)
      return [name, (found ?? []).map(({ connection_id }) => connection_id)]
    }),
  )
}

/** `Hopper, Grace` and `Hopper Grace` are also Grace Hopper. The order of the text comes first. */
export function ordersOf(name: string): string[] {
  const words = wordsOf(name)
  const orders = [
    words,
    [...words.slice(-1), ...words.slice(0, -1)],
    [...words.slice(1), ...words.slice(0, 1)],
  ]
  const keys = [nameKey(name), ...orders.map((order) => order.join(' ')), ...familyFirstKeys(words)]
  return [...new Set(keys)].map(storedKey)
}

/** Keys of names in Chinese, Japanese and Korean, with the given name first, too: `김서연`, `김 서연` and `서연 김`. */
function familyFirstKeys(words: readonly string[]): string[] {
  return familyFirstOrders(words.join('')).flatMap((order) => {
    const splits = Array.from(order).map((_, at) => `${order.slice(0, at)} ${order.slice(at)}`)
    return [order, ...splits].map(nameKey)
  })
}

function storedKey(key: string): string {
  return key.slice(0, MAX_SORT_KEY_LENGTH).toWellFormed()
}

/** Removes titles such as Dr., unless the name is only a title. */
export function wordsOf(name: string): string[] {
  const words = tokenize(name)
  const plain = words.filter((word) => !TITLES.has(word))
  return plain.length > 0 ? plain : words
}

/** `Grace`, `Grace H.` and `Grace Hopper` for Grace Brewster Hopper, if the given name comes first. */
async function findByPartOfName(reader: MemberReader, name: string): Promise<number[]> {
  const [first = '', ...rest] = wordsOf(name)
  const limit = rest.length === 0 ? MAX_NAMESAKES : MAX_SAME_NAMES
  const rows = await reader.all(BY_FIRST_WORD, rangeOf(first, limit))
  return rows
    .filter(({ name_key }) => hasWords(name_key.split(' ').slice(1), rest))
    .map(({ connection_id }) => connection_id)
}

/** `Winnie`, and `Winnie Grant` for Sarah Grant, if the connection has this nickname apart from the name. */
async function findByNickname(
  reader: MemberReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const starts = new Map(names.map((name) => [name, startsOf(wordsOf(name))]))
  const keys = [...new Set([...starts.values()].flatMap((some) => some.map(({ key }) => key)))]
  if (keys.length === 0) return new Map()
  const rows = await reader.all(BY_NICKNAME, { keys, limit: MAX_SAME_NAMES })
  const byKey = Map.groupBy(rows, ({ nickname_key }) => nickname_key)
  return new Map(
    [...starts].map(([name, some]) => [
      name,
      some.flatMap(({ key, rest }) =>
        (byKey.get(key) ?? []).flatMap(({ name_key, connection_id }) =>
          hasWords(name_key.split(' '), rest) ? connection_id : [],
        ),
      ),
    ]),
  )
}

/** The first word, the first two, and so on, each with the words after it. */
function startsOf(words: readonly string[]): { key: string; rest: readonly string[] }[] {
  return words.slice(0, MAX_NICKNAME_WORDS).map((_, at) => ({
    key: storedKey(words.slice(0, at + 1).join(' ')),
    rest: words.slice(at + 1),
  }))
}

const MAX_NICKNAME_WORDS = 5

/** `Ben` for Benjamin Grant. */
async function findByFullForm(reader: MemberReader, name: string): Promise<number[]> {
  const [first = '', ...rest] = wordsOf(name)
  const found: number[] = []
  // Jon is short for Jonathan, but another name than John.
  for (const form of longForms(first).filter((long) => isShortFormOf(first, long)))
    found.push(...(await findByPartOfName(reader, [form, ...rest].join(' '))))
  return found
}

/** `Mueller` for Müller, and the other way around. */
async function findByOtherSpelling(reader: MemberReader, text: string): Promise<number[]> {
  const wanted = wordsOf(withoutUmlauts(text))
  const found = new Map<string, readonly number[]>()
  const others = otherSpellings(text)
  for (const [other, some] of await findByExactName(reader, others))
    found.set(other, some.length > 0 ? some : await findByPartOfName(reader, other))
  await addOtherNames(reader, others, found)
  const people = await findConnections(reader, [...found.values()].flat().slice(0, MAX_SAME_NAMES))
  // Two vowels are not always an umlaut, as in Michael: the name itself must have it or both letters.
  return people
    .filter(({ name }) => hasWords(tokenize(withoutUmlauts(name)), wanted))
    .map(({ connectionId }) => connectionId)
}

/** Adds the people whose names end with these family names, also after initials, or have nicknames: `Robert "Bob" Smith`. */
async function addOtherNames(
  reader: MemberReader,
  names: readonly string[],
  ids: Map<string, readonly number[]>,
): Promise<void> {
  const isKnown = (text: string) => (ids.get(text) ?? []).length > 0
  const unknownFirst = [...names.filter((text) => !isKnown(text)), ...names.filter(isKnown)]
  for (const text of unknownFirst.slice(0, MAX_OTHER_NAMES)) {
    const known = ids.get(text) ?? []
    if (known.length >= MAX_NAMESAKES) continue
    const words = wordsOf(text)
    const [first = '', ...rest] = words.filter((word) => !isLetter(word) || isOneWord(text))
    if (first === '') continue
    const family = ` ${[first, ...rest].join(' ')}`
    const rows = await findLaterWords(reader, family, first)
    const named = rows.filter(({ name, name_key }) => {
      const own = wordsOf(name_key)
      // A title may come before the given name.
      const isAlike = name_key.endsWith(family) || own[0] === first
      if (isAlike) return hasWords(own, words)
      return hasWords(own, rest) && nicknamesIn(name).has(first)
    })
    ids.set(text, [...new Set([...known, ...named.map(({ connection_id }) => connection_id)])])
  }
}

/** The words of a name in quotes or parentheses. */
function nicknamesIn(name: string): Set<string> {
  return new Set(parsePersonName(name).aliases.flatMap(tokenize))
}

/** The people whose name ends with a text, or has a word that is neither the first nor the last. */
function findLaterWords(
  reader: MemberReader,
  ending: string,
  word: string,
): Promise<LaterWordRow[]> {
  return reader.all(BY_LATER_WORDS, {
    ending: `%${ending}`,
    inside: `% ${word} %`,
    limit: MAX_LATER_WORDS,
  })
}

/** Middle names are read too, of which only nicknames count. */
const MAX_LATER_WORDS = 50

function isOneWord(text: string): boolean {
  return wordsOf(text).length === 1
}

/** Family names and nicknames in one call, each of which is compared with every name of the network. */
const MAX_OTHER_NAMES = 10

/** Whether a name has all these words, whole; single letters may be the initials of its other words. */
export function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  const left = [...words]
  const take = (isIt: (word: string) => boolean) => {
    const at = left.findIndex(isIt)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  }
  return wanted
    .toSorted((one, other) => other.length - one.length)
    .every(
      (word) =>
        take((own) => own === word) || (isLetter(word) && take((own) => own.startsWith(word))),
    )
}

/** A letter of a script with capitals, which may be an initial. */
function isLetter(word: string): boolean {
  return /^\p{Ll}$/u.test(word)
}

/** The name keys that are this word or begin with it and a space, which sorts before all letters. */
export function rangeOf(word: string, limit = MAX_SAME_NAMES) {
  return { first: word, after: `${word}!`, limit }
}

/** Names that are compared for one text. */
const MAX_SAME_NAMES = 1000

export interface NamedRow {
  readonly name_key: string
  readonly connection_id: number
}

/** By connections_by_nickname. */
const BY_NICKNAME = memberStatement<
  { keys: readonly string[]; limit: number },
  NamedRow & { readonly nickname_key: string }
>()(`
  select c.nickname_key, c.name_key, c.connection_id
  from connections c each (nickname_key = :keys...text)
  where c.member_id = :member_id and c.nickname_key is not null and c.deleted_at is null
  order by c.connection_id limit :limit`)

/** By connections_by_name, like the next two. */
const BY_NAMES = memberStatement<{ keys: readonly string[]; limit: number }, NamedRow>()(`
  select c.name_key, c.connection_id from connections c each (name_key = :keys...text)
  where c.member_id = :member_id and c.deleted_at is null
  order by c.connection_id limit :limit`)

type LaterWordRow = NamedRow & { readonly name: string }

/** By connections_by_name, whose entries it compares. Words of names have no wildcards. */
const BY_LATER_WORDS = memberStatement<
  { ending: string; inside: string; limit: number },
  LaterWordRow
>()(`
  select ${WHOLE_NETWORK} c.name_key, c.connection_id, c.name from connections c
  where c.member_id = :member_id and (c.name_key like :ending or c.name_key like :inside)
    and c.deleted_at is null
  order by c.name_key, c.connection_id limit :limit`)

const BY_FIRST_WORD = memberStatement<{ first: string; after: string; limit: number }, NamedRow>()(`
  select c.name_key, c.connection_id from connections c
  where c.member_id = :member_id and c.name_key >= :first and c.name_key < :after
    and c.deleted_at is null
  order by c.name_key, c.connection_id limit :limit`)
