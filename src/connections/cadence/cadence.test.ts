import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { HOUR } from '../../base/clock.ts'
import { dayAt, daysLater, monthsLater } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { getConnectionsTool } from '../people/get-connections.tool.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { addConnectionTool, tagConnectionsTool } from '../../../test/fixtures/one-person.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { cadenceUndoer, tagRuleUndoer } from './cadence-changes.ts'
import { reconnectReason } from './reconnect-reason.ts'
import { listWhoToContactTool } from './list-who-to-contact.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { keepInTouchTool } from './keep-in-touch.tool.ts'

const undo = undoTool({ undoers: [cadenceUndoer, tagRuleUndoer] })

interface Reconnects {
  readonly reconnects: readonly { readonly name: string; readonly reason: string }[]
}

async function suggested(member: Acting): Promise<string[]> {
  const { reconnects } = await member.ask<Reconnects>(listWhoToContactTool)
  return reconnects.map(({ name }) => name)
}

async function joinWith(world: { join(): Promise<Acting> }, ...names: string[]): Promise<Acting> {
  const member = await world.join()
  for (const name of names) await member.ask(addConnectionTool, { name })
  return member
}

async function dueOf(member: Acting, id: number): Promise<string | null | undefined> {
  return (await contactTimesOf(member.db, [id])).get(id)?.dueOn
}

test('follow-ups that are due this week are listed with the people to contact again', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann')
  const today = dayAt(world.clock.now())
  for (const days of [-1, 7, 8])
    await member.ask(saveFollowUpTool, {
      people: ['Ann'],
      text: `Call ${days}`,
      due_on: daysLater(today, days),
    })
  const { reconnects, follow_ups, hint } = await member.ask<{
    reconnects: object[]
    follow_ups: { text: string }[]
    hint?: string
  }>(listWhoToContactTool)
  assert.deepEqual(
    follow_ups.map(({ text }) => text),
    ['Call -1', 'Call 7'],
  )
  assert.deepEqual(reconnects, [])
  assert.match(hint ?? '', /^No one has/)
})

test('logging a call moves the due date, and undo, snoozing and muting work', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  const today = dayAt(world.clock.now())
  const monthly = { every: 1, unit: 'month' }
  const set = await member.ask<{ people: object[] }>(keepInTouchTool, {
    people: ['Ben', 'Ann'],
    ...monthly,
  })
  assert.deepEqual(set.people, [
    { connection_id: 'c_2', name: 'Ben', ...monthly, due_on: monthsLater(today, 1) },
    { connection_id: 'c_1', name: 'Ann', ...monthly, due_on: monthsLater(today, 1) },
  ])
  assert.equal(await dueOf(member, 1), monthsLater(today, 1))
  assert.deepEqual(await suggested(member), [])
  const log = (people: string[], on: string) =>
    member.ask(logInteractionTool, { people, kind: 'call', on })
  await log(['Ann'], daysLater(today, -40))
  await log(['Ben'], daysLater(today, -90))
  assert.deepEqual(await suggested(member), ['Ben', 'Ann'])
  const hintFor = async (limit: number) =>
    (await member.ask<{ hint?: string }>(listWhoToContactTool, { limit })).hint
  assert.equal(await hintFor(2), undefined)
  assert.match((await hintFor(3)) ?? '', /search_connections/)
  const { reconnects } = await member.ask<Reconnects>(listWhoToContactTool)
  assert.match(reconnects[0]?.reason ?? '', /^Every month, last contact \d\d? [A-Z][a-z]+$/)
  await member.ask(keepInTouchTool, { people: ['Ben'], paused_until: 'tomorrow' })
  const shown = await member.ask<{ connections: object[] }>(getConnectionsTool, { people: 'Ben' })
  assert.partialDeepStrictEqual(shown.connections[0], {
    cadence: { every: 1, unit: 'month' },
    paused_until: daysLater(today, 1),
  })
  assert.deepEqual(await suggested(member), ['Ann'])
  await member.ask(undo)
  await member.ask(keepInTouchTool, { people: ['Ann'], muted: true })
  assert.deepEqual(await suggested(member), ['Ben'])
  await log(['Ben'], 'today')
  assert.deepEqual(await suggested(member), [])
  assert.equal(await dueOf(member, 2), monthsLater(today, 1))
  await member.ask(keepInTouchTool, { people: ['Ben'], every: 0 })
  assert.equal(await dueOf(member, 2), null)
  await member.ask(undo)
  assert.equal(await dueOf(member, 2), monthsLater(today, 1))
})

test('the cadence of a tag counts from the day of the member on which the person was added', async () => {
  await using world = await openSharedWorld()
  world.clock.advance(14 * HOUR)
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    const member = await world.join(zone)
    await member.ask(addConnectionTool, { name: 'Ann' })
    await member.ask(tagConnectionsTool, { connection_ids: ['c_1'], add: ['friend'] })
    await member.ask(keepInTouchTool, { tag: 'friend', every: 2, unit: 'week' })
    const today = dayInZone(zone, world.clock.now())
    assert.equal(await dueOf(member, 1), daysLater(today, 14), zone)
  }
})

test('the cadence of a tag is that of the people who have it now, unless they have their own', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  const today = dayAt(world.clock.now())
  await member.ask(tagConnectionsTool, { connection_ids: ['c_1'], add: ['friend'] })
  const set = { tag: 'Friend', every: 2, unit: 'week' }
  assert.equal((await member.ask<{ changed: number }>(keepInTouchTool, set)).changed, 1)
  assert.equal((await member.ask<{ changed: number }>(keepInTouchTool, set)).changed, 0)
  assert.equal(await dueOf(member, 1), daysLater(today, 14))
  assert.equal(await dueOf(member, 2), undefined)
  await member.ask(tagConnectionsTool, { connection_ids: ['c_2'], add: ['friend'] })
  assert.equal(await dueOf(member, 2), daysLater(today, 14))
  await member.ask(keepInTouchTool, { people: ['Ben'], every: 3 })
  assert.equal(await dueOf(member, 2), daysLater(today, 3))
  await member.ask(tagConnectionsTool, { connection_ids: ['c_1'], remove: ['friend'] })
  assert.equal(await dueOf(member, 1), null)
  const removed = { tag: 'friend', every: 0 }
  assert.equal((await member.ask<{ changed: number }>(keepInTouchTool, removed)).changed, 0)
  await member.ask(undo)
  await member.ask(tagConnectionsTool, { connection_ids: ['c_1'], add: ['friend'] })
  assert.equal(await dueOf(member, 1), daysLater(today, 14))
  await member.ask(logInteractionTool, {
    people: ['Ann'],
    kind: 'call',
    on: daysLater(today, -20),
  })
  const { reconnects } = await member.ask<Reconnects>(listWhoToContactTool)
  assert.match(reconnects[0]?.reason ?? '', /^Every 2 weeks \(tag friend\), last contact \d/)
})

test('the reason is in words, with the year of another year', () => {
  const today = '2026-11-24'
  const cause = { lastContactOn: '2026-06-03', cadence: null, tag: null, rhythmDays: 30 }
  const monthly = { every: 1, unit: 'month' } as const
  for (const [changed, reason] of [
    [{}, 'In touch monthly until June, nothing since'],
    [{ lastContactOn: '2025-06-03' }, 'In touch monthly until June 2025, nothing since'],
    [{ cadence: monthly }, 'Every month, last contact 3 Jun'],
    [
      { cadence: { every: 6, unit: 'week' }, tag: 'friend', lastContactOn: '2025-12-31' },
      'Every 6 weeks (tag friend), last contact 31 Dec 2025',
    ],
    [{ cadence: monthly, lastContactOn: null }, 'Every month, never contacted'],
  ] as const)
    assert.equal(reconnectReason({ ...cause, ...changed }, today), reason)
})

test('people without a cadence are suggested when their rhythm broke, unless a meeting is planned', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben', 'Cy')
  const today = dayAt(world.clock.now())
  for (const weeks of [14, 15, 16, 17])
    await member.ask(logInteractionTool, {
      people: ['Ann', 'Ben'],
      kind: 'call',
      on: daysLater(today, -7 * weeks),
    })
  const { reconnects } = await member.ask<Reconnects>(listWhoToContactTool)
  assert.deepEqual(
    reconnects.map(({ name, reason }) => `${name}: ${reason}`),
    ['Ann', 'Ben'].map(
      (name) =>
        `${name}: ${reconnectReason({ lastContactOn: daysLater(today, -98), cadence: null, tag: null, rhythmDays: 7 }, today)}`,
    ),
  )
  assert.equal(await dueOf(member, 1), null)
  await member.ask(logInteractionTool, { people: ['Ben'], kind: 'meeting', on: 'tomorrow' })
  assert.deepEqual(await suggested(member), ['Ann'])
})

test('get_connections tells how often people are in touch', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  const today = dayAt(world.clock.now())
  for (const days of [900, 21, 14, 7, 0, -7])
    await member.ask(logInteractionTool, {
      people: ['Ann'],
      kind: 'call',
      on: daysLater(today, -days),
    })
  const { connections } = await member.ask<{ connections: readonly Record<string, unknown>[] }>(
    getConnectionsTool,
    { people: ['Ann', 'Ben'] },
  )
  assert.deepEqual(
    connections.map(({ last_contact_on: last, contacts_in_year: count, rhythm }) => [
      last,
      count,
      rhythm,
    ]),
    [
      [today, 4, 'In touch weekly'],
      [undefined, undefined, undefined],
    ],
  )
})

test('a cadence needs people or a tag, and something to set', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann')
  for (const [input, code] of [
    [{ every: 1 }, 'invalid_request'],
    [{ people: ['Ann'], tag: 'x', every: 1 }, 'invalid_request'],
    [{ people: ['Ann'] }, 'invalid_request'],
    [{ people: ['Ann', 'Zoe'], every: 1 }, 'not_found'],
    [{ people: ['Ann'], every: 121, unit: 'month' }, 'invalid_request'],
    [{ tag: 'x', muted: true }, 'invalid_request'],
  ] as const)
    assert.equal((await member.refused(keepInTouchTool, input)).code, code, JSON.stringify(input))
  assert.equal(await dueOf(member, 1), undefined)
})
