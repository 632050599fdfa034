/**
 * No text that a member or an agent can store or send takes more than linear time. Every reader of text reads each of these
 * units repeated to the length that the limits allow; the time of a longer text shows how it grows. `npm run lint:regex`
 * checks the regular expressions by themselves.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superlinear } from './support/growth.ts'
import { readers, READERS_OF_MANY } from './support/text-readers.ts'

/** Characters that patterns, normalization and parsers treat in a special way, alone and in pairs. */
const UNITS = [
  '\u0301', // a combining mark
  '\u0323\u0301', // two that are sorted
  '\uff9e\u0301', // a letter that becomes a mark
  'ー',
  '\ufe0f',
  '\u{e0061}',
  '1\ufe0f\u20e3',
  '👩\u200d',
  '\ud83d',
  ' ',
  '\u00a0',
  '\u2028',
  '\t',
  '\n',
  '\r',
  '\n ',
  '"',
  '","',
  "' ",
  ',',
  ';',
  ':',
  '=',
  '=0A=\n',
  '\\',
  '<',
  '<a>',
  '[',
  '[$',
  '(',
  ' (a',
  'a.',
  '.',
  'a-',
  '@',
  'a@',
  '/',
  '%',
  '%41',
  '&',
  '#',
  '?',
  '|',
  '`',
  '*',
  '0',
  '12/',
  'a',
  'aB',
  'a ',
  'van ',
  'x1 ',
  '0000-',
  'AGENT.',
  '漢',
  'あ',
  '한',
  'م',
  'ไ',
  'ﷺ',
  'é',
  'İ',
]

const MODULE = new URL('./support/text-readers.ts', import.meta.url).href

/** Generous: what is asserted is how the time grows. */
const TIMEOUT_MS = 1_800_000

test('no reader of text takes more than linear time', { timeout: TIMEOUT_MS }, async () => {
  const all = (await readers()).map(({ name }) => name)
  const names = all.filter((name) => !READERS_OF_MANY.includes(name))
  assert.ok(names.length > 150, String(names.length))
  assert.deepEqual(await superlinear({ module: MODULE, names }, UNITS), [])
  assert.deepEqual(await superlinear({ module: MODULE, names: READERS_OF_MANY }, ['a, ']), [])
})

test('a reader that takes quadratic time is found, whatever it does with the text', async () => {
  const module = `data:text/javascript,${encodeURIComponent(`
    export const readers = async () => [
      { name: 'pattern', length: 10_000, read: (text) => /\\s+$/.test(text) },
      { name: 'slices', length: 20_000, read: (text) => { for (let at = 0; at < text.length; at++) [...text.slice(at, at + 2)]; } },
      { name: 'lookups', length: 12_000, read: (text) => { const seen = []; for (const one of text.split(' ').keys()) if (!seen.includes(one)) seen.push(one) } },
    ]`)}`
  const found = await superlinear({ module, names: ['pattern', 'slices', 'lookups'] }, [' ', 'a'])
  assert.deepEqual(found, ['pattern " "', 'lookups " "'])
})
