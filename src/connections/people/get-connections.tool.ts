/** get_connections: everything known about 1-100 people. */

import * as Type from '../../base/type.ts'
import { MAX_CHARACTERS, pageOf, written } from '../../tools/result-pages.ts'
import { defineReadTool, type ReadCall } from '../../tools/tool.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { rhythmText } from '../cadence/reconnect-reason.ts'
import { readWholeConnection } from '../editing/edit.ts'
import { FollowUpDetails, formatFollowUp } from '../follow-ups/follow-up-schemas.ts'
import {
  contactsInYear,
  contactTimesOf,
  type ContactTimes,
} from '../last-contact/read-contact-times.ts'
import { listFollowUps } from '../follow-ups/follow-up-list.ts'
import { fieldSourcesJson } from '../model/field-sources.ts'
import { idsOf, publicConnectionId, type Connection } from '../model/connection.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { ConnectionDetails, answerOf } from '../person/connection-schemas.ts'
import { withLinkedRelations } from '../relations/linked-relations.ts'
import { Where } from './people-input.ts'
import { findSelected, RejectedPerson, selectPeople } from './select-people.ts'

const { connection_id: _connectionId, ...FOLLOW_UP } = FollowUpDetails.properties

const FullDetails = Type.Closed({
  ...ConnectionDetails.properties,
  field_sources: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ source: Type.String(), at: Type.Optional(Type.String()) }),
      { description: 'Of fields that changed since created_at' },
    ),
  ),
  last_contact_on: Type.Optional(Type.String()),
  contact_due_on: Type.Optional(Type.String()),
  contacts_in_year: Type.Optional(Type.Integer()),
  rhythm: Type.Optional(Type.String()),
  cadence: Type.Optional(
    Type.Closed(
      { every: Type.Integer(), unit: Type.String() },
      { description: 'Of their own, by keep_in_touch' },
    ),
  ),
  paused_until: Type.Optional(Type.String()),
  muted: Type.Optional(Type.Boolean()),
  follow_ups: Type.Optional(
    Type.Array(Type.Closed(FOLLOW_UP), {
      description: 'Open follow-ups, next due first',
    }),
  ),
})
type FullDetails = Type.Static<typeof FullDetails>

export const getConnectionsTool = defineReadTool({
  name: 'get_connections',
  title: 'Get people',
  description:
    'Tell or show everything I know about 1-100 people: full details, phone numbers, emails, ' +
    'birthday, addresses, relations, tags, notes, reminders. To find people use ' +
    'search_connections; before a meeting, get_briefing is shorter.',
  credits: 1,
  input: Type.Closed({ people: Type.Optional(peopleRefs()), where: Type.Optional(Where) }),
  output: Type.Closed({
    connections: Type.Array(FullDetails, { description: 'Without empty fields' }),
    rejected: Type.Optional(Type.Array(RejectedPerson)),
    not_shown: Type.Optional(Type.Array(Type.String(), { description: 'Call again with these' })),
  }),
  async run(call, input) {
    const chosen = await selectPeople(call, input)
    const { connections, rejected: unknown } = await findSelected(call.db, chosen.people)
    const rejected = [...unknown, ...chosen.rejected]
    const each = connections.length === 1 ? MAX_CHARACTERS : MAX_CHARACTERS_EACH
    const shown: FullDetails[] = []
    let room = MAX_CHARACTERS - written(rejected)
    const contacts = await readContacts(call, connections)
    for (const connection of connections) {
      const details = {
        ...(await readDetails(call, connection, each)),
        ...contacts.get(connection.connectionId),
      }
      room -= written(details) + 1
      if (room < 0 && shown.length > 0) break
      shown.push(details)
    }
    const rest = connections.slice(shown.length)
    return {
      connections: shown,
      ...(rejected.length > 0 && { rejected }),
      ...(rest.length > 0 && {
        not_shown: rest.map(({ connectionId }) => publicConnectionId(connectionId)),
      }),
    }
  },
})

/** A single connection may fill the whole result, so that it can always be read. */
const MAX_CHARACTERS_EACH = 20_000

async function readDetails(
  call: ReadCall,
  connection: Connection,
  room: number,
): Promise<FullDetails> {
  const { connectionId } = connection
  const shown = await withLinkedRelations(call.db, connection)
  const whole = await readWholeConnection(call.db, shown)
  const open = await listFollowUps(
    call.db,
    { status: 'open', people: [connectionId] },
    MAX_FOLLOW_UPS,
  )
  const entries = open.entries.map(({ followUp }) => {
    const { connection_id: _id, ...details } = formatFollowUp(followUp, call)
    return details
  })
  const { items, end } = pageOf({ ...open, entries }, MAX_FOLLOW_UP_CHARACTERS)
  const field_sources = fieldSourcesJson(connection)
  const left = room - written(items) - written(field_sources ?? {})
  return {
    ...answerOf(whole, left),
    ...(field_sources && { field_sources }),
    ...(items.length > 0 && { follow_ups: items }),
    ...(end.has_more && { truncated: true }),
  }
}

async function readContacts({ db, caller, now }: ReadCall, connections: readonly Connection[]) {
  const ids = idsOf(connections)
  const times = await contactTimesOf(db, ids)
  const localNow = localTimeAt(caller.timeZone, now)
  const counts = await contactsInYear(db, [...times.keys()], localNow)
  return new Map([...times].map(([id, one]) => [id, contactsJson(one, counts.get(id))]))
}

function contactsJson(times: ContactTimes, contacts: number | undefined) {
  const { lastContactOn, dueOn, rhythmDays, cadence, pausedUntil, isMuted } = times
  return {
    ...(contacts !== undefined && { contacts_in_year: contacts }),
    ...(lastContactOn !== null && { last_contact_on: lastContactOn }),
    ...(dueOn !== null && { contact_due_on: dueOn }),
    ...(rhythmDays !== null && { rhythm: rhythmText(rhythmDays) }),
    ...(cadence && { cadence }),
    ...(pausedUntil !== null && { paused_until: pausedUntil }),
    ...(isMuted && { muted: true }),
  }
}

const MAX_FOLLOW_UPS = 20
/** Characters of JSON that follow-ups may take in the answer. */
const MAX_FOLLOW_UP_CHARACTERS = 3_000
