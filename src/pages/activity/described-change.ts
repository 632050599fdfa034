/** A change described for people: action, subjects, and whether it can be undone. */

import { currentLanguage } from '../../languages/language.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { isErased } from '../../tools/undo/undo-change.ts'
import { NOTES } from '../../connections/notes/notes.ts'
import { readAllFields } from '../../connections/custom-fields/custom-fields.ts'
import { countOf } from '../../ui/numbers.ts'
import { findRoots, type Root } from './change-root.ts'
import { namedThing } from './change-verbs.ts'
import { isSpecial, specialTitle } from './special-title.ts'
import {
  alongText,
  inSentence,
  titleAlone,
  titleOfChange,
  titleOfMany,
  withChangedFields,
  writtenText,
} from './change-title.ts'
import { changedValues, type ChangedValues } from './changed-values.ts'
import {
  allSubjects,
  narrowedTo,
  readSubjects,
  subjectsOf,
  type KnownPeople,
} from './change-subjects.ts'
import type { ActivityItem } from '../../tools/activity-log/activity-page.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'
import type { Undoer } from '../../tools/undo.ts'
import type { FieldsById } from './recorded-text.ts'
import type { MemberReader } from '../../db/database.ts'

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
    const said = alone ?? titleOfChange(change, root, { ...people, pageOf: NO_LINKS })
    const linked =
      alone ?? titleOfChange(change, root, { ...people, pageOf: otherThan(about, people) })
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
      ...sentencesOf(root, { whole, said, along, changed, people }),
      isUndoable:
        change.undoneBy === undefined &&
        !isErased(change) &&
        !isOfMany(change, about) &&
        hasUndoer(undoers, root),
      changed,
    }
  })
}

interface Told {
  readonly whole: ActivityItem
  readonly said: Html
  readonly along: Html
  readonly changed: ChangedValues
  readonly people: KnownPeople
}

/** The title within a sentence: of this change, and of several of its kind. */
function sentencesOf(
  root: Root,
  { whole, said, along, changed, people }: Told,
): Pick<DescribedChange, 'sentence' | 'sentenceOf'> {
  const withText = (title: Html, all: readonly ActivityItem[], end = NOTHING) =>
    inSentence(html`${title}${writtenText(root, all, people)}${end}`)
  return {
    sentence: isSpecial(root.change)
      ? inSentence(html`${said}${along}`)
      : withChangedFields(root, withText(said, [whole], along), changed.values),
    sentenceOf(all, subjects) {
      const title = withText(
        titleOfMany(root, all, subjects),
        all.map(({ change }) => change),
      )
      return withChangedFields(
        root,
        title,
        all.flatMap((one) => one.changed.values),
      )
    },
  }
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

function hasUndoer(undoers: readonly Undoer[], { change }: Root): boolean {
  return undoers.some(({ actions }) => actions.includes(change.action))
}
