import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '../../test/support/store.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { countSignInAttempts, type SignInAttempts } from './attempts.ts'

const ADA = 'ada@example.org'
const HERE = '192.0.2.1'

/** Seconds to wait, 0 where the try was let through and failed. */
function fail(attempts: SignInAttempts, account = ADA, address = HERE): number {
  const attempt = attempts.begin(account, address)
  return attempt.allowed ? 0 : attempt.retryAfter
}

function succeed(attempts: SignInAttempts, account = ADA, address = HERE): void {
  const attempt = attempts.begin(account, address)
  assert.ok(attempt.allowed)
  attempt.succeed()
}

test('five wrong tries in a row are free, and then each waits longer than the one before', () => {
  const clock = fixedClock()
  const attempts = countSignInAttempts(clock)
  for (let count = 0; count < 5; count += 1) assert.equal(fail(attempts), 0)
  for (const minutes of [1, 2, 4, 8, 15, 15]) {
    assert.equal(fail(attempts), minutes * 60)
    clock.advance(minutes * MINUTE - SECOND)
    assert.equal(fail(attempts), 1, 'a try that is refused makes the wait no longer')
    clock.advance(SECOND)
    assert.equal(fail(attempts), 0)
  }
})

test('a right password forgives the wrong ones before it', () => {
  const attempts = countSignInAttempts(fixedClock())
  for (let count = 0; count < 4; count += 1) fail(attempts)
  succeed(attempts)
  for (let count = 0; count < 5; count += 1) assert.equal(fail(attempts), 0)
  assert.ok(fail(attempts) > 0)
})

test('whoever tries from elsewhere, or another account, does not wait for it', () => {
  const attempts = countSignInAttempts(fixedClock())
  for (let count = 0; count < 9; count += 1) fail(attempts)
  assert.equal(fail(attempts, ADA, '192.0.2.2'), 0)
  assert.equal(fail(attempts, 'grace@example.org', HERE), 0)
})

test('the case of an account makes no other account of it', () => {
  const attempts = countSignInAttempts(fixedClock())
  for (let count = 0; count < 5; count += 1) fail(attempts)
  assert.ok(fail(attempts, ' Ada@Example.ORG ') > 0)
})

test('one account from many addresses is tried a hundred times an hour', () => {
  const clock = fixedClock()
  const attempts = countSignInAttempts(clock)
  for (let count = 0; count < 100; count += 1)
    assert.equal(fail(attempts, ADA, `198.51.100.${count}`), 0)
  assert.equal(fail(attempts, ADA, '203.0.113.9'), 3600)
  clock.advance(HOUR)
  assert.equal(fail(attempts, ADA, '203.0.113.9'), 0)
})

test('an owner who signed in from there before is not locked out by strangers', () => {
  const clock = fixedClock()
  const attempts = countSignInAttempts(clock)
  succeed(attempts)
  clock.advance(DAY)
  for (let count = 0; count < 200; count += 1) fail(attempts, ADA, `198.51.100.${count}`)
  succeed(attempts)
  assert.ok(fail(attempts, ADA, '203.0.113.9') > 0, 'from elsewhere it is shut')
})

test('one address tries a hundred times an hour, whichever accounts', () => {
  const clock = fixedClock()
  const attempts = countSignInAttempts(clock)
  for (let count = 0; count < 100; count += 1)
    assert.equal(fail(attempts, `member${count}@example.org`), 0)
  assert.equal(fail(attempts, 'another@example.org'), 3600)
  assert.equal(fail(attempts, 'another@example.org', '192.0.2.2'), 0)
  clock.advance(HOUR)
  assert.equal(fail(attempts, 'another@example.org'), 0)
})

test('people who sign in rightly, from behind one address, use nothing up', () => {
  const attempts = countSignInAttempts(fixedClock())
  for (let count = 0; count < 500; count += 1) succeed(attempts, `member${count}@example.org`)
  assert.equal(fail(attempts), 0)
})

test('tries that begin at the same moment do not outrun the count', () => {
  const attempts = countSignInAttempts(fixedClock())
  const begun = Array.from({ length: 50 }, () => attempts.begin(ADA, HERE))
  assert.equal(begun.filter(({ allowed }) => allowed).length, 5)
})
