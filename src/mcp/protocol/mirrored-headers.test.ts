/** Header values as MCP 2026-07-28 encodes them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decodeHeaderValue } from './mirrored-headers.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'

test('reads the examples of the specification', () => {
  const examples = {
    'us-west1': 'us-west1',
    '=?base64?SGVsbG8sIOS4lueVjA==?=': 'Hello, 世界',
    '=?base64?IHBhZGRlZCA=?=': ' padded ',
    '=?base64?bGluZTEKbGluZTI=?=': 'line1\nline2',
    '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=': '=?base64?literal?=',
  }
  for (const [sent, meant] of Object.entries(examples)) {
    assert.equal(decodeHeaderValue(sent), meant)
  }
})

test('a value without both parts of the marker is plain text', () => {
  for (const value of ['', '=?base64?abc', 'YWJj?=', '=?base64?=', '=?BASE64?YWJj?=']) {
    assert.equal(decodeHeaderValue(value), value)
  }
  assert.equal(decodeHeaderValue('=?base64??='), '')
})

test('rejects invalid characters, padding and trailing bits, and bytes that are not UTF-8', () => {
  for (const text of ['YWJ', 'YWI', 'YW==JJ', 'YW-_', 'YWJj\n', 'Y WJj', 'YWJj=', 'QR==', '/w==']) {
    assert.equal(decodeHeaderValue(`=?base64?${text}?=`), undefined, text)
  }
})

test('rejects plain values outside visible ASCII', () => {
  for (const value of ['é', 'a\u0000', 'a\u007f', '世界']) {
    assert.equal(decodeHeaderValue(value), undefined)
  }
})

test('decoding an encoded text returns it unchanged', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      const sent = `=?base64?${Buffer.from(text).toString('base64')}?=`
      assert.equal(decodeHeaderValue(sent), text)
    }),
  )
})
