import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestError } from '../../base/request-error.ts'
import { assertStrongPassword } from './password-policy.ts'

const CONTEXT = ['Ada.Lovelace@example.org', 'enchantress', 'Ada King', 'people.corp.example', null]

/** Empty for an accepted password. */
function objection(password: string): string {
  try {
    assertStrongPassword(password, CONTEXT)
    return ''
  } catch (error) {
    assert.ok(error instanceof RequestError)
    const [problem] = error.details.errors ?? []
    assert.equal(problem?.pointer, '/password')
    assert.equal(error.message.includes(password), false, 'an error never repeats the password')
    return problem.detail
  }
}

test('only length counts: capitals, digits and symbols are not required', () => {
  for (const password of [
    'correct horse, battery',
    'analytical engine no. 1',
    'four unrelated words here',
    'my summer in the alps',
    'пароль для моей Ады',
    '日本語のパスワードは長いほうが良い',
    '🐎🔋📎🧵🪡🧶🪢🧷🪣🧹🧺🪤🧻🪥🧼',
    'x7Kp!q2$Lm9Wz@4',
    'vtvkqzsbfhpnxwj',
    '830174629503718',
  ])
    assert.equal(objection(password), '', password)
})

test('fewer than 15 or more than 200 characters are rejected', () => {
  assert.match(objection('fourteen chars'), /at least 15/)
  assert.equal(objection('fifteen letters'), '')
  assert.match(objection('🐎🔋📎🧵🪡🧶🪢🧷🪣🧹🧺🪤🧻🪥'), /at least 15/)
  const long = Array.from({ length: 200 }, (_, index) =>
    String.fromCharCode(97 + ((index * index) % 23)),
  ).join('')
  assert.equal(objection(long), '')
  assert.match(objection(`${long}x`), /at most 200/)
  assert.match(
    objection('e\u0301'.repeat(14)),
    /at least 15/,
    'a letter with an accent counts as one character',
  )
})

test('passwords that are guessed first are rejected, even if padded', () => {
  for (const password of [
    'passwordpassword',
    'Password12345678',
    'P@ssw0rd!P@ssw0rd!',
    'password2026!!!!!',
    'qwertyuiopasdfgh',
    '1qaz2wsx3edc4rfv',
    '123456789012345',
    '987654321987654321',
    'aaaaaaaaaaaaaaaaaa',
    'abababababababab',
    'abcdefghijklmnopqrstuvwxyz',
    'correcthorsebatterystaple',
    'iloveyouiloveyou1',
    ' letmein123456789 ',
    'Summer2026Summer2026',
    'mailcreated5240',
    '...............',
  ])
    assert.match(objection(password), /too easy to guess/, password)
})

test('names and emails of the member and the service are rejected', () => {
  for (const password of [
    'ada.lovelace@example.org',
    'ADALOVELACE1815!',
    'enchantress-2026',
    '3nch4ntr3ss12345',
    'Ada Enchantress 1815',
    'weft.enchantress',
    'people.corp.example',
  ])
    assert.match(objection(password), /more than your name/, password)
  assert.equal(objection('ada-lovelace, countess'), '')
})
