import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/fixtures/network.ts'
import { DAY } from '../base/clock.ts'
import * as Type from '../base/type.ts'
import { defineReadTool } from '../tools/tool.ts'
import { whoamiTool } from './whoami.tool.ts'

const readIt = defineReadTool({
  name: 'read_it',
  title: 'Read it',
  description: 'Changes nothing.',
  credits: 3,
  input: Type.Closed({}),
  output: Type.Closed({}),
  run: async () => ({}),
})

interface Me {
  readonly member: { readonly username: string }
  readonly profile: { readonly username: string; readonly is_public: boolean }
  readonly credits: { readonly used: number; readonly remaining: number }
}

test('whoami tells the profile and the credits, without remaining credits and in a new month too', async () => {
  await using world = await createWorld(3)
  const member = await world.join()
  const tools = () => [readIt]
  const whoami = whoamiTool({ ...world, publicUrl: 'https://weft.example', quota: 3, tools })
  const month = { period_start: '2026-11-01T00:00:00.000Z', resets_at: '2026-12-01T00:00:00.000Z' }
  const fresh = { quota: 3, used: 0, remaining: 3, ...month }
  const me = await member.ask<Me>(whoami)
  assert.deepEqual(me.credits, fresh)
  const withCosts = await member.ask<Me>(whoami, { costs: true })
  assert.deepEqual(withCosts.credits, { ...fresh, costs: { read_it: 3 } })
  assert.deepEqual([me.profile.username, me.profile.is_public], [me.member.username, true])
  await member.ask(readIt)
  await member.refused(readIt)
  assert.deepEqual((await member.ask<Me>(whoami)).credits, { ...fresh, used: 3, remaining: 0 })
  world.clock.advance(10 * DAY)
  const { used, remaining } = (await member.ask<Me>(whoami)).credits
  assert.deepEqual([used, remaining], [0, 3])
})
