/** Calls as models write them before they have read a schema: most are understood, the rest refused with reason. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MODEL_CALLS } from './fixtures/model-calls.ts'
import { createWorld } from './fixtures/network.ts'
import { toolsOver } from './fixtures/tools.ts'

const MAX_REFUSED = 25

test('of calls as models write them, only those are refused that a person could not carry out either', async (t) => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const toolOf = (name: string) => {
    const tool = tools.find((one) => one.name === name)
    assert.ok(tool, name)
    return tool
  }
  const failed: string[] = []
  const refused: string[] = []
  for (const [name, given, reason] of MODEL_CALLS) {
    // Each call has the network to itself.
    const member = await world.join()
    const connections = [
      { name: 'Ada Lovelace', company: 'Acme', tags: ['friend'], note: 'Met in London' },
      { name: 'Mary Jackson', title: 'engineer' },
      { name: 'Grace Hopper', title: 'engineer' },
      { name: 'Joan Clarke' },
    ]
    await member.ask(toolOf('add_connections'), { connections })
    const followUp = { people: ['c_1'], text: 'Write', due_on: 'tomorrow' }
    await member.ask(toolOf('save_follow_up'), followUp)
    await member.ask(toolOf('log_interaction'), { people: ['c_2'], kind: 'call' })
    await member.ask(toolOf('set_custom_field'), { name: 'Tier' })
    const outcome = await member.call(toolOf(name), given)
    const call = `${name} ${JSON.stringify(given)}`
    if (!outcome.ok) refused.push(call)
    if (!outcome.ok && reason === null) failed.push(`${call}: ${outcome.error.message}`)
    if (outcome.ok && reason !== null) failed.push(`${call} was accepted (${reason})`)
  }
  t.diagnostic(`${refused.length} of ${MODEL_CALLS.length} calls refused`)
  assert.deepEqual(failed, [])
  assert.ok(MODEL_CALLS.length >= 86 && refused.length <= MAX_REFUSED, `${refused.length} refused`)
})
