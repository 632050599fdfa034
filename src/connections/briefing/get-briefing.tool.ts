/** get_briefing: what to know for a day, or before meeting people. */

import * as Type from '../../base/type.ts'
import { dayCount, requireDay } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { rfc3339 } from '../../base/clock.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { withholdsNotes } from '../../tools/allowed-tools.ts'
import { CalendarDays } from '../../tools/arguments/date-argument.ts'
import { freeText } from '../../tools/free-text.ts'
import { truncate, written } from '../../tools/result-pages.ts'
import { defineReadTool, type ReadCall } from '../../tools/tool.ts'
import { requireConnections } from '../editing/require-connection.ts'
import type { Reconnect } from '../cadence/reconnects.ts'
import { NamedFollowUp, formatNamed } from '../follow-ups/follow-up-schemas.ts'
import { formatInteraction } from '../interactions/interaction-schemas.ts'
import { idsOf, publicConnectionId, type Listed } from '../model/connection.ts'
import { newestNotesOf } from '../notes/notes.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { namedOf, NEVER } from '../person/connection-schemas.ts'
import { recentAgentChanges, readDayBriefing } from './day-briefing.ts'
import {
  formatMeeting,
  MeetingAhead,
  nextMeetingWith,
  shortPerson,
  ShortPerson,
} from '../meetings/meeting-schemas.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import { readPeopleBriefing, type PersonBriefing } from './people-briefing.ts'

const MAX_BRIEFED = 10
/** JSON characters: an agent reads it before each meeting. */
export const MAX_BRIEFING_CHARACTERS = 5900
/** Length of the newest note about a person in a meeting. */
const MAX_MEETING_NOTE = 160
/** Length of one note or interaction. */
const MAX_ENTRY_TEXT = 400

const optional = Type.Optional
const Text = Type.String()
const Dated = Type.Closed({ ...ShortPerson, on: Text })
const Change = Type.Closed({
  id: Text,
  action: Text,
  names: optional(Type.Array(Text)),
  at: Text,
  by: optional(Text),
})

const Briefed = Type.Closed({
  ...ShortPerson,
  location: optional(Text),
  birthday: optional(Text),
  relations: optional(
    freeText('text', Type.Array(Text, { description: 'Such as spouse: Ben (c_2)' })),
  ),
  last_contact_on: optional(Type.String({ description: 'Or never' })),
  next_meeting: optional(MeetingAhead),
  history: Type.Array(
    Type.Closed({
      type: Text,
      on: optional(Text),
      added_on: optional(Type.String({ description: 'Of a note without a date' })),
      kind: optional(Text),
      subject: optional(freeText('note', Text)),
      text: optional(freeText('note', Text)),
    }),
    { description: 'Notes and interactions, newest first' },
  ),
  follow_ups: Type.Array(NamedFollowUp),
  known_in_common: Type.Array(
    Type.Closed({
      connection_id: Text,
      name: Text,
      how: Text,
      follow_ups: optional(freeText('text', Type.Array(Text, { description: 'Open ones' }))),
    }),
  ),
  changes_since_last_contact: Type.Array(Change),
  possible_duplicate: optional(
    Type.Closed({ connection_id: Text, name: Text, notes: freeText('note', Type.Array(Text)) }),
  ),
})
type Briefed = Type.Static<typeof Briefed>

const Output = Type.Closed({
  day: optional(Text),
  until: optional(Type.String({ description: 'Of a period' })),
  time_zone: optional(Text),
  meetings: optional(Type.Array(MeetingAhead)),
  follow_ups: optional(Type.Array(NamedFollowUp)),
  reconnects: optional(Type.Array(Type.Closed({ ...ShortPerson, reason: Text }))),
  birthdays: optional(Type.Array(Dated)),
  job_changes: optional(Type.Array(Dated)),
  agent_changes: optional(Type.Array(Change)),
  people: optional(Type.Array(Briefed)),
  truncated: optional(Type.Boolean()),
})
type Output = Type.Static<typeof Output>

export const getBriefingTool = defineReadTool({
  name: 'get_briefing',
  title: 'Get briefing',
  description:
    'Prepare for a meeting with people, or what is on today or on other days: meetings, ' +
    'reminders, who to contact, whose birthday is coming up. For all details of a person use ' +
    'get_connections.',
  credits: 1,
  input: Type.Closed(
    {
      day: optional(CalendarDays('Default today')),
      people: optional(peopleRefs(MAX_BRIEFED)),
    },
    { examples: [{ people: ['First Last'] }, { day: 'tomorrow' }] },
  ),
  output: Output,
  async run(call, { day, people }) {
    if (people === undefined) return dayOutput(call, day)
    if (day !== undefined)
      throw new RequestError(
        'invalid_request',
        'Provide only one: day for a whole day, or people for what to know before meeting them.',
      )
    const connections = await requireConnections(call.db, people)
    const briefings = await readPeopleBriefing(call.db, connections, {
      readsNotes: !withholdsNotes(call.caller.limits),
      credentialId: call.caller.credential.id,
    })
    const briefed = briefings.map(async (one) =>
      personJson(one, call, await nextMeetingWith(call.db, one.connection, call)),
    )
    return fitted({ people: await Promise.all(briefed) })
  },
})

/** Longer periods are not a briefing. */
const MAX_DAYS = 31

function readPeriod(given: string | undefined, today: string): { day: string; until?: string } {
  if (given === undefined) return { day: today }
  const [first = '', last = first] = given.split('/')
  const [day, until] = [requireDay(first, 'day'), requireDay(last, 'day')]
  if (dayCount(until) - dayCount(day) >= MAX_DAYS)
    throw invalidArgument('day', `must be at most ${MAX_DAYS} days`)
  return until === day ? { day } : { day, until }
}

async function dayOutput(call: ReadCall, given: string | undefined): Promise<Output> {
  const { caller, db, now } = call
  const { timeZone } = caller
  const today = dayInZone(timeZone, now)
  const days = readPeriod(given, today)
  const [briefing, agentChanges] = await Promise.all([
    readDayBriefing(db, { ...days, timeZone, now }),
    recentAgentChanges(db, now, caller.credential.id),
  ])
  const { meetings, followUps, reconnects, birthdays, jobChanges, isCut } = briefing
  const met = meetings.flatMap(({ people }) => people.flatMap((one) => one.connection ?? []))
  const notes = await newestNotesOf(db, idsOf(met), 1)
  const noteOf = (id: number) => {
    const [note] = notes.get(id) ?? []
    return note && truncate(note.text, MAX_MEETING_NOTE)
  }
  const dated = ({ connection, on }: { readonly connection: Listed; readonly on: string }) => ({
    ...shortPerson(connection),
    on,
  })
  return fitted({
    ...days,
    time_zone: timeZone,
    meetings: meetings.map((meeting) => formatMeeting(meeting, noteOf)),
    follow_ups: followUps.map((one) => formatNamed(one, call)),
    reconnects: reconnects.map(reconnectJson),
    birthdays: birthdays.map(dated),
    job_changes: jobChanges.map(dated),
    agent_changes: agentChanges.map(({ activityId, at, action, actor, names }) => ({
      id: publicActivityId(activityId),
      action,
      names: [...names],
      at: rfc3339(at),
      by: actor,
    })),
    ...(isCut && { truncated: true }),
  })
}

function reconnectJson({ connection, reason }: Reconnect) {
  return { ...shortPerson(connection), reason }
}

function personJson(
  briefing: PersonBriefing,
  call: ReadCall,
  nextMeeting: MeetingAhead | undefined,
): Briefed {
  const { connection, times, followUps, knownInCommon, changes, duplicate } = briefing
  const { location, birthday } = connection
  const relations = briefing.relations.map(relationText)
  return {
    ...shortPerson(connection),
    ...(location !== null && { location }),
    ...(birthday !== null && { birthday }),
    ...(relations.length > 0 && { relations }),
    last_contact_on: times?.lastContactOn ?? NEVER,
    ...(nextMeeting && { next_meeting: nextMeeting }),
    history: historyJson(briefing, call.caller.timeZone),
    follow_ups: followUps.map((one) => formatNamed(one, call)),
    known_in_common: knownInCommon.map(knownJson),
    changes_since_last_contact: changes.map(({ activityId, action, at, actor }) => ({
      id: publicActivityId(activityId),
      action,
      at: rfc3339(at),
      by: actor,
    })),
    ...(duplicate && {
      possible_duplicate: {
        ...namedOf(duplicate.connection),
        notes: duplicate.notes.map(({ text }) => truncate(text, MAX_ENTRY_TEXT)),
      },
    }),
  }
}

function knownJson({ connection, how, followUps }: PersonBriefing['knownInCommon'][number]) {
  const open = followUps.map(({ followUp: { text, dueOn } }) => `${text} (${dueOn})`)
  return { ...namedOf(connection), how, ...(open.length > 0 && { follow_ups: open }) }
}

/** Such as `spouse: Ben (c_2)`. */
function relationText({ name, relation, connectionId }: Relation): string {
  const who = connectionId === undefined ? name : `${name} (${publicConnectionId(connectionId)})`
  return relation === undefined ? who : `${relation}: ${who}`
}

/** Notes and interactions, newest first. */
function historyJson(
  { notes, interactions }: PersonBriefing,
  timeZone: string,
): Briefed['history'] {
  const entries: Briefed['history'] = [
    ...notes.map(({ text, happenedOn, createdAt }) => ({
      type: 'note',
      ...(happenedOn === null ? { added_on: dayInZone(timeZone, createdAt) } : { on: happenedOn }),
      text: truncate(text, MAX_ENTRY_TEXT),
    })),
    ...interactions.map((one) => {
      const { kind, on, subject, text } = formatInteraction(one)
      const shown = text === undefined ? {} : { text: truncate(text, MAX_ENTRY_TEXT) }
      return { type: 'interaction', on, kind, ...(subject !== undefined && { subject }), ...shown }
    }),
  ]
  return entries.toSorted((one, other) => dayOf(other).localeCompare(dayOf(one)))
}

function dayOf({ on, added_on = '' }: Briefed['history'][number]): string {
  return on ?? added_on
}

/** Drops the last entries of the longest lists until the output fits. */
function fitted(output: Output): Output {
  const lists: unknown[][] = Object.values(output).filter((value) => Array.isArray(value))
  for (const person of output.people ?? [])
    lists.push(
      person.history,
      person.follow_ups,
      person.known_in_common,
      person.changes_since_last_contact,
      person.possible_duplicate?.notes ?? [],
    )
  for (const meeting of output.meetings ?? []) lists.push(meeting.people)
  const nested = lists.filter((list) => list !== output.people)
  while (written(output) > MAX_BRIEFING_CHARACTERS) {
    const longest = nested.reduce((one, other) => (written(other) > written(one) ? other : one), [])
    output.truncated = true
    if (longest.length > 0) longest.pop()
    else if (output.people?.pop() === undefined) break
  }
  return output
}
