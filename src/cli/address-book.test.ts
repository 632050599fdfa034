/** weft address-book, with a server of the test. */

import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openCardServer, PASSWORD } from '../../test/fixtures/card-server.ts'
import { createDatabaseLocation } from '../../test/support/store.ts'
import { startTestService } from '../../test/support/service.ts'
import { runProgram } from './program.ts'

test('an operator adds, lists, pulls and removes an address book; the password is in no output', async () => {
  using server = await openCardServer()
  await using location = await createDatabaseLocation()
  await using service = await startTestService({ database: location.database, jobConcurrency: 0 })
  await service.addMember()
  const weft = async (args: readonly string[], typed = '') => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const environment = {
      WEFT_DATABASE: location.address,
      WEFT_SECRET_KEY: 'k'.repeat(32),
      WEFT_WEBHOOK_HOSTS: server.host,
    }
    const command = ['node', 'weft', 'address-book', ...args, '--member', 'ada']
    const stdin = Readable.from([typed])
    const code = await runProgram(command, { environment, stdin, stdout, stderr, onStop: () => {} })
    stdout.end()
    stderr.end()
    const output = (await text(stdout)) + (await text(stderr))
    assert.ok(!output.includes(PASSWORD))
    return { code, output }
  }
  assert.match((await weft(['list'])).output, /ada has no address books\. Subscribe to one with/)
  const add = ['add', '--server', server.address, '--username', 'ada']
  const wrong = await weft(add, 'wrong\n')
  assert.notEqual(wrong.code, 0)
  assert.match(wrong.output, /does not accept the user name and password/)
  const inside = await weft(['add', '--server', 'http://127.0.0.1/', '--username', 'ada'], 'x\n')
  assert.match(inside.output, /must be the https address/)
  assert.match((await weft(add, `${PASSWORD}\n`)).output, /Subscribed\. A running/)
  const listed = JSON.parse((await weft(['list', '--json'])).output) as Record<string, unknown>
  assert.deepEqual([listed['id'], listed['name'], listed['error']], [1, 'Friends', null])
  assert.equal((await weft(['pull', '1'])).code, 0)
  assert.match((await weft(['remove', '1'])).output, /Removed/)
  for (const command of ['pull', 'remove'])
    assert.match((await weft([command, '1'])).output, /Address book not found/)
})
