import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeparateStore } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { DAY, MINUTE, systemClock } from '../base/clock.ts'
import { openDatabase } from './engines/open.ts'
import { parseDatabaseAddress } from './database-address.ts'
import { openSharedClock } from './shared-clock.ts'

test('a machine whose clock differs too much from the database server uses the clock of the server', async (t) => {
  await using store = await createSeparateStore()
  const address = parseDatabaseAddress(store.address)
  assert.ok(address)
  const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
  await using _ = database
  const now = Date.now.bind(Date)
  const differenceOf = async (aheadMs: number) => {
    t.mock.method(Date, 'now', () => now() + aheadMs)
    const warnings: string[] = []
    const log = createLog('warn', { write: (line) => void warnings.push(line) })
    const clock = await openSharedClock(database, systemClock, log)
    const difference = clock.now() - now()
    t.mock.restoreAll()
    return { difference, warnings }
  }
  for (const aheadMs of [0, 4 * MINUTE, -4 * MINUTE]) {
    const { difference, warnings } = await differenceOf(aheadMs)
    assert.ok(Math.abs(difference - aheadMs) < MINUTE)
    assert.deepEqual(warnings, [])
  }
  for (const [aheadMs, text] of [
    [40 * DAY, '40 days ahead of'],
    [-3 * DAY, '3 days behind'],
    [-10 * MINUTE, '10 minutes behind'],
    [80 * MINUTE, '80 minutes ahead of'],
  ] as const) {
    const { difference, warnings } = await differenceOf(aheadMs)
    // SQLite uses the clock of the machine.
    if (address.engine === 'sqlite') assert.deepEqual(warnings, [])
    else {
      assert.ok(Math.abs(difference) < MINUTE)
      assert.equal(warnings.length, 1)
      assert.ok(warnings[0]?.includes(`${text} the clock of the database server`))
    }
  }
})
