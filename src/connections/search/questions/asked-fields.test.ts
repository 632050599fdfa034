import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../../../test/fixtures/network.ts'
import { openEmbedder } from '../../../embeddings/embedder.ts'
import { getNetworkSummaryTool } from '../../overview/get-network-summary.tool.ts'
import { addConnectionsTool } from '../../people/add-connections.tool.ts'
import { readAskedFields } from './asked-fields.ts'
import { searchConnectionsTool } from '../search-connections.tool.ts'

const search = searchConnectionsTool({ embedder: openEmbedder(null) })

test('reads the field and the person of a question', () => {
  const cases: [query: string, person: string, ...fields: string[]][] = [
    ["What is Ben Haverkamp's phone number?", 'ben haverkamp', 'phones'],
    ['Jane Whitfield’s email', 'jane whitfield', 'emails'],
    ['email address of Jane Whitfield', 'jane whitfield', 'emails'],
    ["when is Ana's birthday", 'ana', 'birthday'],
    ['Ben Haverkamp phone', 'ben haverkamp', 'phones'],
    ['contact details for Ben', 'ben', 'emails', 'phones'],
    ['where does Ben Haverkamp work?', 'ben haverkamp'],
    ["Ben Haverkamp's LinkedIn", 'ben haverkamp', 'profileUrl'],
    ['When did I meet Ben Haverkamp?', 'ben haverkamp', 'connectedOn'],
  ]
  for (const [query, person, ...fields] of cases)
    assert.deepEqual(readAskedFields(query), { person, fields }, query)
  for (const query of [
    'people without email',
    'who has a phone number',
    'designer in Berlin',
    '',
    'email',
  ])
    assert.equal(readAskedFields(query), undefined, query)
})

test('the asked field comes with the person', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = [
    {
      name: 'Ben Haverkamp',
      phones: ['+49 30 901820'],
      connected_on: '2024-05-01',
      company: 'Acme',
    },
    { name: 'Jane Whitfield', emails: ['jane@example.org', 'j@example.com'], company: 'Acme' },
    { name: 'Ana Souza', birthday: '--03-05', connected_on: '2024-06-01', tags: ['Fair'] },
  ]
  await member.ask(addConnectionsTool, { connections: people })
  const first = async (query: string) => {
    const { connections } = await member.ask<{ connections: Record<string, unknown>[] }>(search, {
      query,
    })
    return connections[0]
  }
  assert.deepEqual(
    (await first("What is Ben Haverkamp's phone number"))?.['phones'],
    people[0]?.phones,
  )
  assert.deepEqual((await first("Jane Whitfield's email"))?.['emails'], people[1]?.emails)
  assert.equal((await first("when is Ana's birthday"))?.['birthday'], '--03-05')
  assert.equal((await first('birthdays in March'))?.['birthday'], '--03-05')
  assert.equal(await first('birthdays in May'), undefined, 'no birthday is in May')
  assert.equal((await first('when did I meet Ben Haverkamp'))?.['connected_on'], '2024-05-01')
  assert.deepEqual((await first('Ben Haverkamp'))?.['phones'], people[0]?.phones, 'one of few')
  const elms = Array.from({ length: 4 }, (_, at) => ({
    name: `Cay Elm ${at}`,
    phones: ['+49 30 901820'],
    birthday: '--03-05',
  }))
  await member.ask(addConnectionsTool, { connections: elms })
  assert.equal((await first('Cay Elm'))?.['phones'], undefined, 'one of many')
  assert.deepEqual((await first('Cay Elm telefone'))?.['phones'], ['+49 30 901820'])
  assert.equal((await first('Ben Haverkamp'))?.['connected_on'], undefined)
  const count = (by: string) => member.ask<{ counts: object[] }>(getNetworkSummaryTool, { by })
  assert.deepEqual((await count('company')).counts, [{ value: 'Acme', count: 2 }])
  assert.deepEqual((await count('tag')).counts, [{ value: 'Fair', count: 1 }])
  assert.deepEqual((await count('year')).counts, [{ value: '2024', count: 2 }])
})
