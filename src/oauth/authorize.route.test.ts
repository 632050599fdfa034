import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  authorizeParameters,
  memberBrowser,
  openConsent,
  newPkce,
  oauthClient,
  queryOf,
  readFor,
  redirectOf,
  unconfirmed,
} from '../../test/support/oauth.ts'
import { startTestService } from '../../test/support/service.ts'
import { MINUTE } from '../base/clock.ts'
import { listChanges } from '../tools/activity-log/read-activity.ts'
import { MIN_CONSENT_AGE_MS } from './consent/consent-timestamp.ts'
import { listGrants, revokeAllGrants } from './grant.ts'
import { openSignedIn, SAME_ORIGIN, type Page } from '../../test/support/visitor.ts'

async function createWorld() {
  const service = await startTestService()
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada' })
  const client = oauthClient(service)
  const clientId = await client.register()
  const pkce = newPkce()
  const own = service.database.member(ada.member.memberId)
  const search = queryOf(authorizeParameters(clientId, pkce))
  return {
    service,
    ada,
    own,
    open: () => openConsent(service, ada, search),
    async allow(page: Page): Promise<string> {
      const allowed = await ada.submit(page, readFor(page, MIN_CONSENT_AGE_MS), 'allow')
      return redirectOf(allowed).get('code') ?? ''
    },
    exchange: (code: string) => client.exchange(clientId, code, pkce.verifier),
    connections: async () =>
      (await listChanges(own, 1000, 10)).filter(
        ({ action }) => action === 'account.agent_connected',
      ).length,
    grants: async () => (await listGrants(own, service.clock.now())).length,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('an app that is allowed twice by one form is connected once, whichever code it gets', async () => {
  await using world = await createWorld()
  const page = await world.open()
  const codes = await Promise.all([world.allow(page), world.allow(page)])
  assert.equal(await world.connections(), 1)
  for (const code of [...codes, await world.allow(page)])
    assert.equal((await world.exchange(code)).status, 200)
  assert.deepEqual([await world.connections(), await world.grants()], [1, 1])
})

test('a form whose app was disconnected, or never came for its code, asks to sign in again', async () => {
  await using world = await createWorld()
  const { service, own, ada } = world
  const asksAgain = async (form: Page) => {
    const answer = await ada.submit(form, readFor(form, MIN_CONSENT_AGE_MS), 'allow')
    assert.equal(answer.status, 422)
    assert.match(answer.text, /Sign in again to allow this app/)
  }
  const page = await world.open()
  await world.allow(page)
  await own.write((tx) => revokeAllGrants(tx))
  await asksAgain(page)
  const next = await world.open()
  await world.allow(next)
  assert.equal(await world.connections(), 2)
  service.clock.advance(9 * MINUTE + 30_000)
  // The pending grant ends before a new code would.
  await asksAgain(next)
  assert.equal(await world.connections(), 2)
})

test('a consent form of a session that ended since leads back to the consent page', async () => {
  await using world = await createWorld()
  const { service, ada } = world
  const page = await world.open()
  const form = page.forms.find(({ fields }) => 'request' in fields)
  assert.ok(form)
  const fields = { ...form.fields, ...readFor(page, MIN_CONSENT_AGE_MS), decision: 'allow' }
  const grace = await service.addMember({ username: 'grace', name: 'Grace Hopper' })
  const other = await openSignedIn(service, grace)
  const again = await other.follow(await other.post('/oauth/authorize', fields, SAME_ORIGIN))
  assert.match(again.text, /Allow .* to use your network\?.*Grace Hopper \(@grace\)/)

  await ada.submit(page, {}, 'Not you?')
  const sent = await ada.post('/oauth/authorize', fields, SAME_ORIGIN)
  const signIn = new URL(sent.location ?? '')
  assert.equal(signIn.pathname, '/sign-in')
  const returnTo = signIn.searchParams.get('return_to') ?? ''
  assert.equal(new URL(returnTo, service.url).href, unconfirmed(page.address))
  assert.equal(await world.connections(), 0)
})

test('over plain http, a session alone connects no app', async () => {
  await using world = await createWorld()
  const { service, ada } = world
  const page = await world.open()
  const stale = await ada.get(unconfirmed(page.address))
  assert.match(stale.text, /Sign in again to allow this app/)
  const field = page.forms.find(({ fields }) => 'request' in fields)?.fields ?? {}
  const grace = await memberBrowser(service, { username: 'grace', name: 'Grace' })
  const hers = await openConsent(service, grace, new URL(unconfirmed(page.address)).search.slice(1))
  const foreign = hers.forms.find(({ fields }) => 'request' in fields)?.fields['confirmation']
  for (const confirmation of ['', 'x'.repeat(43), foreign ?? '']) {
    const fields = {
      ...field,
      ...readFor(page, MIN_CONSENT_AGE_MS),
      decision: 'allow',
      confirmation,
    }
    const refused = await ada.post('/oauth/authorize', fields, SAME_ORIGIN)
    assert.deepEqual([refused.status, refused.location], [422, undefined])
    assert.match(refused.text, /Sign in again/)
  }
  service.clock.advance(5 * MINUTE)
  assert.equal(await world.allow(page).catch(() => ''), '')
  assert.equal(await world.connections(), 0)

  const fresh = await world.open()
  assert.equal((await world.exchange(await world.allow(fresh))).status, 200)
  // The confirmation is used up.
  const again = await ada.get(fresh.address)
  const repeated = await ada.submit(again, readFor(again, MIN_CONSENT_AGE_MS), 'allow')
  assert.equal(repeated.status, 422)
  assert.equal(await world.connections(), 1)
})

test('two consents in two tabs are two connections', async () => {
  await using world = await createWorld()
  const pages = [await world.open(), await world.open()]
  for (const page of pages)
    assert.equal((await world.exchange(await world.allow(page))).status, 200)
  assert.deepEqual([await world.connections(), await world.grants()], [2, 2])
})
