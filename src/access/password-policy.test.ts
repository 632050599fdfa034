import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../base/refusal.ts'
import { refuseWeakPassword } from './password-policy.ts'

const OWN = ['Ada.Lovelace@example.org', 'ada-lovelace', null]

/** Empty for a password that will do. */
function objection(password: string): string {
  try {
    refuseWeakPassword(password, OWN)
    return ''
  } catch (error) {
    assert.ok(error instanceof Refusal)
    const [problem] = error.details.errors ?? []
    assert.equal(problem?.pointer, '/password')
    assert.equal(error.message.includes(password), false, 'a refusal never repeats the password')
    return problem.detail
  }
}

test('length is what counts: no rule asks for capitals, digits or signs', () => {
  for (const password of [
    'correct horse',
    'пароль для Ады',
    '日本語のパスワードです',
    '🐎🔋📎🧵🪡🧶🪢🧷🪣🧹',
  ])
    assert.equal(objection(password), '', password)
})

test('fewer than 10 characters, or more than 200, will not do', () => {
  assert.match(objection('ninechars'), /at least 10/)
  assert.equal(objection('ten chars!'), '')
  assert.match(objection('🐎🔋📎🧵🪡🧶🪢🧷🪣'), /at least 10/)
  assert.equal(objection('four words and then '.repeat(10)), '')
  assert.match(objection(`${'four words and then '.repeat(10)}x`), /at most 200/)
  assert.match(objection('e\u0301'.repeat(9)), /at least 10/, 'a letter and its accent are one')
})

test('what everybody tries first will not do', () => {
  for (const password of [
    'password123',
    'Password1234',
    'QWERTYUIOP',
    '1234567890',
    'iloveyou123',
    ' letmein1234 ',
  ])
    assert.match(objection(password), /tried first/, password)
  for (const password of ['aaaaaaaaaaaa', 'abababababab', '..........'])
    assert.match(objection(password), /tried first/, password)
})

test("the member's own e-mail address and username will not do", () => {
  for (const password of ['ada.lovelace@example.org', 'ADA.LOVELACE', 'Ada-Lovelace'])
    assert.match(objection(password), /e-mail address or username/, password)
  assert.equal(objection('ada-lovelace, countess'), '')
})
