/** Tools for jobs, follow-ups and groups of duplicates, through the endpoint of a whole service. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestService } from './support/service.ts'

type Answer = Readonly<Record<string, unknown>>

async function agent(service: TestService) {
  await service.addMember()
  const token = await service.mintToken()
  return async (
    name: string,
    input: object = {},
  ): Promise<{ isError: boolean; answer: Answer }> => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
    const { result } = (await answer.json()) as {
      result: { isError?: boolean; content: readonly [{ text: string }] }
    }
    const parsed = JSON.parse(result.content[0].text) as Answer
    const isError = result.isError === true
    return { isError, answer: isError ? (parsed['error'] as Answer) : parsed }
  }
}

test('a second import is rejected with a reason while one runs, and the running one can be canceled', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const call = await agent(service)
  const first = await call('import_connections', { content: 'First Name,Last Name\nAda,Byron\n' })
  const { task_id, started } = first.answer
  assert.equal(started, true)
  const second = await call('import_connections', { content: 'First Name,Last Name\nGrace,H\n' })
  assert.equal(second.isError, true)
  assert.equal(second.answer['code'], 'conflict')
  assert.equal(second.answer['task_id'], task_id)
  assert.equal(
    second.answer['message'],
    `Another import has not finished (task_id ${String(task_id)}, queued), so this file was not imported.`,
  )
  assert.match(String(second.answer['hint']), /get_jobs.*cancel_job/)

  const { answer: listed } = await call('get_jobs')
  const [job] = listed['jobs'] as readonly Answer[]
  assert.deepEqual([job?.['task_id'], String(job?.['job_id'])], [task_id, task_id])
  for (const id of [task_id, Number(task_id)]) {
    const { answer: found } = await call('get_jobs', { task_id: id })
    assert.deepEqual(
      (found['jobs'] as readonly Answer[]).map((one) => one['task_id']),
      [task_id],
    )
  }
  const spent = async () => ((await call('whoami')).answer['credits'] as Answer)['used']
  assert.equal(await spent(), 5)
  const { answer: cancelled } = await call('cancel_job', { task_id })
  assert.deepEqual([cancelled['state'], cancelled['task_id']], ['cancelled', task_id])
  assert.equal(await spent(), 0, 'the credits of a job that never ran are refunded')
  assert.equal((await call('cancel_job', { task_id })).answer['state'], 'cancelled')
  for (const tool of ['get_jobs', 'cancel_job']) {
    const { code, hint } = (await call(tool, { task_id: '1' })).answer
    assert.deepEqual([code, hint], ['job_not_found', 'List your jobs with get_jobs.'])
  }
})

test('a follow-up is changed and deleted, and undo restores it', async () => {
  await using service = await startTestService()
  const call = await agent(service)
  await call('add_connections', { name: 'Ada' })
  const plan = { people: 'c_1', text: 'Call', due_on: 'tomorrow', recurrence: 'weekly' }
  const saved = async (input: Answer) => {
    const { answer } = await call('save_follow_up', input)
    const [one] = answer['follow_ups'] as readonly Answer[]
    return [one?.['due_on'], one?.['text']]
  }
  assert.deepEqual(await saved(plan), ['2026-11-22', 'Call'])
  const change = { follow_up_id: 'f_1', due_on: 'in two weeks', text: null }
  assert.deepEqual(await saved(change), ['2026-12-05', 'Call'])
  const { answer: deleted } = await call('delete_follow_up', { follow_up_id: 'f_1' })
  assert.equal(
    (await call('delete_follow_up', { follow_up_id: 'f_1' })).answer['code'],
    'not_found',
  )
  assert.deepEqual((await call('list_follow_ups')).answer['follow_ups'], [])
  await call('undo', { activity_id: deleted['activity_id'] })
  const { answer } = await call('list_follow_ups')
  assert.deepEqual(
    (answer['follow_ups'] as readonly Answer[]).map(({ due_on }) => due_on),
    ['2026-12-05'],
  )
})

test('several groups of duplicates are merged together or not at all, and undone one at a time', async () => {
  await using service = await startTestService()
  const call = await agent(service)
  const people = ['Ada', 'A. Lovelace', 'Grace', 'G. Hopper'].map((name) => ({ name }))
  await call('add_connections', { connections: people })
  const count = async () => (await call('get_network_summary')).answer['connections']
  const bad = [
    { keep_id: 'c_1', merge_ids: ['c_2'] },
    { keep_id: 'c_3', merge_ids: ['c_9'] },
  ]
  assert.equal(
    (await call('resolve_duplicates', { action: 'merge', groups: bad })).answer['code'],
    'not_found',
  )
  assert.equal(await count(), 4)
  const groups = [
    { keep_id: 'c_1', merge_ids: 'c_2' },
    { keep_id: 'c_3', merge_ids: ['c_4'] },
  ]
  const { answer } = await call('resolve_duplicates', { action: 'merge', groups })
  const merges = answer['groups'] as readonly Answer[]
  assert.deepEqual(
    merges.map(({ merged }) => merged),
    [['c_2'], ['c_4']],
  )
  assert.equal(await count(), 2)
  await call('undo', { activity_id: merges[0]?.['activity_id'] })
  assert.equal(await count(), 3)
})
