import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listApiTokens, mintApiToken } from '../access/api-token.ts'
import { createCloudAgent, removeCloudAgent } from '../access/cloud-agent.ts'
import { credentialNames } from '../access/credential-name.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import { CHARGED, findAnswer, recordRead } from '../guards/idempotency-record.ts'
import { MAX_JOBS_PER_KIND } from '../jobs/job-retention.ts'
import { findJob, requestCancel, startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { createMember } from '../members/member.ts'
import { recordGranted, registerClient } from '../oauth/client.ts'
import { askTool } from '../../test/fixtures/member.ts'
import { memberBrowser, oauthClient } from '../../test/support/oauth.ts'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { sweepRegularly } from './regular-sweep.ts'
import { startPurges, sweep, sweepActivity } from './sweep.ts'

const CLIENTS = statement<object, { client_id: string }>('select client_id from oauth_clients')

test('only expired data is deleted', async () => {
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

  assert.equal(await sweep(database, clock.now() + HOUR - 1), 0)
  clock.advance(13 * DAY)
  // The access token, the stored response, the consent form, the first link, and two clients that no member allowed.
  assert.equal(await sweep(database, clock.now()), 6)
  clock.advance(DAY)
  assert.equal(await sweep(database, clock.now()), 1) // the browser session
  assert.equal(
    (await fetch(`${url}/sign-in`, { headers: { cookie: ada.cookie } })).status < 500,
    true,
  )
  const refreshed = await client.refresh(used, tokens.refresh_token)
  assert.equal(refreshed.status, 200)
  clock.advance(17 * DAY)
  // An access token, and the attempt to connect.
  assert.equal(await sweep(database, clock.now()), 2)
  const left = (await database.all(CLIENTS, {})).map(({ client_id }) => client_id)
  assert.deepEqual(left, [used])
  assert.ok(![unused, String(kept['client_id'])].includes(used))
  clock.advance(60 * DAY)
  assert.equal(await sweep(database, clock.now()), 3) // the grant and both its refresh tokens
  assert.equal((await client.refresh(used, String(refreshed.body['refresh_token']))).status, 400)
})

test('connections are purged automatically, once, thirty days after their deletion', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const { database, clock, url } = service
  const woken: number[] = []
  const purge = () => startPurges(database, clock.now(), (jobId) => woken.push(jobId))
  const { memberId } = await service.addMember()
  await service.addMember({ username: 'grace', name: 'Grace' })
  const token = await service.mintToken()
  for (const name of ['Ann', 'Bo']) {
    await askTool(url, token, 'add_connections', { name })
    const id = name === 'Ann' ? 'c_1' : 'c_2'
    await askTool(url, token, 'delete_connections', { people: [id] })
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

test('a queued purge is not repeated, and no purge follows one that leaves nothing to do', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const { database, clock, url } = service
  const { memberId } = await service.addMember()
  const token = await service.mintToken()
  await askTool(url, token, 'add_connections', { name: 'Ann' })
  await askTool(url, token, 'delete_connections', { people: ['c_1'] })
  await askTool(url, token, 'restore_connections', { people: ['c_1'] })
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

test('a large table is swept completely, and unexpired rows are kept', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const memberId = await join(store)
  const db = database.member(memberId)
  const key = { scope: 't', fingerprint: 'f' }
  const count = 2 * SWEEP_BATCH + 1
  await db.write(async (tx) => {
    for (let index = 0; index < count; index += 1)
      await recordRead(tx, { ...key, keyHash: `${index}` }, CHARGED, clock.now())
  })
  clock.advance(HOUR)
  await db.write((tx) => recordRead(tx, { ...key, keyHash: 'later' }, CHARGED, clock.now()))
  clock.advance(DAY - HOUR)
  assert.equal(await sweep(database, clock.now()), count)
  assert.equal(await findAnswer(db, { ...key, keyHash: 'later' }, clock.now()), CHARGED)
})

test('jobs are deleted after 90 days if twenty newer ones of their kind exist', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const memberId = await join(store)
  const db = database.member(memberId)
  const start = { definition: purgeDeletedJob, input: {}, credentialId: null, charge: false }
  const runOne = () =>
    db.write(async (tx) => {
      const { job } = await startJob(tx, { ...start, quota: 0, now: clock.now() })
      await requestCancel(tx, job.job_id, clock.now())
      await tx.run(ADD_CHANGES, { job_id: job.job_id })
      return job.job_id
    })
  const ids: number[] = []
  for (let index = 0; index < MAX_JOBS_PER_KIND + 1; index += 1) {
    ids.push(await runOne())
    clock.advance(HOUR)
  }
  assert.equal(await sweep(database, clock.now()), 1)
  assert.equal(await findJob(db, ids[0] ?? 0), undefined)
  assert.deepEqual(
    await db.get(COUNT_CHANGES, {}).then((row) => row?.changes),
    2 * (ids.length - 1),
  )
  clock.advance(90 * DAY - 2 * HOUR)
  assert.equal(await sweep(database, clock.now()), MAX_JOBS_PER_KIND - 1)
  assert.ok(await findJob(db, ids.at(-1) ?? 0))
})

test('ended tokens and cloud agents are deleted after 90 days, and the ledger still names them', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const memberId = await join(store)
  const db = database.member(memberId)
  const now = clock.now()
  const tokenIds = await db.write(async (tx) => {
    const { agentId } = await createCloudAgent(tx, 'scout', now)
    const agent = { name: 'agent', holder: 'cloud_agent', agentId, lifetimeDays: null } as const
    const own = { holder: 'ai_client', lifetimeDays: null } as const
    const minted = [
      await mintApiToken(tx, agent, now),
      await mintApiToken(tx, { ...own, name: 'short', lifetimeDays: 1 }, now),
      await mintApiToken(tx, { ...own, name: 'live' }, now),
    ]
    await removeCloudAgent(tx, agentId, now)
    return minted.map(({ tokenId }) => tokenId)
  })
  assert.equal(await sweep(database, now + 90 * DAY - 1), 0)
  assert.equal(await sweep(database, now + 90 * DAY), 2) // the agent and its token
  assert.equal(await sweep(database, now + 91 * DAY), 1) // the one that expired after a day
  assert.deepEqual((await listApiTokens(db)).map(nameOf), ['live'])
  const names = await credentialNames(db)
  assert.deepEqual(
    tokenIds.map((id) => names.get(id)),
    ['agent', 'short', 'live'],
  )
  assert.equal(await sweep(database, now + 2 * 365 * DAY), 3)
})

test('an app is deleted a month after the latest possible end of its grants', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const now = clock.now()
  const app = { name: 'App', uri: null, redirectUris: ['https://a.example/'] }
  await database.write(async (tx) => {
    const { clientId } = await registerClient(tx, app, now)
    await recordGranted(tx, clientId, now)
    await recordGranted(tx, clientId, now + DAY)
  })
  assert.equal(await sweep(database, now + 396 * DAY - 1), 0)
  assert.equal(await sweep(database, now + 396 * DAY), 1)
})

test('a service sweeps a few minutes after it starts, then every hour', async (t) => {
  await using store = await createStore()
  const { database, clock } = store
  const addUnused = () =>
    database.write((tx) => registerClient(tx, { name: 'App', uri: null, redirectUris: [] }, 0))
  const isSwept = async () => {
    await until(async () => (await database.all(CLIENTS, {})).length === 0)
  }
  await addUnused()
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const log = createLog('silent')
  await using _sweeping = sweepRegularly({
    database,
    clock,
    log,
    wake: () => assert.fail('nothing to purge'),
    renewDemo: async () => {},
    activityRetentionDays: null,
  })
  t.mock.timers.tick(3 * MINUTE - 1)
  assert.equal((await database.all(CLIENTS, {})).length, 1, 'not while the service starts')
  t.mock.timers.tick(3 * MINUTE + 1)
  await isSwept()
  await addUnused()
  t.mock.timers.tick(HOUR)
  await isSwept()
})

test('activity is deleted after the configured number of days, with its links to connections', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const db = database.member(await join(store))
  const count = SWEEP_BATCH + 5
  const rows = Array.from({ length: count }, (_, index) => index + 1)
  // All but the last five are from the first day.
  const dayOf = (id: number) => clock.now() + (id > count - 5 ? 10 * DAY : 0)
  await db.write(async (tx) => {
    const columns = ['activity_id', 'at', 'action', 'subject_kind', 'subject_id', 'actor']
    const changes = rows.map((id) => [id, dayOf(id), 'updated', 'connection', '1', 'Ada'])
    await tx.insertMany({ table: 'activity', columns, rows: changes })
    // One change concerns more connections than fit into a transaction.
    const concerned = rows.map((id) => [id, 1]).concat([[1, count]])
    const names = ['connection_id', 'activity_id']
    await tx.insertMany({ table: 'activity_connections', columns: names, rows: concerned })
  })
  const left = async () => Object.values((await db.get(COUNT_ACTIVITY, {})) ?? {})
  assert.equal(await sweepActivity(database, 30, clock.now() + 30 * DAY), 0)
  assert.deepEqual(await left(), [count, count + 1])
  assert.equal(await sweepActivity(database, 30, clock.now() + 31 * DAY), SWEEP_BATCH)
  assert.deepEqual(await left(), [5, 1])
})

async function join({ database, clock }: TestStore): Promise<number> {
  const ada = { username: 'ada', name: 'Ada' }
  return (await database.write((tx) => createMember(tx, ada, clock.now()))).memberId
}

const ADD_CHANGES = memberStatement<{ job_id: number }>()(`
  insert into import_changes (member_id, job_id, connection_id)
  select member_id, cast(:job_id as bigint), 1 from members where member_id = :member_id
  union all select member_id, cast(:job_id as bigint), 2 from members where member_id = :member_id`)

const COUNT_CHANGES = memberStatement<object, { changes: number }>()(
  'select count(*) as changes from import_changes where member_id = :member_id',
)

const COUNT_ACTIVITY = memberStatement<object, { changes: number; concerned: number }>()(`
  select (select count(*) from activity where member_id = :member_id) as changes,
    (select count(*) from activity_connections where member_id = :member_id) as concerned
  from members where member_id = :member_id`)

const CONNECTIONS = memberStatement<object, { name: string }>()(
  'select name from connections where member_id = :member_id',
)

function nameOf({ name }: { readonly name: string }): string {
  return name
}
