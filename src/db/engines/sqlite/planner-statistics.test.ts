import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { readMigrations } from '../../migrate.ts'
import { migrateSqlite } from './run-migrations.ts'

const MIGRATIONS = await readMigrations('sqlite')

interface TestFile extends AsyncDisposable {
  readonly path: string
}

async function createFile(): Promise<TestFile> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-planner-'))
  const path = join(folder, 'weft.db')
  migrateSqlite(path, MIGRATIONS, 0)
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

function statisticsIn(path: string): Map<unknown, unknown> {
  using handle = new DatabaseSync(path)
  const rows = handle.prepare('select idx, stat from sqlite_stat1').all()
  return new Map(rows.map(({ idx, stat }) => [idx, stat]))
}

/** Each with the index that it must use. Without statistics, SQLite reads all rows of the member. */
const SEARCHES = {
  'select * from notes where member_id = 1 and connection_id = 2': 'notes_by_connection',
  "select * from json_each('[2]') e cross join connection_tags t on t.connection_id = e.value where t.member_id = 1":
    'connection_tags_by_connection',
  'update follow_ups set connection_id = 3 where member_id = 1 and connection_id = 2':
    'follow_ups_by_connection',
  'select * from notes where member_id = 1 and connection_id = 2 and note_id < 9 order by note_id desc':
    'notes_by_connection',
  "select member_id from members where role = 'admin'": 'members_by_admin_role',
}

test('rows of one connection are found by its index', async () => {
  await using file = await createFile()
  using handle = new DatabaseSync(file.path)
  for (const [sql, index] of Object.entries(SEARCHES)) {
    const plan = handle.prepare(`explain query plan ${sql}`).all()
    const lines = plan.map(({ detail }) => String(detail))
    assert.ok(
      lines.some((line) => line.includes(`INDEX ${index} `) || line.endsWith(index)),
      `${sql}\n${lines.join('\n')}`,
    )
  }
})

test('every index has statistics, also in a file that had none', async () => {
  await using file = await createFile()
  const all = statisticsIn(file.path)
  assert.ok(all.size > 50, `${all.size} indexes`)
  {
    using handle = new DatabaseSync(file.path)
    handle.exec('delete from sqlite_stat1')
  }
  migrateSqlite(file.path, MIGRATIONS, 0)
  assert.deepEqual(statisticsIn(file.path), all)
})

test('statistics of analyze stay', async () => {
  await using file = await createFile()
  {
    using handle = new DatabaseSync(file.path)
    handle.exec("update sqlite_stat1 set stat = '7 7 7 1' where idx = 'notes_by_connection'")
  }
  migrateSqlite(file.path, MIGRATIONS, 0)
  assert.equal(statisticsIn(file.path).get('notes_by_connection'), '7 7 7 1')
})
