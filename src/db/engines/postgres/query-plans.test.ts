import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withClient } from '../../../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, TEST_NOW } from '../../../../test/support/store.ts'
import { createMember } from '../../../members/member.ts'
import { memberStatement } from '../../statement.ts'
import { databaseTimeouts } from '../../timeouts.ts'
import { openPostgresReaders } from './readers.ts'
import type { MemberReader } from '../../database.ts'

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }

const PEOPLE = `
  insert into connections (member_id, connection_id, name, name_key, source, created_at, updated_at)
  select $1, number, 'Ann ' || number, 'ann ' || number, 'manual', 0, 0 from generate_series(1, 10000) number`

/** Each has an index in its order. */
const PAGES = {
  'by ID': memberStatement<object, { 'QUERY PLAN': string }>()(`
    explain (costs off) select connection_id, name from connections
    where member_id = :member_id and connection_id > 500 and deleted_at is null
    order by connection_id limit 1000`),
  'by name': memberStatement<object, { 'QUERY PLAN': string }>()(`
    explain (costs off) select connection_id, name from connections
    where member_id = :member_id and (name_key, connection_id) > ('ann 5', 0) and deleted_at is null
    order by name_key, connection_id limit 1000`),
} as const

async function assertNotSorted(reader: MemberReader): Promise<void> {
  for (const [order, page] of Object.entries(PAGES)) {
    const plan = (await reader.all(page, {})).map((row) => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Sort/, `${order}:\n${plan}`)
  }
}

test('a page of a table that was just filled reads only its own rows', POSTGRES, async () => {
  await using store = await createSeparateStore()
  const { database, address } = store
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada' }, TEST_NOW),
  )
  await withClient(address, async (client) => {
    await client.query('alter table connections set (autovacuum_enabled = false)')
    await client.query(`set weft.member_id = ${memberId}`)
    await client.query(PEOPLE, [memberId])
  })
  await assertNotSorted(database.member(memberId))
  await assertNotSorted(openPostgresReaders({ url: address }, databaseTimeouts()).member(memberId))
})
