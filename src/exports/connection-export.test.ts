import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { collect, readWhole } from '../../test/fixtures/reading.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { addConnectionsTool } from '../connections/editing/add-connections.tool.ts'
import { MAX_NOTE_LENGTH } from '../connections/model/limits.ts'
import { connectionExportFile, requireConnectionExport } from './connection-export.ts'
import {
  exportConnectionsTool,
  MAX_RESOURCE_LENGTH,
  readExportTool,
} from './export-connections.tool.ts'

const exportTool = exportConnectionsTool({ publicUrl: 'https://weft.example' })

const NOTES_COLUMNS = ['note_id', 'connection_id', 'text', 'origin', 'created_at', 'updated_at']

/** At most 100 at a time. Returns their names. */
async function addPeople(member: Acting, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `Person ${randomUUID()}`)
  await member.ask(addConnectionsTool, { connections: names.map((name) => ({ name })) })
  return names
}

async function createExport(member: Acting, format: 'csv' | 'vcard') {
  const { uri } = await member.ask<{ readonly uri: string }>(exportTool, { format })
  const exportId = uri.split('/').at(-1) ?? ''
  const credentialId = member.caller.credential.id
  const stored = await requireConnectionExport(member.db, { exportId, credentialId, now: 1 })
  return { exportId, stored }
}

for (const format of ['csv', 'vcard'] as const)
  test(`a ${format} file is written in pieces, and has everyone`, async () => {
    await using world = await createWorld()
    const member = await world.join()
    const names = await addPeople(member, 60)
    const { stored } = await createExport(member, format)
    const pieces = await collect(
      connectionExportFile(member.db, stored, { notes: true, details: true }),
    )
    assert.ok(pieces.length >= 3)
    const { rows } = await readWhole(pieces.join(''))
    assert.deepEqual(
      rows.map((row) => 'contact' in row && row.contact.name),
      names,
    )
  })

test('a file that is too large for a resource can only be downloaded', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const people = Math.ceil(MAX_RESOURCE_LENGTH / MAX_NOTE_LENGTH)
  for (let added = 0; added < people; added += 100) await addPeople(member, 100)
  const { exportId, stored } = await createExport(member, 'vcard')
  const read = () => member.call(readExportTool, { export_id: exportId })
  assert.ok((await read()).ok)
  const text = 'x'.repeat(MAX_NOTE_LENGTH)
  const numbers = Array.from({ length: people }, (_, index) => index + 1)
  const rows = numbers.map((number) => [number, number, text, 'typed', 1, 1])
  await member.db.write((tx) => tx.insertMany({ table: 'notes', columns: NOTES_COLUMNS, rows }))
  const refused = await read()
  assert.ok(!refused.ok)
  assert.equal(refused.error.code, 'payload_too_large')
  assert.match(String(refused.error.hint), /Download it/)
  const readable = { notes: true, details: true }
  let length = 0
  for await (const piece of connectionExportFile(member.db, stored, readable))
    length += piece.length
  assert.ok(length > MAX_RESOURCE_LENGTH)
})
