import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { listSessions } from '../access/browser-session.ts'
import { createMember, disableMember, enableMember } from '../members/member.ts'
import { startVisit } from './enter.ts'

const VISIT = { member: undefined, formToken: 'x', timeZone: 'UTC', cookies: [] }

async function openWorld() {
  const store = await createStore()
  const { database } = store
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, TEST_NOW),
  )
  const entry = { memberId, visit: VISIT, userAgent: undefined, now: TEST_NOW }
  return {
    enter: () => database.write((tx) => startVisit(tx, entry)),
    disable: () => database.write((tx) => disableMember(tx, memberId, TEST_NOW)),
    enable: () => database.write((tx) => enableMember(tx, memberId)),
    sessions: () => listSessions(database.member(memberId), TEST_NOW),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('nobody enters as a member who was disabled since they were known', async () => {
  await using world = await openWorld()
  await world.disable()
  assert.equal(await world.enter(), undefined)
  assert.deepEqual(await world.sessions(), [])
  await world.enable()
  assert.ok(await world.enter())
})

test('whoever enters at the moment of being disabled is not signed in when enabled again', async () => {
  await using world = await openWorld()
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([world.enter(), world.disable(), world.enter()])
    assert.deepEqual(await world.sessions(), [])
    await world.enable()
  }
})
