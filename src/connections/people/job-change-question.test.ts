import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { openEmbedder } from '../../embeddings/embedder.ts'
import { addConnectionsTool } from './add-connections.tool.ts'
import { updateConnectionsTool } from './update-connections.tool.ts'
import { readJobChangeQuestion } from './job-change-question.ts'
import { searchConnectionsTool } from '../search/search-connections.tool.ts'

const search = searchConnectionsTool({ embedder: openEmbedder(null) })
const CONTEXT = { timeZone: 'UTC', now: Date.parse('2026-11-21T12:00:00Z') }

test('reads the time of a question for new jobs', () => {
  const periods: Record<string, [since: string, until?: string]> = {
    'Who changed jobs this quarter?': ['2026-10-01'],
    'who has changed jobs this month': ['2026-11-01'],
    'who got a new job this week': ['2026-11-16'],
    'Who switched jobs last quarter?': ['2026-07-01', '2026-10-01'],
    'people who changed companies last year': ['2025-01-01', '2026-01-01'],
    'who has a new job since 1 March 2026': ['2026-03-01'],
    'job changes in the last 3 months': ['2026-08-21'],
    'who changed jobs in the past month': ['2026-10-21'],
    'who changed jobs recently': ['2026-08-23'],
  }
  for (const [query, [since, until]] of Object.entries(periods))
    assert.deepEqual(
      readJobChangeQuestion(query, CONTEXT),
      until === undefined ? { since } : { since, until },
      query,
    )
  for (const query of [
    'who changed jobs at Acme',
    'jobs',
    'who left Acme',
    'who changed jobs since',
  ])
    assert.equal(readJobChangeQuestion(query, CONTEXT), undefined, query)
})

test('a question for new jobs finds people by when their former job ended', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = ['Ada Berg', 'Ben Cole', 'Cleo Dahl'].map((name) => ({
    name,
    company: 'Acme',
    title: 'Analyst',
  }))
  await member.ask(addConnectionsTool, { connections: people })
  await member.ask(updateConnectionsTool, { people: ['Ada Berg', 'Cleo Dahl'], company: 'Bolt' })
  const find = (input: object) =>
    member.ask<{ connections: object[]; total: number; has_more: boolean; next_cursor?: string }>(
      search,
      input,
    )
  const query = 'who changed jobs this quarter'
  const first = await find({ query, limit: 1 })
  const cursor = first.next_cursor
  const second = await find({ query, limit: 1, cursor })
  assert.deepEqual([first.total, second.total, second.has_more], [2, 2, false])
  assert.deepEqual(
    [...first.connections, ...second.connections],
    [
      ['c_3', 'Cleo Dahl'],
      ['c_1', 'Ada Berg'],
    ].map(([connection_id, name]) => ({
      connection_id,
      name,
      company: 'Bolt',
      former_position: 'Analyst at Acme (until 2026-11-21)',
      last_contact_on: 'never',
    })),
  )
  assert.equal((await find({ query: 'who changed jobs last year' })).total, 0)
  assert.equal((await find({ query, tag: 'none' })).total, 0)
})
