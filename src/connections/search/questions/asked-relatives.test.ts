import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { openSharedWorld } from '../../../../test/fixtures/network.ts'
import { namesWithAllWords, searchConnectionsTool } from '../../../../test/fixtures/search.ts'
import { logInteractionTool } from '../../interactions/log-interaction.tool.ts'
import type { PageOfMatches } from '../connection-page.ts'

const PEOPLE: readonly (readonly [name: string, title: string, relation?: object])[] = [
  ['Daniel Weidmann', 'Teacher'],
  ['Clara Weidmann', 'Student', { name: 'Daniel Weidmann', relation: 'father' }],
  ['Tove Ek', 'Potter'],
  ['Erik Hall', 'Partner', { name: 'Tove Ek', relation: 'introduced by' }],
  ['Ruth Ash', 'Judge', { name: 'Simon Ash', relation: 'husband' }],
  ['Simon Ash', 'Gardener'],
]

test('a relative and who introduced someone are found by the relation of either, before the person who is named', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const [name, title, relation] of PEOPLE)
    await member.ask(addConnectionTool, {
      name,
      title,
      ...(relation && { details: { relations: [relation] } }),
    })
  for (const [query, expected] of Object.entries({
    "Clara's dad": 'Daniel Weidmann',
    'daughter of Daniel Weidmann': 'Clara Weidmann',
    'Tochter von Daniel': 'Clara Weidmann',
    'who introduced me to Erik': 'Tove Ek',
    'who did Tove introduce me to': 'Erik Hall',
    "Ruth's husband": 'Simon Ash',
    'la mujer de Simon': 'Ruth Ash',
    // Words of names and titles ask for no relative.
    'Erik partner': 'Erik Hall',
    'Clara Weidmann': 'Clara Weidmann',
  })) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.equal(page.connections[0]?.name, expected, query)
    assert.ok(namesWithAllWords(page).includes(expected), query)
    const names = page.connections.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length, query)
  }
})

test('people with a planned meeting still count as not contacted', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const today = new Date(world.clock.now()).toISOString().slice(0, 10)
  const meet = (name: string, on: string) =>
    member.ask(logInteractionTool, { people: name, kind: 'meeting', on })
  for (const name of ['Ann Lee', 'Bo Day', 'Cy Fox']) await member.ask(addConnectionTool, { name })
  await meet('Ann Lee', '2020-01-05')
  await meet('Ann Lee', '2099-01-05')
  await meet('Bo Day', '2099-01-05')
  await meet('Cy Fox', today)
  const query = "who haven't I spoken to in two years"
  const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
  assert.deepEqual(page.connections.map(({ name }) => name).toSorted(), ['Ann Lee', 'Bo Day'])
})

test('people are found by when the member was last in touch or wrote to them', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann Lee', 'Bo Day', 'Cy Fox', 'Di Orr'])
    await member.ask(addConnectionTool, { name })
  const log = (people: string, kind: string, on: string) =>
    member.ask(logInteractionTool, { people, kind, on })
  await log('Ann Lee', 'message', '2026-08-12')
  await log('Bo Day', 'meeting', '2026-09-02')
  await log('Cy Fox', 'call', '2025-08-12')
  for (const [query, names] of Object.entries({
    'who did I message in August 2026': ['Ann Lee'],
    'wem habe ich im August 2026 geschrieben': ['Ann Lee'],
    "who haven't I contacted for a year": ['Cy Fox', 'Di Orr'],
    'wen habe ich seit einem Jahr nicht kontaktiert': ['Cy Fox', 'Di Orr'],
  })) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.deepEqual(page.connections.map(({ name }) => name).toSorted(), names, query)
  }
})
