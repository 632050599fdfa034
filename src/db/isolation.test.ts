import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStore, TEST_ENGINE, type TestStore } from '../../test/support/store.ts'
import { memberStatement, serviceStatement, statement, type MemberStatement } from './statement.ts'

const [ADA, GRACE] = [1, 2]

const ADD_MEMBER = statement<{ id: number }>(
  "insert into members (member_id, username, name, joined_at, updated_at) values (:id, 'm' || cast(:id as bigint), 'M', 0, 0)",
)
const ADD_NOTE = memberStatement<{ text: string }>()(`
  insert into notes (member_id, note_id, connection_id, text, origin, created_at, updated_at)
  values (:member_id, 1, 1, :text, 'typed', 0, 0)`)
const OWN_NOTES = memberStatement<object, { text: string }>()(
  'select text from notes where member_id = :member_id',
)

/** The types reject a statement on private rows without a member. */
function unbound<Row>(text: string): MemberStatement<object, Row> {
  return { text, private: true }
}

async function createWorld(): Promise<TestStore> {
  const store = await createStore()
  const { database } = store
  for (const id of [ADA, GRACE]) {
    await database.write(async (tx) => {
      await tx.run(ADD_MEMBER, { id })
      await tx.insertMany({
        table: 'networks',
        columns: ['member_id'],
        rows: [[id]],
        service: true,
      })
    })
    await database.member(id).write((tx) => tx.run(ADD_NOTE, { text: `of ${id}` }))
  }
  return store
}

test('a handle reads and writes only its own member’s rows', async () => {
  await using store = await createWorld()
  const ada = store.database.member(ADA)
  assert.deepEqual((await ada.all(OWN_NOTES, {})).map(textOf), ['of 1'])
  assert.deepEqual((await ada.heavy.all(OWN_NOTES, {})).map(textOf), ['of 1'])
  // Not even a parameter of that name reaches another member's rows.
  const params = { member_id: GRACE }
  assert.deepEqual((await ada.all(OWN_NOTES, params)).map(textOf), ['of 1'])
  assert.deepEqual((await store.database.member(9).all(OWN_NOTES, {})).map(textOf), [])
})

const secondWall = {
  skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only: tests row-level security',
}

test(
  'if the first layer is bypassed, the second blocks reads of other members’ rows',
  secondWall,
  async () => {
    await using store = await createWorld()
    const { database } = store
    const everyNote = unbound<{ text: string }>('select text from notes')
    const ada = database.member(ADA)
    assert.deepEqual((await ada.all(everyNote, {})).map(textOf), ['of 1'])
    assert.deepEqual((await ada.heavy.all(everyNote, {})).map(textOf), ['of 1'])
    const inTransaction = await ada.write((tx) => tx.all(everyNote, {}))
    assert.deepEqual(inTransaction.map(textOf), ['of 1'])
    // A statement on shared tables has no member, even in a member's transaction.
    const shared = statement<object, { text: string }>('select text from notes')
    assert.deepEqual(await database.all(shared, {}), [])
    await database.write(async (tx) => {
      assert.equal((await tx.member(ADA).all(everyNote, {})).length, 1)
      assert.deepEqual(await tx.all(shared, {}), [])
      assert.deepEqual((await tx.member(GRACE).all(everyNote, {})).map(textOf), ['of 2'])
    })
  },
)

test('a member’s transaction uses shared tables without a member', secondWall, async () => {
  await using store = await createWorld()
  const names = statement<object, { text: string }>('select name as text from members')
  const notes = statement<object, { text: string }>('select text from notes')
  await store.database.member(ADA).write(async (tx) => {
    assert.equal((await tx.shared.all(names, {})).length, 2)
    assert.deepEqual(await tx.shared.all(notes, {}), [])
    assert.deepEqual((await tx.all(OWN_NOTES, {})).map(textOf), ['of 1'])
  })
})

test(
  'if the first layer is bypassed, the second blocks writes to other members’ rows',
  secondWall,
  async () => {
    await using store = await createWorld()
    const { database } = store
    const ada = database.member(ADA)
    const run = (text: string) => ada.write((tx) => tx.run(unbound<never>(text), {}))
    assert.equal(await run("update notes set text = 'mine'"), 1)
    assert.equal(await run('delete from notes where member_id = 2'), 0)
    assert.deepEqual((await database.member(GRACE).all(OWN_NOTES, {})).map(textOf), ['of 2'])
    const violation = /row-level security/
    await assert.rejects(run('update notes set member_id = 2'), violation)
    await assert.rejects(
      run("insert into notes values (2, 7, 1, 'planted', null, 'typed', 0, 0, null)"),
      violation,
    )
    const planted = { table: 'notes', columns: ['member_id', 'note_id', 'connection_id', 'text'] }
    await assert.rejects(
      database.write((tx) => tx.insertMany({ ...planted, rows: [[GRACE, 7, 1, 'planted']] })),
      violation,
    )
  },
)

test(
  'a member’s transaction changes no other member’s row in tables that all members read',
  secondWall,
  async () => {
    await using store = await createWorld()
    const { database } = store
    const ada = database.member(ADA)
    const run = (text: string) => ada.write((tx) => tx.run(unbound<never>(text), {}))
    assert.equal(await run("update members set name = 'Mine'"), 1)
    assert.equal(await run('delete from members where member_id = 2'), 0)
    const newMember =
      "insert into members (member_id, username, name, joined_at, updated_at) values (9, 'm9', 'M', 0, 0)"
    await assert.rejects(run(newMember), /row-level security/)
    // Profiles are public.
    const names = unbound<{ text: string }>('select name as text from members order by member_id')
    assert.deepEqual((await ada.all(names, {})).map(textOf), ['Mine', 'M'])
    const link = (memberId: number | null) => `
    insert into one_time_links (link_hash, purpose, member_id, created_at, expires_at)
    values ('of ${memberId}', 'reset', ${memberId}, 0, 0)`
    await assert.rejects(run(link(GRACE)), /row-level security/)
    const add = (memberId: number | null) =>
      database.write((tx) => tx.run(statement(link(memberId)), {}))
    for (const memberId of [ADA, GRACE, null]) await add(memberId)
    const links = unbound<{ text: string }>('select link_hash as text from one_time_links')
    assert.deepEqual((await ada.all(links, {})).map(textOf), ['of 1'])
  },
)

test(
  'the service itself accesses rows across members only where necessary',
  secondWall,
  async () => {
    await using store = await createWorld()
    const { database } = store
    for (const table of ['notes', 'connections', 'credit_ledger', 'upload_chunks', 'activity']) {
      const all = serviceStatement<object, object>(`select * from ${table}`)
      assert.deepEqual(await database.all(all, {}), [], table)
    }
    const deleteJobs = serviceStatement('delete from jobs')
    assert.equal(await database.write((tx) => tx.run(deleteJobs, {})), 0)
    await assert.rejects(
      database
        .member(ADA)
        .write((tx) => tx.run(unbound<never>('insert into networks (member_id) values (2)'), {})),
      /row-level security/,
    )
  },
)

test('a connection acts for no member after its statement', secondWall, async () => {
  await using store = await createWorld()
  const { database } = store
  const shared = statement<object, { text: string }>('select text from notes')
  const setting = statement<object, { acts: string | null }>(
    "select nullif(current_setting('weft.member_id', true), '') as acts",
  )
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const member = database.member(index % 2 === 0 ? ADA : GRACE)
      assert.deepEqual((await member.all(OWN_NOTES, {})).map(textOf), [`of ${member.memberId}`])
      assert.deepEqual(await database.all(shared, {}), [])
      assert.equal((await database.get(setting, {}))?.acts, null)
    }),
  )
})

test('only these statements run across members', async () => {
  const found: string[] = []
  const folder = join(import.meta.dirname, '..')
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.startsWith('db')) continue
    const text = await readFile(join(folder, name), 'utf8')
    for (const [, one] of text.matchAll(/(\w+) = (?:serviceStatement<|sweepOf\(|dueStateOf\()/g))
      found.push(`${name} ${one}`)
  }
  assert.deepEqual(found.sort(), [
    'access/agent-limits.ts SWEEP',
    'access/api-token.ts sweepExpired',
    'access/api-token.ts sweepRevoked',
    'access/browser-session.ts sweepSessions',
    'access/cloud-agent.ts sweepCloudAgents',
    'access/credential-name.ts sweepCredentialNames',
    'access/device-password.ts sweepDevices',
    'access/known-browser.ts sweepKnownBrowsers',
    'access/one-time-link.ts sweepLinks',
    'access/passkey-challenge.ts sweepChallenges',
    'access/pending-identity.ts sweepPendingIdentities',
    'connections/calendars/calendar-store.ts DUE',
    'connections/calendars/calendar-store.ts SEALED_ADDRESSES',
    'connections/calendars/calendar-store.ts readCalendarState',
    'connections/cards/book-state.ts WITH_DEVICE',
    'connections/deletion/purge-deleted.job.ts DUE_MEMBERS',
    'connections/search/meaning/preparations.ts PREPARATIONS',
    'connections/search/meaning/prepare-networks.ts DUE',
    'connections/search/meaning/prepare-networks.ts LEASEHOLDERS',
    'connections/search/meaning/prepare-networks.ts OF_OTHER_MODELS',
    'deliveries/delivery-metrics.ts DUE_NOW',
    'deliveries/delivery-metrics.ts FAILING',
    'deliveries/delivery-metrics.ts LAST',
    'deliveries/delivery-metrics.ts NEXT',
    'deliveries/delivery-metrics.ts OLDEST',
    'deliveries/delivery-store.ts sweepDeliveries',
    'deliveries/endpoint-store.ts DUE',
    'deliveries/endpoint-store.ts sweepEndpoints',
    'exports/connection-export.ts sweepConnectionExports',
    'exports/export-store.ts EXPIRED',
    'guards/idempotency-record.ts sweepAnonymous',
    'guards/idempotency-record.ts sweepRecords',
    'jobs/claim-job.ts LEASEHOLDERS',
    'jobs/claim-job.ts NEXT_JOB',
    'jobs/claim-job.ts REQUEUE',
    'jobs/claim-job.ts TAKE',
    'jobs/operate-jobs.ts ALL_JOBS',
    'jobs/operate-jobs.ts OWNER',
    'jobs/sweep-jobs.ts EXPIRED',
    'jobs/uploads.ts EXPIRED_UPLOADS',
    'members/admin-log.ts sweepAdminLog',
    'oauth/attempts/attempt-store.ts sweepAttempts',
    'oauth/client.ts sweepAbandoned',
    'oauth/grant.ts sweepGrants',
    'oauth/token-pair.ts sweepAccess',
    'oauth/token-pair.ts sweepRefresh',
    'outbox/outbox.ts sweepEmails',
    'pages/admin/job-queue.ts ACTIVE',
    'pages/admin/job-queue.ts FAILED',
    'pages/admin/member-list.ts SEEN',
    'reminders/calendar-feed.ts BY_HASH',
    'reminders/reminder-settings.ts DUE',
    'subscribed-books/book-store.ts DUE',
    'subscribed-books/book-store.ts SEALED_ACCOUNTS',
    'subscribed-books/book-store.ts readBookState',
  ])
})

function textOf(row: { readonly text: string }): string {
  return row.text
}
