import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/fixtures/network.ts'
import { tagConnectionsTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { recordStatements } from '../../../test/support/recorded.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { countYears } from './count-years.ts'
import { countBy, COUNTED_BY, summarizeNetwork } from './network-summary.ts'

const PEOPLE = [
  { name: 'One', company: 'Acme', connectedOn: '2020-03-04', labels: ['club'] },
  { name: 'Two', company: 'Acme', connectedOn: '2021-03-04', labels: ['club', 'vip'] },
  { name: 'Three', company: 'Globex', connectedOn: '2021-05-06' },
]

test('what home and the charts count is counted once for each version of the network', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const statements = new Set<string>()
  const db = recordStatements(world.database, statements).member(member.db.memberId)
  const counted = async () => {
    const network = await readNetworkState(db)
    statements.clear()
    const summary = await summarizeNetwork(db, network)
    const years = await countYears(db, network, 12)
    const by = await Promise.all(COUNTED_BY.map((one) => countBy(db, network, one)))
    return { summary, years, by }
  }
  const first = await counted()
  assert.deepEqual(first.years, [
    { value: '2020', count: 1 },
    { value: '2021', count: 2 },
  ])
  assert.ok(statements.size > 0)
  assert.deepEqual(await counted(), first)
  assert.deepEqual([...statements], [])
  await member.ask(updateConnectionTool, { connection_id: 'c_3', company: 'Acme' })
  await member.ask(tagConnectionsTool, { connection_ids: ['c_3'], add: ['vip'] })
  const { summary } = await counted()
  assert.deepEqual(summary.companies, [{ value: 'Acme', count: 3 }])
})
