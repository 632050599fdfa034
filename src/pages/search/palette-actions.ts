/** What the palette does: for a person, for the selection of the list, and for all of the service. Natural words find it. */

import { phrase, t } from '../../languages/message.ts'
import { tokenize } from '../../base/tokenize.ts'
import { MAX_TAG_LENGTH, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { completeTag } from '../../connections/tags/complete-tag.ts'
import { findTag } from '../../connections/tags/tags.ts'
import { readDateText, type DateContext } from '../../dates/read-date.ts'
import { weekdayDateText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import {
  ACCOUNT_PATH,
  connectionPath,
  CUSTOM_FIELDS_PATH,
  DUPLICATES_PATH,
  ADD_TO_DO_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  INTRODUCTIONS_PATH,
  KEYS_PATH,
  logContactPath,
  NEW_CONNECTION_PATH,
  NOTIFICATIONS_PATH,
  SHARE_PATH,
  SIGN_OUT_PATH,
  TAG_CADENCES_PATH,
  thenPath,
  UNDO_PATH,
} from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { readActivityPage } from '../../tools/activity-log/activity-page.ts'
import { UNDO_ACTION } from '../../tools/activity-action.ts'
import { describeChanges } from '../activity/described-change.ts'
import { withoutSmallWords } from './small-words.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Listed } from '../../connections/model/connection.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { SearchLink } from './search.page.ts'

type Named = Pick<Listed, 'name' | 'connectionId'>
type Commanded = Named & Parameters<typeof face>[0] & Parameters<typeof suggestionDetail>[0]

/** An action for one person. */
export interface PersonAction extends Omit<SearchLink, 'path'> {
  /** The query parameter `then` of the page that asks for the person. */
  readonly name: string
  readonly path: (publicId: string) => string
  /** What the words after the name are for: `climate` of `tag mia climate`. */
  readonly typed?: (
    db: MemberDatabase,
    person: Named,
    text: string,
  ) => Promise<readonly SearchLink[]>
  /** What a sentence with a day does at once. */
  readonly dated?: (person: Commanded, said: Dated) => SearchLink
}

/** `call tom` and `next friday` of `remind me to call tom next friday`. */
interface Dated {
  readonly text: string
  readonly dayText: string
  /** YYYY-MM-DD */
  readonly day: string
}

const PERSON_ACTIONS: readonly PersonAction[] = [
  {
    name: 'log',
    label: phrase('Log contact'),
    key: 'c',
    also: phrase('call met meeting message talked coffee lunch'),
    path: logContactPath,
    icon: 'edit',
  },
  {
    name: 'note',
    label: phrase('Write a note'),
    key: 'n',
    also: phrase('remember comment'),
    path: (id) => `${connectionPath(id)}#write`,
    icon: 'note',
  },
  {
    name: 'follow-up',
    label: phrase('Plan a follow-up'),
    also: phrase('remind reminder task to-do'),
    path: (id) => `${connectionPath(id)}?edit=follow-up#plan`,
    icon: 'bell',
    dated: (person, { text, dayText, day }) => ({
      label: `${t('Plan a follow-up')}: ${person.name}`,
      face: face(person),
      detail: `${text} · ${weekdayDateText(day)}`,
      path: connectionPath(publicConnectionId(person.connectionId), 'follow-up'),
      fields: { follow_up: text, due_on: dayText },
      isEcho: true,
    }),
  },
  {
    name: 'tag',
    label: phrase('Add a tag'),
    key: 't',
    also: phrase('label group'),
    path: (id) => `${connectionPath(id)}#tags`,
    icon: 'tag',
    typed: tagLinks,
  },
  {
    name: 'cadence',
    label: phrase('Set the cadence'),
    also: phrase('rhythm keep in touch frequency'),
    path: (id) => `${connectionPath(id)}#cadence-panel`,
    icon: 'later',
  },
  {
    name: 'edit',
    label: phrase('Edit the person'),
    key: 'e',
    also: phrase('change rename photo email phone'),
    path: (id) => connectionPath(id, 'edit'),
    icon: 'edit',
  },
  {
    name: 'merge',
    label: phrase('Merge with another person'),
    also: phrase('merge same twice'),
    path: (id) => mergePath(id),
    icon: 'tidy',
    typed: async (_, { name, connectionId }, text) => [
      {
        label: t('Merge {name} with {other}', { name, other: text }),
        path: mergePath(publicConnectionId(connectionId), text),
        icon: 'tidy',
      },
    ],
  },
]

/** The form that merges another person into this one, with the people who have this name. */
function mergePath(publicId: string, name = ''): string {
  const query = new URLSearchParams({ edit: 'merge', ...(name !== '' && { with: name }) })
  return `${connectionPath(publicId)}?${query.toString()}#merge`
}

/** The action that a page asks a person for. */
export function personAction(name: string): PersonAction | undefined {
  return PERSON_ACTIONS.find((one) => one.name === name)
}

/** What can be done with the person whose page or row the palette was opened from. */
export async function actionsFor(
  db: MemberDatabase,
  person: Named,
  q: string,
): Promise<readonly SearchLink[]> {
  const found = matching(
    PERSON_ACTIONS.map((one) => linkFor(one, person)),
    q,
  )
  if (found.length > 0) return found
  const typed = PERSON_ACTIONS.map(async (one) => {
    const text = restOf(one, q)
    return text === undefined ? [] : ((await one.typed?.(db, person, text)) ?? [])
  })
  return (await Promise.all(typed)).flat()
}

function linkFor({ path, ...action }: PersonAction, { connectionId }: Named): SearchLink {
  return { ...action, path: path(publicConnectionId(connectionId)) }
}

/** People that an action is for: `log mia`. */
const MAX_COMMANDED = 3

/** Words of a name, and words that are tried as one. */
const MAX_NAME_WORDS = 4

/** A word of an action and a name are the action for this person, also in a sentence: `log a call with mia`. */
export async function commandsFor(
  db: MemberDatabase,
  q: string,
  context: DateContext,
): Promise<readonly SearchLink[]> {
  const action = PERSON_ACTIONS.find((one) => restOf(one, q) !== undefined)
  const rest = action && restOf(action, q)
  if (!action || rest === undefined) return []
  const named = await peopleNamed(db, rest)
  if (named.length > 0) return named.map((one) => commandFor(action, one))
  const words = rest.split(' ')
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

/** Words of a day, and words of a sentence that are read. */
const [MAX_DAY_WORDS, MAX_SENTENCE_WORDS] = [4, 16]

/** The words, without those of the day that they name. */
function datedWords(words: readonly string[], context: DateContext): Sentence {
  for (let count = MAX_DAY_WORDS; count > 0; count--)
    for (let at = 0; at + count <= Math.min(words.length, MAX_SENTENCE_WORDS); at++) {
      const dayText = words.slice(at, at + count).join(' ')
      const read = readDateText(dayText, context, 'next-first')
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
  for (const [at, word] of said.entries()) {
    const people = await peopleCalled(db, [word])
    if (people.length === 0) continue
    const next = said[at + 1]
    const both = next === undefined ? [] : await peopleCalled(db, [word, next])
    const text = capitalized(words.slice(words.findIndex((one) => said.includes(one))).join(' '))
    return (both.length > 0 ? both : people).map((person) =>
      action.dated && dayText !== undefined && day !== undefined
        ? action.dated(person, { text, dayText, day })
        : commandFor(action, person),
    )
  }
  return []
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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
  const words = wordsOf(name)
  return (await suggestConnections(db, name, MAX_COMMANDED)).filter((one) =>
    words.every((begun) => wordsOf(one.name).some((word) => word.startsWith(begun))),
  )
}

/** Adds a tag: known ones that begin with what was typed, in their spelling, then the text itself. */
async function tagLinks(db: MemberDatabase, person: Named, text: string): Promise<SearchLink[]> {
  if (text.length > MAX_TAG_LENGTH) return []
  const same = await findTag(db, text)
  const begun = same ? [] : (await completeTag(db, text)).slice(0, MAX_COMMANDED)
  return [...begun, same?.tag ?? text].map((tag) => ({
    label: t('Tag {name} with {tag}', { name: person.name, tag }),
    face: face(person),
    path: connectionPath(publicConnectionId(person.connectionId), 'tags'),
    fields: { tag },
  }))
}

const ADD_PERSON: SearchLink = {
  label: phrase('Add person'),
  also: phrase('new create contact'),
  path: NEW_CONNECTION_PATH,
  icon: 'plus',
}

/** Words that add by themselves. `new york` is a search. */
const ADDING = phrase('add create')

/** `new person Jo Doe` adds Jo Doe. */
export function newPersonLinks(q: string): readonly SearchLink[] {
  const adding = wordsOf(bothTexts(ADDING))
  const known = new Set([...adding, ...wordsFor(ADD_PERSON)])
  const words = q.split(/\s+/)
  const isOther = (word: string) => !known.has(word.toLowerCase())
  const from = words.findIndex(isOther)
  const to = words.findLastIndex(isOther) + 1
  if (from < 0 || matching(ACTIONS, q, wordsOf(q)).length > 0) return []
  const said = [...words.slice(0, from), ...words.slice(to)].map((word) => word.toLowerCase())
  const isMeant = said.length > 1 || said.some((word) => adding.includes(word))
  const name = words.slice(from, to).join(' ')
  if (!isMeant || name.length > MAX_TEXT_LENGTH) return []
  return [{ ...ADD_PERSON, label: `${t(ADD_PERSON.label)}: ${name}`, fields: { name } }]
}

/** Undoes the newest change of the member that is in effect, and names it. */
export async function undoLinks(
  db: MemberDatabase,
  { undoers }: Pick<PersonDeps, 'undoers'>,
  q: string,
): Promise<readonly SearchLink[]> {
  if (q === '' || matching([UNDO], q).length === 0) return []
  const { changes } = await readActivityPage(db, MAX_READ_CHANGES, { agent: null })
  const done = changes.filter((one) => one.action !== UNDO_ACTION && one.undoneBy === undefined)
  const described = await describeChanges(db, done, undoers)
  const newest = described.find(({ isUndoable }) => isUndoable)
  if (!newest) return []
  const fields = { activity_id: publicActivityId(newest.change.activityId), back: 'activity' }
  return [{ ...UNDO, label: t(UNDO.label), detail: newest.title, fields }]
}

/** Own changes in which one to undo is looked for. */
const MAX_READ_CHANGES = 10

const UNDO: SearchLink = {
  label: phrase('Undo'),
  also: phrase('revert back'),
  path: UNDO_PATH,
  icon: 'undo',
}

/** An action of a person, for which the person is asked. */
function askFor({ name, label, also = '', icon = 'edit' }: PersonAction): SearchLink {
  return { label, also, icon, path: thenPath(name) }
}

const [LOG, ...OTHERS] = PERSON_ACTIONS.map(askFor)

export const ACTIONS: readonly SearchLink[] = [
  ...(LOG ? [LOG] : []),
  ADD_PERSON,
  { label: phrase('Import contacts'), path: IMPORT_PATH, icon: 'import' },
  { label: phrase('Connect an agent'), path: INTEGRATIONS_PATH, icon: 'agents' },
  { label: phrase('Add a to-do'), path: ADD_TO_DO_PATH, icon: 'bell' },
  {
    label: phrase('Merge duplicates'),
    also: phrase('merge same twice'),
    path: DUPLICATES_PATH,
    icon: 'tidy',
  },
  ...OTHERS,
  {
    label: phrase('Get reminders'),
    also: phrase('notifications email push calendar feed'),
    path: NOTIFICATIONS_PATH,
    icon: 'bell',
  },
  {
    label: phrase('Find introductions'),
    also: phrase('who knows path intro'),
    path: INTRODUCTIONS_PATH,
    icon: 'network',
  },
  {
    label: phrase('Add a passkey'),
    also: phrase('sign in password security'),
    path: `${ACCOUNT_PATH}#passkeys`,
    icon: 'settings',
  },
  { label: phrase('Edit custom fields'), path: CUSTOM_FIELDS_PATH, icon: 'list' },
  {
    label: phrase('Cadences of tags'),
    also: phrase('rhythm keep in touch reminder'),
    path: TAG_CADENCES_PATH,
    icon: 'later',
  },
  { label: phrase('Export your data'), path: `${ACCOUNT_PATH}#export`, icon: 'arrow-down' },
  {
    label: phrase('Save from other pages and apps'),
    also: phrase('share bookmark shortcut'),
    path: SHARE_PATH,
    icon: 'link',
  },
  {
    label: phrase('Turn keyboard shortcuts on or off'),
    path: `${ACCOUNT_PATH}#keys-heading`,
    icon: 'settings',
  },
  {
    label: phrase('Dark colors'),
    also: phrase('theme mode appearance night'),
    path: KEYS_PATH,
    fields: { theme: 'dark' },
    icon: 'settings',
  },
  {
    label: phrase('Light colors'),
    also: phrase('theme mode appearance day'),
    path: KEYS_PATH,
    fields: { theme: 'light' },
    icon: 'settings',
  },
  {
    label: phrase('Sign out'),
    also: phrase('log out leave'),
    path: SIGN_OUT_PATH,
    fields: {},
    icon: 'sign-out',
  },
]

/** True if only words of the label were typed, and they are more than one of many. */
export function isCommand({ label }: Pick<SearchLink, 'label'>, q: string): boolean {
  const [words, typed] = [wordsOf(label), wordsOf(q)]
  return typed.every((word) => words.includes(word)) && (typed.length > 1 || words.length < 3)
}

/** What can be done with the selection of the list. The links are parts of its bar, which scripts open. */
export function actionsForSelected(count: number, q: string): readonly SearchLink[] {
  const parts: Readonly<Record<string, string>> = {
    log: '#bulk-log',
    'follow-up': '#bulk-plan',
    tag: '#bulk-tagging',
    cadence: '#bulk-cadence',
    ...(count === 2 && { merge: '#bulk-merge' }),
  }
  const links = PERSON_ACTIONS.flatMap(({ name, label, also = '', icon = 'edit' }) => {
    const path = parts[name]
    if (path === undefined) return []
    return { label: name === 'merge' ? phrase('Merge') : label, also, icon, path }
  })
  return matching(links, q)
}

/** What is typed beside the words of an action: `mia` of `log contact mia`, and of `mia log`; undefined without one of these words. */
function restOf(action: SearchLink | PersonAction, q: string): string | undefined {
  const known = wordsFor(action)
  const words = q.split(/\s+/)
  const isKnown = (word = '') => known.includes(word.toLowerCase())
  const first = words[0]?.toLowerCase() ?? ''
  let from = first.length > 1 && known.some((word) => word.startsWith(first)) ? 1 : 0
  while (from > 0 && from < words.length - 1 && isKnown(words[from])) from += 1
  const to = from === 0 && isKnown(words.at(-1)) ? words.length - 1 : words.length
  const rest = words.slice(from, to)
  return rest.length === 0 || rest.length === words.length ? undefined : rest.join(' ')
}

/** The links in the language of the page that fit what was typed. Their words in English find them too. */
export function matching(
  links: readonly SearchLink[],
  query: string,
  typed = saidIn(query),
): readonly SearchLink[] {
  return links
    .filter((link) => isFitting(typed, wordsFor(link)))
    .map((link) => Object.assign({}, link, { label: t(link.label) }))
}

/** Links whose labels are data, such as tags, of which each word that was typed begins a word. */
export function matchingAsTheyAre(
  links: readonly SearchLink[],
  query: string,
): readonly SearchLink[] {
  const typed = saidIn(query)
  return links.filter(({ label }) => isFitting(typed, wordsOf(label)))
}

function isFitting(typed: readonly string[], words: readonly string[]): boolean {
  return typed.every((begun) => words.some((word) => word.startsWith(begun)))
}

function wordsFor({ label, also = '' }: Pick<SearchLink, 'label' | 'also'>): string[] {
  return wordsOf(`${bothTexts(label)} ${bothTexts(also)}`)
}

/** In the language of the page and in English. */
function bothTexts(text: string): string {
  return text === '' ? '' : `${t(text)} ${text}`
}

/** The words that were typed, without small ones: `change password` of `change my password`. */
function saidIn(query: string): readonly string[] {
  return withoutSmallWords(query.split(/[\s&]+/).filter((word) => word !== '')).flatMap(wordsOf)
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s&]+/)
    .filter((word) => word !== '')
}
