import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { findIntroductionsTool } from '../introductions/find-introductions.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { addConnectionTool, getConnectionTool } from '../../../test/fixtures/one-person.ts'
import { inverseRelation, relationKind } from '../../contact-files/contact/relation-kinds.ts'

const undo = undoTool({ undoers: [peopleUndoer] })

async function add(member: Acting, name: string, relations?: string): Promise<string> {
  const details = relations === undefined ? {} : { details: [`relations=${relations}`] }
  const { connection } = await member.ask<{ connection: { connection_id: string } }>(
    addConnectionTool,
    {
      name,
      allow_duplicate: true,
      ...details,
    },
  )
  return connection.connection_id
}

/** As `child Ben Lee c_2`, without an ID if the relation has no connection. */
async function relationsOf(member: Acting, id: string): Promise<readonly string[]> {
  const { details } = await member.ask<{
    details?: { relations?: readonly { name: string; relation?: string; connection_id?: string }[] }
  }>(getConnectionTool, { connection_id: id })
  return (details?.relations ?? []).map(({ name, relation, connection_id }) =>
    [relation, name, connection_id].filter((part) => part !== undefined).join(' '),
  )
}

test('relations have kinds and inverses', () => {
  assert.equal(relationKind('Daughter'), 'child')
  assert.equal(inverseRelation('daughter'), 'parent')
  assert.equal(inverseRelation('Boss'), 'direct report')
  assert.equal(inverseRelation('skipper'), 'skipper of')
  assert.equal(inverseRelation('skipper of'), 'skipper')
  assert.equal(inverseRelation('introduced by'), 'introduced')
})

test('a change says which connection a relation points at, or that it points at none', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const eze = await add(member, 'Ngozi Eze')
  const ada = await add(member, 'Ada Lee')
  const linked = async (name: string) => {
    const { people } = await member.ask<{ people: { changes: { after: string }[] }[] }>(
      updateConnectionsTool,
      { people: [ada], details: [`relations=[{"name":"${name}","relation":"introduced by"}]`] },
    )
    return people[0]?.changes[0]?.after
  }
  assert.match(
    (await linked('Ngozi')) ?? '',
    /^introduced by: Ngozi \(not linked: no single connection/,
  )
  assert.equal(await linked('Ngozi Eze'), `introduced by: Ngozi Eze (${eze})`)
})

test('a relation points at a connection by ID or by a name that one person has, and is seen from both sides', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [ben, ann, other] = [
    await add(member, 'Ben Lee'),
    await add(member, 'Ann Day'),
    await add(member, 'Ann Day'),
  ]
  const ada = await add(
    member,
    'Ada Lee',
    `[{"connection_id":"${ben}","relation":"son"},{"name":"ann day","relation":"friend"},{"name":"Rex","relation":"aunt"}]`,
  )
  assert.deepEqual(await relationsOf(member, ada), [
    `son Ben Lee ${ben}`,
    'friend ann day',
    'aunt Rex',
  ])
  assert.deepEqual(await relationsOf(member, ben), [`parent Ada Lee ${ada}`])
  assert.deepEqual(await relationsOf(member, ann), [])
  await member.ask(deleteConnectionsTool, { people: [other] })
  assert.deepEqual((await relationsOf(member, ada))[1], `friend Ann Day ${ann}`)
  assert.deepEqual(await relationsOf(member, ann), [`friend Ada Lee ${ada}`])
})

test('relations with an unknown ID, or with nothing, are rejected', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const [relations, code] of [
    ['[{"connection_id":"c_999"}]', 'not_found'],
    ['[{"relation":"child"}]', 'invalid_request'],
  ]) {
    const input = { name: 'Ada', details: [`relations=${relations}`] }
    assert.equal((await member.refused(addConnectionTool, input)).code, code)
  }
})

test('relations follow merges, their undo, deletions and new names', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [ben, benjamin] = [await add(member, 'Ben Lee'), await add(member, 'Benjamin T. Lee')]
  const ada = await add(member, 'Ada Lee', `[{"connection_id":"${ben}","relation":"child"}]`)
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: benjamin, merge_ids: [ben] })
  assert.deepEqual(await relationsOf(member, ada), [`child Benjamin T. Lee ${benjamin}`])
  assert.deepEqual(await relationsOf(member, benjamin), [`parent Ada Lee ${ada}`])
  await member.ask(undo)
  assert.deepEqual(await relationsOf(member, ada), [`child Ben Lee ${ben}`])
  assert.deepEqual(await relationsOf(member, benjamin), [])
  await member.ask(deleteConnectionsTool, { people: [ben] })
  assert.deepEqual(await relationsOf(member, ada), ['child Ben Lee'])
  await member.ask(restoreConnectionsTool, { people: [ben] })
  assert.deepEqual(await relationsOf(member, ben), [`parent Ada Lee ${ada}`])
})

test('introductions come from relatives and from those who introduced someone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const jane = await add(member, 'Jane Doe')
  await add(member, 'Bo Day', `[{"connection_id":"${jane}","relation":"sister"}]`)
  await add(member, 'Cy Fox', '[{"name":"Rex Nolan","relation":"uncle"}]')
  const reasons = async (target: string) => {
    const { introductions } = await member.ask<{
      introductions: readonly {
        connection: { name: string }
        reasons: readonly { text: string }[]
      }[]
    }>(findIntroductionsTool, { target })
    return introductions.map(
      (one) => `${one.connection.name}: ${one.reasons.map(({ text }) => text).join(' ')}`,
    )
  }
  assert.deepEqual(await reasons('Jane Doe'), ['Bo Day: Sibling of Jane Doe.'])
  assert.deepEqual(await reasons('Rex Nolan'), ['Cy Fox: Has Rex Nolan as uncle.'])
})

test('a relation can create the person, and one undo reverts both', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [ada, bo] = [await add(member, 'Ada Lee'), await add(member, 'Bo Day')]
  const relate = async (people: readonly string[], relations: readonly object[]) =>
    member.ask(updateConnectionsTool, {
      people,
      details: [`relations=${JSON.stringify(relations)}`],
    })
  await relate([ada, bo], [{ name: 'Ben Lee', relation: 'son', create: true }])
  const [ben] = (await relationsOf(member, ada)).map((one) => one.split(' ').at(-1) ?? '')
  assert.deepEqual(await relationsOf(member, ada), [`son Ben Lee ${ben}`])
  assert.deepEqual(await relationsOf(member, bo), [`son Ben Lee ${ben}`])
  assert.deepEqual(await relationsOf(member, ben ?? ''), [
    `parent Ada Lee ${ada}`,
    `parent Bo Day ${bo}`,
  ])
  const undone = await member.ask<{ activity_id: string }>(undo)
  assert.deepEqual(await relationsOf(member, ada), [])
  assert.equal((await member.refused(getConnectionTool, { connection_id: ben })).code, 'not_found')
  await member.ask(undo, { activity_id: undone.activity_id })
  assert.deepEqual(await relationsOf(member, bo), [`son Ben Lee ${ben}`])
})

test('a relation creates only a person whose name no one has, and only if it says so', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [ben, ada] = [await add(member, 'Ben Lee'), await add(member, 'Ada Lee')]
  const relations = [
    { name: 'ben lee', relation: 'son', create: true },
    { name: 'Rex', relation: 'aunt' },
    { name: 'ada lee', relation: 'self', create: true },
  ]
  const details = [`relations=${JSON.stringify(relations)}`]
  await member.ask(updateConnectionsTool, { people: [ada], details })
  assert.deepEqual((await relationsOf(member, ada)).slice(0, 2), [`son Ben Lee ${ben}`, 'aunt Rex'])
  const next = await add(member, 'Cy Fox', '[{"name":"Dee Fox","relation":"wife","create":true}]')
  const [dee] = (await relationsOf(member, next)).map((one) => one.split(' ').at(-1) ?? '')
  assert.equal(Number(dee?.slice(2)), Number(next.slice(2)) - 1)
  assert.deepEqual(await relationsOf(member, dee ?? ''), [`spouse Cy Fox ${next}`])
})
