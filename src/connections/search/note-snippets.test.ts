import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertDrafts } from '../../records/recorded-table.ts'
import { NOTES } from '../notes/notes.ts'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import type { MemberReader } from '../../db/database.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import type { PageOfMatches } from './connection-page.ts'
import { FIRST_NOTES, noteSnippetsOf } from './show.ts'

const NOTE_COUNT = 2000

test('a note that says it in another language has a snippet', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = [
    { name: 'Gisela Vossberg', note: 'Mama. Blutgruppe A neg.' },
    { name: 'Rui Sousa', note: 'Traz sempre vinho. Energia solar.' },
  ]
  await member.ask(addConnectionsTool, { connections: people })
  const snippets = async (query: string) => {
    const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    return connections.map(({ snippet }) => snippet)
  }
  assert.deepEqual(await snippets('mother'), ['Mama. Blutgruppe A neg.'])
  assert.deepEqual(await snippets('solar power'), ['Traz sempre vinho. Energia solar.'])
})

test('of a person with many notes, only the newest are read, and older ones until one matches', async () => {
  await using world = await openSharedWorld()
  const { db, ...member } = await world.join()
  await member.import([{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }])
  const texts: (readonly [number, string])[] = Array.from(
    { length: NOTE_COUNT },
    (_, at) => [1, `plan ${at}`] as const,
  )
  texts.push([2, 'plan 7'], [2, 'plan 8'])
  await db.write((tx) =>
    insertDrafts(
      NOTES,
      tx,
      texts.map(([connectionId, text]) => ({
        connectionId,
        text,
        happenedOn: null,
        origin: 'typed' as const,
        createdAt: 1,
      })),
    ),
  )
  let rows = 0
  const counting: MemberReader = {
    memberId: db.memberId,
    get: (...args) => db.get(...args),
    async all(...args) {
      const read = await db.all(...args)
      rows += read.length
      return read
    },
  }
  const find = async (pattern: RegExp) => {
    rows = 0
    const snippets = await noteSnippetsOf(counting, [1, 2, 3], (text) => pattern.exec(text)?.[0])
    return [Object.fromEntries(snippets), rows]
  }
  assert.deepEqual(await find(/plan \d+/), [
    { 1: `plan ${NOTE_COUNT - 1}`, 2: 'plan 8' },
    FIRST_NOTES + 2,
  ])
  assert.deepEqual(await find(/plan 1900$/), [{ 1: 'plan 1900' }, 5 * FIRST_NOTES + 2])
  assert.deepEqual(await find(/plan 7$/), [{ 1: 'plan 7', 2: 'plan 7' }, NOTE_COUNT + 2])
  assert.deepEqual(await find(/nothing/), [{}, NOTE_COUNT + 2])
  assert.deepEqual(await noteSnippetsOf(counting, [], String), new Map())
})
