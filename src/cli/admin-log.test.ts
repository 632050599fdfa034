/** Every act is tried: what changes a row has an entry in the audit log, and what only reads has none. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createHome, type Home } from '../../test/support/command-line.ts'
import { runWeft } from '../../test/support/in-process.ts'
import { TEST_ENGINE } from '../../test/support/store.ts'
import { allActs, loggedLabels } from '../acts/catalog.ts'
import { openDatabase } from '../db/engines/open.ts'
import { statement } from '../db/statement.ts'
import { systemClock } from '../base/clock.ts'
import { readConfig } from '../config/config.ts'
import { listLinks } from '../access/one-time-link.ts'
import { insertRow } from '../db/insert-row.ts'
import { listDeliveries, recordAttempt } from '../deliveries/delivery-store.ts'
import { findMemberByUsername } from '../members/member.ts'
import { listEmails, queueEmail } from '../outbox/outbox.ts'
import { readAdminLog } from '../members/admin-log.ts'
import type { Database } from '../db/database.ts'

const CREATE = 'webhook create --causes follow_up.due,export.finished --member bob'

/** A command for each act, in an order in which they succeed, and what standard input gets. */
const EXAMPLES: readonly (readonly [command: string, input?: string])[] = [
  ['member create --username ada --name Ada --admin'],
  ['member create --username bob --name Bob --email bob@example.org'],
  ['member list'],
  ['member show bob'],
  ['member promote bob'],
  ['member demote bob'],
  ['member disable bob'],
  ['member enable bob'],
  ['member reset-link bob'],
  ['member set-password bob --revoke-access', 'difference engine no. 2\n'],
  ['member sign-out bob'],
  ['credits show bob'],
  ['credits adjust bob --by 5 --reason trial'],
  ['token create --member bob --name laptop --agent Cleo'],
  ['token list --member bob'],
  ['token revoke laptop --member bob'],
  ['device create --member bob --name phone --read-only'],
  ['device list --member bob'],
  ['device confirm phone --member bob'],
  ['device revoke phone --member bob'],
  ['invite create --note Cleo'],
  ['invite list'],
  ['invite revoke INVITATION'],
  ['attempts --member bob'],
  ['calendar list --member bob'],
  ['address-book list --member bob'],
  [CREATE, 'https://hooks.example.org/secret-path\n'],
  ['webhook list --member bob'],
  ['webhook test 1 --member bob'],
  ['webhook log 1 --member bob'],
  ['webhook redeliver 1 DELIVERY --member bob'],
  ['webhook rotate 1 --member bob'],
  ['webhook revoke 1 --member bob'],
  ['jobs list'],
  ['jobs cancel 71'],
  ['jobs retry 71'],
  ['email list'],
  ['email retry EMAIL'],
  ['demo seed'],
  ['reviewer'],
  ['member export bob --to FOLDER/bob.zip'],
  ['member delete bob --yes'],
]

/** These need another server; their own tests have them. */
const ELSEWHERE = new Set([
  'address-book add',
  'address-book pull',
  'address-book remove',
  'calendar add',
  'calendar sync',
  'calendar remove',
  'email test',
])

test('an act that changes anything has one entry in the audit log, and others have none', async () => {
  await using world = await createWorld()
  const labels = await loggedLabels()
  const acts = await allActs()
  const named = (command: string) => acts.find(({ name }) => `${command} `.startsWith(`${name} `))
  const missing = acts
    .filter((act) => !ELSEWHERE.has(act.name))
    .filter((act) => EXAMPLES.every(([command]) => named(command) !== act))
  assert.deepEqual(missing, [], 'acts without an example')
  for (const [command, input] of EXAMPLES) {
    const filled = await world.fill(command)
    const before = await world.state()
    await world.run(filled, 0, input)
    const after = await world.state()
    const entries = after.actions.slice(before.actions.length)
    const act = named(command)
    assert.deepEqual(entries, act && 'action' in act ? [act.action] : [], command)
    assert.ok(entries.every((action) => labels.has(action)))
    if (entries.length === 0) assert.equal(after.rows, before.rows, command)
  }
})

test('acts that fail have no entry', async () => {
  await using world = await createWorld()
  await world.run('member create --username ada --name Ada --admin')
  const { actions } = await world.state()
  await world.run('member demote ada', 1)
  await world.run('member delete ada', 1)
  await world.run('credits adjust ada --by -9999 --reason trial', 1)
  await world.run('token revoke laptop --member ada', 1)
  await world.run('device revoke laptop --member ada', 1)
  await world.run('webhook revoke 7 --member ada', 1)
  await world.run('webhook create --member ada', 1, 'http://localhost/hook')
  await world.run('webhook create --causes nothing --member ada', 2, 'https://example.org/hook')
  await world.run('invite revoke abc', 1)
  await world.run('jobs retry 7', 1)
  assert.deepEqual((await world.state()).actions, actions)
})

test('an entry has the member, and what was changed', async () => {
  await using world = await createWorld()
  for (const [command, input] of EXAMPLES.slice(0, 16)) await world.run(command, 0, input)
  const { entries } = await world.state()
  assert.deepEqual(entries.slice(0, 1), [[null, 'create', 'ada', null]])
  assert.deepEqual(entries.slice(-3), [
    [null, 'adjust_credits', 'bob', '+5: trial'],
    [null, 'create_token', 'bob', 'laptop'],
    [null, 'revoke_token', 'bob', 'laptop'],
  ])
})

async function createWorld() {
  const home = await createHome({
    WEFT_PUBLIC_URL: 'http://localhost:9',
    WEFT_SECRET_KEY: 'k'.repeat(32),
  })
  const { database } = await openDatabase(readConfig(home.environment).database, {
    clock: systemClock,
    searchThreads: 1,
  })
  return {
    fill: (command: string) => filledIn(command, database, home),
    async run(command: string, code = 0, input = '') {
      const words = command.split(' ')
      const ran = await runWeft(home.environment, words, input)
      assert.equal(ran.code, code, `${command}: ${ran.stderr}`)
    },
    async state() {
      const { entries } = await readAdminLog(database, { cursor: undefined, limit: 100 })
      const texts = entries.map(({ admin, action, member, reason }) => [
        admin,
        action,
        member,
        reason,
      ])
      return {
        entries: texts.toReversed(),
        actions: entries.map(({ action }) => action).toReversed(),
        rows: rowsOf(home),
      }
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}

/** Replaces what only the database knows, and adds what a command needs. */
async function filledIn(command: string, database: Database, home: Home): Promise<string> {
  const now = systemClock.now()
  const bob = (await findMemberByUsername(database, 'bob'))?.memberId ?? 0
  const db = database.member(bob)
  if (command.startsWith('jobs cancel 71'))
    await db.write((tx) =>
      insertRow(tx, 'jobs', {
        job_id: 71,
        kind: 'export_data',
        state: 'queued',
        input: '{}',
        created_at: now,
      }),
    )
  if (command.startsWith('email retry'))
    await database.write(async (tx) => {
      await queueEmail(tx, { kind: 'invitation', recipient: 'a@example.org', details: {} }, now)
      await tx.run(FAIL_EMAILS, { now })
    })
  const [email] = await listEmails(database, { state: 'failed', limit: 1 })
  const [link] = await listLinks(database, 'invite', now)
  const [delivery] = bob === 0 ? [] : await listDeliveries(db, 1, 1)
  if (command.includes('DELIVERY'))
    await db.write((tx) =>
      recordAttempt(
        tx,
        delivery?.deliveryId ?? '',
        { state: 'sent', status: 200, error: null },
        now,
      ),
    )
  return command
    .replace('FOLDER', home.folder)
    .replace('INVITATION', link?.linkId ?? '')
    .replace('EMAIL', email?.emailId ?? '')
    .replace('DELIVERY', delivery?.deliveryId ?? '')
}

const FAIL_EMAILS = statement<{ now: number }>(
  "update emails set state = 'failed', ended_at = :now",
)

/** All rows except the audit log. On PostgreSQL only entries are compared. */
function rowsOf(home: Home): string {
  if (TEST_ENGINE !== 'sqlite') return ''
  using database = new DatabaseSync(home.address.replace('sqlite:', ''), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== 'admin_log')
  return JSON.stringify(
    names.map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
}
