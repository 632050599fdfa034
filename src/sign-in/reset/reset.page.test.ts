import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintApiToken, listApiTokens } from '../../access/api-token.ts'
import { listSessions } from '../../access/browser-session.ts'
import { addPasskey, listPasskeys } from '../../access/passkey.ts'
import { DAY } from '../../base/clock.ts'
import { disableMember } from '../../members/member.ts'
import { resetAddress } from '../session/one-time-link-url.ts'
import { listChanges } from '../../tools/activity-log/read-activity.ts'
import { openSignIn, signIn, whoIs, type SignInWorld } from '../../../test/fixtures/sign-in.ts'
import { PASSWORD } from '../../../test/support/password.ts'

const NEW_PASSWORD = 'difference engine no. 2'

test('a reset link sets a new password and ends all other sessions', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const elsewhere = await world.signedIn()
  const [link, unused] = [
    await world.addLink({ purpose: 'reset', memberId }),
    await world.addLink({ purpose: 'reset', memberId }),
  ]
  const person = world.visitor()
  const page = await person.get(resetAddress(world.url, link))
  assert.match(page.text, /You sign in as ada@example\.org/)
  const changed = await person.submit(page, { password: NEW_PASSWORD })
  assert.deepEqual([changed.status, changed.location], [303, `${world.url}/user`])
  assert.equal(await whoIs(person), 'ada')
  assert.equal(await whoIs(elsewhere), undefined)
  assert.equal((await signIn(world.visitor(), 'ada', PASSWORD)).status, 422)
  assert.equal((await signIn(world.visitor(), 'ada', NEW_PASSWORD)).status, 303)
  for (const dead of [link, unused])
    assert.equal((await person.get(resetAddress(world.url, dead))).status, 403)
})

test('concurrent sign-ins with the old password do not survive a reset', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const owner = world.visitor()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const reset = await owner.get(resetAddress(world.url, link))
  const others = Array.from({ length: 8 }, () => world.visitor())
  await Promise.all([
    ...others.slice(0, 4).map((other) => signIn(other, 'ada')),
    owner.submit(reset, { password: NEW_PASSWORD }),
    ...others.slice(4).map((other) => signIn(other, 'ada')),
  ])
  assert.equal(await whoIs(owner), 'ada')
  const sessions = await listSessions(world.database.member(memberId), world.clock.now())
  assert.equal(sessions.length, 1)
  for (const other of others) assert.equal(await whoIs(other), undefined)
})

/** A token and a passkey of this member. */
async function addAccess({ database, clock }: SignInWorld, memberId: number): Promise<void> {
  const now = clock.now()
  const token = { name: 'script', holder: 'ai_client', lifetimeDays: null } as const
  const key = {
    credentialId: 'id',
    userHandle: 'ada',
    name: 'Phone',
    counter: 0,
    isBackupEligible: false,
    isSynced: false,
  }
  const passkey = { ...key, publicKey: new Uint8Array(1), transports: [] }
  await database.member(memberId).write(async (tx) => {
    await mintApiToken(tx, token, now)
    await addPasskey(tx, passkey, now)
  })
}

test('a reset revokes tokens and removes passkeys, unless the member chooses otherwise', async () => {
  for (const keeps of [true, false]) {
    await using world = await openSignIn()
    const { memberId } = await world.addMember()
    await addAccess(world, memberId)
    const link = await world.addLink({ purpose: 'reset', memberId })
    const person = world.visitor()
    const page = await person.get(resetAddress(world.url, link))
    assert.match(page.text, /Revoke your API token Remove your passkey/)
    const no = { revoke_tokens: 'no', revoke_passkeys: 'no' }
    await person.submit(page, { password: NEW_PASSWORD, ...(keeps && no) })
    const member = world.database.member(memberId)
    const [tokens, passkeys] = [await listApiTokens(member), await listPasskeys(member)]
    assert.deepEqual([tokens.length, passkeys.length], keeps ? [1, 1] : [0, 0])
    const actions = (await listChanges(member, Number.MAX_SAFE_INTEGER, 10)).map(
      ({ action, after }) => [action, after],
    )
    const details = { method: 'one-time link', browser: 'An unknown browser' }
    assert.deepEqual(actions, [
      ['account.session_started', details],
      ...(keeps ? [] : [['account.access_revoked', { tokens: 1, passkeys: 1 }]]),
      ['account.password_reset', null],
    ])
  }
})

test('a reset also revokes access that did not exist when its page was shown', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const person = world.visitor()
  const page = await person.get(resetAddress(world.url, link))
  assert.doesNotMatch(page.text, /may have had access/)
  await addAccess(world, memberId)
  await person.submit(page, { password: NEW_PASSWORD })
  const member = world.database.member(memberId)
  assert.deepEqual([await listApiTokens(member), await listPasskeys(member)], [[], []])
})

test('a reset link is single-use and expires, and other links are rejected', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const open = async () => {
    const person = world.visitor()
    return { person, page: await person.get(resetAddress(world.url, link)) }
  }
  const opened = await Promise.all([open(), open(), open()])
  const answers = await Promise.all(
    opened.map(({ person, page }, index) =>
      person.submit(page, { password: `${NEW_PASSWORD} ${index}` }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 403, 403],
  )

  const late = await world.addLink({ purpose: 'reset', memberId })
  const person = world.visitor()
  const page = await person.get(resetAddress(world.url, late))
  world.clock.advance(DAY)
  assert.equal((await person.submit(page, { password: NEW_PASSWORD })).status, 403)
  const invite = await world.addLink({ purpose: 'invite' })
  for (const none of ['', 'weft_otl_x', invite])
    assert.equal((await person.get(resetAddress(world.url, none))).status, 403)
})

test('a weak password does not use the link', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const person = world.visitor()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const page = await person.get(resetAddress(world.url, link))
  for (const password of ['short', 'ada@example.org', 'password123']) {
    const refused = await person.submit(page, { password })
    assert.equal(refused.status, 422)
    assert.match(refused.forms[0]?.errors['password'] ?? '', /^New password /)
    assert.equal(refused.forms[0]?.fields['password'], '')
  }
  assert.equal((await person.submit(page, { password: NEW_PASSWORD })).status, 303)
})

test('a disabled member can set a password but cannot sign in', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  await world.database.write((tx) => disableMember(tx, memberId, world.clock.now()))
  const person = world.visitor()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const page = await person.get(resetAddress(world.url, link))
  const answer = await person.submit(page, { password: NEW_PASSWORD })
  assert.match(answer.text, /Your account is disabled/)
  assert.equal(person.cookies['weft_session'], undefined)
})
