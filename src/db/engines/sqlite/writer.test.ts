import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import workerThreads from 'node:worker_threads'
import { syncBuiltinESMExports } from 'node:module'
import { RequestError } from '../../../base/request-error.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { Writer } from './writer.ts'
import type { WriteOptions } from '../../database.ts'
import type { SyncFile } from './log-sync.ts'

interface TestWriter extends AsyncDisposable {
  readonly writer: Writer
  readonly folder: string
  readonly path: string
  /** Adds a row, durably by default. */
  add(text: string, how?: WriteOptions): Promise<void>
  /** The rows that reads see. */
  rows(): unknown[]
}

interface TestOptions {
  readonly syncFile?: SyncFile
  readonly checkpointPages?: number
}

async function createWriter(options: TestOptions): Promise<TestWriter> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-log-'))
  const path = join(folder, 'weft.db')
  using first = new DatabaseSync(path)
  first.exec('pragma journal_mode = wal; create table texts (text text not null)')
  const connection = new SqliteConnection(path, { cacheMebibytes: 1 })
  const writer = new Writer(connection, { path, lockTimeout: 1000, onCommitted() {}, ...options })
  return {
    writer,
    folder,
    path,
    add: (text, how = {}) =>
      writer.write(async () => {
        connection.handle.prepare('insert into texts values (?)').run(text)
      }, how),
    rows: () => textsIn(connection.handle),
    async [Symbol.asyncDispose]() {
      await writer.close()
      connection.close()
      await rm(folder, { recursive: true })
    },
  }
}

function textsIn(handle: DatabaseSync): unknown[] {
  return handle
    .prepare('select text from texts')
    .all()
    .map(({ text }) => text)
}

/** Rejects with the code `unavailable`. */
const isUnavailable = (error: unknown) =>
  error instanceof RequestError && error.code === 'unavailable'

test('behind a locked file, each caller waits for its own limit, wherever it is in the queue', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  await using writer = await createWriter({})
  using other = new DatabaseSync(writer.path)
  other.exec('begin immediate')
  const early = [writer.add('first'), writer.add('second'), writer.add('bulk', { bulk: true })]
  const rejected = Promise.all(early.map((one) => assert.rejects(one, isUnavailable)))
  await new Promise((resolve) => setTimeout(resolve, 20))
  now = 900
  const late = [writer.add('late'), writer.add('late bulk', { bulk: true })]
  now = 1000
  await rejected
  other.exec('rollback')
  await Promise.all(late)
  assert.deepEqual(writer.rows().map(String).toSorted(), ['late', 'late bulk'])
})

test('a write resolves after its sync; reads see it before', async () => {
  const { promise: synced, resolve: finishSync } = Promise.withResolvers<void>()
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  await using writer = await createWriter({
    syncFile: async (file) => {
      start()
      await synced
      await file.datasync()
    },
  })
  let isResolved = false
  const written = writer.add('one').then(() => (isResolved = true))
  await started
  await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(isResolved, false)
  assert.deepEqual(writer.rows(), ['one'])
  finishSync()
  await written
})

test('what was confirmed is in the files when they are synced', async () => {
  /** The files at the time of each sync, as after a power failure. */
  const copies: string[] = []
  await using writer = await createWriter({
    syncFile: async (file) => {
      const copy = join(writer.folder, `copy-${copies.length}.db`)
      await copyFile(writer.path, copy)
      await copyFile(`${writer.path}-wal`, `${copy}-wal`)
      copies.push(copy)
      await file.datasync()
    },
  })
  for (const text of ['one', 'two', 'three']) {
    await writer.add(text)
    using survivor = new DatabaseSync(copies.at(-1) ?? '')
    assert.equal(textsIn(survivor).at(-1), text)
  }
  assert.equal(copies.length, 3)
})

test('writes that arrive during a sync share the next one', async () => {
  let syncs = 0
  await using writer = await createWriter({
    syncFile: async (file) => {
      syncs += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      await file.datasync()
    },
  })
  const first = writer.add('first')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  await Promise.all([first, ...Array.from({ length: 50 }, (_, nth) => writer.add(`${nth}`))])
  assert.equal(writer.rows().length, 51)
  assert.ok(syncs <= 3, `${syncs} syncs`)
})

test('after a failed sync, the log is copied into the file before the write resolves', async () => {
  let failures = 1
  await using writer = await createWriter({
    syncFile: async (file) => {
      if (failures-- > 0) throw new Error('EIO')
      await file.datasync()
    },
  })
  await writer.add('one')
  const copy = join(writer.folder, 'copy.db')
  await copyFile(writer.path, copy) // without the log
  using survivor = new DatabaseSync(copy)
  assert.deepEqual(textsIn(survivor), ['one'])
  await writer.add('two')
  assert.equal(failures, -1)
})

test('while the log can be neither synced nor copied, writes fail with unavailable', async () => {
  let syncs = 0
  await using writer = await createWriter({
    syncFile: async () => {
      syncs += 1
      throw new Error('EIO')
    },
  })
  const reader = new DatabaseSync(writer.path)
  reader.exec('begin; select * from texts')
  await assert.rejects(writer.add('one'), isUnavailable)
  await assert.rejects(writer.add('two'), isUnavailable)
  reader.close()
  await writer.add('three')
  assert.deepEqual(writer.rows(), ['one', 'two', 'three'])
  // An fsync after a failed one proves nothing, so none was tried until the log was copied.
  assert.equal(syncs, 1)
})

test('the log is copied into the file while others read and write, and starts over', async () => {
  await using created = await createWriter({ checkpointPages: 20 })
  const text = 'x'.repeat(4000)
  for (let nth = 0; nth < 150; nth += 1) await created.add(text)
  assert.equal(created.rows().length, 150)
  const { size } = await stat(`${created.path}-wal`)
  assert.ok(size < 150 * 4096, `${size} bytes in the log`)
  const copy = join(created.folder, 'copy.db')
  await copyFile(created.path, copy) // without the log
  using copied = new DatabaseSync(copy)
  assert.ok(textsIn(copied).length >= 75)
})

test('a reader that needs the log delays its copy, not the writes', async () => {
  await using created = await createWriter({ checkpointPages: 20 })
  const reader = new DatabaseSync(created.path)
  reader.exec('begin; select * from texts')
  const text = 'x'.repeat(4000)
  for (let nth = 0; nth < 80; nth += 1) await created.add(text)
  assert.deepEqual(textsIn(reader), [])
  reader.close()
  const { size } = await stat(`${created.path}-wal`)
  for (let nth = 0; nth < 80; nth += 1) await created.add(text)
  const after = await stat(`${created.path}-wal`)
  assert.ok(after.size < 1.5 * size, `${size} bytes, then ${after.size}`)
})

test('the log can be truncated at any time between writes', async () => {
  await using created = await createWriter({ checkpointPages: 20 })
  const text = 'x'.repeat(4000)
  const writes = Array.from({ length: 100 }, async (_, nth) => {
    for (let step = 0; step < nth % 5; step += 1)
      await new Promise((resolve) => setImmediate(resolve))
    await created.add(text)
    return nth % 10 === 0 ? created.writer.restartLog() : true
  })
  await Promise.all(writes)
  assert.equal(await created.writer.restartLog(), true)
  assert.equal((await stat(`${created.path}-wal`)).size, 0)
  assert.equal(created.rows().length, 100)
})

test('writes continue when the thread that copies the log cannot start', async (t) => {
  await using created = await createWriter({ checkpointPages: 20 })
  t.mock.property(workerThreads, 'Worker', function () {
    throw new Error('EAGAIN')
  } as never)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const text = 'x'.repeat(4000)
  for (let nth = 0; nth < 60; nth += 1) await created.add(text)
  assert.equal(created.rows().length, 60)
})
