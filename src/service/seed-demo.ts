/** The demo account: one invented member with a network of invented people, made at the first start. */

import {
  tagOf,
  addNotes,
  addTags,
  indexConnections,
  insertConnections,
  numberConnections,
} from '../connections/store.ts'
import { DEMO_MEMBER } from '../connections/demo/member.ts'
import { DEMO_PEOPLE, type DemoPerson } from '../connections/demo/people.ts'
import { createMember, findMemberByUsername } from '../members/member.ts'
import type { Connection } from '../connections/connection.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

/** True when it was made just now; a demo account that is there is left as it is. */
export async function seedDemo(database: Database, now: number): Promise<boolean> {
  if (await findMemberByUsername(database, DEMO_MEMBER.username)) return false
  return database.write(async (tx) => {
    if (await findMemberByUsername(tx, DEMO_MEMBER.username)) return false
    const profile = {
      ...DEMO_MEMBER,
      skills: [...DEMO_MEMBER.skills],
      links: [...DEMO_MEMBER.links],
    }
    const member = await createMember(tx, profile, now, { allowReserved: true })
    await seedNetwork(tx.member(member.memberId), now)
    return true
  })
}

/** Two hundred invented people, with their tags and notes. */
export async function seedNetwork(tx: MemberTransaction, now: number): Promise<void> {
  const first = await numberConnections(tx, DEMO_PEOPLE.length)
  const people = DEMO_PEOPLE.map((person, index) => ({
    person,
    connection: connectionOf(person, first + index, now),
  }))
  await insertConnections(
    tx,
    people.map(({ connection }) => connection),
  )
  for (const { person, connection } of people)
    await addTags(tx, connection.connectionId, person.tags.map(tagOf))
  await addNotes(
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
  await indexConnections(
    tx,
    people.map(({ connection }) => connection),
  )
}

function connectionOf(person: DemoPerson, connectionId: number, now: number): Connection {
  const {
    name,
    givenName,
    familyName,
    company,
    title,
    location,
    emails,
    phones,
    profileUrl,
    connectedOn,
  } = person
  return {
    connectionId,
    name,
    givenName,
    familyName,
    company,
    title,
    location,
    emails,
    phones,
    profileUrl,
    links: [],
    birthday: null,
    connectedOn,
    source: 'linkedin',
    fieldSources: {},
    importJobId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    mergedInto: null,
  }
}
