/** How connections look in answers: short in lists, whole when one is asked for. Empty fields are left out. */

import Type, { type Static } from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { publicConnectionId, type Connection } from './connection.ts'
import type { Note, Tag } from './store.ts'

const day = (description: string) => Type.String({ description: `${description} (YYYY-MM-DD)` })

export const ConnectionId = Type.String({
  pattern: '^c_[1-9][0-9]{0,8}$',
  description: 'Identifies a connection of this member, such as c_42',
})

export const ConnectionSummary = Type.Object(
  {
    connection_id: ConnectionId,
    name: Type.String(),
    title: Type.Optional(Type.String()),
    company: Type.Optional(Type.String()),
    location: Type.Optional(Type.String()),
    email: Type.Optional(Type.String({ description: 'The preferred address' })),
    profile_url: Type.Optional(Type.String()),
    connected_on: Type.Optional(day('The day they connected')),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
)
export type ConnectionSummary = Static<typeof ConnectionSummary>

export const ConnectionDetails = Type.Object(
  {
    connection_id: ConnectionId,
    name: Type.String(),
    given_name: Type.Optional(Type.String()),
    family_name: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    company: Type.Optional(Type.String()),
    location: Type.Optional(Type.String()),
    emails: Type.Array(Type.String(), { description: 'The preferred first' }),
    phones: Type.Array(Type.String()),
    profile_url: Type.Optional(Type.String()),
    links: Type.Array(Type.String()),
    birthday: Type.Optional(Type.String({ description: 'YYYY-MM-DD, or --MM-DD without a year' })),
    connected_on: Type.Optional(day('The day they connected')),
    tags: Type.Array(Type.String()),
    notes: Type.Array(
      Type.Object({
        note_id: Type.String(),
        text: Type.String(),
        on: Type.Optional(day('The day it is about')),
        created_at: Type.String(),
        truncated: Type.Optional(Type.Boolean()),
      }),
      { description: 'Newest first' },
    ),
    source: Type.String({ description: 'What made it: typed, linkedin, google, outlook or vcard' }),
    version: Type.Integer({ description: 'Grows with every change' }),
    created_at: Type.String(),
    updated_at: Type.String(),
    deleted_at: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type ConnectionDetails = Static<typeof ConnectionDetails>

export function summaryOf(connection: Connection, tags: readonly Tag[] = []): ConnectionSummary {
  const { name, title, company, location, profileUrl, connectedOn } = connection
  const [email] = connection.emails
  return {
    connection_id: publicConnectionId(connection.connectionId),
    name,
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    ...(location !== null && { location }),
    ...(email !== undefined && { email }),
    ...(profileUrl !== null && { profile_url: profileUrl }),
    ...(connectedOn !== null && { connected_on: connectedOn }),
    ...(tags.length > 0 && { tags: tags.map(({ tag }) => tag) }),
  }
}

/** Notes of one connection take at most this many characters of an answer; the newest are kept. */
const MOST_NOTE_CHARACTERS = 15_000

export function detailsOf(
  connection: Connection,
  tags: readonly Tag[],
  notes: readonly Note[],
): ConnectionDetails {
  const { title, company, location, givenName, familyName, profileUrl, birthday } = connection
  const { connectedOn, deletedAt } = connection
  return {
    connection_id: publicConnectionId(connection.connectionId),
    name: connection.name,
    ...(givenName !== null && { given_name: givenName }),
    ...(familyName !== null && { family_name: familyName }),
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    ...(location !== null && { location }),
    emails: [...connection.emails],
    phones: [...connection.phones],
    ...(profileUrl !== null && { profile_url: profileUrl }),
    links: [...connection.links],
    ...(birthday !== null && { birthday }),
    ...(connectedOn !== null && { connected_on: connectedOn }),
    tags: tags.map(({ tag }) => tag),
    notes: newestNotes(notes),
    source: connection.source,
    version: connection.version,
    created_at: rfc3339(connection.createdAt),
    updated_at: rfc3339(connection.updatedAt),
    ...(deletedAt !== null && { deleted_at: rfc3339(deletedAt) }),
  }
}

function newestNotes(notes: readonly Note[]): ConnectionDetails['notes'] {
  const shown: ConnectionDetails['notes'] = []
  let room = MOST_NOTE_CHARACTERS
  for (const { noteId, text, happenedOn, createdAt } of notes.toReversed()) {
    if (room <= 0) break
    const kept = text.slice(0, room)
    room -= kept.length
    shown.push({
      note_id: `n_${noteId}`,
      text: kept.toWellFormed(),
      ...(happenedOn !== null && { on: happenedOn }),
      created_at: rfc3339(createdAt),
      ...(kept.length < text.length && { truncated: true }),
    })
  }
  return shown
}
