import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { openSharedWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { addConnectionsTool } from './add-connections.tool.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { recordChange } from '../../tools/activity.ts'
import {
  addStartViews,
  deleteView,
  listViews,
  renameView,
  saveView,
  viewUndoer,
} from './saved-views.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

const undo = undoTool({ undoers: [viewUndoer] })

test('the views to start with are added once, and find people', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const { db } = member
  const start = () => db.write((tx) => addStartViews(tx, world.clock.now()))
  await start()
  const views = await listViews(db)
  assert.deepEqual(
    views.map(({ viewId }) => viewId),
    [1, 2, 3, 4],
  )
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Grace', emails: ['grace@x.org'] }, { name: 'Jean' }],
  })
  const linkedin = [{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }]
  await member.import(linkedin)
  const long = { people: ['Grace'], kind: 'call', on: '2024-03-01' }
  await member.ask(logInteractionTool, long)
  const found: Record<string, number> = {}
  for (const { name } of views)
    found[name] = (await member.ask<{ count: number }>(searchConnectionsTool, { view: name })).count
  assert.deepEqual(found, {
    // Neither shows everyone that an import has added.
    'Added manually': 2,
    'No email': 4,
    'Silent for a year': 1,
    'Changed jobs': 0,
  })
  for (const { viewId } of views) await db.write((tx) => deleteView(tx, viewId))
  await start()
  assert.deepEqual(await rowsOf(world, member, 'saved_views'), [])
})

test('an unknown view is refused with the names of the others, and so is a view with other arguments', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const now = world.clock.now()
  await member.db.write((tx) => saveView(tx, { name: 'Berlin', query: 'place=Berlin' }, now))
  const unknown = await member.refused(searchConnectionsTool, { view: 'Paris' })
  assert.equal(unknown.code, 'not_found')
  assert.match(`${unknown.message} ${unknown.hint}`, /“Paris”.* Saved views: Berlin\./)
  const both = await member.refused(searchConnectionsTool, { view: 'Berlin', tag: 'x' })
  assert.equal(both.code, 'invalid_request')
  await member.db.write((tx) => saveView(tx, { name: 'Near', query: 'q=pilot&mode=meaning' }, now))
  const near = await member.refused(searchConnectionsTool, { view: 'Near' })
  assert.match(near.hint ?? '', /search_connections .*“pilot”/)
})

test('saving, renaming and deleting a view is undone and redone, unless its name is taken', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const now = world.clock.now()
  const change = (make: (tx: MemberTransaction) => Promise<Change | undefined>) =>
    member.db.write(async (tx) => {
      const made = await make(tx)
      return made && recordChange(tx, { credentialId: null, actor: 'Ada', now }, made)
    })
  const names = async () =>
    (await listViews(member.db)).map(({ viewId, name }) => `${viewId} ${name}`)
  const undoChange = (id: number) => member.ask(undo, { activity_id: `a_${id}` })
  await change((tx) => saveView(tx, { name: 'Rome', query: 'place=Rome' }, now))
  assert.equal(
    await change((tx) => saveView(tx, { name: 'Rome', query: 'place=Rome' }, now)),
    undefined,
  )
  await change((tx) => renameView(tx, 1, 'Roma', now))
  assert.equal((await member.refused(undo, { activity_id: 'a_1' })).code, 'conflict')
  await change((tx) => deleteView(tx, 1))
  assert.deepEqual(await names(), [])
  await change((tx) => saveView(tx, { name: 'roma', query: 'place=Rom' }, now))
  const taken = await member.refused(undo, { activity_id: 'a_3' })
  assert.match(taken.message, /Another view is named “Roma”/)
  await undoChange(4)
  await undoChange(3)
  assert.deepEqual(await listViews(member.db), [
    { viewId: 1, name: 'Roma', query: 'place=Rome', createdAt: now },
  ])
  await undoChange(2)
  assert.deepEqual(await names(), ['1 Rome'])
  await undoChange(1)
  assert.deepEqual(await names(), [])
  await undoChange(8)
  assert.deepEqual(await names(), ['1 Rome'])
})
