import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStarter } from './job-starter.ts'
import { createWorld } from '../../test/fixtures/network.ts'

test('the actor of an import is the member, or the agent that holds the credential', async () => {
  await using world = await createWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  const { id } = member.caller.credential
  await member.db.write(async (tx) => {
    // The credential of an app whose grant has ended since.
    await tx.insertMany({
      table: 'credential_names',
      columns: ['credential_id', 'name'],
      rows: [['grant_1', 'Claude']],
    })
    assert.equal(await readStarter(tx, null), 'Member 1')
    assert.equal(await readStarter(tx, id), 'test')
    assert.equal(await readStarter(tx, 'grant_1'), 'Claude')
    assert.equal(await readStarter(tx, 'grant_2'), 'an agent')
  })
  await stranger.db.write(async (tx) => {
    assert.equal(await readStarter(tx, 'grant_1'), 'an agent')
    assert.equal(await readStarter(tx, id), 'an agent')
  })
})
