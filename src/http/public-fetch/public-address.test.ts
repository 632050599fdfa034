import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isPublicAddress } from './public-address.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'

test('addresses of websites are public', () => {
  const hosts = [
    ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
    ['126.255.255.255', '128.0.0.0', '168.63.129.15', '169.253.255.255', '172.15.255.255'],
    ['172.32.0.0', '192.0.1.0', '192.167.255.255', '198.17.255.255', '223.255.255.255'],
    ['2606:4700::1111', '2a00:1450:4001::1', '2001:200::', '2001:db9::', '2003::1', '3ffe::'],
  ]
  for (const address of hosts.flat()) assert.equal(isPublicAddress(address), true, address)
})

test('private, loopback and multicast addresses are not public', () => {
  const special = [
    ['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.255'],
    ['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1'],
    ['192.88.99.1', '192.168.0.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ['239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ['::', '::1', '::127.0.0.1', '100::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1'],
    ['ff02::1', '2001:db8::1', '2001:2::1', '2001:10::1', '3fff::1', '5f00::1', '4000::'],
  ]
  for (const address of special.flat()) assert.equal(isPublicAddress(address), false, address)
})

test('an IPv6 address with an embedded IPv4 address is public only for NAT64 of a public address', () => {
  assert.equal(isPublicAddress('64:ff9b::8.8.8.8'), true)
  assert.equal(isPublicAddress('64:ff9b:0:0:0:0:808:808'), true)
  for (const address of ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'])
    assert.equal(isPublicAddress(address), false, address)
  // Mapped, compatible, translated, local NAT64, 6to4, Teredo.
  for (const prefix of ['::ffff:', '::', '::ffff:0:', '64:ff9b:1::', '2001::'])
    assert.equal(isPublicAddress(`${prefix}8.8.8.8`), false, prefix)
  assert.equal(isPublicAddress('2002:808:808::'), false)
})

test('text that is not an address, or has a zone, is not public', () => {
  for (const text of [
    '',
    'localhost',
    '8.8.8',
    '08.8.8.8',
    '8.8.8.8 ',
    '[2606::1]',
    '2606::1%eth0',
  ])
    assert.equal(isPublicAddress(text), false, text)
})

/** From the registry, as numbers: first address, bits of the network. */
const SPECIAL_IPV4 = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa83f8110, 32],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
] as const

function isSpecial(bits: number): boolean {
  return SPECIAL_IPV4.some(([net, length]) => bits - net >= 0 && bits - net < 2 ** (32 - length))
}

function dotted(bits: number): string {
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.')
}

/** Any address, often in or next to a special network. */
const ipv4 = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(...SPECIAL_IPV4), fc.nat(0xffffff), fc.constantFrom(-1, 0, 1))
    .map(([[net, length], offset, side]) => {
      const size = 2 ** (32 - length)
      const at = side === 0 ? net + (offset % size) : side < 0 ? net - 1 : net + size
      return Math.min(Math.max(at, 0), 0xffffffff)
    }),
)

test('property: an IPv4 address is public if and only if it is in no special network', () => {
  fc.assert(
    fc.property(ipv4, (bits) => {
      assert.equal(isPublicAddress(dotted(bits)), !isSpecial(bits))
    }),
    { numRuns: 2000 },
  )
})

test('property: no IPv6 form makes a non-public address public', () => {
  fc.assert(
    fc.property(ipv4, (bits) => {
      const [high, low] = [bits >>> 16, bits & 0xffff].map((group) => group.toString(16))
      assert.equal(isPublicAddress(`64:ff9b::${dotted(bits)}`), !isSpecial(bits))
      assert.equal(isPublicAddress(`64:ff9b::${high}:${low}`), !isSpecial(bits))
      assert.equal(isPublicAddress(`::ffff:${dotted(bits)}`), false)
      assert.equal(isPublicAddress(`::ffff:${high}:${low}`), false)
      assert.equal(isPublicAddress(`::${dotted(bits)}`), false)
      assert.equal(isPublicAddress(`2002:${high}:${low}::1`), false)
      assert.equal(isPublicAddress(`2001:0:1:2:3:4:${high}:${low}`), false)
    }),
  )
})

test('property: an IPv6 address is public only in 2000::/3 outside its special networks', () => {
  const groups = fc.tuple(
    fc.oneof(fc.nat(0xffff), fc.constantFrom(0x2001, 0x2002, 0x2003, 0x3ffe, 0x3fff, 0x4000)),
    fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000)),
    fc.array(fc.nat(0xffff), { minLength: 6, maxLength: 6 }),
  )
  fc.assert(
    fc.property(groups, ([first, second, rest]) => {
      const special =
        (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
        first === 0x2002 ||
        (first === 0x3fff && second < 0x1000)
      const expected = first >= 0x2000 && first < 0x4000 && !special
      const address = [first, second, ...rest].map((group) => group.toString(16)).join(':')
      assert.equal(isPublicAddress(address), expected)
      assert.equal(isPublicAddress(address.toUpperCase()), expected)
      assert.equal(isPublicAddress(new URL(`http://[${address}]/`).hostname.slice(1, -1)), expected)
    }),
    { numRuns: 2000 },
  )
})

test('property: no text throws', () => {
  fc.assert(
    fc.property(fc.oneof(unicodeText(), fc.ipV6(), fc.ipV4Extended()), (text) => {
      assert.equal(typeof isPublicAddress(text), 'boolean')
    }),
  )
})
