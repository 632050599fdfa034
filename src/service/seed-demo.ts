/** The demo account: an invented member with a network of invented people, created at the first start. */

import { tagOf, addTags } from '../connections/model/tag-store.ts'
import { addNotes } from '../connections/model/note-store.ts'
import { insertConnections, numberConnections } from '../connections/model/connection-store.ts'
import { DEMO_FIELDS, demoDetails } from '../connections/demo/details.ts'
import { DEMO_MEMBER } from '../connections/demo/member.ts'
import { demoPeople, type DemoPerson } from '../connections/demo/people.ts'
import { createMember, findMemberByUsername, TakenError } from '../members/member.ts'
import { recordSearchChanges } from '../connections/model/search-changes.ts'
import { newState, type Connection } from '../connections/model/connection.ts'
import { addMissingFields } from '../connections/model/custom-fields.ts'
import { loadFieldRegistry, placeCustomTexts } from '../connections/model/custom-field-registry.ts'
import { NO_DETAILS } from '../contact-files/contact/details.ts'
import { statement } from '../db/statement.ts'
import type { Database, MemberTransaction, Transaction } from '../db/database.ts'

/** `deleted`: it was deleted on purpose, so only an explicit request creates it again. */
export type DemoState = 'created' | 'present' | 'deleted'

/** At startup: creates the demo account unless it exists or was deleted. */
export async function seedDemo(database: Database, now: number): Promise<DemoState> {
  if (await findMemberByUsername(database, DEMO_MEMBER.username)) return 'present'
  return orPresent(
    database,
    database.write(async (tx) => ((await tx.get(DELETION, {})) ? 'deleted' : createDemo(tx, now))),
  )
}

/** On request: creates the demo account unless it exists, even if it was deleted. */
export async function restoreDemo(database: Database, now: number): Promise<DemoState> {
  return orPresent(
    database,
    database.write(async (tx) => {
      await tx.run(FORGET_DELETION, {})
      return createDemo(tx, now)
    }),
  )
}

/** Another node may create the account after this one has looked for it. */
async function orPresent(database: Database, creating: Promise<DemoState>): Promise<DemoState> {
  try {
    return await creating
  } catch (error) {
    const isTaken = error instanceof TakenError && error.field === 'username'
    if (isTaken && (await findMemberByUsername(database, DEMO_MEMBER.username))) return 'present'
    throw error
  }
}

/** Call it in the transaction that deletes the demo account, so that the next start does not create it again. */
export async function recordDemoDeletion(tx: Transaction, now: number): Promise<void> {
  await tx.run(FORGET_DELETION, {})
  await tx.run(RECORD_DELETION, { now })
}

async function createDemo(tx: Transaction, now: number): Promise<DemoState> {
  if (await findMemberByUsername(tx, DEMO_MEMBER.username)) return 'present'
  const profile = {
    ...DEMO_MEMBER,
    skills: [...DEMO_MEMBER.skills],
    links: [...DEMO_MEMBER.links],
  }
  const member = await createMember(tx, profile, now, { allowReserved: true })
  await seedNetwork(tx.member(member.memberId), now)
  return 'created'
}

const DELETION = statement<object, { deleted_at: number }>(
  'select deleted_at from demo_deletion where deletion_id = 1',
)

const RECORD_DELETION = statement<{ now: number }>(
  'insert into demo_deletion (deletion_id, deleted_at) values (1, :now)',
)

const FORGET_DELETION = statement('delete from demo_deletion where deletion_id = 1')

/** Two hundred invented people, with their details, tags and notes. */
export async function seedNetwork(tx: MemberTransaction, now: number): Promise<void> {
  const first = await numberConnections(tx, demoPeople().length)
  await addMissingFields(tx, DEMO_FIELDS, now)
  const fields = await loadFieldRegistry(tx)
  const people = demoPeople().map((person, index) => {
    const { birthday, details, custom } = demoDetails(person, index)
    const values = placeCustomTexts(fields, custom, now)
    const hasCustom = Object.keys(values).length > 0
    const whole = hasCustom ? { ...details, custom: values } : details
    const connection = { ...connectionOf(person, first + index, now), birthday, details: whole }
    return { person, connection }
  })
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
  await recordSearchChanges(
    tx,
    people.map(({ connection }) => connection.connectionId),
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
    ...newState(now),
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
    details: NO_DETAILS,
    source: 'linkedin',
  }
}
