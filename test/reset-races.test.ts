/** A password reset concurrent with requests that get new access. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink } from '../src/access/one-time-link.ts'
import { DAY } from '../src/base/clock.ts'
import { listApiTokens } from '../src/access/api-token.ts'
import { listSessions } from '../src/access/browser-session.ts'
import { MIN_CONSENT_AGE_MS } from '../src/oauth/consent/consent-timestamp.ts'
import { listGrants } from '../src/oauth/grant.ts'
import { resetAddress } from '../src/sign-in/session/one-time-link-url.ts'
import {
  authorizeParameters,
  memberBrowser,
  newPkce,
  oauthClient,
  openConsent,
  queryOf,
  readFor,
} from './support/oauth.ts'
import { givePassword, PASSWORD } from './support/password.ts'
import { startTestService } from './support/service.ts'
import { openVisitor } from './support/visitor.ts'

test('a reset that revokes all access leaves none to requests in progress', async () => {
  await using service = await startTestService()
  const { database, clock, url } = service
  const client = oauthClient(service)
  const clientId = await client.register()
  // The reset begins before, between and after the others.
  for (const place of [0, 1, 2, 3, 4]) {
    const ada = await memberBrowser(service, { username: `ada-${place}`, name: 'Ada' })
    const { memberId } = ada.member
    await givePassword(service, ada.member)
    const { refresh_token } = await ada.connect(clientId)
    const pkce = newPkce()
    const code = await ada.allow(clientId, pkce)
    const consent = await openConsent(service, ada, queryOf(authorizeParameters(clientId, pkce)))
    const agents = await ada.get('/user/integrations/mcp')
    const { secret } = await database.write((tx) =>
      createLink(tx, { purpose: 'reset', memberId, lifetime: DAY }, clock.now()),
    )
    const owner = openVisitor(url)
    const reset = await owner.get(resetAddress(url, secret))

    const codes = [code]
    const consenting = async () => {
      const page = await ada.submit(consent, readFor(consent, MIN_CONSENT_AGE_MS), 'allow')
      const later = new URL(page.location ?? url).searchParams.get('code')
      if (later !== null) codes.push(later)
    }
    const requests: (() => Promise<unknown>)[] = [
      consenting,
      () => client.exchange(clientId, code, pkce.verifier),
      () => client.refresh(clientId, refresh_token),
      consenting,
      () => ada.submit(agents, { name: 'late', confirm_password: PASSWORD }),
    ]
    requests.splice(place, 0, () => owner.submit(reset, { password: 'difference engine no. 2' }))
    await Promise.all(requests.map(async (send) => send()))

    const member = database.member(memberId)
    assert.deepEqual(await listGrants(member, clock.now()), [])
    assert.deepEqual(await listApiTokens(member), [])
    assert.equal((await listSessions(member, clock.now())).length, 1)
    for (const one of codes) {
      const late = await client.exchange(clientId, one, pkce.verifier)
      assert.equal(late.body['error'], 'invalid_grant')
    }
  }
})
