import { MEMBER_HOME_PATH } from '../../html/site-map.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unconfirmed } from '../../../test/support/oauth.ts'
import { PASSWORD } from '../../../test/support/password.ts'
import { openVisitor, SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { disableMember } from '../../members/member.ts'
import { listSessions } from '../../access/browser-session.ts'
import { formTokenOf, openSignIn, signIn, whoIs } from '../../../test/fixtures/sign-in.ts'
import { createSeparateStore } from '../../../test/support/store.ts'

test('a member signs in by email or username in any case, and out', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  for (const login of ['ada@example.org', ' Ada@Example.ORG ', 'ada', 'ADA']) {
    const person = world.visitor()
    const page = await signIn(person, login)
    assert.deepEqual([page.status, page.location], [303, `${world.url}${MEMBER_HOME_PATH}`], login)
    assert.equal(await whoIs(person), 'ada')
  }
  const sessions = () => listSessions(world.database.member(memberId), world.clock.now())
  assert.equal((await sessions()).length, 4)

  const person = await world.signedIn()
  const { cookie } = person
  const left = await person.post('/sign-out', {
    form_token: await formTokenOf(person),
    return_to: '/x',
  })
  assert.deepEqual([left.status, left.location], [303, `${world.url}/x`])
  assert.equal(left.headers.get('clear-site-data'), '"cache", "storage"')
  assert.deepEqual(person.cookies['weft_session'], undefined)
  assert.equal((await sessions()).length, 4)
  const thief = await openVisitor(world.url).get('/user/here', { cookie })
  assert.equal(thief.status, 303, 'the session has ended for every copy of its cookie')
})

test('a person who has to sign in returns to the requested page', async () => {
  await using world = await openSignIn()
  await world.addMember()
  const wanted =
    '/oauth/authorize?response_type=code&client_id=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2Fcb&state=a%2Bb%26c'
  const person = world.visitor()
  const page = await person.follow(await person.get(wanted))
  const wrong = await person.submit(page, { login: 'ada', password: 'not this one' })
  const right = await person.submit(wrong, { password: PASSWORD })
  assert.equal(unconfirmed(right.location), world.url + wanted)
  assert.equal((await person.follow(right)).status, 200)
})

test('sign-in never redirects to another site', async () => {
  await using world = await openSignIn()
  await world.addMember()
  const member = await world.signedIn()
  const attacks = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ]
  for (const attack of attacks) {
    const address = `/sign-in?return_to=${encodeURIComponent(attack)}`
    assert.equal((await member.get(address)).location, `${world.url}${MEMBER_HOME_PATH}`, attack)
    const person = world.visitor()
    const form = { ...(await person.get(address)).forms[0]?.fields }
    assert.equal(form['return_to'], MEMBER_HOME_PATH)
    const sent = { ...form, login: 'ada', password: PASSWORD, return_to: attack }
    const entered = await person.post('/sign-in', sent)
    assert.deepEqual(
      [entered.status, entered.location],
      [303, `${world.url}${MEMBER_HOME_PATH}`],
      attack,
    )
  }
})

test('a wrong password and an unknown account get the same response', async () => {
  await using world = await openSignIn()
  await world.addMember()
  await world.addMember({ username: 'grace', email: 'grace@example.org', name: 'Grace' })
  const answers: [number, string][] = []
  for (const login of [
    'grace@example.org',
    'grace',
    'nobody@example.org',
    'nobody',
    'x'.repeat(300),
    '@',
  ]) {
    const page = await signIn(world.visitor(), login, 'not the password')
    answers.push([page.status, comparable(page, login)])
  }
  assert.deepEqual(
    answers,
    answers.map(() => answers[0]),
  )
  assert.equal(answers[0]?.[0], 422)

  /** The page without user input and without values that change every time. */
  function comparable({ html, forms }: Page, login: string): string {
    const { form_token: token = '', form_key: key = '' } = forms[0]?.fields ?? {}
    return html.replaceAll(token, '').replaceAll(key, '').replaceAll(login.slice(0, 254), '')
  }
})

test('the page keeps all input except the password', async () => {
  await using world = await openSignIn()
  const page = await signIn(world.visitor(), '"><script>alert(1)</script>', 'guessed password')
  assert.equal(page.forms[0]?.fields['login'], '"><script>alert(1)</script>')
  assert.equal(page.forms[0].fields['password'], '')
  assert.equal(page.html.includes('guessed password'), false)
  assert.equal(page.html.includes('<script>alert'), false)
})

test('after five failures from one IP address the correct password must wait, but only there', async () => {
  await using world = await openSignIn({ addressOf: (header) => header('user-agent') ?? '' })
  await world.addMember()
  const tryFrom = async (address: string, login: string, password: string) => {
    const person = world.visitor()
    const { forms } = await person.get('/sign-in')
    return person.post(
      '/sign-in',
      { ...forms[0]?.fields, login, password },
      { 'user-agent': address },
    )
  }
  for (let count = 0; count < 4; count += 1) await tryFrom('192.0.2.1', 'ada', 'wrong')
  assert.equal((await tryFrom('192.0.2.1', 'ada', PASSWORD)).status, 303, 'and forgives those')
  for (const login of ['ada', 'nobody']) {
    for (let count = 0; count < 5; count += 1)
      assert.equal((await tryFrom('192.0.2.1', login, 'wrong')).status, 422)
    const waits = await tryFrom('192.0.2.1', login, PASSWORD)
    assert.deepEqual([waits.status, waits.headers.get('retry-after')], [429, '60'], login)
    assert.match(waits.text, /Wait a minute/)
    assert.equal(waits.forms[0]?.fields['login'], login)
  }
  assert.equal((await tryFrom('192.0.2.2', 'ada', PASSWORD)).status, 303)
  world.clock.advance(MINUTE)
  assert.equal((await tryFrom('192.0.2.1', 'ada', PASSWORD)).status, 303)
})

test('signing in replaces everything that the browser held before', async () => {
  await using world = await openSignIn()
  await world.addMember()
  await world.addMember({ username: 'grace', email: 'grace@example.org', name: 'Grace' })

  // Session fixation: planting cookies in someone else's browser gains an attacker nothing.
  const person = world.visitor()
  const page = await person.get('/sign-in')
  const { weft_visit: browser } = person.cookies
  assert.ok(browser)
  await person.submit(page, { login: 'ada', password: PASSWORD })
  const first = person.cookies['weft_session']
  assert.ok(first)
  assert.equal(person.cookies['weft_visit'], undefined)
  assert.notEqual(first, browser)
  const stale = { ...page.forms[0]?.fields, login: 'ada', password: PASSWORD }
  const repeated = await person.post('/sign-in', { ...stale, login: 'grace' })
  assert.equal(repeated.status, 409, 'the form of the earlier visit has no effect')
  assert.equal(person.cookies['weft_session'], first)
  assert.equal(await whoIs(person), 'ada')

  const planted = await world.signedIn('grace')
  const { weft_session: graces = '' } = planted.cookies
  const token = await formTokenOf(planted)
  await planted.post('/sign-in', { form_token: token, login: 'ada', password: PASSWORD })
  assert.equal(await whoIs(planted), 'ada')
  assert.notEqual(planted.cookies['weft_session'], graces)
  const thief = openVisitor(world.url)
  const seen = await thief.get('/user/here', { cookie: `weft_session=${graces}` })
  assert.equal(seen.status, 303, 'the session before has ended')
})

test('a form is accepted only from a page of this site in the same browser', async () => {
  await using world = await openSignIn()
  await world.addMember()
  const fields = { login: 'ada', password: PASSWORD, return_to: '/' }
  const person = world.visitor()
  const { formToken } = await person.get('/sign-in')
  const token = { form_token: formToken }
  const other = world.visitor()
  const theirs = { form_token: (await other.get('/sign-in')).formToken }
  const attacks: [string, Record<string, string>, Record<string, string>][] = [
    ['no token', {}, {}],
    ["another visitor's token", theirs, {}],
    ['an empty token', { form_token: '' }, {}],
    ['from another site', token, { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', token, { 'sec-fetch-site': 'same-site' }],
    ['by another origin', token, { origin: 'https://evil.example' }],
    ['by a hidden origin', token, { origin: 'null' }],
    [
      'by another origin that claims to be the same',
      token,
      { ...SAME_ORIGIN, origin: 'https://evil.example' },
    ],
  ]
  for (const path of ['/sign-in', '/join', '/reset'])
    for (const [name, proof, headers] of attacks) {
      const page = await person.post(path, { ...fields, ...proof }, headers)
      assert.equal(page.status, 403, `${path}, ${name}`)
      assert.match(page.text, /so it was (rejected|not submitted)/)
    }
  assert.equal(await whoIs(person), undefined)
  assert.equal((await person.post('/sign-in', { ...fields, ...token })).status, 303)
  for (const [name, proof, headers] of attacks)
    assert.equal((await person.post('/sign-out', proof, headers)).status, 403, name)
  assert.equal(await whoIs(person), 'ada')
})

test('a disabled member is signed out, and sees why only with the correct password', async () => {
  await using world = await openSignIn()
  const { memberId } = await world.addMember()
  const person = await world.signedIn()
  await world.database.write((tx) => disableMember(tx, memberId, world.clock.now()))
  assert.equal(await whoIs(person), undefined)

  const wrong = await signIn(world.visitor(), 'ada', 'not the password')
  assert.equal(wrong.status, 422)
  assert.doesNotMatch(wrong.text, /disabled/)
  const newcomer = world.visitor()
  const right = await signIn(newcomer, 'ada')
  assert.equal(right.status, 403)
  assert.match(right.text, /Your account is disabled/)
  assert.equal(newcomer.cookies['weft_session'], undefined)
})

test('a member who is already signed in is redirected', async () => {
  await using world = await openSignIn({ signUp: 'open' })
  await world.addMember()
  const person = await world.signedIn()
  for (const path of ['/sign-in', '/join']) {
    const page = await person.get(`${path}?return_to=%2Fuser%2Fhere`)
    assert.deepEqual([page.status, page.location], [303, `${world.url}/user/here`])
  }
})

test('a session expires after two weeks without use', async () => {
  await using world = await openSignIn()
  await world.addMember()
  const person = await world.signedIn()
  world.clock.advance(14 * DAY - 1)
  assert.equal(await whoIs(person), 'ada')
  world.clock.advance(14 * DAY + 1)
  assert.equal(await whoIs(person), undefined)
})

test('no secret is stored or logged', async () => {
  const store = await createSeparateStore()
  await using world = await openSignIn({ store })
  await world.addMember()
  const person = await world.signedIn()
  await signIn(world.visitor(), 'ada', 'a wrong guess')
  const { weft_session: secret = '' } = person.cookies
  assert.match(secret, /^weft_ses_/)
  const kept = (await store.everything()) + world.logged.join('\n')
  for (const text of [PASSWORD, secret, secret.slice(9), 'a wrong guess'])
    assert.equal(kept.includes(text), false, text)
})

test('a failed sign-in logs one line with the IP address and no user input', async () => {
  const address = '203.0.113.7'
  await using world = await openSignIn({ addressOf: () => address })
  await world.addMember()
  for (const login of ['ada', 'nobody'])
    for (let count = 0; count < 6; count += 1) await signIn(world.visitor(), login, 'typed secret')
  const lines = world.logged.filter((line) => line.includes('sign-in failed'))
  assert.equal(lines.length, 12)
  // The filter of docs/sign-in.md, with an address in place of fail2ban's <SUBNET>.
  const filter =
    /"event":"sign_in_failed","method":"[a-z_]+","reason":"[a-z_]+","address":"203\.0\.113\.7"/
  for (const line of lines) assert.match(line, filter)
  const reasons = lines.map((line) => (JSON.parse(line) as { reason: string }).reason)
  assert.deepEqual(reasons.slice(0, 6), [
    ...Array.from({ length: 5 }, () => 'not_accepted'),
    'rate_limited',
  ])
  assert.deepEqual(
    reasons.slice(6),
    reasons.slice(0, 6),
    'the same for an account that is not there',
  )
  assert.doesNotMatch(world.logged.join(''), /typed secret|ada|nobody/) // prose-ok: a username
})

test('five failures under the username use up the attempts under the email without revealing it', async () => {
  await using world = await openSignIn()
  await world.addMember()
  for (let count = 0; count < 5; count += 1)
    assert.equal((await signIn(world.visitor(), 'ada', 'wrong')).status, 422)
  for (const login of ['ada@example.org', 'ADA@Example.ORG', 'nobody@example.org']) {
    const person = world.visitor()
    const page = await signIn(person, login)
    assert.equal(page.status, 422, login)
    assert.equal(await whoIs(person), undefined)
  }
  world.clock.advance(MINUTE)
  assert.equal((await signIn(world.visitor(), 'ada@example.org')).status, 303)
})
