/** Schemas of connections in tool results: summaries in lists, full details for one. Empty fields are omitted. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339 } from '../../base/clock.ts'
import { MAX_CHARACTERS, truncate, written } from '../../tools/result-pages.ts'
import { photoPath } from '../../html/site-map.ts'
import { freeText } from '../../tools/free-text.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { detailsJsonOf } from '../../contact-files/contact/details-json.ts'
import { shortenedDetails } from './shortened-details.ts'
import type { CustomField } from '../custom-fields/custom-fields.ts'
import type { Details } from '../../contact-files/contact/details.ts'
import type { Note } from '../notes/notes.ts'
import type { Tag } from '../model/tag-store.ts'
import type { WholeConnection } from './whole-connection.ts'

/** As `last_contact_on`, of people without a logged contact. */
export const NEVER = 'never'

/** A connection that a result only names. */
export const NamedConnection = Type.Closed({ connection_id: Type.String(), name: Type.String() })

/** JSON characters of a name, of which a hundred fit into a result. */
const MAX_SHOWN_NAME = 100

/** A connection as a result names it. */
export function namedOf({ connectionId, name }: Pick<Listed, 'connectionId' | 'name'>) {
  return { connection_id: publicConnectionId(connectionId), name: shownName(name) }
}

function shownName(name: string): string {
  // Quotation marks and some others take more characters in JSON, at most six.
  return name.length * 6 <= MAX_SHOWN_NAME ? name : truncate(name, MAX_SHOWN_NAME)
}

export const ConnectionSummary = Type.Closed({
  connection_id: Type.String(),
  name: Type.String(),
  title: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  last_contact_on: Type.Optional(Type.String({ description: 'Or never' })),
})
export type ConnectionSummary = Static<typeof ConnectionSummary>

const ConnectionNote = Type.Closed({
  note_id: Type.String(),
  text: freeText('note', Type.String()),
  on: Type.Optional(Type.String({ description: 'Date the note is about' })),
  created_at: Type.String(),
  truncated: Type.Optional(Type.Boolean()),
})
type ConnectionNote = Static<typeof ConnectionNote>

export const ConnectionDetails = Type.Closed({
  connection_id: Type.String(),
  name: Type.String(),
  given_name: Type.Optional(Type.String()),
  family_name: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  emails: Type.Optional(Type.Array(Type.String(), { description: 'Preferred first' })),
  phones: Type.Optional(Type.Array(Type.String())),
  profile_url: Type.Optional(Type.String()),
  links: Type.Optional(Type.Array(Type.String())),
  birthday: Type.Optional(Type.String()),
  connected_on: Type.Optional(Type.String()),
  details: Type.Optional(freeText('text', Type.Object({}))),
  tags: Type.Optional(Type.Array(Type.String())),
  notes: Type.Optional(Type.Array(ConnectionNote, { description: 'Newest first' })),
  source: Type.String({ description: 'typed, contacts_app, linkedin, google, outlook or vcard' }),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  truncated: Type.Optional(Type.Boolean()),
})
export type ConnectionDetails = Static<typeof ConnectionDetails>

/** A connection as lists show it, with its first email and without empty fields. */
export function summaryOf(
  connection: Omit<Listed, 'photo'>,
  tags: readonly Tag[] = [],
): ConnectionSummary {
  const { name, title, company, location } = connection
  const [email] = connection.emails
  return {
    connection_id: publicConnectionId(connection.connectionId),
    name,
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    ...(location !== null && { location }),
    ...(email !== undefined && { email }),
    ...(tags.length > 0 && { tags: tags.map(({ tag }) => tag) }),
  }
}

/** Full details of one connection, shortened only when they exceed what a client accepts. */
export function answerOf(whole: WholeConnection, room = MAX_CHARACTERS): ConnectionDetails {
  let details = detailsOf(whole)
  const excess = written(details) - room
  if (excess > 0 && details.details) {
    details.details = shortenedDetails(details.details, written(details.details) - excess)
    details.truncated = true
  }
  for (const field of ['links', 'phones', 'emails', 'tags'] as const) {
    const over = written(details) - room
    if (over <= 0) break
    const { [field]: values, ...rest } = details
    if (!values) continue
    const kept = firstOf(values, written(values) - over)
    details = { ...rest, ...(kept.length > 0 && { [field]: kept }), truncated: true }
  }
  return details
}

/** Characters of JSON for notes; the newest are kept. */
const MAX_NOTE_CHARACTERS = 15_000

/** Full details, without the oldest notes when there are many. */
export function detailsOf({ connection, tags, notes, fields }: WholeConnection): ConnectionDetails {
  const details = shownDetails(connection.details, fields)
  const { title, company, location, givenName, familyName, profileUrl, birthday } = connection
  const { connectedOn, emails, phones, links } = connection
  return {
    connection_id: publicConnectionId(connection.connectionId),
    name: connection.name,
    ...(givenName !== null && { given_name: givenName }),
    ...(familyName !== null && { family_name: familyName }),
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    ...(location !== null && { location }),
    ...(emails.length > 0 && { emails: [...emails] }),
    ...(phones.length > 0 && { phones: [...phones] }),
    ...(profileUrl !== null && { profile_url: profileUrl }),
    ...(links.length > 0 && { links: [...links] }),
    ...(birthday !== null && { birthday }),
    ...(connectedOn !== null && { connected_on: connectedOn }),
    ...(details && { details }),
    ...(tags.length > 0 && { tags: tags.map(({ tag }) => tag) }),
    ...newestNotes(notes),
    source: connection.source,
    version: connection.version,
    created_at: rfc3339(connection.createdAt),
    updated_at: rfc3339(connection.updatedAt),
  }
}

/** With the path of the page that shows the photo to the member. */
function shownDetails(details: Details, fields: readonly CustomField[]): object | undefined {
  const { photo } = details
  const json = detailsJsonOf(details, fields)
  return photo === undefined ? json : { photo: photoPath(photo), ...json }
}

function newestNotes(notes: readonly Note[]): Pick<ConnectionDetails, 'notes' | 'truncated'> {
  const kept: ConnectionNote[] = []
  let room = MAX_NOTE_CHARACTERS
  let isCut = false
  for (const note of notes.toReversed()) {
    const shortened = shortenedNote(note, room)
    if (shortened.text !== '') kept.push(shortened)
    isCut = shortened.truncated === true
    if (isCut) break
    room -= written(shortened)
  }
  return { ...(kept.length > 0 && { notes: kept }), ...(isCut && { truncated: true }) }
}

/** A note as tools return it. */
export function formatNote({ noteId, text, happenedOn, createdAt }: Note): ConnectionNote {
  return {
    note_id: formatPublicId('n', noteId),
    text,
    ...(happenedOn !== null && { on: happenedOn }),
    created_at: rfc3339(createdAt),
  }
}

/** The note with its text cut so that its JSON fits into `room` characters; the text may become empty. */
function shortenedNote(note: Note, room = MAX_NOTE_CHARACTERS): ConnectionNote {
  const whole = formatNote(note)
  const over = written(whole) - room
  if (over <= 0) return whole
  return { ...whole, text: truncate(note.text, written(note.text) - over), truncated: true }
}

/** As many of the first values as fit into `room` characters of JSON. */
function firstOf(values: readonly string[], room: number): string[] {
  const kept: string[] = []
  let taken = 2 // brackets
  for (const value of values) {
    taken += written(value) + 1
    if (taken > room) break
    kept.push(value)
  }
  return kept
}
