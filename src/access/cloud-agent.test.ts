import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMember } from '../members/member.ts'
import { createStore } from '../../test/support/store.ts'
import { findTokenHolder, listApiTokens, mintApiToken } from './api-token.ts'
import {
  createCloudAgent,
  findCloudAgent,
  listCloudAgents,
  removeCloudAgent,
} from './cloud-agent.ts'

async function createWorld() {
  const store = await createStore()
  const { database, clock } = store
  const now = clock.now()
  const join = async (username: string) => {
    const { memberId } = await database.write((tx) =>
      createMember(tx, { username, name: username }, now),
    )
    const db = database.member(memberId)
    return {
      db,
      create: (name: string) => db.write((tx) => createCloudAgent(tx, name, now)),
      remove: (agentId: string) => db.write((tx) => removeCloudAgent(tx, agentId, now)),
      mint: (agentId: string, holder: 'ai_client' | 'cloud_agent' = 'cloud_agent') =>
        db.write((tx) =>
          mintApiToken(tx, { name: 'ci', holder, agentId, lifetimeDays: null }, now),
        ),
      names: async () => (await listCloudAgents(db)).map(({ name }) => name),
    }
  }
  return { ...store, now, ada: await join('ada'), grace: await join('grace') }
}

test('a token belongs to the cloud agent it was created for, and names it', async () => {
  await using world = await createWorld()
  const { ada, database, now } = world
  const { agentId } = await ada.create(' night shift ')
  const { secret } = await ada.mint(agentId)
  const caller = await findTokenHolder(database, secret, now)
  assert.equal(caller?.credential.holder, 'cloud_agent')
  assert.equal(caller.credential.agent, 'night shift')
  assert.equal((await listApiTokens(ada.db))[0]?.agent, 'night shift')
  assert.equal((await findCloudAgent(ada.db, 'night shift'))?.agentId, agentId)
})

test('removing an agent revokes its tokens and makes its name available', async () => {
  await using world = await createWorld()
  const { ada, grace, database, now } = world
  const { agentId } = await ada.create('scout')
  const { secret } = await ada.mint(agentId)
  assert.equal(await grace.remove(agentId), false)
  assert.ok(await findTokenHolder(database, secret, now))
  assert.equal(await ada.remove(agentId), true)
  assert.equal(await ada.remove(agentId), false)
  assert.equal(await findTokenHolder(database, secret, now), undefined)
  assert.deepEqual(await ada.names(), [])
  await assert.rejects(ada.mint(agentId), { code: 'not_found' })
  await ada.create('scout')
  assert.deepEqual(await ada.names(), ['scout'])
})

test('a taken or invisible name is rejected, and so is another member’s agent', async () => {
  await using world = await createWorld()
  const { ada, grace } = world
  const { agentId } = await ada.create('scout')
  await grace.create('scout')
  await assert.rejects(ada.create('scout '), { code: 'conflict' })
  for (const name of ['', ' ', 'a\u200bb', 'x'.repeat(81)])
    await assert.rejects(ada.create(name), { code: 'invalid_request' })
  await assert.rejects(grace.mint(agentId), { code: 'not_found' })
  await assert.rejects(ada.mint(agentId, 'ai_client'), { code: 'not_found' })
})
