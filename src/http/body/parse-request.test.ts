import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { isType, parseJson, readQuery } from './parse-request.ts'

const DEEP = 100_000

function refusing(work: () => unknown, code: string, detail: RegExp): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof RequestError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, detail)
    return true
  })
}

test('JSON that the service cannot use is rejected with the reason', () => {
  const cases: readonly [string | Uint8Array, RegExp][] = [
    ['', /empty/],
    [' \n', /empty/],
    ['{"a":', /not valid JSON/],
    ['{"a":NaN}', /not valid JSON/],
    ['{}{}', /not valid JSON/],
    [Uint8Array.of(0x22, 0xff, 0x22), /UTF-8/],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /UTF-8/],
    [String.raw`{"a":["\u0000"]}`, /\/a\/0 must not contain NUL/],
    [String.raw`{"a":"\ud83d"}`, /\/a must not contain/],
    [String.raw`{"\udc00":1}`, /must not contain/],
    ['['.repeat(DEEP) + ']'.repeat(DEEP), /deeper than 64/],
    ['[ '.repeat(DEEP) + '] '.repeat(DEEP), /deeper than 64/],
    [`${'{"a":'.repeat(DEEP)}"\\u0000"${'}'.repeat(DEEP)}`, /deeper than 64/],
    [`${'[ '.repeat(DEEP)}"\\u0000"${']'.repeat(DEEP)}`, /deeper than 64/],
  ]
  for (const [body, detail] of cases)
    refusing(() => parseJson(Buffer.from(body)), 'invalid_request', detail)
})

test('unusual but valid JSON is accepted', () => {
  assert.deepEqual(parseJson(Buffer.from('\ufeff{"a":1}')), { a: 1 })
  assert.equal(parseJson(Buffer.from(String.raw`"\ud83c\udf89"`)), '🎉')
  assert.deepEqual(parseJson(Buffer.from('{"a":1,"a":2}')), { a: 2 })
  const hostile = parseJson(Buffer.from('{"__proto__":{"admin":true}}')) as Record<string, unknown>
  assert.equal(hostile['admin'], undefined)
})

const Query = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 5 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})

test('a query is checked by its schema: the first of repeated parameters counts, and unknown ones are ignored', () => {
  assert.deepEqual(readQuery(Query, 'q=a%20b&per_page=7&x=1'), { q: 'a b', per_page: 7 })
  assert.deepEqual(readQuery(Query, 'q=a&q=bbbbbbbbbb'), { q: 'a' })
  assert.deepEqual(readQuery(Query, ''), {})
  assert.deepEqual(readQuery(Query, '&&==&%zz=%zz'), {})
  for (const text of ['1e9', 'abc', '-1', '0', '101', '1.5', '', '0x10', ' 1', '1'.repeat(400)])
    refusing(() => readQuery(Query, `per_page=${text}`), 'invalid_request', /per_page/)
  refusing(() => readQuery(Query, 'q=%00'), 'invalid_request', /\/q must not contain NUL/)
  refusing(() => readQuery(Query, 'q=aaaaaa'), 'invalid_request', /q must have at most 5/)
})

test('a content type is compared without parameters and case', () => {
  assert.ok(isType('Application/JSON ; charset=utf-8', ['application/json']))
  for (const type of [undefined, '', ';', 'text/json', 'application/json+x'])
    assert.equal(isType(type, ['application/json']), false)
})
