import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, liveKeysOf, rowsOf } from '../../../test/fixtures/network.ts'
import { addConnectionTool } from '../editing/add-connection.tool.ts'
import { emailKey, keysOf } from '../model/match-keys.ts'
import { findConnections } from '../model/connection-store.ts'
import { updateConnectionTool } from '../editing/update-connection.tool.ts'
import { KeyLoader } from './known-keys.ts'

const NAMES = ['Ann Lee', 'Bo Berg', 'Cy Cole']
const LARGE_FILE = 100_000

test('the keys of a network are loaded for a file that is large compared with it, a few times', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const other = await world.join()
  for (const name of NAMES) await member.ask(addConnectionTool, { name })
  await other.ask(addConnectionTool, { name: 'Di Dahl' })
  const [own, others] = await Promise.all([
    findConnections(member.db, [1, 2, 3]),
    findConnections(other.db, [1]),
  ])
  const loader = new KeyLoader(member.db, { minBytes: 5 })
  assert.equal(await loader.load(4), undefined)
  assert.equal(await loader.load(14), undefined)
  const known = await loader.load(LARGE_FILE)
  for (const person of own)
    for (const key of keysOf(person))
      assert.deepEqual(known?.index.find([key]), [{ key, connection_id: person.connectionId }])
  assert.deepEqual(known?.index.find(others.flatMap(keysOf)), [])
  const loads = []
  for (let time = 2; time <= 5; time += 1) loads.push((await loader.load(LARGE_FILE)) !== undefined)
  assert.deepEqual(loads, [true, true, true, false])
})

test('a table with many rows of keys becomes runs that have the same keys', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const name of NAMES) await member.ask(addConnectionTool, { name })
  const before = await liveKeysOf(world, member)
  const loader = new KeyLoader(member.db, { maxRows: 2, rowsMoved: 2 })
  const known = await loader.load(LARGE_FILE)
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), [])
  assert.deepEqual(await liveKeysOf(world, member), before)
  const people = await findConnections(member.db, [1, 2, 3])
  for (const person of people)
    for (const key of keysOf(person))
      assert.deepEqual(known?.index.find([key]), [{ key, connection_id: person.connectionId }])
})

test('a key of a run that was lost and came back is known, as a row and in a run', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const [emails, connection_id] = [['ann@example.org'], 'c_1']
  await member.ask(addConnectionTool, { name: 'Ann Lee', emails })
  await new KeyLoader(member.db, { maxRows: 0 }).load(LARGE_FILE)
  await member.ask(updateConnectionTool, { connection_id, remove_emails: emails })
  await member.ask(updateConnectionTool, { connection_id, add_emails: emails })
  const key = emailKey('ann@example.org')
  for (const maxRows of [10, 0, 0]) {
    const known = await new KeyLoader(member.db, { maxRows }).load(LARGE_FILE)
    const holders = known?.index.find([key]).map((found) => found.connection_id)
    assert.deepEqual(new Set(holders), new Set([1]), `${maxRows} rows`)
  }
})

test('rows of keys are left as they are when someone else changes the network meanwhile', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const name of NAMES) await member.ask(addConnectionTool, { name })
  let isFirst = true
  const { db } = member
  const interrupted = new Proxy(db, {
    get(target, name) {
      if (name !== 'write') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (...args: Parameters<typeof db.write>) => {
        if (isFirst) await member.ask(addConnectionTool, { name: 'Di Dahl' })
        isFirst = false
        return db.write(...args)
      }
    },
  })
  const loader = new KeyLoader(interrupted, { maxRows: 2, rowsMoved: 2 })
  assert.equal(await loader.load(LARGE_FILE), undefined)
  const rows = await rowsOf(world, member, 'connection_keys')
  assert.equal(new Set(rows.map(({ connection_id }) => connection_id)).size, 4)
  assert.ok(await loader.load(LARGE_FILE))
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), [])
})
