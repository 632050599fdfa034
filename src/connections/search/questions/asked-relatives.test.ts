import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { openSharedWorld } from '../../../../test/fixtures/network.ts'
import { namesWithAllWords, searchConnectionsTool } from '../../../../test/fixtures/search.ts'
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
