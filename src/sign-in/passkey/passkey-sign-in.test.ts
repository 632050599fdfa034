import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { createChallenge } from '../../access/passkey-challenge.ts'
import { findStoredPasskey, listPasskeys, removePasskey } from '../../access/passkey.ts'
import { HOUR, MINUTE } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import { disableMember } from '../../members/member.ts'
import { isSignedIn, join } from '../../../test/fixtures/account.ts'
import { sweep } from '../../operate/sweep.ts'
import {
  authenticatorAt,
  type Authenticator,
  type Deviations,
  type SoftKey,
} from '../../../test/support/authenticator.ts'
import {
  addPasskey,
  askToShow,
  showPasskey,
  startNamedService,
  type NamedService,
} from '../../../test/support/passkeys.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openVisitor, type Visitor } from '../../../test/support/visitor.ts'
import type { Member } from '../../members/member-row.ts'

interface World extends AsyncDisposable {
  readonly service: NamedService
  readonly ada: Member
  readonly authenticator: Authenticator
  readonly key: SoftKey
  visitor(): Visitor
  /** An attempt in a new browser. */
  show(deviations?: Deviations, key?: SoftKey): ReturnType<typeof showPasskey>
}

/** Ada has one passkey. */
async function createTestWorld(
  counts: { counter?: number; isSynced?: boolean } = {},
): Promise<World> {
  const service = await startNamedService()
  const { member: ada, visitor } = await join(service)
  const authenticator = authenticatorAt(service.origin, counts)
  const { key } = await addPasskey(visitor, authenticator)
  const open = () => openVisitor(service.url)
  return {
    service,
    ada,
    authenticator,
    key,
    visitor: open,
    show: (deviations, other = key) => showPasskey(open(), authenticator, other, deviations),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a passkey signs its member in without a username and returns to the requested page', async () => {
  await using world = await createTestWorld({ isSynced: true })
  const { service, ada, authenticator, key } = world
  service.clock.advance(HOUR)
  const person = world.visitor()
  const page = await person.follow(await person.get('/user/credits?x=a%26b'))
  const options = await askToShow(person, page)
  assert.deepEqual(
    { ...options, challenge: '' },
    {
      rpId: 'localhost',
      challenge: '',
      timeout: 5 * MINUTE,
      userVerification: 'required',
    },
  )
  const entered = await person.submit(page, { credential: authenticator.show(options, key) })
  assert.deepEqual([entered.status, entered.location], [303, `${service.url}/user/credits?x=a%26b`])
  assert.equal(await isSignedIn(person), true)
  const [passkey] = await listPasskeys(service.database.member(ada.memberId))
  assert.equal(passkey?.lastUsedAt, service.clock.now())
  assert.equal(passkey.isSynced, true)
})

test('a challenge is single-use, expires, and is bound to its browser and purpose', async () => {
  await using world = await createTestWorld()
  const { service, authenticator, key } = world
  const person = world.visitor()
  const page = await person.get('/sign-in')
  const credential = authenticator.show(await askToShow(person, page), key)

  const other = world.visitor()
  const elsewhere = await other.submit(await other.get('/sign-in'), { credential })
  assert.match(elsewhere.text, /took too long/, 'another browser')
  assert.equal((await person.submit(page, { credential })).status, 303, 'which used nothing up')

  const again = world.visitor()
  const form = await again.get('/sign-in')
  const asked = await askToShow(again, form)
  const late = authenticator.show(asked, key)
  service.clock.advance(5 * MINUTE)
  assert.match((await again.submit(form, { credential: late })).text, /took too long/, 'late')

  const invented = authenticator.show({ ...asked, challenge: 'bmV2ZXIgYXNrZWQ' }, key)
  assert.match((await again.submit(form, { credential: invented })).text, /took too long/)

  const { form_token: formToken = '' } = form.forms[0]?.fields ?? {}
  const challenge = await service.database.write((tx) =>
    createChallenge(tx, { purpose: 'add', formToken }, service.clock.now()),
  )
  const foreign = authenticator.show({ ...asked, challenge }, key)
  assert.match((await again.submit(form, { credential: foreign })).text, /took too long/, 'to add')
  assert.equal(await isSignedIn(again), false)
})

test('a recorded credential cannot be replayed', async () => {
  await using world = await createTestWorld()
  const person = world.visitor()
  const page = await person.get('/sign-in')
  const credential = world.authenticator.show(await askToShow(person, page), world.key, {
    userVerified: false,
  })
  const refused = await person.submit(page, { credential })
  assert.match(refused.text, /not accepted/)
  assert.match((await person.submit(refused, { credential })).text, /took too long/)
})

test('only a verified holder of the key can sign in, and only at this origin', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const { visitor: graces } = await join(service, { username: 'grace', name: 'Grace' })
  const { key: hers } = await addPasskey(graces, world.authenticator)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const attacks: readonly (readonly [string, Deviations, RegExp])[] = [
    ['another origin', { origin: 'https://evil.example' }, /only work at http:\/\/localhost:\d+/],
    ['another port', { origin: 'http://localhost:1' }, /only work at/],
    ['in a frame of another site', { crossOrigin: true }, /only work at/],
    ['another relying party', { rpId: 'evil.example' }, /not accepted/],
    ['not verified', { userVerified: false }, /not accepted/],
    ['of another ceremony', { type: 'webauthn.create' }, /not accepted/],
    ['signed by another key', { key: privateKey }, /not accepted/],
    ["signed by another member's key", { key: hers.privateKey }, /not accepted/],
    ["with another member's handle", { userHandle: hers.userHandle }, /not accepted/],
    ['without a handle', { userHandle: '' }, /not accepted/],
    ["shown as another member's", { credentialId: hers.credentialId }, /not accepted/],
  ]
  for (const [attack, deviations, answer] of attacks) {
    service.clock.advance(HOUR)
    const page = await world.show(deviations)
    assert.equal(page.status, 422, attack)
    assert.match(page.text, answer, attack)
  }
  service.clock.advance(HOUR)
  assert.equal((await world.show()).status, 303)
})

test('a signature counter that does not increase is rejected, except when it is always 0', async () => {
  await using world = await createTestWorld({ counter: 5 })
  const counterNow = async () =>
    (await findStoredPasskey(world.service.database, world.key.credentialId))?.counter
  assert.equal((await world.show()).status, 303)
  assert.equal(await counterNow(), 6)
  for (const counter of [6, 5, 0]) {
    assert.match((await world.show({ counter })).text, /not accepted/)
    assert.equal(await counterNow(), 6)
  }
  assert.equal((await world.show({ counter: 7 })).status, 303)

  await using uncounted = await createTestWorld()
  for (let times = 0; times < 3; times += 1) assert.equal((await uncounted.show()).status, 303)
})

test('a passkey whose backup eligibility differs from its registration is rejected', async () => {
  for (const isSynced of [true, false]) {
    await using world = await createTestWorld({ isSynced })
    const rejected = isSynced ? (['none'] as const) : (['eligible', 'synced'] as const)
    for (const backup of rejected)
      assert.match((await world.show({ backup })).text, /not accepted/, backup)
    // The backup state may change.
    const accepted = isSynced ? (['eligible', 'synced'] as const) : (['none'] as const)
    for (const backup of accepted) assert.equal((await world.show({ backup })).status, 303, backup)
  }
})

test('of two concurrent sign-ins with the same counter one succeeds', async () => {
  await using world = await createTestWorld({ counter: 1 })
  const tries = await Promise.all([world.show({ counter: 2 }), world.show({ counter: 2 })])
  const statuses = new Set(tries.map(({ status }) => status))
  assert.deepEqual(statuses, new Set([303, 422]))
})

test('an unknown passkey is reported, with its ID for the browser', async () => {
  await using world = await createTestWorld()
  const { service, ada, key } = world
  const own = service.database.member(ada.memberId)
  const [passkey] = await listPasskeys(own)
  await own.write((tx) => removePasskey(tx, passkey?.passkeyId ?? ''))
  const page = await world.show()
  assert.equal(page.status, 422)
  assert.match(page.text, /Unknown passkey/)
  assert.match(page.html, new RegExp(`data-unknown="${key.credentialId}"`))
})

test('a disabled member cannot sign in, and sees why only with their own passkey', async () => {
  await using world = await createTestWorld()
  const { database, clock } = world.service
  await database.write((tx) => disableMember(tx, world.ada.memberId, clock.now()))
  assert.match((await world.show({ userVerified: false })).text, /not accepted/)
  const page = await world.show()
  assert.equal(page.status, 403)
  assert.match(page.text, /Your account is disabled/)
  assert.equal(page.headers.get('set-cookie'), null)
})

test('a missing or malformed credential gets a clear error', async () => {
  await using world = await createTestWorld()
  const person = world.visitor()
  const page = await person.get('/sign-in')
  const shown = JSON.parse(
    world.authenticator.show(await askToShow(person, page), world.key),
  ) as Record<string, object>
  const broken = (response: object) =>
    JSON.stringify({ ...shown, response: { ...shown['response'], ...response } })
  const sent = [
    '',
    'null',
    '[]',
    '{"id":1}',
    JSON.stringify({ ...shown, id: '' }),
    broken({ clientDataJSON: 'bm90IGpzb24' }),
    broken({ clientDataJSON: null }),
    broken({ signature: 'no base64url!' }),
  ]
  for (const credential of sent) {
    const answer = await person.submit(page, { credential })
    assert.equal(answer.status, 422, credential)
    assert.match(answer.text, /sent no passkey/, credential)
  }
  const cut = await person.submit(page, { credential: broken({ authenticatorData: 'AAAA' }) })
  assert.match(cut.text, /not accepted/)
})

test('failed passkeys and failed passwords share the limit of an IP address', async () => {
  await using world = await createTestWorld()
  const fail = async (times: number) => {
    for (let tries = 0; tries < times; tries += 1)
      assert.equal((await world.show({ userVerified: false })).status, 422)
  }
  await fail(4)
  assert.equal((await world.show()).status, 303, 'and forgives those')
  await fail(5)
  const page = await world.show()
  assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '60'])
  assert.match(page.text, /Wait a minute/)
  world.service.clock.advance(MINUTE)
  assert.equal((await world.show()).status, 303)
})

test('another site cannot create a challenge or sign anyone in', async () => {
  await using world = await createTestWorld()
  const person = world.visitor()
  const page = await person.get('/sign-in')
  const { form_token: token = '' } = page.forms[0]?.fields ?? {}
  const credential = world.authenticator.show(await askToShow(person, page), world.key)
  for (const path of ['/sign-in/passkey', '/sign-in/passkey/options']) {
    assert.equal((await person.post(path, { credential })).status, 403, path)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const fields = { credential, form_token: token }
    assert.equal((await person.post(path, fields, foreign)).status, 403, path)
  }
  assert.equal(await isSignedIn(person), false)
})

test('challenges are stored as hashes and swept when they expire', async () => {
  await using world = await createTestWorld()
  const { database, clock } = world.service
  const person = world.visitor()
  const { challenge } = await askToShow(person, await person.get('/sign-in'))
  const count = statement<object, { n: number }>('select count(*) as n from passkey_challenges')
  // The other one is the confirmation of the sign-in that added the passkey.
  assert.equal((await database.get(count, {}))?.n, 2)
  assert.equal((await world.service.everything()).includes(challenge), false)
  clock.advance(5 * MINUTE)
  await sweep(database, clock.now())
  assert.equal((await database.get(count, {}))?.n, 0)
})

test('at an IP address there is no passkey button and no passkey route', async () => {
  await using service = await startTestService()
  const person = openVisitor(service.url)
  const page = await person.get('/sign-in')
  assert.doesNotMatch(page.html, /passkey|webauthn/)
  assert.equal((await person.post('/sign-in/passkey', {})).status, 404)
})
