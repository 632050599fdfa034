/** Logs the contacts that a note tells of as a part of the change that adds the note, and undoes both. */

import { undoerOf } from '../../records/undo-rows.ts'
import { identified } from '../../records/activity-entry.ts'
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
import { mentionedIn } from './mentions.ts'
import { contactsToldIn } from './told-contacts.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { Along } from '../../records/undo-rows.ts'
import type { Connection } from '../model/connection.ts'

/** Removes a note that was added, with the contacts that it told of; restores a deleted one, and reverts a change. */
export const noteUndoer = undoerOf(NOTES, INTERACTIONS)

/** A note that is added on the page of a person. */
interface WrittenNote extends Pick<Connection, 'connectionId'> {
  readonly text: string
  /** YYYY-MM-DD: the date it is about. */
  readonly on?: string | undefined
}

/** What was logged along with a note. */
export interface AlongNote {
  readonly states: Along
  /** Numbers of the connections that it concerns. */
  readonly people: readonly number[]
}

/**
 * Leaves out people who were contacted on that day already, and those who were not born yet. Undefined if the note tells of
 * no contact.
 */
export async function logToldContacts(
  tx: MemberTransaction,
  { connectionId, text, on }: WrittenNote,
  context: DateContext,
): Promise<AlongNote | undefined> {
  const mentioned = await mentionedIn(tx, [text])
  const logged: Interaction[] = []
  for (const one of contactsToldIn({ text, mentioned, on }, context)) {
    const { kind, day } = one
    const ids = one.people.map((person) => person.connectionId)
    const [found, known] = await Promise.all([findConnections(tx, ids), contactedOn(tx, ids, day)])
    const people = found
      .filter(({ birthday }) => birthday === null || birthday <= day)
      .flatMap((person) => (known.has(person.connectionId) ? [] : person.connectionId))
      .toSorted((first, other) => first - other)
    if (people.length === 0) continue
    // The note itself is on the page of its person.
    const isElsewhere = people.some((id) => id !== connectionId)
    const said = { kind, people, text: isElsewhere ? one.sentence : null }
    logged.push(
      ...(await addInteractions(tx, [{ ...NO_CONTENT, ...onDay(day), ...said }], context.now)),
    )
  }
  if (logged.length === 0) return undefined
  const interactions = logged.map((one) => identified(INTERACTIONS, one))
  return {
    states: { along: { before: {}, after: { [INTERACTIONS.plural]: interactions } } },
    people: logged.flatMap(({ people }) => people),
  }
}
