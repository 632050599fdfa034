/** Attacks on the authorization server: RFC 9700, RFC 6749 section 10, RFC 8252 section 8, RFC 7636, RFC 8707, RFC 9207. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '../src/base/clock.ts'
import { clientDocuments } from '../src/oauth/client-document.ts'
import { openNameServer } from './fixtures/oauth/name-server.ts'
import { memberStatement } from '../src/db/statement.ts'
import { disableMember } from '../src/members/member.ts'
import {
  authorizeParameters,
  memberBrowser,
  newPkce,
  oauthClient,
  openConsent,
  queryOf,
  readFor,
  REDIRECT_URI,
  redirectOf,
  searchOf,
  type Parameters,
} from './support/oauth.ts'
import { startTestService, type TestServiceOptions } from './support/service.ts'
import { fixedClock } from './support/store.ts'
import { openVisitor, SAME_ORIGIN, type Page } from './support/visitor.ts'

async function createWorld(options: TestServiceOptions = {}) {
  const service = await startTestService(options)
  const client = oauthClient(service)
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  const clientId = await client.register()
  const pkce = newPkce()
  return {
    service,
    client,
    ada,
    clientId,
    pkce,
    /** The authorization request of a signed-in member, with changes. */
    authorize: (changes: Parameters = {}) =>
      openConsent(service, ada, queryOf({ ...authorizeParameters(clientId, pkce), ...changes })),
    code: () => ada.allow(clientId, pkce),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Errors for the client are sent to its redirect URI, with the state and the issuer. */
function assertReturned(answer: Page, error: string, issuer: string) {
  assert.equal(answer.status, 303, answer.html)
  assert.equal(answer.location?.split('?')[0], REDIRECT_URI)
  const told = redirectOf(answer)
  assert.equal(told.get('error'), error)
  assert.equal(told.get('state'), 'st4te')
  assert.equal(told.get('iss'), issuer)
  assert.equal(told.get('code'), null)
}

test('a redirect URI must match a registered one exactly', async () => {
  await using world = await createWorld()
  const asked = [
    'https://evil.example/callback',
    'https://client.example.evil.example/callback',
    'https://sub.client.example/callback',
    'https://client.example/callback/',
    'https://client.example/callback2',
    'https://client.example/Callback',
    'https://CLIENT.example/callback',
    'https://client.example/callback?x=1',
    'https://client.example/callback#x',
    'https://client.example/./callback',
    'https://client.example/x/../callback',
    'https://client.example/%63allback',
    'https://client.example:443/callback',
    'https://client.example:8443/callback',
    'https://user@client.example/callback',
    'https://client.example\\callback',
    'http://client.example/callback',
    '//client.example/callback',
    'javascript:alert(1)',
    '',
  ]
  for (const redirect_uri of asked.filter((one) => one !== '')) {
    const answer = await world.authorize({ redirect_uri })
    assert.equal(answer.status, 400, redirect_uri)
    assert.equal(answer.location, undefined, redirect_uri)
    assert.ok(!answer.html.includes('evil.example'), redirect_uri)
  }
  const twice = searchOf(authorizeParameters(world.clientId, world.pkce))
  twice.append('redirect_uri', 'https://evil.example/callback')
  assert.equal((await world.ada.get(`/oauth/authorize?${twice.toString()}`)).status, 400)
})

test('an unknown or missing client gets a page and no redirect', async () => {
  await using world = await createWorld()
  for (const client_id of ['client_unknown', 'nobody', '', `client_${'A'.repeat(22)}`, undefined]) {
    const answer = await world.authorize({ client_id })
    assert.equal(answer.status, 400, client_id ?? 'none')
    assert.equal(answer.location, undefined)
    assert.match(answer.headers.get('content-type') ?? '', /text\/html/)
  }
})

test('a loopback redirect may use any port, and nothing else may differ (RFC 8252 section 7.3)', async () => {
  await using world = await createWorld()
  const clientId = await world.client.register(['http://127.0.0.1:4000/cb', 'http://localhost/cb'])
  const asks = (redirect_uri: string) => world.authorize({ client_id: clientId, redirect_uri })
  for (const uri of [
    'http://127.0.0.1:4000/cb',
    'http://127.0.0.1:5151/cb',
    'http://localhost:1/cb',
  ])
    assert.equal((await asks(uri)).status, 200, uri)
  for (const uri of [
    'http://127.0.0.1:4000/cb2',
    'http://127.0.0.1:4000/',
    'https://127.0.0.1:4000/cb',
    'http://[::1]:4000/cb',
    'http://127.0.0.1.evil.example:4000/cb',
    'http://127.0.0.1:4000@evil.example/cb',
    'http://localhost.evil.example/cb',
  ])
    assert.equal((await asks(uri)).status, 400, uri)
})

test('PKCE cannot be left out or weakened (RFC 9700 section 2.1.1)', async () => {
  await using world = await createWorld()
  const { url } = world.service
  for (const changes of [
    { code_challenge: undefined },
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: 's256' },
    { code_challenge: 'short' },
    { code_challenge: 'x'.repeat(44) },
    { code_challenge: `${'x'.repeat(42)}+` },
  ])
    assertReturned(await world.authorize(changes), 'invalid_request', url)
})

test('one response type, one response mode, one scope, our resources, no request objects', async () => {
  await using world = await createWorld()
  const { url } = world.service
  for (const response_type of ['token', 'id_token', 'code token', 'none', 'CODE'])
    assertReturned(await world.authorize({ response_type }), 'unsupported_response_type', url)
  assertReturned(await world.authorize({ response_type: undefined }), 'invalid_request', url)
  for (const response_mode of ['fragment', 'form_post', 'web_message'])
    assertReturned(await world.authorize({ response_mode }), 'invalid_request', url)
  for (const scope of ['admin', 'network admin', 'openid', 'offline_access', 'NETWORK'])
    assertReturned(await world.authorize({ scope }), 'invalid_scope', url)
  for (const resource of [
    'https://evil.example',
    `${url}/other`,
    `${url}/mcp/`,
    'mcp',
    `${url}/mcp#x`,
  ])
    assertReturned(await world.authorize({ resource }), 'invalid_target', url)
  for (const name of ['request', 'request_uri'])
    assertReturned(await world.authorize({ [name]: 'http://127.0.0.1:1/' }), 'invalid_request', url)
  for (const resource of [url, `${url}/`, `${url}/mcp`, `${url}/mcp/v1`, undefined])
    assert.equal((await world.authorize({ resource })).status, 200)
  assert.equal((await world.authorize({ scope: undefined })).status, 200)
})

test('a repeated parameter is rejected at both endpoints', async () => {
  await using world = await createWorld()
  const { client, clientId, service } = world
  const search = searchOf(authorizeParameters(clientId, world.pkce))
  search.append('scope', 'network')
  assertReturned(
    await world.ada.get(`/oauth/authorize?${search.toString()}`),
    'invalid_request',
    service.url,
  )
  const form = searchOf({ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' })
  form.append('grant_type', 'refresh_token')
  const answer = await client.post('/oauth/token', form)
  assert.equal(answer.status, 400)
  assert.equal(answer.body['error'], 'invalid_request')
})

test('before a person has signed in, errors do not redirect to other sites (RFC 9700 section 4.11.2)', async () => {
  await using world = await createWorld()
  const { url } = world.service
  const parameters = { ...authorizeParameters(world.clientId, world.pkce), scope: 'admin' }
  const stranger = openVisitor(url)
  const page = await stranger.get(`/oauth/authorize?${queryOf(parameters)}`)
  assert.equal(page.status, 400)
  assert.equal(page.location, undefined)
  assert.match(page.html, /invalid_scope/)
  const local = await world.client.register(['http://127.0.0.1/cb'])
  const asked = { ...parameters, client_id: local, redirect_uri: 'http://127.0.0.1:9/cb' }
  const returned = await stranger.get(`/oauth/authorize?${queryOf(asked)}`)
  assert.equal(redirectOf(returned).get('error'), 'invalid_scope')
})

test('a person who is not signed in signs in and returns to the same request', async () => {
  await using world = await createWorld()
  const path = `/oauth/authorize?${queryOf(authorizeParameters(world.clientId, world.pkce))}`
  const { url } = world.service
  const page = await openVisitor(url).get(path)
  assert.equal(page.status, 303)
  assert.equal(page.location?.split('?')[0], `${url}/sign-in`)
  assert.equal(redirectOf(page).get('return_to'), path)
})

test('a code is bound to its client, redirect URI and verifier; a failed attempt does not use it up', async () => {
  await using world = await createWorld()
  const { client, clientId, pkce } = world
  const code = await world.code()
  const other = await client.register()
  const wrong: [string, Parameters][] = [
    ['no verifier', { code_verifier: undefined }],
    ['empty verifier', { code_verifier: '' }],
    ['wrong verifier', { code_verifier: newPkce().verifier }],
    ['the challenge as verifier', { code_verifier: pkce.challenge }],
    ['short verifier', { code_verifier: 'x' }],
    ['other client', { client_id: other }],
    ['other redirect URI', { redirect_uri: 'https://evil.example/callback' }],
  ]
  for (const [about, changes] of wrong) {
    const answer = await client.exchange(clientId, code, pkce.verifier, changes)
    assert.equal(answer.status, 400, about)
    assert.equal(answer.body['error'], 'invalid_grant', about)
  }
  const unknown = await client.exchange('client_unknown', code, pkce.verifier)
  assert.equal(unknown.status, 401)
  assert.equal(unknown.body['error'], 'invalid_client')
  const right = await client.exchange(clientId, code, pkce.verifier)
  assert.equal(right.status, 200)
  assert.equal(right.headers.get('cache-control'), 'no-store')
  assert.equal(right.headers.get('pragma'), 'no-cache')
})

test('a code expires after a minute', async () => {
  await using world = await createWorld()
  const [late, inTime] = [await world.code(), await world.code()]
  world.service.clock.advance(MINUTE - 1)
  const { client, clientId, pkce } = world
  assert.equal((await client.exchange(clientId, inTime, pkce.verifier)).status, 200)
  world.service.clock.advance(1)
  assert.equal((await client.exchange(clientId, late, pkce.verifier)).status, 400)
})

test('reusing a code revokes its tokens (RFC 6749 section 4.1.2)', async () => {
  await using world = await createWorld()
  const { client, clientId, pkce } = world
  const code = await world.code()
  const { body } = await client.exchange(clientId, code, pkce.verifier)
  const access = String(body['access_token'])
  assert.equal(await client.call(access), 200)
  assert.equal((await client.exchange(clientId, code, newPkce().verifier)).status, 400)
  assert.equal(await client.call(access), 200) // a code without its verifier proves nothing
  assert.equal((await client.exchange(clientId, code, pkce.verifier)).status, 400)
  assert.equal(await client.call(access), 401)
  assert.equal((await client.refresh(clientId, String(body['refresh_token']))).status, 400)
})

test('a reused refresh token revokes its family (RFC 9700 section 4.14.2)', async () => {
  await using world = await createWorld()
  const { client, clientId, ada } = world
  const first = await ada.connect(clientId)
  const unrelated = await ada.connect(clientId)
  const { body: second } = await client.refresh(clientId, first.refresh_token)
  const replayed = await client.refresh(clientId, first.refresh_token)
  assert.equal(replayed.status, 400)
  assert.equal(replayed.body['error'], 'invalid_grant')
  assert.equal(await client.call(String(second['access_token'])), 401)
  assert.equal((await client.refresh(clientId, String(second['refresh_token']))).status, 400)
  assert.equal(await client.call(unrelated.access_token), 200)
  assert.equal((await client.refresh(clientId, unrelated.refresh_token)).status, 200)
})

test('a refresh token works only for its client, and a failed attempt does not use it up', async () => {
  await using world = await createWorld()
  const { client, clientId, ada } = world
  const tokens = await ada.connect(clientId)
  const other = await client.register()
  const mistakes: [string, string, Parameters][] = [
    ['invalid_grant', other, {}],
    ['invalid_scope', clientId, { scope: 'network admin' }],
    ['invalid_target', clientId, { resource: 'https://evil.example/' }],
    ['invalid_request', '', {}],
  ]
  for (const [error, as, more] of mistakes) {
    const answer = await client.refresh(as, tokens.refresh_token, more)
    assert.equal(answer.body['error'], error)
  }
  assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 200)
})

test('within the grace period, the previous refresh token returns the current pair', async () => {
  await using world = await createWorld({ refreshGraceSeconds: 60 })
  const { client, clientId, ada, service } = world
  const first = await ada.connect(clientId)
  const { body: second } = await client.refresh(clientId, first.refresh_token)
  service.clock.advance(30 * SECOND)
  const { status, body: again } = await client.refresh(clientId, first.refresh_token)
  assert.equal(status, 200)
  assert.equal(again['access_token'], second['access_token'])
  assert.equal(again['refresh_token'], second['refresh_token'])
  assert.equal(again['expires_in'], 3570)
  const { body: third } = await client.refresh(clientId, String(second['refresh_token']))
  assert.equal((await client.refresh(clientId, first.refresh_token)).status, 400) // two behind
  assert.equal(await client.call(String(third['access_token'])), 401)
  const late = await ada.connect(clientId)
  await client.refresh(clientId, late.refresh_token)
  service.clock.advance(60 * SECOND)
  assert.equal((await client.refresh(clientId, late.refresh_token)).status, 400)
})

test('unsupported grant types are rejected', async () => {
  await using world = await createWorld()
  for (const grant_type of [
    'client_credentials',
    'password',
    'implicit',
    'constructor',
    '__proto__',
  ])
    assert.equal(
      (await world.client.token({ grant_type, client_id: world.clientId })).body['error'],
      'unsupported_grant_type',
    )
  const { body } = await world.client.token({ client_id: world.clientId })
  assert.equal(body['error'], 'invalid_request')
})

test('each type of token works only for its purpose', async () => {
  await using world = await createWorld()
  const { client, clientId, ada, pkce } = world
  const tokens = await ada.connect(clientId)
  const code = await world.code()
  assert.equal(await client.call(tokens.refresh_token), 401)
  assert.equal(await client.call(code), 401)
  assert.equal((await client.refresh(clientId, tokens.access_token)).status, 400)
  assert.equal((await client.refresh(clientId, code)).status, 400)
  assert.equal((await client.exchange(clientId, tokens.refresh_token, pkce.verifier)).status, 400)
  assert.equal(await client.call(tokens.access_token), 200)
})

test('tokens expire: after an hour, sixty idle days, a year', async () => {
  await using world = await createWorld()
  const { client, clientId, ada, service } = world
  const tokens = await ada.connect(clientId)
  service.clock.advance(HOUR)
  assert.equal(await client.call(tokens.access_token), 401)
  const idle = await ada.connect(clientId).catch(() => undefined)
  assert.ok(idle)
  let refreshToken = tokens.refresh_token
  for (let days = 0; days < 360; days += 40) {
    service.clock.advance(40 * DAY)
    const { status, body } = await client.refresh(clientId, refreshToken)
    if (days === 320) assert.equal(body['expires_in'], 3600)
    assert.equal(status, 200, `after ${days + 40} days`)
    refreshToken = String(body['refresh_token'])
  }
  assert.equal((await client.refresh(clientId, idle.refresh_token)).status, 400)
  service.clock.advance(5 * DAY)
  assert.equal((await client.refresh(clientId, refreshToken)).status, 400)
})

test('revoking either token of a pair revokes both; unknown and revoked tokens are 200 too (RFC 7009)', async () => {
  await using world = await createWorld()
  const { client, clientId, ada } = world
  for (const name of ['access_token', 'refresh_token'] as const) {
    const tokens = await ada.connect(clientId)
    const { status, headers } = await client.revoke({ token: tokens[name] })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(await client.call(tokens.access_token), 401)
    assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 400)
    assert.equal((await client.revoke({ token: tokens[name] })).status, 200)
  }
  for (const token of ['x', 'weft_at_x', 'x'.repeat(5000)])
    assert.equal((await client.revoke({ token, token_type_hint: 'nonsense' })).status, 200)
  assert.equal((await client.revoke({})).body['error'], 'invalid_request')
  assert.equal((await client.revoke({ token: '' })).status, 400)
})

test('a client can revoke only its own tokens; an API token is revoked by its holder (RFC 7009 section 2.1)', async () => {
  await using world = await createWorld()
  const { client, clientId, ada, service } = world
  const tokens = await ada.connect(clientId)
  const other = await client.register()
  for (const client_id of [other, 'client_x', 'https://app.example/client.json'])
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const refused = await client.revoke({ token, client_id })
      assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_client'])
    }
  assert.equal(await client.call(tokens.access_token), 200)
  assert.equal((await client.revoke({ token: 'weft_rt_unknown', client_id: other })).status, 200)
  const twice = await client.post(
    '/oauth/revoke',
    `token=${tokens.access_token}&client_id=${clientId}&client_id=${other}`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  )
  assert.deepEqual([twice.status, twice.body['error']], [400, 'invalid_request'])
  assert.equal(
    (await client.revoke({ token: tokens.refresh_token, client_id: clientId })).status,
    200,
  )
  assert.equal(await client.call(tokens.access_token), 401)

  const [one, two] = [await service.mintToken(), await service.mintToken()]
  assert.equal((await client.revoke({ token: one })).status, 200)
  assert.equal(await client.call(one), 401)
  assert.equal(await client.call(two), 200)
  assert.equal((await client.revoke({ token: one })).status, 200)
})

test('reusing a code revokes its tokens, even much later', async () => {
  await using world = await createWorld()
  const { client, clientId, ada, pkce, service } = world
  const code = await ada.allow(clientId, pkce)
  const { body } = await client.exchange(clientId, code, pkce.verifier)
  const token = String(body['access_token'])
  service.clock.advance(30 * MINUTE)
  assert.equal(await client.call(token), 200)
  const replayed = await client.exchange(clientId, code, pkce.verifier)
  assert.equal(replayed.body['error'], 'invalid_grant')
  assert.equal(await client.call(token), 401)
  const refreshed = await client.refresh(clientId, String(body['refresh_token']))
  assert.equal(refreshed.body['error'], 'invalid_grant')
})

test('error messages do not repeat parameter names', async () => {
  await using world = await createWorld()
  const { client, ada, clientId, pkce } = world
  const name = 'Call+0900-EVIL+now'
  const twice = `${name}=1&${name}=2`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const { status, body } = await client.post(path, `token=x&${twice}`, headers)
    assert.deepEqual([status, body['error']], [400, 'invalid_request'])
    assert.doesNotMatch(JSON.stringify(body), /EVIL/)
  }
  const search = queryOf(authorizeParameters(clientId, pkce))
  const page = await ada.get(`/oauth/authorize?${search}&${twice}`)
  assert.equal(page.status, 303)
  assert.doesNotMatch(page.location ?? '', /EVIL/)
})

test('a disabled member has no tokens, codes or sessions', async () => {
  await using world = await createWorld()
  const { client, clientId, ada, service, pkce } = world
  const tokens = await ada.connect(clientId)
  const code = await world.code()
  await service.database.write((tx) => disableMember(tx, ada.member.memberId, service.clock.now()))
  assert.equal(await client.call(tokens.access_token), 401)
  assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 400)
  assert.equal((await client.exchange(clientId, code, pkce.verifier)).status, 400)
  const { location } = await world.authorize()
  assert.equal(location?.split('?')[0], `${service.url}/sign-in`)
})

const GRANTS = memberStatement<object, { count: number }>()(
  'select count(*) as count from grants where member_id = :member_id',
)

test('consent is requested every time, and only the form of the same session can give it (RFC 9700 section 4.7)', async () => {
  await using world = await createWorld()
  const { ada, service, clientId } = world
  await ada.connect(clientId)
  const page = await world.authorize()
  assert.equal(page.status, 200)
  assert.match(page.html, /Test/)
  const grace = await memberBrowser(service, { username: 'grace', name: 'Grace' })
  const search = queryOf(authorizeParameters(clientId, world.pkce))
  const form = (changes: Parameters = {}) =>
    searchOf({
      form_token: page.formToken,
      request: search,
      decision: 'allow',
      confirmation: page.forms.find(({ fields }) => 'request' in fields)?.fields['confirmation'],
      ...readFor(page, SECOND),
      ...changes,
    })
  const send = (body: URLSearchParams, headers: Record<string, string>) =>
    openVisitor(service.url).post('/oauth/authorize', body, headers)
  const own = { cookie: ada.cookie, ...SAME_ORIGIN }
  const refused: [string, URLSearchParams, Record<string, string>][] = [
    ['another site', form(), { ...own, 'sec-fetch-site': 'cross-site' }],
    ['a sister site', form(), { ...own, 'sec-fetch-site': 'same-site' }],
    ['another origin', form(), { cookie: ada.cookie, origin: 'https://evil.example' }],
    ['an opaque origin', form(), { cookie: ada.cookie, origin: 'null' }],
  ]
  for (const [about, body, headers] of refused) {
    const answer = await send(body, headers)
    assert.equal(answer.status, 403, about)
    assert.equal(answer.location, undefined, about)
  }
  const askedAgain: typeof refused = [
    ['no token', form({ form_token: undefined }), own],
    ['a wrong token', form({ form_token: 'x'.repeat(43) }), own],
    ['another member’s session', form(), { ...own, cookie: grace.cookie }],
    ['no session', form(), SAME_ORIGIN],
  ]
  const adas = service.database.member(ada.member.memberId)
  const before = await adas.get(GRANTS, {})
  for (const [about, body, headers] of askedAgain) {
    const answer = await send(body, headers)
    const { origin, pathname } = new URL(answer.location ?? '')
    const path = about === 'no session' ? '/sign-in' : '/oauth/authorize'
    assert.deepEqual([answer.status, origin, pathname], [303, service.url, path], about)
  }
  assert.deepEqual(await adas.get(GRANTS, {}), before)
  const undecided = await send(form({ decision: undefined }), own)
  assert.equal(undecided.status, 400)
  const swapped = form({
    request: queryOf({
      ...authorizeParameters(clientId, world.pkce),
      redirect_uri: 'https://evil.example/',
    }),
  })
  assert.equal((await send(swapped, own)).status, 400)
  const denied = await send(form({ decision: 'deny' }), own)
  assertReturned(denied, 'access_denied', service.url)
  const allowed = redirectOf(await send(form(), own))
  assert.equal(allowed.get('iss'), service.url)
  assert.equal(allowed.get('state'), 'st4te')
  assert.ok(allowed.get('code'))
})

test('consent within a second of the page, or with the timestamp of another page, is requested again', async () => {
  await using world = await createWorld()
  const { ada, service, clientId } = world
  const page = await world.authorize()
  const asked = async (changes: Record<string, string>) => {
    const again = await ada.submit(page, changes, 'allow')
    assert.deepEqual([again.status, again.location], [422, undefined])
    assert.match(again.text, /was not connected/)
    return again
  }
  await asked({})
  service.clock.advance(SECOND - 1)
  const again = await asked({})

  const grace = await memberBrowser(service, { username: 'grace', name: 'Grace' })
  const search = queryOf(authorizeParameters(clientId, world.pkce))
  const hers = readFor(await openConsent(service, grace, search), MINUTE)
  const other = readFor(await world.authorize({ state: 'other' }), MINUTE)
  const { rendered_at: old } = readFor(page, MINUTE)
  const [, signature = ''] = old.split('.')
  for (const rendered_at of [
    '',
    'x',
    '0',
    hers.rendered_at,
    other.rendered_at,
    `0.${signature}`,
    `${service.clock.now() - MINUTE}.`,
  ])
    await asked({ rendered_at })
  assert.equal((await ada.submit(again, {}, 'deny')).status, 303)

  service.clock.advance(SECOND)
  assert.ok(redirectOf(await ada.submit(again, {}, 'allow')).get('code'))
})

test('no page of the flow can be framed, cached or read by scripts, or sends a referrer to other sites', async () => {
  await using world = await createWorld()
  for (const page of [await world.authorize(), await world.authorize({ client_id: 'x' })]) {
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    assert.match(page.headers.get('cache-control') ?? '', /no-store/)
    assert.match(page.headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/)
    assert.equal(page.headers.get('access-control-allow-origin'), null)
  }
  const consent = await world.authorize()
  assert.match(
    consent.headers.get('content-security-policy') ?? '',
    /form-action 'self' https:\/\/client\.example[ ;]/,
  )
  const code = await world.ada.decide(
    searchOf(authorizeParameters(world.clientId, world.pkce)),
    'allow',
  )
  assert.match(code.headers.get('cache-control') ?? '', /no-store/)
  assert.equal(code.headers.get('referrer-policy'), 'no-referrer')
})

test('client documents are fetched only for signed-in members (RFC 9700 section 2, SSRF)', async () => {
  await using server = await openNameServer([192, 0, 2, 1])
  const documents = clientDocuments({ clock: fixedClock(), nameServers: [server.address] })
  await using world = await createWorld({ documents })
  const { service, ada, pkce } = world
  const search = queryOf(authorizeParameters('https://app.example/client.json', pkce))
  const stranger = openVisitor(service.url)
  const toSignIn = (page: Page) => {
    assert.equal(page.status, 303, page.html)
    assert.equal(page.location?.split('?')[0], `${service.url}/sign-in`)
  }
  toSignIn(await stranger.get(`/oauth/authorize?${search}`))
  const { formToken: form_token } = await stranger.get('/sign-in')
  const form = { form_token, request: search, decision: 'allow' }
  toSignIn(await stranger.post('/oauth/authorize', form, SAME_ORIGIN))
  assert.equal(server.queries.length, 0)

  const page = await ada.get(`/oauth/authorize?${search}`)
  assert.equal(page.status, 400)
  assert.match(page.text, /The app’s description at app\.example could not be read/)
  assert.ok(server.queries.includes('app.example'))
})

test('consent decisions and identity provider callbacks are rate-limited per client address', async () => {
  const oidc = { issuer: 'http://127.0.0.1:1', clientId: 'weft', clientSecret: 'secret' }
  const limit = { quota: 2, window: 60 }
  await using world = await createWorld({ oidc, rateLimits: { authorize: limit, callback: limit } })
  const { service } = world
  const stranger = openVisitor(service.url)
  const third = async (ask: () => Promise<Page>) => {
    const answers = [await ask(), await ask(), await ask()]
    for (const { headers } of answers) assert.ok(headers.get('ratelimit'))
    assert.deepEqual(
      answers.map(({ status }) => status === 429),
      [false, false, true],
    )
  }
  await third(() => stranger.get('/sign-in/callback?code=x&state=y'))
  await third(() => stranger.post('/oauth/authorize', {}, SAME_ORIGIN))
})

test('a client’s name is always text on the page', async () => {
  await using world = await createWorld()
  const name = `<img src=x onerror=alert(1)>"'&`
  const clientId = await world.client.register([REDIRECT_URI], { client_name: name })
  const { html } = await world.authorize({ client_id: clientId })
  assert.ok(!html.includes('<img src=x'))
  assert.ok(html.includes('onerror'))
  const state = '"><script>alert(1)</script>'
  const page = await world.authorize({ state })
  assert.ok(!page.html.includes('<script>alert'))
})

test('the metadata documents name this issuer and declare the `iss` parameter (RFC 9207, RFC 8414, RFC 9728)', async () => {
  await using world = await createWorld()
  const { url } = world.service
  const read = async (path: string) =>
    (await (await fetch(`${url}/.well-known/${path}`)).json()) as Record<string, unknown>
  const server = await read('oauth-authorization-server')
  assert.equal(server['issuer'], url)
  assert.equal(server['authorization_response_iss_parameter_supported'], true)
  assert.deepEqual(server['code_challenge_methods_supported'], ['S256'])
  for (const path of ['', '/mcp', '/mcp/v1']) {
    const resource = await read(`oauth-protected-resource${path}`)
    assert.equal(resource['resource'], url + path)
    assert.deepEqual(resource['authorization_servers'], [url])
  }
})

test('the token endpoint accepts forms and returns OAuth errors', async () => {
  await using world = await createWorld()
  const { client } = world
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const cases: [number, string, string, Record<string, string>][] = [
    [415, 'invalid_request', '{}', json],
    [413, 'invalid_request', `grant_type=${'x'.repeat(20_000)}`, form],
    [400, 'invalid_request', '', form],
    [400, 'invalid_request', 'grant_type=refresh_token&client_id=%00', form],
    [400, 'invalid_request', 'a=%ff\u00ff', form],
  ]
  for (const [status, error, body, headers] of cases) {
    const answer = await client.post('/oauth/token', body, headers)
    assert.equal(answer.status, status, body.slice(0, 40))
    assert.equal(answer.body['error'], error)
    assert.equal(typeof answer.body['error_description'], 'string')
  }
  const wrongMethod = await fetch(`${world.service.url}/oauth/token`)
  assert.equal(wrongMethod.status, 405)
})

test('the database contains no usable secret', async () => {
  await using world = await createWorld({ refreshGraceSeconds: 60 })
  const { client, clientId, ada, pkce, service } = world
  const unused = await world.code()
  const code = await world.code()
  const { body: first } = await client.exchange(clientId, code, pkce.verifier)
  const { body: second } = await client.refresh(clientId, String(first['refresh_token']))
  const api = await service.mintToken('ada')
  const stored = await service.everything()
  const secrets = [unused, code, pkce.verifier, api, ada.cookies['weft_session'] ?? '']
  for (const pair of [first, second])
    secrets.push(String(pair['access_token']), String(pair['refresh_token']))
  assert.equal(new Set(secrets).size, 9)
  for (const secret of secrets) {
    assert.ok(secret.length >= 43)
    assert.ok(!stored.includes(secret), secret.slice(0, 9))
    // The random part alone must not be stored either, for example in another encoding.
    const random = secret.slice(-49)
    assert.ok(!stored.includes(random))
    assert.ok(!stored.includes(Buffer.from(secret).toString('base64url').slice(4, 40)))
    assert.ok(!stored.includes(Buffer.from(secret).toString('hex')))
  }
  assert.ok(stored.includes(clientId)) // proves that `stored` has the data
})
