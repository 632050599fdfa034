import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { RequestError } from '../base/request-error.ts'
import { createMember } from '../members/member.ts'
import { createStore } from '../../test/support/store.ts'
import { requestFingerprint, readIdempotencyKey, requestKey } from './idempotency-key.ts'
import {
  findAnonymousAnswer,
  findAnswer,
  recordAnonymousAnswer,
  recordAnswer,
  REPLAY_WINDOW,
  sweepIdempotencyRecords,
} from './idempotency-record.ts'
import { createInFlight } from './in-flight.ts'

const KEY = { scope: 'tok_1', surface: 'mcp/v1', key: 'k', fingerprint: 'f' }

function refused(header: string): boolean {
  try {
    readIdempotencyKey(header)
    return false
  } catch (error) {
    assert.ok(error instanceof RequestError && error.code === 'idempotency_key_invalid')
    return true
  }
}

test('a key is 1 to 255 visible characters, quoted or not', () => {
  assert.equal(readIdempotencyKey(undefined), undefined)
  assert.equal(readIdempotencyKey(' 8e03978e-40d5 '), '8e03978e-40d5')
  assert.equal(readIdempotencyKey('"8e03978e-40d5"'), '8e03978e-40d5')
  assert.equal(readIdempotencyKey(String.raw`"a\"b\\c"`), String.raw`a"b\c`)
  assert.equal(readIdempotencyKey('x'.repeat(255))?.length, 255)
  assert.equal(readIdempotencyKey(`"${'x'.repeat(255)}"`)?.length, 255)
  for (const wrong of ['', ' ', '""', 'x'.repeat(256), 'a b', '"a b"', '"a', '"a\\x"', 'é', 'a\tb'])
    assert.ok(refused(wrong), JSON.stringify(wrong))
})

test('every visible key is parsed unchanged, bare or as an RFC 8941 string', () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 255,
  })
  fc.assert(
    fc.property(visible, (key) => {
      const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      assert.equal(readIdempotencyKey(quoted), key)
      if (!key.startsWith('"')) assert.equal(readIdempotencyKey(key), key)
    }),
  )
})

test('a fingerprint depends on everything except the order of members', () => {
  assert.equal(
    requestFingerprint({ a: 1, b: { c: [1, 2], d: null } }),
    requestFingerprint({ b: { d: null, c: [1, 2] }, a: 1 }),
  )
  const others = [
    { a: [1, 2] },
    { a: [2, 1] },
    { a: '1' },
    { a: 1 },
    { a: null },
    {},
    [],
    null,
    undefined,
  ]
  assert.equal(new Set(others.map(requestFingerprint)).size, others.length)
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
      assert.equal(requestFingerprint(one) === requestFingerprint(other), same)
    }),
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['array', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, sorted(one)])
  return ['object', ...members.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))]
}

test('a key applies only to its own scope, surface and position in a batch', () => {
  const hashes = [
    requestKey(KEY),
    requestKey({ ...KEY, surface: 'jobs' }),
    requestKey({ ...KEY, key: 'l' }),
    requestKey({ ...KEY, index: 1 }),
  ].map(({ keyHash }) => keyHash)
  assert.equal(new Set(hashes).size, hashes.length)
  assert.ok(hashes.every((one) => /^[0-9a-f]{64}$/.test(one)))
})

test('a response is kept for a day for its member and scope, and can be replaced afterwards', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const [ada, grace] = await database.write(async (tx) => [
    (await createMember(tx, { username: 'ada', name: 'Ada' }, 0)).memberId,
    (await createMember(tx, { username: 'grace', name: 'Grace' }, 0)).memberId,
  ])
  assert.ok(ada !== undefined && grace !== undefined)
  const [mine, others] = [database.member(ada), database.member(grace)]
  const key = requestKey(KEY)
  const now = clock.now()
  await mine.write((tx) => recordAnswer(tx, key, 'first', now))
  assert.equal(await findAnswer(mine, key, now), 'first')
  assert.equal(await findAnswer(others, key, now), undefined)
  assert.equal(await findAnswer(mine, { ...key, scope: 'tok_2' }, now), undefined)
  await assert.rejects(findAnswer(mine, { ...key, fingerprint: 'g' }, now), {
    code: 'idempotency_key_reused',
    status: 422,
  })
  await assert.rejects(mine.write((tx) => recordAnswer(tx, key, 'second', now)))
  const later = now + REPLAY_WINDOW
  assert.equal(await findAnswer(mine, key, later - 1), 'first')
  assert.equal(await findAnswer(mine, key, later), undefined)
  await mine.write((tx) => recordAnswer(tx, { ...key, fingerprint: 'g' }, 'second', later))
  assert.equal(await findAnswer(mine, { ...key, fingerprint: 'g' }, later), 'second')
})

test('of two anonymous responses under one key, the first is kept; the sweep deletes expired ones', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const now = clock.now()
  const key = requestKey({ ...KEY, scope: '127.0.0.1', surface: 'register' })
  assert.equal(await database.write((tx) => recordAnonymousAnswer(tx, key, 'first', now)), true)
  assert.equal(await database.write((tx) => recordAnonymousAnswer(tx, key, 'second', now)), false)
  assert.equal(await findAnonymousAnswer(database, key, now), 'first')
  assert.equal(await database.write((tx) => sweepIdempotencyRecords(tx, now)), 0)
  const swept = await database.write((tx) => sweepIdempotencyRecords(tx, now + REPLAY_WINDOW))
  assert.equal(swept, 1)
  assert.equal(await findAnonymousAnswer(database, key, now), undefined)
})

test('a retry of a running request joins it, or gets an error with Retry-After', async () => {
  const inFlight = createInFlight()
  const key = requestKey(KEY)
  const gate = Promise.withResolvers<string>()
  let runs = 0
  const run = () => {
    runs += 1
    return gate.promise
  }
  const first = inFlight.join(key, run)
  const second = inFlight.join(key, run)
  await assert.rejects(inFlight.join({ ...key, fingerprint: 'g' }, run), {
    code: 'idempotency_key_reused',
  })
  const impatient = createInFlight(1)
  const hung = impatient.join(key, () => gate.promise)
  await assert.rejects(impatient.join(key, run), { code: 'idempotency_in_flight', status: 409 })
  gate.resolve('answer')
  assert.deepEqual(await first, { value: 'answer', joined: false })
  assert.deepEqual(await second, { value: 'answer', joined: true })
  assert.equal(runs, 1)
  await hung
  assert.deepEqual(await inFlight.join(key, () => Promise.resolve('new')), {
    value: 'new',
    joined: false,
  })
})
