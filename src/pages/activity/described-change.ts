/** A change described for people: action, subjects, and whether it can be undone. */

import { isDeepStrictEqual } from 'node:util'
import { rfc3339 } from '../../base/clock.ts'
import { phrase, t } from '../../languages/message.ts'
import { currentLanguage } from '../../languages/language.ts'
import { NOTHING, html, joinHtml, rawHtml, type Html } from '../../html/html.ts'
import { UNDO_ACTION, type ActivityAction } from '../../tools/activity-action.ts'
import { findChange, type ListedChange } from '../../tools/activity-log/read-activity.ts'
import { listUndos } from '../../tools/activity-log/undone-changes.ts'
import { isErased } from '../../tools/undo/undo-change.ts'
import { excerpt } from '../../search/index/snippet.ts'
import { NOTES } from '../../connections/notes/notes.ts'
import { plainNote } from '../../connections/notes/note-text.page.ts'
import { alongIn } from '../../records/undo-rows.ts'
import { readAllFields } from '../../connections/custom-fields/custom-fields.ts'
import { customFieldIn, type Relation } from '../../contact-files/contact/details.ts'
import { relationText } from '../../connections/person/label-words.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import { contactKind, contactVerb } from './contact-verbs.ts'
import { changedValues, type ChangedValue, type ChangedValues } from './changed-values.ts'
import {
  allSubjects,
  narrowedTo,
  readSubjects,
  recordedIn,
  subjectsOf,
  type KnownPeople,
  type Recorded,
} from './change-subjects.ts'
import { countOf } from '../../ui/numbers.ts'
import { connectionPath } from '../../html/site-map.ts'
import type { FieldsById } from './recorded-text.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ActivityItem } from '../../tools/activity-log/activity-page.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface DescribedChange {
  readonly change: ActivityItem
  /** A fragment: "Added Grace Hopper". */
  readonly title: Html
  /** The title, with links to the people. */
  readonly heading: Html
  /** What is to be done, if it is about a follow-up. */
  readonly task: string | undefined
  /** Whether it was undone, or is an undo. */
  readonly isReverted: boolean
  /** Whether the title says all of it. */
  readonly isTold: boolean
  /** On the page of a connection, the number of others that it changed alike: `, and for 2 others`. */
  readonly also: Html
  readonly isUndoable: boolean
  readonly changed: ChangedValues
  /** The same for changes that a log shows as one: of one action, and done or undone alike. */
  readonly kind: string
  /** The public IDs of the connections that it is about. */
  readonly people: readonly string[]
  /** The title within a sentence, without the author: "changed Grace Hopper". */
  readonly sentence: Html
  /** The sentence for several changes of this kind. `subjects` are people, if it is about any. */
  sentenceOf(all: readonly DescribedChange[], subjects: Html | undefined): Html
}

/** On the page of the connection with the public ID `about`, the titles do not repeat its name. */
export async function describeChanges(
  reader: MemberReader,
  changes: readonly ActivityItem[],
  undoers: readonly Undoer[],
  about?: string,
): Promise<DescribedChange[]> {
  const people = await readSubjects(reader, changes)
  const customFields = await readFieldsById(reader, changes)
  const rootOf = await findRoots(reader, changes)
  return changes.map((whole) => {
    const change = about === undefined ? whole : narrowedTo(about, whole)
    const root = about === undefined ? rootOf(whole) : narrowedRoot(about, rootOf(whole))
    const changed = isErased(change)
      ? NO_VALUES
      : changedValues(change, { names: people.names, customFields })
    const alone = isOnlyAbout(change, about) ? titleAlone(root, changed.values) : undefined
    const said = alone ?? titleOf(change, root, { ...people, pageOf: NO_LINKS })
    const linked = alone ?? titleOf(change, root, { ...people, pageOf: otherThan(about, people) })
    const along = alongText(root, people)
    const others = allSubjects(whole).length - allSubjects(change).length
    const also = others === 0 ? NOTHING : html`, and for ${countOf(others, 'other')}`
    return {
      change: whole,
      task: people.tasks.get(change.subjectId),
      isReverted: whole.undoneBy !== undefined || root.undos % 2 === 1,
      isTold: specialTitle(root, []) !== undefined,
      also,
      // A notice says more of the contacts that a note told of.
      title: root.change.subjectKind === NOTES.noun ? said : html`${said}${along}${also}`,
      heading: html`${linked}${along}`,
      kind: kindOf(change, root),
      people: allSubjects(change).flatMap((id) => people.connectionOf(id) ?? []),
      sentence: isSpecial(root.change)
        ? inSentence(html`${said}${along}`)
        : withFields(
            root,
            inSentence(html`${said}${written(root, [whole], people)}${along}`),
            changed.values,
          ),
      sentenceOf: (all, subjects) => {
        const values = all.flatMap((one) => one.changed.values)
        const text = written(
          root,
          all.map((one) => one.change),
          people,
        )
        return withFields(
          root,
          inSentence(html`${titleOfMany(root, all, subjects)}${text}`),
          values,
        )
      },
      isUndoable:
        change.undoneBy === undefined &&
        !isErased(change) &&
        !isOfMany(change, about) &&
        hasUndoer(undoers, root),
      changed,
    }
  })
}

function narrowedRoot(about: string, { change, undos }: Root): Root {
  return { change: narrowedTo(about, change), undos }
}

function kindOf(
  change: ListedChange & Pick<ActivityItem, 'undoneBy'>,
  { change: root, undos }: Root,
) {
  // An import, or something with a name of its own, is a line of its own.
  const isAlone = root.subjectKind === 'job' || namedThing(root) !== undefined
  return [
    root.action,
    root.before === null,
    undos === 0 ? 0 : 1 + (undos % 2),
    isSpecial(root),
    change.undoneBy !== undefined,
    isAlone || root.subjectKind === 'custom_field' ? change.activityId : '',
  ].join(' ')
}

function titleOfMany(
  root: Root,
  all: readonly DescribedChange[],
  subjects: Html | undefined,
): Html {
  const count = all.length
  if (root.change.action === 'connections.merge')
    return ofRoot(root, html`Merged duplicates into ${subjects}`)
  const isMixed = new Set(all.map(({ change }) => contactKind(change))).size > 1
  const verbFor = (number: number) =>
    isMixed
      ? contactVerb(root.change, number, 'other')
      : verbOf(root.change, subjects !== undefined, number)
  const verb = verbFor(count)
  const what = subjects === undefined ? html`${withoutObject(verb)}` : html`${verb} ${subjects}`
  // The verb, or one person for each change, says how many there are.
  const people = new Set(all.flatMap((one) => one.people))
  const isEach = verb !== verbFor(1) || (people.size > 1 && count <= people.size)
  return ofRoot(root, isEach ? what : html`${what}, ${t('{count} times', { count })}`)
}

/** What was written or planned, if it is the same in all of them: `: “Call about the boat”`. */
function written(
  { change: { action }, undos }: Root,
  all: readonly ListedChange[],
  { tasks }: KnownPeople,
): Html {
  if (undos > 0 || !WRITTEN.test(action)) return NOTHING
  const texts = new Set(
    all.map(
      ({ before, after, subjectId }) => recordedIn(after ?? before)['text'] ?? tasks.get(subjectId),
    ),
  )
  const [text] = texts
  if (texts.size !== 1 || typeof text !== 'string' || text === '') return NOTHING
  const line = excerpt(plainNote(text.slice(0, MAX_READ)), 0)
  return html`: <bdi>${t('“{text}”', { text: line })}</bdi>`
}

const WRITTEN = /^(?:notes?\.|follow_ups?\.|interaction\.)/
/** Characters from which the excerpt is made. */
const MAX_READ = 400

/** In English, the verb is lower case after its subject. */
function inSentence(title: Html): Html {
  if (currentLanguage() !== 'en') return title
  // A title of this file, in which names are escaped.
  return rawHtml(
    title.toString().replace(/^(?:(Un|Re)did: )?[A-Z]/, (start) => start.toLowerCase()),
  )
}

/** English sentences begin with their author; in other languages, a title follows. */
export function betweenAuthorAndSentence(): string {
  return currentLanguage() === 'en' ? ' ' : ' · '
}

const NO_LINKS = () => undefined

/** No link to the page that shows the changes. */
function otherThan(about: string | undefined, { pageOf }: KnownPeople): KnownPeople['pageOf'] {
  return (id) => {
    const page = pageOf(id)
    return page === about ? undefined : page
  }
}

const NO_VALUES: ChangedValues = { values: [], more: 0 }

/** The custom fields of which a change records values; deleted ones can have been in use. */
async function readFieldsById(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<FieldsById> {
  const isAny = changes.some(({ before, after }) =>
    JSON.stringify([before, after]).includes('"custom.'),
  )
  const fields = isAny ? await readAllFields(reader) : []
  return new Map(fields.map((field) => [String(field.fieldId), field]))
}

/** On the page of one connection, an import is not undone, because that would change other people too. */
function isOfMany({ subjectKind }: ListedChange, about: string | undefined): boolean {
  return about !== undefined && subjectKind === 'job'
}

function isOnlyAbout(change: ListedChange, about: string | undefined): boolean {
  const { ids, others } = subjectsOf(change)
  if (others > 0 || ids.length !== 1 || about === undefined) return false
  return ids[0] === about || change.subjectKind === 'follow_up'
}

/** As `Changed title and birthday` or `Added a note`. */
function titleAlone(root: Root, values: readonly ChangedValue[]): Html {
  const { action } = root.change
  const told = specialTitle(root, [])
  if (told) return told
  const verb = verbOf(root.change, false)
  const what =
    action === 'connection.update'
      ? html`${verb} ${changedFields(values)}`
      : html`${withoutObject(verb)}`
  return ofRoot(root, what)
}

function withoutObject(verb: string): string {
  return verb.replace(/(?: with| about| of| into|:)$/, '')
}

const MAX_FIELDS = 3

/** As `changed 9 people: location`; other changes name no fields. */
function withFields(
  { change, undos }: Root,
  sentence: Html,
  values: readonly ChangedValue[],
): Html {
  const isUpdate = change.action === 'connection.update' || change.action === 'connections.update'
  if (!isUpdate || undos > 0 || values.length === 0) return sentence
  // A new company or title also ends a position.
  const byLabel = new Map(values.map((value) => [value.label, value]))
  const isWork = values.some(({ field }) => field === 'company' || field === 'title')
  if (isWork)
    for (const { field, label } of values) if (field === 'organizations') byLabel.delete(label)
  return html`${sentence}: ${changedFields([...byLabel.values()])}`
}

function changedFields(values: readonly ChangedValue[]): Html {
  const labels = values.map(({ field, label }) =>
    customFieldIn(field) === undefined ? html`${midSentence(label)}` : html`<bdi>${label}</bdi>`,
  )
  const shown = labels.length > MAX_FIELDS + 1 ? labels.slice(0, MAX_FIELDS) : labels
  const more = labels.length - shown.length
  return listed(more === 0 ? shown : [...shown, html`${countOf(more, 'other field')}`])
}

/** English nouns are lower case within a sentence. */
function midSentence(label: string): string {
  return currentLanguage() === 'en' ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

/** The original change behind a chain of undos, and the length of that chain. */
interface Root {
  readonly change: ListedChange
  readonly undos: number
}

/** Undone changes that are on another page are loaded. */
async function findRoots(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<(change: ListedChange) => Root> {
  const roots = new Map<number, Root>()
  const present = new Map(changes.map((change) => [change.activityId, change]))
  const isAnyUndo = changes.some(({ action }) => action === UNDO_ACTION)
  const undone = new Map(
    (isAnyUndo ? await listUndos(reader) : []).map((undo) => [undo.activity_id, undo.undoes]),
  )
  for (const change of changes) {
    let [rootId, undos] = [change.activityId, 0]
    for (let next = undone.get(rootId); next !== undefined; next = undone.get(rootId)) {
      rootId = next
      undos += 1
    }
    const root = present.get(rootId) ?? (await findChange(reader, rootId))
    roots.set(change.activityId, { change: root ?? change, undos })
  }
  return (change) => roots.get(change.activityId) ?? { change, undos: 0 }
}

function hasUndoer(undoers: readonly Undoer[], { change }: Root): boolean {
  return undoers.some(({ actions }) => actions.includes(change.action))
}

function titleOf(
  change: ListedChange,
  root: Root,
  { names, pageOf, connectionOf }: KnownPeople,
): Html {
  const { ids: all, others } = subjectsOf(change)
  // A to-do is about no one.
  const isToDo = change.subjectKind === 'follow_up' && !connectionOf(change.subjectId)
  const ids = isToDo ? [] : all
  const named = ids.map((id) => {
    const [name, page] = [names.get(id), pageOf(id)]
    if (name === undefined) return deletedName()
    const shown = html`<bdi>${name}</bdi>`
    return page === undefined ? shown : html`<a href="${connectionPath(page)}">${shown}</a>`
  })
  if (ids.length === 0 && isErased(change)) named.push(deletedName())
  const subjects = [
    ...named,
    ...namedField(change),
    ...(others > 0 ? [html`${countOf(others, 'other')}`] : []),
  ]
  const thing = namedThing(root.change)
  if (subjects.length === 0 && thing !== undefined) return ofRoot(root, thing)
  const tagged = taggedMany(root.change)
  if (tagged) return ofRoot(root, tagged)
  const isWith = subjects.length > 0
  const told = specialTitle(root, subjects)
  if (told) return told
  const verb = verbOf(root.change, isWith)
  const what = isWith ? html`${verb} ${listed(subjects)}` : html`${withoutObject(verb)}`
  return ofRoot(root, what)
}

/** What was changed along with it: `; logged a contact with Rosa`. */
function alongText({ change: { after } }: Root, { names }: KnownPeople): Html {
  const { interactions = [], follow_ups } = recordedIn(alongIn(after, 'after'))
  const people = new Set(interactions.flatMap((one) => one.people ?? []))
  const named = [...people].map((id) => html`<bdi>${names.get(id) ?? t('a deleted person')}</bdi>`)
  if (named.length > 0) return html`; logged a contact with ${listed(named)}`
  return follow_ups === undefined ? NOTHING : html`; completed the follow-up`
}

function ofRoot({ undos }: Root, what: Html): Html {
  if (undos === 0) return what
  return html`${undos % 2 === 1 ? t('Undid') : t('Redid')}: ${what}`
}

/** The name of the custom field that was changed; empty for other changes. */
function namedField({ subjectKind, before, after }: ListedChange): Html[] {
  const { name } = recordedIn(after ?? before)
  return (subjectKind === 'custom_field' || subjectKind === 'view') && typeof name === 'string'
    ? [html`<bdi>${name}</bdi>`]
    : []
}

/** As `Imported Connections.csv` or `Created the API token laptop`; undefined for other changes and without a name. */
function namedThing({ action, after }: ListedChange): Html | undefined {
  const verb = Object.entries(NAMED_THINGS).find(([of]) => of === action)?.[1]
  const { name, filename } = recordedIn(after)
  const named = action === 'connections.import' ? filename : name
  return verb !== undefined && typeof named === 'string' && named !== ''
    ? html`${t(verb)} <bdi>${named}</bdi>`
    : undefined
}

const NAMED_THINGS: Readonly<Partial<Record<ActivityAction, string>>> = {
  'connections.import': phrase('Imported'),
  'connections.sync': phrase('Synced from the device'),
  'account.passkey_added': phrase('Added the passkey'),
  'account.passkey_removed': phrase('Removed the passkey'),
  'account.token_created': phrase('Created the API token'),
  'account.token_revoked': phrase('Revoked the API token'),
  'account.device_created': phrase('Added the device'),
  'account.device_revoked': phrase('Revoked the device'),
  'account.device_paused': phrase('Paused the device'),
  'account.device_confirmed': phrase('Confirmed the changes of the device'),
  'account.agent_connected': phrase('Connected the agent'),
  'account.agent_disconnected': phrase('Disconnected the agent'),
  'account.agent_limits_changed': phrase('Changed the limits of the agent'),
  'account.cloud_agent_removed': phrase('Removed the cloud agent'),
}

/** More people than this are a number. */
const MAX_NAMED = 3

/** As `Added climate to 14 people`, for one tag of many people; undefined for other changes. */
function taggedMany({ action, before, after }: ListedChange): Html | undefined {
  if (action !== 'connections.tag') return undefined
  const [was, is] = [recordedIn(before).connections ?? [], recordedIn(after).connections ?? []]
  if (is.length <= MAX_NAMED) return undefined
  const differing = (some: typeof was, others: typeof was) =>
    new Set(
      some.flatMap((one, at) => {
        const kept = new Set(tagsIn(others[at]))
        return tagsIn(one).filter((tag) => !kept.has(tag))
      }),
    )
  const [added, removed] = [[...differing(is, was)], [...differing(was, is)]]
  const people = html`${is.length} people`
  if (added.length === 1 && removed.length === 0)
    return html`Added <bdi>${added[0]}</bdi> to ${people}`
  if (removed.length === 1 && added.length === 0)
    return html`Removed <bdi>${removed[0]}</bdi> from ${people}`
  return undefined
}

function tagsIn(one: Recorded | undefined): string[] {
  const tags = one?.['tags']
  return Array.isArray(tags) ? tags.map(String) : []
}

function deletedName(): Html {
  return html`a deleted person`
}

/** As `Grace, Alan and Jean`. */
export function listed(items: readonly Html[]): Html {
  const [last = NOTHING, ...others] = items.toReversed()
  return others.length === 0 ? last : html`${joinHtml(others.toReversed(), ', ')} and ${last}`
}

/** The verb phrase that comes before the names. */
function verbOf({ action, before, after }: ListedChange, isWith: boolean, count = 1): string {
  if (action === 'follow_up.set' || action === 'follow_ups.set')
    return t(
      before === null
        ? '{count, plural, one {Added a follow-up with} other {Added # follow-ups with}}'
        : '{count, plural, one {Changed a follow-up with} other {Changed # follow-ups with}}',
      { count },
    )
  if (action === 'interaction.set' || action === 'interaction.delete')
    return contactVerb({ before, after }, count)
  if (action === 'connections.merge') {
    const merged = recordedIn(after).connections ?? recordedIn(before).connections ?? []
    return t('Merged {value} into', {
      value: countOf(Math.max(merged.length - 1, 1), 'person'),
    })
  }
  if (action === 'custom_field.set' && before === null) return t('Added the custom field')
  const verb = Object.entries(VERBS).find(([name]) => name === action)?.[1]
  return verb === undefined
    ? `${action.replaceAll(/[._]/g, ' ')}${isWith ? ':' : ''}`
    : t(verb, { count })
}

/** The title of a change that its action does not describe well; undefined for others. */
function specialTitle(root: Root, subjects: readonly Html[]): Html | undefined {
  const what = snoozed(root.change, subjects) ?? relationAdded(root.change, subjects)
  return what && ofRoot(root, what)
}

/** Whether the title says all of the change. */
function isSpecial(change: ListedChange): boolean {
  return (snoozed(change, []) ?? relationAdded(change, [])) !== undefined
}

/** The recorded states of the people of a change. */
function statesIn(part: object | null): readonly Recorded[] {
  const recorded = recordedIn(part)
  return recorded.connections ?? [recorded]
}

/** As `Snoozed Grace Hopper until 6 Dec`, if nothing else of the cadence changed. */
function snoozed(change: ListedChange, subjects: readonly Html[]): Html | undefined {
  if (change.action !== 'cadence.set') return undefined
  const [was, is] = [statesIn(change.before), statesIn(change.after)]
  const day = is[0]?.['paused_until']
  const isOnly = is.every((one, at) =>
    isDeepStrictEqual({ ...was[at], paused_until: day }, { ...one }),
  )
  if (typeof day !== 'string' || !isOnly || isDeepStrictEqual(was, is)) return undefined
  // Without the year if it is the same.
  const isSameYear = day.startsWith(rfc3339(change.at).slice(0, 4))
  const until = calendarDate(isSameYear ? `-${day.slice(4)}` : day)
  return subjects.length === 0
    ? html`Snoozed until ${until}`
    : html`Snoozed ${listed(subjects)} until ${until}`
}

/** As `Added a relation of Grace Hopper: Alan Turing (brother)`, also if it added the other person. */
function relationAdded(change: ListedChange, [subject]: readonly Html[]): Html | undefined {
  if (!change.action.endsWith('.update')) return undefined
  const [was = {}, ...others] = statesIn(change.before)
  const [is = {}, added] = statesIn(change.after)
  const one = relationsIn(is).at(-1)
  const isOnly = isDeepStrictEqual(
    { ...is },
    { ...was, relations: [...relationsIn(was), one], sources: is['sources'] },
  )
  if (!one || !isOnly || others.length > 0 || (added && added['name'] !== one.name))
    return undefined
  const word =
    one.relation === undefined ? NOTHING : html` (<bdi>${relationText(one.relation)}</bdi>)`
  const who = html`<bdi>${one.name}</bdi>${word}`
  return subject ? html`Added a relation of ${subject}: ${who}` : html`Added a relation: ${who}`
}

function relationsIn({ relations }: Recorded): readonly Relation[] {
  return Array.isArray(relations) ? (relations as Relation[]) : []
}

/** Actions that `verbOf` does not describe itself. A new action does not type-check without its words. */
const VERBS: Readonly<
  Record<
    Exclude<
      ActivityAction,
      | 'follow_up.set'
      | 'follow_ups.set'
      | 'interaction.set'
      | 'interaction.delete'
      | 'connections.merge'
      | typeof UNDO_ACTION
    >,
    string
  >
> = {
  'cadence.set': phrase('Changed the cadence of'),
  'cadence.tag': phrase('Changed the cadence of a tag'),
  'connection.add': phrase('Added'),
  'connections.add': phrase('Added'),
  'connection.update': phrase('Changed'),
  'connections.update': phrase('Changed'),
  'connections.delete': phrase('Deleted'),
  'connections.restore': phrase('Restored'),
  'connections.import': phrase('Imported a file'),
  'connections.tag': phrase('Changed the tags of'),
  'connections.not_duplicates': phrase('Marked as different people:'),
  'connections.split': phrase('Split'),
  'connections.sync': phrase('Synced from a device'),
  'custom_field.set': phrase('Changed the custom field'),
  'custom_field.move': phrase('Moved the custom field'),
  'custom_field.delete': phrase('Deleted the custom field'),
  'interactions.sync': phrase('Synced meetings with'),
  'note.add': phrase('{count, plural, one {Added a note about} other {Added # notes about}}'),
  'note.update': phrase(
    '{count, plural, one {Changed a note about} other {Changed # notes about}}',
  ),
  'notes.add': phrase('{count, plural, one {Added a note about} other {Added # notes about}}'),
  'note.delete': phrase(
    '{count, plural, one {Deleted a note about} other {Deleted # notes about}}',
  ),
  'follow_up.complete': phrase(
    '{count, plural, one {Completed a follow-up with} other {Completed # follow-ups with}}',
  ),
  'follow_up.delete': phrase(
    '{count, plural, one {Deleted a follow-up with} other {Deleted # follow-ups with}}',
  ),
  'profile.update': phrase('Changed your profile'),
  'view.delete': phrase('Deleted the view'),
  'view.save': phrase('Saved the view'),
  'account.session_started': phrase('Signed in'),
  'account.session_ended': phrase('Signed out'),
  'account.password_changed': phrase('Changed your password'),
  'account.password_reset': phrase('Reset your password'),
  'account.email_changed': phrase('Changed the email address'),
  'account.passkey_added': phrase('Added a passkey'),
  'account.passkey_removed': phrase('Removed a passkey'),
  'account.token_created': phrase('Created an API token'),
  'account.token_revoked': phrase('Revoked an API token'),
  'account.device_created': phrase('Added a device'),
  'account.device_revoked': phrase('Revoked a device'),
  'account.device_paused': phrase('Paused a device'),
  'account.device_confirmed': phrase('Confirmed the changes of a device'),
  'account.device_fields_changed': phrase('Changed whether contacts apps have your custom fields'),
  'account.agent_connected': phrase('Connected an agent'),
  'account.agent_disconnected': phrase('Disconnected an agent'),
  'account.agent_limits_changed': phrase('Changed what an agent may do'),
  'account.cloud_agent_removed': phrase('Removed a cloud agent'),
  'account.identity_linked': phrase('Connected your account to an identity provider'),
  'account.access_revoked': phrase('Revoked access to your account'),
  'account.disable': phrase('Your account was disabled'),
  'account.enable': phrase('Your account was enabled'),
  'account.promote': phrase('You were made an admin'),
  'account.demote': phrase('You are no longer an admin'),
  'account.reset_link': phrase('A password reset link was created for you'),
}
