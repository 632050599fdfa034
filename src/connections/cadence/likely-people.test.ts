import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { compileForSqlite } from '../../db/statement.ts'
import { recordStatements } from '../../../test/support/recorded.ts'
import { createSeparateStore, TEST_ENGINE } from '../../../test/support/store.ts'
import { listLikelyPeople } from './likely-people.ts'

const SQLITE = { skip: TEST_ENGINE !== 'sqlite' && 'reads the query plans of SQLite' }

/** The steps of subqueries that run again for each person. */
function repeatedSteps(handle: DatabaseSync, text: string): string[] {
  const repeated = new Set<unknown>()
  const steps: string[] = []
  for (const { id, parent, detail } of handle
    .prepare(`explain query plan ${compileForSqlite(text).text}`)
    .all()) {
    const step = String(detail)
    if (repeated.has(parent)) steps.push(step)
    if (step.startsWith('CORRELATED') || repeated.has(parent)) repeated.add(id)
  }
  return steps
}

test(
  'the likeliest people are found without reading a table again for each person',
  SQLITE,
  async () => {
    await using store = await createSeparateStore()
    const texts = new Set<string>()
    const db = recordStatements(store.database, texts).member(1)
    await listLikelyPeople(db, { today: '2026-11-21', familyName: 'x', offset: 0, limit: 10 })
    const handle = new DatabaseSync(store.address.replace('sqlite:', ''), { readOnly: true })
    const steps = [...texts].flatMap((text) => repeatedSteps(handle, text))
    handle.close()
    assert.ok(steps.length > 0, 'notes and tags are counted for each person')
    assert.deepEqual(
      steps.filter((step) => step.endsWith('(member_id=?)')),
      [],
    )
  },
)
