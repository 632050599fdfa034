/** The invented people of the demo account. */

import { reserveNumbers } from '../tools/network-numbers.ts'
import { tagOf, addTags } from '../connections/model/tag-store.ts'
import { insertDrafts } from '../records/recorded-table.ts'
import { NOTES } from '../connections/notes/notes.ts'
import { insertConnections } from '../connections/model/connection-store.ts'
import { DEMO_FIELDS, demoPeople, type DemoPerson } from '../connections/demo/demo-people.ts'
import { storeAllPhotos } from '../connections/model/photo-store.ts'
import { recordSearchChanges } from '../connections/model/search-changes.ts'
import {
  addInteractions,
  NO_CONTENT,
  onDay,
} from '../connections/interactions/interaction-store.ts'
import { newState, NO_VALUES, type Connection } from '../connections/model/connection.ts'
import { addMissingFields } from '../connections/custom-fields/custom-fields.ts'
import {
  loadFieldRegistry,
  placeCustomTexts,
} from '../connections/custom-fields/imported-custom-fields.ts'
import type { Photo } from '../contact-files/contact/photo.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Two hundred invented people, with their details, tags and notes. `faces` are photos by the place of a person. */
export async function seedNetwork(
  tx: MemberTransaction,
  now: number,
  faces: ReadonlyMap<number, Photo> = NO_FACES,
): Promise<void> {
  const first = await reserveNumbers(tx, 'last_connection', demoPeople().length)
  await addMissingFields(tx, DEMO_FIELDS, now)
  const fields = await loadFieldRegistry(tx)
  await storeAllPhotos(tx, [...faces.values()], now)
  const people = demoPeople().map((person, index) => {
    const { custom, calledOn } = person
    const values = placeCustomTexts(fields, custom, now)
    const photo = faces.get(index)?.photoId
    const details = {
      ...person.details,
      ...(Object.keys(values).length > 0 && { custom: values }),
      ...(photo !== undefined && { photo }),
    }
    const connection = { ...connectionOf(person, first + index, now), details }
    return { person, connection, calledOn }
  })
  await insertConnections(
    tx,
    people.map(({ connection }) => connection),
  )
  for (const { person, connection } of people)
    await addTags(tx, connection.connectionId, person.tags.map(tagOf))
  await insertDrafts(
    NOTES,
    tx,
    people.flatMap(({ person, connection }) =>
      person.notes.map(({ on, text }) => ({
        connectionId: connection.connectionId,
        text,
        happenedOn: on,
        origin: 'typed' as const,
        createdAt: Date.parse(`${on}T12:00:00Z`),
      })),
    ),
  )
  await addInteractions(
    tx,
    people.flatMap(({ connection, calledOn }) =>
      calledOn === null
        ? []
        : [{ ...NO_CONTENT, ...onDay(calledOn), kind: 'call', people: [connection.connectionId] }],
    ),
    now,
  )
  await recordSearchChanges(
    tx,
    people.map(({ connection }) => connection.connectionId),
  )
}

const NO_FACES: ReadonlyMap<number, Photo> = new Map()

function connectionOf(
  { tags: _tags, notes: _notes, custom: _custom, calledOn: _called, ...values }: DemoPerson,
  connectionId: number,
  now: number,
): Connection {
  return { ...NO_VALUES, ...newState(now), ...values, connectionId, source: 'linkedin' }
}
