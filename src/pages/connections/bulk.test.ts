import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { BULK_CONNECTIONS_PATH, CONNECTIONS_PATH } from '../../html/site-map.ts'

async function openWorld() {
  const world = await createTestWorld()
  const ada = await world.join('ada')
  const names = ['Grace Hopper', 'Alan Turing', 'Edith Clarke', 'Mary Ross']
  const people = names.map((name) => ({ name, company: name === 'Alan Turing' ? 'NPL' : 'GE' }))
  await ada.ask('add_connections', { connections: people })
  return { world, ada }
}

/** Submits the form of the list with these fields. */
async function send(ada: Person, fields: readonly (readonly [string, string])[]) {
  const page = await ada.visitor.get(CONNECTIONS_PATH)
  const form = page.forms.find(
    ({ action, fields: own }) => action.endsWith(BULK_CONNECTIONS_PATH) && !('all' in own),
  )
  const body = new URLSearchParams({ ...form?.fields })
  for (const [name, value] of fields) {
    if (name === 'c') body.append(name, value)
    else body.set(name, value)
  }
  return ada.visitor.post(BULK_CONNECTIONS_PATH, body, SAME_ORIGIN)
}

async function tagged(ada: Person, tag: string): Promise<number> {
  const { connections } = await ada.ask('search_connections', { tag })
  return (connections as readonly object[]).length
}

test('selected people are tagged as one change with one undo', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const people = ['c_1', 'c_2', 'c_3', 'c_4'].map((id) => ['c', id] as const)
  const done = await ada.visitor.follow(
    await send(ada, [...people, ['tag', 'climate'], ['action', 'tag']]),
  )
  assert.match(done.text, /Added climate to 4 people\./)
  assert.equal(await tagged(ada, 'climate'), 4)
  await ada.visitor.follow(await ada.visitor.submit(done, {}, 'a_2'))
  assert.equal(await tagged(ada, 'climate'), 0)
  const none = await send(ada, [...people, ['tag', ' '], ['action', 'tag']])
  assert.equal(none.status, 400)
  assert.match(none.text, /Tag is required/)
  const empty = await send(ada, [['action', 'delete']])
  assert.match(empty.text, /Select at least one person/)
})

test('one contact is logged with all selected people', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const people = ['c_1', 'c_2'].map((id) => ['c', id] as const)
  const dinner = [
    ['contact_kind', 'meeting'],
    ['contact_text', 'Dinner'],
    ['action', 'log'],
  ] as const
  const unclear = await send(ada, [...people, ...dinner, ['contact_on', 'someday']])
  assert.match(unclear.text, /Date .*5 Mar 2027/)
  await send(ada, [...people, ...dinner, ['contact_on', 'yesterday']])
  const page = await ada.visitor.get(`${CONNECTIONS_PATH}/c_2`)
  assert.match(page.text, /Meeting, also with Grace Hopper Dinner By you · yesterday/)
})

test('selected people get a cadence, and a follow-up on a day in words', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const people = ['c_1', 'c_2'].map((id) => ['c', id] as const)
  const cadence = await ada.visitor.follow(
    await send(ada, [...people, ['cadence', '3 month'], ['action', 'cadence']]),
  )
  assert.match(cadence.text, /Changed the cadence of Grace Hopper and Alan Turing/)
  const page = await ada.visitor.get(`${CONNECTIONS_PATH}/c_2`)
  assert.equal(
    page.forms.find(({ action }) => action.endsWith('cadence'))?.fields['cadence'],
    '3 month',
  )
  await ada.visitor.follow(await ada.visitor.submit(cadence, {}, 'a_2'))
  const again = await ada.visitor.get(`${CONNECTIONS_PATH}/c_2`)
  assert.equal(
    again.forms.find(({ action }) => action.endsWith('cadence'))?.fields['cadence'],
    'none',
  )
  const task = [
    ['follow_up', 'Write'],
    ['action', 'follow-up'],
  ] as const
  await send(ada, [...people, ...task, ['due_on', '9 Dec 2030']])
  assert.match((await ada.visitor.get(`${CONNECTIONS_PATH}/c_1`)).text, /9 Dec 2030/)
  const unclear = await send(ada, [...people, ...task, ['due_on', '03/04/2030']])
  assert.equal(unclear.status, 400)
  assert.match(unclear.text, /Due date .*5 Mar 2027/)
  const missing = await send(ada, [...people, ...task, ['due_on', ' ']])
  assert.match(missing.text, /Due date is required\. Type a day/)
  const unknown = await send(ada, [...people, ['cadence', 'x'], ['action', 'cadence']])
  assert.equal(unknown.status, 400)
})

test('everyone that the list finds is selected by its query', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const all = [
    ['all', '1'],
    ['state', 'company=ge'],
  ] as const
  await send(ada, [...all, ['tag', 'power'], ['action', 'tag']])
  assert.equal(await tagged(ada, 'power'), 3)
  const file = await send(ada, [...all, ['action', 'export']])
  assert.match(file.headers.get('content-disposition') ?? '', /connections\.csv/)
  assert.match(file.html, /Hopper/)
  assert.doesNotMatch(file.html, /Turing/)
  await ada.ask('save_note', { people: ['Grace Hopper'], text: 'Likes tea' })
  const card = await send(ada, [...all, ['action', 'export-vcard']])
  assert.match(card.headers.get('content-disposition') ?? '', /connections\.vcf/)
  assert.match(card.html, /Hopper/)
  assert.doesNotMatch(card.html, /Likes tea/)
  const noted = await send(ada, [...all, ['with_notes', '1'], ['action', 'export-vcard']])
  assert.match(noted.html, /Likes tea/)
  const words = [
    ['all', '1'],
    ['state', 'q=turing'],
    ['action', 'delete'],
  ] as const
  const deleted = await ada.visitor.follow(await send(ada, words))
  assert.match(deleted.text, /Deleted Alan Turing/)
})

test('a follow-up is planned with several people, and undone as one', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const people = [
    ['c', 'c_1'],
    ['c', 'c_2'],
  ] as const
  const plan = [...people, ['follow_up', 'Write'], ['action', 'follow-up']] as const
  const count = async () =>
    ((await ada.ask('list_follow_ups'))['follow_ups'] as readonly object[]).length
  assert.equal((await send(ada, [...plan, ['due_on', '2027-02-30']])).status, 400)
  const done = await ada.visitor.follow(await send(ada, [...plan, ['due_on', '2027-02-03']]))
  assert.match(done.text, /Added a follow-up/)
  assert.equal(await count(), 2)
  const undone = await ada.visitor.follow(await ada.visitor.submit(done, {}, 'a_2'))
  assert.equal(await count(), 0)
  assert.match(undone.text, /Undid: Added a follow-up/)
  await ada.ask('undo', { activity_id: 'a_3' })
  assert.equal(await count(), 2)
  await send(ada, [...plan, ['due_on', '2027-03-05 3pm']])
  const { follow_ups } = await ada.ask('list_follow_ups')
  const timed = (follow_ups as { due_on: string; time?: string }[]).filter(({ time }) => time)
  assert.deepEqual(
    timed.map(({ due_on, time }) => [due_on, time]),
    [
      ['2027-03-05', '15:00'],
      ['2027-03-05', '15:00'],
    ],
  )
})

test('selected people are merged into the chosen one', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const people = [
    ['c', 'c_1'],
    ['c', 'c_2'],
  ] as const
  const one = await send(ada, [
    ['c', 'c_1'],
    ['action', 'merge'],
  ])
  assert.match(one.text, /Select 2 to 20 people/)
  const page = await send(ada, [...people, ['action', 'merge']])
  // As on the page of duplicates: their values side by side, of which each can be chosen.
  assert.match(page.text, /Keep this one A: Grace Hopper .* Keep this one B: Alan Turing/)
  assert.match(page.text, /Name Grace Hopper Alan Turing/)
  const chosen = { keep: 'c_2', same: 'c_1' }
  const answer = await ada.visitor.submit(page, chosen, 'Merge')
  assert.ok(answer.location?.includes(`${CONNECTIONS_PATH}?change=`), 'back to the list')
  const merged = await ada.visitor.follow(answer)
  assert.match(merged.text, /Merged 1 person into Alan Turing/)
})

test('people of other members cannot be selected', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  const eve = await world.join('eve')
  const fields = { form_token: (await eve.visitor.get(CONNECTIONS_PATH)).formToken, c: 'c_1' }
  for (const action of ['tag', 'follow-up', 'delete']) {
    const sent = { ...fields, action, tag: 'x', follow_up: 'x', due_on: '2027-01-01' }
    const { status } = await eve.visitor.post(BULK_CONNECTIONS_PATH, sent, SAME_ORIGIN)
    assert.ok(status === 404 || status === 303, `${action} ${status}`)
  }
  assert.equal((await ada.visitor.get(`${CONNECTIONS_PATH}/c_1`)).status, 200)
  assert.equal(await tagged(ada, 'x'), 0)
})

test('the list exports everyone it shows, without weaker matches', async () => {
  const { world, ada } = await openWorld()
  await using _ = world
  await ada.ask('update_connections', { people: ['c_1', 'c_2'], tags: { add: ['choir'] } })
  await ada.ask('update_connections', { people: 'c_1', title: 'Electrician' })
  await ada.ask('update_connections', { people: 'c_2', title: 'Elektriker' })
  const lines = async (search: string, action: string) => {
    const page = await ada.visitor.get(`${CONNECTIONS_PATH}?${search}`)
    const form = page.forms.find(({ fields }) => fields['all'] === '1')
    const file = await ada.visitor.post(
      form?.action ?? '',
      { ...form?.fields, action },
      SAME_ORIGIN,
    )
    assert.equal(file.status, 200, file.text)
    return file.html.trim().split(/\r?\n/)
  }
  assert.equal((await lines('tag=choir', 'export')).length, 3)
  assert.equal((await lines('q=electrician', 'export')).length, 2)
  const cards = await lines('', 'export-vcard')
  assert.equal(cards.filter((line) => line === 'BEGIN:VCARD').length, 4)
  const none = await ada.visitor.get(`${CONNECTIONS_PATH}?tag=nothing`)
  assert.doesNotMatch(none.text, /Export/)
})
