/**
 * What a sentence of the palette does, first what it says most clearly. What names one person acts at once and can be undone;
 * where several people or only similar names fit, each leads to a form that is filled in. Nothing that was typed is lost.
 */

import { capitalized } from '../../languages/capitalized.ts'
import { phrase, t } from '../../languages/message.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { cadenceText } from '../../connections/cadence/reconnect-reason.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { contactsToldIn } from '../../connections/told-contacts/told-contacts.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { shortDateText } from '../../dates/format-date.ts'
import { readCadence } from '../../dates/cadence.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { face } from '../../html/face.ts'
import {
  connectionPath,
  FOLLOW_UPS_PATH,
  introductionsPath,
  type ConnectionAction,
} from '../../html/site-map.ts'
import { namesakeDetails } from '../../connections/people/namesake-details.ts'
import { mailAddress } from '../person/facts.ts'
import { tagLinks } from './palette-actions.ts'
import { findNamed, type About, type Named } from './named-people.ts'
import { isIn, isWithin, kindIn, readSentence, type Kind, type Sentence } from './read-sentence.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PaletteLink } from './palette.page.ts'

interface SentenceLinks {
  /** What the sentence says. */
  readonly links: readonly PaletteLink[]
  /** What it could be beside a search. */
  readonly further: readonly PaletteLink[]
  /** Whether it asks for people who were not contacted, who fill a list. */
  readonly asksForList?: boolean
}

export async function sentenceLinks(
  db: MemberDatabase,
  q: string,
  context: DateContext,
  about: About,
): Promise<SentenceLinks> {
  const words = q.split(/\s+/)
  const read = (name?: Named) => readSentence(words, name, context)
  const named = await findNamed(db, words, read, about)
  const sentence = { ...read(named), named, context, words }
  const introductions = introductionLinks(sentence)
  if (introductions.length > 0) return { links: introductions, further: [] }
  if (sentence.isQuestion) {
    const asksForList = (['denied', 'past'] as const).every((name) =>
      words.some((word) => isIn(name, word)),
    )
    return { links: [], further: [], asksForList: asksForList && !named }
  }
  const verb = sentence.verb?.name
  const isOther = verb === 'introduce' || (verb === 'write' && !isWriting(sentence))
  const said = isOther ? { ...sentence, verb: undefined } : sentence
  for (const links of [
    openLinks(said),
    writeLinks(said),
    await taggedLinks(db, said),
    birthdayLinks(said),
    cadenceLinks(said),
    noteLinks(said),
  ])
    if (links.length > 0) return { links, further: [] }
  const contacts = contactLinks(said)
  const tasks = contacts.isTold ? [] : taskLinks(said)
  const isTask = said.verb?.name === 'task' || isIn('planned', words[0])
  const links = isTask ? [...tasks, ...contacts.links] : [...contacts.links, ...tasks]
  return { links, further: links.length > 0 ? [] : restLinks(said) }
}

interface Said extends Sentence {
  readonly named: Named | undefined
  readonly context: DateContext
}

/** The words that are in none of the spans. */
function wordsBeside(
  { words }: Said,
  ...spans: readonly ({ at: number; length: number } | undefined)[]
) {
  return words.filter((_, at) => !spans.some((span) => span && isWithin(at, span)))
}

/** Without small words and signs at its beginning. */
function textOf(words: readonly string[]): string {
  const from = words.findIndex((word) => /[\p{L}\p{N}]/u.test(word) && !isIn('small', word))
  return (from === -1 ? [] : words.slice(from)).join(' ').slice(0, MAX_TEXT_LENGTH)
}

interface Act {
  readonly label: (name: string) => string
  readonly detail?: string
  readonly act: ConnectionAction
  readonly fields: Readonly<Record<string, string>>
  /** The query and the fragment that open its form. */
  readonly form: readonly [query: string, fragment: string]
  /** Whether the sentence leaves something open. */
  readonly isOpen?: boolean
}

/** For one person, the act itself; otherwise a form for each, with what was typed. */
function actLinks({ people, isCertain }: Named, act: Act): PaletteLink[] {
  const { label, detail = '', fields, form, isOpen = false } = act
  const [edit, fragment] = form
  const telling = namesakeDetails(people)
  return people.map((person, at) => {
    const id = publicConnectionId(person.connectionId)
    const shown = {
      face: face({ name: person.name, photo: person.details.photo }),
      detail: [telling[at] ?? '', detail].filter((text) => text !== '').join(' · '),
      isEcho: true as const,
    }
    if (isCertain && !isOpen)
      return { ...shown, label: label(person.name), path: connectionPath(id, act.act), fields }
    const query = new URLSearchParams({ edit, ...fields }).toString()
    return {
      ...shown,
      label: label(person.name),
      path: `${connectionPath(id)}?${query}#${fragment}`,
    }
  })
}

/** `who can introduce me to Heron Health`, also as a question */
function introductionLinks(said: Said): PaletteLink[] {
  const { verb, day, isQuestion } = said
  // With a day, or a verb at the end that asks nothing, it is something to do.
  if (verb?.name !== 'introduce' || day || (verb.at > 0 && !isQuestion)) return []
  const others = wordsBeside(said, verb)
  const from = others.findIndex((word) => !isIn('small', word) && !isIn('questions', word))
  const target = (from === -1 ? [] : others.slice(from)).join(' ').replace(/[?!.]$/, '')
  if (target === '') return []
  const path = introductionsPath(target)
  return [{ label: t('Find introductions'), detail: target, path, icon: 'network', isEcho: true }]
}

function openLinks(said: Said): PaletteLink[] {
  const { named, verb } = said
  const isOnly = wordsBeside(said, verb, named).every((word) => isIn('small', word))
  if (verb?.name !== 'open' || !named || !isOnly) return []
  const telling = namesakeDetails(named.people)
  return named.people.map(({ name, connectionId, details }, at) => ({
    label: name,
    detail: telling[at] ?? '',
    face: face({ name, photo: details.photo }),
    path: connectionPath(publicConnectionId(connectionId)),
    isEcho: true,
  }))
}

/** `email mia`, but not `email with mia` and `email mia tomorrow`. */
function isWriting(said: Said): boolean {
  const { verb, day, words, named } = said
  const others = wordsBeside(said, named)
  const next = verb && words[verb.at === 0 ? verb.length : 0]
  const isEmail = others.some((word) => isIn('email', word))
  const isOther = others.some((word) => isIn('message', word))
  const isSent = verb?.length === 1 && isIn('sending', words[verb.at])
  return !day && !isIn('between', next) && !isOther && (isEmail || !isSent)
}

/** An email to each address; what follows is its subject. Where there is none, one can be added. The contact can be logged, too. */
function writeLinks(said: Said): PaletteLink[] {
  const { named, verb } = said
  if (verb?.name !== 'write' || !named) return []
  const others = wordsBeside(said, verb, named).filter((word) => !isIn('email', word))
  const text = capitalized(textOf(others))
  const subject = text === '' ? '' : `?subject=${encodeURIComponent(text)}`
  const links = named.people.flatMap(({ name, connectionId, emails, details }): PaletteLink[] => {
    const shown = { face: face({ name, photo: details.photo }), isEcho: true as const }
    const edit = `${connectionPath(publicConnectionId(connectionId), 'edit')}#emails-0-value`
    if (emails.length === 0)
      return [
        {
          ...shown,
          label: t('Add an email for {name}', { name }),
          detail: t('No email on file.'),
          path: edit,
        },
      ]
    return emails.slice(0, MAX_ADDRESSES).map((email) =>
      Object.assign({}, shown, {
        label: t('Write to {name}', { name }),
        detail: [email, text].filter((one) => one !== '').join(' · '),
        path: `mailto:${mailAddress(email)}${subject}`,
      }),
    )
  })
  const logged = named.isCertain ? contactLinks({ ...said, verb: undefined }).links : []
  return [...links, ...logged]
}

/** Addresses of one person that are offered. */
const MAX_ADDRESSES = 4

async function taggedLinks(db: MemberDatabase, said: Said): Promise<readonly PaletteLink[]> {
  const { named, verb } = said
  if (verb?.name !== 'tag' || !named) return []
  const words = wordsBeside(said, verb, named)
  const to = words.findLastIndex((word) => !isIn('small', word)) + 1
  const tag = textOf(words.slice(0, to))
  const [person] = named.people
  if (tag === '' || !person) return []
  if (named.isCertain) return tagLinks(db, person, tag)
  const label = (name: string) => t('Tag {name} with {tag}', { name, tag })
  return actLinks(named, { label, act: 'tags', fields: { tag }, form: ['tag', 'tags'] })
}

function birthdayLinks(said: Said): PaletteLink[] {
  const { named, verb, day, words } = said
  if (verb?.name !== 'birthday' || !named || !day) return []
  const text = words.slice(day.at, day.at + day.length).join(' ')
  return actLinks(named, {
    label: (name) => t('Set the birthday of {name}', { name }),
    detail: text,
    act: 'field',
    fields: { field: 'birthday', field_value: text, was: '' },
    form: ['birthday', 'birthday'],
    isOpen: named.people.some(({ birthday }) => birthday !== null),
  })
}

/** `stay in touch with mia every month` */
function cadenceLinks(said: Said): PaletteLink[] {
  const { named, verb, cadence } = said
  const read = cadence && readCadence(cadence.value)
  if (!named || !cadence || !read) return []
  const others = wordsBeside(said, named, cadence, verb)
  if (!others.every((word) => isIn('cadence', word) || isIn('small', word))) return []
  return actLinks(named, {
    label: (name) => t('Set the cadence of {name}', { name }),
    detail: cadenceText(read),
    act: 'cadence',
    fields: { cadence: cadence.value },
    form: ['cadence', 'cadence-panel'],
  })
}

/** `note mia: likes tea`, and also without the verb. */
function noteLinks(said: Said): PaletteLink[] {
  const { named, verb, words } = said
  if (!named) return []
  const end = named.at + named.length
  const colon = words.findIndex((word, at) => word.endsWith(':') && at >= end - 1 && at <= end)
  if (verb?.name !== 'note' && (colon === -1 || verb)) return []
  const text =
    colon === -1 ? textOf(wordsBeside(said, verb, named)) : words.slice(colon + 1).join(' ')
  return noteActs(named, text)
}

function noteActs(named: Named, text: string): PaletteLink[] {
  return actLinks(named, {
    label: (name) => t('Add a note to {name}', { name }),
    detail: text,
    act: 'note',
    fields: { note: text },
    form: ['note', 'write'],
    isOpen: text === '',
  })
}

/** A name and more words are perhaps a note. */
function restLinks(said: Said): PaletteLink[] {
  const { named, verb, words } = said
  if (!named || named.at !== 0 || named.length === 0 || verb) return []
  const text = words.slice(named.length).join(' ')
  return text === '' ? [] : noteActs(named, text)
}

/** A contact that is over: `had lunch with mia yesterday`, `lunch mia`, `log a call with mia`. */
function contactLinks(said: Said): {
  readonly links: readonly PaletteLink[]
  readonly isTold: boolean
} {
  const { named, verb, day, context } = said
  const none = { links: [], isTold: false }
  if (!named || (verb && verb.name !== 'log')) return none
  const told = toldContact(said)
  const others = wordsBeside(said, named, day, verb)
  const kind = kindIn(others, told !== undefined) ?? told?.kind
  if (kind === undefined && verb === undefined) return none
  const isDenied = others.some((word) => isIn('denied', word))
  if (!told && (isDenied || (day && day.past === undefined))) return none
  const today = dayInZone(context.timeZone, context.now)
  const on = told?.day ?? day?.past ?? today
  const isPlain = others.every((word) => isIn('small', word) || isIn(kind ?? 'small', word))
  const text = isPlain ? '' : capitalized(textOf(wordsBeside(said, day, verb)))
  // Nothing is to be filled in for `log mia`.
  if (kind === undefined && text === '' && !day) return none
  const link: Act = {
    label: (name) => `${contactText(kind, name)} · ${shortDateText(on, today)}`,
    detail: text,
    act: 'contact',
    fields: { ...(kind && { contact_kind: kind }), contact_on: on, contact_text: text },
    form: ['contact', 'log'],
    isOpen: kind === undefined || (told === undefined && day === undefined),
  }
  return { links: actLinks(named, link), isTold: told !== undefined }
}

const CONTACTS: Readonly<Record<Kind, string>> = {
  meeting: phrase('Log a meeting with {name}'),
  call: phrase('Log a call with {name}'),
  message: phrase('Log a message with {name}'),
  email: phrase('Log an email with {name}'),
}

function contactText(kind: Kind | undefined, name: string): string {
  return kind === undefined ? t('Log a contact with {name}', { name }) : t(CONTACTS[kind], { name })
}

/** What the reader of notes understands: `had lunch with @mia yesterday`. */
function toldContact({ named, verb, words, context }: Said) {
  const [person] = named?.people ?? []
  if (!named || !person || named.length === 0 || verb) return undefined
  const id = publicConnectionId(person.connectionId)
  const text = words.toSpliced(named.at, named.length, `@x (${id})`).join(' ')
  const [told] = contactsToldIn(
    { text, mentioned: new Map([[id, person]]), on: undefined },
    context,
  )
  const kind = told?.kind
  return told && (kind === 'meeting' || kind === 'call' || kind === 'message' || kind === 'email')
    ? { kind, day: told.day }
    : undefined
}

/** Something to do: `send the deck to mia tomorrow`, `remind me to call mia`. */
function taskLinks(said: Said): PaletteLink[] {
  const { named, verb, day, context } = said
  const isTask = verb?.name === 'task'
  if (verb && !isTask) return []
  const others = wordsBeside(said, day, verb, named).filter((word) => !isIn('small', word))
  const isMeant = isTask || (day?.ahead !== undefined && (named !== undefined || isAlone(said)))
  if (!isMeant || (others.length === 0 && (!named || !day))) return []
  if (day && day.ahead === undefined) return []
  // Nothing is left of `follow up with mia tomorrow` but the verb.
  const spoken = wordsBeside(said, day, ...(others.length > 0 ? [verb] : []))
  const text = capitalized(isTask && others.length > 0 ? textOf(spoken) : spoken.join(' '))
  const today = dayInZone(context.timeZone, context.now)
  const due = day?.ahead ?? daysLater(today, 1)
  const time = day?.time
  const fields = {
    follow_up: text.replace(/[,;]$/, ''),
    due_on: due,
    ...(time && { due_time: time }),
  }
  const dueText = [shortDateText(due, today), time].filter((one) => one !== undefined).join(' ')
  const label = `${t('Add a follow-up')} · ${dueText}`
  const detail = fields.follow_up
  const alone: PaletteLink = {
    label,
    detail,
    icon: 'bell',
    path: FOLLOW_UPS_PATH,
    fields,
    isEcho: true,
  }
  if (!named) return [alone]
  const about = { detail, act: 'follow-up', fields, form: ['follow-up', 'plan'] } as const
  const links = actLinks(named, {
    ...about,
    label: (name) => `${t('Add a follow-up for {name}', { name })} · ${dueText}`,
  })
  return named.isCertain ? links : [...links, alone]
}

/** Whether it can be done without a person: `buy milk tomorrow`, but not `added yesterday` and `birthdays in June`. */
function isAlone(said: Said): boolean {
  const others = wordsBeside(said, said.day)
  const isSearch = isIn('searches', others[0]) || others.some((word) => isIn('past', word))
  return others.length > 1 && said.day?.isShort === true && !isSearch
}
