/** Relations of a question: "do I owe", "haven't spoken to", "met at", "left" and "works at", with the words that they are about. */

import { findDates } from './dates.ts'
import { kinTerm } from './kinship.ts'
import { matchPhrase, wordList, type WordList } from './phrases.ts'
import { amountOfTime } from './relative-dates.ts'
import { addFacet, isKnown, startsPhrase, take, wordsAt, type QuestionReading } from './reading.ts'

/** Takes the tokens of each relation, and adds its facet. */
export function readRelations(reading: QuestionReading): void {
  const { words } = reading
  for (let at = 0; at < words.length; at += 1) {
    if (reading.taken[at] === true) continue
    if (isKinWithName(words, at)) take(reading, at + 1, 1)
    for (const { list, read } of RELATIONS) {
      const match = matchPhrase(wordList(list), words, at)
      if (!match || !read(reading, at, match.length)) continue
      reading.isQuestion = true
      break
    }
  }
}

/** "father of Anna": the word between is not searched for. */
function isKinWithName(words: readonly string[], at: number): boolean {
  if (at + 2 >= words.length || !BEFORE_NAME.has(words[at + 1] ?? '')) return false
  return kinTerm(words[at] ?? '') !== undefined
}

const BEFORE_NAME: ReadonlySet<string> = new Set('of von vom de di da do del van av od'.split(' '))

interface Relation {
  readonly list: WordList
  /** Whether the phrase is this relation here; then it has taken its words. */
  readonly read: (reading: QuestionReading, at: number, length: number) => boolean
}

const RELATIONS: readonly Relation[] = [
  { list: 'follow-up', read: readFollowUp },
  { list: 'silence', read: readSilence },
  { list: 'event', read: readEvent },
  { list: 'subject', read: readSubject },
  { list: 'former', read: readFormerCompany },
  { list: 'company', read: readCompany },
]

/** "haven't spoken to in a year". A date after it is read later, as the end of the silence. */
function readSilence(reading: QuestionReading, at: number, length: number): boolean {
  take(reading, at, length)
  reading.isSilence = true
  const amount = amountOfTime(reading.words, at + length, reading.today())
  if (!amount) return true
  take(reading, at + length, amount.length)
  reading.dates.push({ about: 'last-interaction', to: amount.from })
  return true
}

/** "do I owe an intro": what follows is not a question, even if it would be one elsewhere. */
function readFollowUp(reading: QuestionReading, at: number, length: number): boolean {
  const { words, today } = reading
  if (isFirstName(reading, at, length)) return false
  const asked: number[] = []
  for (let next = at + length; next < words.length && asked.length < MAX_RUN; next += 1) {
    if (reading.taken[next] === true || findDates(words.slice(next), today)[0]?.at === 0) break
    if (!startsPhrase('weak', words, next)) asked.push(next)
  }
  if (asked.length === 0) return false
  take(reading, at, length)
  addFacet(reading, 'follow-up', asked, 'filter')
  return true
}

/** Owe is also a name: unless the text asks before, one word is more likely a person of the network. */
function isFirstName(
  { words, vocabulary, isQuestion }: QuestionReading,
  at: number,
  length: number,
) {
  return !isQuestion && length === 1 && vocabulary?.has('name', [words[at] ?? '']) === true
}

function readEvent(reading: QuestionReading, at: number, length: number): boolean {
  const asked = runAfter(reading, at + length)
  if (asked.length === 0) return false
  take(reading, at, length)
  addFacet(reading, 'event', asked, 'filter')
  return true
}

/** "hilft bei": its preposition starts no company, unless the member knows a company of that name. */
function readSubject(reading: QuestionReading, at: number, length: number): boolean {
  const subject = wordsAt(reading, companyRun(reading, runAfter(reading, at + length)))
  const isCompany = reading.vocabulary?.has('company', subject) === true
  if (isCompany && !isKnown(subject, ['topic', 'title'])) return false
  take(reading, at, length)
  return true
}

/** The company follows the phrase, or in some languages precedes it: "wer hat Stripe verlassen". */
function readFormerCompany(reading: QuestionReading, at: number, length: number): boolean {
  const isKnownCompany = (words: readonly string[]) =>
    reading.vocabulary?.has('company', words) === true ||
    (reading.words[at] !== 'left' && reading.vocabulary?.has('detail', words) === true)
  const after = companyRun(reading, runAfter(reading, at + length), isKnownCompany)
  const asked =
    after.length > 0 ? after : companyRun(reading, runBefore(reading, at), isKnownCompany)
  // "former CTO" and "ex founder" are titles, not companies.
  if (asked.length === 0 || isKnown(wordsAt(reading, asked), ['title'])) return false
  // "left" alone is ambiguous; without a question word, a name is more likely.
  const isPrefix = reading.words[at] === 'ex'
  const isClear = reading.isQuestion || isPrefix || length > 1
  if (!isClear && !isKnownCompany(wordsAt(reading, asked))) return false
  take(reading, at, length)
  addFacet(reading, 'former-company', asked, 'filter')
  return true
}

/** The part of a run that is a company: the longest one that the member knows, or what stands before a title. */
function companyRun(
  { words, vocabulary }: QuestionReading,
  run: readonly number[],
  isKnownCompany = (name: readonly string[]) => vocabulary?.has('company', name) === true,
): readonly number[] {
  for (let length = run.length; length > 0; length -= 1) {
    const start = run.slice(0, length)
    if (isKnownCompany(wordsAt({ words }, start))) return start
  }
  const title = run.findIndex((at, index) => index > 0 && isKnown([words[at] ?? ''], ['title']))
  return title < 0 ? run : run.slice(0, title)
}

function readCompany(reading: QuestionReading, at: number, length: number): boolean {
  if (at === 0 && length === 1) return false
  const asked = companyRun(reading, runAfter(reading, at + length))
  const words = wordsAt(reading, asked)
  if (asked.length === 0 || startsPhrase('birthday', words, 0)) return false
  const isCompany = reading.vocabulary?.has('company', words) === true
  if (!isCompany && isKnown(words, ['location', 'title', 'topic'])) return false
  take(reading, at, length)
  addFacet(reading, 'company', asked, 'filter')
  return true
}

/** Words of one company or event. */
const MAX_RUN = 5

/** The tokens from here up to the next word that only asks or connects, a date or another relation. */
function runAfter(reading: QuestionReading, start: number): number[] {
  const { words } = reading
  let from = start
  while (from < words.length && isArticle(words[from])) from += 1
  const run: number[] = []
  for (let at = from; at < words.length && run.length < MAX_RUN && !endsRun(reading, at); at += 1)
    run.push(at)
  return run
}

function runBefore(reading: QuestionReading, end: number): number[] {
  const run: number[] = []
  for (let at = end - 1; at >= 0 && run.length < MAX_RUN && !endsRun(reading, at); at -= 1)
    run.unshift(at)
  return run
}

function endsRun(reading: QuestionReading, at: number): boolean {
  const { words, taken, today } = reading
  if (taken[at] === true) return true
  if (startsPhrase('weak', words, at) || startsPhrase('question', words, at)) return true
  if (startsPhrase('location', words, at)) return true
  // A month is a date only after a preposition, which the relation has taken.
  const next = words.slice(at, at + 6)
  return [next, ['in', ...next]].some((one) => findDates(one, today)[0]?.at === 0)
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the a an der die das dem den le la les l un une el los las il lo gli o os as de het een'.split(
    ' ',
  ),
)

function isArticle(word: string | undefined): boolean {
  return word !== undefined && ARTICLES.has(word)
}
