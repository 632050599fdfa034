import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from './fixtures/one-person.ts'
import { DEMO_MEMBER } from '../src/connections/demo/demo-member.ts'
import { readMigrations } from '../src/db/migrate.ts'
import { statement } from '../src/db/statement.ts'
import { requireMemberByUsername } from '../src/members/member.ts'
import { createWorld } from './fixtures/network.ts'
import { SHARED_TABLES } from './support/reused-databases.ts'
import { startTestService } from './support/service.ts'
import { createStore, TEST_ENGINE } from './support/store.ts'

const USERNAMES = statement<object, { username: string }>('select username from members')

/** Numbers of migrations and the version of the directory. */
const KEPT = ['schema_migrations', 'directory_version']

test('every table is emptied with its members, or by name', async () => {
  const schema = (await readMigrations(TEST_ENGINE)).map(({ sql }) => sql).join('\n')
  const tables = [...schema.matchAll(/^create (?:virtual )?table (\w+)\b(.*?)^\)/gims)]
  assert.ok(tables.length > 45)
  const emptied = new Set(['members', ...SHARED_TABLES, ...KEPT])
  const others = tables
    .filter(([, , columns = '']) => !isOwned(columns))
    .map(([, name = '']) => name)
  assert.deepEqual(
    others.filter((name) => !emptied.has(name)),
    [],
  )
})

/** Whether each row belongs to a member and is deleted with it. */
function isOwned(columns: string): boolean {
  return (
    /member_id +(?:integer|bigint) (?:not null|primary key)/.test(columns) &&
    /on delete cascade/i.test(columns)
  )
}

test('a database that is used again has no members of the test before', async () => {
  // A database that tests have used often is not used again, but the one after it is.
  const isUsedAgain = (await usesAgain()) || (await usesAgain())
  assert.ok(isUsedAgain)
})

async function usesAgain(): Promise<boolean> {
  const before = await createWorld()
  const member = await before.join()
  await member.ask(addConnectionTool, { name: 'Ada Lovelace' })
  await before[Symbol.asyncDispose]()
  await using store = await createStore()
  assert.deepEqual(await store.database.all(USERNAMES, {}), [])
  return store.address === before.address
}

test('two tests never share a store', async () => {
  await using one = await createStore()
  await using other = await createStore()
  assert.notEqual(one.address, other.address)
})

test(
  'a service has only the demo account, and a database whose demo account was changed is not used again',
  { skip: TEST_ENGINE === 'sqlite' && 'for PostgreSQL only: services on SQLite copy a file' },
  async () => {
    const one = await startTestService()
    await one.addMember()
    await one[Symbol.asyncDispose]()
    const other = await startTestService()
    assert.equal(other.address, one.address)
    assert.deepEqual(await other.database.all(USERNAMES, {}), [{ username: 'demo' }])
    const { memberId } = await requireMemberByUsername(other.database, DEMO_MEMBER.username)
    await other.database.write((tx) => tx.run(DISABLE, { member_id: memberId }))
    await other[Symbol.asyncDispose]()
    await using third = await startTestService()
    assert.notEqual(third.address, other.address)
  },
)

const DISABLE = statement<{ member_id: number }>(
  'update members set disabled_at = 1 where member_id = :member_id',
)
