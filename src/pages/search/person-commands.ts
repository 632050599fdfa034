/** Commands of the palette that name a person: `log mia`, `tag tom climate`, `remind me to call tom next friday`. */

import { capitalized } from '../../languages/capitalized.ts'
import { t } from '../../languages/message.ts'
import { tokenize } from '../../base/tokenize.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { suggestConnections, wordsOfNames } from '../../connections/search/search.ts'
import { readDateText, type DateContext } from '../../dates/read-date.ts'
import { splitDueTime } from '../../dates/time-of-day.ts'
import { face } from '../../html/face.ts'
import { wordsBeside, wordsFor, spacedWords } from './matching-links.ts'
import {
  MAX_COMMANDED,
  PERSON_ACTIONS,
  type Commanded,
  type PersonAction,
} from './palette-actions.ts'
import { withoutSmallWords } from './small-words.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { SearchLink } from './search.page.ts'

/** Words of a name, and words that are tried as one. */
const MAX_NAME_WORDS = 4

/** A word of an action and a name are the action for this person, also in a sentence: `log a call with mia`. */
export async function commandsFor(
  db: MemberDatabase,
  q: string,
  context: DateContext,
): Promise<readonly SearchLink[]> {
  const asked = PERSON_ACTIONS.map((one) => ({ action: one, rest: wordsBeside(one, q) }))
  const { action, rest } = asked.find((one) => one.rest !== undefined) ?? {}
  if (!action || rest === undefined) return []
  const words = rest.split(' ')
  // At most four searches for each key: one here, and up to three for beginnings or in a sentence.
  const named = words.length > MAX_NAME_WORDS ? [] : await peopleNamed(db, rest)
  if (named.length > 0) return named.map((one) => commandFor(action, one))
  if (!action.typed) return sentenceFor(db, action, datedWords(words, context))
  for (let count = Math.min(words.length - 1, MAX_NAME_WORDS); count > 0; count--) {
    const [person] = await peopleNamed(db, words.slice(0, count).join(' '))
    if (person) return action.typed(db, person, words.slice(count).join(' '))
  }
  return []
}

function commandFor(action: PersonAction, person: Commanded): SearchLink {
  return {
    label: `${t(action.label)}: ${person.name}`,
    face: face(person),
    detail: suggestionDetail(person, ''),
    path: action.path(publicConnectionId(person.connectionId)),
  }
}

interface Sentence {
  readonly words: readonly string[]
  readonly dayText?: string
  /** YYYY-MM-DD */
  readonly day?: string
}

/** Words of names in a sentence that are searched for. */
const MAX_TRIED = 2

/** Words of a day, and words of a sentence that are read. */
const [MAX_DAY_WORDS, MAX_SENTENCE_WORDS] = [4, 16]

/** The words, without those of the day that they name. */
function datedWords(words: readonly string[], context: DateContext): Sentence {
  for (let count = MAX_DAY_WORDS; count > 0; count--)
    for (let at = 0; at + count <= Math.min(words.length, MAX_SENTENCE_WORDS); at++) {
      const dayText = words.slice(at, at + count).join(' ')
      const due = splitDueTime(dayText, context)?.due_on ?? dayText
      const read = readDateText(due, context, 'next-first')
      if (read.ok) return { words: words.toSpliced(at, count), dayText, day: read.day }
    }
  return { words }
}

/** The action for the first people that the sentence names. */
async function sentenceFor(
  db: MemberDatabase,
  action: PersonAction,
  { words, dayText, day }: Sentence,
): Promise<readonly SearchLink[]> {
  const known = wordsFor(action)
  const said = withoutSmallWords(words.slice(0, MAX_SENTENCE_WORDS)).filter(
    (word) => !known.includes(word.toLowerCase()),
  )
  const names = await wordsOfNames(db, said)
  const named = [...said.entries()].filter(([, word]) => names.has(word))
  for (const [at, word] of named.slice(0, MAX_TRIED)) {
    const people = await peopleCalled(db, [word])
    if (people.length === 0) continue
    const next = said[at + 1]
    const both = next === undefined || !names.has(next) ? [] : await peopleCalled(db, [word, next])
    const text = capitalized(words.slice(words.findIndex((one) => said.includes(one))).join(' '))
    return (both.length > 0 ? both : people).map((person) =>
      action.dated && dayText !== undefined && day !== undefined
        ? action.dated(person, { text, dayText, day })
        : commandFor(action, person),
    )
  }
  return []
}

/** People with each word whole in their names. */
async function peopleCalled(db: MemberDatabase, said: readonly string[]) {
  const words = tokenize(said.join(' '))
  if (words.length === 0) return []
  const found = await suggestConnections(db, words.join(' '), MAX_COMMANDED)
  return found.filter(({ name }) => {
    const whole = tokenize(name)
    return words.every((word) => whole.includes(word))
  })
}

async function peopleNamed(db: MemberDatabase, name: string) {
  const words = spacedWords(name)
  return (await suggestConnections(db, name, MAX_COMMANDED)).filter((one) =>
    words.every((begun) => spacedWords(one.name).some((word) => word.startsWith(begun))),
  )
}
