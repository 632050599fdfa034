import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import { setCustomField } from '../../connections/custom-fields/custom-field-changes.ts'
import { CONNECTIONS_PATH, CUSTOM_FIELDS_PATH, customFieldPath } from '../../html/site-map.ts'

const CF1 = customFieldPath('cf_1')

async function add(person: Person, fields: Readonly<Record<string, string>>): Promise<Page> {
  const { visitor } = person
  return visitor.follow(await visitor.submit(await visitor.get(CUSTOM_FIELDS_PATH), fields))
}

async function fieldsOf(person: Person): Promise<unknown> {
  return (await person.ask('get_network_summary'))['custom_fields'] ?? []
}

async function addPeople(person: Person, ...tiers: readonly string[]): Promise<void> {
  for (const [at, tier] of tiers.entries()) {
    const details = tier === '' ? {} : { custom: { Tier: tier } }
    await person.ask('add_connections', { name: `Person ${at}`, details })
  }
}

test('fields are added, renamed, given choices, deleted with a count, and each change is undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const empty = await ada.visitor.get(CUSTOM_FIELDS_PATH)
  assert.match(empty.text, /No custom fields yet/)
  const list = await ada.visitor.get(CONNECTIONS_PATH)
  assert.equal(list.status, 200)
  const added = await add(ada, { name: 'Tier', kind: 'choice', choices: 'Gold\r\n\r\nSilver' })
  assert.match(added.text, /Added the custom field Tier \. Undo/)
  assert.deepEqual(await fieldsOf(ada), [
    { name: 'Tier', kind: 'choice', choices: ['Gold', 'Silver'] },
  ])
  await addPeople(ada, 'Gold', 'Silver', 'Gold', '')
  await ada.ask('delete_connections', { people: ['c_3'] })
  const page = await ada.visitor.get(CUSTOM_FIELDS_PATH)
  assert.match(page.text, /Tier Choice Gold, Silver 2 with Tier/)
  const people = await ada.visitor.get(page.links['2 with Tier'] ?? '')
  assert.match(people.text, /Person 0 .*Person 1/)
  assert.doesNotMatch(people.text, /Person 2|Person 3/)
  const form = await ada.visitor.get(page.links['Tier'] ?? '')
  const renamed = await ada.visitor.follow(
    await ada.visitor.submit(form, { name: 'Level', choices: 'Gold\nSilver\nBronze' }),
  )
  assert.match(renamed.text, /Level Choice Gold, Silver, Bronze 2 with Level/)
  const undone = await ada.visitor.follow(await ada.visitor.submit(renamed, {}, 'a_7'))
  assert.equal(new URL(undone.address).pathname, CUSTOM_FIELDS_PATH)
  assert.match(undone.text, /Tier Choice Gold, Silver 2 with Tier/)
  const again = await ada.visitor.get(CF1)
  assert.match(again.text, /2 people have a value, which disappears/)
  const deleted = await ada.visitor.follow(await ada.visitor.submit(again, {}, 'cf_1'))
  assert.match(deleted.text, /Deleted the custom field Tier \. Undo .*No custom fields yet/)
  assert.equal((await ada.visitor.get(CF1)).status, 404)
  await ada.visitor.submit(deleted, {}, 'a_9')
  assert.match((await ada.visitor.get(CF1)).text, /2 people have a value/)
  const unchanged = await ada.visitor.submit(await ada.visitor.get(CF1), {}, 'Save')
  assert.equal(unchanged.location, world.service.url + CUSTOM_FIELDS_PATH)
})

test('errors are beside the fields, and a field whose values do not fit stays as it is', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await add(ada, { name: 'Tier' })
  await addPeople(ada, 'Gold')
  for (const [fields, status, error] of [
    [{ name: ' ' }, 422, { name: 'Name is required.' }],
    [{ name: ' tier ' }, 422, { name: 'Name is the name of another field.' }],
    [{ name: 'Level', kind: 'choice' }, 422, { choices: 'Choices are required.' }],
  ] as const) {
    const page = await add(ada, fields)
    assert.equal(page.status, status)
    const form = page.forms.find((one) => 'choices' in one.fields)
    assert.deepEqual(form?.errors, error)
    assert.equal(form?.fields['name'], fields.name)
  }
  await add(ada, { name: 'Level' })
  const form = await ada.visitor.get(CF1)
  const taken = await ada.visitor.submit(form, { name: 'LEVEL' })
  assert.equal(taken.status, 409)
  const errors = taken.forms.find((one) => 'choices' in one.fields)?.errors
  assert.deepEqual(errors, { name: 'Name is the name of another field.' })
  const number = await ada.visitor.submit(form, { kind: 'number' })
  assert.equal(number.status, 409)
  assert.match(number.text, /“Gold” is a value of Tier, which is not a number/)
  assert.deepEqual(await fieldsOf(ada), [
    { name: 'Level', kind: 'text' },
    { name: 'Tier', kind: 'text' },
  ])
})

test('the list is filtered by a custom field: by a value, a comparison, or any value', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await add(ada, { name: 'Tier' })
  await add(ada, { name: 'Score=x', kind: 'number' })
  await addPeople(ada, 'Gold', 'Silver', '')
  await ada.ask('update_connections', {
    people: 'c_3',
    details: { custom: { 'Score=x': '7' } },
  })
  const found = async (query: string) => {
    const { html } = await ada.visitor.get(`${CONNECTIONS_PATH}?${query}`)
    const names = html.replaceAll(/<\/?mark>/g, '').matchAll(/dir="auto">(Person \d)/g)
    return [...names].map(([, name]) => name)
  }
  assert.deepEqual(await found('field=cf_1&value=gold'), ['Person 0'])
  assert.deepEqual(await found('field=cf_1'), ['Person 0', 'Person 1'])
  assert.deepEqual(await found('field=cf_2&value=%3E%3D7'), ['Person 2'])
  assert.deepEqual(await found('field=cf_2&value=%3C7'), [])
  assert.deepEqual(await found('q=person&field=cf_1&value=Silver'), ['Person 1'])
  assert.equal((await found('field=cf_9')).length, 3)
  const wrong = await ada.visitor.get(`${CONNECTIONS_PATH}?field=cf_2&value=high`)
  assert.equal(wrong.status, 200)
  const form = wrong.forms.find(({ errors }) => 'value' in errors)
  assert.match(form?.errors['value'] ?? '', /^The value must have a number such as 12 or 2\.5/)
  assert.deepEqual([form?.fields['field'], form?.fields['value']], ['cf_2', 'high'])
})

test('fields of other members are not accessible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await add(ada, { name: 'Tier' })
  await addPeople(ada, 'Gold')
  const page = await eve.visitor.get(CUSTOM_FIELDS_PATH)
  assert.doesNotMatch(page.text, /Tier/)
  const form_token = page.formToken
  assert.equal((await eve.visitor.get(CF1)).status, 404)
  for (const path of [CF1, customFieldPath('cf_1', 'delete'), customFieldPath('x', 'delete')])
    assert.equal((await eve.visitor.post(path, { form_token, name: 'x' }, SAME_ORIGIN)).status, 404)
  const forged = await ada.visitor.post(CF1, { form_token: 'x', name: 'y' }, SAME_ORIGIN)
  assert.equal(forged.status, 403)
  assert.deepEqual(await fieldsOf(ada), [{ name: 'Tier', kind: 'text' }])
})

test('a field that is renamed while its deletion waits is deleted', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const ada = await world.join('ada')
  await add(ada, { name: 'Tier' })
  const form = await ada.visitor.get(CF1)
  const { deleting } = await service.database.member(ada.memberId).write(async (tx) => {
    const submitted = { deleting: ada.visitor.submit(form, {}, 'cf_1') }
    await sleep(50) // until the deletion waits for this transaction
    await setCustomField(tx, { name: 'Tier', renameTo: 'Level' }, service.clock.now())
    return submitted
  })
  assert.equal((await deleting).status, 303)
  assert.deepEqual(await fieldsOf(ada), [])
})
