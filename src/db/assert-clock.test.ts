import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeparateStore } from '../../test/support/store.ts'
import { DAY, MINUTE, systemClock } from '../base/clock.ts'
import { openDatabase, parseDatabaseAddress } from './engines/open.ts'

test('a machine whose clock differs too much from the database server does not open it', async (t) => {
  await using store = await createSeparateStore()
  const address = parseDatabaseAddress(store.address)
  assert.ok(address)
  const now = Date.now.bind(Date)
  const open = async (aheadMs: number) => {
    t.mock.method(Date, 'now', () => now() + aheadMs)
    try {
      const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
      await database[Symbol.asyncDispose]()
    } finally {
      t.mock.restoreAll()
    }
  }
  for (const aheadMs of [0, 4 * MINUTE, -4 * MINUTE]) await open(aheadMs)
  for (const [aheadMs, text] of [
    [40 * DAY, '40 days ahead of'],
    [-3 * DAY, '3 days behind'],
    [-10 * MINUTE, '10 minutes behind'],
  ] as const)
    // SQLite uses the clock of the machine.
    if (address.engine === 'sqlite') await open(aheadMs)
    else
      await assert.rejects(open(aheadMs), {
        code: 'conflict',
        message: `The clock of this machine is ${text} the clock of the database server.`,
        details: {
          hint: 'Synchronize the clocks of both machines, for example with NTP, then start Weft again.',
        },
      })
})
