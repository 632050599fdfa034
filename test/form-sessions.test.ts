/** Forms of a browser whose session has started, ended or changed since it loaded them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedIn, join, openResetPage, signIn } from './fixtures/account.ts'
import { createTestWorld } from './fixtures/admin.ts'
import { authenticatorAt } from './support/authenticator.ts'
import { addPasskey, startNamedService } from './support/passkeys.ts'
import { PASSWORD } from './support/password.ts'
import { openVisitor, SAME_ORIGIN, type Page, type Visitor } from './support/visitor.ts'
import { listSessions } from '../src/access/browser-session.ts'
import { ACCOUNT_DELETE_PATH, ACCOUNT_PASSWORD_PATH, SIGN_OUT_PATH } from '../src/html/site-map.ts'

type Fields = Readonly<Record<string, string>>

const NEW_PASSWORD = 'a new engine no. 2'
const CHANGED = { current_password: PASSWORD, new_password: NEW_PASSWORD }
const DELETED = { delete_username: 'grace', delete_password: NEW_PASSWORD }

/** Posts the page's form for `path`. Without `cookie`, with the browser's current cookies. */
function send(visitor: Visitor, page: Page, path: string, fields: Fields, cookie?: string) {
  const form = page.forms.find(({ action }) => new URL(action).pathname === path)
  assert.ok(form, path)
  const headers = { ...SAME_ORIGIN, ...(cookie !== undefined && { cookie }) }
  return visitor.post(path, { ...form.fields, ...fields }, headers)
}

/** The second click has the cookies of the first, because the browser dropped the first response, and arrives after it. */
test('a second click on a form that ends its session leads to the page of the first', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  for (const [path, fields, landing, staysIn] of [
    [ACCOUNT_PASSWORD_PATH, CHANGED, '/user/account?notice=password_changed', true],
    [SIGN_OUT_PATH, {}, '/', false],
    [ACCOUNT_DELETE_PATH, DELETED, ACCOUNT_DELETE_PATH, false],
  ] as const) {
    const password = path === ACCOUNT_PASSWORD_PATH ? PASSWORD : NEW_PASSWORD
    const visitor = await signIn(service, grace.member.username, password)
    const page = await visitor.get('/user/account')
    const { cookie } = visitor
    for (const click of ['first', 'second']) {
      const { status, location } = await send(visitor, page, path, fields, cookie)
      assert.deepEqual([status, location], [303, new URL(landing, service.url).href], click)
    }
    assert.equal(await isSignedIn(visitor), staysIn, path)
  }
})

test('a form of a session that another form ended leads to the sign-in page', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const { visitor } = grace
  const page = await visitor.get('/user/account')
  const { cookie } = visitor
  await send(visitor, page, SIGN_OUT_PATH, {})
  for (const [path, fields] of [
    [ACCOUNT_PASSWORD_PATH, CHANGED],
    [ACCOUNT_DELETE_PATH, { ...DELETED, delete_password: PASSWORD }],
  ] as const)
    for (const cookies of [cookie, ''])
      assert.equal(
        (await send(visitor, page, path, fields, cookies)).location,
        new URL('/sign-in?return_to=%2Fuser%2Faccount', service.url).href,
      )
  assert.ok(await isSignedIn(await signIn(service, 'grace')), 'the password has not changed')
})

test('the repeated form of a password change signs in no other browser', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const page = await grace.visitor.get('/user/account')
  await send(grace.visitor, page, ACCOUNT_PASSWORD_PATH, CHANGED)
  const stranger = openVisitor(service.url)
  const answer = await send(stranger, page, ACCOUNT_PASSWORD_PATH, CHANGED)
  assert.equal(answer.location, new URL('/sign-in?return_to=%2Fuser%2Faccount', service.url).href)
  assert.equal(await isSignedIn(stranger), false)
})

test('an old form to sign in or join shows an error in a browser that has signed in as another member', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const { service } = world
  const joining = { name: 'Alan', username: 'alan', email: 'alan@example.org', password: PASSWORD }
  for (const [path, fields] of [
    ['/sign-in?return_to=/user/jobs', { login: 'ada', password: PASSWORD }],
    ['/join?return_to=/user/jobs', joining],
  ] as const) {
    const visitor = openVisitor(service.url)
    const page = await visitor.get(path)
    await visitor.submit(await visitor.get('/sign-in'), { login: 'grace', password: PASSWORD })
    const told = await visitor.submit(page, fields)
    assert.equal(told.status, 409, `${path}: ${told.text}`)
    assert.match(told.text, /You are already signed in .*Grace Hopper \(@grace\)/)
    assert.equal(told.links['Continue as @grace'], new URL('/user/jobs', service.url).href)
    const again = await visitor.follow(await visitor.submit(told, {}, 'Sign out'))
    assert.equal(await isSignedIn(visitor), false)
    const entered = await visitor.submit(again, { login: 'ada', password: PASSWORD })
    assert.equal(entered.location, new URL('/user/jobs', service.url).href)
  }
})

test('an old form to sign in as the member who is signed in leads to the requested page', async () => {
  await using world = await createTestWorld()
  const { service } = world
  const visitor = openVisitor(service.url)
  const page = await visitor.get('/sign-in?return_to=/user/jobs')
  await visitor.submit(await visitor.get('/sign-in'), { login: 'grace', password: PASSWORD })
  const { cookie } = visitor
  const entered = await visitor.submit(page, { login: 'Grace@example.org', password: PASSWORD })
  assert.equal(entered.location, new URL('/user/jobs', service.url).href)
  assert.equal(visitor.cookie, cookie)
})

test('a reset form that is submitted again after someone else signed in has expired', async () => {
  await using world = await createTestWorld()
  const { visitor, page } = await openResetPage(world.service, world.grace.member)
  const fields = { password: NEW_PASSWORD }
  await visitor.submit(page, fields)
  await send(visitor, await visitor.get('/user/account'), SIGN_OUT_PATH, {})
  await visitor.submit(await visitor.get('/sign-in'), { login: 'ada', password: PASSWORD })
  const again = await visitor.submit(page, fields)
  assert.equal(again.status, 403)
  assert.match(again.text, /form has expired/)
})

test('an old form to sign in with a passkey shows an error in a browser of another member', async () => {
  await using service = await startNamedService()
  const ada = await join(service)
  await join(service, { username: 'grace', email: 'grace@example.org', name: 'Grace Hopper' })
  const authenticator = authenticatorAt(service.origin)
  const { key } = await addPasskey(ada.visitor, authenticator)
  const visitor = openVisitor(service.url)
  const page = await visitor.get('/sign-in')
  const show = authenticator.show({ challenge: 'AAAA', rpId: 'localhost' }, key)
  await visitor.submit(await visitor.get('/sign-in'), { login: 'grace', password: PASSWORD })
  const told = await visitor.submit(page, { credential: show })
  assert.equal(told.status, 409, told.text)
})

test('a sign-in that is submitted twice starts one session', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const { database, clock } = service
  const sessions = async () =>
    (await listSessions(database.member(grace.member.memberId), clock.now())).length
  const before = await sessions()
  const visitor = openVisitor(service.url)
  const page = await visitor.get('/sign-in?return_to=/user/jobs')
  const fields = { login: 'grace', password: PASSWORD }
  const { cookie } = visitor
  const atOnce = [visitor.submit(page, fields), visitor.submit(page, fields)]
  for (const { status, location } of await Promise.all(atOnce))
    assert.deepEqual([status, location], [303, new URL('/user/jobs', service.url).href])
  assert.equal(await sessions(), before + 1)
  assert.ok(await isSignedIn(visitor))

  await send(visitor, await visitor.get('/user/account'), SIGN_OUT_PATH, {})
  await send(visitor, page, '/sign-in', fields, cookie)
  assert.ok(await isSignedIn(visitor), 'an ended session is not given again')
})
