import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unconfirmed } from '../../../test/support/oauth.ts'
import {
  providerSettings,
  startIdentityProvider,
  type IdentityProvider,
  type Person,
} from '../../../test/support/identity-provider.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { PASSWORD } from '../../../test/support/password.ts'
import { listApiTokens, mintApiToken } from '../../access/api-token.ts'
import { listSessions, startSession } from '../../access/browser-session.ts'
import { findLink } from '../../access/one-time-link.ts'
import { addPasskey, listPasskeys } from '../../access/passkey.ts'
import { hasPassword } from '../../access/passwords/password.ts'
import { addIdentity, hasIdentityOf } from '../../access/provider-identity.ts'
import { MINUTE } from '../../base/clock.ts'
import { hashSecret } from '../../base/secrets.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  createMember,
  disableMember,
  findMemberByUsername,
  listMembers,
} from '../../members/member.ts'
import { verifyEmail } from '../../members/verified-email.ts'
import { listAdmins } from '../../members/admin-role.ts'
import { createGrant } from '../../oauth/grant.ts'
import { listChanges } from '../../tools/activity-log/read-activity.ts'
import { createFirstLink } from '../invitations/first-link.ts'
import { joinAddress } from '../session/one-time-link-url.ts'
import { formTokenOf, openSignIn, whoIs, type SignInWorld } from '../../../test/fixtures/sign-in.ts'
import { createSeparateStore, type TestStore } from '../../../test/support/store.ts'
import type { SignUp } from '../session/admission.ts'
import { openSignedIn, type Page, type Visitor } from '../../../test/support/visitor.ts'

const GRACE: Person = {
  sub: 'employee-17',
  name: 'Grace Hopper',
  preferred_username: 'Grace.Hopper',
  email: 'Grace@Example.org',
  email_verified: true,
}

interface World extends SignInWorld {
  readonly provider: IdentityProvider
}

/** Grace is signed in at the provider unless a test changes it. */
async function createTestWorld(
  options: {
    readonly signUp?: SignUp
    readonly claimsInIdToken?: boolean
    readonly claimsSupported?: readonly string[]
    readonly store?: TestStore
  } = {},
): Promise<World> {
  const port = await freePort()
  const world = await openSignIn({ ...options, oidc: providerSettings(port) })
  const redirectUri = `${world.url}/sign-in/callback`
  const provider = await startIdentityProvider({ ...options, port, redirectUri })
  provider.person = GRACE
  return {
    ...world,
    provider,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

/** The whole way through the provider to the last page. */
async function enter(visitor: Visitor, address = '/sign-in'): Promise<Page> {
  return visitor.follow(await visitor.get(address))
}

/** As far as the URL that the provider redirects back to. */
async function returnFromProvider(visitor: Visitor, address = '/sign-in'): Promise<string> {
  let page = await visitor.get(address)
  while (page.location !== undefined && !page.location.includes('/sign-in/callback'))
    page = await visitor.get(page.location)
  assert.ok(page.location)
  return page.location
}

async function usernames({ database }: World): Promise<string[]> {
  return (await listMembers(database, { limit: 100 })).map(({ username }) => username)
}

test('with open sign-up anyone the provider knows becomes a member', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  const wanted = '/oauth/authorize?client_id=c&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&state=a%2Bb'
  const page = await enter(person, wanted)
  assert.deepEqual([page.status, unconfirmed(page.address)], [200, world.url + wanted])
  assert.equal(await whoIs(person), 'grace-hopper')
  const member = await findMemberByUsername(world.database, 'grace-hopper')
  assert.deepEqual([member?.name, member?.email], ['Grace Hopper', 'grace@example.org'])

  world.provider.person = { ...GRACE, email: 'changed@example.org', preferred_username: 'grh' }
  const again = world.visitor()
  await enter(again)
  assert.equal(await whoIs(again), 'grace-hopper', 'known by subject, whatever else has changed')
  assert.deepEqual(await usernames(world), ['grace-hopper'])
})

test('the authorization request is bound to this sign-in', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  await enter(world.visitor())
  await enter(world.visitor())
  const [first, second] = world.provider.asked
  assert.ok(first && second)
  assert.equal(first.get('response_type'), 'code')
  assert.equal(first.get('code_challenge_method'), 'S256')
  assert.equal(first.get('scope'), 'openid profile email')
  assert.equal(first.get('redirect_uri'), `${world.url}/sign-in/callback`)
  for (const name of ['state', 'nonce', 'code_challenge']) {
    assert.match(first.get(name) ?? '', /^[\w-]{43}$/, name)
    assert.notEqual(first.get(name), second.get(name), name)
  }
})

test('a provider can put all claims in its ID token', async () => {
  await using world = await createTestWorld({ signUp: 'open', claimsInIdToken: true })
  await enter(world.visitor())
  const member = await findMemberByUsername(world.database, 'grace-hopper')
  assert.equal(member?.email, 'grace@example.org')
})

test('a confirmation needs the time of the sign-in only if the provider reports it', async () => {
  for (const [claimsSupported, isConfirmed] of [
    [['sub', 'email'], true],
    [['sub', 'email', 'auth_time'], false],
  ] as const) {
    await using world = await createTestWorld({ signUp: 'open', claimsSupported })
    const visitor = world.visitor()
    await enter(visitor)
    const departure = new URL((await visitor.get('/sign-in/confirm')).location ?? '')
    for (const parameter of ['prompt', 'max_age']) departure.searchParams.delete(parameter)
    const returned = await visitor.get(await returnFromProvider(visitor, departure.href))
    assert.equal(returned.location?.includes('?confirmation=') ?? false, isConfirmed, returned.text)
  }
})

test('an invitation survives the round trip to the provider and lets one person join', async () => {
  await using world = await createTestWorld()
  const refused = await enter(world.visitor())
  assert.equal(refused.status, 403)
  assert.match(refused.text, /Sign-up is by invitation/)

  const address = joinAddress(world.url, await world.addLink({ purpose: 'invite' }))
  const [guest, late] = [world.visitor(), world.visitor()]
  const lateReturn = await returnFromProvider(late, address)
  await enter(guest, `${address}&return_to=%2Fuser%2Fhere`)
  assert.equal(await whoIs(guest), 'grace-hopper')
  world.provider.person = { sub: 'employee-18' }
  assert.equal((await enter(world.visitor(), address)).status, 403)
  assert.deepEqual(await usernames(world), ['grace-hopper'])
  assert.equal((await late.get(lateReturn)).status, 303, 'it was Grace, who is a member by now')
})

test('an invitation that is used during the round trip is rejected', async () => {
  await using world = await createTestWorld()
  const address = joinAddress(world.url, await world.addLink({ purpose: 'invite' }))
  const late = world.visitor()
  world.provider.person = { sub: 'employee-18', preferred_username: 'late' }
  const lateReturn = await returnFromProvider(late, address)
  world.provider.person = GRACE
  await enter(world.visitor(), address)
  const page = await late.get(lateReturn)
  assert.equal(page.status, 403)
  assert.match(page.text, /no longer valid/)
  assert.deepEqual(await usernames(world), ['grace-hopper'])
})

test('with closed sign-up only the first member can join', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const invite = await world.addLink({ purpose: 'invite' })
  for (const address of ['/sign-in', '/join', joinAddress(world.url, invite)]) {
    const page = await enter(world.visitor(), address)
    assert.equal(page.status, 403)
    assert.match(page.text, /not accepting new members/)
  }
  assert.deepEqual(await usernames(world), [])
  const first = (await createFirstLink(world.database, world.clock.now())) ?? ''
  const person = world.visitor()
  await enter(person, joinAddress(world.url, first))
  assert.equal(await whoIs(person), 'grace-hopper')
  assert.equal((await listAdmins(world.database)).size, 1, 'and runs the service')
})

test('a member without a password is found by the verified email', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const { database, clock } = world
  const grace = { username: 'grace', email: 'grace@example.org', name: 'G.' }
  await database.write((tx) => createMember(tx, grace, clock.now()))
  const person = world.visitor()
  await enter(person)
  assert.equal(await whoIs(person), 'grace')

  world.provider.person = { ...GRACE, sub: 'employee-99' }
  const other = world.visitor()
  const page = await enter(other)
  assert.equal(page.status, 403)
  assert.match(page.text, /signs in with another account/)
  assert.equal(await whoIs(other), undefined)
})

/** An account that predates the provider: with a password, a session, a token, a passkey and an earlier provider. */
async function addOldAccount(world: World, person: Visitor) {
  const { database, clock } = world
  const now = clock.now()
  const member = await world.addMember({ username: 'grace', email: 'grace@example.org' })
  const session = await database
    .member(member.memberId)
    .write((tx) => startSession(tx, { userAgent: 'test', now }))
  const token = { name: 'script', holder: 'ai_client', lifetimeDays: null } as const
  const key = {
    credentialId: 'id',
    userHandle: 'g',
    name: 'Phone',
    counter: 0,
    isBackupEligible: false,
    isSynced: false,
  }
  const passkey = { ...key, publicKey: new Uint8Array(1), transports: [] }
  const own = database.member(member.memberId)
  await own.write(async (tx) => {
    await mintApiToken(tx, token, now)
    await addPasskey(tx, passkey, now)
    await createGrant(tx, GRANT, now)
    await addIdentity(tx, EARLIER_IDENTITY, now)
  })
  const reset = await world.addLink({ purpose: 'reset', memberId: member.memberId })
  return {
    page: await enter(person, '/sign-in?return_to=%2Fuser%2Fhere'),
    async left() {
      const live = await findLink(database, reset, ['reset'], now)
      return {
        sessions: (await listSessions(own, now)).length,
        oldSession: (await own.get(SESSION, { id: hashSecret(session.secret) })) !== undefined,
        tokens: (await listApiTokens(own)).length,
        passkeys: (await listPasskeys(own)).length,
        grants: (await own.get(GRANTS, {}))?.count,
        password: await hasPassword(own),
        resetLink: live !== undefined,
        earlierIdentity: await hasIdentityOf(own, EARLIER_IDENTITY.issuer),
      }
    },
    actions: async () => (await listChanges(own, 1000, 10)).map(({ action }) => action),
  }
}

/** Works again if the service returns to this provider. */
const EARLIER_IDENTITY = { issuer: 'https://earlier.example', subject: 'someone' }

const GRANT = {
  clientId: 'client',
  clientName: 'An agent',
  redirectHost: 'agent.example',
  scope: 'network',
  resource: null,
}
const GRANTS = memberStatement<object, { count: number }>()(
  'select count(*) as count from grants where member_id = :member_id',
)
const SESSION = memberStatement<{ id: string }, { created_at: number }>()(
  'select created_at from browser_sessions where member_id = :member_id and session_hash = :id',
)

test('an account with a password is connected with it, and keeps its agents', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const person = world.visitor()
  const account = await addOldAccount(world, person)
  assert.equal(account.page.status, 200)
  assert.match(account.page.text, /already an account with your email address, grace@example\.org/)
  assert.equal(await whoIs(person), undefined, 'nothing is connected by an address alone')

  const wrong = await person.submit(account.page, { password: 'not the password' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Incorrect password/)
  assert.match(world.logged.join(''), /"event":"sign_in_failed","method":"link_identity"/)
  const done = await person.submit(wrong, { password: PASSWORD })
  assert.deepEqual([done.status, done.location], [303, `${world.url}/user/here`])
  assert.equal(await whoIs(person), 'grace')
  assert.deepEqual(await account.left(), {
    sessions: 2,
    oldSession: true,
    tokens: 1,
    passkeys: 1,
    grants: 1,
    password: true,
    resetLink: false,
    earlierIdentity: true,
  })
  assert.deepEqual(await account.actions(), ['account.session_started', 'account.identity_linked'])

  const again = world.visitor()
  await enter(again)
  assert.equal(await whoIs(again), 'grace', 'and is not asked a second time')
})

test('an account whose owner verified the email is connected at once and keeps everything', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const { memberId } = await world.addMember({ username: 'grace', email: 'grace@example.org' })
  const person = world.visitor()
  assert.match((await enter(person)).text, /already an account with your email/)
  await world.database.write((tx) => verifyEmail(tx, memberId, 'grace@example.org'))
  await enter(person)
  assert.equal(await whoIs(person), 'grace')
  assert.ok(await hasPassword(world.database.member(memberId)))
})

test('connecting an account without its password revokes all existing access', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const person = world.visitor()
  const account = await addOldAccount(world, person)
  const submit = () => person.submit(account.page, {}, 'Connect without the password')
  // A double-click, and another click after the browser has stored the session.
  for (const done of [...(await Promise.all([submit(), submit()])), await submit()])
    assert.deepEqual([done.status, done.location], [303, `${world.url}/user/here`], done.text)
  assert.equal(await whoIs(person), 'grace')
  assert.deepEqual(await account.left(), {
    sessions: 1,
    oldSession: false,
    tokens: 0,
    passkeys: 0,
    grants: 0,
    password: false,
    resetLink: false,
    earlierIdentity: false,
  })
  assert.deepEqual(await account.actions(), [
    'account.session_started',
    'account.identity_linked',
    'account.access_revoked',
  ])
})

test('a confirmation in a browser that has signed in as another member shows an error', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const person = world.visitor()
  const { page } = await addOldAccount(world, person)
  const alan = await world.addMember({ username: 'alan', email: 'alan@example.org' })
  const visitor = await openSignedIn(world, alan)
  const [form] = page.forms
  const told = await visitor.post('/sign-in/link', { ...form?.fields, confirm_by: 'nothing' })
  assert.equal(told.status, 409, told.text)
  assert.match(told.text, /signed in as .*\(@alan\)/)
  assert.equal((await person.submit(page, {}, 'Connect without the password')).status, 303)
})

test('a confirmation is single-use, bound to its browser and valid for fifteen minutes', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const person = world.visitor()
  const { page } = await addOldAccount(world, person)
  const thief = world.visitor()
  const pending = page.forms[0]?.fields['pending'] ?? ''
  const stolen = { pending, confirm_by: 'nothing', form_token: await formTokenOf(thief) }
  assert.equal((await thief.post('/sign-in/link', stolen)).status, 400)
  const again = await enter(person)
  world.clock.advance(15 * MINUTE)
  for (const late of [page, again])
    assert.equal((await person.submit(late, {}, 'Connect without the password')).status, 400)
  const timely = await enter(person)
  assert.equal((await person.submit(timely, {}, 'Connect without the password')).status, 303)
  const after = { ...stolen, form_token: await formTokenOf(person) }
  assert.equal((await person.post('/sign-in/link', after)).status, 400)
})

test('wrong passwords at the confirmation are counted', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const person = world.visitor()
  const { page } = await addOldAccount(world, person)
  for (let count = 0; count < 5; count += 1)
    assert.equal((await person.submit(page, { password: `wrong ${count}` })).status, 422)
  const limited = await person.submit(page, { password: PASSWORD })
  assert.equal(limited.status, 429)
  assert.ok(limited.headers.get('retry-after'))
  assert.equal(await whoIs(person), undefined)
})

test('an unverified email finds no member', async () => {
  for (const claim of [{ email_verified: false }, {}]) {
    await using world = await createTestWorld()
    await world.addMember({ username: 'grace', email: 'grace@example.org', name: 'G.' })
    world.provider.person = { sub: 'attacker', email: 'grace@example.org', ...claim }
    const person = world.visitor()
    const page = await enter(person)
    assert.equal(page.status, 403)
    assert.match(page.text, /by invitation/)
    assert.equal(await whoIs(person), undefined)
    const link = await world.addLink({ purpose: 'invite' })
    await enter(person, joinAddress(world.url, link))
    assert.equal(await whoIs(person), 'grace-2')
    const member = await findMemberByUsername(world.database, 'grace-2')
    assert.equal(member?.email, null, 'it is not theirs to hold')
  }
})

test('an ID token with an invalid signature is rejected', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  world.provider.idToken = { claims: {}, isForged: true }
  const page = await enter(world.visitor())
  assert.equal(page.status, 403)
  assert.match(page.text, /could not be verified/)
  assert.deepEqual(await usernames(world), [])
  world.provider.idToken = { claims: { name: 'Changed by its own' } }
  assert.equal((await enter(world.visitor())).status, 200, 'its own signature is accepted')
})

test('an ID token without a subject signs no one in', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  for (const sub of ['', ' ', '\u200b', null, 7]) {
    world.provider.idToken = { claims: { sub, email: 'x@example.org', email_verified: true } }
    const visitor = world.visitor()
    assert.equal((await enter(visitor)).status, 403, JSON.stringify(sub))
    assert.equal(await whoIs(visitor), undefined)
  }
  assert.deepEqual(await usernames(world), [])
})

test('a verification applies only to the email from the same source', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const { database, clock, provider } = world
  const grace = { username: 'grace', email: 'grace@example.org', name: 'G.' }
  await database.write((tx) => createMember(tx, grace, clock.now()))
  const unverified = { sub: 'attacker', email: 'grace@example.org', email_verified: false }
  const verified = { sub: 'attacker', email: 'mallory@example.org', email_verified: true }
  for (const [person, claims] of [
    [unverified, { email_verified: true }],
    [unverified, { email: 'mallory@example.org', email_verified: true }],
    [verified, { email: 'grace@example.org' }],
    [verified, { email: 'grace@example.org', email_verified: false }],
  ] as const) {
    provider.person = person
    provider.idToken = { claims }
    const visitor = world.visitor()
    assert.equal((await enter(visitor)).status, 403, JSON.stringify(claims))
    assert.equal(await whoIs(visitor), undefined)
  }
  provider.person = { sub: 'grace', email: 'grace@example.org', email_verified: true }
  provider.idToken = { claims: { email: 'grace@example.org' } }
  const visitor = world.visitor()
  await enter(visitor)
  assert.equal(await whoIs(visitor), 'grace')
})

test('any claims produce a valid member', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const odd: Person[] = [
    { sub: 'a' },
    { sub: 'b', name: 'x'.repeat(500), preferred_username: 'ADMIN' },
    { sub: 'c', name: '\u202eevil\u0000', email: 'not an address', email_verified: true },
    { sub: 'd', name: '   ', preferred_username: '日本' },
    { sub: 'e', name: 'Grace', preferred_username: 'grace@corp.example' },
  ]
  for (const person of odd) {
    world.provider.person = person
    const visitor = world.visitor()
    assert.equal((await enter(visitor)).status, 200, person.sub)
    assert.ok(await whoIs(visitor))
  }
  assert.equal((await usernames(world)).length, odd.length)
  assert.ok(await findMemberByUsername(world.database, 'grace'))
})

test('a response to a sign-in of another browser is rejected', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const [attacker, victim] = [world.visitor(), world.visitor()]
  const address = await returnFromProvider(attacker)
  const without = await victim.get(address)
  assert.equal(without.status, 400)
  assert.match(without.text, /not started in this browser/)
  await victim.get('/sign-in')
  assert.equal((await victim.get(address)).status, 400, 'begun in both, but not the same one')
  assert.equal(await whoIs(victim), undefined)
  assert.deepEqual(await usernames(world), [])
})

test('a response and its cookie are single-use', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  const address = await returnFromProvider(person)
  const cookie = `weft_oidc=${person.cookies['weft_oidc'] ?? ''}`
  assert.equal((await person.get(address)).status, 303)
  assert.equal(person.cookies['weft_oidc'], undefined)
  assert.equal((await person.get(address)).status, 400)
  const replayed = await world.visitor().get(address, { cookie })
  assert.equal(replayed.status, 403, 'the provider takes a code once')
  assert.match(replayed.text, /could not be verified/)
})

test('a response that is not from the configured provider is rejected', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const change = async (name: string, value: string | undefined): Promise<number> => {
    const person = world.visitor()
    const address = new URL(await returnFromProvider(person))
    if (value === undefined) address.searchParams.delete(name)
    else address.searchParams.set(name, value)
    const page = await person.get(address.href)
    assert.equal(await whoIs(person), undefined)
    return page.status
  }
  assert.equal(await change('iss', 'https://evil.example'), 403)
  assert.equal(await change('iss', undefined), 403)
  assert.equal(await change('code', 'another'), 403)
  assert.equal(await change('code', undefined), 403)
  assert.equal(await change('state', 'another'), 400)
  assert.equal(await change('state', undefined), 400)
  assert.deepEqual(await usernames(world), [])
})

test('a person who cancels at the provider sees why and can start again', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  world.provider.person = undefined
  const person = world.visitor()
  const page = await enter(person)
  assert.equal(page.status, 403)
  assert.match(page.text, /was canceled at 127\.0\.0\.1/)
  assert.equal(person.cookies['weft_oidc'], undefined)
  world.provider.person = GRACE
  await enter(person)
  assert.equal(await whoIs(person), 'grace-hopper')
})

test('an error from the provider is escaped and shown only to the browser that started', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  const address = new URL(await returnFromProvider(person))
  address.searchParams.delete('code')
  address.searchParams.set('error', '<script>alert(1)</script>')
  address.searchParams.set('error_description', 'Call 555-0100 to unlock your account')
  const stranger = await world.visitor().get(address.href)
  assert.equal(stranger.status, 400)
  const page = await person.get(address.href)
  assert.equal(page.status, 403)
  assert.doesNotMatch(page.html + stranger.html, /<script>alert|555-0100/)
})

test('an unreachable provider is reported and retried next time', async () => {
  const port = await freePort()
  await using world = await openSignIn({ signUp: 'open', oidc: providerSettings(port) })
  const redirectUri = `${world.url}/sign-in/callback`
  const person = world.visitor()
  const down = await person.get('/sign-in')
  assert.equal(down.status, 503)
  assert.ok(down.headers.get('retry-after'))
  assert.match(down.text, /^Weft .*The identity provider 127\.0\.0\.1:\d+ cannot be reached/)
  assert.match(world.logged.join(''), /ECONNREFUSED/)

  await using provider = await startIdentityProvider({ redirectUri, port })
  provider.person = GRACE
  const address = await returnFromProvider(person)
  await provider[Symbol.asyncDispose]()
  assert.equal((await person.get(address)).status, 503, 'unavailable during the sign-in')

  await using back = await startIdentityProvider({ redirectUri, port })
  back.person = GRACE
  await enter(person)
  assert.equal(await whoIs(person), 'grace-hopper')
})

test('signing out does not sign the person in again, and they can choose another account next time', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  await enter(person)
  const form = { form_token: await formTokenOf(person), return_to: '/user/here' }
  const page = await person.get((await person.post('/sign-out', form)).location ?? '')
  assert.equal(page.status, 200)
  assert.match(page.text, /may still be signed in at 127\.0\.0\.1/)
  assert.equal(await whoIs(person), undefined)
  world.provider.person = { sub: 'employee-18', preferred_username: 'ada' }
  // The provider ends its session with a form that the browser submits automatically.
  const ended = await enter(person, page.links['Sign in again'])
  const end = await person.follow(await person.submit(ended))
  assert.equal(end.address, `${world.url}/user/here`)
  assert.equal(world.provider.asked.at(-1)?.get('prompt'), 'login')
  assert.equal(await whoIs(person), 'ada')
})

test('signing in as a different member ends the previous session', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  const address = await returnFromProvider(person)
  world.provider.person = { sub: 'planted', preferred_username: 'mallory' }
  const mallory = world.visitor()
  await enter(mallory)
  const planted = `weft_session=${mallory.cookies['weft_session'] ?? ''}`
  const oidc = `weft_oidc=${person.cookies['weft_oidc'] ?? ''}`
  const page = await person.get(address, { cookie: `${planted}; ${oidc}` })
  assert.equal(page.status, 303)
  assert.equal(await whoIs(person), 'grace-hopper')
  assert.equal(await whoIs(mallory), undefined)
})

test('a disabled member cannot sign in and sees why', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const person = world.visitor()
  await enter(person)
  const { memberId = 0 } = (await findMemberByUsername(world.database, 'grace-hopper')) ?? {}
  await world.database.write((tx) => disableMember(tx, memberId, world.clock.now()))
  const again = world.visitor()
  const page = await enter(again)
  assert.deepEqual([page.status, again.cookies['weft_session']], [403, undefined])
  assert.match(page.text, /Your account is disabled/)
})

test('with a provider there is no password sign-in', async () => {
  await using world = await createTestWorld()
  const { memberId } = await world.addMember()
  const person = world.visitor()
  const form = { form_token: await formTokenOf(person), login: 'ada', password: 'whatever it is' }
  assert.equal((await person.post('/sign-in', form)).status, 405)
  const link = await world.addLink({ purpose: 'reset', memberId })
  assert.equal((await person.get(`/reset?link=${link}`)).status, 404)
})

test('no secret is stored or logged', async () => {
  const store = await createSeparateStore()
  await using world = await createTestWorld({ signUp: 'open', store })
  const secrets = [providerSettings(0).clientSecret]
  // One success, then one failure of each kind.
  for (const wrong of [{}, { iss: 'https://evil.example' }, { code: 'another' }]) {
    const person = world.visitor()
    const address = new URL(await returnFromProvider(person))
    secrets.push(address.searchParams.get('code') ?? '', person.cookies['weft_oidc'] ?? '')
    for (const [name, value] of Object.entries(wrong)) address.searchParams.set(name, value)
    await person.get(address.href)
  }
  assert.equal(world.logged.length, 2)
  const kept = (await store.everything()) + world.logged.join('\n')
  for (const secret of secrets) assert.equal(kept.includes(secret.split('.', 1)[0] ?? ''), false)
})
