import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { linkedinCsv } from '../../../test/support/invented.ts'
import { bytesOf, collect, readWhole, streamOf } from '../../../test/fixtures/reading.ts'
import { createWorld } from '../../../test/fixtures/network.ts'
import { storeText } from '../../jobs/store-upload.ts'
import { requireUpload } from '../../jobs/uploads.ts'
import { rememberMapping } from './column-mappings.ts'
import { ContinuedFile } from './continued-file.ts'
import { openContactFile } from './formats/read-contacts.ts'
import { openImportedContacts } from './uploaded-contacts.ts'
import type { ImportRow } from '../model/contact.ts'

const CSV = [...linkedinCsv(3000, 3)].join('')
const ROWS_MEANWHILE = 700

function open() {
  return openContactFile(streamOf(bytesOf(CSV)), {})
}

/** The rows after row `done`, as a thread sends them. */
async function openAfter(done: number) {
  const file = await open()
  async function* rowBatches(): AsyncGenerator<ImportRow[], void> {
    for await (const batch of file.rowBatches) yield batch.filter(({ row }) => row > done)
  }
  return { ...file, rowBatches: rowBatches(), [Symbol.asyncDispose]: async () => {} }
}

test('a file that continues elsewhere has the same rows and columns', async () => {
  const whole = await readWhole(CSV)
  for (const after of [0, 1, 1000, 2400, 2999]) {
    const starts: number[] = []
    await using continued = new ContinuedFile(
      await open(),
      (done) => {
        starts.push(done)
        return openAfter(done)
      },
      ROWS_MEANWHILE,
    )
    const rows: ImportRow[] = []
    for await (const batch of continued.file.rowBatches) {
      rows.push(...batch)
      if (rows.length > after) continued.openRest()
    }
    assert.deepEqual(rows, whole.rows)
    assert.deepEqual(continued.file.columns(), whole.columns)
    assert.equal(starts.length, 1)
    assert.ok((starts[0] ?? 0) > after)
  }
})

test('a file that does not continue elsewhere is read to its end', async () => {
  const whole = await readWhole(CSV)
  await using continued = new ContinuedFile(await open(), () => assert.fail('opened'))
  assert.deepEqual(await collect(continued.file.rows), whole.rows)
  assert.deepEqual(continued.file.columns(), whole.columns)
})

test('an error of the rest is thrown after the rows before it', async () => {
  await using continued = new ContinuedFile(
    await open(),
    () => Promise.reject(new Error('the upload is gone')),
    ROWS_MEANWHILE,
  )
  continued.openRest()
  const rows: ImportRow[] = []
  const reading = async () => {
    for await (const batch of continued.file.rowBatches) rows.push(...batch)
  }
  await assert.rejects(reading(), /the upload is gone/)
  assert.equal(rows.length, ROWS_MEANWHILE)
})

test('the rest is closed with the file', async () => {
  const closed: number[] = []
  {
    await using continued = new ContinuedFile(await open(), async (done) => ({
      ...(await openAfter(done)),
      [Symbol.asyncDispose]: async () => void closed.push(done),
    }))
    continued.openRest()
  }
  assert.equal(closed.length, 1)
})

test('an upload continues in a thread if the rest is large enough', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const now = world.clock.now()
  for (const [noteLength, isThreadExpected] of [
    [500, availableParallelism() > 1],
    [100, false],
  ] as const) {
    const note = 'x'.repeat(noteLength)
    const people = Array.from(
      { length: 2600 },
      (_, at) => `Person ${at},p${at}@example.org,${note}`,
    )
    const text = ['Name,Email,Notes', ...people].join('\n')
    const about = { filename: null, contentType: 'text/plain', text, now }
    const { upload_id } = await db.write((tx) => storeText(tx, about))
    const position = { bytes: 0 }
    await using opened = await openImportedContacts(db, {
      upload: await requireUpload(db, upload_id, now),
      reading: {},
      position,
      done: 0,
      signal: new AbortController().signal,
    })
    const { header } = opened.file
    await db.write((tx) => rememberMapping(tx, header, { Notes: 'ignore' }, now))
    opened.continueInThread()
    const rows = await collect(opened.file.rows)
    assert.deepEqual(
      rows.map(({ row }) => row),
      people.map((_, at) => at + 1),
    )
    // The whole file is read with the mapping of its start.
    const notes = rows.map((row) => 'contact' in row && row.contact.note)
    assert.deepEqual(new Set(notes), new Set([note]))
    // Only the thread computes keys.
    assert.equal('keys' in (rows.at(0) ?? {}), false)
    assert.equal('keys' in (rows.at(-1) ?? {}), isThreadExpected)
    assert.equal(position.bytes, Buffer.byteLength(text))
    await db.write((tx) => rememberMapping(tx, header, { Notes: 'note' }, now))
  }
})
