import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestBytes, Wire } from '../../../test/support/wire.ts'
import { readBody } from './read-body.ts'
import type { AddressInfo } from 'node:net'
import { HUNG_MS } from '../../../test/support/hung.ts'

const BODY = { kind: 'bytes', types: ['*/*'], maxBytes: 100 } as const
const admitLarge = () => Promise.resolve()

for (const [framing, sent] of [
  [{ 'content-length': '5' }, 'hello'],
  [{ 'content-length': '5' }, 'hel'],
  [{ 'content-length': '0' }, ''],
  [{ 'transfer-encoding': 'chunked' }, '5\r\nhello\r\n0\r\n\r\n'],
] as const)
  test(`reading a body after the client has left ends at once: ${JSON.stringify(framing)} ${sent.length}`, async () => {
    const outcome = Promise.withResolvers<string>()
    await using server = createServer((request, response) => {
      request.once('close', () => {
        const timeout = sleep(HUNG_MS, 'still waiting', { ref: false })
        const reading = readBody(BODY, request, response, { admitLarge }).then(
          String,
          () => 'failed',
        )
        void Promise.race([reading, timeout]).then(outcome.resolve)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    using wire = await Wire.open((server.address() as AddressInfo).port)
    wire.send(requestBytes('POST', '/', framing, sent))
    await once(server, 'request')
    wire.socket.destroy()
    assert.notEqual(await outcome.promise, 'still waiting')
  })
