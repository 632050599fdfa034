import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { wordModel, embedWords } from './word-model.ts'
import { readWordVectors, writeWordVectors } from './word-vectors.ts'

const DATA = new URL('./data/', import.meta.url)

test('texts with similar meanings are closer than others, even without a common word', async () => {
  const model = wordModel()
  const closeness = async (one: string, other: string) => {
    const [a, b] = await model.embed([one, other])
    assert.ok(a && b)
    return a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0)
  }
  for (const [text, near, far] of [
    ['money from investors', 'venture capital fund', 'kitchen and bathroom plumbing'],
    ['doctor for children', 'hospital nurse', 'steel bridge engineer'],
    ['lawyer for patents', 'attorney, intellectual property', 'wind turbine technician'],
  ] as const)
    assert.ok((await closeness(text, near)) > (await closeness(text, far)) + 0.2, text)
})

test('case, accents, punctuation, word order and stop words make no difference', async () => {
  const [plain, other] = await wordModel().embed([
    'investor sao paulo',
    'The INVESTOR, of São Paulo!',
  ])
  assert.deepEqual(other, plain)
})

test('every vector has length 1, or is zero for a text without a known word', async () => {
  const vectors = await wordModel().embed(['venture capital', '', 'who is it', 'xqzzt 王芳 12345'])
  const lengths = vectors.map((vector) => Math.hypot(...vector))
  assert.deepEqual(lengths.map(Math.round), [1, 0, 0, 0])
  assert.ok(Math.abs((lengths[0] ?? 0) - 1) < 1e-6)
})

test('a question is not embedded if the model knows too few of its words', async () => {
  const model = wordModel()
  const [known] = await model.embed(['airplane pilots'])
  assert.deepEqual(await model.embedQuestion?.('who are the airplane pilots'), known)
  for (const question of ['pilotos de avión', 'de la', 'xqzzt qwxk pilots', ''])
    assert.ok(
      (await model.embedQuestion?.(question))?.every((component) => component === 0),
      question,
    )
})

test('the data has the checksum in its README, and is small', async () => {
  const [compressed, readme] = await Promise.all([
    readFile(new URL('words.bin.gz', DATA)),
    readFile(new URL('README.md', DATA), 'utf8'),
  ])
  const bytes = gunzipSync(compressed)
  assert.ok(readme.includes(hash('sha256', bytes)))
  assert.ok(compressed.length < 6 * 1024 * 1024)
  const { places, dimensions } = readWordVectors(bytes)
  assert.deepEqual([places.size, dimensions], [60_000, 100])
})

test('word vectors survive writing and reading, except for rounding to bytes', () => {
  const vector = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), {
    minLength: 3,
    maxLength: 3,
  })
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z\u00df-\u00f6]{2,9}$/), { maxLength: 9 })
  fc.assert(
    fc.property(words, fc.infiniteStream(vector), (names, stream) => {
      const written = names.map((word) => ({ word, vector: stream.next().value }))
      const file = Buffer.from(writeWordVectors(written))
      const { places, components } = readWordVectors(file)
      assert.deepEqual([...places.keys()], names)
      for (const [place, one] of written.entries()) {
        const largest = Math.max(...one.vector.map(Math.abs))
        for (const [at, component] of one.vector.entries()) {
          const read = ((components[place * 3 + at] ?? 0) / 127) * largest
          assert.ok(Math.abs(read - component) <= largest / 254 + 1e-9)
        }
      }
    }),
  )
})

test('a rare word has a higher weight than a frequent one', () => {
  const vectors = Array.from({ length: 100 }, (_, place) => ({
    word: `word${place}`,
    vector: place === 0 ? [1, 0] : [0, 1],
  }))
  const made = readWordVectors(Buffer.from(writeWordVectors(vectors)))
  const [frequent = 0, rare = 0] = embedWords(made, ['word0', 'word99'])
  assert.ok(rare > 10 * frequent && frequent > 0)
})

test('other files and truncated files are rejected', () => {
  const file = Buffer.from(writeWordVectors([{ word: 'word', vector: [1, 2] }]))
  assert.throws(() => readWordVectors(file.subarray(0, -1)), /truncated/)
  assert.throws(() => readWordVectors(Buffer.from('PK'.padEnd(100))), /not a file of word vectors/)
})
