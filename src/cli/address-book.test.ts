/** weft address-book, with a server of the test. */

import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openCardServer, PASSWORD } from '../../test/fixtures/card-server.ts'
import { phoneCard } from '../../test/fixtures/dav-device.ts'
import { bookDeps, bookSubscriber } from '../../test/fixtures/subscribed-books.ts'
import { createDatabaseLocation } from '../../test/support/store.ts'
import { startTestService } from '../../test/support/service.ts'
import { systemClock } from '../base/clock.ts'
import { runProgram } from './program.ts'

test('an operator adds, lists, pulls and removes an address book; the password is in no output', async () => {
  using server = await openCardServer()
  await using location = await createDatabaseLocation()
  await using service = await startTestService({ database: location.database, jobConcurrency: 0 })
  const { memberId } = await service.addMember()
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
  assert.match(
    (await weft(add, `${PASSWORD}\n`)).output,
    /Subscribed\. A running .* Its first import waits until/,
  )
  const listed = JSON.parse((await weft(['list', '--json'])).output) as Record<string, unknown>
  assert.deepEqual([listed['id'], listed['name'], listed['error']], [1, 'Friends', null])
  assert.match((await weft(['pull', '1'])).output, /reads it .*\nIts first import waits until/)
  const early = await weft(['pull', '1', '--confirm'])
  assert.notEqual(early.code, 0)
  assert.match(early.output, /No import of this address book waits/)
  server.put('a.vcf', phoneCard('a', 'Ann Ames'))
  const deps = { ...bookDeps(service, [server.host]), clock: systemClock }
  const subscriber = bookSubscriber(deps, service.database.member(memberId))
  assert.equal(await subscriber.pullDue(), 1)
  assert.match((await weft(['list'])).output, /confirmation/)
  const confirmed = await weft(['pull', '1', '--confirm'])
  assert.match(confirmed.output, /imports its cards/)
  const [book] = await subscriber.books()
  assert.equal((await subscriber.runJob(book?.jobId ?? 0)).created, 1)
  assert.doesNotMatch((await weft(['pull', '1'])).output, /first import/)
  assert.match((await weft(['remove', '1'])).output, /Removed/)
  for (const command of ['pull', 'remove'])
    assert.match((await weft([command, '1'])).output, /Address book not found/)
})
