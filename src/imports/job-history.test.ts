import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConnectionsTool } from '../../test/fixtures/search.ts'
import { updateConnectionTool, getConnectionTool } from '../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../test/fixtures/network.ts'
import { DAY } from '../base/clock.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import { isJobChange } from '../connections/model/organizations.ts'
import { MAX_VALUES } from '../base/limits.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { emptyReport } from './import-report.ts'
import { importRows } from './import-batch.ts'
import { contact } from '../../test/fixtures/network.ts'
import type { DetailsJson } from '../contact-files/contact/details-json.ts'

const undo = undoTool({ undoers: [peopleUndoer] })

interface Listed {
  readonly connections: readonly { readonly name: string; readonly former_position?: string }[]
}

async function positionsOf(member: Acting): Promise<DetailsJson['organizations']> {
  const input = { connection_id: 'c_1' }
  return (await member.ask<{ details?: DetailsJson }>(getConnectionTool, input)).details
    ?.organizations
}

const ANN = { name: 'Ann Lee', emails: ['ann@x.org'] }

test('an import with another company or title keeps the former position', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const details = {
    organizations: [{ name: 'Stripe', department: 'Risk', from: '2019', current: true }],
  }
  await member.import([{ ...ANN, company: 'Stripe', title: 'Engineer', details }])
  assert.deepEqual(await positionsOf(member), details.organizations)
  world.clock.advance(40 * DAY)
  await member.import([{ ...ANN, company: 'Acme', title: 'Chief' }], { jobId: 2 })
  const stripe = {
    name: 'Stripe',
    department: 'Risk',
    from: '2019',
    current: false,
    title: 'Engineer',
  }
  assert.deepEqual(await positionsOf(member), [{ ...stripe, until: '2026-12-31' }])
  world.clock.advance(DAY)
  await member.import([{ ...ANN, company: 'Acme', title: 'President' }], { jobId: 3 })
  assert.deepEqual((await positionsOf(member))?.[0], {
    name: 'Acme',
    title: 'Chief',
    until: '2027-01-01',
    current: false,
  })
})

test('another department without a company closes the former one', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const inDepartment = (department: string) => ({
    ...ANN,
    details: { organizations: [{ department, current: true }] },
  })
  await member.import([inDepartment('Sales')])
  world.clock.advance(40 * DAY)
  await member.import([inDepartment('Research')], { jobId: 2 })
  const sales = { department: 'Sales', until: '2026-12-31', current: false }
  assert.deepEqual(await positionsOf(member), [sales, { department: 'Research', current: true }])
  // Another kind of file is not newer.
  await member.import([inDepartment('Legal')], { jobId: 3, source: 'google' })
  assert.deepEqual((await positionsOf(member))?.[1], { department: 'Research', current: true })
})

test('another title without a company closes the position with its department', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const position = (title: string, department: string) => ({
    ...ANN,
    title,
    details: { organizations: [{ title, department, current: true }] },
  })
  await member.import([position('Engineer', 'Sales')])
  world.clock.advance(40 * DAY)
  await member.import([position('President', 'Research')], { jobId: 2 })
  assert.deepEqual(await positionsOf(member), [
    { department: 'Sales', title: 'Engineer', until: '2026-12-31', current: false },
    { title: 'President', department: 'Research', current: true },
  ])
})

test('another spelling, a first value and a corrected typo are not a change of job', () => {
  const job = { company: 'Acme Inc.', title: 'Software Enginer' }
  assert.ok(!isJobChange(job, { company: 'ACME', title: 'Software Engineer' }))
  assert.ok(!isJobChange({ company: null, title: null }, job))
  assert.ok(!isJobChange({ company: 'Yandex', title: null }, { company: 'Яндекс', title: null }))
  assert.ok(!isJobChange({ company: null, title: 'Boss' }, { company: 'Acme', title: 'boss' }))
  assert.ok(isJobChange(job, { ...job, company: null }))
  assert.ok(isJobChange(job, { ...job, company: 'Bolt' }))
  assert.ok(
    isJobChange({ company: 'Acme', title: 'Engineer 1' }, { company: 'Acme', title: 'Engineer 2' }),
  )
})

test('people who changed jobs are listed, latest first, and no longer after an undo', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([
    { ...ANN, company: 'Stripe', title: 'Engineer' },
    { name: 'Bo Day', company: 'Stripe', emails: ['bo@x.org'] },
    { name: 'Cy Fox', company: 'Stripe' },
  ])
  world.clock.advance(40 * DAY)
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Acme', title: 'CTO' })
  world.clock.advance(DAY)
  await member.ask(updateConnectionTool, { connection_id: 'c_2', clear: ['company'] })
  const changed = async (since: string) => {
    const input = { changed_jobs_since: since, limit: 1 }
    const first = await member.ask<Listed & { next_cursor?: string }>(searchConnectionsTool, input)
    const cursor = first.next_cursor
    const rest = cursor && (await member.ask<Listed>(searchConnectionsTool, { ...input, cursor }))
    return [...first.connections, ...(rest ? rest.connections : [])].map(
      ({ name, former_position }) => `${name}: ${former_position}`,
    )
  }
  const [bo, ann] = [
    'Bo Day: Stripe (until 2027-01-01)',
    'Ann Lee: Engineer at Stripe (until 2026-12-31)',
  ]
  assert.deepEqual(await changed('2026-12-01'), [bo, ann])
  assert.deepEqual(await changed('2027-01-01'), [bo])
  await member.ask(undo)
  assert.deepEqual(await changed('2026-12-01'), [ann])
})

test('values that do not fit into a connection are reported', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const phones = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `+49 30 1${1_000_000 + from + index}`)
  await member.import([{ ...ANN, phones: phones(0, MAX_VALUES) }])
  const more = contact({ ...ANN, phones: phones(MAX_VALUES, 2) })
  const rows = [{ row: 1, line: 2, contact: more, cut: ['phoneticGivenName'] }]
  const report = emptyReport('linkedin', null)
  const context = { source: 'linkedin' as const, jobId: 2, now: world.clock.now() }
  await member.db.write((tx) => importRows(tx, rows, report, context))
  assert.deepEqual(
    [report.cut_count, report.cut],
    [1, [{ row: 1, line: 2, connection_id: 'c_1', fields: ['phonetic_given_name', 'phones'] }]],
  )
})

test('values of a row that an earlier row of the same person replaces are reported', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const shared = { emails: ['julia.smith@x.org'] }
  const rows = [
    contact({ name: 'J. Smith', title: 'Boss', details: { nickname: 'Jules' }, ...shared }),
    contact({
      name: 'Julia Smith',
      title: 'CEO',
      company: 'Acme',
      ...shared,
      details: { nickname: 'Jul', custom: [{ field: 'Favorite Color', value: 'red' }] },
    }),
    contact({
      name: 'Julia B. Smith',
      title: 'boss',
      company: 'Bolt',
      ...shared,
      details: { custom: [{ field: 'Favorite Color', value: 'blue' }] },
    }),
    contact({ name: 'Julia Smith', ...shared }),
  ].map((one, index) => ({ row: index + 1, line: index + 2, contact: one }))
  const report = emptyReport('google', null)
  const context = { source: 'google' as const, jobId: 1, now: world.clock.now() }
  await member.db.write((tx) => importRows(tx, rows, report, context))
  assert.deepEqual(
    [report.created, report.cut],
    [
      1,
      [
        { row: 2, line: 3, connection_id: 'c_1', fields: ['title', 'nickname'] },
        { row: 3, line: 4, connection_id: 'c_1', fields: ['company', 'Favorite Color'] },
      ],
    ],
  )
})

test('list values, their labels and tags of a later row that are not kept are reported', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [email, phone] = ['julia.smith@x.org', '+1 212 555 0100']
  const labeled = (label: string, name: string) => ({
    labels: { [email]: label },
    relations: [{ name: 'Ben Poe', relation: name }],
  })
  await member.import([{ name: 'Julia Smith', emails: [email], phones: [phone] }])
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    add_phones: ['+1 212 555 0101'],
    add_tags: ['own'],
  })
  const rows = [
    contact({ name: 'Julia Smith', emails: [email], details: labeled('work', 'spouse') }),
    contact({
      name: 'Julia Smith',
      emails: [email],
      phones: ['+1 (212) 555-0100', '+1 212 555 0199'],
      labels: ['Own', 'Bees'],
      details: labeled('home', 'partner'),
    }),
    contact({
      name: 'Julia Smith',
      emails: [email],
      title: 'Boss',
      details: labeled('work', 'spouse'),
    }),
  ].map((one, index) => ({ row: index + 1, line: index + 2, contact: one }))
  const report = emptyReport('google', null)
  const context = { source: 'google' as const, jobId: 2, now: world.clock.now() }
  await member.db.write((tx) => importRows(tx, rows, report, context))
  assert.deepEqual(report.cut, [
    { row: 2, line: 3, connection_id: 'c_1', fields: ['phones', 'tags', 'labels', 'relations'] },
  ])
})
