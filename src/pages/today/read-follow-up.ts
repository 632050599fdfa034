/** Reads what the text of a new follow-up says: when it is due, how often, and who an @ names. */

import { DAY, MINUTE } from '../../base/clock.ts'
import { tokenize } from '../../base/tokenize.ts'
import { mentionedIn, MENTION, personAfter } from '../../connections/told-contacts/mentions.ts'
import { findPresent } from '../../connections/model/connection-store.ts'
import { firstDueDay } from '../../connections/follow-ups/follow-up-schemas.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { lengthAt } from '../../dates/date-words.ts'
import { readRecurrence } from '../../dates/recurrence-text.ts'
import { minuteOfDay, readClockTime } from '../../dates/time-of-day.ts'
import { dayInZone, localTimeAt } from '../../dates/time-zone.ts'
import { capitalized } from '../../languages/capitalized.ts'
import { findNamed } from '../palette/named-people.ts'
import {
  isIn,
  isWithin,
  readSentence,
  type Sentence,
  type WordSpan,
} from '../palette/read-sentence.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'

export const READ_PARTS = ['day', 'person'] as const
export type ReadPart = (typeof READ_PARTS)[number]

export interface FollowUpReading {
  /** What to do, without the words about the day. */
  readonly text: string
  /** YYYY-MM-DD */
  readonly dueOn?: string | undefined
  /** HH:MM */
  readonly time?: string | undefined
  readonly recurrence?: string | undefined
  readonly person?: Connection | undefined
}

/** Characters of a text that is read, and words of a recurrence. */
const [MAX_READ, MAX_RECURRENCE] = [400, 5]

/** `isRead` says which parts are wanted; the words of others stay. */
export async function readFollowUp(
  db: MemberDatabase,
  typed: string,
  { isRead, ...context }: DateContext & { readonly isRead: (part: ReadPart) => boolean },
): Promise<FollowUpReading> {
  const written = typed.trim()
  if (written.length > MAX_READ) return { text: written }
  const { words, mention } = await readMention(db, written)
  const named = mention ?? (await nameIn(db, words, context))
  const reading = isRead('person') ? { person: named?.person } : {}
  const { verb, recurrence, day, time } = isRead('day') ? whenIn(words, named, context) : NO_DAY
  const rest = words.flatMap((word, at) =>
    [verb, recurrence, day, time].some((span) => span && isWithin(at, span)) ? [] : [{ word, at }],
  )
  // `@Mia: send the deck` is about Mia.
  const about =
    mention?.at === 0 && mention.length < rest.length ? reading.person && mention : undefined
  const kept = rest.filter(({ at }) => !(about && isWithin(at, about)))
  const from = verb ? kept.findIndex(({ word }) => !isIn('small', word)) : 0
  const text = kept
    .slice(Math.max(from, 0))
    .map(({ word }) => word)
    .join(' ')
  // A day alone says nothing to do.
  if (text === '') return { ...reading, text: words.join(' ') }
  const today = dayInZone(context.timeZone, context.now)
  return {
    ...reading,
    text: kept.length < words.length ? capitalized(text.replace(/[,;:]$/, '')) : text,
    dueOn:
      day?.ahead ??
      firstDueDay({ recurrence: recurrence?.value }, today) ??
      (time && dayOfTime(time.value, context)),
    time: day?.time ?? time?.value,
    recurrence: recurrence?.value,
  }
}

/** Today, or tomorrow if the time is over. */
function dayOfTime(time: string, { timeZone, now }: DateContext): string {
  const passed = (localTimeAt(timeZone, now) % DAY) / MINUTE
  return daysLater(dayInZone(timeZone, now), minuteOfDay(time) < passed ? 1 : 0)
}

interface NamedPerson extends WordSpan {
  readonly person: Connection
}

/** One person, by the whole name or the given name. */
async function nameIn(
  db: MemberDatabase,
  words: readonly string[],
  context: DateContext,
): Promise<NamedPerson | undefined> {
  const read = (name?: WordSpan) => readSentence(words, name, context)
  const found = await findNamed(db, words, read, { subject: undefined, near: {} })
  const [person] = found?.people ?? []
  return found?.isCertain && person ? { at: found.at, length: found.length, person } : undefined
}

/** The words with the names of people instead of their mentions, and the first of them. */
async function readMention(reader: MemberReader, written: string) {
  const mentioned = await mentionedIn(reader, [written])
  const words: string[] = []
  let [end, id]: [number, number | undefined] = [0, undefined]
  let name: WordSpan | undefined
  const add = (text: string) => words.push(...text.split(/\s+/).filter((word) => word !== ''))
  for (const { 0: mention, index } of written.matchAll(MENTION)) {
    const found = personAfter(mention.slice(1), mentioned)
    if (!found) continue
    add(written.slice(end, index))
    const at = words.length
    add(found.name)
    name ??= { at, length: words.length - at }
    id ??= found.person.connectionId
    end = index + 1 + found.length
  }
  // A sign stays at its name.
  const [sign = ''] = /^[^\s\p{L}\p{N}]*/u.exec(written.slice(end)) ?? []
  if (end > 0) words.push(`${words.pop() ?? ''}${sign}`)
  add(written.slice(end + (end > 0 ? sign.length : 0)))
  const person = id === undefined ? undefined : (await findPresent(reader, [id])).get(id)
  return { words, mention: name && person && { ...name, person } }
}

interface ValueSpan extends WordSpan {
  readonly value: string
}

/** The words about the day, and those before them that only say that it is to be done. */
interface When {
  readonly verb?: WordSpan | undefined
  readonly recurrence?: ValueSpan | undefined
  readonly day?: Sentence['day']
  /** HH:MM apart from the day. */
  readonly time?: ValueSpan | undefined
}

const NO_DAY: When = {}

function whenIn(words: readonly string[], name: WordSpan | undefined, context: DateContext): When {
  const plain = words.map((word) => tokenize(word).join('-'))
  const { verb, day } = readSentence(words, name, context)
  // `June trip` is no day, `next month` and `in March` are.
  const isPeriod = (at: number) =>
    (['order', 'during'] as const).some((group) => lengthAt(group, plain, at) > 0)
  const recurrence = recurrenceIn(words, plain)
  const isDay = day?.ahead !== undefined && (day.isShort || isPeriod(day.at))
  const isOwn = isDay && !(recurrence && isWithin(day.at, recurrence))
  const time = isOwn && day.time !== undefined ? undefined : timeIn(words)
  if (!isOwn && !recurrence && !time) return NO_DAY
  return {
    recurrence,
    time,
    day: isOwn ? day : undefined,
    verb: verb?.name === 'task' ? verb : undefined,
  }
}

/** `every Monday`: the longest phrase from a word that says that it recurs. */
function recurrenceIn(words: readonly string[], plain: readonly string[]): ValueSpan | undefined {
  const at = plain.findIndex((_, index) => lengthAt('every', plain, index) > 0)
  if (at === -1) return undefined
  for (let length = MAX_RECURRENCE; length > 1; length--) {
    const value = readRecurrence(words.slice(at, at + length).join(' '))
    if (at + length <= words.length && value) return { at, length, value }
  }
  return undefined
}

/** `at 5pm`, `um 17 Uhr`: without the preposition, it can be anything. */
function timeIn(words: readonly string[]): ValueSpan | undefined {
  for (const [at, word] of words.entries()) {
    if (!/^(?:at|um)$/i.test(word)) continue
    for (const length of [3, 2]) {
      const written = words.slice(at + 1, at + length).join(' ')
      const value = at + length <= words.length && readClockTime(written.replace(/[,;:.]$/, ''))
      if (value) return { at, length, value }
    }
  }
  return undefined
}
