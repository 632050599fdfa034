import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../test/fixtures/member.ts'
import { readEvents } from '../../test/fixtures/import.ts'

interface Result {
  readonly created: number
  readonly columns: readonly {
    readonly name: string
    readonly becomes: string
    readonly filled: number
  }[]
  readonly unread: readonly { readonly column: string; readonly value: string }[]
}

test('an agent maps columns, the result lists their targets, and the next import remembers them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const run = async (input: Record<string, unknown>) => {
    const { task_id } = await ada.ask('import_connections', input)
    await readEvents(ada, Number(task_id))
    const { jobs } = await ada.ask('get_jobs', { task_id })
    return (jobs as { result: Result }[])[0]?.result as Result
  }
  const content = 'Wer,Seit,Rang,Empty\nMira Holt,12 Mar 2024,Pilot,\nBen Poe,soon,Cook,\n'
  const columns = ['Wer=name', 'Seit=connected_on', 'Rang=title']
  const result = await run({ content, columns })
  assert.equal(result.created, 2)
  assert.deepEqual(result.columns, [
    { name: 'Wer', becomes: 'name', filled: 2 },
    { name: 'Seit', becomes: 'connected_on', filled: 2 },
    { name: 'Rang', becomes: 'title', filled: 2 },
    { name: 'Empty', becomes: 'custom', filled: 0 },
  ])
  assert.deepEqual(
    result.unread.map(({ column, value }) => [column, value]),
    [['Seit', 'soon']],
  )
  const again = await run({ content: content.replaceAll('Holt', 'Berg') })
  assert.equal(again.created, 1)
  const { connections } = await ada.ask('search_connections', { query: 'Mira Berg' })
  assert.equal((connections as { title: string }[])[0]?.title, 'Pilot')
})

test('an unknown field or encoding is an error that lists the known ones', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const content = 'Wer,Mail\nMira,m@holt.example\n'
  const field = ada.ask('import_connections', { content, columns: ['Wer=nickel'] })
  await assert.rejects(field, /nickel.* is not a field\. It must be one of name, given_name/)
  const encoding = ada.ask('import_connections', { content, encoding: 'cp9999' })
  await assert.rejects(encoding, /must be one of utf-8, .*windows-1250/)
})
