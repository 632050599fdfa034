import assert from 'node:assert/strict'
import { test } from 'node:test'
import { similarName } from './similar-name.ts'

const TOOLS = [
  'search_connections',
  'get_connections',
  'add_connections',
  'update_connections',
  'delete_connections',
  'save_note',
  'list_timeline',
  'save_follow_up',
  'list_follow_ups',
  'get_jobs',
  'undo',
]
const ARGUMENTS = ['query', 'limit', 'cursor', 'company', 'connection_id', 'due_on', 'emails']

test('finds the intended name', () => {
  const cases: Readonly<Record<string, string>> = {
    searchConnections: 'search_connections',
    'search-connections': 'search_connections',
    serch_connections: 'search_connections',
    find_contacts: 'search_connections',
    get_connections: 'get_connections',
    add_contact: 'add_connections',
    create_connection: 'add_connections',
    remove_connection: 'delete_connections',
    list_reminders: 'list_follow_ups',
    create_note: 'save_note',
    get_task: 'get_jobs',
    revert: 'undo',
  }
  for (const [name, meant] of Object.entries(cases))
    assert.equal(similarName(name, TOOLS), meant, name)
  const named = { q: 'query', max: 'limit', connectionId: 'connection_id', employer: 'company' }
  for (const [name, meant] of Object.entries(named))
    assert.equal(similarName(name, ARGUMENTS), meant, name)
  assert.equal(similarName('email', ARGUMENTS), 'emails')
  assert.equal(similarName('due_date', ARGUMENTS), 'due_on')
})

test('suggests nothing for a name that resembles no other', () => {
  for (const name of ['', 'xyzzy', '__proto__', 'constructor', '🙂', 'x'.repeat(10_000)])
    assert.equal(similarName(name, TOOLS), undefined, name)
  assert.equal(similarName('query', []), undefined)
})
