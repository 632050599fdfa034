import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { readWhole } from '../../../../test/fixtures/reading.ts'
import { UnreadableFile } from './read-contacts.ts'

const CONNECTIONS =
  'Notes:\n"Some e-mail addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\nMira,Holt,,,Northwind,CEO,12 Mar 2024\n'

interface Entry {
  readonly name: string
  readonly content: string | Buffer
  readonly store?: boolean
  readonly flags?: number
  readonly declaredSize?: number
}

/** A zip as PKWARE APPNOTE 6.3.10 lays it out: local entries, directory, end of directory. */
function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, store = false, flags = 0, declaredSize } of entries) {
    const bytes = Buffer.from(content)
    const packed = store ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(store ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declaredSize ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const start = Buffer.from('PK\x01\x02\x14\x00')
    directory.push(Buffer.concat([start, fields, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

function refusedWith(code: string): (cause: unknown) => boolean {
  return (cause) => cause instanceof UnreadableFile && cause.code === code && cause.hint !== ''
}

test('reads Connections.csv from a LinkedIn export, stored or deflated', async () => {
  const messages = { name: 'messages.csv', content: 'FROM,TO\na,b\n' }
  for (const store of [true, false]) {
    const name = 'Basic_LinkedInDataExport/Connections.csv'
    const file = await readWhole(zipOf([messages, { name, content: CONNECTIONS, store }]))
    assert.equal(file.format, 'linkedin')
    assert.equal(file.contacts[0]?.name, 'Mira Holt')
    assert.equal(file.rows[0]?.line, 5)
  }
})

test('reports a zip without Connections.csv', async () => {
  const zip = zipOf([{ name: 'messages.csv', content: 'x' }])
  await assert.rejects(readWhole(zip), refusedWith('no_connections_in_zip'))
  await assert.rejects(readWhole(zipOf([])), refusedWith('no_connections_in_zip'))
})

test('rejects encrypted, damaged and truncated zips', async () => {
  const name = 'Connections.csv'
  const good = zipOf([{ name, content: CONNECTIONS, store: true }])
  const encrypted = zipOf([{ name, content: CONNECTIONS, flags: 1 }])
  await assert.rejects(readWhole(encrypted), refusedWith('encrypted_zip'))
  await assert.rejects(readWhole(good.subarray(0, -30)), refusedWith('damaged_zip'))
  const wrong = Buffer.from(good)
  wrong.write('Nira', good.indexOf('Mira'))
  await assert.rejects(readWhole(wrong), refusedWith('damaged_zip'))
})

test('rejects a zip that declares more than 200 MB', async () => {
  const declaredSize = 201 * 1024 * 1024
  const zip = zipOf([{ name: 'Connections.csv', content: CONNECTIONS, declaredSize }])
  await assert.rejects(readWhole(zip), refusedWith('zip_too_large'))
})

test('throws only UnreadableFile for a zip with any bytes changed', async () => {
  const zip = zipOf([{ name: 'Connections.csv', content: CONNECTIONS }])
  for (let at = 4; at < zip.length; at++) {
    const bent = Buffer.from(zip)
    bent[at] = (bent[at] ?? 0) ^ 0xff
    const problem = await readWhole(bent).then(
      () => null,
      (cause: unknown) => cause,
    )
    assert.ok(
      problem === null || problem instanceof UnreadableFile,
      `byte ${at}: ${String(problem)}`,
    )
  }
})
