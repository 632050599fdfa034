import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import { isPublicAddress } from './public-address.ts'
import { FetchFailure, fetchPublic, lookupAllowed } from './public-fetch.ts'
import type { LookupAddress } from 'node:dns'

/** The addresses offered to the connection for a name with these addresses; undefined if the lookup fails. */
async function connectable(...addresses: string[]): Promise<LookupAddress[] | undefined> {
  let asked = 0
  const lookup = lookupAllowed(isPublicAddress, async () => {
    asked += 1
    if (addresses.length === 0) throw new Error('ENOTFOUND')
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  })
  const given = await new Promise<LookupAddress[] | undefined>((resolve) =>
    lookup('app.example', {}, (error, found) =>
      resolve(error || typeof found === 'string' ? undefined : found),
    ),
  )
  assert.equal(asked, 1)
  return given
}

test('a name with only public addresses is connected to', async () => {
  assert.deepEqual(await connectable('8.8.8.8'), [{ address: '8.8.8.8', family: 4 }])
  assert.deepEqual(await connectable('2606:4700::1111', '8.8.8.8'), [
    { address: '2606:4700::1111', family: 6 },
    { address: '8.8.8.8', family: 4 },
  ])
})

test('a name with a non-public address, or with none, is not connected to', async () => {
  assert.equal(await connectable('127.0.0.1'), undefined)
  assert.equal(await connectable('8.8.8.8', '10.0.0.1'), undefined)
  assert.equal(await connectable('10.0.0.1', '8.8.8.8'), undefined)
  assert.equal(await connectable('8.8.8.8', '::ffff:8.8.8.8'), undefined)
  assert.equal(await connectable('2606:4700::1111', 'fe80::1%eth0'), undefined)
  assert.equal(await connectable(), undefined)
})

test('every answer ends the request, also a change of protocol that no one asked for', async () => {
  const ANSWERS = [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000),
    'no HTTP\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello',
    '',
  ]
  const answers = ANSWERS.values()
  const server = createServer((socket) => {
    const answer = answers.next().value ?? ''
    socket.on('error', () => {}).once('data', () => socket.write(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
  const policy = { isAllowedAddress: () => true, certificateAuthority: undefined, nameServers: [] }
  const pool = new OutgoingPool({ timeLimitMs: 200 })
  for (const answer of ANSWERS)
    await assert.rejects(
      pool.run({ memberId: 1, host: url.host }, (permit) =>
        fetchPublic(permit, url, policy, { headers: {}, maxBytes: 1000 }),
      ),
      FetchFailure,
      answer.slice(0, 40),
    )
  assert.equal(pool.usage.used, 0)
  server.close()
})
