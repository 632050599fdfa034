// A feed with random events, attendees and zones, whose member edits, merges, deletes and restores people between syncs.

import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { calendarEvent } from '../../../test/fixtures/calendar-site.ts'
import { interactions, openCalendars } from '../../../test/fixtures/calendars.ts'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { connectCalendar, syncNow } from './manage-calendars.ts'

const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata']
const NAMES = ['ann', 'ben', 'cy', 'di', 'eve']
const PEOPLE = 4

const step = fc.record({
  kind: fc.oneof(
    fc.constantFrom('event', 'sync'),
    fc.constantFrom('remove', 'wait', 'give', 'take', 'merge', 'delete', 'restore'),
  ),
  uid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  people: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
  name: fc.constantFrom(...NAMES),
  one: fc.integer({ min: 1, max: PEOPLE }),
  other: fc.integer({ min: 1, max: PEOPLE }),
  hours: fc.integer({ min: 0, max: 24 * 40 }),
  zone: fc.constantFrom(...ZONES),
})
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

interface FeedEvent {
  readonly at: number
  readonly people: readonly string[]
  readonly zone: string
}

/** A meeting of the model: who is attached, and for which people each attendee has stood. */
interface Meeting {
  people: Set<number>
  readonly stoodFor: Map<string, Set<number>>
  isPresent: boolean
}

/** What a sync should do, in the plainest form. */
class Model {
  readonly names = new Map<number, Set<string>>()
  readonly deleted = new Set<number>()
  readonly mergedInto = new Map<number, number>()
  readonly meetings = new Map<string, Meeting>()

  constructor() {
    for (let id = 1; id <= PEOPLE; id += 1) this.names.set(id, new Set([NAMES[id - 1] ?? '']))
  }

  isHere(id: number): boolean {
    return !this.deleted.has(id) && !this.mergedInto.has(id)
  }

  merge(kept: number, gone: number): void {
    this.mergedInto.set(gone, kept)
    for (const name of this.names.get(gone) ?? []) this.names.get(kept)?.add(name)
    for (const { people, stoodFor } of this.meetings.values())
      for (const ids of [people, ...stoodFor.values()]) if (ids.delete(gone)) ids.add(kept)
  }

  sync(events: ReadonlyMap<string, FeedEvent>, now: number): void {
    const past = new Map([...events].filter(([, { at }]) => at + HOUR <= now))
    for (const [uid, meeting] of this.meetings) if (!past.has(uid)) meeting.isPresent = false
    for (const [uid, { people }] of past) this.syncMeeting(uid, people)
  }

  syncMeeting(uid: string, attendees: readonly string[]): void {
    const empty = { people: new Set<number>(), stoodFor: new Map(), isPresent: false }
    const meeting: Meeting = this.meetings.get(uid) ?? empty
    const { people, stoodFor } = meeting
    const gone = [...stoodFor.keys()].filter((name) => !attendees.includes(name))
    const leaving = new Set(gone.flatMap((name) => [...(stoodFor.get(name) ?? [])]))
    for (const name of gone) stoodFor.delete(name)
    for (const name of attendees) {
      const holders = [...this.names].filter(([id, names]) => this.isHere(id) && names.has(name))
      const [holder] = holders.length === 1 ? (holders[0] ?? []) : []
      const ids = stoodFor.get(name) ?? new Set()
      if (holder !== undefined && !ids.has(holder)) people.add(holder)
      if (holder !== undefined) ids.add(holder)
      if (ids.size > 0) stoodFor.set(name, ids)
    }
    const isStaying = (id: number) => [...stoodFor.values()].some((ids) => ids.has(id))
    for (const id of leaving) if (!isStaying(id)) people.delete(id)
    meeting.isPresent = people.size > 0
    if (meeting.isPresent) this.meetings.set(uid, meeting)
    else this.meetings.delete(uid)
  }

  present(): string[] {
    return [...this.meetings]
      .filter(([, { isPresent }]) => isPresent)
      .map(([uid, { people }]) => `${uid}: ${[...people].toSorted((a, b) => a - b).join(' ')}`)
      .toSorted()
  }
}

async function openModel() {
  const calendars = await openCalendars()
  const { world, member, deps } = calendars
  for (const name of ['Cy', 'Di'])
    await member.ask(addConnectionTool, { name, emails: [`${name.toLowerCase()}@example.org`] })
  const { memberId } = member.caller
  const events = new Map<string, FeedEvent>()
  // An old event of strangers shows that the feed does not leave out old events.
  const first = calendarEvent({ uid: 'old', at: world.clock.now() - 89 * DAY, people: ['zoe'] })
  const serve = () => {
    const text = [...events].map(([uid, { at, people, zone }]) =>
      calendarEvent({ uid, at, people })
        .replace(/DTSTART:.*/, `DTSTART;TZID=${zone}:${localText(zone, at)}`)
        .replace(/DTEND:.*/, 'DURATION:PT1H'),
    )
    calendars.serve([first, ...text])
  }
  serve()
  const calendar = { secret_address: calendars.address, name: 'Work' }
  const { calendarId } = await connectCalendar(deps, memberId, calendar)
  return {
    ...calendars,
    events,
    model: new Model(),
    sync: async () => {
      serve()
      assert.equal((await syncNow(deps, memberId, calendarId)).error, null)
    },
  }
}

type Opened = Awaited<ReturnType<typeof openModel>>

async function take({ world, member, model, events, sync }: Opened, one: Step): Promise<void> {
  const { kind, uid, people, name, hours, zone } = one
  const now = world.clock.now()
  const id = `c_${one.one}`
  const email = `${name}@example.org`
  const works = async (...call: Parameters<typeof member.call>) => (await member.call(...call)).ok
  if (kind === 'event') events.set(uid, { at: now - (hours - 24) * HOUR, people, zone })
  else if (kind === 'remove') events.delete(uid)
  else if (kind === 'wait') world.clock.advance((hours % 20) * HOUR)
  else if (kind === 'give' && model.isHere(one.one)) {
    if (await works(updateConnectionTool, { connection_id: id, add_emails: [email] }))
      model.names.get(one.one)?.add(name)
  } else if (kind === 'take' && model.isHere(one.one)) {
    if (await works(updateConnectionTool, { connection_id: id, remove_emails: [email] }))
      model.names.get(one.one)?.delete(name)
  } else if (kind === 'merge' && model.isHere(one.one) && model.isHere(one.other)) {
    const merge = { action: 'merge', keep_id: id, merge_ids: [`c_${one.other}`] }
    if (one.one !== one.other && (await works(resolveDuplicatesTool, merge)))
      model.merge(one.one, one.other)
  } else if (kind === 'delete' && model.isHere(one.one)) {
    if (await works(deleteConnectionsTool, { people: [id] })) model.deleted.add(one.one)
  } else if (kind === 'restore' && model.deleted.has(one.one)) {
    if (await works(restoreConnectionsTool, { people: [id] })) model.deleted.delete(one.one)
  } else if (kind === 'sync') {
    await sync()
    model.sync(events, now)
  }
}

const RUNS = Number(env['WEFT_TEST_SEQUENCES'] ?? 12)

test('after any changes of the feed and the people, a sync leaves the meetings of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await using opened = await openModel()
      const { world, member, model } = opened
      for (const [at, one] of steps.entries()) {
        await take(opened, one)
        if (one.kind !== 'sync') continue
        assert.deepEqual(await interactions(world, member), model.present(), `step ${at}`)
        const ids = [...model.names.keys()].filter((id) => model.isHere(id))
        for (const [id, times] of await contactTimesOf(member.db, ids)) {
          assert.equal(times.nextContactOn, null)
          const isAttached = [...model.meetings.values()].some(
            ({ people, isPresent }) => isPresent && people.has(id),
          )
          assert.equal(times.lastContactOn !== null, isAttached, `last contact of ${id}`)
        }
      }
    }),
    { numRuns: RUNS },
  )
})

/** Such as `20261124T093000`. */
function localText(timeZone: string, at: number): string {
  return new Date(localTimeAt(timeZone, at)).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}
