import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConnectionsTool } from '../../test/fixtures/search.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../test/fixtures/network.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { contactTimesOf } from '../connections/last-contact/read-contact-times.ts'
import type { PageOfConnections } from '../connections/search/connection-page.ts'

async function found(member: Acting, query: string): Promise<string[]> {
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool, { query })
  return connections.map(({ name }) => name).toSorted()
}

/** A person of LinkedIn's archive with the days of the last messages. */
function founder(name: string, ...days: readonly string[]) {
  return {
    name,
    title: 'Founder',
    location: 'Berlin, Germany',
    profileUrl: `https://www.linkedin.com/in/${name.toLowerCase()}`,
    ...(days.length > 0 && {
      details: { interactions: days.map((on) => ({ kind: 'message', on })) },
    }),
  }
}

test('message days show who has not been contacted, and importing the same archive again adds nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const archive = [
    founder('Ann', '2026-08-03'),
    founder('Bea', '2026-01-29'),
    founder('Cy'),
    founder('Dee', '2026-01-29', '2025-02-01'),
  ]
  await member.import(archive)
  const silent = "founders in Berlin I haven't spoken to since March"
  assert.deepEqual(await found(member, silent), ['Bea', 'Cy', 'Dee'])
  const before = await rowsOf(world, member, 'connections')
  const contacts = await rowsOf(world, member, 'interactions')
  assert.deepEqual(
    await member.import(archive, { jobId: 2 }),
    archive.map(() => 'unchanged'),
  )
  assert.deepEqual(await rowsOf(world, member, 'connections'), before)
  assert.deepEqual(await rowsOf(world, member, 'interactions'), contacts)
  await member.import([founder('Bea', '2026-10-01')], { jobId: 3 })
  assert.deepEqual(await found(member, silent), ['Cy', 'Dee'])
  const times = await contactTimesOf(member.db, [1, 2, 3, 4])
  assert.deepEqual(
    [1, 2, 3, 4].map((id) => times.get(id)?.lastContactOn),
    ['2026-08-03', '2026-10-01', undefined, '2026-01-29'],
  )
  assert.equal((await rowsOf(world, member, 'interactions')).length, 5)
  assert.deepEqual(await rowsOf(world, member, 'notes'), [])
})

test('a note without a date is no contact, imported or typed; one with a date is', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const note = 'Met at a conference'
  await member.import([{ ...founder('Ann'), note }, founder('Bea'), founder('Cy')])
  const silent = "founders in Berlin I haven't talked to in six months"
  assert.deepEqual(await found(member, silent), ['Ann', 'Bea', 'Cy'])
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Called' })
  await member.ask(saveNoteTool, { people: 'c_3', text: 'Wrote', on: '2025-12-01' })
  assert.deepEqual(await found(member, silent), ['Ann', 'Bea', 'Cy'])
  await member.ask(saveNoteTool, { note_id: 'n_1', on: '2026-11-02' })
  assert.deepEqual(await found(member, silent), ['Bea', 'Cy'])
  assert.deepEqual(await found(member, 'founders in Berlin I talked to this month'), ['Ann'])
})

test('a column with the last contact adds a day only if nothing else happened on it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const on = '2026-03-04'
  const last = { kind: 'other', on, isLastContact: true as const }
  const call = { kind: 'call', on, subject: 'Roof' }
  await member.import([
    { name: 'Ann', details: { interactions: [last, call] } },
    { name: 'Ben', details: { interactions: [last, { ...last, on: '2026-01-01' }] } },
  ])
  const kinds = async () =>
    (await rowsOf(world, member, 'interactions')).map(({ kind }) => String(kind)).toSorted()
  assert.deepEqual(await kinds(), ['call', 'other', 'other'])
  await member.import([{ name: 'Ann', details: { interactions: [last] } }], { jobId: 2 })
  assert.deepEqual(await kinds(), ['call', 'other', 'other'])
})
