// Merges, splits, decisions, edits, deletions, restores and undos in random order, then undone in reverse order.

import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  updateConnectionTool,
  tagConnectionsTool,
} from '../../../test/fixtures/one-person.ts'
import { memberStatement } from '../../db/statement.ts'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { CONNECTION_UNDOERS } from '../catalog.ts'
import { UNDONE } from '../model/connection.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { deleteFollowUpTool } from '../follow-ups/delete-follow-up.tool.ts'
import { differentPairsOf, queueReviews } from '../matching/match-reviews.ts'
import { keepInTouchTool } from '../cadence/keep-in-touch.tool.ts'
import { deleteInteractionTool } from '../interactions/delete-interaction.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { deleteNoteTool } from '../notes/delete-note.tool.ts'
import { resolveDuplicatesTool } from './resolve-duplicates.tool.ts'
import type { Tool } from '../../tools/tool.ts'

const undo = undoTool({ undoers: CONNECTION_UNDOERS })

/** Connections that exist at the start. */
const PEOPLE = 5

type Call = readonly [tool: Tool, input: object]

/**
 * The calls that a step chooses from: `a`, `b` and `c` are people, `value` is any text. Their numbers also choose a note, a
 * follow-up, an interaction and, of the latest changes, the one to undo.
 */
const CALLS: Readonly<Record<string, (a: string, b: string, value: string, c: string) => Call>> = {
  merge: (a, b) => [resolveDuplicatesTool, { action: 'merge', keep_id: a, merge_ids: [b] }],
  mergeTwo: (a, b, _value, c) => [
    resolveDuplicatesTool,
    { action: 'merge', keep_id: a, merge_ids: [b, c] },
  ],
  split: (a) => [resolveDuplicatesTool, { action: 'split', keep_id: a }],
  splitOff: (a, b) => [resolveDuplicatesTool, { action: 'split', keep_id: a, merge_ids: [b] }],
  different: (a, b) => [resolveDuplicatesTool, { action: 'different', merge_ids: [a, b] }],
  delete: (a, b) => [deleteConnectionsTool, { people: [a, b] }],
  restore: (a, b) => [restoreConnectionsTool, { people: [a, b] }],
  title: (a, _b, value) => [updateConnectionTool, { connection_id: a, title: value }],
  job: (a, _b, value) => [
    updateConnectionTool,
    { connection_id: a, company: value, title: 'Head' },
  ],
  clear: (a) => [updateConnectionTool, { connection_id: a, clear: ['title', 'location'] }],
  rename: (a, _b, value) => [updateConnectionTool, { connection_id: a, name: `Zed ${value}` }],
  lists: (a, _b, value) => [
    updateConnectionTool,
    {
      connection_id: a,
      add_emails: [`${value}@x.example`],
      remove_emails: ['p1@x.example'],
      add_tags: [value, 'Both'],
      details: { nickname: value, labels: { [`${value}@x.example`]: 'work' } },
      note: `Typed ${value}`,
    },
  ],
  relations: (a, _b, value) => [
    updateConnectionTool,
    { connection_id: a, details: { relations: [{ name: value, relation: 'friend' }] } },
  ],
  tag: (a, b, value) => [
    tagConnectionsTool,
    { connection_ids: [a, b], add: [value, 'BOTH'], remove: ['own 2'] },
  ],
  spelling: (a, b) => [
    tagConnectionsTool,
    { connection_ids: [a, b], add: ['bOTH'], remove: ['both'] },
  ],
  spellingAndTitle: (a, _b, value) => [
    updateConnectionTool,
    { connection_id: a, add_tags: ['BoTh', 'new'], remove_tags: ['both'], title: value },
  ],
  note: (a, _b, value) => [saveNoteTool, { people: a, text: value }],
  noteText: (a, _b, value) => [saveNoteTool, { note_id: idOf('n', a), text: value }],
  noteDate: (a) => [saveNoteTool, { note_id: idOf('n', a), on: '2026-03-04' }],
  noteGone: (a) => [deleteNoteTool, { note_id: idOf('n', a) }],
  followUp: (a) => [
    saveFollowUpTool,
    { people: a, text: 'call', due_on: '2027-01-01', recurrence: 'weekly' },
  ],
  followUpMoved: (a, b, value) => [
    saveFollowUpTool,
    { follow_up_id: idOf('f', a), people: b, text: value },
  ],
  followUpDone: (a) => [saveFollowUpTool, { follow_up_id: idOf('f', a), done: true }],
  followUpGone: (a) => [deleteFollowUpTool, { follow_up_id: idOf('f', a) }],
  meeting: (a, b) => [
    logInteractionTool,
    { people: a === b ? [a] : [a, b], kind: 'meeting', on: '2026-02-03' },
  ],
  meetingMoved: (a, b, value) => [
    logInteractionTool,
    { interaction_id: idOf('i', a), people: [b], on: '2026-02-05', text: value },
  ],
  meetingGone: (a) => [deleteInteractionTool, { interaction_id: idOf('i', a) }],
  cadence: (a, b) => [keepInTouchTool, { people: [a, b], every: 6, unit: 'week' }],
  cadenceOfTag: () => [keepInTouchTool, { tag: 'both', every: 90 }],
  muted: (a) => [keepInTouchTool, { people: [a], muted: true }],
  field: (_a, _b, value) => [setCustomFieldTool, { name: 'Tier', choices: [value] }],
  fieldName: (_a, _b, value) => [setCustomFieldTool, { name: 'Tier', rename_to: value }],
  fieldGone: () => [setCustomFieldTool, { name: 'Tier', delete: true }],
  fieldValue: (a, _b, value) => [
    updateConnectionTool,
    { connection_id: a, details: { custom: { Tier: value } } },
  ],
  add: (_a, _b, value) => [addConnectionTool, { name: `New ${value}`, note: 'New' }],
  addTwo: (_a, _b, value) => [
    addConnectionsTool,
    { connections: [{ name: `One ${value}` }, { name: `Two ${value}`, tags: ['both'] }] },
  ],
}

function idOf(prefix: 'n' | 'f' | 'i', connection: string): string {
  return connection.replace('c', prefix)
}

const person = fc.nat(PEOPLE)
const step = fc.record({
  kind: fc.oneof(fc.constantFrom('merge', 'split', 'undo'), fc.constantFrom(...Object.keys(CALLS))),
  one: person,
  other: person,
  third: person,
  value: fc.constantFrom('ann', 'own 1', 'both', 'Xi'),
  redo: fc.boolean(),
})
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

/** People with all kinds of data; the first one has a contact that an import merged, and is queued for review. */
async function addEachPerson(member: Acting): Promise<void> {
  for (let at = 1; at < PEOPLE; at += 1)
    await member.ask(addConnectionTool, {
      name: `Pat ${'abcde'[at]}`,
      emails: [`p${at}@x.example`],
      tags: [`own ${at}`, 'both'],
      ...(at % 2 === 0 && { title: `Title ${at}`, company: `Company ${at}` }),
      ...(at > 2 && { location: 'Rome', phones: [`+1 212 555 010${at}`], note: `Note ${at}` }),
      details: {
        relations: [{ name: `Friend ${at}` }],
        labels: { [`p${at}@x.example`]: 'home' },
        ...(at === 2 && { nickname: 'Patty' }),
      },
    })
  const shared = { emails: ['imp@x.example'] }
  const first = { name: 'Ira Moe', title: 'Clerk', labels: ['In'], ...shared }
  const second = { name: 'Ira B. Moe', title: 'Boss', note: 'Met', labels: ['out'], ...shared }
  for (const [at, contact] of [first, second].entries()) {
    const job_id = member.caller.memberId * 10 + at
    await member.db.write((tx) => tx.run(ADD_JOB, { job_id }))
    await member.import([contact], { jobId: job_id })
  }
  const decision = { outcome: 'unsure', score: 1, reasons: [] } as const
  await member.db.write((tx) =>
    queueReviews(tx, [{ ids: [1, PEOPLE], decision, jobId: 1, now: 0 }]),
  )
}

const ADD_JOB = memberStatement<{ job_id: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at)
  values (:job_id, :member_id, 'file_import', 'succeeded', '{}', 0)`)

/** Everything about the people of the start and those that exist, without versions and times of changes. */
async function stateOf(world: Pick<World, 'database'>, member: Acting) {
  const all = await rowsOf(world, member, 'connections')
  const isKept = (id: unknown) => Number(id) <= PEOPLE
  const connections = all.filter(
    (row) => isKept(row['connection_id']) || row['merged_into'] === null,
  )
  const ids = new Set(connections.map((row) => Number(row['connection_id'])))
  const own = async (table: Parameters<typeof rowsOf>[2]) =>
    (await rowsOf(world, member, table))
      .filter((row) => ids.has(Number(row['connection_id'])) && !isDeleted(row))
      .map(plain)
  return {
    connections: connections.map(plain),
    tags: await own('connection_tags'),
    notes: await own('notes'),
    followUps: await own('follow_ups'),
    interactions: (await rowsOf(world, member, 'interactions'))
      .filter((row) => !isDeleted(row))
      .map(plain),
    interactionPeople: await own('interaction_people'),
    contactTimes: (await own('contact_times')).filter(saysSomething),
    imports: await own('import_changes'),
    fields: (await rowsOf(world, member, 'custom_fields')).filter((row) => !isDeleted(row)),
    reviews: (await rowsOf(world, member, 'match_reviews')).map(
      ({ created_at: _at, ...row }) => row,
    ),
    /** The marks that an export writes as `different_from`. */
    differentFrom: await differentPairsOf(member.db, [...ids]),
    keys: (await own('connection_keys')).map(({ key, connection_id }) =>
      [key, connection_id].join(' '),
    ),
  }
}

type Row = Record<string, unknown>
type State = Awaited<ReturnType<typeof stateOf>>

/** A change leaves keys of former values, which its redo may lack; an undo leaves no keys of the undone values. */
function assertRestored(now: State, then: State, message: string): void {
  const { keys, ...rest } = then
  assert.deepEqual({ ...now, keys: undefined }, { ...rest, keys: undefined }, message)
  const known = new Set(keys)
  assert.deepEqual(
    now.keys.filter((key) => !known.has(key)),
    [],
    `keys after ${message}`,
  )
}

/** Whether a row has more than its key: one without is as good as none. */
function saysSomething({ member_id: _m, connection_id: _c, ...values }: Row): boolean {
  return Object.values(values).some(Boolean)
}

function isDeleted({ deleted_at }: Record<string, unknown>): boolean {
  return deleted_at !== null && deleted_at !== undefined
}

function plain({ version: _v, updated_at: _u, ...row }: Row): Row {
  const deleted_at = isUndone(row) ? 'undone' : row['deleted_at']
  const details = jsonOf(row['details'])
  return { ...row, deleted_at, details, field_sources: jsonOf(row['field_sources']) }
}

/** Whether the creation of a connection is undone, since a time that no one sees. */
function isUndone({ merged_into }: Row): boolean {
  return merged_into === UNDONE
}

function jsonOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

/** One tag has one spelling, also in the cadences of tags. */
async function assertOneSpelling(world: Pick<World, 'database'>, member: Acting): Promise<void> {
  const spellings = new Map<unknown, unknown>()
  for (const table of ['connection_tags', 'tag_cadences'] as const)
    for (const { tag_key, tag } of await rowsOf(world, member, table)) {
      assert.equal(tag, spellings.get(tag_key) ?? tag)
      spellings.set(tag_key, tag)
    }
}

async function lastActivity(world: Pick<World, 'database'>, member: Acting): Promise<number> {
  const rows = await rowsOf(world, member, 'activity')
  return Math.max(...rows.map((row) => Number(row['activity_id'])))
}

function steps(...kinds: readonly Partial<Step>[]): [Step[]] {
  const any = { kind: 'note', one: 0, other: 1, third: 2, value: 'ann', redo: true } as const
  return [kinds.map((kind): Step => Object.assign({}, any, kind))]
}

const EXAMPLES: [Step[]][] = [
  steps({ kind: 'merge' }, { kind: 'split' }),
  steps({ kind: 'different' }, { kind: 'mergeTwo' }, { kind: 'splitOff' }, { kind: 'delete' }),
  // The contact that an import merged.
  steps({ kind: 'split', one: PEOPLE - 1 }, { kind: 'merge', one: PEOPLE - 1 }),
  // Marks of a connection that is merged and split off again, and of two that are merged although they are marked.
  steps(
    { kind: 'different', one: 1, other: 2 },
    { kind: 'different', one: 0, other: 2 },
    { kind: 'merge', one: 0, other: 1 },
    { kind: 'merge', one: 0, other: 2 },
    { kind: 'splitOff', one: 0, other: 2 },
    { kind: 'split', one: 0 },
  ),
  steps(
    { kind: 'merge' },
    { kind: 'title' },
    { kind: 'undo', other: 0 },
    { kind: 'undo', other: 2 },
  ),
  steps(
    { kind: 'field' },
    { kind: 'fieldValue' },
    { kind: 'fieldGone' },
    { kind: 'undo', other: 0 },
  ),
  steps(
    { kind: 'followUp' },
    { kind: 'followUpDone' },
    { kind: 'undo', other: 1 },
    { kind: 'merge' },
  ),
  // An interaction and a cadence of a connection that is merged and split off again.
  steps(
    { kind: 'meeting', one: 1 },
    { kind: 'cadence', one: 1 },
    { kind: 'cadenceOfTag' },
    { kind: 'merge', one: 0, other: 1 },
    { kind: 'meetingMoved' },
    { kind: 'split', one: 0 },
    { kind: 'meetingGone' },
  ),
  // Spellings of a tag, one of them of a person who is deleted.
  steps(
    { kind: 'spelling' },
    { kind: 'delete', one: 0, other: 1 },
    { kind: 'spellingAndTitle', one: 2 },
    { kind: 'cadenceOfTag' },
    { kind: 'merge', one: 2, other: 3 },
    { kind: 'restore', one: 0, other: 1 },
  ),
  // A pair that an import queued for review, and a phone number that a merge adds.
  steps({ kind: 'different', other: PEOPLE - 1 }, { kind: 'merge', other: 2 }),
]

const RUNS = Number(env['WEFT_TEST_SEQUENCES'] ?? 6) + EXAMPLES.length

test('changes that are undone in reverse order leave the network exactly as it was', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (sequence) => {
      const member = await world.join()
      await addEachPerson(member)
      const undoOf = async (activity: number) => {
        world.clock.advance(60_000)
        await member.ask(undo, { activity_id: `a_${activity}` })
        return lastActivity(world, member)
      }
      const done: { step: Step; activity: number; before: State }[] = []
      for (const one of sequence) {
        world.clock.advance(60_000)
        const [before, last] = [await stateOf(world, member), await lastActivity(world, member)]
        const [a = '', b = '', c = ''] = [one.one, one.other, one.third].map((at) => `c_${at + 1}`)
        // One of the latest changes, or of those at the start: undoing one of these is refused if it changed since.
        const undone: Call = [undo, { activity_id: `a_${Math.max(1, last - one.other)}` }]
        const [tool, input] =
          one.kind === 'undo' ? undone : (CALLS[one.kind]?.(a, b, one.value, c) ?? [])
        assert.ok(tool)
        await member.call(tool, input)
        await assertOneSpelling(world, member)
        const [after, activity] = [await stateOf(world, member), await lastActivity(world, member)]
        if (activity === last) assert.deepEqual(after, before, `${one.kind} was not recorded`)
        else done.push({ step: one, activity, before })
      }
      let after = await stateOf(world, member)
      for (const { step: one, activity, before } of done.toReversed()) {
        const name = JSON.stringify(one)
        const undone = await undoOf(activity)
        assertRestored(await stateOf(world, member), before, `undo of ${name}`)
        if (one.redo) {
          const redone = await undoOf(undone)
          assertRestored(await stateOf(world, member), after, `redo of ${name}`)
          await undoOf(redone)
          assertRestored(await stateOf(world, member), before, `second undo of ${name}`)
        }
        after = before
      }
    }),
    { numRuns: RUNS, examples: EXAMPLES },
  )
})
