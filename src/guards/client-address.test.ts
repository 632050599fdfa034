import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressReader, UNKNOWN_ADDRESS } from './client-address.ts'

/** A socket that reports this remote address. */
function socketOf(address: string | undefined): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
}

function requestFrom(peer: string | undefined, forwarded?: string): IncomingMessage {
  const request = new IncomingMessage(socketOf(peer))
  if (forwarded !== undefined) request.headers = { 'x-forwarded-for': forwarded }
  return request
}

function addressOf(peer: string | undefined, forwarded?: string, trusted: string[] = []): string {
  return addressReader(trusted)(requestFrom(peer, forwarded))
}

const PROXIES = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8:ffff::1']

test('without proxies, the address is that of the peer, regardless of headers', () => {
  assert.equal(addressOf('203.0.113.7'), '203.0.113.7')
  assert.equal(addressOf('203.0.113.7', '198.51.100.1'), '203.0.113.7')
  assert.equal(addressOf('2001:db8:1:2::5', '198.51.100.1'), '2001:db8:1:2::/64')
})

test('a peer that is not a trusted proxy cannot claim another address', () => {
  for (const peer of ['203.0.113.7', '11.0.0.1', '192.0.2.2'])
    assert.equal(addressOf(peer, '198.51.100.1', PROXIES), peer)
  assert.equal(addressOf('2001:db8:ffff::2', '198.51.100.1', PROXIES), '2001:db8:ffff::/64')
})

test('behind trusted proxies, the address is the rightmost one that is not a proxy', () => {
  const behind = (forwarded: string) => addressOf('10.0.0.1', forwarded, PROXIES)
  assert.equal(behind('203.0.113.7'), '203.0.113.7')
  assert.equal(behind('203.0.113.7, 192.0.2.1,fd12::1 , 10.9.9.9'), '203.0.113.7')
  assert.equal(behind('198.51.100.1, 203.0.113.7'), '203.0.113.7')
  assert.equal(behind('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressOf('fd00::1', '203.0.113.7', PROXIES), '203.0.113.7')
  assert.equal(addressOf('2001:db8:ffff::1', '203.0.113.7', PROXIES), '203.0.113.7')
})

test('without a forwarded address, the client is the proxy itself', () => {
  assert.equal(addressOf('10.0.0.1', undefined, PROXIES), '10.0.0.1')
  assert.equal(addressOf('10.0.0.1', '', PROXIES), '10.0.0.1')
  assert.equal(addressOf('10.0.0.1', '10.0.0.3, 10.0.0.2', PROXIES), '10.0.0.3')
})

test('an invalid address ends the search at the last valid one', () => {
  for (const nonsense of [
    'unknown',
    '_hidden',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.5',
    '',
    '[',
    '::1]',
    'ﬁ',
  ])
    assert.equal(addressOf('10.0.0.1', `203.0.113.7, ${nonsense}, 10.0.0.2`, PROXIES), '10.0.0.2')
})

test('ports and brackets that proxies add are not part of the address', () => {
  const behind = (forwarded: string) => addressOf('10.0.0.1', forwarded, PROXIES)
  assert.equal(behind('203.0.113.7:49152'), '203.0.113.7')
  assert.equal(behind('[2001:db8:1:2::5]:49152'), '2001:db8:1:2::/64')
  assert.equal(behind('[2001:db8:1:2::5]'), '2001:db8:1:2::/64')
})

test('each request on a proxy connection is evaluated separately', () => {
  const read = addressReader(PROXIES)
  const socket = socketOf('10.0.0.1')
  const forwardedBy = (client: string) => {
    const request = new IncomingMessage(socket)
    request.headers = { 'x-forwarded-for': client }
    return read(request)
  }
  assert.equal(forwardedBy('203.0.113.7'), '203.0.113.7')
  assert.equal(forwardedBy('198.51.100.1'), '198.51.100.1')
})

test('an IPv4-mapped address is the IPv4 one, as a peer, as a proxy and in the header', () => {
  assert.equal(addressOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(addressOf('::ffff:cb00:7107'), '203.0.113.7')
  assert.equal(addressOf('::ffff:10.0.0.1', '::ffff:203.0.113.7', PROXIES), '203.0.113.7')
  assert.equal(addressOf('10.0.0.1', '203.0.113.7', ['::ffff:10.0.0.0/104']), '203.0.113.7')
})

test('all peers without an IP address count as one', () => {
  assert.equal(addressOf(undefined), UNKNOWN_ADDRESS)
  assert.equal(addressOf(undefined, '203.0.113.7', PROXIES), UNKNOWN_ADDRESS)
})

test('a network has one canonical form', () => {
  const networks = [
    ['2001:DB8:0001:0002:0:0:0:5', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8::/64'],
    ['2001:db8:0:10::5', '2001:db8:0:10::/64'],
    ['2001::1:2:3:4:5', '2001:0:0:1::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['::', '::/64'],
  ] as const
  for (const [address, network] of networks) assert.equal(addressOf(address), network)
})

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const groups = fc.array(group, { minLength: 4, maxLength: 4 })

/** The parser of the URL standard shortens IPv6 addresses; its zeros are at other places than in the long form. */
function shortened(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

test('IPv6 addresses are one client if and only if their first 64 bits are equal', () => {
  const network = groups.map(([first, ...rest]) => [`2${first?.slice(1) ?? ''}`, ...rest].join(':'))
  fc.assert(
    fc.property(network, network, groups, groups, (one, other, hostA, hostB) => {
      const address = addressOf(`${one}:${hostA.join(':')}`)
      assert.equal(addressOf(shortened(`${one}:${hostB.join(':')}`)), address)
      assert.equal(addressOf(`${other}:${hostA.join(':')}`) === address, one === other)
    }),
  )
})

const trusted = fc.constantFrom('10.1.2.3', '192.0.2.1', 'fd00::1', '::ffff:10.0.0.9')
const untrusted = fc.constantFrom('203.0.113.7', '198.51.100.1', '2001:db8:1:2::5', '11.0.0.1')
const nonsense = fc.constantFrom(
  'unknown',
  '',
  '999.1.1.1',
  '10.0.0.0/8',
  ':::',
  '10.1.2.3 10.1.2.3',
)

test('the search skips only trusted proxies, from the right, while there are addresses', () => {
  const entry = fc.oneof(
    trusted.map((address) => ({ address, kind: 'trusted' })),
    untrusted.map((address) => ({ address, kind: 'untrusted' })),
    nonsense.map((address) => ({ address, kind: 'nonsense' })),
  )
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const chain = [{ address: '10.0.0.1', kind: 'trusted' }]
      for (const one of entries.toReversed()) {
        if (one.kind === 'nonsense' || chain.at(-1)?.kind === 'untrusted') break
        chain.push(one)
      }
      const forwarded = entries.map(({ address }) => address).join(', ')
      const found = addressOf('10.0.0.1', forwarded, PROXIES)
      assert.equal(found, addressOf(chain.at(-1)?.address))
    }),
  )
})

test('any header value results in an address', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 6 }).map(String),
  )
  fc.assert(
    fc.property(header, fc.oneof(trusted, untrusted), (forwarded, peer) => {
      assert.match(addressOf(peer, forwarded, PROXIES), /^(?:[\d.]{7,15}|[0-9a-f:]*::\/64)$/)
    }),
  )
})
