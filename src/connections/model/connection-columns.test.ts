import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { newState, NO_VALUES, type Connection } from './connection.ts'
import { findConnection, insertConnections, updateConnection } from './connection-store.ts'

const NOW = Date.UTC(2026, 10, 23)
const BEFORE: Connection = {
  ...newState(NOW),
  ...NO_VALUES,
  connectionId: 1,
  name: 'Grace Hopper',
  source: 'linkedin',
}
/** Another value for every field that can change. */
const OTHERS: Omit<Connection, 'connectionId' | 'createdAt'> = {
  name: 'Grace B. Hopper',
  givenName: 'Grace',
  familyName: 'Hopper',
  company: 'Navy',
  title: 'Captain',
  location: 'Arlington',
  emails: ['grace@example.com'],
  phones: ['+1 202 555 0143'],
  profileUrl: 'https://www.linkedin.com/in/grace-hopper',
  links: ['https://grace.example.com'],
  birthday: '--12-09',
  connectedOn: '2020-01-01',
  details: {
    nickname: 'Amazing Grace',
    organizations: [{ name: 'Vassar', until: '1943', current: false }],
  },
  source: 'table',
  fieldSources: { title: 'typed', '@title': NOW },
  importJobId: 7,
  version: 2,
  updatedAt: NOW + 1,
  deletedAt: NOW,
  mergedInto: 2,
}

test('an update stores each field that changes, alone and with all others', async () => {
  await using world = await openSharedWorld()
  const fields = Object.keys(OTHERS) as (keyof typeof OTHERS)[]
  for (const changed of [...fields.map((field) => [field]), fields]) {
    const { db } = await world.join()
    const values = Object.fromEntries(changed.map((field) => [field, OTHERS[field]]))
    const after: Connection = { ...BEFORE, ...values }
    await db.write(async (tx) => {
      await insertConnections(tx, [BEFORE])
      await updateConnection(tx, BEFORE, after)
    })
    assert.deepEqual(await findConnection(db, 1), after, changed.join())
  }
})

test('a new connection is stored with whichever field has a value', async () => {
  await using world = await openSharedWorld()
  for (const [field, value] of Object.entries(OTHERS)) {
    const { db } = await world.join()
    const connection: Connection = { ...BEFORE, [field]: value }
    await db.write((tx) => insertConnections(tx, [connection]))
    assert.deepEqual(await findConnection(db, 1), connection, field)
  }
})
