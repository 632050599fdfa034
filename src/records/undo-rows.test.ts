import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOLLOW_UPS } from '../connections/follow-ups/follow-ups.ts'
import { INTERACTIONS } from '../connections/interactions/interaction-store.ts'
import { statesIn } from './undo-rows.ts'

test('an entry has the states of its subject, of its list and of the next rows, and nothing else is one', () => {
  const next = { follow_up_id: 'f_2', text: 'Next' }
  const one = { text: 'Call', next }
  const idsIn = (entry: object | null, subjectId?: string) => [
    ...statesIn(FOLLOW_UPS, entry, subjectId).keys(),
  ]
  assert.deepEqual(idsIn(one, 'f_1'), ['f_1', 'f_2'])
  assert.deepEqual(idsIn({ follow_ups: [{ follow_up_id: 'f_1', ...one }] }, '1'), ['f_1', 'f_2'])
  assert.deepEqual(idsIn({ kind: 'call', follow_ups: [next] }), ['f_2'])
  assert.deepEqual(idsIn(null, 'f_1'), [])
  // A connection whose values, which files bring, look like a follow-up, and one that only names its follow-ups.
  const labels = { follow_up_id: 'f_1', text: 'x' }
  assert.deepEqual(idsIn({ connection_id: 'c_1', labels, follow_ups: ['f_1'] }), [])
  assert.deepEqual(idsIn({ connections: [{ connection_id: 'c_1', labels }] }), [])
  // Only with its ID: it did not exist.
  const states = statesIn(INTERACTIONS, { interactions: [{ interaction_id: 'i_1' }] }, 'calendar:1')
  assert.deepEqual([...states], [])
})
