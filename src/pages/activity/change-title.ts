/** The title of a change: what was done and to which people, alone, in a sentence, or for several changes of one kind. */

import { t } from '../../languages/message.ts'
import { currentLanguage } from '../../languages/language.ts'
import { NOTHING, html, rawHtml, type Html } from '../../html/html.ts'
import { DELETED_TEXT } from '../../tools/activity-log/activity-page.ts'
import { isErased } from '../../tools/undo/undo-change.ts'
import { excerpt } from '../../search/index/snippet.ts'
import { plainNote } from '../../connections/notes/note-text.page.ts'
import { alongIn } from '../../records/undo-rows.ts'
import { customFieldIn } from '../../contact-files/contact/details.ts'
import { connectionPath } from '../../html/site-map.ts'
import { countOf } from '../../ui/numbers.ts'
import { listed } from '../../ui/listed.ts'
import { contactKind, contactVerb } from './contact-verbs.ts'
import { ofRoot, type Root } from './change-root.ts'
import { namedThing, verbOf, withoutObject } from './change-verbs.ts'
import { specialTitle, taggedMany } from './special-title.ts'
import { recordedIn, subjectsOf, type KnownPeople } from './change-subjects.ts'
import type { ChangedValue } from './changed-values.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

/** One of several changes in one sentence. */
interface OneOfMany {
  readonly change: ListedChange
  readonly people: readonly string[]
}

export function titleOfMany(
  root: Root,
  all: readonly OneOfMany[],
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
export function writtenText(
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
  if (texts.size !== 1 || typeof text !== 'string') return NOTHING
  if (text === '' || text === DELETED_TEXT) return NOTHING
  const line = excerpt(plainNote(text.slice(0, MAX_READ)), 0)
  return html`: <bdi>${t('“{text}”', { text: line })}</bdi>`
}

const WRITTEN = /^(?:notes?\.|follow_ups?\.|interaction\.)/
/** Characters from which the excerpt is made. */
const MAX_READ = 400

/** In English, the verb is lower case after its subject. */
export function inSentence(title: Html): Html {
  if (currentLanguage() !== 'en') return title
  // A title of this file, in which names are escaped.
  return rawHtml(
    title.toString().replace(/^(?:(Un|Re)did: )?[A-Z]/, (start) => start.toLowerCase()),
  )
}

/** As `Changed title and birthday` or `Added a note`. */
export function titleAlone(root: Root, values: readonly ChangedValue[]): Html {
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

const MAX_FIELDS = 3

/** As `changed 9 people: location`; other changes name no fields. */
export function withChangedFields(
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

export function titleOfChange(
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
export function alongText({ change: { after } }: Root, { names }: KnownPeople): Html {
  const { interactions = [], follow_ups } = recordedIn(alongIn(after, 'after'))
  const people = new Set(interactions.flatMap((one) => one.people ?? []))
  const named = [...people].map((id) => html`<bdi>${names.get(id) ?? t('a deleted person')}</bdi>`)
  if (named.length > 0) return html`; logged a contact with ${listed(named)}`
  return follow_ups === undefined ? NOTHING : html`; completed the follow-up`
}

/** The name of the custom field that was changed; empty for other changes. */
function namedField({ subjectKind, before, after }: ListedChange): Html[] {
  const { name } = recordedIn(after ?? before)
  return (subjectKind === 'custom_field' || subjectKind === 'view') && typeof name === 'string'
    ? [html`<bdi>${name}</bdi>`]
    : []
}

function deletedName(): Html {
  return html`a deleted person`
}
