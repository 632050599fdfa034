/** Directory searches at a size where a full scan would be slow: results, rows read, and connections used. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withClient } from '../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, type SeparateStore } from '../../test/support/store.ts'
import { statement, type Statement } from '../db/statement.ts'
import { searchEntries, type PositionedRow, type TextPosition } from './directory-index.ts'
import type { Reader } from '../db/database.ts'

const ENTRIES = 30_000

/** Which entries, by position, have a word besides `everyone`; with a `=`, those that have it in their name. */
const PLACES: Readonly<Record<string, (place: number) => boolean>> = {
  frequent: (place) => place % 5 === 0,
  sometimes: (place) => place % 200 === 1,
  seldom: (place) => place % 1_000 === 2,
  once: (place) => place === 29_000,
  // Among the first and the last entries, so that a scan that starts well does not find all.
  founders: (place) => place < 12 || place > 29_990,
  '=sometimes': (place) => place % 400 === 1,
  '=founders': (place) => place % 9_998 === 0,
}

/** Rows of tables instead of members with profiles, which take a hundred times as long. */
async function fill({ database }: SeparateStore): Promise<void> {
  const ids = Array.from({ length: ENTRIES }, (_, place) => place + 1)
  const terms = ids.map((id) => {
    const has = Object.keys(PLACES).filter((word) => PLACES[word]?.(id - 1))
    return [...new Set([...has.flatMap((word) => [word, word.replace('=', '')]), 'everyone'])]
  })
  const insert = (table: string, columns: string[], rows: (string | number)[][]) =>
    database.write((tx) => tx.insertMany({ table, columns, rows }))
  await insert(
    'members',
    ['member_id', 'username', 'name', 'joined_at', 'updated_at'],
    ids.map((id) => [id, `u${id}`, 'N', 0, 0]),
  )
  await insert(
    'directory_entries',
    ['position', 'member_id', 'username', 'name_key', 'terms'],
    ids.map((id, at) => [id * 10, id, `u${id}`, 'n', ` ${terms[at]?.join(' ')} `]),
  )
  await insert(
    'directory_terms',
    ['term', 'position'],
    ids.flatMap((id, at) => (terms[at] ?? []).map((term) => [term, id * 10])),
  )
}

type Row = PositionedRow<{ username: string }>

async function readAll(
  store: SeparateStore,
  words: readonly string[],
  limit: number,
): Promise<Row[]> {
  const { anonymous } = store.database
  const all: Row[] = []
  let last: TextPosition | null = null
  for (;;) {
    const search = { words, after: last, limit }
    const page: Row[] = await searchEntries(anonymous, 'm.username', search)
    all.push(...page)
    last = page.at(-1) ?? null
    if (page.length < limit) return all
  }
}

/** In the order of the directory: those with the word in their name, then the others. */
function expected(word: string): string[] {
  const places = Array.from({ length: ENTRIES }, (_, place) => place)
  const inName = places.filter((place) => PLACES[`=${word}`]?.(place))
  const others = places.filter((place) => PLACES[word]?.(place) && !inName.includes(place))
  return [...inName, ...others].map((place) => `u${place + 1}`)
}

const postgres = {
  skip: TEST_ENGINE === 'postgres' ? false : 'for PostgreSQL only: reads its query plans',
}

describe('a large directory', () => {
  let store: SeparateStore
  before(async () => {
    store = await createSeparateStore()
    await fill(store)
  })
  after(() => store[Symbol.asyncDispose]())

  test('every page of every word is found, wherever a scan ends and the index takes over', async () => {
    for (const word of ['sometimes', 'seldom', 'once', 'founders'])
      for (const asked of [word, word.slice(0, -2)]) {
        const found = await readAll(store, [asked], 21)
        assert.deepEqual(
          found.map(({ username }) => username),
          expected(word),
          asked,
        )
      }
    const both = await readAll(store, ['frequent', 'sometim'], 7)
    assert.equal(both.length, 0)
    assert.deepEqual(await readAll(store, ['everyone', 'nowhere'], 7), [])
    const first = await searchEntries<{ username: string }>(
      store.database.anonymous,
      'm.username',
      { words: ['frequent'], after: null, limit: 21 },
    )
    assert.deepEqual(
      first.map(({ username }) => username),
      expected('frequent').slice(0, 21),
    )
  })

  test('every search reads only a bounded part of the directory', postgres, async () => {
    await withClient(store.address, (client) =>
      client.query('analyze directory_entries, directory_terms'),
    )
    const { anonymous } = store.database
    const searches: [words: string[], most: number][] = [
      [['nowhere'], 2_100],
      [['onc'], 2_100],
      [['seldom'], 2_200],
      [['everyone', 'nowhere'], 2_100],
      [['seldom', 'e'], 2_200],
      [['sometimes'], 2_600],
      [['frequent'], 2_100],
    ]
    for (const [words, most] of searches) {
      const asked: Asked[] = []
      const search = { words, after: null, limit: 21 }
      await searchEntries(recording(anonymous, asked), 'm.username', search)
      const plans = await Promise.all(asked.map((one) => explain(anonymous, one)))
      const read = plans.reduce((sum, plan) => sum + entriesRead(plan), 0)
      assert.ok(read <= most, `${words.join(' ')}: ${read} entries are read`)
      const scanned = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Seq Scan')
      assert.ok(!scanned.some(isOfEntries))
    }
  })
})

interface Asked {
  readonly text: string
  readonly params: object
}

function recording(reader: Reader, asked: Asked[]): Reader {
  return {
    get: (one, params) => reader.get(one, params),
    all(one, params) {
      asked.push({ text: one.text, params: params as object })
      return reader.all(one, params)
    },
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The actual plan, with the settings of the connections for anonymous callers. */
async function explain(reader: Reader, { text, params }: Asked): Promise<PlanNode> {
  const one: Statement<object, { 'QUERY PLAN': [{ Plan: PlanNode }] }> = statement(
    `explain (analyze, format json) ${text}`,
  )
  const row = await reader.get(one, params)
  assert.ok(row)
  return row['QUERY PLAN'][0].Plan
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isOfEntries({ 'Relation Name': relation }: PlanNode): boolean {
  return relation === 'directory_entries'
}

function entriesRead(plan: PlanNode): number {
  return nodesOf(plan)
    .filter(isOfEntries)
    .map((node) => {
      const dropped =
        (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      return (node['Actual Rows'] + dropped) * node['Actual Loops']
    })
    .reduce((sum, rows) => sum + rows, 0)
}

test('anonymous searches never delay members’ searches', async () => {
  await using store = await createSeparateStore()
  const { anonymous, heavy } = store.database
  const trivial = statement<object, { one: number }>('select 1 as one')
  await Promise.all([anonymous.get(trivial, {}), heavy.get(trivial, {})])
  let ended = 0
  await using lock = await blockSearches(store)
  const searches = Array.from({ length: 5 }, () =>
    anonymous.get(lock.search, {}).then(() => (ended += 1)),
  )
  assert.deepEqual(await heavy.get(trivial, {}), { one: 1 })
  assert.equal(ended, 0)
  await lock.release()
  await Promise.all(searches)
})

interface Held extends AsyncDisposable {
  /** Takes long, or waits until it is released. */
  readonly search: Statement<object, unknown>
  release(): Promise<void>
}

/** PostgreSQL waits for a lock; SQLite has no such lock, so it counts for some seconds. */
async function blockSearches({ address }: SeparateStore): Promise<Held> {
  if (TEST_ENGINE === 'sqlite') {
    const count = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000)
      select count(*) as n from n`
    return { search: statement(count), async release() {}, async [Symbol.asyncDispose]() {} }
  }
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const holder = withClient(address, async (client) => {
    await client.query('select pg_advisory_lock(7)')
    take()
    await released
  })
  await taken
  const release = async () => {
    resolve()
    await holder
  }
  return {
    search: statement('select pg_advisory_xact_lock(7)'),
    release,
    [Symbol.asyncDispose]: release,
  }
}
