import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveLimits } from '../access/agent-limits.ts'
import { listApiTokens, revokeApiToken } from '../access/api-token.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import { requestKey } from '../guards/idempotency-key.ts'
import { NO_LIMITS } from '../http/caller.ts'
import { createWorld as createNetworks } from '../../test/fixtures/network.ts'
import { createTestWorld, type Person } from '../../test/fixtures/agents.ts'
import { collect, readWhole } from '../../test/fixtures/reading.ts'
import { postToolCall } from '../../test/support/tool-call.ts'
import { openVisitor } from '../../test/support/visitor.ts'
import { connectionExportFile, findConnectionExport } from './connection-export.ts'
import { exportConnectionsTool } from './export-connections.tool.ts'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import type { TestService } from '../../test/support/service.ts'

/** An agent's export of Grace Hopper. `text` is the whole tool result. */
async function exportGrace(service: TestService, person: Person) {
  const token = await person.make({ name: `Agent ${person.memberId}` })
  const call = async (name: string, args: object) =>
    (await postToolCall(service.url, token, name, args)).text()
  await call('add_connections', { name: 'Grace Hopper', note: 'Invented a compiler' })
  const text = await call('export_connections', {})
  const [url] = /https?:[^"\\]+\/user\/exports\/[^"\\]+/.exec(text) ?? []
  assert.ok(url)
  const db = service.database.member(person.memberId)
  const [credential] = await listApiTokens(db)
  assert.ok(credential)
  return { url, db, credentialId: credential.tokenId }
}

test('the link of an export opens in the browser of the member, for a day', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const ada = await world.join('ada')
  const { url } = await exportGrace(service, ada)
  for (const address of [url, url, url.split('?')[0] ?? '']) {
    const file = await ada.visitor.get(address)
    assert.equal(file.status, 200)
    assert.match(file.html, /Grace Hopper,[^]*Invented a compiler/)
    const disposition = file.headers.get('content-disposition')
    assert.equal(disposition, 'attachment; filename="connections.csv"')
    assert.equal(file.headers.get('cache-control'), 'no-store')
  }
  assert.equal((await openVisitor(service.url).get(url)).status, 200)
  service.clock.advance(DAY)
  const gone = await ada.visitor.get(url)
  assert.equal(gone.status, 404)
  assert.match(gone.text, /kept for a day/)
})

test('a link works without signing in, once and within ten minutes', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const ada = await world.join('ada')
  const other = await world.join('bob')
  const { url } = await exportGrace(service, ada)
  const stranger = openVisitor(service.url)
  const refused = async (address: string, visitor = stranger) => {
    const { status, text } = await visitor.get(address)
    assert.ok(status === 403 || status === 404, `${address}: ${status}`)
    assert.doesNotMatch(text, /Hopper/)
    return text
  }
  assert.match(await refused(url.split('?')[0] ?? ''), /Sign in to download this file/)
  await refused(url.replace(/link=.*/, 'link=weft_otl_x'))
  await refused(url.replace(/sel_[^?]+/, 'sel_other'))
  await refused(url.split('?')[0] ?? '', other.visitor)
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 200)
  const both = await Promise.allSettled(
    [1, 2].map(async () => {
      const response = await fetch(url)
      return { status: response.status, text: await response.text() }
    }),
  )
  const files = both.filter((one) => one.status === 'fulfilled' && one.value.status === 200)
  assert.equal(files.length, 1)
  await refused(url)
  const late = await exportGrace(service, other)
  service.clock.advance(10 * MINUTE)
  await refused(late.url)
  assert.equal((await other.visitor.get(late.url)).status, 200)
})

test('a link has what its agent may read, and ends with its access', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const people = await Promise.all(['ada', 'bob', 'eve'].map((name) => world.join(name)))
  const now = service.clock.now()
  const open = async ({ url }: { readonly url: string }) => openVisitor(service.url).get(url)
  const changes = [
    { limits: { ...NO_LIMITS, withholdsText: true }, status: 200 },
    { limits: { ...NO_LIMITS, groups: ['notes'] }, status: 403 },
    { limits: undefined, status: 403 },
  ]
  for (const [index, person] of people.entries()) {
    const made = await exportGrace(service, person)
    const { limits, status } = changes[index] ?? {}
    await made.db.write(async (tx) => {
      if (limits)
        await saveLimits(tx, { credentialId: made.credentialId, clientId: null }, limits, now)
      else await revokeApiToken(tx, made.credentialId, now)
    })
    const file = await open(made)
    assert.equal(file.status, status, file.text)
    assert.equal(/Hopper/.test(file.html), status === 200)
    assert.doesNotMatch(file.html, /compiler/)
    assert.match((await person.visitor.get(made.url)).html, /compiler/)
  }
})

test('the secret of a link is not stored with the result for retries', async () => {
  await using world = await createNetworks()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Grace Hopper' })
  const tool = exportConnectionsTool({ publicUrl: 'https://weft.example' })
  const once = requestKey({ scope: 'pat', surface: 'mcp', key: 'k', fingerprint: 'f' })
  const urlOf = async () => {
    const outcome = await member.call(tool, {}, once)
    assert.ok(outcome.ok)
    return (outcome.output as { url: string }).url
  }
  const url = await urlOf()
  assert.match(url, /^https:\/\/weft\.example\/user\/exports\/sel_[^?]+\?link=weft_otl_/)
  assert.equal(await urlOf(), url.split('?')[0])
})

test('an export of everyone and of a tag has more people than one read', async () => {
  await using world = await createNetworks()
  const member = await world.join()
  const names = Array.from({ length: 2100 }, (_, index) => `Person ${index}`)
  await member.import(
    names.map((name, index) => ({ name, labels: index % 2 === 0 ? ['even'] : [] })),
  )
  const tool = exportConnectionsTool({ publicUrl: 'https://weft.example' })
  for (const [input, count] of [
    [{}, 2100],
    [{ tag: 'Even' }, 1050],
  ] as const) {
    const { uri, connections } = await member.ask<{ uri: string; connections: number }>(tool, input)
    assert.equal(connections, count)
    const exportId = uri.split('/').at(-1) ?? ''
    const stored = await findConnectionExport(member.db, { exportId, now: 1 })
    assert.ok(stored)
    const pieces = await collect(connectionExportFile(member.db, stored))
    const { rows } = await readWhole(pieces.join(''))
    assert.equal(rows.length, count)
  }
})

test('an export by city has the people who live there, in any spelling of its name', async () => {
  await using world = await createNetworks()
  const member = await world.join()
  const locations = {
    Ann: 'Munich, Germany',
    Ben: 'München',
    Cy: 'Köln',
    Di: 'Yorktown',
    Eve: 'York',
    Flo: 'Münchenbuchsee',
  }
  await member.import(
    Object.entries(locations).map(([name, location]) => ({
      name,
      location,
      labels: [name[0] ?? ''],
    })),
  )
  await member.import([{ name: 'Gus', location: null, company: 'Munich Re' }])
  const tool = exportConnectionsTool({ publicUrl: 'https://weft.example' })
  for (const [input, names] of [
    [{ location: 'München' }, ['Ann', 'Ben']],
    [{ location: 'munich', tag: 'B' }, ['Ben']],
    [{ location: 'Cologne' }, ['Cy']],
    [{ location: 'york' }, ['Eve']],
  ] as const) {
    const { uri, connections } = await member.ask<{ uri: string; connections: number }>(tool, input)
    const stored = await findConnectionExport(member.db, {
      exportId: uri.split('/').at(-1) ?? '',
      now: 1,
    })
    assert.ok(stored)
    const { rows } = await readWhole(
      (await collect(connectionExportFile(member.db, stored))).join(''),
    )
    assert.deepEqual(
      rows.map((row) => ('contact' in row ? row.contact.name : '')),
      names,
    )
    assert.equal(connections, names.length)
  }
  for (const location of ['Munch', 'Yor', '!!!', 'Atlantis', 'Mun'.repeat(60)])
    assert.equal((await member.refused(tool, { location })).code, 'not_found', location)
  const both = await member.refused(tool, { location: 'York', people: ['Eve'] })
  assert.equal(both.code, 'invalid_request')
})
