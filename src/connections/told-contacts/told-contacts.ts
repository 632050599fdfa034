/**
 * Finds what a note says about contacts: `met @Rosa`, `called @Rosa yesterday`. The rule is narrow,
 * because a wrong last contact is worse than a missing one (decisions/0055-a-note-that-says-so-is-a-contact.md): the sentence
 * begins with a phrase of the list, and without a date it ends there.
 */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { normalForm } from '../../base/normal-form.ts'
import { readDateText, type DateContext } from '../../dates/read-date.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { MENTION, personAfter, type Mentioned, type MentionedPerson } from './mentions.ts'
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

/** Which phrases count, and whether the sentence may go on after them without a date. */
interface Rule {
  readonly phrases: 'phrases' | 'hints'
  readonly goesOn: boolean
}

const TOLD: Rule = { phrases: 'phrases', goesOn: false }
const HINTED: Rule = { phrases: 'hints', goesOn: true }

function contactsIn(
  { text, mentioned, on }: ToldNote,
  context: DateContext,
  rule: Rule,
): ToldContact[] {
  if (mentioned.size === 0) return []
  const today = dayInZone(context.timeZone, context.now)
  const lines = linesOf(text.slice(0, MAX_READ))
  const sentences = lines.flatMap((line) => sentencesOf(tokensOf(line, mentioned)))
  const found: ToldContact[] = []
  for (const [at, tokens] of sentences.entries()) {
    if (found.length === MAX_CONTACTS) break
    if (tokens.length > MAX_TOKENS || !tokens.some(({ person }) => person)) continue
    const told = contactIn(tokens, context, rule)
    const next = sentences[at + 1] ?? []
    const day = told?.day ?? on ?? today
    if (!told || isDoubtful(told.language, tokens, next)) continue
    if (day > today || (on !== undefined && on !== day)) continue
    const { kind, people } = told
    found.push({ kind, people, day, sentence: sentenceText(tokens) })
  }
  return found
}

/** Characters: contacts are at the beginning of a note. */
const MAX_READ = 4000

/** A note that tells of more contacts is a list of something else. */
const MAX_CONTACTS = 10

/** Longer sentences are no statement that a rule this simple understands. */
const MAX_TOKENS = 80

/** A word, a sign, or a person who is mentioned, with the space before it. */
interface Token {
  readonly space: string
  readonly text: string
  readonly person?: MentionedPerson
}

/** The lines that the writer says: without code, quotations and the marks of lists. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (!isCode && !line.startsWith('>')) lines.push(line.replace(/^ {0,6}[-*+•] +/, ''))
  }
  return lines
}

function tokensOf(line: string, mentioned: Mentioned): Token[] {
  const tokens: Token[] = []
  let from = 0
  const read = (until: number) => {
    for (const { groups } of line.slice(from, until).matchAll(WORDS)) {
      const { space = '', text = '' } = groups ?? {}
      tokens.push({ space, text })
    }
  }
  for (const { 0: mention, index } of line.matchAll(MENTION)) {
    const found = personAfter(mention.slice(1), mentioned)
    if (!found) continue
    read(index)
    const space = /\s/.test(line[index - 1] ?? '') ? ' ' : ''
    tokens.push({ space, text: found.name, person: found.person })
    from = index + 1 + found.length
  }
  read(line.length)
  return tokens
}

/** A word, also with an apostrophe or a hyphen in it, or one sign. */
const WORDS = /(?<space>\s?)(?<text>[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|\S)/gu

/** Each with the sign that ends it. A period after a number does not end a sentence. */
function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]]
  for (const [at, token] of tokens.entries()) {
    sentences.at(-1)?.push(token)
    const isAfterNumber = token.text === '.' && /^\d+$/.test(tokens[at - 1]?.text ?? '')
    if (ENDS.has(token.text) && !isAfterNumber) sentences.push([])
  }
  return sentences.filter((one) => one.length > 0)
}

const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '…'])

interface FoundContact extends Pick<ToldContact, 'kind' | 'people'> {
  readonly language: Language
  /** Undefined if the sentence has no date. */
  readonly day: string | undefined
}

function contactIn(
  tokens: readonly Token[],
  context: DateContext,
  { phrases, goesOn }: Rule,
): FoundContact | undefined {
  for (const language of languages())
    for (const start of startsOf(tokens, language, context))
      for (const { kind, words } of language[phrases]) {
        const found = phraseAt(tokens, words, start, context)
        if (found && (goesOn || found.isOver)) return { ...found, kind, language }
      }
  return undefined
}

interface Position {
  readonly at: number
  readonly day: string | undefined
}

/** Where the phrase may begin: at the start of the sentence, and after words such as `I` and a date. */
function startsOf(
  tokens: readonly Token[],
  { openers }: Language,
  context: DateContext,
): Position[] {
  const starts: Position[] = [{ at: 0, day: undefined }]
  for (const { at, day } of starts) {
    const date = day === undefined ? dateAt(tokens, at, context) : undefined
    if (date) starts.push({ at: at + date.length, day: date.day })
    else if (isWord(tokens[at], openers) || (day !== undefined && tokens[at]?.text === ','))
      starts.push({ at: at + 1, day })
  }
  return starts
}

/** The phrase, with one date anywhere in it or after it. It is over with a date, or at the end of the sentence. */
function phraseAt(
  tokens: readonly Token[],
  words: readonly string[],
  start: Position,
  context: DateContext,
): (Pick<FoundContact, 'people' | 'day'> & { readonly isOver: boolean }) | undefined {
  let { at, day } = start
  let people: readonly MentionedPerson[] = []
  const readDate = () => {
    const date = day === undefined && at > start.at ? dateAt(tokens, at, context) : undefined
    if (date) [at, day] = [at + date.length, date.day]
  }
  for (const word of words) {
    readDate()
    if (word === '@') people = peopleAt(tokens, at)
    else if (lower(tokens[at]) !== word) return undefined
    if (people.length === 0 && word === '@') return undefined
    at += word === '@' ? 2 * people.length - 1 : 1
  }
  readDate()
  const rest = tokens.slice(at)
  const ends = rest.length === 0 || (rest.length === 1 && ENDS.has(rest[0]?.text ?? ''))
  return { people, day, isOver: day !== undefined || ends }
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

/** The longest date that begins at a token, for one day. */
function dateAt(
  tokens: readonly Token[],
  at: number,
  context: DateContext,
): { readonly day: string; readonly length: number } | undefined {
  for (let length = Math.min(MAX_DATE_TOKENS, tokens.length - at); length > 0; length -= 1) {
    const some = tokens.slice(at, at + length)
    if (some.some(({ person }) => person)) continue
    const reading = readDateText(sentenceText(some), context, 'latest')
    if (reading.ok) return { day: reading.day, length }
  }
  return undefined
}

const MAX_DATE_TOKENS = 6

/** Whether a sentence, or a short one after it, says that there was no contact, or asks. */
function isDoubtful(language: Language, tokens: readonly Token[], next: readonly Token[]): boolean {
  const said = next.length <= MAX_ANSWER ? [...tokens, ...next] : tokens
  return tokens.at(-1)?.text === '?' || said.some((token) => isWord(token, language.doubt))
}

/** `No answer this time.` */
const MAX_ANSWER = 6

function sentenceText(tokens: readonly Token[]): string {
  return tokens
    .map(({ space, text }) => space + text)
    .join('')
    .trim()
}

function isWord(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return words.has(lower(token) ?? '')
}

/** Undefined for a person, whose name is no word of a phrase. */
function lower(token: Token | undefined): string | undefined {
  return token && !token.person ? normalForm(token.text.toLowerCase(), 'NFC') : undefined
}

interface Phrase {
  readonly kind: InteractionKind
  readonly words: readonly string[]
}

interface Language {
  readonly openers: ReadonlySet<string>
  readonly phrases: readonly Phrase[]
  /** The phrases, and others that need not mean that there was a contact: `lunch with @`. */
  readonly hints: readonly Phrase[]
  readonly doubt: ReadonlySet<string>
}

const KINDS = ['meeting', 'call', 'message'] as const

const languages = lazy((): readonly Language[] => {
  const sections = readDataSections(new URL('data/contact-words.txt', import.meta.url))
  const codes = [...new Set([...sections.keys()].map((name) => name.split(' ')[0] ?? ''))]
  const linesIn = (code: string, section: string) => sections.get(`${code} ${section}`) ?? []
  const doubt = codes.flatMap((code) => linesIn(code, 'doubt'))
  return codes.map((code) => {
    const ordinary = new Set(linesIn(code, 'ordinary'))
    const phrasesIn = (prefix: string) =>
      KINDS.flatMap((kind) =>
        linesIn(code, prefix + kind).map((phrase) => ({ kind, words: phrase.split(' ') })),
      )
    const phrases = phrasesIn('')
    return {
      openers: new Set(linesIn(code, 'openers')),
      phrases,
      hints: [...phrases, ...phrasesIn('hinted ')],
      doubt: new Set([...doubt.filter((word) => !ordinary.has(word)), ...linesIn(code, 'doubt')]),
    }
  })
})
