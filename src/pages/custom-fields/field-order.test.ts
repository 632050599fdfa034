import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person, type World } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import {
  ACTIVITY_PATH,
  CUSTOM_FIELD_ORDER_PATH,
  CUSTOM_FIELDS_PATH,
  connectionPath,
} from '../../html/site-map.ts'

async function joinWithFields(world: World, ...names: readonly string[]): Promise<Person> {
  const person = await world.join('ada')
  for (const name of names) await person.ask('set_custom_field', { name })
  return person
}

async function order(person: Person): Promise<readonly string[]> {
  const { custom_fields: fields } = await person.ask('get_network_summary')
  return (fields as { name: string }[]).map(({ name }) => name)
}

/** Presses a button such as "Move Tier up". */
async function move({ visitor }: Person, name: string): Promise<Page> {
  return visitor.submit(await visitor.get(CUSTOM_FIELDS_PATH), {}, name)
}

test('fields are moved up and down; the first and the last cannot go further', async () => {
  await using world = await createTestWorld()
  const ada = await joinWithFields(world, 'Cat', 'Ape', 'Bee')
  assert.deepEqual(await order(ada), ['Ape', 'Bee', 'Cat'])
  const moved = await move(ada, 'Move Cat up')
  assert.equal(moved.location, `${world.service.url}${CUSTOM_FIELDS_PATH}#cf_1`)
  assert.deepEqual(await order(ada), ['Ape', 'Cat', 'Bee'])
  await move(ada, 'Move Ape down')
  assert.deepEqual(await order(ada), ['Cat', 'Ape', 'Bee'])
  const { html } = await ada.visitor.get(CUSTOM_FIELDS_PATH)
  assert.match(html, /name="up"\s+value="cf_1"\s+disabled/)
  assert.match(html, /name="down"\s+value="cf_3"\s+disabled/)
  await ada.ask('set_custom_field', { name: 'Ant' })
  assert.deepEqual(await order(ada), ['Cat', 'Ape', 'Bee', 'Ant'])
  await ada.ask('set_custom_field', { name: 'Cat', rename_to: 'Zebra' })
  assert.deepEqual(await order(ada), ['Zebra', 'Ape', 'Bee', 'Ant'])
})

test('the order is that of the connection’s page and its form', async () => {
  await using world = await createTestWorld()
  const ada = await joinWithFields(world, 'Ape', 'Bee', 'Cat')
  const custom = { Ape: 'one', Bee: 'two', Cat: 'three' }
  await ada.ask('add_connections', { name: 'Grace Hopper', details: { custom } })
  await move(ada, 'Move Cat up')
  await move(ada, 'Move Cat up')
  const { text } = await ada.visitor.get(connectionPath('c_1'))
  assert.match(text, /Cat three Ape one Bee two/)
  const { forms } = await ada.visitor.get(connectionPath('c_1', 'edit'))
  const form = forms.find(({ fields }) => 'custom.1' in fields)
  assert.deepEqual(
    Object.keys(form?.fields ?? {}).filter((name) => name.startsWith('custom.')),
    ['custom.3', 'custom.1', 'custom.2'],
  )
})

test('a move is in the activity log and undone there, unless the order has changed since', async () => {
  await using world = await createTestWorld()
  const ada = await joinWithFields(world, 'Ape', 'Bee', 'Cat')
  await move(ada, 'Move Cat up')
  const activity = await ada.visitor.get(ACTIVITY_PATH)
  assert.match(activity.text, /You moved the custom field Cat Position 3 becomes 2/)
  const undone = await ada.visitor.follow(await ada.visitor.submit(activity, {}, 'a_4'))
  assert.match(undone.text, /Undid: Moved the custom field Cat/)
  assert.deepEqual(await order(ada), ['Ape', 'Bee', 'Cat'])
  await ada.visitor.submit(await ada.visitor.get(ACTIVITY_PATH), {}, 'a_5')
  assert.deepEqual(await order(ada), ['Ape', 'Cat', 'Bee'])
  await move(ada, 'Move Cat up')
  const late = await ada.visitor.submit(await ada.visitor.get(ACTIVITY_PATH), {}, 'a_6')
  assert.match(late.text, /changed since: the order of the custom field Cat/)
  assert.deepEqual(await order(ada), ['Cat', 'Ape', 'Bee'])
})

test('an undo keeps a deleted field out, and a restored one is where it was', async () => {
  await using world = await createTestWorld()
  const ada = await joinWithFields(world, 'Ape', 'Bee', 'Cat')
  await move(ada, 'Move Cat up')
  await ada.ask('set_custom_field', { name: 'Cat', delete: true })
  assert.deepEqual(await order(ada), ['Ape', 'Bee'])
  await ada.ask('undo')
  assert.deepEqual(await order(ada), ['Ape', 'Cat', 'Bee'])
})

test('fields of other members cannot be moved', async () => {
  await using world = await createTestWorld()
  const ada = await joinWithFields(world, 'Ape', 'Bee')
  const eve = await world.join('eve')
  const { formToken: form_token } = await eve.visitor.get(CUSTOM_FIELDS_PATH)
  for (const body of [{ up: 'cf_2' }, { down: 'x' }, {}]) {
    const sent = { form_token, ...body } as Record<string, string>
    assert.equal((await eve.visitor.post(CUSTOM_FIELD_ORDER_PATH, sent, SAME_ORIGIN)).status, 404)
  }
  assert.deepEqual(await order(ada), ['Ape', 'Bee'])
})
