import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  API_TOKEN_PREFIX,
  hashSecret,
  isWellFormedSecret,
  newSecret,
  secretHint,
} from './secrets.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const isGood = (text: string) => isWellFormedSecret(API_TOKEN_PREFIX, text)

test('a new secret has its prefix, a fixed length, only letters and digits, and is well formed', () => {
  const secrets = Array.from({ length: 200 }, () => newSecret(API_TOKEN_PREFIX))
  for (const secret of secrets) {
    assert.match(secret, /^weft_pat_[0-9A-Za-z]{49}$/)
    assert.ok(isGood(secret))
  }
  assert.equal(new Set(secrets).size, secrets.length)
})

test('a mistyped, missing, repeated or swapped character is detected', () => {
  const secret = newSecret(API_TOKEN_PREFIX)
  const place = fc.integer({ min: 0, max: secret.length - 1 })
  fc.assert(
    fc.property(place, fc.string({ minLength: 1, maxLength: 1 }), (at, typed) => {
      fc.pre(secret[at] !== typed)
      assert.ok(!isGood(secret.slice(0, at) + typed + secret.slice(at + 1)))
      assert.ok(!isGood(secret.slice(0, at) + secret.slice(at + 1)))
      assert.ok(!isGood(secret.slice(0, at) + typed + secret.slice(at)))
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: secret.length - 2 }), (at) => {
      const [one = '', two = ''] = secret.slice(at, at + 2)
      fc.pre(one !== two)
      assert.ok(!isGood(secret.slice(0, at) + two + one + secret.slice(at + 2)))
    }),
  )
})

test('a secret with another prefix, or any other text, is not well formed', () => {
  assert.ok(!isGood(newSecret('weft_xyz_')))
  fc.assert(fc.property(unicodeText(), (text) => !isGood(text)))
})

test('the hash is SHA-256 in hex, and the hint is the prefix and four characters', () => {
  assert.equal(
    hashSecret('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  assert.equal(secretHint('weft_pat_abcdefgh', API_TOKEN_PREFIX), 'weft_pat_abcd')
})
