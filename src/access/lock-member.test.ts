/** Locks of one member and of two in any order: no transaction runs again because of a deadlock. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createDatabaseLocation,
  createStore,
  fixedClock,
  TEST_NOW,
} from '../../test/support/store.ts'
import { openMigratedDatabase } from '../db/engines/open.ts'
import { memberStatement } from '../db/statement.ts'
import { createMember, disableMember, enableMember } from '../members/member.ts'
import { changeRole, requireAdmin } from '../members/admin-role.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { lockMember, lockNetworks } from './lock-member.ts'

const ROUNDS = 20

test('sign-ins, changes by agents and admin actions on the same members never wait for each other in a circle', async () => {
  await using store = await createStore()
  const { database } = store
  const [one, other] = await Promise.all(
    ['ada', 'grace'].map(async (username) => {
      const fields = { username, name: username }
      return (await database.write((tx) => createMember(tx, fields, TEST_NOW))).memberId
    }),
  )
  assert.ok(one !== undefined && other !== undefined)
  await database.write(async (tx) => {
    for (const memberId of [one, other]) await changeRole(tx, memberId, 'admin')
  })
  const event = { event: 'session_ended' } as const
  let runs = 0
  const signIn = (memberId: number) =>
    database.write(async (tx) => {
      runs += 1
      await lockMember(tx.member(memberId))
      await recordSecurityEvent(tx.member(memberId), event, TEST_NOW)
    })
  const change = (memberId: number) =>
    database.member(memberId).write(async (tx) => {
      runs += 1
      await recordSecurityEvent(tx, event, TEST_NOW)
      await lockMember(tx)
    })
  const act = (admin: number, memberId: number) =>
    database.write(async (tx) => {
      runs += 1
      await lockNetworks(tx, [admin, memberId])
      await requireAdmin(tx, admin)
      await recordSecurityEvent(tx.member(memberId), event, TEST_NOW)
      await disableMember(tx, memberId, TEST_NOW)
      await enableMember(tx, memberId)
    })
  const works = [
    () => signIn(one),
    () => change(one),
    () => act(one, other),
    () => signIn(other),
    () => change(other),
    () => act(other, one),
  ]
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(works.map((work) => work()))
  assert.equal(runs, ROUNDS * works.length)
})

const READ = memberStatement<object, { last: number }>()(
  'select last_note as last from networks where member_id = :member_id',
)
const WRITE = memberStatement<{ last: number }>()(
  'update networks set last_note = :last where member_id = :member_id',
)

test('nodes that read and then write the data of a member lose no update', async () => {
  await using location = await createDatabaseLocation()
  const open = async () =>
    (await openMigratedDatabase(location.database, { clock: fixedClock(), searchThreads: 1 }))
      .database
  await using one = await open()
  await using other = await open()
  const fields = { username: 'ada', name: 'Ada' }
  const { memberId } = await one.write((tx) => createMember(tx, fields, TEST_NOW))
  const increase = (database: typeof one) =>
    database.member(memberId).write(async (tx) => {
      const { last = 0 } = (await tx.get(READ, {})) ?? {}
      await tx.run(WRITE, { last: last + 1 })
    })
  for (let round = 0; round < ROUNDS; round += 1)
    await Promise.all([increase(one), increase(other)])
  assert.equal((await one.member(memberId).get(READ, {}))?.last, 2 * ROUNDS)
})
