/** Every value of a file is in a record, in its history, or in the report of its import. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { createLog } from '../../base/log.ts'
import { DAY } from '../../base/clock.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { importUndoer } from '../undo-import.ts'
import { CONNECTION_UNDOERS } from '../../connections/catalog.ts'
import { deleteConnectionsTool } from '../../connections/deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../../connections/deletion/restore-connections.tool.ts'
import { resolveDuplicatesTool } from '../../connections/duplicates/resolve-duplicates.tool.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { fileImportJob } from '../file-import.job.ts'
import type { ImportReport } from '../import-report.ts'

const undo = undoTool({ undoers: [...CONNECTION_UNDOERS, importUndoer] })

async function importFile(
  { database, clock }: World,
  { db, caller }: Acting,
  content: string,
): Promise<ImportReport> {
  const credentialId = caller.credential.id
  const how = { definition: fileImportJob, credentialId, charge: false, quota: 0 }
  const { job } = await db.write((tx) =>
    startJob(tx, { ...how, now: clock.now(), input: { content } }),
  )
  const log = createLog('silent')
  await using worker = new JobWorker({ database, jobs: [fileImportJob], clock, log })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded', ended.error ?? '')
  return JSON.parse(ended.result ?? '') as ImportReport
}

test('the report lists the values that a person does not take in from another kind of file', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const cutOf = async (content: string) =>
    (await importFile(world, member, content)).cut?.flatMap(({ fields }) => fields)
  const google = (...cells: string[]) =>
    `First Name,Last Name,Organization Name,Organization Title,E-mail 1 - Value,E-mail 2 - Value,Labels\n${cells.join(',')}\n`
  await member.ask(addConnectionTool, { name: 'Kurt Lund', emails: ['lunds@x.org'] })
  assert.equal(
    await cutOf(google('Ann', 'Lee', 'Acme', 'Clerk', 'ann.lee@x.org', '', '')),
    undefined,
  )
  const linkedin = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n'
  const chief = `${linkedin}Ann,Lee,,ann.lee@x.org,Acme,Chief,01 Jan 2024\n`
  assert.deepEqual(await cutOf(chief), ['title'])
  assert.equal(await cutOf(chief), undefined)
  const former = `${linkedin}Ann,Lee,,ann.lee@x.org,Bolt,Chief,01 Jan 2024\n`
  assert.equal(await cutOf(former), undefined) // a further position
  const shared = google('Ann', 'Lee', 'Acme', 'Clerk', 'ann.lee@x.org', 'lunds@x.org', '')
  assert.deepEqual(await cutOf(shared), ['emails'])
  await member.ask(updateConnectionTool, {
    connection_id: 'c_2',
    title: 'Typed',
    add_tags: ['own'],
    add_emails: ['typed@x.org'],
  })
  const newer = google('Ann', 'Lee', 'Acme', 'Boss', 'ann.lee@x.org', 'al@x.org', 'work')
  assert.deepEqual(await cutOf(newer), ['title', 'emails', 'tags'])
})

test('an email and a profile of someone else are reported for the first row of a person, and for later ones', async () => {
  await using world = await createWorld()
  const header = 'First name,Last name,Company,Email,Second email,LinkedIn URL\n'
  const url = 'https://www.linkedin.com/in/bo-day'
  const [bo, ann] = [`Bo,Day,Acme,b@x.org,,${url}\n`, 'Ann,Lee,Acme,ann@x.org,,\n']
  const shared = `Ann,Lee,Acme,ann@x.org,b@x.org,${url}\n`
  const cutOf = async (...files: string[]) => {
    const member = await world.join()
    const cuts: unknown[] = []
    for (const rows of files) cuts.push((await importFile(world, member, header + rows)).cut)
    const kept = await rowsOf(world, member, 'connections')
    return { cuts, emails: kept.map(({ emails }) => emails) }
  }
  const fields = ['profile_url', 'emails']
  const own = ['["b@x.org"]', '["ann@x.org"]']
  assert.deepEqual(await cutOf(bo + ann, shared), {
    cuts: [undefined, [{ row: 1, line: 2, fields, connection_id: 'c_2' }]],
    emails: own,
  })
  assert.deepEqual(await cutOf(bo + ann + shared), {
    cuts: [[{ row: 3, line: 4, fields, connection_id: 'c_2' }]],
    emails: own,
  })
  // A person that the row adds has all of its values.
  assert.deepEqual(await cutOf(bo + shared), {
    cuts: [undefined],
    emails: ['["b@x.org"]', '["ann@x.org","b@x.org"]'],
  })
})

test('a row of an earlier file that is the newest again reports what its person does not take in', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const row = (company: string, second: string) =>
    `First name,Last name,Company,Email,Second email\nAnn,Lee,${company},ann@x.org,${second}\n`
  await importFile(world, member, row('Acme', 'al@x.org'))
  await importFile(world, member, row('Bolt', ''))
  await member.ask(updateConnectionTool, { connection_id: 'c_1', remove_emails: ['al@x.org'] })
  await member.ask(addConnectionTool, { name: 'Al Quist', emails: ['al@x.org'] })
  const { cut } = await importFile(world, member, row('Acme', 'al@x.org'))
  assert.deepEqual(cut, [{ row: 1, line: 2, fields: ['emails'], connection_id: 'c_1' }])
  const [ann] = await rowsOf(world, member, 'connections')
  assert.deepEqual([ann?.['company'], ann?.['emails']], ['Acme', '["ann@x.org"]'])
})

/** Few people, so that rows are about the same ones. */
const PEOPLE = ['Zoe Quist', 'Kurt Lund', 'Ann Lee'] as const
const FIELDS = ['Company', 'Title', 'Nickname', 'Notes', 'Tags', 'Shoe size', 'Email 2'] as const

const anyRow = fc.record({
  person: fc.nat(PEOPLE.length - 1),
  fields: fc.subarray([...FIELDS]),
})
const anyStep = fc.record({
  kind: fc.constantFrom('table', 'google', 'linkedin'),
  rows: fc.array(anyRow, { minLength: 1, maxLength: 4 }),
  action: fc.constantFrom(
    'nothing',
    'edit',
    'undo and redo',
    'split',
    'merge',
    'delete and restore',
  ),
})

interface Cell {
  readonly row: number
  readonly value: string
}

/** The file, and the values in it that no other file has. */
function fileOf(
  { kind, rows }: { kind: string; rows: readonly { person: number; fields: string[] }[] },
  prefix: string,
): { readonly content: string; readonly cells: readonly Cell[] } {
  const cells: Cell[] = []
  const lines = rows.map(({ person, fields }, index) => {
    const name = PEOPLE[person] ?? ''
    const email = `${name.toLowerCase().replace(' ', '.')}@x.example`
    const values = FIELDS.map((field, at) => {
      const isGiven = fields.includes(field) && (kind !== 'linkedin' || at < 2)
      if (!isGiven) return ''
      const value = `${prefix}r${index}f${at}v`
      const written = field === 'Email 2' ? `${value}@x.example` : value
      cells.push({ row: index + 1, value: written })
      return written
    })
    return [...name.split(' '), email, ...(kind === 'linkedin' ? values.slice(0, 2) : values)]
  })
  return { content: [HEADERS[kind], ...lines.map((line) => line.join(',')), ''].join('\n'), cells }
}

const HEADERS: Readonly<Record<string, string>> = {
  table: 'First name,Last name,Email,Company,Title,Nickname,Notes,Tags,Shoe size,Second email',
  google:
    'First Name,Last Name,E-mail 1 - Value,Organization Name,Organization Title,Nickname,Notes,Labels,Shoe size,E-mail 2 - Value',
  linkedin: 'First Name,Last Name,Email Address,Company,Position',
}

/** What a member may do between two imports; calls that are not possible now fail without effect. */
async function act(world: World, member: Acting, step: string): Promise<void> {
  const live = (await rowsOf(world, member, 'connections')).filter(
    (row) => row['deleted_at'] === null && row['merged_into'] === null,
  )
  const [one, other] = live.map((row) => `c_${String(row['connection_id'])}`)
  if (one === undefined) return
  if (step === 'edit')
    await member.call(updateConnectionTool, { connection_id: one, title: 'Typed' })
  if (step === 'split') await member.call(resolveDuplicatesTool, { action: 'split', keep_id: one })
  if (step === 'merge' && other !== undefined)
    await member.call(resolveDuplicatesTool, { action: 'merge', keep_id: one, merge_ids: [other] })
  if (step === 'undo and redo') {
    const undone = await member.call(undo, {})
    if (!undone.ok) return
    const { activity_id } = undone.output as { activity_id: string }
    await member.ask(undo, { activity_id })
  }
  if (step === 'delete and restore') {
    await member.ask(deleteConnectionsTool, { people: [one] })
    await member.ask(restoreConnectionsTool, { people: [one] })
  }
}

test('every value of every file is in a record, its history, or the report of its import', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 4 }), async (steps) => {
      const member = await world.join()
      const open: Cell[] = []
      for (const [index, step] of steps.entries()) {
        const { content, cells } = fileOf(step, `s${index}`)
        world.clock.advance(DAY)
        const { cut = [], rejected_count } = await importFile(world, member, content)
        assert.equal(rejected_count, 0)
        open.push(...cells.filter(({ row }) => !cut.some((one) => one.row === row)))
        await act(world, member, step.action)
      }
      const kept = await textOf(world, member)
      assert.deepEqual(
        open.filter(({ value }) => !kept.includes(value)),
        [],
      )
    }),
    { numRuns: runsOf(12) },
  )
})

/** Everything that the member has about people: their records, and what changed in them. */
async function textOf(world: World, member: Acting): Promise<string> {
  const tables = ['connections', 'connection_tags', 'custom_fields', 'notes', 'activity'] as const
  const rows = await Promise.all(tables.map((table) => rowsOf(world, member, table)))
  // The rows of files are kept only to split people.
  const changes = (await rowsOf(world, member, 'import_changes')).map(({ before }) =>
    JSON.stringify(JSON.parse(String(before)), (key, value: unknown) =>
      key === 'contact' ? undefined : value,
    ),
  )
  return JSON.stringify([rows, changes])
}
