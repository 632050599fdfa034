import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { pngOf } from '../../test/fixtures/photos.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { collect, readWhole } from '../../test/fixtures/reading.ts'
import { setPhoto } from '../connections/editing/set-photo.ts'
import { MAX_PHOTO_BYTES, readPhoto, type Photo } from '../contact-files/contact/photo.ts'
import { exportConnectionsTool, readExportTool } from './export-connections.tool.ts'
import { connectionExportFile, findConnectionExport } from './connection-export.ts'

const exportTool = exportConnectionsTool({ publicUrl: 'https://weft.example' })

/** A photo of this size; `color` makes it a different one. */
function photoOf(color: number, size = 0): Photo {
  const png = pngOf([color, 0, 0])
  const photo = readPhoto(Buffer.concat([png, Buffer.alloc(Math.max(size - png.byteLength, 0))]))
  assert.ok('photoId' in photo)
  return photo
}

async function addPeople(member: Acting, photos: readonly (Photo | undefined)[]): Promise<void> {
  for (const [index, photo] of photos.entries()) {
    await member.ask(addConnectionTool, { name: `Person ${index}` })
    if (photo)
      await member.db.write((tx) =>
        setPhoto({ tx, now: 1, record: async () => 1 }, `c_${index + 1}`, photo),
      )
  }
}

async function exported(member: Acting, input: object) {
  const { uri } = await member.ask<{ readonly uri: string }>(exportTool, input)
  const exportId = uri.split('/').at(-1) ?? ''
  const stored = await findConnectionExport(member.db, { exportId, now: 1 })
  assert.ok(stored)
  return { exportId, stored }
}

test('a vCard export has the photos that an import reads back', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const photo = photoOf(1)
  await addPeople(member, [photo, undefined, photoOf(2)])
  const { exportId } = await exported(member, { format: 'vcard' })
  const { text } = await member.ask<{ text: string }>(readExportTool, { export_id: exportId })
  const { rows } = await readWhole(text)
  assert.deepEqual(
    rows.map((row) => 'contact' in row && row.contact.details?.photo),
    [photo.photoId, undefined, photoOf(2).photoId],
  )
})

test('large photos are separate pieces of the file, of which one is in memory', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const colors = Array.from({ length: 8 }, (_, index) => index + 1)
  await addPeople(
    member,
    colors.map((color) => photoOf(color, MAX_PHOTO_BYTES)),
  )
  const { exportId, stored } = await exported(member, { format: 'vcard' })
  const pieces = await collect(connectionExportFile(member.db, stored))
  assert.equal(pieces.join('').match(/^PHOTO/gm)?.length, 8)
  assert.equal(pieces.length, 8)
  const refused = await member.refused(readExportTool, { export_id: exportId })
  assert.equal(refused.code, 'payload_too_large')
})

test('an agent that reads no details gets no photos', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addPeople(member, [photoOf(1)])
  const { stored } = await exported(member, { format: 'vcard' })
  const readable = { notes: true, interactions: true, details: false }
  const pieces = await collect(connectionExportFile(member.db, stored, readable))
  assert.doesNotMatch(pieces.join(''), /PHOTO/)
})
