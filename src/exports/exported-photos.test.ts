import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { pngOf } from '../../test/fixtures/photos.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { collect, readWhole } from '../../test/fixtures/reading.ts'
import { setPhoto } from '../connections/editing/set-photo.ts'
import { MAX_PHOTO_BYTES, readPhoto, type Photo } from '../contact-files/contact/photo.ts'
import { exportConnectionsTool, readExportTool } from './export-connections.tool.ts'
import { connectionExportFile, requireConnectionExport } from './connection-export.ts'

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

interface Exported {
  readonly uri: string
  readonly photos?: string
}

async function exported(member: Acting, input: object) {
  const { uri, photos } = await member.ask<Exported>(exportTool, input)
  const call = await member.call(readExportTool, { export_id: uri.split('/').at(-1) })
  assert.ok(call.ok)
  const { text } = call.output as { text: string }
  return { photos, text, exportId: uri.split('/').at(-1) ?? '' }
}

test('a vCard export has the photos that an import reads back', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const photo = photoOf(1)
  await addPeople(member, [photo, undefined, photoOf(2)])
  const { photos, text } = await exported(member, { format: 'vcard' })
  assert.equal(photos, '2 photos included')
  const { rows } = await readWhole(text)
  assert.deepEqual(
    rows.map((row) => 'contact' in row && row.contact.details?.photo),
    [photo.photoId, undefined, photoOf(2).photoId],
  )
  const one = await exported(member, { format: 'vcard', people: ['c_2'] })
  assert.equal(one.photos, undefined)
  assert.doesNotMatch(one.text, /PHOTO/)
})

test('what has no room for photos says so', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addPeople(
    member,
    [1, 2, 3, 4, 5].map((color) => photoOf(color, MAX_PHOTO_BYTES)),
  )
  const csv = await exported(member, { format: 'csv', people: ['c_1'] })
  assert.equal(csv.photos, '1 photo left out: only format vcard has photos.')
  const all = await exported(member, { format: 'vcard' })
  assert.match(all.photos ?? '', /^5 photos \(5\sMB\) left out, .* at most 4\sMB\. .*export_data/)
  assert.doesNotMatch(all.text, /PHOTO/)
  const ids = ['c_1', 'c_2', 'c_3', 'c_4']
  const fewer = await exported(member, { format: 'vcard', people: ids })
  assert.equal(fewer.photos, '4 photos included')
  assert.equal(fewer.text.match(/^PHOTO/gm)?.length, 4)
})

test('an agent that reads no details gets no photos', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addPeople(member, [photoOf(1)])
  const { exportId } = await exported(member, { format: 'vcard' })
  const credentialId = member.caller.credential.id
  const stored = await requireConnectionExport(member.db, { exportId, credentialId, now: 1 })
  const readable = { notes: true, details: false }
  const pieces = await collect(connectionExportFile(member.db, stored, readable))
  assert.doesNotMatch(pieces.join(''), /PHOTO/)
})
