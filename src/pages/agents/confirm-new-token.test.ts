/** Creating a token requires a confirmation by password, passkey or identity provider besides the session cookie. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listApiTokens } from '../../access/api-token.ts'
import { MINUTE } from '../../base/clock.ts'
import { requireMemberByUsername } from '../../members/member.ts'
import { authenticatorAt } from '../../../test/support/authenticator.ts'
import { providerSettings, startIdentityProvider } from '../../../test/support/identity-provider.ts'
import { addPasskey, startNamedService } from '../../../test/support/passkeys.ts'
import { PASSWORD } from '../../../test/support/password.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import {
  openSignedIn,
  openVisitor,
  type Page,
  type Visitor,
} from '../../../test/support/visitor.ts'
import { join } from '../../../test/fixtures/account.ts'
import { createTestWorld, secretIn } from '../../../test/fixtures/agents.ts'
import { CONFIRMED_MAX_AGE } from '../../sign-in/provider/provider.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { RequestOptions } from '../../../test/support/authenticator.ts'

async function countTokens({ database }: TestService, memberId: number): Promise<number> {
  return (await listApiTokens(database.member(memberId))).length
}

function fieldsOf({ forms }: Page): Readonly<Record<string, string>> {
  return forms.find(({ fields }) => 'expires' in fields)?.fields ?? {}
}

function errorsOf({ forms }: Page): Readonly<Record<string, string>> {
  return forms.find(({ fields }) => 'expires' in fields)?.errors ?? {}
}

test('a missing or wrong password creates no token', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { memberId, visitor } = ada
  const page = await ada.show()
  for (const [confirm_password, error] of [
    ['', /Enter your current password/],
    ['wrong password no. 1', /Incorrect password/],
  ] as const) {
    const refused = await visitor.submit(page, { name: 'ci', confirm_password })
    assert.equal(refused.status, 422)
    assert.match(errorsOf(refused)['confirm_password'] ?? '', error)
    assert.equal(fieldsOf(refused)['name'], 'ci')
    assert.equal(fieldsOf(refused)['confirm_password'], '')
  }
  for (let tries = 0; tries < 5; tries += 1)
    await visitor.submit(page, { name: 'ci', confirm_password: 'wrong password no. 1' })
  const limited = await visitor.submit(page, { name: 'ci', confirm_password: PASSWORD })
  assert.match(errorsOf(limited)['confirm_password'] ?? '', /Too many failed attempts/)
  assert.equal(await countTokens(world.service, memberId), 0)
})

test('a correct password is not requested again when another field has an error', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const refused = await ada.submit({ name: '' })
  assert.deepEqual(Object.keys(errorsOf(refused)), ['name'])
  assert.equal('confirm_password' in fieldsOf(refused), false)
  const { confirmation = '' } = fieldsOf(refused)
  assert.equal((await world.service.everything()).includes(confirmation), false)

  const grace = await world.join('grace')
  const hers = await grace.submit({ name: 'stolen', confirm_password: '' })
  const stolen = await grace.visitor.post(INTEGRATIONS_PATH, {
    ...fieldsOf(hers),
    confirmation,
  })
  assert.match(stolen.text, /The confirmation has expired/)
  const sameMember = await openSignedIn(world.service, ada)
  const elsewhere = await sameMember.post(INTEGRATIONS_PATH, {
    ...fieldsOf(await sameMember.get(INTEGRATIONS_PATH)),
    name: 'elsewhere',
    confirmation,
  })
  assert.match(elsewhere.text, /The confirmation has expired/, 'another session of the member')

  secretIn(await ada.visitor.follow(await ada.visitor.submit(refused, { name: 'ci' })))
  const again = await ada.visitor.submit(refused, { name: 'again' })
  assert.deepEqual([again.status, /The confirmation has expired/.test(again.text)], [422, true])

  const late = await ada.submit({ name: '' })
  world.service.clock.advance(5 * MINUTE)
  assert.equal((await ada.visitor.submit(late, { name: 'late' })).status, 422)
  assert.equal(await countTokens(world.service, ada.memberId), 1)
  assert.equal(await countTokens(world.service, grace.memberId), 0)
})

async function askToConfirm(visitor: Visitor, page: Page): Promise<RequestOptions> {
  const form = { form_token: page.formToken }
  const answer = await visitor.post(`${INTEGRATIONS_PATH}/confirm/options`, form)
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.html) as RequestOptions
}

test('only the member’s own passkeys confirm', async () => {
  await using service = await startNamedService()
  const { member, visitor } = await join(service)
  assert.doesNotMatch((await visitor.get(INTEGRATIONS_PATH)).text, /Confirm with a passkey/)
  const authenticator = authenticatorAt(service.origin)
  const { key } = await addPasskey(visitor, authenticator)
  const { visitor: graces } = await join(service, { username: 'grace', name: 'Grace' })
  const { key: hers } = await addPasskey(graces, authenticator)

  const page = await visitor.get(INTEGRATIONS_PATH)
  const confirm = async (options: RequestOptions, shown = key, lies = {}) =>
    visitor.submit(page, { credential: authenticator.show(options, shown, lies) })
  const wrong = [
    await confirm(await askToConfirm(visitor, page), hers),
    await confirm(await askToConfirm(visitor, page), key, { userVerified: false }),
    await confirm(await askToConfirm(graces, await graces.get(INTEGRATIONS_PATH))),
    await visitor.submit(page, { credential: '' }),
  ]
  for (const answer of wrong) {
    assert.equal(answer.status, 422)
    assert.equal('confirmation' in fieldsOf(answer), false)
  }

  const confirmed = await confirm(await askToConfirm(visitor, page))
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.match(confirmed.text, /You confirmed it’s you/)
  secretIn(await visitor.follow(await visitor.submit(confirmed, { name: 'ci' })))
  assert.equal((await visitor.submit(confirmed, { name: 'again' })).status, 422)
  assert.equal(await countTokens(service, member.memberId), 1)
})

test('an identity provider confirms who creates a token', async () => {
  const port = await freePort()
  const servicePort = await freePort()
  const url = `http://127.0.0.1:${servicePort}`
  await using service = await startTestService({
    port: servicePort,
    publicUrl: url,
    signUp: 'open',
    oidc: providerSettings(port),
  })
  await using provider = await startIdentityProvider({
    port,
    redirectUri: `${url}/sign-in/callback`,
  })
  const grace = { sub: 'g', name: 'Grace', email: 'grace@example.org', email_verified: true }
  provider.person = grace
  const visitor = openVisitor(url)
  const page = await visitor.follow(await visitor.get(INTEGRATIONS_PATH))
  const { cookie } = visitor
  const unconfirmed = await visitor.post(INTEGRATIONS_PATH, {
    ...fieldsOf(page),
    name: 'ci',
    confirmation: '',
  })
  assert.equal(unconfirmed.status, 422)
  assert.match(unconfirmed.text, /Confirm it’s you at /)

  const [, way = ''] =
    Object.entries(page.links).find(([text]) => text.startsWith('Confirm at')) ?? []
  const departure = await visitor.get(way)
  assert.equal(new URL(departure.location ?? '').searchParams.get('prompt'), 'login')
  provider.person = { ...grace, sub: 'other', email: 'other@example.org' }
  // An attacker with only the cookie cannot sign in at the provider as this member.
  const thief = openVisitor(url, `weft_session=${visitor.cookies['weft_session'] ?? ''}`)
  const other = await thief.follow(await thief.get(way))
  assert.equal(other.status, 403)
  assert.match(other.text, /Wrong account/)

  provider.person = grace
  // Someone at an open browser, who removes the request for credentials from the URL.
  const stripped = new URL((await visitor.get(way)).location ?? '')
  for (const parameter of ['prompt', 'max_age']) stripped.searchParams.delete(parameter)
  const unchecked = await visitor.follow(await visitor.get(stripped.href))
  assert.equal(unchecked.status, 403)
  assert.match(unchecked.text, /did not confirm that you signed in again just now/)
  const now = Math.floor(Date.now() / 1000)
  for (const ago of [CONFIRMED_MAX_AGE + 60, 1_000_000]) {
    provider.idToken = { claims: { auth_time: now - ago } }
    const old = await visitor.follow(await visitor.get(way))
    assert.equal(old.status, 403)
    assert.match(old.text, /did not confirm that you signed in again just now/)
  }
  provider.idToken = { claims: { auth_time: now - CONFIRMED_MAX_AGE + 60 } }
  const confirmed = await visitor.follow(await visitor.get(way))
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.match(confirmed.text, /You confirmed it’s you/)
  assert.equal(visitor.cookie, cookie, 'the session is the same')
  secretIn(await visitor.follow(await visitor.submit(confirmed, { name: 'ci' })))
  assert.equal((await visitor.submit(confirmed, { name: 'again' })).status, 422)
  const { memberId } = await requireMemberByUsername(service.database, 'grace')
  assert.equal(await countTokens(service, memberId), 1)
})
