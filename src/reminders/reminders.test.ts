import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { createWorld, type Acting, type World } from '../../test/fixtures/network.ts'
import { startMailServer } from '../../test/support/mail-server.ts'
import { daysLater } from '../dates/calendar-day.ts'
import { dayInZone, localTimeAt } from '../dates/time-zone.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import { logInteractionTool } from '../connections/interactions/log-interaction.tool.ts'
import { summaryEmail } from '../email/summary-email.ts'
import { addEndpoint } from '../deliveries/endpoint-store.ts'
import { listDeliveries } from '../deliveries/delivery-store.ts'
import { createEmailSender } from '../email/sender.ts'
import { openMailServer, senderDomain } from '../email/smtp.ts'
import { listEmails } from '../outbox/outbox.ts'
import { insertRow } from '../db/insert-row.ts'
import { recordChange } from '../tools/activity.ts'
import { wakeReminders } from '../tools/wake-reminders.ts'
import { createReminderScheduler } from './reminder-scheduler.ts'
import {
  changeReminderSettings,
  readReminderSettings,
  type ReminderChoices,
} from './reminder-settings.ts'
import type { Cause } from '../deliveries/notice.ts'
import { nextSummaryAt, summaryAt } from './summary-time.ts'

const SET_ACCOUNT = statement<{ id: number; email: string | null; zone: string }>(
  'update members set email = :email, time_zone = :zone where member_id = :id',
)

const FINISH = memberStatement<{ now: number }>()(
  'update follow_ups set completed_at = :now where member_id = :member_id',
)

/** Members with an email address in Berlin, whose reminders have been scheduled. */
async function openReminders(zone = 'Europe/Berlin') {
  const world = await createWorld()
  const { database, clock } = world
  const scheduler = () => createReminderScheduler({ database, clock, log: createLog('silent') })
  const one = scheduler()
  const remind = () => one.remindDue()
  return {
    world,
    remind,
    scheduler,
    async join(email: string | null = 'ada@example.org') {
      const member = await world.join(zone.startsWith('Mars') ? 'UTC' : zone)
      await database.write((tx) => tx.run(SET_ACCOUNT, { id: member.db.memberId, email, zone }))
      await remind()
      return member
    },
    emails: async () =>
      (await listEmails(database, { limit: 500 }))
        .filter(({ kind }) => kind === 'summary' || kind === 'reminder')
        .map(({ kind, details, createdAt }) => ({ kind, details, createdAt })),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Lets time pass in steps, reminding after each. */
async function pass(
  { clock }: World,
  milliseconds: number,
  {
    step = 5 * MINUTE,
    remind,
  }: { readonly step?: number; readonly remind: () => Promise<unknown> },
): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(step)
    await remind()
  }
}

async function plan(member: Acting, due_on: string, more: object = {}): Promise<void> {
  await member.ask(saveFollowUpTool, { text: `Due ${due_on}`, due_on, ...more })
}

test('a day with something due has one email at the member’s hour, other days have none', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const member = await reminders.join()
  const today = dayInZone('Europe/Berlin', world.clock.now())
  await plan(member, daysLater(today, 3))
  await pass(world, 5 * DAY, { remind })
  const sent = await reminders.emails()
  const days = sent
    .map(({ details }) => String(details['day']))
    .toSorted((a, b) => (a < b ? -1 : 1))
  // On the day, and as overdue afterwards.
  assert.deepEqual(
    days,
    [3, 4, 5].map((later) => daysLater(today, later)),
  )
  for (const { createdAt } of sent)
    assert.equal(
      new Date(localTimeAt('Europe/Berlin', createdAt)).toISOString().slice(11, 15),
      '08:0',
    )
})

test('nothing is sent without a reason, without an address, or when the member chose never', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const idle = await reminders.join('idle@example.org')
  await idle.ask(addConnectionTool, { name: 'Ann' })
  const [none, off] = [await reminders.join(null), await reminders.join('off@example.org')]
  const today = dayInZone('Europe/Berlin', world.clock.now())
  await off.db.write((tx) =>
    changeReminderSettings(tx, {
      email: 'off',
      weekday: 1,
      minute: 480,
      birthdayDays: 1,
      meetingMinutes: null,
      agentChanges: null,
      initialsOnly: false,
    }),
  )
  for (const member of [none, off]) await plan(member, daysLater(today, 1))
  await pass(world, 3 * DAY, { remind, step: HOUR })
  assert.deepEqual(await reminders.emails(), [])
})

test('birthdays are announced the day before and on the day, or up to two weeks before', async () => {
  for (const ahead of [1, 14]) {
    await using reminders = await openReminders()
    const { world, remind } = reminders
    const member = await reminders.join()
    if (ahead !== 1) await choose(member, { birthdayDays: ahead })
    const today = dayInZone('Europe/Berlin', world.clock.now())
    const birthday = `1990-${daysLater(today, 2 + ahead).slice(5)}`
    await member.ask(addConnectionTool, { name: 'Ann', birthday })
    await pass(world, (5 + ahead) * DAY, { remind, step: HOUR })
    const days = (await reminders.emails())
      .map(({ details }) => String(details['day']))
      .toSorted((a, b) => (a < b ? -1 : 1))
    assert.deepEqual(days, [daysLater(today, 2), daysLater(today, 2 + ahead)])
  }
})

test('the email of a week has the meetings and birthdays of all its days', async () => {
  await using reminders = await openReminders()
  const member = await reminders.join()
  const day = dayInZone('Europe/Berlin', reminders.world.clock.now())
  const on = daysLater(day, 6)
  await member.ask(addConnectionTool, { name: 'Ann Lee', birthday: `1990-${on.slice(5)}` })
  const lunch = { people: ['Ann Lee'], kind: 'meeting', subject: 'Lunch', on, time: '12:30' }
  await member.ask(logInteractionTool, lunch)
  await member.ask(logInteractionTool, {
    ...lunch,
    subject: 'Fair',
    on: daysLater(day, 4),
    time: null,
  })
  const settings = await readReminderSettings(member.db)
  const subscriber = {
    db: member.db,
    settings,
    timeZone: 'Europe/Berlin',
    publicUrl: 'https://weft.example',
  }
  const week = await summaryEmail(subscriber, { day, days: 7 })
  assert.match(
    week?.text ?? '',
    /Meetings:\n- Wed 25 Nov: Fair \(Ann Lee\)\n.*\n- Fri 27 Nov 12:30: Lunch \(Ann Lee\)/,
  )
  assert.match(week?.text ?? '', /Birthdays:\n- Ann Lee \(Fri 27 Nov\)/)
  assert.equal(await summaryEmail(subscriber, { day, days: 1 }), undefined)
})

test('a weekly email comes on its day, also if the service did not run then', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const member = await reminders.join()
  // Today is Saturday, 21 November 2026.
  await member.db.write((tx) =>
    changeReminderSettings(tx, {
      email: 'weekly',
      weekday: 1,
      minute: 540,
      birthdayDays: 1,
      meetingMinutes: null,
      agentChanges: null,
      initialsOnly: false,
    }),
  )
  await plan(member, '2026-11-26')
  await pass(world, 4 * DAY, { remind, step: HOUR })
  assert.deepEqual(
    (await reminders.emails()).map(({ details }) => details),
    [{ day: '2026-11-23', days: 7 }],
  )
  await pass(world, 4 * DAY, { remind, step: HOUR })
  world.clock.advance(2 * DAY)
  await pass(world, DAY, { remind, step: HOUR })
  const days = new Set((await reminders.emails()).map(({ details }) => details['day']))
  assert.deepEqual(days, new Set(['2026-11-23', '2026-12-01']))
})

test('a follow-up at a time is announced then, once, on a device or by email', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const [mailed, pushed] = [await reminders.join(), await reminders.join('b@example.org')]
  const endpointId = await pushed.db.write((tx) =>
    addEndpoint(
      tx,
      {
        kind: 'push',
        name: 'Phone',
        format: 'push',
        address: 'sealed',
        addressHint: 'push.example',
        host: 'push.example',
        causes: ['summary', 'follow_up.due'],
      },
      world.clock.now(),
    ),
  )
  const today = dayInZone('Europe/Berlin', world.clock.now())
  for (const member of [mailed, pushed]) await plan(member, today, { time: '15:30' })
  await pass(world, 2 * HOUR, { remind, step: MINUTE })
  await pass(world, 10 * HOUR, { remind })
  const sent = await reminders.emails()
  assert.deepEqual(
    sent.map(({ kind }) => kind),
    ['reminder'],
  )
  const at = new Date(localTimeAt('Europe/Berlin', sent[0]?.createdAt ?? 0)).toISOString()
  assert.match(at, new RegExp(`${today}T15:3[0-4]`))
  const deliveries = await listDeliveries(pushed.db, endpointId, 10)
  assert.deepEqual(
    deliveries.map(({ cause }) => cause),
    ['follow_up.due'],
  )
})

test('everything is announced once, at the member’s hour, over clock changes, restarts, three nodes and a day of sleep', async () => {
  const zone = 'America/New_York'
  await using reminders = await openReminders(zone)
  const { world } = reminders
  // Both clock changes of the year: 14 March and 7 November 2027.
  world.clock.advance(Date.parse('2027-03-01T12:00:00Z') - world.clock.now())
  const member = await reminders.join()
  const first = dayInZone(zone, world.clock.now())
  const timed = new Map<string, number>()
  for (let day = 1; day <= 95; day += 1) {
    const due_on = daysLater(first, day)
    await plan(member, due_on, { time: '02:30', text: `Timed ${day}` })
    timed.set(due_on, 0)
  }
  const nodes = [reminders.scheduler(), reminders.scheduler(), reminders.scheduler()]
  const remind = () => Promise.all(nodes.map((node) => node.remindDue()))
  await pass(world, 40 * DAY, { remind, step: 10 * MINUTE })
  world.clock.advance(DAY)
  await remind()
  await pass(world, 52 * DAY, { remind, step: 10 * MINUTE })
  const sent = await reminders.emails()
  const reminded = sent.filter(({ kind }) => kind === 'reminder')
  const unique = new Set(reminded.map(({ details }) => details['follow_up']))
  assert.deepEqual([reminded.length, unique.size], [93, 93])
  const summaries = sent.filter(({ kind }) => kind === 'summary')
  const days = summaries.map(({ details }) => details['day'])
  assert.equal(new Set(days).size, days.length)
  const late = summaries.filter(({ createdAt, details }) => {
    const at = summaryAt(String(details['day']), { timeZone: zone, minute: 480 })
    return createdAt < at || createdAt > at + 10 * MINUTE
  })
  // After the day of sleep, one summary may be late, but not early.
  assert.ok(late.length <= 1, String(late.length))
  for (const node of nodes) await node[Symbol.asyncDispose]()
})

test('the next summary is always after now and within a day and an hour', () => {
  for (const timeZone of [
    'Europe/Berlin',
    'America/St_Johns',
    'Pacific/Apia',
    'Asia/Tehran',
    'UTC',
  ])
    for (
      let now = Date.parse('2026-01-01');
      now < Date.parse('2028-01-01');
      now += 7 * HOUR + 13 * MINUTE
    ) {
      const wait = nextSummaryAt({ timeZone, minute: 150 }, now) - now
      assert.ok(wait > 0 && wait <= 25 * HOUR, `${timeZone} ${new Date(now).toISOString()} ${wait}`)
    }
})

test('the email lists what is due, links to it, and can be ended with one click', async () => {
  await using reminders = await openReminders()
  await using mail = await startMailServer()
  const { world, remind } = reminders
  const { database, clock } = world
  const member = await reminders.join()
  await member.ask(addConnectionTool, { name: 'Ann <b>Lee</b>' })
  const today = dayInZone('Europe/Berlin', clock.now())
  await member.ask(saveFollowUpTool, {
    people: ['c_1'],
    text: 'Send slides',
    due_on: daysLater(today, -2),
  })
  await pass(world, DAY, { remind, step: HOUR })
  const sender = createEmailSender({
    database,
    clock,
    log: createLog('silent'),
    server: openMailServer(mail.smtp),
    domain: senderDomain(mail.smtp),
    publicUrl: 'https://weft.example',
  })
  await sender.sendDue()
  const [email, ...others] = mail.accepted
  assert.ok(email)
  assert.deepEqual(others, [])
  assert.match(
    email.text,
    /Follow-ups:\n- Ann <b>Lee<\/b>: Send slides \(3 days late\)\n {2}https:\/\/weft\.example\/user\/follow-ups#f_1/,
  )
  assert.ok(email.html.includes('Ann &#60;b&#62;Lee&#60;/b&#62;'), email.html)
  const unsubscribe = email.headers['list-unsubscribe'] ?? ''
  assert.match(unsubscribe, /^<https:\/\/weft\.example\/unsubscribe\?link=weft_otl_\w+>$/)
  assert.equal(email.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  await sender[Symbol.asyncDispose]()
})

test('an email is dropped if its reason is gone before it is sent', async () => {
  await using reminders = await openReminders()
  await using mail = await startMailServer()
  const { world, remind } = reminders
  const { database, clock } = world
  const member = await reminders.join()
  const today = dayInZone('Europe/Berlin', clock.now())
  await plan(member, today)
  await pass(world, DAY, { remind, step: HOUR })
  await member.db.write(async (tx) => {
    await tx.run(FINISH, { now: clock.now() })
  })
  const sender = createEmailSender({
    database,
    clock,
    log: createLog('silent'),
    server: openMailServer(mail.smtp),
    domain: senderDomain(mail.smtp),
    publicUrl: 'https://weft.example',
  })
  await sender.sendDue()
  assert.deepEqual(mail.accepted, [])
  await sender[Symbol.asyncDispose]()
})

test('an agent that changed more records than the member chose is announced once, the morning after', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const member = await reminders.join()
  const { endpointId, messages } = await listen(member, 'agent.changed', world)
  await choose(member, { agentChanges: 5 })
  await remind()
  const act = (actor: string, credentialId: string | null, people: number) =>
    member.db.write((tx) =>
      recordChange(
        tx,
        { actor, credentialId, now: world.clock.now() },
        {
          action: 'connections.update',
          subjectKind: 'connection',
          subjectId: 'c_1',
          before: null,
          after: null,
          connections: Array.from({ length: people }, (_, index) => index + 1),
        },
      ),
    )
  await act('Cleo', 'tok_1', 4)
  await act('Cleo', 'tok_1', 4)
  await act('Max', 'tok_2', 3)
  await act('Ada', null, 900)
  await pass(world, 3 * DAY, { remind, step: HOUR })
  assert.ok(endpointId > 0)
  assert.deepEqual(
    (await messages()).map(({ notice }) => [notice.title, notice.data]),
    [['Cleo changed 8 records', { day: '2026-11-22', agent: 'Cleo', changes: 8 }]],
  )
  const [email, ...others] = await reminders.emails()
  assert.deepEqual([email?.details, others], [{ day: '2026-11-22', days: 1 }, []])
})

test('the new jobs of an import are one message', async () => {
  await using reminders = await openReminders()
  const { world, remind } = reminders
  const member = await reminders.join()
  const { messages } = await listen(member, 'job_change.found', world)
  await remind()
  world.clock.advance(MINUTE)
  for (const [job_id, job_changes] of [
    [71, 3],
    [72, undefined],
  ] as const)
    await member.db.write(async (tx) => {
      await insertRow(tx, 'jobs', {
        job_id,
        kind: 'file_import',
        state: 'succeeded',
        input: '{}',
        filename: 'contacts.csv',
        result: JSON.stringify({ rows: 9, job_changes }),
        created_at: world.clock.now(),
        finished_at: world.clock.now(),
      })
      await wakeReminders(tx)
    })
  await pass(world, HOUR, { remind })
  assert.deepEqual(
    (await messages()).map(({ notice }) => [notice.title, notice.data, notice.path]),
    [['3 people have new jobs', { task_id: '71', people: 3 }, '/user/jobs/71']],
  )
})

/** Adds a webhook that gets one cause. */
async function listen({ db }: Acting, cause: Cause, { clock }: World) {
  const webhook = { kind: 'webhook', name: '', format: 'standard', address: '', host: '' } as const
  const endpointId = await db.write((tx) =>
    addEndpoint(tx, { ...webhook, addressHint: '', causes: [cause] }, clock.now()),
  )
  return { endpointId, messages: () => listDeliveries(db, endpointId, 10) }
}

async function choose({ db }: Acting, choices: Partial<ReminderChoices>): Promise<void> {
  const settings = await readReminderSettings(db)
  await db.write((tx) => changeReminderSettings(tx, { ...settings, ...choices }))
}

test('a zone that does not exist counts as UTC, and a clock that jumps back repeats nothing', async () => {
  await using reminders = await openReminders('Mars/Olympus')
  const { world, remind } = reminders
  const member = await reminders.join()
  const today = dayInZone('UTC', world.clock.now())
  await plan(member, daysLater(today, 1))
  await pass(world, DAY, { remind, step: HOUR })
  assert.equal((await reminders.emails()).length, 1)
  world.clock.advance(-6 * HOUR)
  await remind()
  await pass(world, 6 * HOUR, { remind, step: HOUR })
  assert.equal((await reminders.emails()).length, 1)
  const { nextAt } = await readReminderSettings(member.db)
  assert.ok(nextAt > world.clock.now() && nextAt <= world.clock.now() + DAY + SECOND)
})
