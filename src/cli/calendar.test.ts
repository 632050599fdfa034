/** weft calendar, with addresses that this machine must not fetch. */

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createDatabaseLocation } from '../../test/support/store.ts'
import { startTestService } from '../../test/support/service.ts'
import { runProgram } from './program.ts'

test('calendars are listed; addresses inside the network of the server, and unknown calendars, are rejected', async () => {
  await using location = await createDatabaseLocation()
  await using service = await startTestService({ database: location.database })
  await service.addMember()
  const weft = async (args: readonly string[], typed = '') => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const environment = {
      WEFT_DATABASE: location.address,
      WEFT_SECRET_KEY: 'k'.repeat(32),
    }
    const stdin = Readable.from([typed])
    const code = await runProgram(['node', 'weft', 'calendar', ...args, '--member', 'ada'], {
      environment,
      stdin,
      stdout,
      stderr,
      onStop: () => {},
    })
    stdout.end()
    stderr.end()
    return { code, output: (await text(stdout)) + (await text(stderr)) }
  }
  assert.match((await weft(['list'])).output, /ada has no calendars\. Connect one with/)
  const local = await weft(['add'], 'https://localhost/private-abcdefgh.ics\n')
  assert.notEqual(local.code, 0)
  assert.match(local.output, /could not be reached/)
  assert.doesNotMatch(local.output, /abcdefgh/)
  assert.match((await weft(['add'], 'nonsense')).output, /must be the https address/)
  for (const command of ['sync', 'remove'])
    assert.match((await weft([command, '7'])).output, /Calendar not found/)
  assert.match((await weft(['sync', 'x'])).output, /Use an ID of/)
  assert.equal((await weft(['list', '--json'])).output, '')
  if (location.database.engine === 'sqlite')
    assert.throws(() => statSync(`${location.address.replace('sqlite:', '')}.key`))
})
