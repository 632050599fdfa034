/**
 * Finds what a note says about contacts: `met @Rosa there`, `called @Rosa yesterday`. The rule prefers to miss, because a wrong
 * last contact is worse than a missing one (decisions/0055-a-note-that-says-so-is-a-contact.md): the sentence begins with a
 * phrase of the list, and its clause neither denies, supposes nor dates the contact in a vague way.
 */

import { memoize } from '../../base/memoize.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { languages, type ContactWords, type Phrase } from './contact-phrases.ts'
import {
  findDate,
  hasWord,
  isWord,
  sentencesIn,
  sentenceText,
  type FoundDate,
  type Token,
} from './note-sentences.ts'
import type { Mentioned, MentionedPerson } from './mentions.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { InteractionKind } from '../interactions/interaction-store.ts'

interface ToldContact {
  readonly kind: InteractionKind
  readonly people: readonly MentionedPerson[]
  /** YYYY-MM-DD, not in the future. */
  readonly day: string
  /** The sentence, with the names of the people. */
  readonly sentence: string
}

/** The note, the people it mentions, and the day that it is about, if the writer gave one. */
interface ToldNote {
  readonly text: string
  readonly mentioned: Mentioned
  readonly on: string | undefined
}

/** In the order of the note, at most `MAX_CONTACTS`. */
export function contactsToldIn(note: ToldNote, context: DateContext): ToldContact[] {
  return contactsIn(note, context, TOLD)
}

/**
 * People who the writer of a note was perhaps in contact with: the note says more than the rule understands, as in
 * `met @Rosa for lunch`. Nothing is logged of it.
 */
export function peopleHintedIn(note: ToldNote, context: DateContext): readonly MentionedPerson[] {
  const told = new Set(contactsToldIn(note, context).flatMap(({ people }) => people))
  const hinted = contactsIn(note, context, HINTED).flatMap(({ people }) => people)
  return [...new Set(hinted)].filter((person) => !told.has(person))
}

/** Which phrases count, and on which day the contact was that a sentence tells of; null if it does not say so. */
interface Rule {
  readonly phrases: 'phrases' | 'hints'
  readonly dayOf: (found: FoundContact, sentence: Sentence) => string | null
}

const TOLD: Rule = { phrases: 'phrases', dayOf: toldDay }
const HINTED: Rule = {
  phrases: 'hints',
  dayOf: ({ day, language }, sentence) =>
    isDoubtful(sentence, language, 'doubt') ? null : (day ?? sentence.day),
}

function contactsIn(
  { text, mentioned, on }: ToldNote,
  context: DateContext,
  rule: Rule,
): ToldContact[] {
  if (mentioned.size === 0) return []
  const today = dayInZone(context.timeZone, context.now)
  const sentences = sentencesIn(text.slice(0, MAX_READ), mentioned)
  const found: ToldContact[] = []
  let read = 0
  for (const [at, tokens] of sentences.entries()) {
    if (found.length === MAX_CONTACTS || read === MAX_SENTENCES) break
    if (tokens.length > MAX_TOKENS || !tokens.some(({ person }) => person)) continue
    read += 1
    const dateAt = memoize((from: number) => findDate(tokens, from, context), MAX_TOKENS)
    const next = sentences[at + 1] ?? []
    const told = contactIn({ tokens, next, day: on ?? today, dateAt }, rule)
    if (!told || told.day > today || (on !== undefined && on !== told.day)) continue
    found.push({ ...told, sentence: sentenceText(tokens) })
  }
  return found
}

/** Characters: contacts are at the beginning of a note. */
const MAX_READ = 4000

/** A note that tells of more contacts is a list of something else. */
const MAX_CONTACTS = 10

/** Sentences with people that are read. */
const MAX_SENTENCES = 20

/** Longer sentences are no statement that a rule this simple understands. */
const MAX_TOKENS = 80

/** A sentence, and the one after it. */
interface Sentence {
  readonly tokens: readonly Token[]
  readonly next: readonly Token[]
  /** YYYY-MM-DD: that of the note, for a sentence without a date. */
  readonly day: string
  /** The date that begins at a token. */
  readonly dateAt: (at: number) => FoundDate | null
}

interface FoundContact extends Match {
  readonly phrase: Phrase
  readonly language: ContactWords
}

function contactIn(
  sentence: Sentence,
  { phrases, dayOf }: Rule,
): Omit<ToldContact, 'sentence'> | undefined {
  for (const language of languages())
    for (const start of startsOf(sentence, language))
      for (const phrase of language[phrases]) {
        const match = matchOf(sentence, phrase.words, { ...start, people: [], from: 0 }, language)
        if (!match) continue
        const day = dayOf({ ...match, phrase, language }, sentence)
        if (day !== null) return { kind: phrase.kind, people: match.people, day }
      }
  return undefined
}

/** The day of a contact in a statement; null if the sentence is a question, denies or supposes it, or tells how people met. */
function toldDay(found: FoundContact, sentence: Sentence): string | null {
  const { language, phrase, at, from } = found
  const { tokens, dateAt } = sentence
  const end = clauseEnd(sentence, at, language)
  const clause = tokens.slice(0, end)
  const isDenied = phrase.isAttempt
    ? isDoubtful(sentence, language, 'doubt')
    : isDoubtful(sentence, language, 'off') || hasWord(clause, language.doubt)
  if (isDenied || hasWord(clause, language.unreal)) return null
  if (found.day !== undefined) return found.day
  if (!isFree(found, sentence)) return null
  const rest = tokens.slice(from, end)
  const date = rest.keys().find((index) => dateAt(from + index))
  if (date !== undefined) {
    // A date after `about` is perhaps that of the subject.
    const isOfTopic = hasWord(rest.slice(0, date), language.topic)
    return (isOfTopic ? undefined : dateAt(from + date)?.day) ?? null
  }
  if (found.isTentative || hasWord(rest, language.origin)) return null
  return at >= end || language.origin.size > 0 ? sentence.day : null
}

/** Whether the name of the people ends where they end: not in `@Rosa's brother` and `@Rosa Berlin`. */
function isFree({ from, at }: FoundContact, { tokens, dateAt }: Sentence): boolean {
  const next = tokens[from]
  if (!next || SIGNS.has(next.text)) return true
  return next.space !== '' && (at > from || !/^\p{Lu}/u.test(next.text) || dateAt(from) !== null)
}

/** Where the clause ends: at a sign, a word such as `because`, or `and she`. */
function clauseEnd({ tokens }: Sentence, from: number, { clause, others }: ContactWords): number {
  const end = tokens.findIndex(
    (token, at) =>
      at >= from &&
      (SIGNS.has(token.text) ||
        isWord(token, clause) ||
        (isWord(token, JOINTS) && isWord(tokens[at + 1], others))),
  )
  return end === -1 ? tokens.length : end
}

/** Signs that end a clause. */
const SIGNS: ReadonlySet<string> = new Set(',;:.!?…()–—-')

interface Start {
  /** The next token. */
  readonly at: number
  /** Undefined without a date. */
  readonly day: string | undefined
  /** After `I've`, which also tells of how long people know each other. */
  readonly isTentative: boolean
}

/** Where the phrase may begin: at the start of the sentence, after words such as `I` and a date, and after `my wife and I`. */
function startsOf({ tokens, dateAt }: Sentence, language: ContactWords): Start[] {
  const { openers, perfect, subjects, places } = language
  const starts: Start[] = [{ at: 0, day: undefined, isTentative: false }]
  const isPlace = isWord(tokens[0], places)
  for (let at = 1; at <= MAX_FILLER && (at === 1 || isFiller(tokens[at - 1], language)); at += 1)
    if (isWord(tokens[at], subjects) && (isPlace || isWord(tokens[at - 1], JOINTS)))
      starts.push({ at: at + 1, day: undefined, isTentative: false })
  for (const { at, day, isTentative } of starts) {
    const date = day === undefined ? dateAt(at) : null
    if (date?.day !== undefined) starts.push({ at: at + date.length, day: date.day, isTentative })
    else if (isWord(tokens[at], perfect)) starts.push({ at: at + 1, day, isTentative: true })
    else if (
      isWord(tokens[at], openers) ||
      isWord(tokens[at], subjects) ||
      (day !== undefined && tokens[at]?.text === ',')
    )
      starts.push({ at: at + 1, day, isTentative: false })
  }
  return starts
}

interface Match extends Start {
  readonly people: readonly MentionedPerson[]
  /** The token after the people. */
  readonly from: number
}

/** The phrase at a position, with one date anywhere in it or after it. */
function matchOf(
  sentence: Sentence,
  [word, ...words]: Phrase['words'],
  match: Match,
  language: ContactWords,
): Match | undefined {
  const { tokens, dateAt } = sentence
  const { at } = match
  const go = (changed: Partial<Match>, rest = words) =>
    matchOf(sentence, rest, { ...match, ...changed }, language)
  const date = match.day === undefined ? dateAt(at) : null
  if (date?.day !== undefined) {
    const dated = { at: at + date.length, day: date.day }
    const found = go(dated, word === undefined ? [] : [word, ...words])
    if (found) return found
  }
  const next = tokens[at]
  switch (word) {
    case undefined:
      return match
    case '^':
      return at > 0 ? go({}) : undefined
    case '$':
      return !next || SIGNS.has(next.text) || isWord(next, JOINTS) ? go({}) : undefined
    case '@': {
      const people = peopleAt(tokens, at)
      const from = at + 2 * people.length - 1
      return people.length > 0 ? go({ people, at: from, from }) : undefined
    }
    case '*':
      return fillerEnds(sentence, at, language)
        .map((end) => go({ at: end }))
        .find((found) => found)
    default:
      return isWord(next, word) ? go({ at: at + 1 }) : undefined
  }
}

/** Where the words that `*` stands for can end: the fewest first. */
function fillerEnds({ tokens }: Sentence, at: number, language: ContactWords): number[] {
  const some = tokens.slice(at, at + MAX_FILLER)
  const length = some.findIndex((token) => !isFiller(token, language))
  return [
    at,
    ...some.slice(0, length === -1 ? some.length : length).map((_, index) => at + index + 1),
  ]
}

/** Words that `*` stands for. */
const MAX_FILLER = 6

/** Whether `*` can stand for a token: no sign, person, doubt or other subject. */
function isFiller(token: Token | undefined, language: ContactWords): boolean {
  if (!token || token.person || !/^[\p{L}\p{N}]/u.test(token.text)) return false
  const { doubt, unreal, origin, others, hasCapitals } = language
  if (!hasCapitals && /^\p{Lu}/u.test(token.text)) return false
  return [doubt, unreal, origin, others].every((words) => !isWord(token, words))
}

/** `@Rosa`, `@Rosa and @Ben`, `@Rosa, @Ben`: each after the first follows one word or sign. */
function peopleAt(tokens: readonly Token[], start: number): MentionedPerson[] {
  const people: MentionedPerson[] = []
  let { person } = tokens[start] ?? {}
  for (let at = start; person; at += 2) {
    people.push(person)
    person = isWord(tokens[at + 1], JOINTS) ? tokens[at + 2]?.person : undefined
  }
  return people
}

const JOINTS: ReadonlySet<string> = new Set([
  ',',
  '&',
  '+',
  'and',
  'und',
  'et',
  'y',
  'e',
  'en',
  'и',
])

/** Whether a sentence, or a short one after it, says that there was no contact, or asks. */
function isDoubtful(
  { tokens, next }: Sentence,
  language: ContactWords,
  words: 'doubt' | 'off',
): boolean {
  const said = next.length <= MAX_ANSWER ? [...tokens, ...next] : tokens
  return tokens.at(-1)?.text === '?' || hasWord(said, language[words])
}

/** `No answer this time.` */
const MAX_ANSWER = 6
