/** The demo account: an invented member with a network of invented people, created at the first start. */

import { HOUR } from '../base/clock.ts'
import { demoFaces } from '../connections/demo/demo-people.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { createMember, deleteMember, findMemberByUsername, TakenError } from '../members/member.ts'
import { memberStatement, statement } from '../db/statement.ts'
import type { Database, MemberReader, Transaction } from '../db/database.ts'
import type { Member } from '../members/member-row.ts'

/** `deleted`: it was deleted on purpose, so only an explicit request creates it again. `off`: `WEFT_DEMO`. */
export type DemoState = 'created' | 'present' | 'deleted' | 'off'

/** At startup: creates the demo account unless it exists or was deleted. What lately happened in it comes with `renewDemo`. */
export async function seedDemo(database: Database, now: number): Promise<DemoState> {
  if (await findMemberByUsername(database, DEMO_MEMBER.username)) return 'present'
  return orPresent(
    database,
    database.write(async (tx) => ((await tx.get(DELETION, {})) ? 'deleted' : createDemo(tx, now))),
  )
}

/** The demo account is renewed when it is older than this. */
const MAX_AGE_MS = 6 * HOUR

/**
 * Creates the demo account anew when it has become old, so that today's visitor sees what happened today.
 * The numbers of its people stay the same. Leaves an account alone that was deleted, disabled, or given a way to sign in.
 */
export async function renewDemo(database: Database, now: number): Promise<DemoState> {
  const demo = await findMemberByUsername(database, DEMO_MEMBER.username)
  if (!demo || !(await isOld(database.member(demo.memberId), demo, now))) return 'present'
  return orPresent(
    database,
    database.write(
      async (tx) => {
        const old = await findMemberByUsername(tx, DEMO_MEMBER.username)
        if (!old || !(await isOld(tx.member(old.memberId), old, now))) return 'present'
        await deleteMember(tx, old.memberId)
        return createDemo(tx, now, true)
      },
      { bulk: true },
    ),
  )
}

async function isOld(
  reader: MemberReader,
  { disabledAt, joinedAt }: Member,
  now: number,
): Promise<boolean> {
  if (disabledAt !== null) return false
  const { changes, credentials } = (await reader.get(STATE, {})) ?? { changes: 0, credentials: 0 }
  return credentials === 0 && (changes === 0 || joinedAt < now - MAX_AGE_MS)
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

async function createDemo(tx: Transaction, now: number, isWithDays = false): Promise<DemoState> {
  if (await findMemberByUsername(tx, DEMO_MEMBER.username)) return 'present'
  const profile = {
    ...DEMO_MEMBER,
    skills: [...DEMO_MEMBER.skills],
    links: [...DEMO_MEMBER.links],
  }
  const member = await createMember(tx, profile, now, { allowReserved: true })
  const own = tx.member(member.memberId)
  const { seedNetwork } = await import('./demo-network.ts')
  await seedNetwork(own, now, isWithDays ? demoFaces() : undefined)
  if (isWithDays) {
    const { seedDays } = await import('./demo-days.ts')
    await seedDays(own, now)
  }
  return 'created'
}

/** Whether something happened, and whether someone can sign in or connect. */
const STATE = memberStatement<object, { changes: number; credentials: number }>()(`
  select (select count(*) from activity where member_id = :member_id) as changes,
    (select count(*) from passwords where member_id = :member_id)
    + (select count(*) from api_tokens where member_id = :member_id)
    + (select count(*) from grants where member_id = :member_id) as credentials`)

const DELETION = statement<object, { deleted_at: number }>(
  'select deleted_at from demo_deletion where deletion_id = 1',
)

const RECORD_DELETION = statement<{ now: number }>(
  'insert into demo_deletion (deletion_id, deleted_at) values (1, :now)',
)

const FORGET_DELETION = statement('delete from demo_deletion where deletion_id = 1')
