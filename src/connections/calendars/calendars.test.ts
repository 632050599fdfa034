import { problemText } from '../../calendar/calendar-error.ts'
import { listEmails } from '../../outbox/outbox.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarEvent, calendarOf } from '../../../test/fixtures/calendar-site.ts'
import { interactions, openCalendars } from '../../../test/fixtures/calendars.ts'
import { rowsOf } from '../../../test/fixtures/network.ts'
import { DAY, HOUR, MINUTE } from '../../base/clock.ts'
import { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { deleteInteractionTool } from '../interactions/delete-interaction.tool.ts'
import { interactionUndoer } from '../interactions/interaction-store.ts'
import { claimCalendar, listCalendars, MAX_CALENDARS, releaseCalendar } from './calendar-store.ts'
import { MAX_CALENDAR_BYTES } from './fetch-calendar.ts'
import {
  changeOwnEmails,
  connectCalendar,
  disconnectCalendar,
  suggestPeople,
  syncNow,
} from './manage-calendars.ts'
import { MAX_FAILURES } from '../../base/concurrency/due-work.ts'
import { SYNC_INTERVAL_MS } from './sync-times.ts'
import type { CalendarDeps } from './calendar-deps.ts'

const undo = undoTool({ undoers: [interactionUndoer] })
test('past meetings with known attendees become interactions; moved, cancelled and removed ones are corrected', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  const now = world.clock.now()
  const old = calendarEvent({ uid: 'old', at: now - 80 * DAY, people: ['eve'] })
  const first = [
    old,
    calendarEvent({ uid: 'a', at: now - 2 * DAY, people: ['ann', 'ben'] }),
    calendarEvent({ uid: 'b', at: now - 3 * DAY }),
    calendarEvent({ uid: 'future', at: now + DAY }),
    calendarEvent({ uid: 'unknown', at: now - DAY, people: ['cy'] }),
    calendarEvent({ uid: 'series', at: now - 15 * DAY, more: ['RRULE:FREQ=WEEKLY'] }),
  ]
  calendars.serve(first)
  const { calendarId, name } = await connectCalendar(deps, member.caller.memberId, {
    secret_address: calendars.address.replace('https:', 'webcal:'),
    name: '',
  })
  assert.equal(name, 'Work')
  const series = [15, 8, 1].map((days) => `series ${new Date(now - days * DAY).toISOString()}: 1`)
  assert.deepEqual(await interactions(world, member), ['a: 1 2', 'b: 1', ...series])
  const [listed] = await listCalendars(member.db, now)
  assert.deepEqual([listed?.interactions, listed?.upcoming], [5, 5])
  const rows = await rowsOf(world, member, 'interactions')
  const meeting = rows.find((row) => row['source_key'] === 'a')
  assert.equal(meeting?.['subject'], 'Meeting a')
  assert.equal(meeting['happened_at'], now - 2 * DAY)

  calendars.serve([
    old,
    calendarEvent({ uid: 'a', at: now - 5 * DAY, people: ['ben'] }),
    calendarEvent({ uid: 'b', at: now - 3 * DAY, more: ['STATUS:CANCELLED'] }),
  ])
  await syncNow(deps, member.caller.memberId, calendarId)
  assert.deepEqual(await interactions(world, member), ['a: 2'])
  const activities = async () => (await rowsOf(world, member, 'activity')).length
  const before = await activities()
  await syncNow(deps, member.caller.memberId, calendarId)
  assert.equal(await activities(), before)

  const moved = await rowsOf(world, member, 'interactions')
  const { interaction_id: id } = moved.find((row) => row['source_key'] === 'a') ?? {}
  await member.ask(deleteInteractionTool, { interaction_id: `i_${String(id)}` })
  await syncNow(deps, member.caller.memberId, calendarId)
  assert.deepEqual(await interactions(world, member), [])
})

test('a calendar that is taken waits for its sync, unless it is given back', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  const { db } = member
  calendars.serve([])
  const { calendarId } = await connectCalendar(deps, member.caller.memberId, {
    secret_address: calendars.address,
    name: '',
  })
  const lease = { now: world.clock.now(), always: true }
  const claim = async () =>
    (await db.write((tx) => claimCalendar(tx, calendarId, lease))) !== undefined
  assert.deepEqual([await claim(), await claim()], [true, false])
  await db.write((tx) => releaseCalendar(tx, calendarId))
  assert.equal(await claim(), true)
})

test('which meetings count: not declined, private, all-day, large or alone; organizers count, declined attendees do not', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  const at = world.clock.now() - DAY
  const crowd = Array.from({ length: 14 }, (_, index) => `p${index}`)
  const me = (response: string) => `ATTENDEE;PARTSTAT=${response}:mailto:me@work.example`
  await member.db.write((tx) => changeOwnEmails(tx, 'Me@work.example'))
  calendars.serve([
    calendarEvent({ uid: 'declined', at, more: [me('DECLINED')] }),
    calendarEvent({ uid: 'private', at, more: ['CLASS:PRIVATE'] }),
    calendarEvent({ uid: 'large', at, people: ['ann', ...crowd], more: [me('ACCEPTED')] }),
    calendarEvent({
      uid: 'huge',
      at,
      people: ['ann', ...Array.from({ length: 1999 }, (_, n) => `h${n}`)],
    }),
    calendarEvent({ uid: 'fits', at, people: ['ann', ...crowd.slice(1)], more: [me('ACCEPTED')] }),
    calendarEvent({ uid: 'alone', at, people: [], more: [me('ACCEPTED')] }),
    calendarEvent({
      uid: 'organizer',
      at,
      people: [],
      more: ['ORGANIZER:mailto:ben@example.org', me('TENTATIVE')],
    }),
    calendarEvent({
      uid: 'one declined',
      at,
      people: ['ben'],
      more: ['ATTENDEE;PARTSTAT=DECLINED:mailto:ann@example.org'],
    }),
    calendarEvent({ uid: 'day', at, people: [] }).replace(
      /DTSTART:.*/,
      'DTSTART;VALUE=DATE:20260101',
    ),
  ])
  const { memberId } = member.caller
  await connectCalendar(deps, memberId, { secret_address: calendars.address, name: 'Mine' })
  assert.deepEqual(await interactions(world, member), [
    'fits: 1',
    'one declined: 2',
    'organizer: 2',
  ])
  const suggested = await suggestPeople(member.db, world.clock.now())
  assert.deepEqual(
    suggested.map(({ email }) => email),
    crowd
      .slice(1)
      .map((one) => `${one}@example.org`)
      .toSorted(),
  )
})

test('a meeting in two calendars is one interaction; disconnecting keeps or deletes what a calendar brought', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  const { memberId } = member.caller
  calendars.serve([calendarEvent({ uid: 'a', at: world.clock.now() - DAY })])
  const input = { secret_address: calendars.address, name: 'Mine' }
  const one = await connectCalendar(deps, memberId, input)
  const other = await connectCalendar(deps, memberId, {
    ...input,
    secret_address: `${calendars.address}?2`,
  })
  assert.deepEqual(await interactions(world, member), ['a: 1'])
  const record = async () => 1
  const disconnect = (id: number, keep: boolean) =>
    member.db.write((tx) =>
      disconnectCalendar({ tx, now: world.clock.now(), record }, id, { keep }),
    )
  await disconnect(other.calendarId, false)
  assert.deepEqual(await interactions(world, member), ['a: 1'])
  await disconnect(one.calendarId, true)
  assert.deepEqual(await interactions(world, member), ['a: 1'])
  const again = await connectCalendar(deps, memberId, input)
  assert.notEqual(again.calendarId, one.calendarId)
  await disconnect(again.calendarId, false)
  assert.deepEqual(await interactions(world, member), ['a: 1'])
  for (const table of ['calendars', 'calendar_meetings'] as const)
    assert.deepEqual(await rowsOf(world, member, table), [])
  await assert.rejects(disconnect(one.calendarId, true), /Calendar not found/)
})

test('a sync can be undone, and the next one does not repeat it', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  calendars.serve([calendarEvent({ uid: 'a', at: world.clock.now() - DAY })])
  const added = await connectCalendar(deps, member.caller.memberId, {
    secret_address: calendars.address,
    name: 'Mine',
  })
  const [change] = (await rowsOf(world, member, 'activity')).slice(-1)
  assert.equal(change?.['actor'], 'Calendar Mine')
  await member.ask(undo, { activity_id: `a_${String(change['activity_id'])}` })
  assert.deepEqual(await interactions(world, member), [])
  await syncNow(deps, member.caller.memberId, added.calendarId)
  assert.deepEqual(await interactions(world, member), [])
})

test('every half hour an unchanged calendar answers 304, and a meeting that has ended becomes an interaction', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps, requests } = calendars
  const body = calendarOf([calendarEvent({ uid: 'soon', at: world.clock.now() + 10 * MINUTE })])
  calendars.answer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"'
    response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? undefined : body)
  })
  await connectCalendar(deps, member.caller.memberId, {
    secret_address: calendars.address,
    name: '',
  })
  assert.equal(await calendars.sync(), 0)
  world.clock.advance(SYNC_INTERVAL_MS)
  assert.equal(await calendars.sync(), 1)
  assert.deepEqual(await interactions(world, member), [])
  world.clock.advance(2 * HOUR)
  assert.equal(await calendars.sync(), 1)
  assert.deepEqual(await interactions(world, member), ['soon: 1'])
  assert.deepEqual(
    requests.map(({ headers }) => headers['if-none-match']),
    [undefined, '"1"', '"1"'],
  )
  world.clock.advance(DAY)
  await calendars.sync()
  assert.equal(requests.at(-1)?.headers['if-none-match'], undefined)
})

test('a calendar that fails says why, is read less often, and then no longer until the member asks', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps } = calendars
  const { memberId } = member.caller
  calendars.serve([])
  const { calendarId } = await connectCalendar(deps, memberId, {
    secret_address: calendars.address,
    name: 'Mine',
  })
  calendars.answer((_, response) => void response.writeHead(410).end())
  for (let failures = 1; failures <= MAX_FAILURES; failures += 1) {
    world.clock.advance(2 * DAY)
    assert.equal(await calendars.sync(), 1)
  }
  world.clock.advance(2 * DAY)
  assert.equal(await calendars.sync(), 0)
  const [stopped] = await listCalendars(member.db, world.clock.now())
  assert.equal(stopped?.nextSyncAt, null)
  assert.match(problemText(stopped?.error ?? ''), /^The calendar was not found .* copy it again\.$/)
  // The member gets one email, also after another attempt.
  assert.notEqual((await syncNow(deps, memberId, calendarId)).error, null)
  const emails = await listEmails(world.database, { kind: 'reading_stopped', limit: 5 })
  assert.deepEqual(
    emails.map((email) => [email.memberId, email.details]),
    [[memberId, { source: 'calendar', name: 'Mine', error: stopped?.error }]],
  )
  calendars.serve([])
  assert.equal((await syncNow(deps, memberId, calendarId)).error, null)
  const [working] = await listCalendars(member.db, world.clock.now())
  assert.equal(working?.nextSyncAt, world.clock.now() + SYNC_INTERVAL_MS)
})

test('addresses that cannot be used are rejected and nothing is stored; the address is never stored in clear', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps, address } = calendars
  const { memberId } = member.caller
  const rejection = async (text: string, changed: Partial<CalendarDeps> = {}) => {
    const used = { ...deps, ...changed }
    const error: unknown = await connectCalendar(used, memberId, {
      secret_address: text,
      name: '',
    }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof Error)
    assert.ok(!error.message.includes('abcdefgh'), error.message)
    return error.message
  }
  for (const text of ['', 'file:///etc/passwd', 'http://example.org/a.ics', 'https://127.0.0.1/a'])
    assert.match(await rejection(text), /must be the https address/)
  calendars.answer((_, response) => void response.end('<html>Sign in</html>'))
  assert.match(await rejection(address), /is not a calendar/)
  calendars.answer(
    (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  )
  assert.match(await rejection(address), /redirects to an address that is not public/)
  calendars.answer(
    (request, response) => void response.writeHead(302, { location: request.url }).end(),
  )
  assert.match(await rejection(address), /redirects too often/)
  assert.match(await rejection(address, { fetchPolicy: {} }), /could not be reached/)
  calendars.answer(() => {})
  assert.match(
    await rejection(address, { outgoing: new OutgoingPool({ timeLimitMs: 200 }) }),
    /did not answer in time/,
  )
  const half = Buffer.alloc(MAX_CALENDAR_BYTES / 2 + 1, ' ')
  calendars.answer((_, response) => {
    response.write(half)
    response.end(half)
  })
  assert.match(await rejection(address), /is larger than 10/)
  assert.deepEqual(await rowsOf(world, member, 'calendars'), [])

  calendars.serve([])
  for (let count = 0; count < MAX_CALENDARS; count += 1)
    await connectCalendar(deps, memberId, {
      secret_address: `${address}?${count}.ics`,
      name: 'Mine',
    })
  assert.match(await rejection(address), /at most 5 calendars/)
  assert.match(await rejection(`${address}?0.ics`), /already connected/)
  const [first] = await listCalendars(member.db, world.clock.now())
  const stored = JSON.stringify(await rowsOf(world, member, 'calendars'))
  assert.ok(!stored.includes('abcdefgh'))
  assert.ok(stored.includes('.ics'))
  const other = { ...deps, sealSecret: () => 'm'.repeat(32) }
  assert.match(
    problemText((await syncNow(other, memberId, first?.calendarId ?? 0)).error ?? ''),
    /no longer be decrypted/,
  )
  for (const text of [
    'not an address',
    Array.from({ length: 21 }, (_, at) => `m${at}@example.org`).join(),
  ])
    await assert.rejects(member.db.write((tx) => changeOwnEmails(tx, text)))
})
