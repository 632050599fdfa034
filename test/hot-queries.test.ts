/**
 * No statement of the service scans a whole table, and only statements with a mark read all rows of a member. Each is checked
 * with the engine's query plan.
 */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Client } from 'pg'
import { findTokenHolder, listApiTokens, mintApiToken } from '../src/access/api-token.ts'
import { createLog } from '../src/base/log.ts'
import { DEMO_MEMBER } from '../src/connections/demo/demo-member.ts'
import { compileForPostgres, compileForSqlite, WHOLE_NETWORK } from '../src/db/statement.ts'
import { renewLease } from '../src/jobs/job-lease.ts'
import { claimNextJob } from '../src/jobs/claim-job.ts'
import { listJobs, requestCancel } from '../src/jobs/start-job.ts'
import { sweepUploads } from '../src/jobs/uploads.ts'
import { JobWorker } from '../src/jobs/worker.ts'
import { openEmbedder } from '../src/embeddings/embedder.ts'
import { OutgoingPool } from '../src/base/concurrency/outgoing-pool.ts'
import { searchDirectory } from '../src/members/directory.ts'
import { listMembers, requireMemberByUsername, updateMember } from '../src/members/member.ts'
import { changeRole, listAdmins, requireAdmin } from '../src/members/admin-role.ts'
import { listJobKinds, listTools } from '../src/service/catalog.ts'
import { seedDemo } from '../src/acts/seed-demo.ts'
import { sweep } from '../src/operate/sweep.ts'
import { runTool } from '../src/tools/run-tool.ts'
import type { Database } from '../src/db/database.ts'
import { createInFlight } from '../src/guards/in-flight.ts'
import { ChargeQueue } from '../src/credits/charge-queue.ts'
import { FIRST_IDS, TOOL_RULES } from './fixtures/tool-rules.ts'
import { recordStatements } from './support/recorded.ts'
import { withClient } from './support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, TEST_NOW as now } from './support/store.ts'

const SQLITE = { skip: TEST_ENGINE !== 'sqlite' && 'reads the query plans of SQLite' }

test('every statement of the service uses an index', async () => {
  await using store = await createSeparateStore()
  const texts = new Set<string>()
  await live(recordStatements(store.database, texts))
  assert.ok(texts.size > 50, `${texts.size} statements`)
  const explain = (some: ReadonlySet<string>) =>
    TEST_ENGINE === 'sqlite'
      ? explainSqlite(store.address.replace('sqlite:', ''), some)
      : withClient(store.address, (client) => explainPostgres(client, some))
  const explained = await explain(texts)
  // Proves that this test detects a scan:
  const walk = 'select name from members where about is null'
  assert.equal((await explain(new Set([walk]))).length, 1)
  assert.deepEqual(explained, [])
})

test('a statement that reads all rows of a member says so', SQLITE, async () => {
  await using store = await createSeparateStore()
  const texts = new Set<string>()
  await live(recordStatements(store.database, texts))
  const handle = new DatabaseSync(store.address.replace('sqlite:', ''), { readOnly: true })
  try {
    const isWhole = (text: string) => readsWholeNetwork(handle, text)
    const own = 'select name from connections where member_id = :member_id'
    // Proves that this test detects such a statement, and only such a statement:
    assert.ok(isWhole(`${own} and title is null`))
    assert.ok(isWhole(`${own} and name like :part order by name_key limit 9`))
    assert.ok(!isWhole(`${own} and connection_id > :after`))
    assert.ok(!isWhole(`${own} order by connection_id limit 9`))
    const unmarked = [...texts].filter((text) => isWhole(text) !== text.includes(WHOLE_NETWORK))
    assert.deepEqual(unmarked, [], `a mark is missing or not needed: ${WHOLE_NETWORK}`)
  } finally {
    handle.close()
  }
})

/** Tables of which a member has few rows, because their features limit them. */
const SMALL_TABLES = new Set([
  'api_tokens',
  'column_mappings',
  'connection_exports',
  'custom_fields',
  'directory_entries',
  'jobs',
  'saved_views',
  'tag_cadences',
  'uploads',
])

/** Whether nothing but the member limits the rows that are read of a table that grows with the network. */
function readsWholeNetwork(handle: DatabaseSync, text: string): boolean {
  if (text.startsWith('with changed')) return false
  const rows = handle.prepare(`explain query plan ${compileForSqlite(text).text}`).all()
  return rows.some(({ detail }) => {
    const [, name = '', index] =
      /^SEARCH (\S+) USING (?:(?:COVERING )?INDEX (\S+)|PRIMARY KEY) \(member_id=\?\)$/.exec(
        String(detail),
      ) ?? []
    if (name === '' || SMALL_TABLES.has(tableOf(text, name))) return false
    return !isPartial(handle, index) && !FIRST_ROWS.test(text)
  })
}

/** The first rows in the order of the index, without other conditions. */
const FIRST_ROWS = /where (?:\w+\.)?member_id = :member_id\s+order by [\w., ]+ limit /

/** The table that has this name in the statement. */
function tableOf(text: string, name: string): string {
  return (
    new RegExp(`\\b(?:from|join|update)\\s+(\\w+)\\s+(?:as\\s+)?${name}\\b`, 'i').exec(text)?.[1] ??
    name
  )
}

/** Whether an index has only some rows, such as open follow-ups. */
function isPartial(handle: DatabaseSync, index: string | undefined): boolean {
  const found = handle.prepare('select sql from sqlite_master where name = ?').get(index ?? '')
  return / where /i.test(String(found?.['sql'] ?? ''))
}

interface Walk {
  readonly text: string
  readonly plan: string
}

/** Sample activity: a member joins, signs in, calls every tool, imports, and is found in the directory. */
async function live(database: Database): Promise<void> {
  await seedDemo(database, now)
  const member = await requireMemberByUsername(database, DEMO_MEMBER.username)
  const db = database.member(member.memberId)
  const token = { name: 'ci', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await db.write((tx) => mintApiToken(tx, token, now))
  await listApiTokens(db)
  const caller = await findTokenHolder(database, secret, now)
  assert.ok(caller)
  const log = createLog('silent')
  const quota = 1000
  const deps = { database, clock: { now: () => now }, log, publicUrl: 'https://x.org', quota }
  const embedder = openEmbedder(null)
  const tools = listTools({ ...deps, version: '1', embedder, wake: () => {} })
  for (const tool of tools)
    for (const input of INPUTS[tool.name] ?? TOOL_RULES[tool.name]?.calls(FIRST_IDS) ?? [])
      await runTool(
        { database, quota, log, inFlight: createInFlight(), charges: new ChargeQueue() },
        tool,
        { caller, now, signal: new AbortController().signal, requestId: 'r' },
        input,
      )
  await work(database)
  await searchDirectory(database, { q: 'demo' }, 'https://x.org')
  await searchDirectory(database, { q: 'engineering demo' }, 'https://x.org')
  await searchDirectory(database, {}, 'https://x.org')
  await listMembers(database, { limit: 10 })
  await listAdmins(database)
  await database.write((tx) => changeRole(tx, member.memberId, 'admin'))
  await database.write((tx) => requireAdmin(tx, member.memberId))
  await database.write((tx) => updateMember(tx, member.memberId, { headline: 'New' }, now))
  await sweepUploads(database, now)
  await sweep(database, now)
}

async function work(database: Database): Promise<void> {
  const member = await requireMemberByUsername(database, DEMO_MEMBER.username)
  const db = database.member(member.memberId)
  const [job] = await listJobs(db, { limit: 1 })
  assert.ok(job)
  await using worker = new JobWorker({
    database,
    jobs: listJobKinds({
      embedder: openEmbedder(null),
      calendars: { sealSecret: () => 'test', outgoing: new OutgoingPool() },
      publicUrl: 'http://weft.test',
    }),
    clock: { now: () => now },
    log: createLog('silent'),
  })
  await worker.runToEnd(member.memberId, job.job_id)
  const request = { worker: 'a:1:x', kinds: ['file_import'], busy: [], now }
  const hold = await claimNextJob(database, request)
  if (hold) await db.write((tx) => renewLease(tx, hold, { now, isWhole: true }))
  await db.write((tx) => requestCancel(tx, job.job_id, now))
}

const CSV =
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n' +
  'Grace,Hopper,https://www.linkedin.com/in/grace,g@example.org,US Navy,Admiral,12 Mar 2024\n'

/** Calls of tools with several statements; the others are called as in `TOOL_RULES`. */
const INPUTS: Readonly<Record<string, readonly object[]>> = {
  search_connections: [
    { query: 'a' },
    { query: 'head of energy', company: 'a', title: 'b', location: 'c', tag: 'friend' },
    { query: '', connected_after: '2020-01-01' },
    { sort: 'name' },
    { sort: 'recent' },
    { sort: 'added', tag: 'friend' },
    { sort: 'last_contact' },
    { sort: 'due' },
    { last_contact_before: '2026-03-01' },
    { due_by: '2026-12-01' },
    { changed_jobs_since: '2020-01-01' },
    { query: 'a', sort: 'name', changed_jobs_since: '2020-01-01' },
  ],
  get_briefing: [{}, { people: ['c_1'] }],
  get_network_summary: [
    {},
    { by: 'company' },
    { by: 'year' },
    { by: ['tag', 'title'] },
    { by: 'person' },
  ],
  get_connections: [{ people: ['c_1'] }, { where: { tag: 'friend' } }],
  add_connections: [
    { name: 'Ada', emails: ['ada@example.org'], tags: ['x'], note: 'y', follow_up: 'tomorrow' },
    { name: 'Ada', emails: ['ada@example.org'], phones: ['+49 30 1'] },
  ],
  update_connections: [
    { people: ['c_2'], title: 'z', tags: ['t'], emails: { remove: ['a@example.org'] } },
    { people: ['c_1', 'c_3'], tags: { add: ['x'], remove: ['friend'] } },
    { where: { tag: 'x' }, company: 'Y', note: 'n', follow_up: { due_on: '2026-12-01' } },
  ],
  save_note: [
    { people: ['c_1', 'c_2'], text: 'n' },
    { note_id: 'n_1', text: 'm' },
  ],
  list_timeline: [
    {},
    { people: 'c_1', until: '2026-12-31' },
    { people: ['c_1', 'c_2'], kinds: ['note', 'call'] },
    { kinds: ['email'] },
    { entry_id: 'n_1' },
    { people: 'Ada' },
    { people: 'ada@example.org' },
    { people: 'Adda Lovelace' },
  ],
  keep_in_touch: [
    { people: ['c_1'], every: 1 },
    { tag: 'friend', every: 2, unit: 'week' },
  ],
  log_interaction: [{ people: ['c_1', 'c_2'], kind: 'call', text: 't' }],
  save_follow_up: [
    { people: ['c_1'], text: 'f', due_on: '2026-12-01' },
    { follow_up_id: 'f_1', done: true },
  ],
  list_follow_ups: [{}, { status: 'done' }, { people: 'c_1', due_before: '2027-01-01' }],
  find_introductions: [{ target: 'energy' }],
  resolve_duplicates: [{ action: 'merge', keep_id: 'c_4', merge_ids: ['c_5'] }],
  delete_connections: [{ people: ['c_6'] }],
  restore_connections: [{ people: ['c_6'] }],
  update_profile: [{ headline: 'Newer' }],
  search_directory: [{ query: 'demo' }],
  undo: [{}],
  import_connections: [{ content: CSV }],
  get_jobs: [{ task_id: '7' }],
}

/** A scan of table rows without an index. Scans of json_each and virtual tables are normal. */
function explainSqlite(path: string, texts: ReadonlySet<string>): Walk[] {
  const handle = new DatabaseSync(path, { readOnly: true })
  try {
    return [...texts].flatMap((text) => {
      const compiled = compileForSqlite(text)
      if (text.startsWith('with changed')) return []
      const rows = handle.prepare(`explain query plan ${compiled.text}`).all() as {
        detail: string
      }[]
      const plan = rows.map(({ detail }) => detail)
      // The rows of a subquery are scanned, but not those of the tables that it reads.
      const isSubquery = (name: string) =>
        plan.includes(`CO-ROUTINE ${name}`) || plan.includes(`MATERIALIZE ${name}`)
      const walked = plan.some((line) => {
        const [, name] = /^SCAN (?!json_each|\(|\d|constant)(\S+)/i.exec(line) ?? []
        return name !== undefined && !isSubquery(name) && !/USING|VIRTUAL/.test(line)
      })
      return walked ? [{ text, plan: plan.join('\n') }] : []
    })
  } finally {
    handle.close()
  }
}

/** Test tables are small, so scans are disabled in the planner: any that remains has no usable index. */
async function explainPostgres(client: Client, texts: ReadonlySet<string>): Promise<Walk[]> {
  await client.query(`
    set enable_seqscan = off;
    set plan_cache_mode = force_generic_plan;
    set weft.member_id = '7'`)
  const walks: Walk[] = []
  for (const text of texts) {
    const { text: compiled, parameters } = compileForPostgres(text)
    await client.query(`prepare one as ${compiled}`)
    const values = parameters.length === 0 ? '' : `(${parameters.map(() => 'null').join(', ')})`
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute one${values}`)
    await client.query('deallocate one')
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    if (/Seq Scan/.test(plan)) walks.push({ text, plan })
  }
  return walks
}
