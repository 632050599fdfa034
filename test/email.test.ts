/** Emails of the whole service: actions on pages, and the messages that arrive. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, givePassword } from './support/password.ts'
import { startMailServer, linkIn, type ReceivedEmail } from './support/mail-server.ts'
import { createHome, outcome } from './support/command-line.ts'
import { startTestService } from './support/service.ts'
import { openSignedIn, openVisitor, type Visitor } from './support/visitor.ts'
import { signIn } from './fixtures/sign-in.ts'
import { HOUR, MINUTE } from '../src/base/clock.ts'
import { createLog } from '../src/base/log.ts'
import { createEmailSender } from '../src/email/sender.ts'
import { openMailServer } from '../src/email/smtp.ts'
import { listSessions } from '../src/access/browser-session.ts'
import { verifyEmail } from '../src/members/verified-email.ts'
import { setLanguage } from '../src/members/member-language.ts'
import { disableMember } from '../src/members/member.ts'
import { changeRole } from '../src/members/admin-role.ts'
import { listEmails } from '../src/outbox/outbox.ts'

const NEW_PASSWORD = 'difference engine no. 2'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The service with a mail server. Emails are sent when `inbox` is called, not in the background. */
async function createWorld() {
  const mail = await startMailServer()
  const service = await startTestService({ smtp: mail.smtp, jobConcurrency: 0 })
  const { database, clock, url } = service
  const sender = createEmailSender({
    database,
    clock,
    log: createLog('silent'),
    server: openMailServer(mail.smtp),
    domain: 'example.org',
    publicUrl: url,
  })
  const ada = await service.addMember({ email: 'ada@example.org' })
  await givePassword(service, ada)
  let read = 0
  return {
    ...service,
    ada,
    mail,
    visitor: () => openVisitor(url),
    verify: () => database.write((tx) => verifyEmail(tx, ada.memberId, 'ada@example.org')),
    sessions: () => listSessions(database.member(ada.memberId), clock.now()),
    /** What has arrived since the last call. */
    async inbox(): Promise<readonly ReceivedEmail[]> {
      await sender.sendDue()
      const emails = mail.accepted.slice(read)
      read = mail.accepted.length
      return emails
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
    },
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

function subjects(emails: readonly ReceivedEmail[]): string[] {
  return emails.map(({ headers }) => (headers['subject'] ?? '').replace(/ at \S+$/, ''))
}

async function forgot(person: Visitor, login: string) {
  return person.submit(await person.get('/forgot-password'), { login })
}

async function only(world: World): Promise<ReceivedEmail> {
  const [email, ...others] = await world.inbox()
  assert.ok(email)
  assert.deepEqual(subjects(others), [])
  return email
}

test('a member who forgot their password resets it with an email', async () => {
  await using world = await createWorld()
  const elsewhere = await openSignedIn(world, world.ada)
  const person = world.visitor()
  const page = await person.get('/sign-in')
  assert.equal(page.links['Forgot your password?'], `${world.url}/forgot-password`)
  const asked = await person.follow(await forgot(person, 'ada'))
  assert.match(asked.text, /Check your email If the account exists/)

  const email = await only(world)
  assert.equal(email.to, 'ada@example.org')
  assert.match(email.text, /The link works once, for 60 minutes\./)
  const form = await person.get(linkIn(email))
  assert.match(form.text, /You sign in as ada@example\.org/)
  assert.equal((await person.submit(form, { password: NEW_PASSWORD })).status, 303)
  assert.equal((await person.get('/user/account')).status, 200)
  assert.equal((await elsewhere.get('/user/account')).status, 303)
  assert.equal((await world.sessions()).length, 1)
  assert.equal((await person.get(linkIn(email))).status, 403)
  // The link proved that the address is theirs, so the notice goes there.
  assert.deepEqual(subjects(await world.inbox()), ['Password reset'])
  assert.equal((await signIn(world.visitor(), 'ada', PASSWORD)).status, 422)
})

test('an email is in the language that its member chose', async () => {
  await using world = await createWorld()
  const { memberId } = world.ada
  await world.database.write((tx) => setLanguage(tx, memberId, 'de'))
  await forgot(world.visitor(), 'ada')
  assert.match((await only(world)).text, /60 Minuten/)
})

test('asking for a reset never reveals whether an account exists', async () => {
  await using world = await createWorld()
  const pages = []
  for (const login of ['ada', 'ada@example.org', 'nobody', 'nobody@example.org', 'a b']) {
    const person = world.visitor()
    const answer = await forgot(person, login)
    const { status, location, html } = await person.follow(answer).then((page) => ({
      status: answer.status,
      location: answer.location,
      html: page.html,
    }))
    pages.push(JSON.stringify([status, location, html]))
  }
  assert.equal(new Set(pages).size, 1)
  assert.match((await forgot(world.visitor(), ' ')).text, /Enter your email or username/)
})

test('a reset that is requested twice with the same form, as by a double-click, sends one email', async () => {
  await using world = await createWorld()
  const person = world.visitor()
  const form = await person.get('/forgot-password')
  const click = () => person.submit(form, { login: 'ada' })
  const answers = [...(await Promise.all([click(), click()])), await click()]
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${world.url}/forgot-password?requested`])
  await only(world)

  assert.equal((await forgot(person, 'ada')).status, 303)
  await only(world)
})

test('one client address can request ten resets per hour', async () => {
  await using world = await createWorld()
  const statuses = []
  for (let count = 0; count < 11; count += 1)
    statuses.push((await forgot(world.visitor(), `m${count}`)).status)
  assert.deepEqual([statuses.slice(0, 10), statuses[10]], [Array(10).fill(303), 429])
})

test('a reset link expires after an hour, and disabled members get none', async () => {
  await using world = await createWorld()
  const person = world.visitor()
  await forgot(person, 'ada')
  const email = await only(world)
  world.clock.advance(HOUR + MINUTE)
  const gone = await person.get(linkIn(email))
  assert.equal(gone.status, 403)
  assert.equal(gone.links['Get a new link'], `${world.url}/forgot-password`)
  await world.database.write((tx) => disableMember(tx, world.ada.memberId, world.clock.now()))
  await forgot(person, 'ada')
  assert.deepEqual(await world.inbox(), [])
})

test('a member confirms their email, signed in to the account that it belongs to', async () => {
  await using world = await createWorld()
  const ada = await openSignedIn(world, world.ada)
  const account = await ada.get('/user/account')
  assert.match(account.text, /not confirmed/)
  const sent = await ada.follow(await ada.submit(account, {}, 'Send confirmation email'))
  assert.match(sent.text, /Email sent/)
  const email = await only(world)

  const grace = await world.addMember({ username: 'grace', email: 'grace@example.org' })
  const other = await openSignedIn(world, grace)
  assert.equal((await other.get(linkIn(email))).status, 403)
  assert.equal((await world.visitor().get(linkIn(email))).status, 303)

  const page = await ada.get(linkIn(email))
  assert.match(page.text, /Confirm that ada@example\.org is the address of your account ada/)
  const done = await ada.follow(await ada.submit(page))
  assert.match(done.text, /Email address confirmed\..* confirmed You get security notices here/)
  assert.equal((await ada.get(linkIn(email))).status, 403)
})

test('a changed email has to be confirmed again, and the former address gets a notice', async () => {
  await using world = await createWorld()
  await world.verify()
  const ada = await openSignedIn(world, world.ada)
  const change = { email: 'ada@new.example', email_password: PASSWORD }
  const changed = await ada.follow(await ada.submit(await ada.get('/user/account'), change))
  assert.match(changed.text, /open the link that we sent to it/)
  assert.match(changed.text, /not confirmed/)
  const emails = await world.inbox()
  assert.deepEqual(emails.map(({ to }) => to).sort(), ['ada@example.org', 'ada@new.example'])
  assert.deepEqual(subjects(emails).sort(), ['Confirm your email address', 'Email address changed'])
  // A link to an address that is no longer the member's confirms nothing.
  const link = emails.find(({ to }) => to === 'ada@new.example')
  assert.ok(link)
  const back = { email: 'ada@other.example', email_password: PASSWORD }
  await ada.submit(await ada.get('/user/account'), back)
  assert.equal((await ada.submit(await ada.get(linkIn(link)))).status, 403)
})

test('a second click on the button that confirms an address shows that it is confirmed', async () => {
  await using world = await createWorld()
  const ada = await openSignedIn(world, world.ada)
  const change = { email: 'ada@new.example', email_password: PASSWORD }
  await ada.submit(await ada.get('/user/account'), change)
  const page = await ada.get(linkIn(await only(world)))
  const confirm = () => ada.submit(page, {}, 'Confirm email address')
  for (const { location, text } of [
    ...(await Promise.all([confirm(), confirm()])),
    await confirm(),
  ])
    assert.match(String(location), /notice=email_verified$/, text)
})

test('confirmation emails are limited, so no one can flood an address', async () => {
  await using world = await createWorld()
  const ada = await openSignedIn(world, world.ada)
  for (let count = 0; count < 5; count += 1) {
    const email = `victim${count}@example.org`
    const fields = { email, email_password: PASSWORD }
    await ada.submit(await ada.get('/user/account'), fields)
  }
  const stored = await listEmails(world.database, { limit: 100 })
  assert.equal(stored.length, 3)
})

test('security notices: sign-in in a new browser, password, token; only to a confirmed address', async () => {
  await using world = await createWorld()
  const headers = { 'user-agent': FIREFOX }
  const enter = async (person: Visitor) => {
    const page = await person.get('/sign-in', headers)
    return person.post(
      '/sign-in',
      { ...page.forms[0]?.fields, login: 'ada', password: PASSWORD },
      {
        ...headers,
        'sec-fetch-site': 'same-origin',
        origin: world.url,
      },
    )
  }
  assert.equal((await enter(world.visitor())).status, 303)
  assert.deepEqual(await world.inbox(), [], 'the address is not confirmed')

  await world.verify()
  const person = world.visitor()
  await enter(person)
  const notice = await only(world)
  assert.deepEqual(subjects([notice]), ['New sign-in'])
  assert.match(
    notice.text,
    /Account: ada\nTime: .* UTC\nBrowser: Firefox on Linux\nSigned in with: password/,
  )
  assert.equal(linkIn(notice), `${world.url}/user/account`)

  // The same browser again is not new, another one is.
  const again = openVisitor(world.url, `weft_browser=${person.cookies['weft_browser']}`)
  await enter(again)
  assert.deepEqual(subjects(await world.inbox()), [])
  await enter(world.visitor())
  assert.deepEqual(subjects(await world.inbox()), ['New sign-in'])

  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  await person.submit(await person.get('/user/account'), fields)
  const tokens = await person.get('/user/integrations/mcp')
  await person.submit(tokens, { name: 'backup script', confirm_password: NEW_PASSWORD })
  const emails = await world.inbox()
  assert.deepEqual(subjects(emails).sort(), ['API token created', 'Password changed'])
  assert.ok(emails.some(({ text }) => text.includes('Name: backup script')))
})

test('an admin invites by email, and the invited address is confirmed by joining', async () => {
  await using world = await createWorld()
  await world.database.write((tx) => changeRole(tx, world.ada.memberId, 'admin'))
  const admin = await openSignedIn(world, world.ada)
  const page = await admin.get('/admin/invites')
  const wrong = await admin.submit(page, { email: 'grace' })
  assert.match(
    wrong.forms.find(({ fields }) => 'days' in fields)?.errors['email'] ?? '',
    /must be an email/,
  )
  const invite = async (email: string) =>
    admin.follow(await admin.submit(await admin.get('/admin/invites'), { email, note: 'Grace' }))
  assert.match(
    (await invite('mistake@example.org')).text,
    /Not sent yet mistake@example\.org waiting/,
  )
  const waiting = await admin.get('/admin/invites')
  const gone = await admin.follow(await admin.submit(waiting, {}, 'Withdraw'))
  assert.doesNotMatch(gone.text, /mistake/)
  await invite('Grace@example.org')
  const email = await only(world)
  assert.equal(email.to, 'grace@example.org')
  assert.match((await admin.get('/admin/invites')).text, /Grace .* sent to grace@example\.org/)

  const grace = world.visitor()
  const join = await grace.get(linkIn(email))
  const form = { name: 'Grace Hopper', username: 'grace', password: NEW_PASSWORD }
  assert.equal(join.forms[0]?.fields['email'], 'grace@example.org')
  assert.equal((await grace.submit(join, form)).status, 303)
  assert.match((await grace.get('/user/account')).text, /confirmed You get security notices/)
  assert.deepEqual(await world.inbox(), [], 'joining does not count as a new sign-in')
})

test('the form of a withdrawn or accepted invitation invites again, and that of a waiting one does not', async () => {
  await using world = await createWorld()
  await world.database.write((tx) => changeRole(tx, world.ada.memberId, 'admin'))
  const admin = await openSignedIn(world, world.ada)
  const page = await admin.get('/admin/invites')
  const invite = () => admin.submit(page, { email: 'grace@example.org' })
  const withdraw = async () => admin.submit(await admin.get('/admin/invites'), {}, 'Withdraw')
  const assertSent = async (emails: number) => {
    assert.match((await admin.follow(await invite())).text, /The link is on its way/)
    assert.equal((await world.inbox()).length, emails)
  }
  await invite()
  await withdraw()
  await assertSent(1)
  await assertSent(0)
  await withdraw()
  await invite()
  const grace = world.visitor()
  const join = await grace.get(linkIn(await only(world)))
  await grace.submit(join, { name: 'Grace', username: 'grace', password: NEW_PASSWORD })
  await assertSent(1)
})

test('without a mail server, people are referred to an admin and nothing is queued', async () => {
  await using service = await startTestService()
  const ada = await service.addMember({ email: 'ada@example.org' })
  await givePassword(service, ada)
  const person = openVisitor(service.url)
  assert.match((await person.get('/sign-in')).text, /Ask your administrator for a reset link/)
  assert.equal((await person.get('/forgot-password')).status, 404)
  await signIn(person, 'ada')
  assert.doesNotMatch((await person.get('/user/account')).text, /confirmed/)
  assert.deepEqual(await listEmails(service.database, { limit: 1 }), [])
})

test('an email survives kill -9 of the process that sends it, and arrives once', async () => {
  const replies = ['hang'] as ('hang' | 'accept')[]
  await using mail = await startMailServer({ onMessage: () => replies.shift() ?? 'accept' })
  await using home = await createHome({
    ...mail.environment,
    WEFT_PUBLIC_URL: 'http://127.0.0.1:8787',
    WEFT_LOG_LEVEL: 'error',
  })
  const invited = await home.run('invite', 'create', '--email', 'grace@example.org')
  assert.equal(invited.code, 0, invited.stderr)
  const killed = home.start(['work'])
  const ended = outcome(killed)
  await mail.whenArrived(1)
  killed.kill('SIGKILL')
  await ended
  const worker = home.start(['work'])
  const stopped = outcome(worker)
  await mail.whenArrived(2)
  worker.kill('SIGTERM')
  assert.equal((await stopped).code, 0)
  assert.deepEqual(
    [mail.accepted.length, new Set(mail.arrived.map(({ headers }) => headers['message-id'])).size],
    [1, 1],
  )
  const listed = await home.run('email', 'list', '--json')
  const { state, attempts } = JSON.parse(listed.stdout) as { state: string; attempts: number }
  assert.deepEqual([state, attempts], ['sent', 2])
})

test('weft email test, list and retry, and the mail server in weft doctor', async () => {
  await using mail = await startMailServer({ unknownRecipient: 'bad@example.org' })
  await using home = await createHome({
    ...mail.environment,
    WEFT_PUBLIC_URL: 'http://127.0.0.1:1',
    WEFT_LOG_LEVEL: 'error',
  })
  const tested = await home.run('email', 'test', 'ada@example.org')
  assert.equal(tested.code, 0, tested.stderr)
  assert.match(tested.stdout, /127\.0\.0\.1 accepted the email for ada@example\.org: 250/)
  assert.match(mail.accepted[0]?.text ?? '', /Weft can send email/)
  const refused = await home.run('email', 'test', 'bad@example.org')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /not accepted: .*550 no such user/)
  const checked = await home.run('doctor')
  assert.match(checked.stdout, /ok +email: The mail server 127\.0\.0\.1:\d+ accepts connections/)
})
