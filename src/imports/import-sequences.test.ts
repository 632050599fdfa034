// Imports, edits, merges, splits, undos and redos in random order.

import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { updateConnectionTool } from '../../test/fixtures/one-person.ts'
import { createLog } from '../base/log.ts'
import { startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { sourceOf, TEXT_FIELDS } from '../connections/model/connection.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import { importUndoer } from './undo-import.ts'
import { CONNECTION_UNDOERS } from '../connections/catalog.ts'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { fileImportJob } from './file-import.job.ts'
import type { Tool } from '../tools/tool.ts'

const undo = undoTool({ undoers: [...CONNECTION_UNDOERS, importUndoer] })

const PEOPLE = ['Mira Holt', 'Ben Poe', 'Cleo Ray', 'Dora Moss', 'Julia Smith']

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function emailOf(at: number): string {
  return `p${at}@x.example`
}

/** The cards of some people in the state of a year, and a second card of the last with a short name. */
function fileOf(year: number, people: readonly number[]): string {
  const cards = people.map((at) => {
    const name = PEOPLE[at] ?? ''
    return [
      `FN:${name}`,
      `N:${name.split(' ').toReversed().join(';')};;;`,
      `EMAIL;TYPE=${year % 2 === 0 ? 'work' : 'home'}:${emailOf(at)}`,
      `TITLE:Pilot ${year}`,
      `ORG:Company ${year}`,
      `CATEGORIES:Tag ${year}`,
      `NOTE:Met in ${year}`,
      `X-TEAM:Team ${year}`,
      `TEL;TYPE=cell:+4477009${year}${at}0`,
      ...(at === 1 ? [`PHOTO;ENCODING=b;TYPE=PNG:${PIXEL}`] : []),
    ]
  })
  if (people.includes(4))
    cards.push([`FN:J. Smith`, 'N:Smith;J.;;;', `EMAIL:${emailOf(4)}`, `TITLE:Clerk ${year}`])
  return cards
    .map((lines) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n'))
    .join('')
}

const FILES = [fileOf(2024, [0, 1, 2, 4]), fileOf(2025, [0, 1, 3, 4])]

type Kind = 'first' | 'second' | 'edit' | 'merge' | 'split' | 'undo'

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind>(
      'first',
      'second',
      'edit',
      'merge',
      'split',
      'undo',
      'first',
      'second',
    ),
    one: fc.nat(9),
    other: fc.nat(9),
    isUndone: fc.boolean(),
  }),
  { minLength: 3, maxLength: 8 },
)

async function importFile(
  world: Pick<World, 'clock' | 'database'>,
  { db }: Acting,
  content: string,
) {
  const { database, clock } = world
  const how = { definition: fileImportJob, credentialId: null, charge: false, quota: 0 }
  const { job } = await db.write((tx) =>
    startJob(tx, { ...how, now: clock.now(), input: { content } }),
  )
  await using worker = new JobWorker({
    database,
    jobs: [fileImportJob],
    clock,
    log: createLog('silent'),
  })
  const { state, result } = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(state, 'succeeded')
  return JSON.parse(result ?? '{}') as { created: number; updated: number }
}

/** What people see of the network: without versions and times. */
async function visible(world: Pick<World, 'database'>, member: Acting) {
  const rows = await rowsOf(world, member, 'connections')
  const ids = rows
    .filter((row) => row['deleted_at'] === null)
    .map((row) => Number(row['connection_id']))
  const people = await findConnections(member.db, ids)
  const tags = await rowsOf(world, member, 'connection_tags')
  const notes = (await rowsOf(world, member, 'notes')).filter((row) => row['deleted_at'] === null)
  const own = (all: readonly Record<string, unknown>[], id: number, column: string) =>
    all.flatMap((row) => (Number(row['connection_id']) === id ? [String(row[column])] : [])).sort()
  return people.map((person) => ({
    id: person.connectionId,
    texts: TEXT_FIELDS.map((field) => `${field}: ${person[field]}`),
    emails: person.emails.toSorted(),
    phones: person.phones.toSorted(),
    links: person.links,
    details: person.details,
    sources: Object.fromEntries(
      TEXT_FIELDS.filter((field) => person[field] !== null).map((field) => [
        field,
        sourceOf(person, field),
      ]),
    ),
    tags: own(tags, person.connectionId, 'tag'),
    notes: own(notes, person.connectionId, 'text'),
  }))
}

type Network = Awaited<ReturnType<typeof visible>>

/** Undoes the last change, or the last undo. */
async function undoLast(world: Pick<World, 'database'>, member: Acting): Promise<void> {
  const ids = (await rowsOf(world, member, 'activity')).map((row) => Number(row['activity_id']))
  await member.ask(undo, { activity_id: `a_${Math.max(...ids)}` })
}

/** Undoes one of the earlier changes, if later ones do not prevent it. */
async function undoEarlier(
  world: Pick<World, 'database'>,
  member: Acting,
  at: number,
): Promise<boolean> {
  const all = await rowsOf(world, member, 'activity')
  const one = all[at % Math.max(1, all.length)]
  if (!one) return false
  return attempt(member, undo, { activity_id: `a_${Number(one['activity_id'])}` })
}

/** Whether the call succeeded. */
async function attempt(member: Acting, tool: Tool, input: object): Promise<boolean> {
  return (await member.call(tool, input)).ok
}

async function runStep(
  world: Pick<World, 'clock' | 'database'>,
  member: Acting,
  { kind, one, other }: { kind: Kind; one: number; other: number },
  network: Network,
): Promise<boolean> {
  const idAt = (at: number) => `c_${network[at % Math.max(1, network.length)]?.id ?? 1}`
  if (kind === 'first' || kind === 'second') {
    const counts = await importFile(world, member, FILES[kind === 'first' ? 0 : 1] ?? '')
    return counts.created + counts.updated > 0
  }
  if (kind === 'undo') return undoEarlier(world, member, one)
  if (network.length === 0) return false
  if (kind === 'edit')
    return attempt(member, updateConnectionTool, {
      connection_id: idAt(one),
      title: `Typed ${one} ${other}`,
      details: { nickname: `Nick ${other}` },
    })
  if (kind === 'merge')
    return idAt(one) === idAt(other)
      ? false
      : attempt(member, resolveDuplicatesTool, {
          action: 'merge',
          keep_id: idAt(one),
          merge_ids: [idAt(other)],
        })
  return attempt(member, resolveDuplicatesTool, { action: 'split', keep_id: idAt(one) })
}

/** The undo of an import keeps a person that others were merged into, also after it was redone. */
const MERGED_THEN_UNDONE: { kind: Kind; one: number; other: number; isUndone: boolean }[] = [
  { kind: 'first', one: 0, other: 0, isUndone: false },
  { kind: 'merge', one: 0, other: 1, isUndone: false },
  { kind: 'undo', one: 0, other: 0, isUndone: true },
]

/** The redo of an import does not take a person of the same import who has the email of another for that one. */
const MERGED_INTO_NAMESAKE = MERGED_THEN_UNDONE.map((step) =>
  step.kind === 'merge' ? { ...step, one: 9, other: 0 } : step,
)

/** A redo has the effect of its import, so it cannot be undone while the import is undone again. */
const UNDONE_AFTER_REDO = [
  { kind: 'first', one: 0, other: 0, isUndone: true },
  { kind: 'undo', one: 0, other: 0, isUndone: true },
  { kind: 'undo', one: 8, other: 0, isUndone: true },
] as const

const RUNS = Number(env['WEFT_TEST_SEQUENCES'] ?? 12)

test('imports, edits, merges, splits, undos and redos in any order lose nothing', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const member = await world.join()
      let hasMerged = false
      for (const step of sequence) {
        world.clock.advance(60_000)
        const before = await visible(world, member)
        const isDone = await runStep(world, member, step, before)
        if (isDone && step.kind === 'merge') hasMerged = true
        const after = await visible(world, member)
        if (!isDone) {
          assert.deepEqual(after, before, `${step.kind} changed something`)
          continue
        }
        if (!step.isUndone) continue
        await undoLast(world, member)
        assert.deepEqual(await visible(world, member), before, `undo of ${step.kind}`)
        await undoLast(world, member)
        assert.deepEqual(await visible(world, member), after, `redo of ${step.kind}`)
      }
      for (const file of FILES) await importFile(world, member, file)
      const last = await visible(world, member)
      const again = await importFile(world, member, FILES[1] ?? '')
      assert.deepEqual([again.created, again.updated], [0, 0])
      assert.deepEqual(await visible(world, member), last)
      for (const at of PEOPLE.keys())
        assert.ok(last.some(({ emails }) => emails.includes(emailOf(at))))
      if (!hasMerged)
        for (const { emails } of last) assert.equal(new Set(emails).size, 1, emails.join())
    }),
    {
      numRuns: RUNS,
      examples: [[MERGED_THEN_UNDONE], [MERGED_INTO_NAMESAKE], [[...UNDONE_AFTER_REDO]]],
    },
  )
})
