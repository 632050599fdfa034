/** The timeline of a connection: its notes, interactions and the changes to it, newest first, with their authors. */

import { checkSchema } from '../../../base/schema.ts'
import { ImportReport } from '../../../imports/import-report.ts'
import { findJob } from '../../../jobs/start-job.ts'
import { readActivityPage, type ActivityItem } from '../../../tools/activity-log/activity-page.ts'
import { recordedIn } from '../../activity/change-subjects.ts'
import { describeChanges, type DescribedChange } from '../../activity/described-change.ts'
import { noteAuthors } from '../../../connections/notes/note-authors.ts'
import { listOpenWith } from '../../../connections/follow-ups/follow-up-panel.page.ts'
import { publicFollowUpId } from '../../../connections/follow-ups/follow-ups.ts'
import { publicNoteId } from '../../../connections/notes/notes.ts'
import { publicInteractionId } from '../../../connections/interactions/interaction-store.ts'
import { listTimeline } from '../../../connections/interactions/timeline.ts'
import { entryOfNote } from '../../../connections/interactions/timeline-sources.ts'
import { findConnections } from '../../../connections/model/connection-store.ts'
import { DAY } from '../../../base/clock.ts'
import { startOfDay } from '../../../dates/calendar-day.ts'
import { mentionedIn, type Mentioned } from '../../../connections/told-contacts/mentions.ts'
import {
  notesThatMention,
  type MentioningNote,
} from '../../../connections/told-contacts/notes-that-mention.ts'
import {
  publicConnectionId,
  type Connection,
  type Source,
} from '../../../connections/model/connection.ts'
import type { MemberDatabase, MemberReader } from '../../../db/database.ts'
import type { Undoer } from '../../../tools/undo.ts'
import type { NoteEntry } from '../../../connections/notes/note-item.page.ts'
import type { InteractionEntry } from '../../../connections/interactions/interaction-item.page.ts'

export const SHOWN_KINDS = ['all', 'notes', 'interactions', 'changes'] as const
export type ShownKind = (typeof SHOWN_KINDS)[number]

export interface ShownTimeline {
  readonly show: ShownKind
  /** Where the page begins, from `Timeline.older`. */
  readonly older: string | undefined
}

export type ShownEntry =
  | NoteEntry
  | InteractionEntry
  | { readonly described: DescribedChange }
  | { readonly origin: TimelineOrigin }
  | { readonly mention: MentioningNote }

export interface Timeline {
  readonly entries: readonly ShownEntry[]
  /** Where the next page begins; undefined on the last one. */
  readonly older: string | undefined
  /** The people that the notes mention. */
  readonly mentioned: Mentioned
}

/** Where a connection came from: the last import, the kind of its first file, and the day of connecting. */
export type TimelineOrigin =
  | LastImport
  | { readonly source: Source; readonly at: number }
  | { readonly connectedOn: string; readonly isOnLinkedIn: boolean }

interface LastImport {
  readonly jobId: number
  /** Undefined for an unnamed file or an unfinished import. */
  readonly filename: string | undefined
  readonly at: number
}

/** Entries of each kind per page. */
const PAGE_SIZE = 20

export async function readTimeline(
  reader: MemberReader & Pick<MemberDatabase, 'heavy'>,
  connection: Connection,
  undoers: readonly Undoer[],
  { show, older = '' }: ShownTimeline,
): Promise<Timeline> {
  const { connectionId } = connection
  const [writtenFrom = '', changesFrom = '', toldFrom = ''] = older.split('~')
  const written = await writtenSource(reader, connectionId, WRITTEN[show], writtenFrom)
  const changes =
    changesFrom === END || (show !== 'all' && show !== 'changes')
      ? NO_ENTRIES
      : await changeSource(reader, connectionId, changesFrom, undoers)
  const told =
    toldFrom === END || show !== 'all' ? NO_ENTRIES : await toldSource(reader, connection, toldFrom)
  const sources = [written, changes, told]
  // Older entries of the one may be missing before entries of the other.
  const horizon = Math.max(...sources.map((one) => (one.hasMore ? one.oldest : -Infinity)))
  const entries = sources
    .flatMap(({ dated }) => dated)
    .filter(({ at }) => at >= horizon)
    .sort((one, other) => other.at - one.at)
    .map(({ entry }) => entry)
  const open = show === 'all' ? (await listOpenWith(reader, connectionId)).entries : []
  const planned = new Set(open.map(({ followUp }) => publicFollowUpId(followUp.followUpId)))
  const next = [
    nextOf(written, horizon, writtenFrom),
    nextOf(changes, horizon, changesFrom),
    nextOf(told, horizon, toldFrom),
  ]
  return {
    entries: withoutAdditions(
      entries.filter((entry) => !isReverted(entry) && !isShownAbove(entry, planned)),
      publicConnectionId(connectionId),
    ),
    older: next.every((position) => position === END) ? undefined : next.join('~'),
    mentioned: await mentionedIn(
      reader,
      entries.flatMap((entry) => ('note' in entry ? [entry.note.text] : [])),
    ),
  }
}

/** A follow-up by the member that is still open is above the timeline, with its day. */
function isShownAbove(entry: ShownEntry, planned: ReadonlySet<string>): boolean {
  if (!('described' in entry)) return false
  const { action, before, subjectId, isByAgent } = entry.described.change
  const isAdded = action === 'follow_up.set' && before === null && !isByAgent
  return isAdded && planned.has(subjectId ?? '')
}

/** What was undone, and the undo, are in the full history only. */
function isReverted(entry: ShownEntry): boolean {
  return 'described' in entry && entry.described.isReverted
}

const WRITTEN: Readonly<Record<ShownKind, readonly ('note' | 'interaction')[]>> = {
  all: ['note', 'interaction'],
  notes: ['note'],
  interactions: ['interaction'],
  changes: [],
}

/** Few entries: the notes about others that mention the person, and where the connection came from. */
async function toldSource(
  reader: MemberReader & Pick<MemberDatabase, 'heavy'>,
  connection: Connection,
  from: string,
): Promise<EntrySource> {
  const before = Number(from)
  const mentions = await notesThatMention(reader, connection)
  const told = [
    ...mentions.map((mention): Dated => ({ at: entryOfNote(mention.note).at, entry: { mention } })),
    ...(await originsOf(reader, connection)),
  ].toSorted((one, other) => other.at - one.at)
  return sourceOf(told.slice(before), {
    hasMore: false,
    cursorAfter: (index) => String(before + index + 1),
  })
}

async function originsOf(
  reader: MemberReader,
  { importJobId, source, createdAt, connectedOn, profileUrl }: Connection,
): Promise<Dated[]> {
  const last = importJobId === null ? undefined : await readImport(reader, importJobId)
  const isFirst = !NOT_FILES.has(source) && (!last || last.at - createdAt > DAY)
  const isOnLinkedIn = profileUrl !== null
  return [
    ...(last ? [{ at: last.at, entry: { origin: last } }] : []),
    ...(isFirst ? [{ at: createdAt, entry: { origin: { source, at: createdAt } } }] : []),
    ...(connectedOn === null
      ? []
      : [{ at: startOfDay(connectedOn), entry: { origin: { connectedOn, isOnLinkedIn } } }]),
  ]
}

const NOT_FILES: ReadonlySet<Source> = new Set(['typed', 'contacts_app'])

/** The position after the last entry of a source. */
const END = '-'

interface Dated {
  readonly at: number
  readonly entry: ShownEntry
}

/** The entries of one kind, newest first. */
interface EntrySource {
  readonly dated: readonly Dated[]
  readonly oldest: number
  readonly hasMore: boolean
  cursorAfter(index: number): string
}

const NO_ENTRIES: EntrySource = {
  dated: [],
  oldest: -Infinity,
  hasMore: false,
  cursorAfter: () => END,
}

async function writtenSource(
  reader: MemberReader,
  connectionId: number,
  kinds: readonly ('note' | 'interaction')[],
  cursor: string,
): Promise<EntrySource> {
  if (cursor === END || kinds.length === 0) return NO_ENTRIES
  const query = { people: [connectionId], kinds }
  const page = await listTimeline(reader, query, PAGE_SIZE, cursor === '' ? undefined : cursor)
  const ids = page.entries.flatMap(({ item }) =>
    item.kind === 'interaction' ? item.interaction.people : [],
  )
  const [authors, people] = await Promise.all([
    noteAuthors(reader, connectionId),
    findConnections(reader, [...new Set(ids)]),
  ])
  const live = new Map(
    people.filter((one) => one.deletedAt === null).map((one) => [one.connectionId, one]),
  )
  const entries = page.entries.flatMap(({ item, at }): Dated[] => {
    if (item.kind === 'note') {
      const { note } = item
      const author = authors.get(note.noteId)
      return [{ at, entry: { note, author, added: undefined } }]
    }
    if (item.kind !== 'interaction') return []
    const { interaction } = item
    const others = interaction.people
      .filter((id) => id !== connectionId)
      .flatMap((id) => live.get(id) ?? [])
    // The day is local, but a time is a moment.
    const moment = interaction.happenedAt ?? at
    return [{ at: moment, entry: { interaction, others, added: undefined } }]
  })
  return sourceOf(entries, page)
}

/** Additions of notes and interactions, which their entries show, do not count. */
async function changeSource(
  reader: MemberReader,
  connectionId: number,
  cursor: string,
  undoers: readonly Undoer[],
): Promise<EntrySource> {
  const query = { people: [connectionId], cursor: cursor === '' ? undefined : cursor }
  const page = await readActivityPage(reader, MAX_READ, query)
  const about = publicConnectionId(connectionId)
  const counted = page.changes.flatMap((change, at) => (isAddition(change, about) ? [] : [at]))
  const read = page.changes.slice(0, (counted[PAGE_SIZE - 1] ?? MAX_READ) + 1)
  const described = await describeChanges(reader, read, undoers, about)
  const entries = described.map((one) => ({ at: one.change.at, entry: { described: one } }))
  const hasMore = page.hasMore || read.length < page.changes.length
  return sourceOf(entries, { hasMore, cursorAfter: (index) => page.cursorAfter(index) })
}

/** Changes that are read for a page. */
const MAX_READ = 200

/** Sources are sorted by number, or by local time. A time that is later than that of a newer entry counts as that one. */
function sourceOf(
  entries: EntrySource['dated'],
  page: Pick<EntrySource, 'hasMore' | 'cursorAfter'>,
): EntrySource {
  let oldest = Infinity
  const dated = entries.map(({ at, entry }) => {
    oldest = Math.min(oldest, at)
    return { at: oldest, entry }
  })
  return { dated, oldest, hasMore: page.hasMore, cursorAfter: (index) => page.cursorAfter(index) }
}

function nextOf(source: EntrySource, horizon: number, from: string): string {
  const shown = source.dated.filter(({ at }) => at >= horizon).length
  if (shown === source.dated.length && !source.hasMore) return END
  return shown === 0 ? from : source.cursorAfter(shown - 1)
}

/** A note or an interaction shows its addition itself. */
function withoutAdditions(entries: readonly ShownEntry[], about: string): ShownEntry[] {
  const additions = new Map(
    entries.flatMap((entry) =>
      'described' in entry && isAddition(entry.described.change, about)
        ? [[entry.described.change.subjectId, entry.described] as const]
        : [],
    ),
  )
  return entries.flatMap((entry) => {
    if ('described' in entry) return isAddition(entry.described.change, about) ? [] : entry
    const added = additions.get(idOf(entry) ?? '')
    return added ? { ...entry, added } : entry
  })
}

/** Whether it is an addition that the page of this connection lists. */
function isAddition({ action, before, after }: ActivityItem, about: string): boolean {
  if (action === 'note.add') return recordedIn(after).connection_id === about
  return action === 'notes.add' || (action === 'interaction.set' && before === null)
}

function idOf(entry: ShownEntry): string | undefined {
  if ('note' in entry) return publicNoteId(entry.note.noteId)
  return 'interaction' in entry ? publicInteractionId(entry.interaction.interactionId) : undefined
}

async function readImport(reader: MemberReader, jobId: number): Promise<LastImport | undefined> {
  const job = await findJob(reader, jobId)
  if (!job) return undefined
  const report = checkSchema(ImportReport, JSON.parse(job.result ?? 'null'))
  return { jobId, filename: report.ok ? report.value.filename : undefined, at: job.created_at }
}
