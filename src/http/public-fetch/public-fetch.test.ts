import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'
import { lookupAllowed } from './public-fetch.ts'
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
