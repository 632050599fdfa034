import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { RequestError } from '../base/request-error.ts'
import { createMember, disableMember, enableMember } from './member.ts'
import { changeRole, isLastAdmin, listAdmins, requireAdmin } from './admin-role.ts'
import type { Database } from '../db/database.ts'
import type { MemberRole } from '../http/browser-request.ts'

async function addMember(database: Database, username: string, role: MemberRole): Promise<number> {
  return database.write(async (tx) => {
    const { memberId } = await createMember(tx, { username, name: username }, TEST_NOW)
    await changeRole(tx, memberId, role)
    return memberId
  })
}

function isLast(error: unknown): boolean {
  return (
    error instanceof RequestError && error.code === 'conflict' && /only admin/.test(error.message)
  )
}

test('a promoted member is an admin until demoted', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await addMember(database, 'ada', 'admin')
  const grace = await addMember(database, 'grace', 'member')
  assert.deepEqual(await listAdmins(database), new Set([ada]))
  await database.write((tx) => changeRole(tx, grace, 'admin'))
  assert.deepEqual(await listAdmins(database), new Set([ada, grace]))
  await database.write((tx) => changeRole(tx, ada, 'member'))
  assert.deepEqual(await listAdmins(database), new Set([grace]))
})

test('the last admin cannot be demoted or disabled, and disabled admins do not count', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await addMember(database, 'ada', 'admin')
  const grace = await addMember(database, 'grace', 'admin')
  await database.write((tx) => disableMember(tx, grace, TEST_NOW))
  assert.equal(await isLastAdmin(database, ada), true)
  await assert.rejects(
    database.write((tx) => changeRole(tx, ada, 'member')),
    isLast,
  )
  await assert.rejects(
    database.write((tx) => disableMember(tx, ada, TEST_NOW)),
    isLast,
  )
  assert.ok((await listAdmins(database)).has(ada))
  await database.write((tx) => changeRole(tx, grace, 'member'))
  await database.write((tx) => enableMember(tx, grace))
  await assert.rejects(
    database.write((tx) => changeRole(tx, ada, 'member')),
    isLast,
  )
})

test('when two admins are demoted at the same time, one remains', async () => {
  await using store = await createStore()
  const { database } = store
  const both = [
    await addMember(database, 'ada', 'admin'),
    await addMember(database, 'grace', 'admin'),
  ]
  const outcomes = await Promise.allSettled(
    both.map((memberId) => database.write((tx) => changeRole(tx, memberId, 'member'))),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await listAdmins(database)).size, 1)
})

test('only admins who are not disabled count as admins', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await addMember(database, 'ada', 'admin')
  const grace = await addMember(database, 'grace', 'admin')
  const mary = await addMember(database, 'mary', 'member')
  await database.write((tx) => disableMember(tx, grace, TEST_NOW))
  await database.write((tx) => requireAdmin(tx, ada))
  for (const other of [grace, mary])
    await assert.rejects(
      database.write((tx) => requireAdmin(tx, other)),
      /no longer an admin/,
    )
})
