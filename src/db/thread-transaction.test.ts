import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import workerThreads, { Worker } from 'node:worker_threads'
import {
  createSeparateStore,
  createStore,
  TEST_ENGINE,
  type TestStore,
} from '../../test/support/store.ts'
import { memberStatement, recordedChange, statement } from './statement.ts'
import type { MemberDatabase, MemberTransaction } from './database.ts'

const IN_THREAD = { bulk: true, inThread: true } as const

const ADD_MEMBER = statement<{ id: number }>(
  `insert into members (member_id, username, name, joined_at, updated_at) values (:id, 'ada', 'Ada', 0, 0)`,
)
const ADD_NETWORK = memberStatement()('insert into networks (member_id) values (:member_id)')
const COUNT_NOTE = memberStatement()(
  'update networks set last_note = last_note + 1 where member_id = :member_id',
)
const LAST_NOTE = memberStatement<object, { last_note: number }>()(
  'select last_note from networks where member_id = :member_id',
)
const TAGS = memberStatement<object, { connection_id: number; tag: string }>()(
  'select connection_id, tag from connection_tags where member_id = :member_id order by connection_id',
)

const TABLE = 'connection_tags'
const KEY = ['tag_key', 'connection_id'] as const

function addTags(tx: MemberTransaction, ids: readonly number[], tag = 'A'): Promise<void> {
  const rows = ids.map((id) => ['a', id, tag])
  return tx.insertMany({ table: TABLE, columns: [...KEY, 'tag'], rows })
}

async function tagsOf(member: MemberDatabase): Promise<string[]> {
  return (await member.all(TAGS, {})).map(({ connection_id, tag }) => `${connection_id} ${tag}`)
}

async function openMember(
  open: () => Promise<TestStore> = createStore,
): Promise<{ store: TestStore; member: MemberDatabase }> {
  const store = await open()
  await store.database.write(async (tx) => {
    await tx.run(ADD_MEMBER, { id: 1 })
    await tx.member(1).run(ADD_NETWORK, {})
  })
  return { store, member: store.database.member(1) }
}

test('a transaction in a thread reads what it has written; others see it after the commit', async () => {
  const { store, member } = await openMember()
  await using _store = store
  const found = await member.write(async (tx) => {
    await addTags(tx, [1, 2, 3])
    await tx.updateMany({ table: TABLE, key: KEY, columns: ['tag'], rows: [['a', 2, 'B']] })
    await tx.deleteMany({ table: TABLE, key: KEY, rows: [['a', 3]] })
    await tx.run(COUNT_NOTE, {})
    const inside = await tx.all(TAGS, {})
    assert.deepEqual(await tx.outside?.all(TAGS, {}), [])
    assert.deepEqual(await tagsOf(member), [])
    return { tags: inside.length, note: (await tx.get(LAST_NOTE, {}))?.last_note }
  }, IN_THREAD)
  assert.deepEqual(found, { tags: 2, note: 1 })
  assert.deepEqual(await tagsOf(member), ['1 A', '2 B'])
})

test('a transaction in a thread that fails leaves nothing, and the next one succeeds', async () => {
  const { store, member } = await openMember()
  await using _store = store
  const fail = member.write(async (tx) => {
    await addTags(tx, [1])
    throw new Error('stopped')
  }, IN_THREAD)
  await assert.rejects(fail, /stopped/)
  // No one waits for the second insert, which breaks the primary key.
  const repeat = member.write(async (tx) => {
    await addTags(tx, [1])
    await addTags(tx, [1])
  }, IN_THREAD)
  await assert.rejects(repeat)
  assert.deepEqual(await tagsOf(member), [])
  await member.write((tx) => addTags(tx, [1]), IN_THREAD)
  await member.write((tx) => addTags(tx, [2]))
  assert.deepEqual(await tagsOf(member), ['1 A', '2 A'])
})

test('a transaction in a thread takes no statements after its end', async () => {
  const { store, member } = await openMember()
  await using _store = store
  const late = await member.write(async (tx) => ({ tx }), IN_THREAD)
  await assert.rejects(addTags(late.tx, [1]), /ended/)
  assert.deepEqual(await tagsOf(member), [])
})

test('transactions in a thread and others are serialized', async () => {
  const { store, member } = await openMember()
  await using _store = store
  const change = recordedChange<{ tag: string }, { last_note: number }>()(
    'update networks set last_note = last_note + 1 where member_id = :member_id returning last_note',
    `insert into connection_tags (member_id, tag_key, connection_id, tag)
     select :member_id, 'a', last_note, :tag from changed`,
  )
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      member.write((tx) => tx.change(change, { tag: `${nth}` }), nth % 2 === 0 ? IN_THREAD : {}),
    ),
  )
  assert.equal((await member.get(LAST_NOTE, {}))?.last_note, 20)
  assert.equal((await tagsOf(member)).length, 20)
})

const SQLITE_ONLY = { skip: TEST_ENGINE === 'postgres' && 'PostgreSQL needs no thread' }

test(
  'a transaction whose thread ends is rolled back, and the next one starts another',
  SQLITE_ONLY,
  async (t) => {
    const started: Worker[] = []
    t.mock.property(
      workerThreads,
      'Worker',
      class extends Worker {
        constructor(...options: ConstructorParameters<typeof Worker>) {
          super(...options)
          started.push(this)
        }
      },
    )
    syncBuiltinESMExports()
    t.after(() => {
      t.mock.restoreAll()
      syncBuiltinESMExports()
    })
    const { store, member } = await openMember(createSeparateStore)
    await using _store = store
    const lost = member.write(async (tx) => {
      await addTags(tx, [1])
      await started.at(-1)?.terminate()
      await addTags(tx, [2])
    }, IN_THREAD)
    await assert.rejects(lost)
    assert.deepEqual(await tagsOf(member), [])
    await member.write((tx) => addTags(tx, [3]), IN_THREAD)
    assert.equal(started.length, 2)
    assert.deepEqual(await tagsOf(member), ['3 A'])
  },
)
