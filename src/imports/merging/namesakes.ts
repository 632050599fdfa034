/**
 * The people behind a mailbox that many share, such as `info@`, by the words of their names. Comparing a contact with all of
 * them would take long, and an address that many people have says little about one of them.
 */

import { memoize } from '../../base/memoize.ts'
import { givenNameKey } from '../../identity/given-names.ts'
import { personNameOf, type Matchable } from '../../identity/match-person.ts'
import { isEmailKey, MAX_HOLDERS } from '../../connections/model/match-keys.ts'

interface Holder {
  readonly now: Matchable
}

/** People with one key, by each word of their name and by each two of them, in the order of precedence. */
export interface Namesakes<Person extends Holder> {
  readonly people: Set<Person>
  readonly byWord: Map<string, Person[]>
}

interface SharedKeys<Person extends Holder> {
  readonly namesakes: Map<string, Namesakes<Person>>
}

/** The holders of an email's key whose name has two words of the contact's name, or a rare one. */
export function namesakesOf<Person extends Holder>(
  { namesakes }: SharedKeys<Person>,
  key: string,
  { contact, holders }: { readonly contact: Matchable; readonly holders: readonly Person[] },
): readonly Person[] {
  let index = namesakes.get(key)
  if (!index) namesakes.set(key, (index = { people: new Set(), byWord: new Map() }))
  addMissing(index, holders)
  const { byWord } = index
  const words = wordsOf(contact)
  const namesOf = (word: string) => byWord.get(word) ?? []
  const rare = words
    .map(namesOf)
    .filter(({ length }) => length <= MAX_HOLDERS || words.length === 1)
  return [...rare, ...pairsOf(words).map(namesOf)].flatMap((people) => people.slice(0, MAX_HOLDERS))
}

/** Must be called when the name of a person has changed. */
export function addNameOf<Person extends Holder>(
  { namesakes }: SharedKeys<Person>,
  person: Person,
): void {
  for (const index of namesakes.values()) if (index.people.has(person)) addWords(index, person)
}

/** New people are at the end. */
function addMissing<Person extends Holder>(
  index: Namesakes<Person>,
  holders: readonly Person[],
): void {
  const missing: Person[] = []
  for (let at = holders.length - 1; index.people.size + missing.length < holders.length; at -= 1) {
    const person = holders[at]
    if (!person) break
    if (!index.people.has(person)) missing.push(person)
  }
  for (const person of missing.toReversed()) {
    index.people.add(person)
    addWords(index, person)
  }
}

function addWords<Person extends Holder>({ byWord }: Namesakes<Person>, person: Person): void {
  const words = wordsOf(person.now)
  for (const word of [...words, ...pairsOf(words)]) {
    const people = byWord.get(word)
    if (!people) byWord.set(word, [person])
    else if (!people.includes(person)) people.push(person)
  }
}

/** One spelling per word and its short forms, without initials; sorted. */
function wordsOf(person: Matchable): readonly string[] {
  const { words } = personNameOf(person)
  const whole = words.filter(({ length }) => length > 1)
  return [...new Set((whole.length > 0 ? whole : words).map(spellingOf))].sort().slice(0, MAX_WORDS)
}

const MAX_WORDS = 6
const spellingOf = memoize(givenNameKey)

function pairsOf(words: readonly string[]): string[] {
  return words.flatMap((one, at) => words.slice(at + 1).map((other) => `${one} ${other}`))
}

/** Whether a key is shared by so many people that only those with a similar name are compared. */
export function isCrowded(key: string, { length }: readonly unknown[]): boolean {
  return length > MAX_HOLDERS && isEmailKey(key)
}
