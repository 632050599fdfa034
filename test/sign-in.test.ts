/** From a service without members to a member who connects an agent, using only the pages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerSettings, startIdentityProvider } from './support/identity-provider.ts'
import { newPkce, oauthClient, readFor, REDIRECT_URI, unconfirmed } from './support/oauth.ts'
import { freePort } from './support/free-port.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openVisitor, type Page, type Visitor } from './support/visitor.ts'
import { SECOND } from '../src/base/clock.ts'
import { createFirstLink } from '../src/sign-in/invitations/first-link.ts'
import { joinAddress } from '../src/sign-in/session/one-time-link-url.ts'

const GRACE = {
  name: 'Grace Hopper',
  username: 'grace',
  email: 'grace@example.org',
  password: 'nanoseconds of wire',
}

/** The URL that the server prints at startup. */
async function firstAddress({ database, clock, url }: TestService): Promise<string> {
  const secret = await createFirstLink(database, clock.now())
  assert.ok(secret, 'the demo account is no member')
  return joinAddress(url, secret)
}

/** An authorization URL whose state must be returned unchanged. */
async function authorizeAddress(service: TestService, state: string): Promise<string> {
  const clientId = await oauthClient(service).register()
  const { challenge } = newPkce()
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
  })
  return `/oauth/authorize?${request.toString()}`
}

const STATE = 'a state with / + & = % and ü'

function agreesAndReturns(page: Page): void {
  const location = new URL(page.location ?? '')
  assert.equal(location.origin + location.pathname, REDIRECT_URI)
  assert.equal(location.searchParams.get('state'), STATE)
  assert.ok(location.searchParams.get('code'))
}

function allow(person: Visitor, consent: Page): Promise<Page> {
  assert.match(consent.text, /grace@example\.org|Grace Hopper|grace/i)
  return person.submit(consent, readFor(consent, SECOND), 'allow')
}

test('the first person joins with the printed link, signs out and in while connecting an agent, and allows it', async () => {
  await using service = await startTestService()
  const first = openVisitor(service.url)
  const joined = await first.submit(await first.get(await firstAddress(service)), GRACE)
  assert.equal(joined.status, 303)

  const person = openVisitor(service.url)
  const address = await authorizeAddress(service, STATE)
  const signIn = await person.follow(await person.get(address))
  const entered = await person.submit(signIn, { login: 'grace', password: GRACE.password })
  assert.equal(unconfirmed(entered.location), service.url + address)
  const consent = await person.follow(entered)
  agreesAndReturns(await allow(person, consent))

  // “Not you?” on the consent page signs out and returns to the same request.
  const { forms } = await person.get(address)
  const signOut = forms.find(({ action }) => action.endsWith('/sign-out'))
  assert.ok(signOut)
  const out = await person.post('/sign-out', signOut.fields)
  const again = await person.follow(out)
  assert.equal(again.forms[0]?.fields['return_to'], address)
})

test('a new person signs up with an identity provider while connecting an agent', async () => {
  const port = await freePort()
  await using service = await startTestService({ signUp: 'open', oidc: providerSettings(port) })
  const redirectUri = `${service.url}/sign-in/callback`
  await using provider = await startIdentityProvider({ port, redirectUri })
  provider.person = { sub: 'g', name: GRACE.name, email: GRACE.email, email_verified: true }
  const person = openVisitor(service.url)
  const address = await authorizeAddress(service, STATE)
  const consent = await person.follow(await person.get(address))
  assert.equal(unconfirmed(consent.address), service.url + address)
  agreesAndReturns(await allow(person, consent))
})

test('no page of these flows can be cached, framed, or sends a referrer to other sites', async () => {
  await using service = await startTestService({ signUp: 'open' })
  const person = openVisitor(service.url)
  for (const path of ['/sign-in', '/join', '/reset', '/join?link=weft_otl_x']) {
    const { headers } = await person.get(path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})
