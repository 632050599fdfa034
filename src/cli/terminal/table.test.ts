import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { cutToWidth, formatTable } from './table.ts'
import { say } from './terminal.ts'

test('columns are aligned by the width that a terminal shows', () => {
  const rows = [
    ['东京', 'a'],
    ['한글 이름', 'b'],
    ['👨‍👩‍👧', 'c'],
    ['🇩🇪 ❤️', 'd'],
    ['e\u0301t\u00e9', 'e'],
    ['plain\ttext\u001b[2J', 'f'],
  ]
  const lines = formatTable(['NAME', 'X'], rows).split('\n')
  assert.deepEqual(lines, [
    'NAME            X',
    '东京            a',
    '한글 이름       b',
    '👨‍👩‍👧              c',
    '🇩🇪 ❤️           d',
    'e\u0301t\u00e9             e',
    'plain text [2J  f',
  ])
})

test('a text is cut between characters that fit', () => {
  assert.equal(cutToWidth('东京都', 5), '东京')
  assert.equal(cutToWidth('a👨‍👩‍👧b', 2), 'a')
  assert.equal(cutToWidth('a👨‍👩‍👧b', 3), 'a👨‍👩‍👧')
  assert.equal(cutToWidth('abc', 3), 'abc')
})

test('messages for people cannot move the cursor either', () => {
  const stderr = new PassThrough()
  const terminal = { environment: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr }
  say({ ...terminal, onStop: () => {} }, 'Removed \u001B[2Ja\u202Eb.\nNext: c')
  assert.equal(String(stderr.read()), 'Removed  [2Ja b.\nNext: c\n')
})
