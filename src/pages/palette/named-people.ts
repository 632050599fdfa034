/** Who a sentence names: whole names, then a single word that is a name, then names that are written almost so. */

import { tokenize } from '../../base/tokenize.ts'
import { closestFirst, type Closeness } from '../../connections/editing/closest-first.ts'
import { findNamedPeople } from '../../connections/editing/find-person.ts'
import { suggestConnections, wordsOfNames } from '../../connections/search/search.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { MAX_COMMANDED } from './palette-actions.ts'
import { isIn, isWithin, kindIn, type Sentence, type WordSpan } from './read-sentence.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MemberDatabase } from '../../db/database.ts'

/** People who a sentence may mean, and their words. None for the person that the palette was opened for. */
export interface Named extends WordSpan {
  readonly people: readonly Connection[]
  /** Whether it is one person, by the whole name or the given name. */
  readonly isCertain: boolean
}

/** Words of a sentence in which names are looked for, of a name, and single words that are looked up. */
const [MAX_READ, MAX_NAME_WORDS, MAX_SINGLE] = [20, 4, 3]

/** Who a sentence without a name is about, and what tells who of several people is meant. */
export interface About {
  readonly subject: Connection | undefined
  readonly near: Closeness
}

interface Known extends Pick<About, 'near'> {
  /** Words of the sentence that are words of a name. */
  readonly names: ReadonlySet<string>
}

/** `read` reads the sentence with or without a name. */
export async function findNamed(
  db: MemberDatabase,
  words: readonly string[],
  read: (name?: Named) => Sentence,
  { subject, near }: About,
): Promise<Named | undefined> {
  const names = await wordsOfNames(db, words.slice(0, MAX_READ).map(bare))
  const whole = await findWhole(db, words, { names, near })
  if (whole) return whole
  const sentence = read()
  if (sentence.isQuestion) return undefined
  const { verb, day, cadence } = sentence
  const isAct =
    verb ?? day ?? cadence ?? (words.some((word) => word.endsWith(':')) || kindIn(words, true))
  if (!isAct) return undefined
  const open = words.slice(0, MAX_READ).flatMap((word, at) => {
    const isMonth = day?.length === 1 && isCapital(word) && names.has(bare(word))
    const isRead = [verb, isMonth ? undefined : day, cadence].some(
      (span) => span && isWithin(at, span),
    )
    return isRead || isIn('small', word) || kindIn([word], true)
      ? []
      : [{ at, word: bare(word), isLast: /[.,:;!]$/.test(word) }]
  })
  return (
    (await findSingle(db, open, { names, near })) ??
    (subject && { at: 0, length: 0, people: [subject], isCertain: true }) ??
    (verb || sentence.day?.past !== undefined ? await findSimilar(db, open) : undefined)
  )
}

/** Names of two words and more, the longest first. */
async function findWhole(
  db: MemberDatabase,
  words: readonly string[],
  { names, near }: Known,
): Promise<Named | undefined> {
  const read = words.slice(0, MAX_READ).map(bare)
  const spans = [MAX_NAME_WORDS, 3, 2].flatMap((length) =>
    read.slice(length - 1).flatMap((_, at) => {
      const some = read.slice(at, at + length)
      return some.every((word) => names.has(word)) ? [{ at, length, text: some.join(' ') }] : []
    }),
  )
  const found = await findNamedPeople(
    db,
    spans.map(({ text }) => text),
    { wholeNames: true },
  )
  const people = new Map(found.map(({ text, candidates }) => [text, candidates.filter(isLive)]))
  const named = spans.find(({ text }) => (people.get(text) ?? []).length > 0)
  return named && namedOf(db, named, { people: people.get(named.text) ?? [], near })
}

interface Word {
  readonly at: number
  readonly word: string
  /** Whether a sign follows it. */
  readonly isLast: boolean
}

/** A given name, or a family name that has a capital letter. */
async function findSingle(
  db: MemberDatabase,
  words: readonly Word[],
  { names, near }: Known,
): Promise<Named | undefined> {
  const tried = words
    .filter(({ word }) => names.has(word) && (isCapital(word) || !isIn('ordinary', word)))
    .slice(0, MAX_SINGLE)
  const found = await findNamedPeople(
    db,
    tried.map(({ word }) => word),
  )
  const people = new Map(found.map(({ text, candidates }) => [text, candidates.filter(isLive)]))
  for (const one of tried) {
    const { at, word } = one
    const all = people.get(word) ?? []
    const given = all.filter(({ name }) => tokenize(name)[0] === tokenize(word)[0])
    const some = given.length > 0 || !isCapital(word) ? given : all
    if (some.length === 0) continue
    // `Mia Burg` is perhaps not Mia Berg.
    const length = nextOf(one, words) === undefined ? 1 : 2
    const isCertain = length === 1 && all.length === 1 && given.length === 1
    return { ...(await namedOf(db, { at, length }, { people: some, near })), isCertain }
  }
  return undefined
}

/** The word after one, if it can be a part of the same name. */
function nextOf({ at, isLast }: Word, words: readonly Word[]): Word | undefined {
  return isLast ? undefined : words.find((one) => one.at === at + 1 && isCapital(one.word))
}

/** People with a similar name, to choose from. */
async function findSimilar(db: MemberDatabase, words: readonly Word[]): Promise<Named | undefined> {
  const first = words.find((one) => isCapital(one.word) && nextOf(one, words))
  const next = first && nextOf(first, words)
  if (!next) return undefined
  const similar = await suggestConnections(db, `${first.word} ${next.word}`, MAX_COMMANDED)
  const people = await findConnections(
    db,
    similar.map(({ connectionId }) => connectionId),
  )
  return people.length === 0 ? undefined : { at: first.at, length: 2, people, isCertain: false }
}

async function namedOf(
  db: MemberDatabase,
  { at, length }: WordSpan,
  { people, near }: Pick<About, 'near'> & Pick<Named, 'people'>,
): Promise<Named> {
  const closest = await closestFirst(db, people, { ...near, limit: MAX_COMMANDED })
  return { at, length, people: closest, isCertain: people.length === 1 }
}

function isLive({ deletedAt }: Connection): boolean {
  return deletedAt === null
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}

/** Without the signs around it and the ending of `Mia's`. */
function bare(word: string): string {
  return word.replaceAll(/^[("„“]|(?:['’]s)?[.,:;!)"“”]?$/gu, '')
}
