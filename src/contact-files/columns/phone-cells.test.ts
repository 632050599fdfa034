import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phonesIn } from './phone-cells.ts'

test('finds the numbers in a cell and their labels', () => {
  const cells: Record<string, readonly (readonly [number: string, label?: string])[]> = {
    'home: 020 7946 0351 / mobile: 07700 900352': [
      ['020 7946 0351', 'home'],
      ['07700 900352', 'mobile'],
    ],
    'Tel.: 089 5550 123; Handy: 0171 5550 124': [['089 5550 123'], ['0171 5550 124', 'mobile']],
    '+44 20 7946 0351 (work)': [['+44 20 7946 0351', 'work']],
    '089/5550123': [['089/5550123']],
    '020 7946 0000, ext. 5': [['020 7946 0000, ext. 5']],
    '020 7946 0000 (ask for Ann)': [['020 7946 0000 (ask for Ann)']],
    'code: 123456': [['code: 123456']],
  }
  for (const [text, expected] of Object.entries(cells))
    assert.deepEqual(
      phonesIn(text),
      expected.map(([number, label]) => (label === undefined ? { number } : { number, label })),
      text,
    )
})
