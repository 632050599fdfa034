import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { findTokenHolder, revokeApiToken } from '../access/api-token.ts'
import { saveLimits } from '../access/agent-limits.ts'
import { startTestService } from '../../test/support/service.ts'
import { collect, readWhole } from '../../test/fixtures/reading.ts'
import { contact, createWorld, type Acting, mergeContacts } from '../../test/fixtures/network.ts'
import { addConnectionsTool } from '../connections/people/add-connections.tool.ts'
import { logInteractionTool } from '../connections/interactions/log-interaction.tool.ts'
import { MAX_NOTE_LENGTH } from '../base/limits.ts'
import {
  connectionExportFile,
  createConnectionExport,
  requireConnectionExport,
} from './connection-export.ts'
import {
  exportConnectionsTool,
  MAX_RESOURCE_LENGTH,
  readExportTool,
} from './export-connections.tool.ts'

const exportTool = exportConnectionsTool({ publicUrl: 'https://weft.example' })

const NOTES_COLUMNS = ['note_id', 'connection_id', 'text', 'origin', 'created_at', 'updated_at']

/** At most 100 at a time. Returns their names. */
async function addPeople(member: Acting, count: number, note?: string): Promise<string[]> {
  const names = Array.from({ length: count }, () => `Person ${randomUUID()}`)
  await member.ask(addConnectionsTool, {
    connections: names.map((name) => ({ name, ...(note !== undefined && { note }) })),
  })
  return names
}

async function createExport(member: Acting, format: 'csv' | 'vcard') {
  const input = { format, notes: true }
  const { uri } = await member.ask<{ readonly uri: string }>(exportTool, input)
  const exportId = uri.split('/').at(-1) ?? ''
  const credentialId = member.caller.credential.id
  const stored = await requireConnectionExport(member.db, { exportId, credentialId, now: 1 })
  return { exportId, stored }
}

for (const format of ['csv', 'vcard'] as const)
  test(`a ${format} file is written in pieces, and has everyone`, async () => {
    await using world = await createWorld()
    const member = await world.join()
    const names = await addPeople(member, 60, 'x'.repeat(1000))
    const { stored } = await createExport(member, format)
    const pieces = await collect(connectionExportFile(member.db, stored))
    assert.ok(pieces.length >= 3)
    const { rows } = await readWhole(pieces.join(''))
    assert.deepEqual(
      rows.map((row) => 'contact' in row && row.contact.name),
      names,
    )
  })

test('a vCard file has notes and interactions only if asked, and a table unless not', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: [{ name: 'Ann Lee', note: 'Likes tea' }] })
  const subject = { subject: 'Budget talk' }
  await member.ask(logInteractionTool, { people: ['Ann Lee'], kind: 'call', ...subject })
  const cases = [
    [{ format: 'vcard' }, false],
    [{ format: 'vcard', notes: true }, true],
    [{ format: 'csv' }, true],
    [{ format: 'csv', notes: false }, false],
  ] as const
  for (const [input, hasNotes] of cases) {
    const { uri } = await member.ask<{ readonly uri: string }>(exportTool, input)
    const export_id = uri.split('/').at(-1) ?? ''
    const { text } = await member.ask<{ readonly text: string }>(readExportTool, { export_id })
    assert.match(text, /Ann Lee/)
    assert.equal(text.includes('Likes tea'), hasNotes, JSON.stringify(input))
    if (input.format === 'vcard') assert.equal(text.includes('INTERACTION'), hasNotes)
  }
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
  let length = 0
  for await (const piece of connectionExportFile(member.db, stored)) length += piece.length
  assert.ok(length > MAX_RESOURCE_LENGTH)
})

test('a download ends when its token is revoked or its limits change', async () => {
  await using service = await startTestService()
  const { memberId } = await service.addMember()
  const db = service.database.member(memberId)
  const now = service.clock.now()
  const people = Array.from({ length: 60 }, (_, index) =>
    contact({ name: `Person ${index}`, note: 'x'.repeat(1000) }),
  )
  const connectionIds = people.map((_, index) => index + 1)
  await db.write((tx) =>
    mergeContacts(tx, people, { source: 'linkedin', jobId: 1, now, confirmed: new Set() }),
  )
  const route = service.routes.find(({ operationId }) => operationId === 'downloadConnectionExport')
  for (const code of ['unauthorized', 'forbidden']) {
    const token = await service.mintToken()
    const caller = await findTokenHolder(service.database, token, now)
    assert.ok(caller)
    const { id: credentialId } = caller.credential
    const selection = { credentialId, format: 'csv', hasNotes: true, connectionIds } as const
    const { exportId } = await db.write((tx) => createConnectionExport(tx, selection, now))
    const answer = await route?.handle({
      params: { export_id: exportId },
      query: {},
      body: undefined,
      caller,
      browser: undefined,
      search: '',
      address: '127.0.0.1',
      requestId: 'r',
      header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
      streamable: true,
      signal: new AbortController().signal,
    })
    const pieces = answer?.stream?.[Symbol.asyncIterator]()
    assert.match(String((await pieces?.next())?.value), /Person 0/)
    await db.write(async (tx) => {
      if (code === 'unauthorized') await revokeApiToken(tx, credentialId, now)
      else {
        const limits = { ...caller.limits, withholdsText: true }
        await saveLimits(tx, { credentialId, clientId: null }, limits, now)
      }
    })
    await assert.rejects(Promise.resolve(pieces?.next()), { code })
  }
})
