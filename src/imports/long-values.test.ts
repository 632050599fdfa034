/** Values over the limits of a connection are kept in its notes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact, openSharedWorld, rowsOf } from '../../test/fixtures/network.ts'
import { readWhole } from '../../test/fixtures/reading.ts'
import { MAX_NOTE_LENGTH } from '../base/limits.ts'

test('a long note becomes several notes of one day, and a second import adds none', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const paragraphs = Array.from({ length: 60 }, (_, at) => `${at} ${'word '.repeat(180)}`.trim())
  const note = paragraphs.join('\n\n')
  const { contacts } = await readWhole(`Name,Email,Notes\nAnn Lee,ann@x.org,"${note}"\n`)
  assert.deepEqual(await member.import(contacts, { jobId: 1 }), ['created'])
  const notes = await rowsOf(world, member, 'notes')
  const texts = notes.map((row) => String(row['text']))
  assert.deepEqual(
    texts.map((text) => text.slice(0, 6)),
    ['(1/3)\n', '(2/3)\n', '(3/3)\n'],
  )
  assert.equal(texts.map((text) => text.slice(6)).join('\n\n'), note)
  assert.equal(new Set(notes.map((row) => row['created_at'])).size, 1)
  assert.deepEqual(await member.import(contacts, { jobId: 2 }), ['unchanged'])
  // The same note in a row with something new.
  const [ann = contact({ name: 'Ann Lee' })] = contacts
  const newer = [{ ...ann, title: 'Chief' }]
  assert.deepEqual(await member.import(newer, { jobId: 3, source: 'table' }), ['updated'])
  // A note of all parts, as exported files have it.
  const joined = [{ ...ann, title: 'Boss', note: texts.join('\n\n') }]
  await member.import(joined, { jobId: 4, source: 'table' })
  assert.equal((await rowsOf(world, member, 'notes')).length, 3)
})

test('the name of a person with too many emails is short, and the other emails are in a note', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = Array.from({ length: 55 }, (_, at) => `ann${at}@x.org`)
  const bio = 'b'.repeat(MAX_NOTE_LENGTH + 5)
  const { contacts, rows } = await readWhole(
    `Name,Email,Bio\nAnn Lee,${emails.join('; ')},${bio}\n`,
  )
  assert.ok(rows.every((row) => !('cut' in row)))
  await member.import(contacts, { jobId: 1 })
  const texts = (await rowsOf(world, member, 'notes')).map((row) => String(row['text']))
  const all = texts.join('')
  for (const email of emails.slice(50)) assert.ok(all.includes(email), email)
  assert.equal(all.match(/b{10,}/g)?.join('').length, bio.length)
})
