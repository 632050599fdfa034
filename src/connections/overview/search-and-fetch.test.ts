import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { createWorld } from '../../../test/fixtures/network.ts'
import { openEmbedder } from '../../embeddings/embedder.ts'
import { fetchTool } from './fetch.tool.ts'
import { searchTool } from './search.tool.ts'

const publicUrl = 'https://weft.example'
const search = searchTool({ embedder: openEmbedder(null), publicUrl })
const fetchOne = fetchTool({ publicUrl })

test('search and fetch return exactly what ChatGPT connectors expect', async () => {
  await using world = await createWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await member.ask(addConnectionTool, {
    name: 'Grace Hopper',
    title: 'Rear admiral',
    company: 'Navy',
    emails: ['grace@x.org'],
    tags: ['compilers'],
    note: 'Ask about COBOL',
  })
  const url = 'https://weft.example/user/connections/c_1'
  const title = 'Grace Hopper, Rear admiral, Navy'
  assert.deepEqual(await member.ask(search, { query: 'cobol' }), {
    results: [{ id: 'c_1', title, url }],
  })
  assert.deepEqual(await member.ask(search, { query: 'nonesuch' }), { results: [] })
  const now = new Date(world.clock.now()).toISOString()
  assert.deepEqual(await member.ask(fetchOne, { id: 'c_1' }), {
    id: 'c_1',
    title,
    text: [
      'Name: Grace Hopper',
      'Title: Rear admiral',
      'Company: Navy',
      'Emails: grace@x.org',
      'Tags: compilers',
      `Note (${now}): Ask about COBOL`,
    ].join('\n'),
    url,
    metadata: { source: 'typed', updated_at: now },
  })
  assert.deepEqual(await stranger.ask(search, { query: 'cobol' }), { results: [] })
  assert.equal((await stranger.refused(fetchOne, { id: 'c_1' })).code, 'not_found')
})
