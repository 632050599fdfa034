import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo.tool.ts'
import { getConnectionsTool } from '../overview/get-connections.tool.ts'
import { additionsUndoer, connectionUndoer } from '../undo/undo-connections.ts'
import { addConnectionsTool } from './add-connections.tool.ts'
import { addConnectionTool } from './add-connection.tool.ts'
import { updateConnectionTool } from './update-connection.tool.ts'

const undo = undoTool({ undoers: [additionsUndoer, connectionUndoer] })

interface Added {
  readonly created: number
  readonly connections: readonly { readonly connection_id: string; readonly created: boolean }[]
  readonly activity_id?: string
}

interface Several {
  readonly connections: readonly { readonly name: string }[]
  readonly not_found?: readonly string[]
  readonly not_shown?: readonly string[]
}

test('adds several people in one change, except those who are known or given twice', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada', emails: ['ada@x.org'] })
  const people = [
    { name: 'Grace', emails: 'grace@x.org', tags: ['navy'], note: 'Compilers' },
    { name: 'A. Lovelace', emails: ['ada@x.org'] },
    { name: 'Jean' },
    { name: 'G. Hopper', emails: ['grace@x.org'] },
  ]
  const added = await member.ask<Added>(addConnectionsTool, { connections: people })
  assert.deepEqual(added, {
    created: 2,
    connections: [
      { connection_id: 'c_2', name: 'Grace', created: true },
      { connection_id: 'c_1', name: 'Ada', created: false },
      { connection_id: 'c_3', name: 'Jean', created: true },
      { connection_id: 'c_2', name: 'Grace', created: false },
    ],
    activity_id: 'a_2',
  })
  const again = await member.ask<Added>(addConnectionsTool, { connections: people.slice(0, 2) })
  assert.deepEqual([again.created, again.activity_id], [0, undefined])
  const several = await member.ask<Several>(getConnectionsTool, {
    connection_ids: ['c_3', 'c_2', 'c_9', 'c_3'],
  })
  assert.deepEqual(
    several.connections.map(({ name }) => name),
    ['Jean', 'Grace'],
  )
  assert.deepEqual([several.not_found, several.not_shown], [['c_9'], undefined])
})

test('one undo removes all of them, and undoing that restores them; a later edit prevents it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: [{ name: 'Grace' }, { name: 'Jean' }] })
  const shown = async () => {
    const ids = { connection_ids: ['c_1', 'c_2'] }
    return (await member.ask<Several>(getConnectionsTool, ids)).connections.map(({ name }) => name)
  }
  await member.ask(undo, { activity_id: 'a_1' })
  assert.deepEqual(await shown(), [])
  await member.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual(await shown(), ['Grace', 'Jean'])
  await member.ask(updateConnectionTool, { connection_id: 'c_2', title: 'x' })
  const conflict = await member.refused(undo, { activity_id: 'a_1' })
  assert.equal(conflict.code, 'conflict')
  assert.deepEqual(await shown(), ['Grace', 'Jean'])
})

test('one invalid value adds no one, and the error names its position', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const error = await member.refused(addConnectionsTool, {
    connections: [{ name: 'Grace' }, { name: 'Jean', emails: ['none'] }],
  })
  assert.equal(error.code, 'invalid_request')
  assert.match(error.message, /connections\/1\/emails: “none” is not an email address/)
  assert.equal(error.errors?.[0]?.pointer, '/connections/1/emails')
  const missing = await member.refused(addConnectionsTool, { connections: [{ title: 'x' }] })
  assert.match(missing.message, /connections\/0\/name is required/)
  assert.deepEqual(await rowsOf(world, member, 'connections'), [])
})

test('connections that do not fit into one result are listed by ID', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const note = 'x'.repeat(15_000)
  const people = ['Ada', 'Grace', 'Jean'].map((name) => ({ name, note }))
  await member.ask(addConnectionsTool, { connections: people })
  const ids = { connection_ids: ['c_1', 'c_2', 'c_3'] }
  const { connections, not_shown } = await member.ask<Several>(getConnectionsTool, ids)
  assert.deepEqual(
    connections.map(({ name }) => name),
    ['Ada'],
  )
  assert.deepEqual(not_shown, ['c_2', 'c_3'])
})
