// People of synced meetings, while the member edits, merges, deletes and restores connections.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarEvent } from '../../../test/fixtures/calendar-site.ts'
import { interactions, openCalendars } from '../../../test/fixtures/calendars.ts'
import { rowsOf } from '../../../test/fixtures/network.ts'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { CONNECTION_UNDOERS } from '../catalog.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { purgeInteractions } from '../interactions/purge-interactions.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { connectCalendar, syncNow } from './manage-calendars.ts'

const undo = undoTool({ undoers: CONNECTION_UNDOERS })

/** A connected calendar with two meetings with Ann: one alone, and one with Ben. */
async function openMeetings() {
  const calendars = await openCalendars()
  const { world, member, deps } = calendars
  const at = world.clock.now() - 80 * DAY
  const events = (...people: string[]) => [
    calendarEvent({ uid: 'alone', at }),
    calendarEvent({ uid: 'both', at: at + DAY, people }),
  ]
  calendars.serve(events('ann', 'ben'))
  const { memberId } = member.caller
  const calendar = { secret_address: calendars.address, name: 'Work' }
  const { calendarId } = await connectCalendar(deps, memberId, calendar)
  assert.deepEqual(await interactions(world, member), ['alone: 1', 'both: 1 2'])
  return {
    ...calendars,
    events,
    at,
    sync: () => syncNow(deps, memberId, calendarId),
    meetings: () => interactions(world, member),
  }
}

const moveAnn = {
  connection_id: 'c_1',
  remove_emails: ['ann@example.org'],
  add_emails: ['ann@new.example'],
}

test('meetings stay with a person whose address changes or is given to a second person', async () => {
  await using calendars = await openMeetings()
  const { member, sync, meetings } = calendars
  const lastContact = async () => (await contactTimesOf(member.db, [1])).get(1)?.lastContactOn
  const before = await lastContact()
  await member.ask(updateConnectionTool, moveAnn)
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 1 2'])
  await member.ask(updateConnectionTool, { connection_id: 'c_2', add_emails: ['ann@new.example'] })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', add_emails: ['ben@example.org'] })
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 1 2'])
  assert.equal(await lastContact(), before)
})

test('a person who newly has the address of an attendee is added', async () => {
  await using calendars = await openMeetings()
  const { member, sync, meetings } = calendars
  await member.ask(updateConnectionTool, moveAnn)
  await member.ask(addConnectionTool, { name: 'Anna', emails: ['ann@example.org'] })
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1 3', 'both: 1 2 3'])
})

test('an attendee who leaves the event is detached, also after their address changed or a merge', async () => {
  await using calendars = await openMeetings()
  const { member, sync, meetings, serve, events } = calendars
  await member.ask(updateConnectionTool, moveAnn)
  serve(events('ben'))
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 2'])
  await member.ask(addConnectionTool, { name: 'Benjamin' })
  const merge = { action: 'merge', keep_id: 'c_3', merge_ids: ['c_2'] }
  await member.ask(resolveDuplicatesTool, merge)
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 3'])
  await member.ask(undo)
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 2'])
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 2'])
  await member.ask(resolveDuplicatesTool, merge)
  serve(events('cy'))
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1'])
})

test('a person who is deleted and restored 25 days later has all meetings again, also those before the window', async () => {
  await using calendars = await openMeetings()
  const { member, world, sync, meetings } = calendars
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  await sync()
  world.clock.advance(25 * DAY)
  await sync()
  await member.ask(restoreConnectionsTool, { people: ['c_1'] })
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 1 2'])
  assert.notEqual((await contactTimesOf(member.db, [1])).get(1)?.lastContactOn, null)
})

test('people that the member adds to a meeting stay, and people that the member removes are not added again', async () => {
  await using calendars = await openMeetings()
  const { member, world, sync, meetings } = calendars
  const rows = await rowsOf(world, member, 'interactions')
  const idOf = (key: string) =>
    `i_${String(rows.find((row) => row['source_key'] === key)?.['interaction_id'])}`
  await member.ask(addConnectionTool, { name: 'Cy' })
  await member.ask(logInteractionTool, { interaction_id: idOf('both'), people: ['c_2', 'c_3'] })
  await sync()
  assert.deepEqual(await meetings(), ['alone: 1', 'both: 2 3'])
})

test('the addresses of a purged person are forgotten', async () => {
  await using calendars = await openMeetings()
  const { member, world } = calendars
  await member.db.write((tx) => purgeInteractions(tx, [1]))
  const rows = await rowsOf(world, member, 'interactions')
  assert.deepEqual(
    rows.map((row) => row['attendees']),
    ['[["ben@example.org",[2]]]'],
  )
})

test('the only meeting, and the oldest one, are removed when they are deleted in the calendar', async () => {
  await using calendars = await openMeetings()
  const { world, sync, meetings, serve, at } = calendars
  const young = calendarEvent({ uid: 'young', at: world.clock.now() - 2 * DAY })
  serve([calendarEvent({ uid: 'both', at: at + DAY, people: ['ben'] }), young])
  await sync()
  assert.deepEqual(await meetings(), ['both: 2', 'young: 1'])
  serve([young])
  await sync()
  assert.deepEqual(await meetings(), ['young: 1'])
  world.clock.advance(2 * DAY)
  serve([])
  await sync()
  assert.deepEqual(await meetings(), [])
})

test('meetings that become too old for a calendar of the last weeks stay, and deleted ones are removed', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps, address, serve } = calendars
  const { memberId } = member.caller
  const start = world.clock.now()
  const all = Array.from({ length: 45 }, (_, day) => ({ uid: `m${day}`, at: start + day * DAY }))
  const deleted = new Set<string>()
  // Such as published calendars of Exchange.
  const serveLastWeeks = () => {
    const listed = all.filter(
      ({ uid, at }) => !deleted.has(uid) && at > world.clock.now() - 30 * DAY,
    )
    serve(listed.map(calendarEvent))
  }
  serveLastWeeks()
  await connectCalendar(deps, memberId, { secret_address: address, name: 'Work' })
  for (let hours = 0; hours < 45 * 24; hours += 11) {
    world.clock.advance(11 * HOUR)
    if (hours === 33 * 11) deleted.add('m3')
    if (hours === 44 * 11) deleted.add('m19')
    serveLastWeeks()
    await calendars.sync()
  }
  const expected = all.filter(({ uid }) => !deleted.has(uid)).map(({ uid }) => `${uid}: 1`)
  assert.deepEqual(await interactions(world, member), expected.toSorted())
})

test('a meeting in another time zone counts when it is over, on the day of the member', async () => {
  await using calendars = await openCalendars()
  const { world, member, deps, address, serve } = calendars
  const now = world.clock.now()
  const localTimes = [
    ['Pacific/Auckland', now - 2 * HOUR],
    ['America/Los_Angeles', now - 2 * HOUR],
  ] as const
  serve(
    localTimes.map(([zone, at], index) =>
      calendarEvent({ uid: `m${index}`, at, people: [index === 0 ? 'ann' : 'ben'] }).replace(
        /DTSTART:.*/,
        `DTSTART;TZID=${zone}:${localText(zone, at)}`,
      ),
    ),
  )
  await connectCalendar(deps, member.caller.memberId, { secret_address: address, name: 'Work' })
  const times = await contactTimesOf(member.db, [1, 2])
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(now)
  for (const id of [1, 2]) {
    assert.equal(times.get(id)?.lastContactOn, today)
    assert.equal(times.get(id)?.nextContactOn, null)
  }
})

/** Such as `20261124T093000`. */
function localText(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')
    .replaceAll(/[-:]/g, '')
}
