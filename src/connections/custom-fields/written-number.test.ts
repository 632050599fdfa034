import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenNumberIn } from './written-number.ts'

const READ: readonly (readonly [text: string, number: string])[] = [
  ['$1,234.50', '1234.50'],
  ['1.234,50 €', '1234.50'],
  ['1 234,50', '1234.50'],
  ['1\u202f234,50\u00a0€', '1234.50'],
  ['(1,200)', '-1200'],
  ['($1,200.00)', '-1200.00'],
  ['12.5%', '12.5'],
  ['12,5 %', '12.5'],
  ["CHF 1'234.50", '1234.50'],
  ['US$ 900', '900'],
  ['R$ 1.234,56', '1234.56'],
  ['USD 1,000', '1000'],
  ['1.000 €', '1000'],
  ['-€5', '-5'],
  ['€ -5', '-5'],
  ['1.234,50-', '-1234.50'],
  ['−7', '-7'],
  ['12,34,567.00', '1234567.00'],
  ['1.234.567', '1234567'],
  ['1 234 zł', '1234'],
  ['250 kr', '250'],
  ['１２３', '123'],
  ['0,125', '0.125'],
  ['1.234', '1.234'],
  ['1,5', '1.5'],
  ['¥120,000', '120000'],
]

for (const [text, number] of READ)
  test(`${text} is ${number}`, () => {
    assert.equal(writtenNumberIn(text), number)
  })

for (const text of [
  '',
  '1,234',
  '12 apples',
  '1,23,4',
  '1.2.3',
  '1,2.3,4',
  '10-20',
  '3/4',
  '$',
  '()',
  '5 kg',
  '1 2',
  '2024-01-01',
  '1 23',
  '1,234,56,789',
  'A1',
  '--5',
  '12abc',
])
  test(`${text === '' ? 'nothing' : text} is no certain number`, () => {
    assert.equal(writtenNumberIn(text), undefined)
  })
