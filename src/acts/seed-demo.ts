/** The demo account: an invented member with a network of invented people, created at the first start. */

import { DEMO_MEMBER } from '../connections/demo/member.ts'
import { createMember, findMemberByUsername, TakenError } from '../members/member.ts'
import { statement } from '../db/statement.ts'
import type { Database, Transaction } from '../db/database.ts'

/** `deleted`: it was deleted on purpose, so only an explicit request creates it again. `off`: `WEFT_DEMO`. */
export type DemoState = 'created' | 'present' | 'deleted' | 'off'

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
  const { seedNetwork } = await import('./demo-network.ts')
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
