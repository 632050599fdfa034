import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { namesWithAllWords, searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import type { PageOfMatches } from './connection-page.ts'

test('details are found, with the field and the matching line', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Hobby' })
  await member.ask(addConnectionTool, {
    name: 'Ann Lee',
    details: {
      nickname: 'Quillfeather',
      addresses: [{ street: '1 Sesame Street', city: 'Lisbon' }],
      handles: [{ service: 'mastodon', value: 'annie@social.example' }],
      organizations: [{ name: 'Stripe', title: 'Engineer', until: '2024-03', current: false }],
      relations: [{ name: 'Bartholomew Day', relation: 'spouse' }],
      custom: { Hobby: 'Beekeeping' },
    },
  })
  await member.ask(addConnectionTool, { name: 'Bo Day' })
  const expected = {
    stripe: 'Former position: Engineer at Stripe (until 2024-03)',
    lisbon: 'Address: 1 Sesame Street, Lisbon',
    beekeeping: 'Hobby: Beekeeping',
    bartholomew: 'Spouse: Bartholomew Day',
    social: 'Mastodon: annie@social.example',
    quillfeather: 'Nickname: Quillfeather',
  }
  for (const [query, snippet] of Object.entries(expected)) {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    const [first] = page.connections
    assert.deepEqual(
      [first?.name, first?.matched_fields, first?.snippet],
      ['Ann Lee', ['details'], snippet],
      query,
    )
  }
  await member.ask(setCustomFieldTool, { name: 'Hobby', delete: true })
  const gone = await member.ask<PageOfMatches>(searchConnectionsTool, { query: 'beekeeping' })
  assert.equal(gone.count, 0)
})

test('who left a company finds those whose title or company changed', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const [name, company] of [
    ['Ann Lee', 'Stripe'],
    ['Bo Day', 'Stripe'],
    ['Cy Fox', 'Acme'],
  ])
    await member.ask(addConnectionTool, { name, company })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Acme' })
  const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query: 'who left Stripe' })
  assert.deepEqual(namesWithAllWords(page), ['Ann Lee'])
})

test('custom fields filter by equality, order and range', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Tier', choices: ['Gold', 'Silver'] })
  await member.ask(setCustomFieldTool, { name: 'Score', kind: 'number' })
  await member.ask(setCustomFieldTool, { name: 'Since', kind: 'date' })
  const people = [
    ['Ann Lee', { Tier: 'Gold', Score: '9.5', Since: '2019-05' }],
    ['Bo Day', { Tier: 'Silver', Score: '10', Since: '2021-01-31' }],
    ['Cy Fox', { Score: '-1' }],
  ] as const
  for (const [name, custom] of people)
    await member.ask(addConnectionTool, { name, details: { custom } })
  const found = async (custom: readonly string[], query = '') => {
    const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query, custom })
    return page.connections.map(({ name }) => name)
  }
  assert.deepEqual(await found(['tier=gold']), ['Ann Lee'])
  assert.deepEqual(await found(['Score>=9.5']), ['Ann Lee', 'Bo Day'])
  assert.deepEqual(await found(['Score < 0']), ['Cy Fox'])
  assert.deepEqual(await found(['Score>9.5', 'Tier=Silver']), ['Bo Day'])
  assert.deepEqual(await found(['Since>=2020']), ['Bo Day'])
  assert.deepEqual(await found(['Score=*']), ['Ann Lee', 'Bo Day', 'Cy Fox'])
  assert.deepEqual(await found(['Score=*'], 'day'), ['Bo Day'])
  const unknown = await member.refused(searchConnectionsTool, {
    query: '',
    custom: ['Teir=Gold'],
  })
  assert.match(unknown.hint ?? '', /“Tier”/)
  const wrong = await member.refused(searchConnectionsTool, {
    query: '',
    custom: ['Score=high'],
  })
  assert.match(wrong.message, /a number/)
})
