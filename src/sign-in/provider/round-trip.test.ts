import { MEMBER_HOME_PATH } from '../../html/site-map.ts'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { newSecret } from '../../base/secrets.ts'
import { RequestError } from '../../base/request-error.ts'
import { roundTrips } from './round-trip.ts'

const trips = roundTrips('https://weft.example')

const header = (cookie: string) => cookie.split(';', 1)[0] ?? ''

test('a round trip is read back from its cookie', () => {
  const link = newSecret('weft_otl_')
  const returnTo = '/oauth/authorize?client_id=c&state=a%2Bb%26c#x'
  const { secret, cookie } = trips.begin(returnTo, link)
  assert.match(cookie, /^__Host-weft_oidc=/)
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=1800'])
    assert.ok(cookie.split('; ').includes(attribute), cookie)
  assert.deepEqual(trips.read(header(cookie)), {
    secret,
    returnTo,
    link,
    purpose: 'sign_in',
  })
  const confirming = trips.begin(returnTo, '', 'confirm')
  assert.equal(trips.read(header(confirming.cookie))?.purpose, 'confirm')
})

test('an authorization request with a state of two thousand characters fits in the cookie', () => {
  const state = randomBytes(1500).toString('base64url')
  const returnTo = `/oauth/authorize?response_type=code&client_id=c&resource=https%3A%2F%2Fweft.example%2Fmcp&state=${state}`
  const { cookie } = trips.begin(returnTo, newSecret('weft_otl_'))
  assert.ok(header(cookie).length < 4096)
  assert.equal(trips.read(header(cookie))?.returnTo, returnTo)
})

test('a return path that does not fit in the cookie is rejected rather than dropped', () => {
  const returnTo = `/x?${randomBytes(4000).toString('base64url')}`
  assert.throws(
    () => trips.begin(returnTo, ''),
    (error) => error instanceof RequestError && error.code === 'uri_too_long',
  )
})

test('a forged cookie cannot lead to another site', () => {
  const secret = newSecret('weft_oidc_')
  const of = (path: string | Buffer) =>
    trips.read(`__Host-weft_oidc=${secret}..${deflateRawSync(path).toString('base64url')}`)
      ?.returnTo
  assert.equal(of('/user/here'), '/user/here')
  for (const path of ['//evil.example', 'https://evil.example', Buffer.alloc(10_000_000, '/')])
    assert.equal(of(path), MEMBER_HOME_PATH)
  for (const value of ['', '..', 'x', `${secret}x`, secret.slice(1)])
    assert.equal(trips.read(`__Host-weft_oidc=${value}`), undefined, value)
  assert.deepEqual(trips.read(`__Host-weft_oidc=${secret}..%00`), {
    secret,
    link: '',
    purpose: 'sign_in',
    returnTo: MEMBER_HOME_PATH,
  })
  assert.equal(trips.read(undefined), undefined)
})
