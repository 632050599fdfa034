import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { getConnectionsTool } from './get-connections.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { addConnectionsTool } from './add-connections.tool.ts'

const undo = undoTool({ undoers: [peopleUndoer] })

interface Added {
  readonly created: number
  readonly people: readonly {
    readonly connection_id?: string
    readonly status: string
    readonly candidates?: readonly { readonly connection_id: string }[]
  }[]
  readonly activity_id?: string
}

interface Several {
  readonly connections: readonly { readonly name: string }[]
  readonly rejected?: readonly object[]
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
  assert.deepEqual(
    added.people.map(({ connection_id, status, candidates }) => [
      connection_id ?? candidates?.[0]?.connection_id,
      status,
    ]),
    [
      ['c_2', 'created'],
      ['c_1', 'rejected'],
      ['c_3', 'created'],
      ['c_2', 'rejected'],
    ],
  )
  assert.deepEqual([added.created, added.activity_id], [2, 'a_2'])
  const again = await member.ask<Added>(addConnectionsTool, { connections: people.slice(0, 2) })
  assert.deepEqual([again.created, again.activity_id], [0, undefined])
  assert.equal(again.people[0]?.status, 'unchanged')
  const several = await member.ask<Several>(getConnectionsTool, {
    people: ['c_3', 'c_2', 'c_9', 'c_3'],
  })
  assert.deepEqual(
    several.connections.map(({ name }) => name),
    ['Jean', 'Grace'],
  )
  assert.deepEqual(several.rejected, [{ given: 'c_9', reason: 'is not in this network' }])
  assert.equal(several.not_shown, undefined)
})

test('one undo removes all of them, and undoing that restores them; a later edit prevents it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: [{ name: 'Grace' }, { name: 'Jean' }] })
  const shown = async () => {
    const ids = { people: ['c_1', 'c_2'] }
    const outcome = await member.call(getConnectionsTool, ids)
    if (!outcome.ok) return outcome.error.code
    return (outcome.output as Several).connections.map(({ name }) => name)
  }
  await member.ask(undo, { activity_id: 'a_1' })
  assert.equal(await shown(), 'not_found')
  await member.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual(await shown(), ['Grace', 'Jean'])
  await member.ask(updateConnectionTool, { connection_id: 'c_2', title: 'x' })
  const conflict = await member.refused(undo, { activity_id: 'a_1' })
  assert.equal(conflict.code, 'conflict')
  assert.deepEqual(await shown(), ['Grace', 'Jean'])
})

test('an invalid person is rejected, and fails the call if there is no other', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const jean = { name: 'Jean', emails: ['none'], note: 'x' }
  const error = await member.refused(addConnectionsTool, { connections: [jean] })
  assert.equal(error.code, 'invalid_request')
  assert.match(error.message, /emails: “none” is not an email address/)
  assert.equal(error.errors?.[0]?.pointer, '/connections/0/emails')
  const missing = await member.refused(addConnectionsTool, { connections: [{ title: 'x' }] })
  assert.match(missing.message, /name: is required/)
  assert.deepEqual(await rowsOf(world, member, 'connections'), [])
  const both = { connections: [jean, { name: 'Grace' }] }
  const { people } = await member.ask<Added>(addConnectionsTool, both)
  assert.deepEqual(
    people.map(({ status }) => status),
    ['rejected', 'created'],
  )
  assert.deepEqual(await rowsOf(world, member, 'notes'), [])
})

test('connections that do not fit into one result are listed by ID', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const note = 'x'.repeat(15_000)
  const people = ['Ada', 'Grace', 'Jean'].map((name) => ({ name, note }))
  await member.ask(addConnectionsTool, { connections: people })
  const ids = { people: ['c_1', 'c_2', 'c_3'] }
  const { connections, not_shown } = await member.ask<Several>(getConnectionsTool, ids)
  assert.deepEqual(
    connections.map(({ name }) => name),
    ['Ada'],
  )
  assert.deepEqual(not_shown, ['c_2', 'c_3'])
})

test('a person with only the name of one who is known is a question, however frequent the name', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Anna Müller', company: 'Siemens', note: 'Sails.' },
      { name: 'John Smith', company: 'Intel' },
      { name: 'John Smith', company: 'Ford', emails: ['john@example.org'] },
    ],
  })
  const link = 'https://www.example.org/anna'
  for (const person of [
    { name: 'Anna Müller' },
    { name: 'ANNA MÜLLER' },
    { name: 'Dr. Anna Müller' },
    { name: 'Anna Müller', profile_url: link },
    { name: 'Anna Müller', links: [link] },
    { name: 'John Smith' },
  ]) {
    const { created, people } = await member.ask<{
      created: number
      people: { status: string; candidates?: object[] }[]
    }>(addConnectionsTool, { connections: [person] })
    assert.deepEqual([created, people[0]?.status], [0, 'rejected'], JSON.stringify(person))
    assert.equal(people[0]?.candidates?.length, 1)
  }
  const other = { name: 'Anna Müller', company: 'Shell' }
  const bare = { name: 'Anna Müller', allow_duplicate: true }
  for (const person of [other, bare])
    assert.equal(
      (await member.ask<{ created: number }>(addConnectionsTool, { connections: [person] }))
        .created,
      1,
    )
})

test('a person with only the phone number, email or profile of another one is a question', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const known = {
    name: 'Eva Stone',
    company: 'Acme',
    phones: ['+49 30 901820'],
    emails: ['eva@example.org'],
    profile_url: 'https://linkedin.com/in/eva-stone',
  }
  await member.ask(addConnectionsTool, { connections: [known] })
  const { phones, emails, profile_url } = known
  for (const value of [{ phones }, { phones: ['030 901820'] }, { emails }, { profile_url }]) {
    const added = await member.ask<Added>(addConnectionsTool, {
      connections: [{ name: 'Grace Holm', ...value }],
    })
    assert.equal(added.created, 0, JSON.stringify(value))
    assert.equal(added.people[0]?.candidates?.[0]?.connection_id, 'c_1')
  }
  // Colleagues share the number of an office.
  for (const other of [
    { name: 'Grace Holm', company: 'Acme', phones },
    { name: 'Lou Marsh', emails: ['lou@example.org'], phones },
    { name: 'Ida Berg', phones, allow_duplicate: true },
    { name: 'Ben Sato', phones: ['+49 30 901821'] },
  ]) {
    const added = await member.ask<Added>(addConnectionsTool, { connections: [other] })
    assert.equal(added.created, 1, other.name)
  }
})
