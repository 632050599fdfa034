import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../base/clock.ts'
import { disableMember } from '../members/member.ts'
import { resetAddress } from './link-address.ts'
import { openSignIn, signIn, whoIs } from './sign-in-fixture.ts'
import { PASSWORD } from '../../test/support/password.ts'

const NEW_PASSWORD = 'difference engine no. 2'

test('a member with a reset link chooses a new password, and everybody else is signed out', async () => {
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
  assert.deepEqual([changed.status, changed.location], [303, `${world.url}/`])
  assert.equal(await whoIs(person), 'ada')
  assert.equal(await whoIs(elsewhere), undefined)
  assert.equal((await signIn(world.visitor(), 'ada', PASSWORD)).status, 422)
  assert.equal((await signIn(world.visitor(), 'ada', NEW_PASSWORD)).status, 303)
  for (const dead of [link, unused])
    assert.equal((await person.get(resetAddress(world.url, dead))).status, 403)
})

test('a reset link works once and in its time, and no other link does', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const link = await world.addLink({ purpose: 'reset', memberId })
  const people = [world.visitor(), world.visitor(), world.visitor()]
  const answers = await Promise.all(
    people.map(async (person, index) =>
      person.submit(await person.get(resetAddress(world.url, link)), {
        password: `${NEW_PASSWORD} ${index}`,
      }),
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

test('a password that will not do leaves the link as it was', async () => {
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

test('a disabled member may choose a password, but is not let in', async () => {
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
