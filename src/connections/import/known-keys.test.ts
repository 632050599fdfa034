import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/fixtures/network.ts'
import { addConnectionTool } from '../editing/add-connection.tool.ts'
import { keysOf } from '../model/match-keys.ts'
import { findConnections } from '../model/connection-store.ts'
import { KeyLoader } from './known-keys.ts'

const NAMES = ['Ann Lee', 'Bo Berg', 'Cy Cole']

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
  const loader = new KeyLoader(member.db)
  const large = { bytes: 100_000, isMostlyNew: true }
  assert.equal(await loader.load({ ...large, bytes: 10 }), undefined)
  assert.equal(await loader.load({ ...large, isMostlyNew: false }), undefined)
  const known = await loader.load(large)
  assert.ok(known)
  const isKnown = (key: string) => known.filter.mayHave(key)
  assert.ok(own.flatMap(keysOf).every(isKnown))
  assert.ok(!others.flatMap(keysOf).some(isKnown))
  const loads = []
  for (let time = 2; time <= 5; time += 1) loads.push((await loader.load(large)) !== undefined)
  assert.deepEqual(loads, [true, true, true, false])
})

test('more keys than one statement reads are all loaded', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const name of NAMES) await member.ask(addConnectionTool, { name })
  const known = await new KeyLoader(member.db, 2).load({
    bytes: 100_000,
    isMostlyNew: true,
  })
  const connections = await findConnections(member.db, [1, 2, 3])
  assert.ok(connections.flatMap(keysOf).every((key) => known?.filter.mayHave(key)))
})
