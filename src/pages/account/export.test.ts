import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintApiToken } from '../../access/api-token.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { askTool } from '../member-fixture.ts'
import { join } from './account-fixture.ts'
import { ACCOUNT_PATH, EXPORT_PATH } from './paths.ts'

interface Archive {
  readonly format: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly connections: readonly Readonly<Record<string, unknown>>[]
  readonly notes: readonly Readonly<Record<string, unknown>>[]
  readonly follow_ups: readonly Readonly<Record<string, unknown>>[]
  readonly activity: readonly Readonly<Record<string, unknown>>[]
  readonly credit_ledger: readonly Readonly<Record<string, unknown>>[]
  readonly api_tokens: readonly Readonly<Record<string, unknown>>[]
  readonly browsers: readonly unknown[]
  readonly jobs: readonly unknown[]
}

test('the file holds everything of the member’s, and no secret', async () => {
  await using service = await startTestService()
  const ada = await join(service, { email: 'ada@example.org' })
  const token = await fill(service, ada.member.memberId)
  const page = await ada.visitor.get(ACCOUNT_PATH)
  assert.equal(page.links['Download everything'], service.url + EXPORT_PATH)
  const file = await ada.visitor.get(EXPORT_PATH)
  assert.equal(file.status, 200)
  const disposition = file.headers.get('content-disposition')
  assert.equal(disposition, 'attachment; filename="weft-ada-2026-11-21.json"')
  assert.equal(file.headers.get('cache-control'), 'no-store')
  assert.doesNotMatch(file.html, /weft_pat_|weft_ses_|argon2|_hash/)
  assert.ok(!file.html.includes(token))

  const archive = JSON.parse(file.html) as Archive
  assert.equal(archive.format, 'weft-export-1')
  assert.equal(archive.profile['email'], 'ada@example.org')
  const [connection] = archive.connections
  assert.equal(connection?.['name'], 'Grace Hopper')
  assert.deepEqual(connection['tags'], ['navy'])
  assert.equal(archive.notes[0]?.['text'], 'Met at Harvard')
  assert.equal(archive.follow_ups[0]?.['text'], 'Ask about COBOL')
  assert.equal(archive.activity.length, 3)
  assert.ok(archive.credit_ledger.length >= 4)
  assert.equal(archive.api_tokens[0]?.['name'], 'filler')
  assert.equal(archive.browsers.length, 1)
  assert.deepEqual(archive.jobs, [])
})

test('a network of several pages is whole, each connection once', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await service.database.member(ada.member.memberId).write((tx) =>
    tx.insertMany({
      table: 'connections',
      columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
      rows: Array.from({ length: 1000 }, (_, at) => [at + 1, `P ${at}`, 'p', 'typed', 0, 0]),
    }),
  )
  const { connections } = JSON.parse((await ada.visitor.get(EXPORT_PATH)).html) as Archive
  assert.equal(new Set(connections.map((one) => one['connection_id'])).size, 1000)
  assert.equal(connections.length, 1000)
})

test('it holds nothing of another’s', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await fill(service, ada.member.memberId)
  const eve = await join(service, { username: 'eve', name: 'Eve' })
  const { html } = await eve.visitor.get(EXPORT_PATH)
  assert.doesNotMatch(html, /Grace Hopper|Harvard|COBOL|filler/)
  const archive = JSON.parse(html) as Archive
  assert.deepEqual([archive.connections, archive.notes, archive.activity], [[], [], []])
})

/** A connection with a tag, a note and a follow-up, made by an agent; the secret of its token. */
async function fill(service: TestService, memberId: number): Promise<string> {
  const { database, clock } = service
  const token = { name: 'filler', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await database
    .member(memberId)
    .write((tx) => mintApiToken(tx, token, clock.now()))
  await askTool(service.url, secret, 'add_connection', { name: 'Grace Hopper', tags: ['navy'] })
  await askTool(service.url, secret, 'add_note', { connection_id: 'c_1', text: 'Met at Harvard' })
  const followUp = { connection_id: 'c_1', text: 'Ask about COBOL', due_on: '2026-11-30' }
  await askTool(service.url, secret, 'set_follow_up', followUp)
  return secret
}
