import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../../test/fixtures/search.ts'
import { dayAt, daysLater } from '../../../dates/calendar-day.ts'
import { keepInTouchTool } from '../../cadence/keep-in-touch.tool.ts'
import { logInteractionTool } from '../../interactions/log-interaction.tool.ts'
import { addConnectionsTool } from '../../people/add-connections.tool.ts'
import type { PageOfConnections } from '../connection-page.ts'
import type { Tool } from '../../../tools/tool.ts'

/** Ann and Cy are investors, Dee was never contacted. Ben and Dee have a cadence, Cy is muted. */
async function joinContacted(world: { join(): Promise<Acting> }, today: string): Promise<Acting> {
  const member = await world.join()
  const person = (name: string, ...tags: string[]) => ({ name, title: 'Designer', tags })
  await member.ask(addConnectionsTool, {
    connections: [
      person('Ann', 'investor'),
      person('Ben'),
      person('Cy', 'investor'),
      person('Dee'),
    ],
  })
  for (const [name, days] of [
    ['Ann', 10],
    ['Ben', 40],
    ['Cy', 90],
  ] as const)
    await member.ask(logInteractionTool, {
      people: [name],
      kind: 'call',
      on: daysLater(today, -days),
    })
  await member.ask(keepInTouchTool, { people: ['Ben', 'Cy', 'Dee'], every: 30 })
  await member.ask(keepInTouchTool, { people: ['Cy'], muted: true })
  return member
}

/** The names on all pages of two people. */
async function names(member: Acting, tool: Tool, input: object): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await member.ask<PageOfConnections>(tool, {
      ...input,
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.connections.map(({ name }) => name))
    cursor = page.next_cursor
    if (cursor === undefined) return found
  }
}

test('people are listed and found by their last contact and by when they are due', async () => {
  await using world = await openSharedWorld()
  const today = dayAt(world.clock.now())
  const member = await joinContacted(world, today)
  const before = { last_contact_before: daysLater(today, -20) }
  const inAMonth = { due_by: daysLater(today, 30) }
  for (const [input, expected] of [
    [{ sort: 'last_contact' }, ['Cy', 'Ben', 'Ann', 'Dee']],
    [{ sort: 'last_contact', tag: 'investor' }, ['Cy', 'Ann']],
    [before, ['Cy', 'Ben', 'Dee']],
    [{ ...before, sort: 'name' }, ['Ben', 'Cy', 'Dee']],
    [{ sort: 'due' }, ['Ben', 'Dee']],
    [{ due_by: today }, ['Ben']],
    [{ ...inAMonth, sort: 'added' }, ['Dee', 'Ben']],
    [{ ...inAMonth, ...before, tag: 'investor' }, []],
  ] as const)
    assert.deepEqual(
      await names(member, searchConnectionsTool, input),
      expected,
      JSON.stringify(input),
    )
  for (const [input, expected] of [
    [{ query: 'designer', sort: 'last_contact' }, ['Cy', 'Ben', 'Ann', 'Dee']],
    [{ query: 'designer', sort: 'due' }, ['Ben', 'Dee', 'Ann', 'Cy']],
    [{ query: '', ...before, sort: 'last_contact' }, ['Cy', 'Ben', 'Dee']],
    [{ query: 'designer', tag: 'investor', ...before }, ['Cy']],
    [{ query: 'designer ben', ...inAMonth, sort: 'due' }, ['Ben', 'Dee']],
    [{ query: 'plumber', ...before }, []],
  ] as const)
    assert.deepEqual(
      await names(member, searchConnectionsTool, input),
      expected,
      JSON.stringify(input),
    )
})

test('a list by last contact or due date has these dates, others do not', async () => {
  await using world = await openSharedWorld()
  const today = dayAt(world.clock.now())
  const member = await joinContacted(world, today)
  const ask = async (tool: Tool, input: object) => {
    const { connections } = await member.ask<PageOfConnections>(tool, input)
    return connections.map(({ name, last_contact_on, contact_due_on }) => [
      name,
      last_contact_on,
      contact_due_on,
    ])
  }
  const ben = ['Ben', daysLater(today, -40), daysLater(today, -10)]
  const never = ['Dee', 'never', daysLater(today, 30)]
  assert.deepEqual(await ask(searchConnectionsTool, { sort: 'due' }), [ben, never])
  assert.deepEqual(await ask(searchConnectionsTool, { query: 'Ben', sort: 'due' }), [ben])
  assert.deepEqual(await ask(searchConnectionsTool, { query: 'Ben' }), [
    ['Ben', daysLater(today, -40), undefined],
  ])
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool, {
    last_contact_before: 'today',
  })
  assert.ok(connections.some(({ last_contact_on }) => last_contact_on === 'never'))
  assert.deepEqual(await ask(searchConnectionsTool, { query: 'Dee' }), [
    ['Dee', 'never', undefined],
  ])
  await member.ask(logInteractionTool, { people: ['Dee'], kind: 'call' })
  assert.deepEqual(await ask(searchConnectionsTool, { query: 'Dee' }), [['Dee', today, undefined]])
  const silent = await ask(searchConnectionsTool, { query: 'designers not contacted for a month' })
  assert.deepEqual(
    silent.find(([name]) => name === 'Ben'),
    ben,
  )
  const unreadable = { last_contact_before: 'soonish' }
  assert.equal((await member.refused(searchConnectionsTool, unreadable)).code, 'invalid_arguments')
})
