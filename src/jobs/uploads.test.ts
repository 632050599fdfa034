import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createStore } from '../../test/support/store.ts'
import { RequestError } from '../base/request-error.ts'
import { SECOND } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  collect,
  GRACE,
  inventedBytes,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { cleanFilename, filenameOf } from './filename.ts'
import { storeForm } from './upload-form.ts'
import {
  CHUNK_BYTES,
  MAX_UPLOAD_BYTES,
  readUpload,
  requireUpload,
  sweepUploads,
  UPLOAD_LIFETIME_MS,
} from './uploads.ts'
import { storeText, storeUpload, uploadQuota } from './store-upload.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const COUNTS = memberStatement<object, { uploads: number; chunks: number }>()(`
  select (select count(*) from uploads where member_id = :member_id) as uploads,
    (select count(*) from upload_chunks where member_id = :member_id) as chunks`)
const CHUNK_SIZES = memberStatement<object, { size: number }>()(
  'select length(data) as size from upload_chunks where member_id = :member_id order by chunk',
)

async function* deps(...sent: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* sent
}

const refuses = (code: string) => (error: unknown) =>
  error instanceof RequestError && error.code === code

test('a file is read back byte for byte, however it was split', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const whole = inventedBytes(CHUNK_BYTES * 3)
  const size = fc.oneof(
    fc.integer({ min: 1, max: 5000 }),
    fc.constantFrom(CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES),
  )
  const cuts = fc.array(fc.integer({ min: 0, max: CHUNK_BYTES }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(size, cuts, async (bytes, sizes) => {
      const file = whole.subarray(0, bytes)
      const pieces: Uint8Array[] = []
      let from = 0
      for (const piece of sizes) {
        pieces.push(file.subarray(from, from + piece))
        from += piece
      }
      pieces.push(file.subarray(from))
      const upload = await storeUpload(db, {
        filename: 'a.csv',
        contentType: 'text/csv',
        bytes: deps(...pieces),
        now: clock.now(),
      })
      assert.equal(upload.bytes, bytes)
      assert.ok((await collect(readUpload(db, upload.upload_id))).equals(file))
    }),
    { numRuns: 40 },
  )
})

test('a large file is stored in equal chunks, like text', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const description = { filename: null, contentType: null, now: clock.now() }
  const text = 'Müller,Zoë\r\n'.repeat(60_000)
  const upload = await db.write((tx) => storeText(tx, { ...description, text }))
  assert.equal(upload.bytes, Buffer.byteLength(text))
  assert.equal((await collect(readUpload(db, upload.upload_id))).toString(), text)
  const sizes = (await database.member(ADA).all(CHUNK_SIZES, {})).map((row) => row.size)
  assert.deepEqual(sizes, [...sizes.slice(0, -1).map(() => CHUNK_BYTES), sizes.at(-1)])
})

test('a file that is too large, empty or incomplete leaves nothing', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const description = { filename: null, contentType: null, now: clock.now() }
  const block = inventedBytes(1024 * 1024)
  const many = (count: number) => deps(...Array.from({ length: count }, () => block))
  await assert.rejects(
    storeUpload(db, { ...description, bytes: many(3), maxBytes: 2 * 1024 * 1024 }),
    refuses('payload_too_large'),
  )
  await assert.rejects(
    storeUpload(db, { ...description, bytes: deps() }),
    refuses('invalid_request'),
  )
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield* many(3)
    throw new Error('the caller has gone')
  }
  await assert.rejects(storeUpload(db, { ...description, bytes: broken() }), /has gone/)
  assert.deepEqual({ ...(await database.member(ADA).get(COUNTS, {})) }, { uploads: 0, chunks: 0 })
  await assert.rejects(
    db.write((tx) => storeText(tx, { ...description, text: 'x'.repeat(MAX_UPLOAD_BYTES + 1) })),
    refuses('payload_too_large'),
  )
  const exact = { ...description, bytes: many(2), maxBytes: 2 * 1024 * 1024 }
  assert.equal((await storeUpload(db, exact)).bytes, 2 * 1024 * 1024)
})

test('another member cannot use an upload', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const bytes = deps(Buffer.from('a'))
  const now = clock.now()
  const description = { filename: null, contentType: null, now, bytes }
  const { upload_id } = await storeUpload(database.member(ADA), description)
  const grace = database.member(GRACE)
  await assert.rejects(requireUpload(grace, upload_id, now), refuses('invalid_request'))
  await assert.rejects(collect(readUpload(grace, upload_id)), refuses('invalid_request'))
  assert.equal((await requireUpload(database.member(ADA), upload_id, now)).bytes, 1)
})

test('an upload can be used for a day and is then deleted with its chunks', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const send = () =>
    storeUpload(db, {
      filename: null,
      contentType: null,
      bytes: deps(inventedBytes(CHUNK_BYTES * 2)),
      now: clock.now(),
    })
  const old = await send()
  clock.advance(SECOND)
  await send()
  clock.advance(UPLOAD_LIFETIME_MS - SECOND - 1)
  await requireUpload(db, old.upload_id, clock.now())
  assert.equal(await sweepUploads(database, clock.now()), 0)
  clock.advance(1)
  await assert.rejects(requireUpload(db, old.upload_id, clock.now()), refuses('invalid_request'))
  const reading = readUpload(db, old.upload_id)
  await reading.next()
  assert.equal(await sweepUploads(database, clock.now()), 1)
  assert.deepEqual({ ...(await database.member(ADA).get(COUNTS, {})) }, { uploads: 1, chunks: 2 })
  await assert.rejects(reading.next(), refuses('invalid_request'))
})

test('uploads have a quota per member, which includes unfinished uploads', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const quota = { maxBytes: 4 * CHUNK_BYTES, maxUploads: 3 }
  const send = (chunks: number, memberId = ADA) =>
    storeUpload(database.member(memberId), {
      filename: null,
      contentType: null,
      bytes: deps(inventedBytes(CHUNK_BYTES * chunks)),
      now: clock.now(),
      quota,
    })
  const over = (error: unknown) =>
    error instanceof RequestError &&
    error.code === 'upload_quota_exceeded' &&
    error.details.retryAfter === UPLOAD_LIFETIME_MS / SECOND
  const results = await Promise.allSettled([send(3), send(3)])
  assert.ok(results.some(({ status }) => status === 'rejected'))
  const stored = results.filter(({ status }) => status === 'fulfilled').length
  if (stored === 0) await send(3)
  await assert.rejects(send(2), over)
  assert.deepEqual({ ...(await database.member(ADA).get(COUNTS, {})) }, { uploads: 1, chunks: 3 })
  await send(4, GRACE)
  await send(1 / 4)
  await send(1 / 4)
  await assert.rejects(send(1 / 4), over)
  clock.advance(UPLOAD_LIFETIME_MS)
  await send(4)
})

test('inline content replaces earlier inline content', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const text = { filename: null, contentType: 'text/plain', now: clock.now() }
  await storeUpload(db, { ...text, bytes: deps(Buffer.from('file')) })
  for (const content of ['one', 'two'])
    await db.write((tx) => storeText(tx, { ...text, text: content }))
  assert.deepEqual({ ...(await db.get(COUNTS, {})) }, { uploads: 2, chunks: 2 })
})

test('a truncated form is stored entirely or rejected, and never leaves a part', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
  const form = Buffer.from(`${head}${'one,two\r\n'.repeat(5)}--b--\r\n`)
  let whole = 0
  for (let end = 0; end <= form.byteLength; end += 1) {
    const middle = Math.floor(end / 2)
    const body = deps(form.subarray(0, middle), form.subarray(middle, end))
    try {
      const upload = await storeForm(db, 'multipart/form-data; boundary=b', body, {
        now: clock.now(),
        quota: uploadQuota(250),
      })
      assert.equal(upload.bytes, 43)
      whole += 1
    } catch (error) {
      assert.ok(refuses('invalid_request')(error), String(error))
    }
  }
  assert.ok(whole > 0)
  assert.deepEqual(
    { ...(await database.member(ADA).get(COUNTS, {})) },
    { uploads: whole, chunks: whole },
  )
})

test('a file name is read from its header, preferring the extended form', () => {
  const cases: readonly [header: string | undefined, expected: string | null][] = [
    [undefined, null],
    ['attachment', null],
    ['attachment; filename=contacts.csv', 'contacts.csv'],
    ['attachment; filename="my contacts.csv"', 'my contacts.csv'],
    ['attachment; FileName = "a;b.csv"; size=3', 'a;b.csv'],
    [String.raw`attachment; filename="say \"hi\".csv"`, 'say "hi".csv'],
    [String.raw`attachment; filename="C:\temp\new.csv"`, 'new.csv'],
    [
      'attachment; filename="fallback.csv"; filename*=UTF-8\'\'Kontakte%20M%C3%BCller.csv',
      'Kontakte Müller.csv',
    ],
    ["attachment; filename*=iso-8859-1'en'%A3%20rates", '£ rates'],
    ["attachment; filename*=UTF-8''%FF.csv; filename=ok.csv", 'ok.csv'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    [`attachment; filename="${Buffer.from('Zoë.csv').toString('latin1')}"`, 'Zoë.csv'],
    ['attachment; filename="Zo\u00eb.csv"', 'Zoë.csv'],
    ['filename="bare.csv"', 'bare.csv'],
    ['attachment; filename="', null],
  ]
  for (const [header, expected] of cases)
    assert.equal(filenameOf(header), expected, header ?? 'no header')
})

test('any file name becomes one harmless segment', () => {
  assert.equal(cleanFilename('..'), null)
  assert.equal(cleanFilename('a/b/'), null)
  assert.equal(cleanFilename('in\u0000voice\u202Egpj.exe\r\n'), 'invoicegpj.exe')
  assert.equal(cleanFilename('😀'.repeat(300)), '😀'.repeat(255))
  fc.assert(
    fc.property(unicodeText({ maxLength: 400 }), (name) => {
      for (const clean of [cleanFilename(name), filenameOf(`attachment; filename="${name}"`)]) {
        if (clean === null) continue
        assert.ok(clean.isWellFormed() && !/[/\\\p{Cc}]/u.test(clean))
        assert.ok(Array.from(clean).length <= 255 && clean !== '' && clean !== '..')
      }
    }),
  )
})
