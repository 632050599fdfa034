/** list_timeline: notes and what happened with some people or all, newest first. */

import * as Type from '../../base/type.ts'
import { rfc3339 } from '../../base/clock.ts'
import { publicIdPattern } from '../../base/public-id.ts'
import { MeetingAhead, nextMeetingWith } from '../meetings/meeting-schemas.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { freeText } from '../../tools/free-text.ts'
import {
  CURSOR,
  PAGE_END,
  DEFAULT_PAGE_SIZE,
  pageLimit,
  pageOf,
  truncate,
  hintIfEmpty,
} from '../../tools/result-pages.ts'
import { defineReadTool, type ReadCall } from '../../tools/tool.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { MAX_NOTE_LENGTH } from '../../base/limits.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { followUpPeople, publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { findConnections } from '../model/connection-store.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { publicNoteId, requireNote } from '../notes/notes.ts'
import { formatInteraction } from './interaction-schemas.ts'
import { INTERACTION_KINDS, requireInteraction } from './interaction-store.ts'
import {
  dayOfEntry,
  listTimeline,
  localEntry,
  TIMELINE_KINDS,
  type TimelineEntryKind,
} from './timeline.ts'
import { entryOfInteraction, entryOfNote } from './timeline-sources.ts'
import type { MemberReader } from '../../db/database.ts'
import type { TimelineEntry } from './timeline-entry.ts'

const Entry = Type.Closed({
  type: Type.String(),
  on: Type.String(),
  at: Type.Optional(Type.String()),
  id: Type.String(),
  people: Type.Optional(Type.Array(NamedConnection)),
  kind: Type.Optional(Type.String()),
  direction: Type.Optional(Type.String()),
  subject: Type.Optional(freeText('note', Type.String())),
  text: Type.Optional(freeText('note', Type.String())),
  follow_up: Type.Optional(freeText('text', Type.String())),
  completed_at: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
  next_offset: Type.Optional(
    Type.Integer({ description: 'Read on with entry_id and this offset' }),
  ),
})
type Entry = Type.Static<typeof Entry>

const KINDS = [...TIMELINE_KINDS, ...INTERACTION_KINDS] as const

export const listTimelineTool = defineReadTool({
  name: 'list_timeline',
  title: 'List timeline',
  description:
    'Show my notes, calls, meetings, messages and reminders with people, newest first: "what did I ' +
    'write down about Carla", "when did I last talk to Tom", "calls last month". Before a meeting, ' +
    'get_briefing says more.',
  credits: 1,
  input: Type.Closed({
    people: Type.Optional(peopleRefs()),
    kinds: Type.Optional(
      Type.Array(Type.Enum([...KINDS], { type: 'string' }), {
        minItems: 1,
        maxItems: KINDS.length,
        description: 'Default all',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    since: Type.Optional({ ...CalendarDay('First date', 'latest-first'), [PLAIN_KEYWORD]: true }),
    until: Type.Optional({ ...CalendarDay('Last date', 'latest-last'), [PLAIN_KEYWORD]: true }),
    entry_id: Type.Optional(
      Type.String({
        pattern: publicIdPattern('[ni]'),
        description: 'One truncated n_… or i_… from list_timeline',
        examples: ['n_999999'],
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_NOTE_LENGTH,
        description: 'Its next_offset',
        examples: [15_000],
      }),
    ),
    limit: pageLimit(),
    cursor: Type.Optional(CURSOR),
  }),
  output: Type.Closed({
    entries: Type.Array(Entry),
    next_meeting: Type.Optional(MeetingAhead),
    ...PAGE_END,
  }),
  async run(
    call,
    { people, kinds, since, until, entry_id, offset, limit = DEFAULT_PAGE_SIZE, cursor },
  ) {
    const { db, caller } = call
    const { timeZone } = caller
    if (entry_id !== undefined) {
      const entry = localEntry(await requireEntry(db, entry_id), timeZone)
      const names = await namesIn(db, [entry])
      return { entries: [entryOf(entry, names, MAX_WHOLE_TEXT, offset)], has_more: false }
    }
    const named = people === undefined ? undefined : await requireConnections(db, people)
    const query = {
      people: named?.map(({ connectionId }) => connectionId),
      kinds,
      from: since === undefined ? undefined : requireDay(since, 'since'),
      until: until === undefined ? undefined : requireDay(until, 'until'),
      timeZone,
    }
    const page = await listTimeline(readerOf(db, kinds), query, limit, cursor)
    const names = await namesIn(db, page.entries)
    const room = kinds?.every((kind) => kind === 'note') === true ? MAX_WHOLE_TEXT : MAX_ENTRY_TEXT
    const entries = page.entries.map((entry) => entryOf(entry, names, room))
    const { items, end } = pageOf({ ...page, entries })
    const [one, ...others] = named ?? []
    const isFirst = one && others.length === 0 && cursor === undefined
    const next = isFirst ? await nextMeetingWith(db, one, call) : undefined
    return {
      ...(next && { next_meeting: next }),
      entries: items,
      ...end,
      ...hintIfEmpty(items, NOTHING),
    }
  },
})

/** A page of a kind of interaction may read many of other kinds, so it is read off the main thread. */
function readerOf(db: ReadCall['db'], kinds: readonly TimelineEntryKind[] = []): MemberReader {
  return kinds.some((kind) => INTERACTION_KINDS.some((one) => one === kind)) ? db.heavy : db
}

/** @throws {RequestError} `not_found` when the note or interaction does not exist. */
async function requireEntry(db: MemberReader, id: string): Promise<TimelineEntry> {
  if (id.startsWith('n_')) return entryOfNote(await requireNote(db, id))
  return entryOfInteraction(await requireInteraction(db, id))
}

async function namesIn(db: MemberReader, entries: readonly TimelineEntry[]) {
  const shown = await findConnections(db, entries.flatMap(peopleOf))
  return new Map(shown.map(({ connectionId, name }) => [connectionId, name]))
}

const NOTHING = 'Nothing of these kinds is recorded for this time and person.'

function peopleOf({ item }: TimelineEntry): readonly number[] {
  if (item.kind === 'note') return [item.note.connectionId]
  if (item.kind === 'follow_up') return followUpPeople(item.followUp)
  return item.kind === 'interaction' ? item.interaction.people : []
}

/** Characters of the text of one entry among others, and alone or among notes. */
const MAX_ENTRY_TEXT = 2000
const MAX_WHOLE_TEXT = 15_000

/** Its text is shown from `offset`, as far as it fits into `room` characters. */
function entryOf(
  entry: TimelineEntry,
  names: ReadonlyMap<number, string>,
  room: number,
  offset = 0,
): Entry {
  const { item } = entry
  const people = peopleOf(entry).flatMap((id) => {
    const name = names.get(id)
    return name === undefined ? [] : [namedOf({ connectionId: id, name })]
  })
  const base = { type: item.kind, on: dayOfEntry(entry), ...(people.length > 0 && { people }) }
  if (item.kind === 'note') {
    const { noteId, text } = item.note
    return { ...base, id: publicNoteId(noteId), ...shownText(text, room, offset) }
  }
  if (item.kind === 'interaction') {
    const { interaction_id: id, on: _on, text, ...shown } = formatInteraction(item.interaction)
    return { ...base, ...shown, id, ...(text !== undefined && shownText(text, room, offset)) }
  }
  if (item.kind === 'follow_up') {
    const { followUpId, text, dueTime, completedAt } = item.followUp
    const completed = completedAt === null ? {} : { completed_at: rfc3339(completedAt) }
    return {
      ...base,
      id: publicFollowUpId(followUpId),
      ...(dueTime !== '' && { time: dueTime }),
      follow_up: text,
      ...completed,
    }
  }
  const { activityId, action, at } = item.change
  return { ...base, id: publicActivityId(activityId), action, at: rfc3339(at) }
}

function shownText(whole: string, room: number, offset: number) {
  const rest = whole.slice(offset)
  const text = truncate(rest, room)
  if (text === rest) return { text }
  return { text, truncated: true, next_offset: offset + text.length }
}
