/** The check of all ledgers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from '../../test/support/store.ts'
import { databaseUnavailable } from '../db/unavailable.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { checkLedgers } from './ledger-check.ts'
import type { Database } from '../db/database.ts'

/** More than two pages. */
const MEMBERS = 1_001

const ADD_MEMBERS = statement(`
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MEMBERS})
  insert into members (member_id, username, name, joined_at, updated_at)
  select n, 'm' || n, 'M', 0, 0 from numbers`)

const ADD_ACCOUNT = memberStatement()(`
  insert into credit_accounts (member_id, period_start, quota, remaining, last_entry)
  values (:member_id, 0, 10, 9, 1)`)

async function createWorld() {
  const store = await createStore()
  await store.database.write((tx) => tx.run(ADD_MEMBERS, {}))
  // An account whose last entry is missing.
  for (const id of [1, 500, MEMBERS])
    await store.database.member(id).write((tx) => tx.run(ADD_ACCOUNT, {}))
  return store
}

test('the ledgers of all members are checked page by page, and progress is reported', async () => {
  await using store = await createWorld()
  const reports: number[] = []
  const { checked, wrong } = await checkLedgers(store.database, (members) => reports.push(members))
  assert.deepEqual([checked, wrong], [MEMBERS, ['m1', 'm500', `m${MEMBERS}`]])
  assert.deepEqual(reports, [500, 1_000, MEMBERS])
})

test('a short interruption of the database does not end the check, and a long one does', async () => {
  await using store = await createWorld()
  const failing = (failures: number): Pick<Database, 'member' | 'all'> => {
    let left = failures
    return {
      member: (id) => store.database.member(id),
      all: (query, params) =>
        left-- > 0
          ? Promise.reject(databaseUnavailable(undefined))
          : store.database.all(query, params),
    }
  }
  assert.equal((await checkLedgers(failing(3), () => {}, 1)).checked, MEMBERS)
  await assert.rejects(
    checkLedgers(failing(4), () => {}, 1),
    { code: 'unavailable' },
  )
})
