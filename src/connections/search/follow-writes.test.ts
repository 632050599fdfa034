import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { addNoteTool } from '../notes/add-note.tool.ts'
import { CALLS_BETWEEN_CHECKS, followWrites } from './follow-writes.ts'
import { heldIndex, readIndex } from './network-index.ts'

test('after many successful calls of a member, the index is current without a search', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ name: 'Ada Lovelace' }])
  const { version } = await readIndex(member.db)
  await member.ask(addNoteTool, { connection_id: 'c_1', text: 'Likes compilers.' })
  const checked: number[] = []
  const recording = {
    member: (memberId: number) => {
      checked.push(memberId)
      return world.database.member(memberId)
    },
  }
  const follow = followWrites(recording, 1)
  const { memberId } = member.db
  const by = { requestId: 'req_1', memberId }
  const call = { tool: 'add_note', effect: 'write', milliseconds: 1, cost: 1, ...by } as const
  for (let at = 1; at < CALLS_BETWEEN_CHECKS; at += 1) {
    follow({ ...call, outcome: 'ok' })
    follow({ ...call, outcome: 'not_found' })
    follow({ ...call, outcome: 'ok', memberId: memberId + 1 })
  }
  assert.deepEqual(checked, [])
  follow({ ...call, outcome: 'ok' })
  while (checked.length === 0) await nextTurn()
  assert.deepEqual(checked, [memberId])
  while (heldIndex(member.db)?.version !== version + 1) await nextTurn()
})
