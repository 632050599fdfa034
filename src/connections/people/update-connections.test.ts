import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askOne } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { followUpUndoer } from '../follow-ups/follow-ups.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { listFollowUpsTool } from '../follow-ups/list-follow-ups.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { tagUndoer } from '../tags/tag-changes.ts'
import { addConnectionsTool } from './add-connections.tool.ts'
import { getConnectionsTool } from './get-connections.tool.ts'
import { updateConnectionsTool } from './update-connections.tool.ts'

const undo = undoTool({ undoers: [peopleUndoer, tagUndoer, followUpUndoer] })

interface Person {
  readonly connection_id: string
  readonly name: string
  readonly company?: string
  readonly title?: string
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
  readonly tags?: readonly string[]
  readonly notes?: readonly { readonly text: string; readonly on?: string }[]
  readonly follow_ups?: readonly { readonly text: string; readonly due_on: string }[]
}

interface Updated {
  readonly people: readonly {
    readonly name: string
    readonly status: string
    readonly changes?: readonly object[]
    readonly added?: readonly string[]
    readonly kept?: readonly object[]
  }[]
  readonly rejected?: readonly { readonly given: string; readonly reason: string }[]
  readonly activity_id?: string
}

async function openNetwork() {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Anna Meier', company: 'Acme', title: 'Engineer', tags: ['Fair'] },
      { name: 'Ben Haverkamp', company: 'Siemens', emails: ['ben@example.org'], tags: ['Fair'] },
      { name: 'Carla Ruiz', location: 'Munich' },
    ],
  })
  return { world, member }
}

const read = async (member: Acting, id: string) => {
  const page = await member.ask<{ connections: Person[] }>(getConnectionsTool, {
    people: [id],
  })
  const [person] = page.connections
  assert.ok(person)
  return person
}

test('one call notes a meeting, changes the job and plans a reminder; one undo reverts it', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const before = await read(member, 'c_1')
  const updated = await member.ask<Updated>(updateConnectionsTool, {
    people: ['Anna'],
    company: 'Siemens',
    note: { text: 'Met at the fair', on: 'yesterday' },
    follow_up: { due_on: 'in two weeks' },
  })
  assert.deepEqual(
    updated.people.map(({ name, status }) => [name, status]),
    [['Anna Meier', 'updated']],
  )
  const anna = await read(member, 'c_1')
  assert.deepEqual([anna.company, anna.title], ['Siemens', undefined])
  assert.deepEqual(
    anna.notes?.map(({ text, on }) => [text, on]),
    [['Met at the fair', '2026-11-20']],
  )
  assert.deepEqual(
    anna.follow_ups?.map(({ text, due_on }) => [text, due_on]),
    [['Get in touch', '2026-12-05']],
  )
  const undone = await member.ask<{ activity_id: string }>(undo)
  const again = await read(member, 'c_1')
  const lasting = ({ name, company, title, notes, follow_ups, tags }: Person) => {
    return { name, company, title, notes, follow_ups, tags }
  }
  assert.deepEqual(lasting(again), lasting(before))
  await member.ask(undo, { activity_id: undone.activity_id })
  assert.deepEqual(lasting(await read(member, 'c_1')), lasting(anna))
})

test('each person is reported: updated, unchanged or rejected with the reason', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const { people, rejected, activity_id } = await member.ask<Updated>(updateConnectionsTool, {
    people: ['Anna Meier', 'ben@example.org', 'c_3', 'Nobody Known'],
    tags: ['Fair'],
  })
  assert.deepEqual(
    people.map(({ name, status }) => [name, status]),
    [
      ['Anna Meier', 'unchanged'],
      ['Ben Haverkamp', 'unchanged'],
      ['Carla Ruiz', 'updated'],
    ],
  )
  assert.deepEqual(rejected, [{ given: 'Nobody Known', reason: 'is not in this network' }])
  await member.ask(undo, { activity_id })
  assert.equal((await read(member, 'c_3')).tags, undefined)
})

test('everyone who matches is changed, lists are replaced, and no match is an error', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const { people } = await member.ask<Updated>(updateConnectionsTool, {
    where: { tag: 'fair' },
    tags: { replace: ['Leads'] },
    emails: { add: ['info@example.com'] },
    follow_up: { text: 'Send the slides', due_on: '2026-12-01' },
  })
  assert.deepEqual(people.map(({ name }) => name).toSorted(), ['Anna Meier', 'Ben Haverkamp'])
  const ben = await read(member, 'c_2')
  assert.deepEqual([ben.tags, ben.emails], [['Leads'], ['ben@example.org', 'info@example.com']])
  const { follow_ups } = await member.ask<{ follow_ups: object[] }>(listFollowUpsTool)
  assert.equal(follow_ups.length, 2)
  const none = { where: { tag: 'fair' }, title: 'x' }
  assert.equal((await member.refused(updateConnectionsTool, none)).code, 'not_found')
  const wrong = { people: ['c_1'], where: { tag: 'Leads' }, title: 'x' }
  assert.equal((await member.refused(updateConnectionsTool, wrong)).code, 'invalid_request')
  await member.ask(undo)
  assert.deepEqual((await member.ask<{ follow_ups: object[] }>(listFollowUpsTool)).follow_ups, [])
  assert.deepEqual((await read(member, 'c_1')).tags, ['Fair'])
  const both = await member.ask(updateConnectionsTool, {
    people: ['c_1', 'c_2'],
    location: 'Ulm',
    tags: ['VIP'],
  })
  const changed = {
    status: 'updated',
    version: 4,
    changes: [
      { field: 'location', after: 'Ulm' },
      { field: 'tags', after: 'VIP' },
    ],
  }
  assert.deepEqual(both, {
    people: [
      { connection_id: 'c_1', name: 'Anna Meier', ...changed },
      { connection_id: 'c_2', name: 'Ben Haverkamp', ...changed },
    ],
    activity_id: 'a_4',
  })
})

test('another spelling of the company keeps the title', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const company = (name: string) =>
    member.ask(updateConnectionsTool, { people: ['c_1'], company: name })
  await company('ACME Inc.')
  assert.equal((await read(member, 'c_1')).title, 'Engineer')
})

test('what is new about a known person is added, and what differs is kept and named', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const known = {
    name: 'Ben Haverkamp',
    company: 'Siemens',
    title: 'Buyer',
    emails: ['ben@example.org'],
    phones: ['+49 30 901820'],
    tags: ['fair', 'VIP'],
    birthday: '5 March',
    note: { text: 'Likes tea', on: '2026-11-01' },
  }
  const add = (person: object) =>
    member.ask<Updated>(addConnectionsTool, { connections: [person, { name: 'Dora Lind' }] })
  const first = await add(known)
  assert.deepEqual(
    first.people.map(({ status, added }) => [status, added?.toSorted()]),
    [
      ['updated', ['birthday', 'note', 'phones', 'tags', 'title']],
      ['created', undefined],
    ],
  )
  const ben = await read(member, 'c_2')
  assert.deepEqual([ben.tags, ben.title, ben.phones], [['Fair', 'VIP'], 'Buyer', known.phones])
  const second = await add({ ...known, title: 'Director' })
  assert.deepEqual(
    second.people.map(({ status, kept }) => [status, kept]),
    [
      ['unchanged', [{ field: 'title', value: 'Buyer' }]],
      ['unchanged', undefined],
    ],
  )
  assert.equal(second.activity_id, undefined)
  await member.ask(undo, { activity_id: first.activity_id })
  const restored = await read(member, 'c_2')
  assert.deepEqual(
    [restored.tags, restored.title, restored.notes],
    [['Fair'], undefined, undefined],
  )
  assert.equal(
    (await member.refused(getConnectionsTool, { people: ['Dora Lind'] })).code,
    'not_found',
  )
})

test('a wrong value leaves everyone unchanged', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const wrong = { people: ['c_1', 'c_2'], title: 'x', note: 'y', emails: ['none'] }
  const error = await member.refused(updateConnectionsTool, wrong)
  assert.match(error.message, /emails\/add: “none” is not an email address/)
  assert.equal((await read(member, 'c_1')).notes, undefined)
  const two = { people: ['c_1', 'c_2'], title: 'x', if_version: 1 }
  assert.match((await member.refused(updateConnectionsTool, two)).message, /exactly one person/)
})

test('a reminder has a time of day, given alone or with the day, in every tool that plans one', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const plans = [
    { follow_up: 'tomorrow 3pm' },
    { follow_up: { due_on: 'tomorrow', time: '3pm' } },
    { follow_up: { due_on: 'morgen um 15 Uhr' } },
    { follow_up: { due_on: '3 pm tomorrow', text: 'Call' } },
    { follow_up: { due_on: '2026-11-22T15:00' } },
  ]
  for (const plan of plans) {
    await member.ask(updateConnectionsTool, { people: ['c_1'], ...plan })
    const name = `Person ${plans.indexOf(plan)}`
    await member.ask(addConnectionsTool, { connections: [{ name, ...plan }] })
    const { follow_up } = plan
    const object = typeof follow_up === 'string' ? { due_on: follow_up } : follow_up
    await member.ask(logInteractionTool, { people: ['c_2'], kind: 'call', follow_up: object })
    await member.ask(saveFollowUpTool, { people: ['c_3'], text: name, ...object })
  }
  const { follow_ups } = await member.ask<{
    follow_ups: readonly { readonly due_on: string; readonly time?: string }[]
  }>(listFollowUpsTool, { limit: 50 })
  assert.equal(follow_ups.length, 4 * plans.length)
  for (const { due_on, time } of follow_ups)
    assert.deepEqual([due_on, time], ['2026-11-22', '15:00'])
  const change = { follow_up_ids: ['f_1'], due_on: 'Freitag 9:30' }
  const moved = await askOne<{ due_on: string; time: string }>(member, saveFollowUpTool, change)
  assert.deepEqual([moved.due_on, moved.time], ['2026-11-27', '09:30'])
  const twice = { due_on: 'tomorrow 3pm', time: '16:00' }
  const refused = await member.refused(updateConnectionsTool, { people: ['c_1'], follow_up: twice })
  assert.equal(refused.code, 'invalid_arguments')
})

test('a former position ends on the day of the member', async () => {
  await using world = await openSharedWorld()
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    const member = await world.join(zone)
    await member.ask(addConnectionsTool, {
      connections: [{ name: 'Anna Meier', company: 'Acme', title: 'Engineer' }],
    })
    await member.ask(updateConnectionsTool, { people: ['Anna Meier'], company: 'Siemens' })
    const { connections } = await member.ask<{ connections: readonly object[] }>(
      getConnectionsTool,
      { people: ['Anna Meier'] },
    )
    const former = { name: 'Acme', until: dayInZone(zone, world.clock.now()) }
    assert.partialDeepStrictEqual(connections[0], { details: { organizations: [former] } }, zone)
  }
})
