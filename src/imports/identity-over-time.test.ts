/** Who exists after several imports with edits, merges, splits, reviews and undos between them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, updateConnectionTool } from '../../test/fixtures/one-person.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { importUndoer } from './undo-import.ts'
import { CONNECTION_UNDOERS } from '../connections/catalog.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../connections/deletion/restore-connections.tool.ts'
import { findDuplicatesTool } from '../connections/duplicates/find-duplicates.tool.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import {
  profileUrlOf,
  readContactLine,
  splitAt,
  type ContactLine,
} from '../../test/fixtures/import-sequences/contact-line.ts'
import { importLines } from '../../test/fixtures/import-sequences/import-file.ts'
import { readSequences, type Step } from '../../test/fixtures/import-sequences/read-sequences.ts'
import type { Connection } from '../connections/model/connection.ts'
import type { ImportReport } from './import-report.ts'

const undo = undoTool({ undoers: [...CONNECTION_UNDOERS, importUndoer] })

type Network = Pick<World, 'clock' | 'database'>

/** What has happened in the network of one member. */
interface History {
  readonly world: Network
  readonly member: Acting
  /** The files in the order of their imports, with the activity entry of each, if it changed anything. */
  readonly imports: { readonly step: Step; readonly activity: number }[]
}

for (const { name, steps } of readSequences('identity'))
  test(name, async () => {
    await using world = await openSharedWorld()
    const history: History = { world, member: await world.join(), imports: [] }
    for (const step of steps) {
      world.clock.advance(60_000)
      await runStep(history, step)
    }
  })

const RUNNERS: Readonly<Record<string, (history: History, step: Step) => Promise<unknown>>> = {
  import: importStep,
  again: (history, { rest, report }) => importStep(history, againOf(history, rest, report)),
  people: async ({ world, member }, { lines }) =>
    assert.deepEqual(await peopleOf(world, member), lines.map(writtenPerson).sort()),
  review: async ({ member }, { lines }) =>
    assert.deepEqual(await reviewOf(member), lines.toSorted()),
  add: ({ member }, { rest }) => member.ask(addConnectionTool, inputOf(rest)),
  edit: async (history, { rest }) => {
    const [name, input] = splitAt(rest, ' {')
    const connection_id = await idOf(history, name)
    await history.member.ask(updateConnectionTool, { connection_id, ...inputOf(`{${input}`) })
  },
  merge: async (history, { rest }) => {
    const [keep_id, merged] = await idsOf(history, rest)
    await history.member.ask(resolveDuplicatesTool, {
      action: 'merge',
      keep_id,
      merge_ids: [merged],
    })
  },
  split: async (history, { rest }) =>
    history.member.ask(resolveDuplicatesTool, {
      action: 'split',
      keep_id: await idOf(history, rest),
    }),
  distinct: async (history, { rest }) =>
    history.member.ask(resolveDuplicatesTool, {
      action: 'different',
      merge_ids: await idsOf(history, rest),
    }),
  delete: async (history, { rest }) =>
    history.member.ask(deleteConnectionsTool, { people: await idsOf(history, rest) }),
  restore: async ({ member }, { rest }) =>
    member.ask(restoreConnectionsTool, { people: rest.split(', ') }),
  undo: async (history, { rest }) => {
    const last = await lastActivity(history)
    const activity = rest === '' ? last : history.imports[Number(rest) - 1]?.activity
    await history.member.ask(undo, { activity_id: `a_${activity}` })
  },
}

async function runStep(history: History, step: Step): Promise<void> {
  const run = RUNNERS[step.kind]
  if (run === undefined) throw new Error(`unknown step: ${step.kind}`)
  await run(history, step)
}

async function importStep(history: History, step: Step): Promise<void> {
  const before = await lastActivity(history)
  const report = await importLines(history.world, history.member, step.rest, step.lines)
  const after = await lastActivity(history)
  history.imports.push({ step, activity: after === before ? 0 : after })
  if (step.report !== undefined) assert.equal(countsIn(report), step.report, step.lines.join('\n'))
}

/** `1`, `1 reversed` or `1 half`: an earlier file again, in another order, or its first half. */
function againOf({ imports }: History, rest: string, report: string | undefined): Step {
  const [at, how] = splitAt(rest, ' ')
  const { rest: kind = '', lines = [] } = imports[Number(at) - 1]?.step ?? {}
  const half = Math.ceil(lines.length / 2)
  const rows = { '': lines, reversed: lines.toReversed(), half: lines.slice(0, half) }[how] ?? []
  return { kind: 'import', rest: kind, lines: rows, ...(report !== undefined && { report }) }
}

function countsIn(report: ImportReport): string {
  const counts = ['created', 'updated', 'unchanged', 'skipped', 'review'] as const
  const some = counts.flatMap((count) => {
    const value = report[count] ?? 0
    return value === 0 ? [] : [`${count} ${value}`]
  })
  return [
    ...some,
    ...(report.rejected_count === 0 ? [] : [`rejected ${report.rejected_count}`]),
  ].join(', ')
}

async function livePeople({ database }: Network, member: Acting): Promise<readonly Connection[]> {
  const rows = await rowsOf({ database }, member, 'connections')
  const live = rows.filter((row) => row['deleted_at'] === null)
  return findConnections(
    member.db,
    live.map((row) => Number(row['connection_id'])),
  )
}

async function peopleOf(world: Network, member: Acting): Promise<string[]> {
  const people = await livePeople(world, member)
  return people
    .map((person) =>
      line(person.name, {
        title: person.title,
        company: person.company,
        city: person.location,
        born: person.birthday,
        in: person.profileUrl,
        email: person.emails.toSorted().join(', '),
        phone: person.phones.toSorted().join(', '),
      }),
    )
    .sort()
}

function writtenPerson(text: string): string {
  const contact: ContactLine = readContactLine(text)
  return line(`${contact.given} ${contact.family}`.trim(), {
    title: contact.title,
    company: contact.company,
    city: contact.city,
    born: contact.birthday,
    in: profileUrlOf(contact.profile),
    email: contact.emails.toSorted().join(', '),
    phone: contact.phones.toSorted().join(', '),
  })
}

function line(name: string, values: Readonly<Record<string, string | null>>): string {
  const some = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return [name, ...some.map(([field, value]) => `${field} ${value}`)].join(' | ')
}

/** The pairs that an import could not decide: `Ann Lee + Anna Lee`. */
async function reviewOf(member: Acting): Promise<string[]> {
  const { groups } = await member.ask<{
    groups: { queued: boolean; connections: { name: string }[] }[]
  }>(findDuplicatesTool)
  return groups
    .filter(({ queued }) => queued)
    .map(({ connections }) =>
      connections
        .map(({ name }) => name)
        .sort()
        .join(' + '),
    )
    .sort()
}

async function idsOf(history: History, names: string): Promise<string[]> {
  return Promise.all(names.split(', ').map((name) => idOf(history, name)))
}

/** The public ID of the only person with a name, or the ID itself. */
async function idOf({ world, member }: History, name: string): Promise<string> {
  if (name.startsWith('c_')) return name
  const found = (await livePeople(world, member)).filter((person) => person.name === name)
  assert.equal(found.length, 1, `people named ${name}`)
  return `c_${found[0]?.connectionId}`
}

async function lastActivity({ world, member }: History): Promise<number> {
  const all = await rowsOf(world, member, 'activity')
  return Math.max(0, ...all.map((row) => Number(row['activity_id'])))
}

function inputOf(json: string): object {
  return JSON.parse(json) as object
}
