import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import * as Type from '../base/type.ts'
import { DAY } from '../base/clock.ts'
import { NO_LIMITS } from '../http/caller.ts'
import { saveLimits } from '../access/agent-limits.ts'
import { openSharedWorld, type Acting } from '../../test/fixtures/network.ts'
import { defineReadTool, defineWriteTool, type Tool } from '../tools/tool.ts'
import { creditBalance, refundCredits, spendCredits } from './account.ts'
import { findBudget } from './agent-budget.ts'
import type { FixedClock } from '../../test/support/store.ts'

const QUOTA = 100
const tool = {
  title: 'Test',
  description: 'Tests.',
  input: Type.Object({}),
  output: Type.Object({}),
}
const run = async () => ({})

function reading(credits: number): Tool {
  return defineReadTool({ ...tool, name: 'get_it', credits, run })
}

function writing(credits: number): Tool {
  return defineWriteTool({ ...tool, name: 'set_it', effect: 'write', credits, run })
}

/** Sets a budget, and returns the member as their agent calls from then on. */
async function limited({ caller, db, ...acting }: Acting, credits: number | null, now: number) {
  const credential = { credentialId: caller.credential.id, clientId: null }
  await db.write((tx) => saveLimits(tx, credential, { ...NO_LIMITS, monthlyCredits: credits }, now))
  return { caller, db, ...acting }
}

async function budgetOf({ caller, db }: Acting, clock: FixedClock) {
  const balance = await creditBalance(db, QUOTA, clock.now())
  return findBudget(db, caller.credential.id, balance)
}

test('an agent spends its budget to the last credit, and the error names the budget', async () => {
  await using world = await openSharedWorld(QUOTA)
  const agent = await limited(await world.join(), 5, world.clock.now())
  await agent.ask(reading(2))
  await agent.ask(writing(2))
  const error = await agent.refused(reading(2))
  assert.deepEqual(error, {
    code: 'credits_exhausted',
    message:
      'Not enough credits: this costs 2, and 1 of the 5 credits that the member allows this agent per month remain. ' +
      'The budget resets at 2026-12-01T00:00:00.000Z.',
    hint: 'The member can raise the budget under Agents & tokens.',
    limit: 'agent_budget',
    quota: 5,
    required: 2,
    remaining: 1,
    period_start: '2026-11-01T00:00:00.000Z',
    resets_at: '2026-12-01T00:00:00.000Z',
    retryable: false,
  })
  assert.equal((await agent.refused(writing(2))).code, 'credits_exhausted')
  await agent.ask(writing(1))
  assert.deepEqual(await budgetOf(agent, world.clock), { credits: 5, remaining: 0 })
  await agent.ask(reading(0))
  assert.equal((await creditBalance(agent.db, QUOTA, world.clock.now())).remaining, QUOTA - 5)
})

test('when concurrent calls compete for the last credits, as many succeed as the budget covers', async () => {
  await using world = await openSharedWorld(QUOTA)
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 10 }),
      async (credits, calls) => {
        const agent = await limited(await world.join(), credits, world.clock.now())
        const outcomes = await Promise.all(
          calls.map((isRead) => agent.call(isRead ? reading(1) : writing(1))),
        )
        const succeeded = outcomes.filter(({ ok }) => ok).length
        assert.equal(succeeded, Math.min(credits, calls.length))
        const { remaining } = await creditBalance(agent.db, QUOTA, world.clock.now())
        assert.equal(remaining, QUOTA - succeeded)
        const budget = await budgetOf(agent, world.clock)
        assert.equal(budget?.remaining, credits - succeeded)
      },
    ),
    { numRuns: 15 },
  )
})

test('credits spent before the budget was set count toward it, and a budget lowered below them is used up', async () => {
  await using world = await openSharedWorld(QUOTA)
  const { clock } = world
  const agent = await world.join()
  for (const cost of [3, 4]) await agent.ask(writing(cost))
  await limited(agent, 10, clock.now())
  assert.deepEqual(await budgetOf(agent, clock), { credits: 10, remaining: 3 })
  await agent.ask(writing(2))
  assert.equal((await agent.refused(writing(2))).code, 'credits_exhausted')
  await limited(agent, 4, clock.now())
  assert.deepEqual(await budgetOf(agent, clock), { credits: 4, remaining: 0 })
  await limited(agent, null, clock.now())
  await agent.ask(writing(50))
})

test('a budget resets every month', async () => {
  await using world = await openSharedWorld(QUOTA)
  const agent = await limited(await world.join(), 2, world.clock.now())
  await agent.ask(writing(2))
  assert.equal((await agent.refused(writing(1))).code, 'credits_exhausted')
  world.clock.advance(11 * DAY)
  await agent.ask(writing(2))
  assert.equal((await agent.refused(reading(1))).code, 'credits_exhausted')
})

test('a refund is returned to the budget, and budgets of other agents are untouched', async () => {
  await using world = await openSharedWorld(QUOTA)
  const { clock } = world
  const agent = await limited(await world.join(), 5, clock.now())
  const charge = {
    reason: 'file_import',
    credentialId: agent.caller.credential.id,
    now: clock.now(),
  }
  const { periodStart } = await agent.db.write((tx) =>
    spendCredits(tx, { ...charge, cost: 5, quota: QUOTA }),
  )
  assert.equal((await agent.refused(writing(1))).code, 'credits_exhausted')
  await agent.db.write((tx) =>
    refundCredits(tx, { ...charge, cost: 5, chargedPeriod: periodStart }),
  )
  assert.deepEqual(await budgetOf(agent, clock), { credits: 5, remaining: 5 })
  const manual = { ...charge, credentialId: null, cost: 60, quota: QUOTA }
  await agent.db.write((tx) => spendCredits(tx, manual))
  await agent.ask(writing(5))
})

test('the credits of the member still limit an agent with a larger budget', async () => {
  await using world = await openSharedWorld(3)
  const agent = await limited(await world.join(), 50, world.clock.now())
  await agent.ask(writing(3))
  assert.equal((await agent.refused(writing(1)))['limit'], 'monthly_credits')
})
