/** Forms that delete, restore, merge or revoke, submitted twice as by a double-click without scripts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld as createAgentsWorld } from './fixtures/agents.ts'
import { createTestWorld as createAdminWorld } from './fixtures/admin.ts'
import { createTestWorld } from './fixtures/member.ts'
import { createCloudAgent } from '../src/access/cloud-agent.ts'
import type { Page, Visitor } from './support/visitor.ts'
import {
  ADMIN_INVITATIONS_PATH,
  connectionPath,
  CUSTOM_FIELDS_PATH,
  DELETED_CONNECTIONS_PATH,
  DUPLICATES_PATH,
  INTEGRATIONS_PATH,
} from '../src/html/site-map.ts'

/** Submits the form twice at once and once more: each leads to the same page, without an error. */
async function assertRepeatable(
  visitor: Visitor,
  page: Page,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const submit = () => visitor.submit(page, fields, button)
  const answers = [...(await Promise.all([submit(), submit()])), await submit()]
  const [first] = answers
  assert.ok(first)
  for (const { status, location, text } of answers)
    assert.deepEqual([status, location], [303, first.location], `${button}: ${text}`)
  return visitor.follow(first)
}

test('a connection is deleted, restored and merged once', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const person = { name: 'Grace Hopper', emails: ['grace@example.org'] }
  for (const allow_duplicate of [false, true])
    await ada.ask('add_connections', { ...person, allow_duplicate })
  const c1 = connectionPath('c_1')
  const deleted = await assertRepeatable(visitor, await visitor.get(c1), 'Delete')
  assert.match(deleted.text, /Deleted/)
  const list = await visitor.get(DELETED_CONNECTIONS_PATH)
  await assertRepeatable(visitor, list, 'c_1')
  assert.equal((await visitor.get(c1)).status, 200)
  const again = await assertRepeatable(visitor, await visitor.get(c1), 'Delete')
  await visitor.submit(again, {}, 'Undo Deleted Grace Hopper')
  const merge = 'Merge into the chosen Grace Hopper'
  const duplicates = await visitor.get(DUPLICATES_PATH)
  await assertRepeatable(visitor, duplicates, merge, { keep: 'c_1', same: 'c_2' })
  const split = 'Split off Grace Hopper'
  await assertRepeatable(visitor, await visitor.get(c1), split)
})

test('a custom field is deleted once', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  await visitor.submit(await visitor.get(CUSTOM_FIELDS_PATH), { name: 'Team' })
  const list = await visitor.get(CUSTOM_FIELDS_PATH)
  const page = await visitor.get(list.links['Team'] ?? '')
  await assertRepeatable(visitor, page, 'Delete')
})

test('an agent, a token and a cloud agent are removed once', async () => {
  await using world = await createAgentsWorld()
  const ada = await world.join('ada')
  await ada.connect('Claude')
  const db = world.service.database.member(ada.memberId)
  await db.write((tx) => createCloudAgent(tx, 'Researcher', world.service.clock.now()))
  await ada.make({ name: 'laptop' })
  for (const button of ['Disconnect', 'Revoke', 'Remove']) {
    const page = await ada.visitor.get(INTEGRATIONS_PATH)
    await assertRepeatable(ada.visitor, page, button)
  }
})

test('an invitation is withdrawn once', async () => {
  await using world = await createAdminWorld()
  const { visitor } = world.ada
  await visitor.submit(await visitor.get(ADMIN_INVITATIONS_PATH), { note: 'Alan', days: '3' })
  await assertRepeatable(visitor, await visitor.get(ADMIN_INVITATIONS_PATH), 'Withdraw')
})
