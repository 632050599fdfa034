/** The timeline of a connection: its notes, interactions and the changes to it, newest first, with their authors. */

import { checkSchema } from '../../../base/schema.ts'
import { ImportReport } from '../../../imports/import-report.ts'
import { findJob } from '../../../jobs/start-job.ts'
import { readActivityPage } from '../../../tools/activity-log/activity-page.ts'
import { describeChanges, type DescribedChange } from '../../activity/described-change.ts'
import { noteAuthors } from '../../../connections/notes/note-authors.ts'
import { listNotes, publicNoteId } from '../../../connections/notes/notes.ts'
import { publicInteractionId } from '../../../connections/interactions/interaction-store.ts'
import { listTimeline } from '../../../connections/interactions/timeline.ts'
import { findConnections } from '../../../connections/model/connection-store.ts'
import { DAY } from '../../../base/clock.ts'
import { mentionedIn, type Mentioned } from '../../../connections/told-contacts/mentions.ts'
import {
  publicConnectionId,
  type Connection,
  type Source,
} from '../../../connections/model/connection.ts'
import type { MemberReader } from '../../../db/database.ts'
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

export type ShownEntry = NoteEntry | InteractionEntry | { readonly described: DescribedChange }

export interface Timeline {
  readonly entries: readonly ShownEntry[]
  /** Where the next page begins; undefined on the last one. */
  readonly older: string | undefined
  /** On the last page: where the connection came from. */
  readonly origin: Origin | undefined
  /** The people that the notes mention. */
  readonly mentioned: Mentioned
}

/** How a connection began. */
interface Origin {
  readonly lastImport: LastImport | undefined
  /** The kind of its first file, and when that was imported; undefined unless a file added it. */
  readonly first: { readonly source: Source; readonly at: number } | undefined
  /** YYYY-MM-DD */
  readonly connectedOn: string | null
  readonly isOnLinkedIn: boolean
}

interface LastImport {
  readonly jobId: number
  /** Undefined for an unnamed file or an unfinished import. */
  readonly filename: string | undefined
  readonly at: number
}

/** Entries of each kind per page. */
const PAGE_SIZE = 20

export async function readTimeline(
  reader: MemberReader,
  connection: Connection,
  undoers: readonly Undoer[],
  { show, older = '' }: ShownTimeline,
): Promise<Timeline> {
  const { connectionId } = connection
  const [notesFrom = '', changesFrom = '', interactionsFrom = ''] = older.split('~')
  const isLeftOut = (kind: ShownKind, from: string) =>
    from === END || (show !== 'all' && show !== kind)
  const notes = isLeftOut('notes', notesFrom)
    ? NO_ENTRIES
    : await noteSource(reader, connectionId, notesFrom)
  const changes = isLeftOut('changes', changesFrom)
    ? NO_ENTRIES
    : await changeSource(reader, connectionId, changesFrom, undoers)
  const interactions = isLeftOut('interactions', interactionsFrom)
    ? NO_ENTRIES
    : await interactionSource(reader, connectionId, interactionsFrom)
  const sources = [interactions, notes, changes]
  // Older entries of the one may be missing before entries of the other.
  const horizon = Math.max(...sources.map((one) => (one.hasMore ? one.oldest : -Infinity)))
  const entries = sources
    .flatMap(({ dated }) => dated)
    .filter(({ at }) => at >= horizon)
    .sort((one, other) => other.at - one.at)
  const next = [
    nextOf(notes, horizon, notesFrom),
    nextOf(changes, horizon, changesFrom),
    nextOf(interactions, horizon, interactionsFrom),
  ]
  const isLast = next.every((position) => position === END)
  return {
    entries: withoutAdditions(entries.map(({ entry }) => entry)),
    older: isLast ? undefined : next.join('~'),
    origin: isLast && show === 'all' ? await originOf(reader, connection) : undefined,
    mentioned: await mentionedIn(
      reader,
      entries.flatMap(({ entry }) => ('note' in entry ? [entry.note.text] : [])),
    ),
  }
}

async function originOf(
  reader: MemberReader,
  { importJobId, source, createdAt, connectedOn, profileUrl }: Connection,
): Promise<Origin> {
  return {
    lastImport: importJobId === null ? undefined : await readImport(reader, importJobId),
    first: NOT_FILES.has(source) ? undefined : { source, at: createdAt },
    connectedOn,
    isOnLinkedIn: profileUrl !== null,
  }
}

const NOT_FILES: ReadonlySet<Source> = new Set(['typed', 'contacts_app'])

/** The position after the last entry of a source. */
const END = '-'

/** The entries of one kind, newest first. */
interface EntrySource {
  readonly dated: readonly { readonly at: number; readonly entry: ShownEntry }[]
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

async function noteSource(
  reader: MemberReader,
  connectionId: number,
  cursor: string,
): Promise<EntrySource> {
  const page = await listNotes(reader, connectionId, PAGE_SIZE, cursor === '' ? undefined : cursor)
  const authors = await noteAuthors(reader, connectionId)
  const entries = page.entries.map((note) => ({
    at: note.createdAt,
    entry: { note, author: authors.get(note.noteId), added: undefined },
  }))
  return sourceOf(entries, page)
}

async function changeSource(
  reader: MemberReader,
  connectionId: number,
  cursor: string,
  undoers: readonly Undoer[],
): Promise<EntrySource> {
  const query = { people: [connectionId], cursor: cursor === '' ? undefined : cursor }
  const page = await readActivityPage(reader, PAGE_SIZE, query)
  const about = publicConnectionId(connectionId)
  const described = await describeChanges(reader, page.changes, undoers, about)
  const entries = described.map((one) => ({ at: one.change.at, entry: { described: one } }))
  return sourceOf(entries, page)
}

async function interactionSource(
  reader: MemberReader,
  connectionId: number,
  cursor: string,
): Promise<EntrySource> {
  const query = { people: [connectionId], kinds: ['interaction'] } as const
  const page = await listTimeline(reader, query, PAGE_SIZE, cursor === '' ? undefined : cursor)
  const listed = page.entries.flatMap(({ item }) =>
    item.kind === 'interaction' ? [item.interaction] : [],
  )
  const ids = new Set(listed.flatMap(({ people }) => people))
  const people = await findConnections(reader, [...ids])
  const live = new Map(
    people.filter((one) => one.deletedAt === null).map((one) => [one.connectionId, one]),
  )
  const entries = listed.map((interaction) => {
    const others = interaction.people
      .filter((id) => id !== connectionId)
      .flatMap((id) => live.get(id) ?? [])
    const { happenedAt, localAt, createdAt } = interaction
    // On a day without a time, what was logged that day counts as of the time of logging.
    const at = happenedAt ?? Math.min(Math.max(localAt, createdAt), localAt + DAY - 1)
    return { at, entry: { interaction, others, added: undefined } }
  })
  return sourceOf(entries, page)
}

/** Sources are sorted by number, and interactions by local time. A time that is later than that of a newer entry counts as that one. */
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

/** A note or an interaction shows its addition itself, so the addition is listed only once the entry is gone. */
function withoutAdditions(entries: readonly ShownEntry[]): ShownEntry[] {
  const additions = new Map(
    entries.flatMap((entry) =>
      'described' in entry && isAddition(entry.described)
        ? [[entry.described.change.subjectId, entry.described] as const]
        : [],
    ),
  )
  const shown = new Set<DescribedChange>()
  const complete = entries.map((entry) => {
    const id = idOf(entry)
    const added = id === undefined ? undefined : additions.get(id)
    if (added) shown.add(added)
    return added ? { ...entry, added } : entry
  })
  return complete.filter((entry) => !('described' in entry && shown.has(entry.described)))
}

function isAddition({ change: { action, before } }: DescribedChange): boolean {
  return action === 'note.add' || (action === 'interaction.set' && before === null)
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
