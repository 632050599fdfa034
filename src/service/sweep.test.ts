import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { purgeDeletedJob } from '../connections/purge-deleted.job.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { JobWorker } from '../jobs/worker.ts'
import { askTool } from '../pages/member-fixture.ts'
import { memberBrowser, oauthClient } from '../../test/support/oauth.ts'
import { startTestService } from '../../test/support/service.ts'
import { startPurges, sweep } from './sweep.ts'

const CLIENTS = statement<object, { client_id: string }>('select client_id from oauth_clients')

test('what has expired is taken away, and nothing before its time', async () => {
  await using service = await startTestService()
  const { database, clock, url } = service
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada' })
  const client = oauthClient(service)
  const [used, unused] = [await client.register(), await client.register()]
  const tokens = await ada.connect(used)
  const keyed = (key: string) =>
    client.post('/oauth/register', JSON.stringify({ redirect_uris: ['https://a.example/'] }), {
      'content-type': 'application/json',
      'idempotency-key': key,
    })
  const { body: kept } = await keyed('k')

  assert.equal(await sweep(database, clock.now() + HOUR), 0)
  clock.advance(13 * DAY)
  // The kept answer, the first link, and two clients that no member allowed.
  assert.equal(await sweep(database, clock.now()), 4)
  clock.advance(DAY)
  assert.equal(await sweep(database, clock.now()), 1) // the browser session
  assert.equal(
    (await fetch(`${url}/sign-in`, { headers: { cookie: ada.cookie } })).status < 500,
    true,
  )
  const refreshed = await client.refresh(used, tokens.refresh_token)
  assert.equal(refreshed.status, 200)
  clock.advance(17 * DAY)
  assert.equal(await sweep(database, clock.now()), 0)
  const left = (await database.all(CLIENTS, {})).map(({ client_id }) => client_id)
  assert.deepEqual(left, [used])
  assert.ok(![unused, String(kept['client_id'])].includes(used))
  clock.advance(60 * DAY)
  assert.equal(await sweep(database, clock.now()), 1) // the grant, with all its tokens
  assert.equal((await client.refresh(used, String(refreshed.body['refresh_token']))).status, 400)
})

test('what was deleted thirty days ago is purged by itself, once, and nothing sooner', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const { database, clock, url } = service
  const woken: number[] = []
  const purge = () => startPurges(database, clock.now(), (jobId) => woken.push(jobId))
  const { memberId } = await service.addMember()
  await service.addMember({ username: 'grace', name: 'Grace' })
  const token = await service.mintToken()
  for (const name of ['Ann', 'Bo']) {
    await askTool(url, token, 'add_connection', { name })
    const id = name === 'Ann' ? 'c_1' : 'c_2'
    await askTool(url, token, 'delete_connections', { connection_ids: [id] })
    clock.advance(DAY)
  }
  clock.advance(28 * DAY - 1)
  assert.equal(await purge(), 0)
  clock.advance(1)
  assert.equal(await purge(), 1)
  const db = database.member(memberId)
  const runPurge = async () => {
    const [jobId = 0] = woken.splice(0)
    await using worker = new JobWorker({
      database,
      jobs: [purgeDeletedJob],
      clock,
      log: createLog('silent'),
    })
    return (await worker.runToEnd(memberId, jobId)).state
  }
  assert.equal(await runPurge(), 'succeeded')
  assert.deepEqual((await db.all(CONNECTIONS, {})).map(nameOf), ['Bo'])
  assert.equal(await purge(), 0)
  clock.advance(DAY)
  assert.equal(await purge(), 1)
  assert.equal(await runPurge(), 'succeeded')
  assert.deepEqual(await db.all(CONNECTIONS, {}), [])
  clock.advance(365 * DAY)
  assert.equal(await purge(), 0)
})

test('a purge that is still waiting is not doubled, and one with nothing left to do is the last', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const { database, clock, url } = service
  const { memberId } = await service.addMember()
  const token = await service.mintToken()
  await askTool(url, token, 'add_connection', { name: 'Ann' })
  await askTool(url, token, 'delete_connections', { connection_ids: ['c_1'] })
  await askTool(url, token, 'restore_connections', { connection_ids: ['c_1'] })
  clock.advance(30 * DAY)
  const started: number[] = []
  const purge = () => startPurges(database, clock.now(), (jobId) => started.push(jobId))
  assert.deepEqual([await purge(), await purge()], [1, 0])
  await using worker = new JobWorker({
    database,
    jobs: [purgeDeletedJob],
    clock,
    log: createLog('silent'),
  })
  await worker.runToEnd(memberId, started[0] ?? 0)
  assert.equal((await database.member(memberId).all(CONNECTIONS, {})).length, 1)
  assert.equal(await purge(), 0)
})

const CONNECTIONS = memberStatement<object, { name: string }>()(
  'select name from connections where member_id = :member_id',
)

function nameOf({ name }: { readonly name: string }): string {
  return name
}
