/** The head of the directory on PostgreSQL: its size, completeness, and index keys. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withClient } from '../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, type SeparateStore } from '../../test/support/store.ts'
import { resizeDirectoryHead } from './engines/postgres/directory-head.ts'
import { statement } from './statement.ts'
import type { Client } from 'pg'

const postgres = {
  skip: TEST_ENGINE === 'postgres' ? false : 'for PostgreSQL only: SQLite has no head',
}

/** Entries at the positions 10, 20, …; `from` and `to` count them. */
async function addEntries(client: Client, from: number, to: number): Promise<void> {
  await client.query(
    `insert into members (member_id, username, name, joined_at, updated_at)
     select i, 'u' || i, 'N', 0, 0 from generate_series($1::int, $2) i`,
    [from, to],
  )
  await client.query(
    `insert into directory_entries (position, member_id, username, name_key, terms)
     select i * 10, i, 'u' || i, 'n', array_to_tsvector(array['word'])
     from generate_series($1::int, $2) i`,
    [from, to],
  )
}

interface Head {
  readonly end: number
  readonly entries: number
  /** The entries of the directory up to the end of the head. */
  readonly expected: number
}

async function readHead({ address }: SeparateStore): Promise<Head> {
  const { rows } = await withClient(address, (client) =>
    client.query<Head>(`
      select e.position::float8 as end,
        (select count(*) from directory_head h where h.position <= e.position)::int as entries,
        (select count(*) from directory_entries d where d.position <= e.position)::int as expected
      from directory_head_end e`),
  )
  assert.ok(rows[0])
  return rows[0]
}

async function resize({ database }: SeparateStore, min: number, max: number): Promise<number> {
  let resized = 0
  for (;;) {
    const some = await database.write((tx) => resizeDirectoryHead(tx, { min, max }))
    if (some === 0) return resized
    resized += some
  }
}

test(
  'the head contains a small directory entirely and follows additions and removals',
  postgres,
  async () => {
    await using store = await createSeparateStore()
    await withClient(store.address, async (client) => {
      await addEntries(client, 1, 30)
      await client.query('delete from directory_entries where member_id % 3 = 0')
    })
    assert.equal(await resize(store, 10, 40), 0)
    const { entries, expected } = await readHead(store)
    assert.deepEqual([entries, expected], [20, 20])
  },
)

test('a head that is too large shrinks, and later entries stay out', postgres, async () => {
  await using store = await createSeparateStore()
  await withClient(store.address, (client) => addEntries(client, 1, 2_600))
  assert.equal(await resize(store, 10, 100), 2_500)
  await withClient(store.address, (client) => addEntries(client, 2_601, 2_610))
  assert.deepEqual(await readHead(store), { end: 1_000, entries: 100, expected: 100 })
  const kept = await withClient(store.address, (client) =>
    client.query('select from directory_head'),
  )
  assert.equal(kept.rowCount, 100)
})

test('a head that is too small grows in steps, up to the whole directory', postgres, async () => {
  await using store = await createSeparateStore()
  await withClient(store.address, async (client) => {
    await client.query('update directory_head_end set position = -1')
    await addEntries(client, 1, 2_600)
  })
  assert.equal(await resize(store, 1_500, 9_000), 1_500)
  assert.deepEqual(await readHead(store), { end: 15_000, entries: 1_500, expected: 1_500 })
  assert.equal(await resize(store, 9_000, 9_900), 1_100)
  assert.deepEqual(await readHead(store), {
    end: Number.MAX_SAFE_INTEGER,
    entries: 2_600,
    expected: 2_600,
  })
})

test('the head includes an entry that is committed while the head grows', postgres, async () => {
  await using store = await createSeparateStore()
  await withClient(store.address, async (client) => {
    await client.query('update directory_head_end set position = -1')
    await addEntries(client, 2, 9)
    await client.query('begin')
    await addEntries(client, 1, 1)
    const growing = resize(store, 100, 200)
    await untilWaiting(store)
    await client.query('commit')
    await growing
  })
  const { entries, expected } = await readHead(store)
  assert.deepEqual([entries, expected], [9, 9])
})

test('the keys of a text with very many words fit into a tsvector', postgres, async () => {
  await using store = await createSeparateStore()
  const words = Array.from({ length: 100_000 }, (_, index) => `w${(index + 100_000).toString(36)}x`)
  await store.database.write(async (tx) => {
    await tx.run(ADD_MEMBER, {})
    const person = { memberId: 1, rank: 1, username: 'wordy', name: 'Wordy' }
    await tx.fullText.indexMember(tx, { ...person, text: words.join(' ') })
  })
  const row = await store.database.get(KEY_BYTES, {})
  // A tsvector has 20 bits for the position of a word; PostgreSQL does not check it in array_to_tsvector.
  assert.ok(row && row.bytes > 2 ** 18 && row.bytes < 2 ** 20, `${row?.bytes} bytes`)
})

const ADD_MEMBER = statement(
  "insert into members (member_id, username, name, joined_at, updated_at) values (1, 'wordy', 'Wordy', 0, 0)",
)
const KEY_BYTES = statement<object, { bytes: number }>(`
  select sum(octet_length(key)) as bytes
  from directory_entries cross join unnest(tsvector_to_array(directory_keys(terms))) key`)

/**
 * Waits until a session waits for a lock. Uses a separate connection, because a transaction does not see changes of
 * other sessions.
 */
async function untilWaiting({ address }: SeparateStore): Promise<void> {
  await withClient(address, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ waiting: boolean }>(
        `select exists (select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock') as waiting`,
      )
      if (rows[0]?.waiting === true) return
    }
  })
}
