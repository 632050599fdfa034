import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSeparateStore, createStore, TEST_ENGINE } from '../../test/support/store.ts'
import { compileForPostgres, compileForSqlite, memberStatement, statement } from './statement.ts'

const ADD_MEMBER = statement<{ id: number; username: string }>(
  'insert into members (member_id, username, name, joined_at, updated_at) values (:id, :username, :username, 0, 0)',
)
const USERNAMES = statement<object, { username: string }>(
  'select username from members order by username',
)
const ADD_NETWORK = memberStatement()('insert into networks (member_id) values (:member_id)')
const COUNT = memberStatement<object, { last_note: number }>()(
  'select last_note from networks where member_id = :member_id',
)
const INCREASE = memberStatement()(
  'update networks set last_note = last_note + 1 where member_id = :member_id',
)

test('named parameters are bound in order, literals and casts are unchanged, and lists become rows', () => {
  const compiled = compileForSqlite(
    "select ':not' , x::text from t where a = :a and b in (:ids...bigint) and c = :a",
  )
  assert.equal(
    compiled.text,
    "select ':not' , x::text from t where a = ? and b in (select value from json_each(?)) and c = ?",
  )
  assert.deepEqual(
    compiled.parameters.map(({ name }) => name),
    ['a', 'ids', 'a'],
  )
  const numbered = compileForPostgres(
    "select ':not' , x::text from t where a = :a and b in (:ids...bigint) and c = :a",
  )
  assert.equal(
    numbered.text,
    "select ':not' , x::text from t where a = $1 and b in (select unnest($2::bigint[])) and c = $1",
  )
  assert.deepEqual(
    numbered.parameters.map(({ name }) => name),
    ['a', 'ids'],
  )
})

test('each finds every key of a list, and the other columns of the key', () => {
  const text =
    'select n.text from notes n each (kind = :kind and note_id = :ids...bigint) where n.member_id = :member_id'
  assert.equal(
    compileForSqlite(text).text,
    'select n.text from (select value from json_each(?)) wanted ' +
      'cross join notes n on kind = ? and n.note_id = wanted.value where n.member_id = ?',
  )
  assert.equal(
    compileForPostgres(text).text.replace(/\s+/g, ' '),
    'select n.text from (select unnest($1::bigint[])) wanted (value) cross join lateral ( ' +
      'select * from notes n where n.member_id = $2 and kind = $3 and n.note_id = wanted.value offset 0) n ' +
      'where n.member_id = $2',
  )
})

test('newest finds the rows with the highest numbers of each key', async () => {
  await using store = await createStore()
  const { database } = store
  await database.write((tx) => tx.run(ADD_MEMBER, { id: 7, username: 'member-7' }))
  const note = (id: number, connectionId: number, deletedAt: number | null = null) =>
    [id, connectionId, `note ${id}`, 'typed', 1, 1, deletedAt] as const
  await database.member(7).write((tx) =>
    tx.insertMany({
      table: 'notes',
      columns: [
        'note_id',
        'connection_id',
        'text',
        'origin',
        'created_at',
        'updated_at',
        'deleted_at',
      ],
      rows: [note(1, 1), note(2, 1), note(3, 2), note(4, 1), note(5, 1, 9), note(6, 2), note(7, 3)],
    }),
  )
  const newest = memberStatement<
    { ids: readonly number[]; limit: number },
    { note_id: number; text: string }
  >()(`
    select n.note_id, n.text from notes n newest (connection_id = :ids...bigint by note_id limit :limit)
    where n.member_id = :member_id order by n.note_id`)
  const read = async (ids: readonly number[], limit: number) =>
    (await database.member(7).all(newest, { ids, limit })).map(({ note_id }) => note_id)
  assert.deepEqual(await read([1, 2], 2), [2, 3, 4, 6])
  assert.deepEqual(await read([1], 1), [4])
  assert.deepEqual(await read([1, 3, 9], 10), [1, 2, 4, 7])
})

test('many rows of one member are updated and deleted without affecting others', async () => {
  await using store = await createStore()
  const { database } = store
  const tags = memberStatement<
    { ids: readonly number[] },
    { connection_id: number; tag: string }
  >()(`
    select t.connection_id, t.tag from connection_tags t each (connection_id = :ids...bigint)
    where t.member_id = :member_id order by t.connection_id`)
  for (const id of [7, 8])
    await database.write(async (tx) => {
      await tx.run(ADD_MEMBER, { id, username: `member-${id}` })
      await tx.member(id).insertMany({
        table: 'connection_tags',
        columns: ['tag_key', 'connection_id', 'tag'],
        rows: [1, 2, 3].map((connectionId) => ['a', connectionId, 'A']),
      })
    })
  const [ada, grace] = [database.member(7), database.member(8)]
  const [table, key] = ['connection_tags', ['tag_key', 'connection_id']]
  await ada.write(async (tx) => {
    await tx.updateMany({
      table,
      key,
      columns: ['tag'],
      rows: [
        ['a', 1, 'á'],
        ['a', 3, 'Å'],
        ['a', 9, 'x'],
      ],
    })
    await tx.updateMany({ table, key, columns: ['tag'], rows: [] })
    await tx.deleteMany({
      table,
      key,
      rows: [
        ['a', 2],
        ['b', 3],
      ],
    })
    await tx.deleteMany({ table, key, rows: [] })
  })
  assert.deepEqual(
    (await ada.all(tags, { ids: [3, 2, 1, 9] })).map(({ connection_id, tag }) => [
      connection_id,
      tag,
    ]),
    [
      [1, 'á'],
      [3, 'Å'],
    ],
  )
  assert.equal(
    (await grace.all(tags, { ids: [1, 2, 3] })).filter(({ tag }) => tag === 'A').length,
    3,
  )
})

test('any text is stored as it is by a statement for many rows, and so are numbers, bytes and null', async () => {
  await using store = await createStore()
  const { database } = store
  const texts = [
    '',
    ' ',
    'null',
    'NULL',
    '{a,b}',
    '"',
    '\\',
    '\\"',
    "it's",
    'a\nb\t',
    'é 中 🎉',
    '\\x41',
  ]
  const notes = memberStatement<object, { text: string; happened_on: string | null }>()(
    'select text, happened_on from notes where member_id = :member_id order by note_id',
  )
  await database.write((tx) => tx.run(ADD_MEMBER, { id: 1, username: 'ada' }))
  const member = database.member(1)
  const days = texts.map((_, index) => (index % 2 === 0 ? null : '2026-01-01'))
  await member.write((tx) =>
    tx.insertMany({
      table: 'notes',
      columns: [
        'note_id',
        'connection_id',
        'text',
        'happened_on',
        'origin',
        'created_at',
        'updated_at',
      ],
      rows: texts.map((text, index) => [index + 1, -1, text, days[index] ?? null, 'typed', 0, 0]),
    }),
  )
  assert.deepEqual(
    (await member.all(notes, {})).map(({ text, happened_on }) => ({ text, happened_on })),
    texts.map((text, index) => ({ text, happened_on: days[index] })),
  )
})

test('rows with large values are the same bytes on every engine, in and outside a transaction', async () => {
  await using store = await createStore()
  const { database } = store
  await database.write((tx) => tx.run(ADD_MEMBER, { id: 1, username: 'ada' }))
  const member = database.member(1)
  const everyByte = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256)
  const values = [everyByte, new Uint8Array(), everyByte.subarray(0, 1)]
  await member.write((tx) =>
    tx.insertMany({
      table: 'search_snapshots',
      columns: ['part', 'parts', 'version', 'data'],
      rows: values.map((data, part) => [part, 3, 2 ** 40 + part, Buffer.from(data)]),
    }),
  )
  const read = (from: number) => member.all(PARTS, { from })
  const rowOf = (part: number) => ({ part, version: 2 ** 40 + part, data: values[part] })
  const all = [rowOf(0), rowOf(1), rowOf(2)]
  assert.deepEqual((await read(0)).map(plainRow), all)
  assert.deepEqual(
    (await Promise.all([read(1), read(9), read(2)])).map((rows) => rows.length),
    [2, 0, 1],
  )
  await member.write(async (tx) =>
    assert.deepEqual((await tx.all(PARTS, { from: 0 })).map(plainRow), all),
  )
})

const PARTS = memberStatement<
  { from: number },
  { part: number; version: number; data: Uint8Array }
>()(
  'select part, version, data from search_snapshots where member_id = :member_id and part >= :from order by part',
)

/** Without the prototypes of engines. */
function plainRow({ data, ...row }: { part: number; version: number; data: Uint8Array }) {
  return { ...row, data: new Uint8Array(data) }
}

test('a transaction that throws is rolled back without affecting those that share its commit', async () => {
  await using store = await createStore()
  const { database } = store
  const outcomes = await Promise.allSettled(
    ['ada', 'broken', 'grace'].map((username, id) =>
      database.write(async (tx) => {
        await tx.run(ADD_MEMBER, { id: id + 1, username })
        if (username === 'broken') throw new Error('changed my mind')
        return username
      }),
    ),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(
    (await database.all(USERNAMES, {})).map(({ username }) => username),
    ['ada', 'grace'],
  )
})

for (const outcome of ['commits', 'rolls back'] as const)
  test(`after a transaction ${outcome}, its handle rejects every statement`, async () => {
    await using store = await createStore()
    const { database } = store
    await database.write((tx) => tx.run(ADD_MEMBER, { id: 1, username: 'ada' }))
    const late: (() => Promise<unknown>)[] = []
    const written = database.member(1).write(async (tx) => {
      const other = { table: 'networks', columns: ['last_note'], rows: [[1]] }
      late.push(
        () => tx.run(ADD_NETWORK, {}),
        () => tx.get(COUNT, {}),
        () => tx.insertMany(other),
        () => tx.insertMany({ ...other, rows: [] }),
        () => tx.shared.run(ADD_MEMBER, { id: 2, username: 'grace' }),
        () => tx.shared.all(USERNAMES, {}),
      )
      if (outcome === 'rolls back') throw new Error('changed my mind')
    })
    assert.equal(
      (await Promise.allSettled([written]))[0]?.status === 'fulfilled',
      outcome === 'commits',
    )
    // Within another transaction, they would become a part of it.
    await database.write(async () => {
      for (const run of late) await assert.rejects(run(), /transaction has ended/)
    })
    for (const run of late) await assert.rejects(run(), /transaction has ended/)
    assert.equal((await database.all(USERNAMES, {})).length, 1)
    assert.equal(await database.member(1).get(COUNT, {}), undefined)
  })

test('a read during an open transaction sees only committed data', async () => {
  await using store = await createStore()
  const { database } = store
  await database.write(async (tx) => {
    await tx.run(ADD_MEMBER, { id: 1, username: 'ada' })
    assert.equal((await database.all(USERNAMES, {})).length, 0)
    assert.equal((await tx.all(USERNAMES, {})).length, 1)
  })
  assert.equal((await database.all(USERNAMES, {})).length, 1)
  assert.equal((await database.heavy.all(USERNAMES, {})).length, 1)
})

test('identical reads of one turn share one, until the turn ends or a transaction commits', async () => {
  await using store = await createStore()
  const { database } = store
  let reads = 0
  const read = (key: string) => database.shareRead(key, async () => (reads += 1))
  assert.deepEqual(await Promise.all([read('a'), read('b'), read('a')]), [1, 2, 1])
  await nextTurn()
  assert.equal(await read('a'), 3)
  // Starts right before the commit, so that the turn does not end in between.
  setImmediate(() => void read('a'))
  await database.write((tx) => tx.run(ADD_MEMBER, { id: 7, username: 'ada' }))
  assert.equal(await read('a'), 5)
})

test('concurrent small and bulk increments are each counted once', async () => {
  await using store = await createStore()
  const { database } = store
  await database.write(async (tx) => {
    await tx.run(ADD_MEMBER, { id: 7, username: 'ada' })
    await tx.member(7).run(ADD_NETWORK, {})
  })
  const member = database.member(7)
  await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      member.write((tx) => tx.run(INCREASE, {}), { bulk: index % 5 === 0 }),
    ),
  )
  assert.equal((await member.get(COUNT, {}))?.last_note, 500)
  assert.equal(await database.member(8).get(COUNT, {}), undefined)
})

test(
  'transactions that lock the same rows in opposite orders are both made',
  { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' },
  async () => {
    await using store = await createStore()
    const { database } = store
    for (const id of [1, 2])
      await database.write((tx) => tx.run(ADD_MEMBER, { id, username: `member-${id}` }))
    const both = Promise.withResolvers<void>()
    let attempts = 0
    const raise = (first: number, second: number) =>
      database.write(async (tx) => {
        await tx.run(RAISE, { id: first })
        attempts += 1
        if (attempts === 2) both.resolve()
        await both.promise
        await tx.run(RAISE, { id: second })
      })
    await Promise.all([raise(1, 2), raise(2, 1)])
    assert.ok(attempts > 2, 'PostgreSQL rolled at least one of them back')
    assert.deepEqual(
      (await database.all(VERSIONS, {})).map(({ version }) => version),
      [3, 3],
    )
  },
)

const RAISE = statement<{ id: number }>(
  'update members set version = version + 1 where member_id = :id',
)
const VERSIONS = statement<object, { version: number }>('select version from members')

const onSqlite = { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' }

test(
  'a write waits for another process that holds the file, without blocking reads',
  onSqlite,
  async () => {
    await using store = await createSeparateStore()
    const other = new DatabaseSync(join(store.folder, 'weft.db'))
    other.exec('begin immediate')
    const written = store.database.write((tx) => tx.run(ADD_MEMBER, { id: 1, username: 'ada' }))
    assert.deepEqual(await store.database.all(USERNAMES, {}), [])
    await new Promise((resolve) => setTimeout(resolve, 30))
    other.exec('commit')
    assert.equal(await written, 1)
    other.close()
  },
)

test('a missing parameter throws an error that names it, in the caller’s thread', async () => {
  await using store = await createStore()
  const wrong = statement<object, object>('select :missing as x')
  await assert.rejects(store.database.heavy.all(wrong, {}), /:missing is missing/)
})

test('bulk work rejects as its first statement for many rows that failed, and leaves nothing', async () => {
  await using store = await createStore()
  await store.database.write((tx) => tx.run(ADD_MEMBER, { id: 1, username: 'ada' }))
  const ada = store.database.member(1)
  const tag = (id: number | null) => ({
    table: 'connection_tags',
    columns: ['tag_key', 'connection_id', 'tag'],
    rows: [['a', id, 'A']],
  })
  const TAGS = memberStatement<object, { connection_id: number }>()(
    'select connection_id from connection_tags where member_id = :member_id order by connection_id',
  )
  const written = ada.write(
    async (tx) => {
      await tx.insertMany(tag(1))
      await tx.insertMany(tag(null))
      for (let id = 2; id < 20; id += 1) await tx.insertMany(tag(id))
      await tx.all(TAGS, {})
    },
    { bulk: true },
  )
  await assert.rejects(written, /null/i)
  assert.deepEqual(await ada.all(TAGS, {}), [])
  const unread = ada.write((tx) => tx.insertMany(tag(null)), { bulk: true })
  await assert.rejects(unread, /null/i)
  await ada.write(
    async (tx) => {
      for (let id = 1; id <= 20; id += 1) await tx.insertMany(tag(id))
      assert.equal((await tx.all(TAGS, {})).length, 20)
    },
    { bulk: true },
  )
  assert.equal((await ada.all(TAGS, {})).length, 20)
})
