import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, givePassword } from '../../../test/support/password.ts'
import { providerSettings, startIdentityProvider } from '../../../test/support/identity-provider.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { openVisitor, type Page, type Visitor } from '../../../test/support/visitor.ts'
import { addIdentity } from '../../access/provider-identity.ts'
import { endAllSessions } from '../../access/browser-session.ts'
import { HOUR } from '../../base/clock.ts'
import { addConnection } from '../../connections/editing/add-connection.ts'
import { newestNotesOf } from '../../connections/notes/notes.ts'
import { ACCOUNT_PASSWORD_PATH, ACCOUNT_PATH, connectionPath } from '../../html/site-map.ts'
import { recordChange } from '../../tools/activity.ts'

const PATH = connectionPath('c_1')
const LONGEST_NOTE = '\u{1f469}\u{200d}<'.repeat(5000)

async function openWorld(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options)
  const members = { ada: 0, eve: 0 }
  for (const username of ['ada', 'eve'] as const) {
    const email = `${username}@example.org`
    const member = await service.addMember({ username, name: username, email })
    await givePassword(service, member)
    await addGrace(service, member.memberId)
    members[username] = member.memberId
  }
  return {
    service,
    members,
    visitor: () => openVisitor(service.url),
    endSessions: () =>
      service.database.member(members.ada).write(async (tx) => void (await endAllSessions(tx))),
    notes: async (username: 'ada' | 'eve' = 'ada') => {
      const notes = await newestNotesOf(service.database.member(members[username]), [1], 10)
      return (notes.get(1) ?? []).map(({ text }) => text)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

async function addGrace({ database, clock }: TestService, memberId: number): Promise<void> {
  const now = clock.now()
  const by = { credentialId: null, actor: 'test', now }
  await database.member(memberId).write(async (tx) => {
    const record = (change: Parameters<typeof recordChange>[2]) => recordChange(tx, by, change)
    await addConnection({ tx, now, record }, { name: 'Grace Hopper' })
  })
}

async function signIn(visitor: Visitor, login = 'ada', page?: Page): Promise<Page> {
  return visitor.submit(page ?? (await visitor.get('/sign-in')), { login, password: PASSWORD })
}

async function signOut(visitor: Visitor, { formToken }: Page): Promise<void> {
  await visitor.post('/sign-out', { form_token: formToken })
}

test('a note that was sent after the session had ended waits for the member to sign in', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  await world.endSessions()

  const sent = await person.submit(page, { note: LONGEST_NOTE, note_on: '2026-11-02' }, 'Add note')
  assert.equal(sent.status, 303)
  const signInPage = await person.follow(sent)
  assert.match(
    signInPage.text,
    /You were signed out\. Sign in to continue\. What you typed is kept/,
  )
  const wrong = await person.submit(signInPage, { login: 'ada', password: 'not this one' })
  const again = await person.follow(await signIn(person, 'ada', wrong))
  assert.equal(again.address, world.service.url + PATH)
  assert.match(again.text, /not submitted\. What you typed is filled in/)
  const form = again.forms.find(({ fields }) => 'note' in fields)
  assert.deepEqual([form?.fields['note'], form?.fields['note_on']], [LONGEST_NOTE, '2026-11-02'])
  assert.deepEqual(await world.notes(), [], 'nothing is executed by itself')
  assert.match(
    (await person.get(PATH)).text,
    /typed is filled in/,
    'loading the page again is safe',
  )

  const saved = await person.follow(await person.submit(again, {}, 'Add note'))
  assert.deepEqual(await world.notes(), [LONGEST_NOTE])
  assert.doesNotMatch(saved.text, /typed is filled in/)
  assert.equal(person.cookies['weft_typed'], undefined)
})

test('another member who signs in does not see it, and the first one still does', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  await world.endSessions()
  const sent = await person.submit(page, { note: 'Private' }, 'Add note')
  const asEve = await person.follow(await signIn(person, 'eve', await person.follow(sent)))
  assert.equal(asEve.address, world.service.url + PATH)
  assert.doesNotMatch(asEve.html, /Private|typed is filled in/)
  await signOut(person, asEve)
  await signIn(person)
  assert.match((await person.get(PATH)).html, /Private/)
})

test('a form of an earlier session of the same member is filled in at once', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  await signOut(person, page)
  await signIn(person)
  const again = await person.follow(await person.submit(page, { note: 'Late' }, 'Add note'))
  assert.equal(again.forms.find(({ fields }) => 'note' in fields)?.fields['note'], 'Late')
  await person.submit(again, {}, 'Add note')
  assert.deepEqual(await world.notes(), ['Late'])
})

test('a form that was corrected before returns to its page, and several forms are all kept', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  const invalid = await person.submit(page, { note: 'One', note_on: '2026-99-99' }, 'Add note')
  assert.equal(invalid.status, 422)
  await world.endSessions()
  await person.submit(page, { note: 'Another' }, 'Add note')
  const sent = await person.submit(
    page,
    { follow_up: 'Call', due_on: '2026-12-01' },
    'Add follow-up',
  )
  await person.submit(invalid, { note_on: '2026-11-02' }, 'Add note')
  const first = await person.follow(await signIn(person, 'ada', await person.follow(sent)))
  const typed = Object.assign({}, ...first.forms.map(({ fields }) => fields)) as object
  assert.deepEqual(
    { note: 'One', note_on: '2026-11-02', follow_up: 'Call', due_on: '2026-12-01', ...typed },
    typed,
  )
  const second = await person.follow(await person.submit(first, {}, 'Add note'))
  assert.equal(second.forms.find(({ fields }) => 'note' in fields)?.fields['note'], 'Another')
})

test('no secret is kept, and what is kept cannot be read without the cookie', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const [account, page] = [await person.get(ACCOUNT_PATH), await person.get(PATH)]
  await world.endSessions()
  const passwords = { current_password: PASSWORD, new_password: 'difference engine no. 2' }
  const form = account.forms.find(({ action }) => action.endsWith(ACCOUNT_PASSWORD_PATH))
  await person.post(ACCOUNT_PASSWORD_PATH, { ...form?.fields, ...passwords })
  await person.submit(page, { note: 'Lunch with Grace' }, 'Add note')
  const stored = await world.service.everything()
  for (const text of ['difference engine', 'Lunch with Grace', person.cookies['weft_typed'] ?? '-'])
    assert.equal(stored.includes(text), false, text)
})

test('what another site, another browser or a stranger sends is not kept', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  const fields = { ...page.forms.find((form) => 'note' in form.fields)?.fields, note: 'Planted' }
  await world.endSessions()
  const attacks: [string, Visitor, Record<string, string>, Record<string, string>][] = [
    ['another site', person, fields, { 'sec-fetch-site': 'cross-site' }],
    ['another browser', world.visitor(), fields, {}],
    ['a member it made up', person, { ...fields, form_token: 'x.1.y' }, {}],
    ['no token', person, { ...fields, form_token: '' }, {}],
  ]
  for (const [name, visitor, sent, headers] of attacks) {
    await visitor.post(`${PATH}/note`, sent, headers)
    assert.equal(visitor.cookies['weft_typed'], undefined, name)
  }
  await signIn(person)
  assert.doesNotMatch((await person.get(PATH)).html, /Planted/)
})

test('it is kept for an hour', async () => {
  await using world = await openWorld()
  const person = world.visitor()
  await signIn(person)
  const page = await person.get(PATH)
  await world.endSessions()
  await person.submit(page, { note: 'Lunch' }, 'Add note')
  world.service.clock.advance(HOUR)
  await signIn(person)
  assert.doesNotMatch((await person.get(PATH)).html, /Lunch/)
})

test('what was typed survives signing in through an identity provider', async () => {
  const port = await freePort()
  await using world = await openWorld({ oidc: providerSettings(port) })
  const redirectUri = `${world.service.url}/sign-in/callback`
  await using provider = await startIdentityProvider({ port, redirectUri })
  provider.person = { sub: 'employee-1', name: 'Ada' }
  const { database, clock } = world.service
  const { issuer } = providerSettings(port)
  await database
    .member(world.members.ada)
    .write((tx) => addIdentity(tx, { issuer, subject: 'employee-1' }, clock.now()))
  const person = world.visitor()
  const page = await person.follow(await person.get(`/sign-in?return_to=${PATH}`))
  await world.endSessions()
  const again = await person.follow(await person.submit(page, { note: LONGEST_NOTE }, 'Add note'))
  assert.equal(again.address, world.service.url + PATH)
  assert.equal(again.forms.find(({ fields }) => 'note' in fields)?.fields['note'], LONGEST_NOTE)
})
