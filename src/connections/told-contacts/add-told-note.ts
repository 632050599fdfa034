/** Adds a note that a member wrote, with the contacts that it tells of, as one change. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { identified } from '../../records/entry.ts'
import { undoerOf } from '../../records/restore.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { NoteText } from '../editing/connection-input.ts'
import { requireConnection } from '../editing/require-connection.ts'
import {
  addInteractions,
  INTERACTIONS,
  NO_CONTENT,
  onDay,
  type Interaction,
} from '../interactions/interaction-store.ts'
import { contactedOn } from '../last-contact/read-contact-times.ts'
import { findConnections } from '../model/connection-store.ts'
import { NOTES } from '../notes/notes.ts'
import { PersonRef } from '../person/schemas.ts'
import { writeNotes } from '../notes/save-note.tool.ts'
import { mentionedIn } from '../notes/mentions.ts'
import { contactsToldIn, type ToldContact } from './told-contacts.ts'
import type { Connection } from '../model/connection.ts'
import type { WriteCall } from '../../tools/tool.ts'

export const NoteInput = Type.Closed({
  connection_id: PersonRef,
  text: NoteText,
  on: Type.Optional(CalendarDay('Date it is about', 'latest')),
})

/** Removes a note that was added, with the contacts that it told of; restores a deleted one, and reverts a change. */
export const noteUndoer = undoerOf(NOTES, INTERACTIONS)

type Call = Pick<WriteCall, 'tx' | 'now' | 'record'>

/**
 * Adds a note that the member wrote, and logs the contacts that it tells of as a part of the same change.
 *
 * @throws {RequestError} `not_found` when the connection does not exist.
 * @throws {RequestError} `invalid_request` when the date is not valid.
 */
export async function addToldNote(
  call: Call,
  { connection_id, ...written }: Static<typeof NoteInput>,
  timeZone: string,
): ReturnType<typeof writeNotes> {
  const { tx, now } = call
  const connection = await requireConnection(tx, connection_id)
  const mentioned = await mentionedIn(tx, [written.text])
  const told = contactsToldIn({ ...written, mentioned, on: written.on }, { timeZone, now })
  const logged = await logTold(call, told, connection)
  const interactions = logged.map((one) => identified(INTERACTIONS, one))
  const along = logged.length > 0 && {
    states: { along: { before: {}, after: { [INTERACTIONS.plural]: interactions } } },
    people: logged.flatMap(({ people }) => people),
  }
  return writeNotes(call, [connection], written, along || undefined)
}

/** Leaves out people who were contacted on that day already, and those who were not born yet. */
async function logTold(
  { tx, now }: Call,
  told: readonly ToldContact[],
  { connectionId }: Connection,
): Promise<readonly Interaction[]> {
  const logged: Interaction[] = []
  for (const { kind, day, sentence, people: named } of told) {
    const ids = named.map((one) => one.connectionId)
    const [people, known] = await Promise.all([findConnections(tx, ids), contactedOn(tx, ids, day)])
    const isLeftOut = (one: Connection) =>
      known.has(one.connectionId) || (one.birthday !== null && one.birthday > day)
    const others = people.flatMap((one) => (isLeftOut(one) ? [] : one.connectionId))
    if (others.length === 0) continue
    // The note itself is on the page of its person.
    const text = others.some((id) => id !== connectionId) ? sentence : null
    const draft = { ...NO_CONTENT, ...onDay(day), kind, text, people: others.toSorted(byNumber) }
    logged.push(...(await addInteractions(tx, [draft], now)))
  }
  return logged
}

function byNumber(one: number, other: number): number {
  return one - other
}
