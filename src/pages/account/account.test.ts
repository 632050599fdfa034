import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, setPassword } from '../../access/passwords/password.ts'
import { createLink } from '../../access/one-time-link.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { requireMember } from '../../members/member.ts'
import { readActivityPage } from '../../tools/activity-log/activity-page.ts'
import { listAgentChanges } from '../../tools/activity-log/read-activity.ts'
import { PASSWORD, quickHasher } from '../../../test/support/password.ts'
import { startTestService } from '../../../test/support/service.ts'
import { isSignedIn, join, signIn } from '../../../test/fixtures/account.ts'
import { ACCOUNT_PATH, END_OTHERS_PATH } from '../../html/site-map.ts'

const NEW_PASSWORD = 'four unrelated words here'

test('changing the email requires the password, and the new email signs in', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const page = await ada.visitor.get(ACCOUNT_PATH)
  const changed = await ada.visitor.submit(page, {
    email: ' Ada@Example.org ',
    email_password: PASSWORD,
  })
  assert.match((await ada.visitor.follow(changed)).text, /Email address changed/)
  const { email } = await requireMember(service.database, ada.member.memberId)
  assert.equal(email, 'ada@example.org')
  assert.equal(await isSignedIn(await signIn(service, 'ada@example.org')), true)
})

test('a wrong password keeps the email unchanged and the typed values except the password', async () => {
  await using service = await startTestService()
  const ada = await join(service, { email: 'ada@example.org' })
  const typed = { email: 'eve@example.org', email_password: 'a wrong password' }
  const page = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), typed)
  assert.equal(page.status, 422)
  const form = page.forms.find(({ fields }) => 'email' in fields)
  assert.deepEqual(form?.errors, { email_password: 'Incorrect password.' })
  assert.equal(form.fields['email'], 'eve@example.org')
  assert.doesNotMatch(page.html, /a wrong password/)
  const { email } = await requireMember(service.database, ada.member.memberId)
  assert.equal(email, 'ada@example.org')
})

test('an invalid or taken email shows an error next to the field', async () => {
  await using service = await startTestService()
  await join(service, { username: 'grace', name: 'Grace', email: 'grace@example.org' })
  const ada = await join(service)
  for (const [email, error] of [
    ['ada', /must be an email address/],
    ['grace@example.org', /is taken/],
  ] as const) {
    const typed = { email, email_password: PASSWORD }
    const page = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), typed)
    assert.equal(page.status, 422)
    assert.match(page.forms.find(({ fields }) => 'email' in fields)?.errors['email'] ?? '', error)
  }
})

test('after five wrong passwords the correct one has to wait', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const page = await ada.visitor.get(ACCOUNT_PATH)
  const tryWith = (email_password: string) =>
    ada.visitor.submit(page, { email: 'ada@example.org', email_password })
  for (let tries = 0; tries < 5; tries += 1) await tryWith('a wrong password')
  assert.match((await tryWith(PASSWORD)).text, /Too many failed attempts. Wait/)
  service.clock.advance(HOUR)
  assert.equal((await tryWith(PASSWORD)).status, 303)
})

test('changing the password ends other sessions and reset links', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const elsewhere = await signIn(service, 'ada')
  const { memberId } = ada.member
  const { secret } = await service.database.write((tx) =>
    createLink(tx, { purpose: 'reset', memberId, lifetime: DAY }, service.clock.now()),
  )
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  const changed = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), fields)
  assert.match((await ada.visitor.follow(changed)).text, /Password changed/)
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal((await elsewhere.get(`/reset?link=${secret}`)).status, 403)
  await assert.rejects(signIn(service, 'ada'))
  assert.equal(await isSignedIn(await signIn(service, 'ada', NEW_PASSWORD)), true)
})

test('changing the password makes copies of this browser’s cookie useless', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const copied = { cookie: ada.visitor.cookie }
  const withCopy = async () =>
    (await fetch(service.url + ACCOUNT_PATH, { headers: copied, redirect: 'manual' })).status
  assert.equal(await withCopy(), 200)
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  const changed = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), fields)
  assert.equal(changed.status, 303)
  assert.equal(await withCopy(), 303)
  const page = await ada.visitor.get(ACCOUNT_PATH)
  assert.match(page.text, /this browser Signed in 21 Nov 2026/)
})

test('a password change requires the current password and a strong new one', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const elsewhere = await signIn(service, 'ada')
  const fields = { current_password: 'a wrong password', new_password: 'password1234567' }
  const page = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), fields)
  assert.equal(page.status, 422)
  const errors = page.forms.find((form) => 'new_password' in form.fields)?.errors
  assert.match(errors?.['current_password'] ?? '', /Incorrect password/)
  assert.match(errors?.['new_password'] ?? '', /^The new password is too easy to guess/)
  assert.equal(await isSignedIn(elsewhere), true)
  assert.equal(await isSignedIn(await signIn(service, 'ada')), true)
})

test('a member sees their sessions and signs out one browser', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  service.clock.advance(2 * DAY)
  const elsewhere = await signIn(service, 'ada')
  const page = await ada.visitor.get(ACCOUNT_PATH)
  assert.match(page.text, /this browser Signed in 21 Nov 2026/)
  assert.match(page.text, /Signed in 23 Nov 2026 · active within the last hour/)
  assert.match((await elsewhere.get(ACCOUNT_PATH)).text, /this browser Signed in 23 Nov 2026/)
  const ended = await ada.visitor.submit(page, { session_id: sessionIdIn(page) })
  assert.match((await ada.visitor.follow(ended)).text, /Browser signed out/)
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal(await isSignedIn(ada.visitor), true)
})

test('signing out all other browsers does not affect other members', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const grace = await join(service, { username: 'grace', name: 'Grace Hopper' })
  const others = [await signIn(service, 'ada'), await signIn(service, 'ada')]
  const page = await ada.visitor.get(ACCOUNT_PATH)
  const ended = await ada.visitor.submit(page, {}, 'Sign out everywhere else')
  assert.equal(ended.status, 303)
  assert.deepEqual(await Promise.all(others.map(isSignedIn)), [false, false])
  assert.equal(await isSignedIn(ada.visitor), true)
  assert.equal(await isSignedIn(grace.visitor), true)
  assert.doesNotMatch((await ada.visitor.get(ACCOUNT_PATH)).text, /everywhere else/)
})

test('sessions of other members and cross-site forms are rejected', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const grace = await join(service, { username: 'grace', name: 'Grace Hopper' })
  const other = await signIn(service, 'ada')
  const sessionId = sessionIdIn(await ada.visitor.get(ACCOUNT_PATH))
  await signIn(service, 'grace')
  const page = await grace.visitor.get(ACCOUNT_PATH)
  await grace.visitor.submit(page, { session_id: sessionId })
  assert.equal(await isSignedIn(other), true)
  const foreign = await ada.visitor.post(END_OTHERS_PATH, {}, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  assert.equal(await isSignedIn(other), true)
})

test('the sidebar links to the account and has the member’s name', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const page = await ada.visitor.get('/user/profile')
  assert.equal(page.links['Account'], service.url + ACCOUNT_PATH)
  assert.match(page.text, /Ada Lovelace\s*@ada/)
})

function sessionIdIn({ forms }: Awaited<ReturnType<Awaited<ReturnType<typeof signIn>>['get']>>) {
  const id = forms.flatMap(({ fields }) => fields['session_id'] ?? [])[0]
  assert.ok(id)
  return id
}

test('sign-in changes appear in the activity, also for agents, and cannot be undone', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const elsewhere = await signIn(service, 'ada')
  await elsewhere.post('/sign-out', { form_token: (await elsewhere.get(ACCOUNT_PATH)).formToken })
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), fields)
  const page = await ada.visitor.get('/user/activity')
  for (const told of ['You signed in', 'You signed out', 'You changed your password'])
    assert.ok(page.text.includes(told), `${told}: ${page.text}`)
  assert.equal(page.forms.filter(({ fields: { activity_id: id } }) => id !== undefined).length, 0)
  const own = service.database.member(ada.member.memberId)
  const actions = (await readActivityPage(own, 10)).changes.map(({ action }) => action)
  assert.deepEqual(actions.slice(0, 3), [
    'account.password_changed',
    'account.session_ended',
    'account.session_started',
  ])
  const agent = { since: 0, credentialId: 'none' }
  assert.deepEqual(await listAgentChanges(own, agent), [], 'no undo reverts any of them')
})

test('a service hashes passwords at the recommended cost by default', async () => {
  await using service = await startTestService({ hasher: null })
  const ada = await join(service)
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  const changed = await ada.visitor.submit(await ada.visitor.get(ACCOUNT_PATH), fields)
  assert.equal(changed.status, 303)
  assert.match(await service.everything(), /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a password that fails the current rules still signs in but cannot be set again', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const short = 'short one'
  const hash = await hashPassword(quickHasher, short)
  const own = service.database.member(ada.member.memberId)
  await own.write((tx) => setPassword(tx, hash, service.clock.now()))
  const visitor = await signIn(service, 'ada', short)
  assert.equal(await isSignedIn(visitor), true)
  const fields = { current_password: short, new_password: short }
  const page = await visitor.submit(await visitor.get(ACCOUNT_PATH), fields)
  assert.equal(page.status, 422)
  assert.match(page.text, /The new password must have at least 15 characters/)
})
