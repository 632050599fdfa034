import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSeparateStore, createStore, type TestStore } from '../../test/support/store.ts'
import { until } from '../../test/support/until.ts'
import { linkIn, startMailServer, type MailServerOptions } from '../../test/support/mail-server.ts'
import { findLink, takeLink } from '../access/one-time-link.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { createMember } from '../members/member.ts'
import {
  listEmails,
  queueEmail,
  readOutbox,
  retryEmail,
  sweepEmails,
  type NewEmail,
} from '../outbox/outbox.ts'
import { renewEmail } from '../outbox/send-queue.ts'
import { createEmailSender, retryDelayMs, type EmailSender } from './sender.ts'
import { openMailServer, senderDomain } from './smtp.ts'

const INVITATION = {
  kind: 'invitation',
  recipient: 'grace@example.org',
  details: { days: 7 },
} as const

async function createWorld(options: MailServerOptions = {}, given?: TestStore) {
  const store = given ?? (await createStore())
  const mail = await startMailServer(options)
  const { database, clock } = store
  const outcomes: string[] = []
  const newSender = (workerId = 'this-host:1:a'): EmailSender =>
    createEmailSender({
      workerId,
      database,
      clock,
      log: createLog('silent'),
      server: openMailServer(mail.smtp),
      domain: senderDomain(mail.smtp),
      publicUrl: 'https://weft.example',
      onAttempted: (kind, outcome) => outcomes.push(`${kind} ${outcome}`),
    })
  const sender = newSender()
  return {
    ...store,
    mail,
    outcomes,
    sender,
    newSender,
    queue: (email: NewEmail = INVITATION) =>
      database.write((tx) => queueEmail(tx, email, clock.now())),
    stored: async () => (await listEmails(database, { limit: 100 })).map(({ state }) => state),
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const secretOf = (email: { readonly text: string }) => linkIn(email).split('link=')[1] ?? ''

test('an email arrives once, as text and HTML, and is recorded as sent', async () => {
  await using world = await createWorld()
  const emailId = await world.queue()
  assert.equal(await world.sender.sendDue(), 1)
  assert.equal(await world.sender.sendDue(), 0)
  const [email, ...others] = world.mail.accepted
  assert.ok(email)
  assert.deepEqual(others, [])
  assert.deepEqual([email.from, email.to], ['weft@example.org', 'grace@example.org'])
  assert.equal(email.headers['message-id'], `<${emailId}@example.org>`)
  assert.equal(email.headers['auto-submitted'], 'auto-generated')
  assert.match(email.text, /The link works once, for 7 days\./)
  assert.ok(email.html.includes(`href="${linkIn(email).replace('=', '&#61;')}"`), email.html)
  assert.deepEqual(await world.stored(), ['sent'])
  assert.deepEqual(world.outcomes, ['invitation sent'])
})

test('an email of a transaction that is rolled back is never sent', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  await assert.rejects(
    database.write(async (tx) => {
      await queueEmail(tx, INVITATION, clock.now())
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.equal(await world.sender.sendDue(), 0)
})

test('the outbox and the database never hold the link of an email', async () => {
  const store = await createSeparateStore()
  const later = { onMessage: () => ({ code: 451, text: 'later' }) }
  await using world = await createWorld(later, store)
  await world.queue()
  await world.sender.sendDue()
  const [email] = world.mail.arrived
  assert.ok(email)
  const everything = await store.everything()
  assert.ok(everything.includes('grace@example.org'))
  assert.ok(!everything.includes(secretOf(email)))
})

test('a temporary error is retried with the same Message-ID after growing delays', async () => {
  const replies = [451, 421, 452].map((code) => ({ code, text: 'try later' }))
  await using world = await createWorld({ onMessage: () => replies.shift() ?? 'accept' })
  await world.queue()
  for (const wait of [0, MINUTE, 2 * MINUTE, 4 * MINUTE]) {
    world.clock.advance(wait - 1)
    if (wait > 0) assert.equal(await world.sender.sendDue(), 0)
    world.clock.advance(1)
    assert.equal(await world.sender.sendDue(), 1)
  }
  assert.deepEqual(await world.stored(), ['sent'])
  const ids = new Set(world.mail.arrived.map(({ headers }) => headers['message-id']))
  assert.deepEqual([world.mail.arrived.length, world.mail.accepted.length, ids.size], [4, 1, 1])
  // Each attempt had a new link. Those that the server certainly did not accept are invalid.
  const { database, clock } = world
  const live = await Promise.all(
    world.mail.arrived.map((one) => findLink(database, secretOf(one), ['invite'], clock.now())),
  )
  assert.deepEqual(
    live.map((link) => link !== undefined),
    [false, false, false, true],
  )
})

test('after a broken connection, the links of both attempts work until one is used', async () => {
  const replies = ['drop'] as ('drop' | 'accept')[]
  await using world = await createWorld({ onMessage: () => replies.shift() ?? 'accept' })
  await world.queue()
  await world.sender.sendDue()
  world.clock.advance(MINUTE)
  await world.sender.sendDue()
  const { database, clock, mail } = world
  assert.equal(mail.arrived.length, 2)
  const [first, second] = mail.arrived.map(secretOf)
  assert.ok(first !== undefined && second !== undefined && first !== second)
  const find = (secret: string) => findLink(database, secret, ['invite'], clock.now())
  assert.ok((await find(first)) && (await find(second)))
  assert.ok(await database.write((tx) => takeLink(tx, first, ['invite'], clock.now())))
  assert.equal(await find(second), undefined)
})

test('an unknown recipient fails at once, and an admin sees why', async () => {
  await using world = await createWorld({ unknownRecipient: 'grace@example.org' })
  await world.queue()
  await world.sender.sendDue()
  const [email] = await listEmails(world.database, { state: 'failed', limit: 10 })
  assert.match(email?.error ?? '', /550 no such user/)
  assert.deepEqual(await readOutbox(world.database), { queued: 0, oldestAt: null, failed: 1 })
  assert.deepEqual(world.outcomes, ['invitation failed'])
  // The admin tries it again.
  const retry = (emailId: string) =>
    world.database.write((tx) => retryEmail(tx, emailId, world.clock.now()))
  assert.equal(await retry(email?.emailId ?? ''), true)
  assert.deepEqual(await world.stored(), ['queued'])
  assert.equal(await retry(email?.emailId ?? ''), false)
  assert.equal(await retry('eml_unknown'), false)
})

test('a mail server that is down delays an email until Weft gives up', async () => {
  await using world = await createWorld()
  await world.mail[Symbol.asyncDispose]()
  await world.queue()
  let attempts = 0
  for (let elapsed = 0; elapsed <= 4 * DAY; elapsed += HOUR) {
    attempts += await world.sender.sendDue()
    world.clock.advance(HOUR)
  }
  assert.deepEqual(await world.stored(), ['failed'])
  assert.ok(attempts > 60, String(attempts))
  const [email] = await listEmails(world.database, { limit: 1 })
  assert.match(email?.error ?? '', /ECONNREFUSED/)
})

test('credentials are used, and a wrong password is retried, because the settings may be corrected', async () => {
  const credentials = { user: 'weft', password: 'p@ss:word' }
  await using world = await createWorld({ credentials })
  await world.queue()
  assert.equal(await world.sender.sendDue(), 1)
  assert.deepEqual(await world.stored(), ['sent'])
  const wrong = { ...world.mail.smtp, credentials: { user: 'weft', password: 'other secret' } }
  const error = await openMailServer(wrong)
    .verify()
    .then(
      () => undefined,
      (reason: unknown) => reason as Error & { isPermanent: boolean },
    )
  assert.match(error?.message ?? '', /535 wrong password/)
  assert.equal(error?.isPermanent, false)
  assert.ok(!error?.message.includes('other secret'))
})

test('two processes never send the same email', async () => {
  await using world = await createWorld()
  for (let count = 0; count < 12; count += 1)
    await world.queue({ ...INVITATION, recipient: `m${count}@example.org` })
  await using other = world.newSender('other-host:1:b')
  const sent = await Promise.all([world.sender.sendDue(), other.sendDue()])
  assert.equal(sent[0] + sent[1], 12)
  assert.equal(new Set(world.mail.accepted.map(({ to }) => to)).size, 12)
  assert.equal(world.mail.accepted.length, 12)
})

test('an email on which the mail server hangs does not delay those that are queued meanwhile', async () => {
  const replies = ['hang'] as ('hang' | 'accept')[]
  await using world = await createWorld({ onMessage: () => replies.shift() ?? 'accept' })
  await world.queue()
  world.sender.start()
  await world.mail.whenArrived(1)
  for (const name of ['ann', 'ben', 'cleo', 'dan', 'eva'])
    await world.queue({ ...INVITATION, recipient: `${name}@example.org` })
  const queued = async () => (await world.stored()).filter((state) => state === 'queued').length
  await until(async () => (await queued()) === 1)
  assert.equal(world.mail.accepted.length, 5)
  await world.mail[Symbol.asyncDispose]()
})

test('an email whose sender is silent is taken over after its lease', async () => {
  const replies = ['hang'] as ('hang' | 'accept')[]
  await using world = await createWorld({ onMessage: () => replies.shift() ?? 'accept' })
  await world.queue()
  const hanging = world.sender.sendDue()
  await world.mail.whenArrived(1)
  await using other = world.newSender('other-host:1:b')
  assert.equal(await other.sendDue(), 0)
  world.clock.advance(MINUTE + 1)
  const [email] = await listEmails(world.database, { limit: 1 })
  const renew = (worker: string, now: number) =>
    world.database.write((tx) =>
      renewEmail(tx, email?.emailId ?? '', { worker, leaseMs: MINUTE, now }),
    )
  assert.equal(await renew('this-host:1:a', world.clock.now()), true)
  assert.equal(await renew('other-host:1:b', world.clock.now()), false)
  assert.equal(await other.sendDue(), 0)
  world.clock.advance(MINUTE + 1)
  assert.equal(await other.sendDue(), 1)
  assert.equal(world.mail.accepted.length, 1)
  await world.mail[Symbol.asyncDispose]()
  await hanging
  // The late failure of the first sender does not queue the email again.
  assert.deepEqual(await world.stored(), ['sent'])
})

test('password resets: only for accounts with an email, three an hour, at that address', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  const ada = { username: 'ada', name: 'Ada', email: 'ada@example.org' }
  await database.write(async (tx) => {
    await createMember(tx, ada, clock.now())
    await createMember(tx, { username: 'grace', name: 'Grace' }, clock.now())
  })
  const ask = (login: string) => world.queue({ kind: 'password_reset', details: { login } })
  for (const login of [
    'nobody',
    'nobody@example.org',
    'grace',
    'Ada',
    'ADA@example.org',
    'ada',
    'ada',
  ])
    await ask(login)
  await world.sender.sendDue()
  assert.deepEqual(
    world.mail.accepted.map(({ to }) => to),
    ['ada@example.org', 'ada@example.org', 'ada@example.org'],
  )
  const stored = await listEmails(database, { limit: 100 })
  assert.deepEqual(new Set(stored.map(({ details }) => Object.keys(details).length)), new Set([0]))
  clock.advance(HOUR)
  await ask('ada')
  await world.sender.sendDue()
  assert.equal(world.mail.accepted.length, 4)
})

test('a member learns why a calendar or an address book is no longer read, and where to mend it', async () => {
  await using world = await createWorld()
  const { memberId } = await world.database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada', email: 'ada@example.org' }, world.clock.now()),
  )
  const error = JSON.stringify({
    source: 'does not accept the user name and password: {words}',
    values: { words: 'Wrong' },
  })
  for (const source of ['address_book', 'calendar'])
    await world.queue({
      kind: 'reading_stopped',
      memberId,
      details: { source, name: 'Friends', error },
    })
  await world.sender.sendDue()
  const said = world.mail.accepted.map(({ headers, text }) => {
    const [sentence] = /The .*? does not accept .*? Wrong/.exec(text.replaceAll(/\s+/g, ' ')) ?? []
    return `${headers['subject']} ${sentence} ${/https:\S+/.exec(text)?.[0]}`
  })
  const problem = 'does not accept the user name and password: Wrong'
  const subject = 'Weft no longer reads Friends'
  assert.deepEqual(
    new Set(said),
    new Set([
      `${subject} The address book ${problem} https://weft.example/user/address-books`,
      `${subject} The calendar ${problem} https://weft.example/user/calendar`,
    ]),
  )
})

test('emails are purged: sent ones after a week, failed ones after a month', async () => {
  await using world = await createWorld({ unknownRecipient: 'bad@example.org' })
  await world.queue()
  await world.queue({ ...INVITATION, recipient: 'bad@example.org' })
  await world.sender.sendDue()
  const sweep = () => world.database.write((tx) => sweepEmails(tx, world.clock.now()))
  world.clock.advance(7 * DAY)
  assert.equal(await sweep(), 1)
  assert.deepEqual(await world.stored(), ['failed'])
  world.clock.advance(23 * DAY)
  assert.equal(await sweep(), 1)
})

test('retries slow down and never wait more than an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (attempts) => {
      const [delay, next] = [retryDelayMs(attempts), retryDelayMs(attempts + 1)]
      assert.ok(delay >= MINUTE && delay <= next && next <= HOUR)
    }),
  )
})
