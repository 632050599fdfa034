import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { createStore } from '../../test/support/store.ts'
import {
  clientDirectory,
  recordGranted,
  recordRequested,
  registerClient,
  sweepClients,
} from './client.ts'
import type { ClientDescription } from './client-metadata.ts'

const APP: ClientDescription = {
  name: 'App “β”',
  uri: 'https://app.example/',
  redirectUris: ['https://app.example/cb?x=1', 'com.example.app:/cb'],
}
const DOCUMENT = 'https://app.example/client.json'

async function createWorld() {
  const store = await createStore()
  const { database, clock } = store
  const documents = {
    read: (clientId: string) => Promise.resolve({ ...APP, clientId, registered: false }),
  }
  const clients = clientDirectory({ database, documents })
  return {
    clients,
    clock,
    database,
    register: (app = APP) => database.write((tx) => registerClient(tx, app, clock.now())),
    grant: (clientId: string) => database.write((tx) => recordGranted(tx, clientId, clock.now())),
    sweep: () => database.write((tx) => sweepClients(tx, clock.now())),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('a registered client is found by its ID, with its metadata', async () => {
  await using world = await createWorld()
  const client = await world.register()
  assert.deepEqual(client, { ...APP, clientId: client.clientId, registered: true })
  assert.deepEqual(await world.clients.find(client.clientId, []), client)
  const plain = await world.register({ ...APP, uri: null })
  assert.notEqual(plain.clientId, client.clientId)
  assert.deepEqual(await world.clients.find(plain.clientId, []), plain)
})

test('an unused or malformed ID is unknown', async () => {
  await using world = await createWorld()
  const { clientId } = await world.register()
  const unknown = [
    `${clientId.slice(0, -1)}${clientId.endsWith('A') ? 'B' : 'A'}`,
    clientId.toUpperCase(),
    `${clientId}\0`,
    `${clientId} `,
    '',
    '\0',
    '\ud800',
    "' or 1=1 --",
    'http://app.example/client.json',
    'x'.repeat(100_000),
  ]
  for (const id of unknown) assert.equal(await world.clients.find(id, []), undefined)
})

test('an https URL identifies the client of its metadata document', async () => {
  await using world = await createWorld()
  assert.deepEqual(await world.clients.find(DOCUMENT, []), {
    ...APP,
    clientId: DOCUMENT,
    registered: false,
  })
})

test('a client that no member has allowed is removed after a day', async () => {
  await using world = await createWorld()
  const [unused, used] = [await world.register(), await world.register()]
  await world.grant(used.clientId)
  world.clock.advance(DAY / 2)
  const later = await world.register()
  world.clock.advance(DAY / 2)
  assert.equal(await world.sweep(), 0)
  world.clock.advance(1)
  assert.equal(await world.sweep(), 1)
  assert.equal(await world.clients.find(unused.clientId, []), undefined)
  assert.ok(await world.clients.find(used.clientId, []))
  assert.ok(await world.clients.find(later.clientId, []))
})

test('a client is not removed within an hour of its last authorization request', async () => {
  await using world = await createWorld()
  const client = await world.register()
  world.clock.advance(DAY - MINUTE)
  await recordRequested(world.database, client, world.clock.now())
  world.clock.advance(5 * MINUTE)
  await recordRequested(world.database, client, world.clock.now())
  world.clock.advance(55 * MINUTE)
  assert.equal(await world.sweep(), 0)
  await recordRequested(world.database, client, world.clock.now())
  world.clock.advance(HOUR)
  assert.equal(await world.sweep(), 0)
  world.clock.advance(1)
  assert.equal(await world.sweep(), 1)
})

test('a client with a metadata document is not stored', async () => {
  await using world = await createWorld()
  await world.grant(DOCUMENT)
  world.clock.advance(31 * DAY)
  assert.equal(await world.sweep(), 0)
})
