import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'
import { lookupAllowed } from './public-fetch.ts'
import type { LookupAddress } from 'node:dns'

/** What a connection to a name with these addresses is given to connect to; undefined where it is to connect to none. */
function connectable(...addresses: string[]): LookupAddress[] | undefined {
  let given: LookupAddress[] | undefined
  let asked = 0
  const lookup = lookupAllowed(isPublicAddress, (_hostname, _options, callback) => {
    asked += 1
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const unknown = addresses.length === 0 ? new Error('ENOTFOUND') : null
    callback(unknown, found)
  })
  lookup('app.example', {}, (error, found) => {
    if (!error && typeof found !== 'string') given = found
  })
  assert.equal(asked, 1)
  return given
}

test('a name is connected to by all of its addresses, if every one is public', () => {
  assert.deepEqual(connectable('8.8.8.8'), [{ address: '8.8.8.8', family: 4 }])
  assert.deepEqual(connectable('2606:4700::1111', '8.8.8.8'), [
    { address: '2606:4700::1111', family: 6 },
    { address: '8.8.8.8', family: 4 },
  ])
})

test('a name with one address that is not public, or with none, is not connected to', () => {
  assert.equal(connectable('127.0.0.1'), undefined)
  assert.equal(connectable('8.8.8.8', '10.0.0.1'), undefined)
  assert.equal(connectable('10.0.0.1', '8.8.8.8'), undefined)
  assert.equal(connectable('8.8.8.8', '::ffff:8.8.8.8'), undefined)
  assert.equal(connectable('2606:4700::1111', 'fe80::1%eth0'), undefined)
  assert.equal(connectable(), undefined)
})
