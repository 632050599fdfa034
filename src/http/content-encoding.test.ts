import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encodedAnswer, encodingsOf } from './content-encoding.ts'
import type { Answer } from './response.ts'

const TEXT = 'What is the same for everybody. '.repeat(100)
const ANSWER = {
  status: 200,
  headers: { etag: '"abc"', vary: 'Accept' },
  body: TEXT,
  encodings: encodingsOf(TEXT),
}

const CASES = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.4', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
] as const

for (const [accepted, coding] of CASES)
  test(`a client that accepts ${accepted ?? 'no coding'} gets ${coding ?? 'identity'}`, () => {
    const { headers, body } = encodedAnswer(ANSWER, accepted)
    assert.equal(headers['content-encoding'], coding)
    assert.equal(headers['vary'], 'Accept, Accept-Encoding')
    assert.equal(headers['etag'], coding === undefined ? '"abc"' : `"abc.${coding}"`)
    assert.equal(decoded(body, coding), TEXT)
  })

test('content is compressed only on first use', () => {
  let times = 0
  const br = () => Buffer.from(`${(times += 1)}`)
  const answer = encodedAnswer({ ...ANSWER, encodings: { br, gzip: br } }, 'br')
  assert.deepEqual([answer.headers['etag'], times], ['"abc.br"', 0])
  assert.equal(String(answer.body), '1')
})

function decoded(body: Answer['body'], coding: 'br' | 'gzip' | undefined): string {
  if (coding === undefined) return String(body)
  assert.ok(body instanceof Uint8Array)
  assert.ok(body.length < TEXT.length / 5)
  return String((coding === 'br' ? brotliDecompressSync : gunzipSync)(body))
}
