/** Gives a person the tags and notes of a contact, and records what does not fit. */

import { isEntered } from '../../contact-files/contact/contact.ts'
import { manyLines } from '../../contact-files/contact/clean-text.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import { notePartsOf } from '../../contact-files/contact/note-parts.ts'
import { tagOf, type Tag } from '../../connections/model/tag-store.ts'
import { hasOwnTags } from './contact-origin.ts'
import type { IncomingContact, MergeContext, MergedPerson, Network } from './matched-people.ts'

type Cutter = (field: string) => void

/** Records the fields of a contact that did not fit. */
export function cutterOf(
  contact: IncomingContact['contact'],
  { cuts }: Pick<Network, 'cuts'>,
): Cutter {
  return (field) => {
    const fields = cuts.get(contact)
    if (fields) fields.add(field)
    else cuts.set(contact, new Set([field]))
  }
}

interface TakingLabels {
  readonly cut: Cutter
  /** See `missingTags`. */
  readonly isOwn?: boolean
}

export function takeLabels(
  person: MergedPerson,
  labels: readonly string[],
  { cut, isOwn = false }: TakingLabels,
): boolean {
  const missing = missingTags(person, labels, isOwn)
  if (missing.length === 0) return false
  const had = person.tagsBefore.length + person.newTags.length
  const room = Math.max(0, MAX_VALUES - had)
  if (missing.length > room) cut('tags')
  person.newTags.push(...missing.slice(0, room))
  return room > 0
}

/**
 * The tags of these labels that a person does not have; none if the member has edited their tags. `isOwn`: in an export of
 * Weft, which adds to tags that an earlier export has restored.
 */
export function missingTags(
  { tagsBefore, newTags, now }: MergedPerson,
  labels: readonly string[],
  isOwn: boolean,
): readonly Tag[] {
  const { fieldSources } = now
  const isClosed = isOwn ? hasOwnTags(fieldSources) : isEntered(fieldSources.tags)
  if (labels.length === 0 || isClosed) return []
  const had = new Set([...tagsBefore, ...newTags].map(({ key }) => key))
  return labels.map(tagOf).filter(({ key }) => {
    const isMissing = !had.has(key)
    had.add(key)
    return isMissing
  })
}

export function takeNote(
  person: MergedPerson,
  note: string | null,
  { now: createdAt }: MergeContext,
): boolean {
  if (note === null || !lacksNote(person, note)) return false
  const texts = (person.noteTexts ??= new Set())
  for (const text of notePartsOf(note)) {
    if (texts.has(text)) continue
    texts.add(text)
    person.newNotes.push({ text, happenedOn: null, origin: 'import', createdAt })
  }
  return true
}

export function lacksNote({ noteTexts = new Set() }: MergedPerson, note: string | null): boolean {
  if (note === null || isComposedOf(note, noteTexts)) return false
  return notePartsOf(note).some((part) => !noteTexts.has(part))
}

/** Whether a note consists only of these notes. Exported contact files join all notes of a person into one. */
function isComposedOf(note: string, texts: ReadonlySet<string>): boolean {
  if (texts.has(note)) return true
  const known = new Set([...texts].map((text) => manyLines(text, Infinity)))
  const ends = new Set([0])
  for (const end of ends)
    for (const text of known)
      if (text !== '' && note.startsWith(text, end)) {
        const after = end + text.length
        if (after === note.length) return true
        if (note.startsWith(NOTE_SEPARATOR, after)) ends.add(after + NOTE_SEPARATOR.length)
      }
  return false
}

const NOTE_SEPARATOR = '\n\n'
