import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../../base/clock.ts'
import { createMember, findMemberByUsername, listMembers } from '../../members/member.ts'
import { changeRole, listAdmins } from '../../members/admin-role.ts'
import { createFirstLink } from './first-link.ts'
import { joinAddress } from '../session/one-time-link-url.ts'
import { openSignIn, signIn, whoIs, type SignInWorld } from '../../../test/fixtures/sign-in.ts'
import { createSeparateStore } from '../../../test/support/store.ts'
import { MEMBER_HOME_PATH } from '../../html/site-map.ts'
import type { Page, Visitor } from '../../../test/support/visitor.ts'

const GRACE = {
  name: 'Grace Hopper',
  username: 'grace',
  email: 'Grace@Example.org',
  password: 'nanoseconds of wire',
}

async function openInvitation(world: SignInWorld, visitor: Visitor): Promise<Page> {
  return visitor.get(joinAddress(world.url, await world.addLink({ purpose: 'invite' })))
}

async function usernames({ database }: SignInWorld): Promise<string[]> {
  return (await listMembers(database, { limit: 100 })).map(({ username }) => username)
}

test('an invited person joins, is signed in, and can sign in again', async () => {
  await using world = await openSignIn()
  const person = world.visitor()
  const page = await person.submit(await openInvitation(world, person), GRACE)
  assert.deepEqual([page.status, page.location], [303, `${world.url}${MEMBER_HOME_PATH}`])
  assert.equal(await whoIs(person), 'grace')
  const member = await findMemberByUsername(world.database, 'grace')
  assert.deepEqual([member?.name, member?.email], ['Grace Hopper', 'grace@example.org'])
  const again = world.visitor()
  await signIn(again, 'grace@example.org', GRACE.password)
  assert.equal(await whoIs(again), 'grace')
})

test('concurrent submissions of one invitation create one member', async () => {
  await using world = await openSignIn()
  const address = joinAddress(world.url, await world.addLink({ purpose: 'invite' }))
  const people = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const visitor = world.visitor()
      const username = `grace-${index}`
      const page = await visitor.get(address)
      return { visitor, page, fields: { ...GRACE, username, email: `${username}@example.org` } }
    }),
  )
  const answers = await Promise.all(
    people.map(({ visitor, page, fields }) => visitor.submit(page, fields)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 403, 403, 403, 403, 403],
  )
  assert.equal((await usernames(world)).length, 1)
  assert.equal((await world.visitor().get(address)).status, 403)
})

test('an expired invitation is rejected', async () => {
  await using world = await openSignIn()
  const person = world.visitor()
  const page = await openInvitation(world, person)
  world.clock.advance(DAY)
  const late = await person.submit(page, GRACE)
  assert.equal(late.status, 403)
  assert.match(late.text, /no longer valid/)
  assert.deepEqual(await usernames(world), [])
})

test('without an invitation no one can join if sign-up is by invitation or closed', async () => {
  for (const signUp of ['invite', 'closed'] as const) {
    await using world = await openSignIn({ signUp })
    const person = world.visitor()
    assert.equal((await person.get('/join')).status, 403)
    const reset = await world.addLink({ purpose: 'reset' })
    for (const link of ['', 'weft_otl_x', reset]) {
      const form_token = (await person.get('/sign-in')).formToken
      assert.equal((await person.get(joinAddress(world.url, link))).status, 403, link)
      assert.equal((await person.post('/join', { ...GRACE, form_token, link })).status, 403, link)
    }
    assert.equal((await openInvitation(world, person)).status, signUp === 'invite' ? 200 : 403)
    assert.deepEqual(await usernames(world), [])
    assert.doesNotMatch((await person.get('/sign-in')).html, /\/join/)
  }
})

test('with open sign-up anyone can join and returns to the requested page', async () => {
  await using world = await openSignIn({ signUp: 'open' })
  const person = world.visitor()
  const signInPage = await person.follow(await person.get('/user/here?tab=1'))
  const joinPage = await person.get(signInPage.links['Join'] ?? '')
  const page = await person.submit(joinPage, GRACE)
  assert.equal(page.location, `${world.url}/user/here?tab=1`)
  assert.equal(await whoIs(person), 'grace')
})

test('errors appear next to their fields, and all input except the password is kept', async () => {
  await using world = await openSignIn()
  const person = world.visitor()
  const typed = { name: ' ', username: 'Grace Hopper!', email: 'grace at home', password: 'short' }
  const page = await person.submit(await openInvitation(world, person), typed)
  assert.equal(page.status, 422)
  const [form] = page.forms
  assert.deepEqual(Object.keys(form?.errors ?? {}), ['name', 'username', 'email', 'password'])
  assert.match(form?.errors['username'] ?? '', /^Username must have 2 to 39/)
  assert.match(form?.errors['password'] ?? '', /^Password must have at least 15 characters/)
  assert.equal(page.text.match(/at least 15/gi)?.length, 1, 'said once')
  const { username, email, password } = form?.fields ?? {}
  assert.deepEqual([username, email, password], ['Grace Hopper!', 'grace at home', ''])
  const corrected = await person.submit(page, GRACE)
  assert.equal(corrected.status, 303, 'the invitation still stands')
})

test('a missing or taken username gets a suggestion', async () => {
  await using world = await openSignIn()
  await world.addMember({ username: 'grace' })
  const person = world.visitor()
  const page = await openInvitation(world, person)
  const taken = await person.submit(page, GRACE)
  assert.equal(taken.status, 422)
  assert.equal(
    taken.forms[0]?.errors['username'],
    'Username “grace” is taken; “grace-2” is available.',
  )
  const none = await person.submit(taken, { ...GRACE, name: ' ', username: '' })
  assert.match(
    none.forms[0]?.errors['username'] ?? '',
    /“grace” is available|“grace-2” is available/,
  )
  assert.equal((await person.submit(none, { ...GRACE, username: 'grace-2' })).status, 303)
})

test('a username is proposed from the name, and made from it if none is typed', async () => {
  await using world = await openSignIn()
  await world.addMember({ username: 'wang-xiaoming' })
  const person = world.visitor()
  const propose = async (name: string) =>
    JSON.parse(
      (await person.get(`/join/username?${new URLSearchParams({ name }).toString()}`)).html,
    ) as object
  assert.deepEqual(await propose('Grace Hopper'), { username: 'grace-hopper' })
  assert.deepEqual(await propose('王小明'), { username: 'wang-xiaoming-2' })
  assert.deepEqual(await propose(' '), { username: '' })
  const page = await openInvitation(world, person)
  assert.match(page.html, /data-proposed-by="\/join\/username"/)
  const joined = await person.submit(page, { ...GRACE, name: '王小明', username: '' })
  assert.equal(joined.status, 303)
  assert.equal(await whoIs(person), 'wang-xiaoming-2')
})

test('an email is required', async () => {
  await using world = await openSignIn()
  const person = world.visitor()
  const page = await person.submit(await openInvitation(world, person), { ...GRACE, email: '' })
  assert.match(page.forms[0]?.errors['email'] ?? '', /is required/)
})

test('only people with an invitation learn that an email is taken', async () => {
  await using world = await openSignIn({ signUp: 'open' })
  await world.addMember({ email: 'grace@example.org' })
  const invited = world.visitor()
  const told = await invited.submit(await openInvitation(world, invited), GRACE)
  assert.equal(told.forms[0]?.errors['email'], 'Email is taken.')
  const stranger = world.visitor()
  const untold = await stranger.submit(await stranger.get('/join'), GRACE)
  assert.equal(untold.status, 422)
  assert.deepEqual(untold.forms[0]?.errors, {})
  assert.match(untold.text, /These details cannot be used to join/)
  assert.doesNotMatch(untold.text, /taken|another member/)
})

test('the first link lets one person join regardless of the sign-up setting', async () => {
  for (const signUp of ['invite', 'closed'] as const) {
    await using world = await openSignIn({ signUp })
    const { database, clock } = world
    const other = await createFirstLink(database, clock.now())
    const secret = await createFirstLink(database, clock.now())
    assert.ok(secret !== undefined && other !== undefined)
    const person = world.visitor()
    const first = await person.get(joinAddress(world.url, other))
    assert.equal(first.status, 200)
    assert.match(first.text, /You are the first member of 127\.0\.0\.1:\d+ and run it/)
    const page = await person.submit(await person.get(joinAddress(world.url, secret)), GRACE)
    assert.equal(page.status, 303)
    assert.equal((await world.visitor().get(joinAddress(world.url, other))).status, 403)
    assert.equal(await createFirstLink(database, clock.now()), undefined)
    assert.equal((await listAdmins(database)).size, 1, 'the first member is the admin')
  }
})

test('of the first links that several nodes have printed, one makes a member', async () => {
  await using world = await openSignIn()
  const { database, clock } = world
  const visits = await Promise.all(
    ['one', 'two', 'three'].map(async (username) => {
      const secret = await createFirstLink(database, clock.now())
      const person = world.visitor()
      const page = await person.get(joinAddress(world.url, secret ?? ''))
      return { person, page, fields: { ...GRACE, username, email: `${username}@example.org` } }
    }),
  )
  const joined = await Promise.all(
    visits.map(({ person, page, fields }) => person.submit(page, fields)),
  )
  assert.equal(joined.filter(({ status }) => status === 303).length, 1)
  assert.equal((await listAdmins(database)).size, 1)
})

test('only an invitation says who runs the service', async () => {
  await using world = await openSignIn({ signUp: 'open' })
  const { database, clock } = world
  const page = async () => (await openInvitation(world, world.visitor())).text
  assert.match(await page(), /Weft remembers the people you know/)
  for (const [username, name] of [
    ['one', '<i>Ada'],
    ['two', 'Grace Hopper'],
  ] as const) {
    const email = `${username}@example.org`
    const { memberId } = await world.addMember({ name, username, email })
    await database.write((tx) => changeRole(tx, memberId, 'admin'))
    clock.advance(DAY)
  }
  assert.match(await page(), /<i>Ada runs 127\.0\.0\.1:\d+ , which keeps your network apart/)
  const { text } = await world.visitor().get(`${world.url}/join`)
  assert.doesNotMatch(text, /Ada|Grace|<username>/)
})

test('joining by invitation, or by a first link that is used up, does not make an admin', async () => {
  await using world = await openSignIn({ signUp: 'open' })
  const { database, clock } = world
  const secret = await createFirstLink(database, clock.now())
  assert.ok(secret)
  const late = world.visitor()
  const page = await late.get(joinAddress(world.url, secret))
  await world.addMember()
  assert.equal((await late.submit(page, GRACE)).status, 303)
  const invited = world.visitor()
  const alan = { ...GRACE, username: 'alan', email: 'alan@example.org' }
  assert.equal((await invited.submit(await openInvitation(world, invited), alan)).status, 303)
  assert.deepEqual(await usernames(world), ['ada', 'alan', 'grace'])
  assert.equal((await listAdmins(database)).size, 0)
})

test('a first link is not valid once there is a member other than the demo account', async () => {
  await using world = await openSignIn()
  const { database, clock } = world
  const demo = { username: 'demo', name: 'Demo' }
  await database.write((tx) => createMember(tx, demo, clock.now(), { allowReserved: true }))
  const secret = await createFirstLink(database, clock.now())
  assert.ok(secret)
  const address = joinAddress(world.url, secret)
  const person = world.visitor()
  const page = await person.get(address)
  assert.equal(page.status, 200)
  await world.addMember()
  assert.equal((await person.get(address)).status, 403)
  assert.equal((await person.submit(page, GRACE)).status, 403)
})

test('passwords and link secrets are not stored or logged in plain text', async () => {
  const store = await createSeparateStore()
  await using world = await openSignIn({ store })
  const secret = await world.addLink({ purpose: 'invite' })
  const person = world.visitor()
  await person.submit(await person.get(joinAddress(world.url, secret)), GRACE)
  await openInvitation(world, world.visitor())
  const kept = (await store.everything()) + world.logged.join('\n')
  for (const text of [secret.slice(9), GRACE.password]) assert.equal(kept.includes(text), false)
})
