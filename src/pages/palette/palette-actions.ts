/** What the palette does: for a person, for the selection of the list, and for all of the service. Natural words find it. */

import { phrase, t } from '../../languages/message.ts'
import { MAX_TAG_LENGTH, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { completeTag } from '../../connections/tags/complete-tag.ts'
import { findTag } from '../../connections/tags/tags.ts'
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
import { bothTexts, matching, wordsFor, spacedWords } from './matching-links.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { SETTING_PAGES } from './palette-pages.ts'
import { isIn } from './read-sentence.ts'
import { isPlainEmail } from '../../contact-files/contact/emails-and-phones.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { PaletteLink } from './palette.page.ts'

type Named = Pick<Connection, 'name' | 'connectionId'>

/** An action for one person. */
export interface PersonAction extends Omit<PaletteLink, 'path'> {
  /** The query parameter `then` of the page that asks for the person. */
  readonly name: string
  readonly path: (publicId: string) => string
}

export const PERSON_ACTIONS: readonly PersonAction[] = [
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
    label: phrase('Follow up'),
    also: phrase('remind reminder task to-do'),
    path: (id) => `${connectionPath(id)}?edit=follow-up#plan`,
    icon: 'bell',
  },
  {
    name: 'tag',
    label: phrase('Add a tag'),
    key: 't',
    also: phrase('label group'),
    path: (id) => `${connectionPath(id)}#tags`,
    icon: 'tag',
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
  },
]

/** The form that merges another person into this one, with the people who have this name. */
export function mergePath(publicId: string, name = ''): string {
  const query = new URLSearchParams({ edit: 'merge', ...(name !== '' && { with: name }) })
  return `${connectionPath(publicId)}?${query.toString()}#merge`
}

/** The action that a page asks a person for. */
export function personAction(name: string): PersonAction | undefined {
  return PERSON_ACTIONS.find((one) => one.name === name)
}

/** What can be done with the person whose page or row the palette was opened from. */
export function actionsFor(person: Named, q: string): readonly PaletteLink[] {
  return matching(
    PERSON_ACTIONS.map((one) => linkFor(one, person)),
    q,
  )
}

function linkFor({ path, ...action }: PersonAction, { connectionId }: Named): PaletteLink {
  return { ...action, path: path(publicConnectionId(connectionId)) }
}

/** People that an action is for: `log mia`. */
export const MAX_COMMANDED = 3

/** Adds a tag: known ones that begin with what was typed, in their spelling, then the text itself. */
export async function tagLinks(
  db: MemberDatabase,
  { name, connectionId, details }: Connection,
  text: string,
): Promise<PaletteLink[]> {
  if (text.length > MAX_TAG_LENGTH) return []
  const same = await findTag(db, text)
  const begun = same ? [] : (await completeTag(db, text)).slice(0, MAX_COMMANDED)
  return [...begun, same?.tag ?? text].map((tag) => ({
    label: t('Tag {name} with {tag}', { name, tag }),
    face: face({ name, photo: details.photo }),
    path: connectionPath(publicConnectionId(connectionId), 'tags'),
    fields: { tag },
    isEcho: true,
  }))
}

const ADD_PERSON: PaletteLink = {
  label: phrase('Add person'),
  also: phrase('new create contact'),
  path: NEW_CONNECTION_PATH,
  icon: 'plus',
}

/** Words that add by themselves. `new york` is a search. */
const ADDING = phrase('add create')

/**
 * `new person Jo Doe` adds Jo Doe. With an email or the work after it, the form of a new person is filled in: `add Jo Doe
 * jo@a.example, nurse at Heron Health`.
 */
export function newPersonLinks(q: string): readonly PaletteLink[] {
  const adding = spacedWords(bothTexts(ADDING))
  const known = new Set([...adding, ...wordsFor(ADD_PERSON)])
  const words = q.split(/\s+/)
  const isOther = (word: string) => !known.has(word.toLowerCase())
  const from = words.findIndex(isOther)
  const to = words.findLastIndex(isOther) + 1
  if (from < 0 || matching([...ACTIONS, ...SETTING_PAGES], q, spacedWords(q)).length > 0) return []
  const said = [...words.slice(0, from), ...words.slice(to)].map((word) => word.toLowerCase())
  const isMeant = said.length > 1 || said.some((word) => adding.includes(word))
  const { name, ...details } = personIn(words.slice(from, to))
  if (!isMeant || name === '' || name.length > MAX_TEXT_LENGTH) return []
  const link = { ...ADD_PERSON, label: `${t(ADD_PERSON.label)}: ${name}`, isEcho: true as const }
  const given = Object.entries(details).filter(([, value]) => value !== '')
  if (given.length === 0) return [{ ...link, fields: { name } }]
  const query = new URLSearchParams([['name', name], ...given]).toString()
  const detail = given.map(([, value]) => value).join(' · ')
  return [{ ...link, detail, path: `${NEW_CONNECTION_PATH}?${query}` }]
}

/** The name, and what follows it: an email, a phone, a title after a comma, and a company after `from` or `at`. */
function personIn(words: readonly string[]) {
  const plain = (word: string) => word.replace(/[,;]$/, '')
  const email = words.find((word) => isPlainEmail(plain(word))) ?? ''
  const numbers = words.filter((word) => /^[+(\d][\d()/.-]*,?$/.test(word))
  const phones = numbers.join('').length < MIN_PHONE_LENGTH ? [] : numbers
  const isDetail = (word: string) => word === email || phones.includes(word)
  const others = words.filter((word) => !isDetail(word))
  const at = others.findIndex((word, index) => index > 0 && isIn('from', word))
  const before = at === -1 ? others : others.slice(0, at)
  const company =
    at === -1
      ? []
      : others.slice(others.findIndex((word, index) => index > at && !isIn('from', word)))
  // A comma, an email or a phone ends the name.
  const comma = before.findIndex((word) => word.endsWith(',')) + 1
  const first = words.findIndex(isDetail)
  const ends = [comma, first].filter((end) => end > 0)
  const named = before.slice(0, Math.min(...ends, before.length))
  return {
    name: named.join(' ').replace(/,$/, ''),
    email: plain(email),
    phone: plain(phones.join(' ')),
    title: before.slice(named.length).join(' '),
    company: company.join(' '),
  }
}

const MIN_PHONE_LENGTH = 6

/** Undoes the newest change of the member that is in effect, and names it. */
export async function undoLinks(
  db: MemberDatabase,
  { undoers }: Pick<PersonDeps, 'undoers'>,
  q: string,
): Promise<readonly PaletteLink[]> {
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

const UNDO: PaletteLink = {
  label: phrase('Undo'),
  also: phrase('revert back last latest change changes make'),
  path: UNDO_PATH,
  icon: 'undo',
}

/** An action of a person, for which the person is asked. */
function askFor({ name, label, also = '', icon = 'edit' }: PersonAction): PaletteLink {
  return { label, also, icon, path: thenPath(name) }
}

const [LOG, ...OTHERS] = PERSON_ACTIONS.map(askFor)

export const ACTIONS: readonly PaletteLink[] = [
  ...(LOG ? [LOG] : []),
  ADD_PERSON,
  {
    label: phrase('Import contacts'),
    also: phrase('csv vcf vcard linkedin google file upload'),
    path: IMPORT_PATH,
    icon: 'import',
  },
  { label: phrase('Connect an agent'), path: INTEGRATIONS_PATH, icon: 'agents' },
  {
    label: phrase('Add follow-up'),
    also: phrase('remind reminder task to-do'),
    path: ADD_TO_DO_PATH,
    icon: 'bell',
  },
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
    label: phrase('Birthdays this month'),
    also: phrase('bday birthday'),
    path: listPath({ q: 'birthdays this month' }),
    icon: 'today',
  },
  {
    label: phrase('Due now'),
    also: phrase('who should i catch contact call talk reconnect overdue people'),
    path: listPath({ due: '0' }),
    icon: 'later',
  },
  { label: phrase('Edit custom fields'), path: CUSTOM_FIELDS_PATH, icon: 'list' },
  {
    label: phrase('Cadences of tags'),
    also: phrase('rhythm keep in touch reminder'),
    path: TAG_CADENCES_PATH,
    icon: 'later',
  },
  {
    label: phrase('Export your data'),
    also: phrase('csv download backup'),
    path: `${ACCOUNT_PATH}#export`,
    icon: 'arrow-down',
  },
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

/** What can be done with the selection of the list. The links are parts of its bar, which scripts open. */
export function actionsForSelected(count: number, q: string): readonly PaletteLink[] {
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
