import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY } from '../../base/clock.ts'
import { createLog } from '../../base/log.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { undoTool } from '../../tools/undo.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { purgeDeletedJob } from '../deletion/purge-deleted.job.ts'
import { mergeConnectionsTool } from '../duplicates/merge-connections.tool.ts'
import { splitConnectionTool } from '../duplicates/split-connection.tool.ts'
import { addConnectionTool } from '../editing/add-connection.tool.ts'
import { updateConnectionTool } from '../editing/update-connection.tool.ts'
import { findDuplicatesTool } from '../duplicates/find-duplicates.tool.ts'
import { additionsUndoer, connectionsUndoer, connectionUndoer } from '../model/undo-connections.ts'
import { createWorld, networkOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { KeyLoader } from './known-keys.ts'

const undo = undoTool({ undoers: [additionsUndoer, connectionsUndoer, connectionUndoer] })

const URL = 'https://www.linkedin.com/in/'
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const anyId = some('c_1', 'c_2', 'c_3', 'c_4')
const anyFields = fc.record(
  {
    name: some('Ann Lee', 'Anne Lee', 'A. Lee', 'Bo Berg'),
    company: some('Acme', 'Bolt'),
    emails: some(['a@x.org'], ['b@x.org'], ['a@x.org', 'b@x.org']),
    phones: some(['+1 212 555 0100'], ['+1 212 555 0101']),
    profile_url: some(`${URL}ann`, `${URL}bo`),
  },
  { requiredKeys: ['name'] },
)
const anyEmails = some(['a@x.org'], ['b@x.org'])
const anyChange = fc.oneof(
  fc.record({ add_emails: anyEmails }),
  fc.record({ remove_emails: anyEmails }),
  fc.record({ profile_url: some(`${URL}ann`, `${URL}bo`) }),
  fc.record({ name: some('Ann Lee', 'Anne Lee'), company: some('Acme', 'Bolt') }),
)
type Step = readonly [tool: 'add' | 'update' | 'delete' | 'merge' | 'split' | 'undo', input: object]
const anyStep = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.tuple(some('add' as const), anyFields),
  fc.tuple(some('add' as const), anyFields),
  fc
    .tuple(anyId, anyChange)
    .map(([connection_id, change]) => ['update', { connection_id, ...change }]),
  fc
    .tuple(anyId, anyChange)
    .map(([connection_id, change]) => ['update', { connection_id, ...change }]),
  anyId.map((id) => ['delete', { connection_ids: [id] }]),
  fc.tuple(anyId, anyId).map(([keep_id, id]) => ['merge', { keep_id, merge_ids: [id] }]),
  anyId.map((connection_id) => ['split', { connection_id }]),
  fc.constant<Step>(['undo', {}]),
)

const TOOLS = {
  add: addConnectionTool,
  update: updateConnectionTool,
  delete: deleteConnectionsTool,
  merge: mergeConnectionsTool,
  split: splitConnectionTool,
  undo,
}

/** A key in a run is lost and comes back, to stay or to be lost again; a merged connection has lost a key, and the kept one gets it back. */
const EXAMPLES: readonly (readonly Step[])[] = [
  [
    ['add', { name: 'Ann Lee', emails: ['a@x.org'] }],
    ['update', { connection_id: 'c_1', remove_emails: ['a@x.org'] }],
    ['undo', {}],
  ],
  [
    ['add', { name: 'Ann Lee', emails: ['a@x.org'] }],
    ['update', { connection_id: 'c_1', remove_emails: ['a@x.org'] }],
    ['update', { connection_id: 'c_1', add_emails: ['a@x.org'] }],
    ['update', { connection_id: 'c_1', remove_emails: ['a@x.org'] }],
  ],
  [
    ['add', { name: 'Ann Lee', emails: ['a@x.org', 'b@x.org'] }],
    ['update', { connection_id: 'c_1', remove_emails: ['b@x.org'] }],
    ['add', { name: 'Bo Berg', emails: ['b@x.org', 'd@x.org'] }],
    ['update', { connection_id: 'c_2', remove_emails: ['d@x.org'] }],
    ['merge', { keep_id: 'c_1', merge_ids: ['c_2'] }],
    ['update', { connection_id: 'c_1', remove_emails: ['b@x.org'] }],
  ],
]

/** What the tool answers; errors too, such as of connections that do not exist. */
async function take(member: Acting, [tool, input]: Step): Promise<unknown> {
  const answer = await member.call(TOOLS[tool], input)
  if (!answer.ok) assert.notEqual(answer.error.code, 'invalid_arguments')
  return answer
}

async function purge({ database, clock }: World, { db }: Acting): Promise<void> {
  const definition = purgeDeletedJob
  const how = { definition, credentialId: null, charge: false, quota: 0, now: clock.now() }
  const { job } = await db.write((tx) => startJob(tx, { ...how, input: {} }))
  await using worker = new JobWorker({
    database,
    jobs: [purgeDeletedJob],
    clock,
    log: createLog('silent'),
  })
  assert.equal((await worker.runToEnd(db.memberId, job.job_id)).state, 'succeeded')
}

test('a network is the same whether its keys are rows of the table or in runs', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyStep, fc.boolean()), { minLength: 1, maxLength: 14 }),
      async (steps) => {
        const [one, other] = [await world.join(), await world.join()]
        for (const [step, becomesRuns] of steps) {
          assert.deepEqual(await take(one, step), await take(other, step))
          if (becomesRuns) await new KeyLoader(one.db, { minBytes: 0, maxRows: 0 }).load(1e9)
        }
        const states = () => Promise.all([one, other].map(stateOf))
        const [first, second] = await states()
        assert.deepEqual(first, second)
        world.clock.advance(31 * DAY)
        for (const member of [one, other]) await purge(world, member)
        const [left, right] = await states()
        assert.deepEqual(left, right)
      },
    ),
    { numRuns: runsOf(40), examples: EXAMPLES.map((steps) => [steps.map((step) => [step, true])]) },
  )

  /** Without its number, which differs. */
  async function stateOf(member: Acting): Promise<unknown> {
    const network = await networkOf(world, member)
    const found = await member.ask(findDuplicatesTool)
    return JSON.parse(
      JSON.stringify([network, found], (name, value: unknown) =>
        name === 'member_id' ? 0 : value,
      ),
    )
  }
})
