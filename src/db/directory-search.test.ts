/** Directory searches at a size where a full scan would be slow: results, rows read, and connections used. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withClient } from '../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, type SeparateStore } from '../../test/support/store.ts'
import { statement, type Statement } from './statement.ts'
import type { Reader } from './database.ts'
import type { Found, TextPosition } from './full-text.ts'

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

/** With SQL, which is a hundred times faster than creating members one at a time. */
async function fill({ address }: SeparateStore): Promise<void> {
  const rows = Array.from({ length: ENTRIES }, (_, place) => {
    const has = Object.keys(PLACES).filter((word) => PLACES[word]?.(place))
    return has.flatMap((word) => [word, word.replace('=', '')]).concat('everyone')
  })
  await withClient(address, async (client) => {
    await client.query(
      `insert into members (member_id, username, name, joined_at, updated_at)
       select i, 'u' || i, 'N', 0, 0 from generate_series(1, $1::int) i`,
      [ENTRIES],
    )
    await client.query(
      `insert into directory_entries (position, member_id, username, name_key, terms)
       select i * 10, i, 'u' || i, 'n', array_to_tsvector(string_to_array(words, ' '))
       from unnest($1::text[]) with ordinality as t (words, i)`,
      [rows.map((words) => [...new Set(words)].join(' '))],
    )
    await client.query('analyze directory_entries, directory_head')
  })
}

/** The head ends after this many entries; other steps find those after it. */
async function endHead({ address }: SeparateStore, entries: number): Promise<void> {
  await withClient(address, (client) =>
    client.query('update directory_head_end set position = $1', [entries * 10]),
  )
}

type Row = Found<{ username: string }>

async function readAll(
  store: SeparateStore,
  words: readonly string[],
  limit: number,
): Promise<Row[]> {
  const { anonymous, fullText } = store.database
  const all: Row[] = []
  let last: TextPosition | null = null
  for (;;) {
    const search = { words, after: last, limit }
    const page: Row[] = await fullText.searchMembers(anonymous, 'm.username', search)
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

describe('a large directory', postgres, () => {
  let store: SeparateStore
  before(async () => {
    store = await createSeparateStore()
    await fill(store)
  })
  after(() => store[Symbol.asyncDispose]())

  test('every page of every word is found, wherever a scan ends and the index takes over', async () => {
    for (const entries of [12_000, 0]) {
      await endHead(store, entries)
      for (const word of ['sometimes', 'seldom', 'once', 'founders'])
        for (const asked of [word, word.slice(0, -2)]) {
          const found = await readAll(store, [asked], 21)
          assert.deepEqual(
            found.map(({ username }) => username),
            expected(word),
            `${asked}, a head of ${entries}`,
          )
        }
    }
    const both = await readAll(store, ['frequent', 'sometim'], 7)
    assert.equal(both.length, 0)
    assert.deepEqual(await readAll(store, ['everyone', 'nowhere'], 7), [])
    const first = await store.database.fullText.searchMembers<{ username: string }>(
      store.database.anonymous,
      'm.username',
      { words: ['frequent'], after: null, limit: 21 },
    )
    assert.deepEqual(
      first.map(({ username }) => username),
      expected('frequent').slice(0, 21),
    )
  })

  test('every search reads only a bounded part of the directory', async () => {
    await endHead(store, 12_000)
    const { fullText, anonymous } = store.database
    const searches: [words: string[], most: number, index: string][] = [
      [['nowhere'], 2_100, 'directory_entries_by_keys'],
      [['onc'], 2_100, 'directory_entries_by_keys'],
      [['seldom'], 2_200, 'directory_entries_by_keys'],
      [['everyone', 'nowhere'], 2_100, 'directory_entries_by_keys'],
      [['seldom', 'e'], 2_200, 'directory_entries_by_keys'],
      [['sometimes'], 2_200, 'directory_head_by_keys'],
      [['frequent'], 2_100, 'directory_entries_by_keys'],
    ]
    for (const [words, most, index] of searches) {
      const asked: Asked[] = []
      await fullText.searchMembers(recording(anonymous, asked), 'm.username', {
        words,
        after: null,
        limit: 21,
      })
      const plans = await Promise.all(asked.map((one) => explain(anonymous, one)))
      const read = plans.reduce((sum, plan) => sum + entriesRead(plan), 0)
      assert.ok(read <= most, `${words.join(' ')}: ${read} entries are read`)
      const nodes = plans.flatMap(nodesOf)
      const byIndex = nodes.filter((node) => node['Index Name'] === index)
      assert.ok(
        byIndex.some((node) => node['Actual Loops'] > 0),
        words.join(' '),
      )
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
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
  return relation === 'directory_entries' || relation === 'directory_head'
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
