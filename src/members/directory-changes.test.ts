import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { readDirectoryChanges, readDirectoryVersion, readProfiles } from './directory-changes.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  insertMembers,
  renameMember,
  updateMember,
} from './member.ts'
import type { SharedTransaction, Transaction } from '../db/database.ts'
import type { MemberChanges } from './member-fields.ts'
import type { Member } from './member-row.ts'

async function createDirectory() {
  const store = await createStore()
  const { database } = store
  const started = await readDirectoryVersion(database)
  return {
    database,
    version: async () => (await readDirectoryVersion(database)) - started,
    changes: async (from: number, to: number) =>
      readDirectoryChanges(database, started + from, started + to),
    write: <T>(work: (tx: Transaction) => Promise<T>) => database.write(work),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('every change of what a public profile shows in a search has a version', async () => {
  await using directory = await createDirectory()
  const { memberId } = await directory.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, TEST_NOW),
  )
  assert.equal(await directory.version(), 1)
  const change = (changes: MemberChanges) => (tx: SharedTransaction) =>
    updateMember(tx, memberId, changes, TEST_NOW)
  const steps: ((tx: Transaction) => Promise<unknown>)[] = [
    ...[
      { name: 'Ada King' },
      { headline: 'Engines' },
      { about: 'Notes' },
      { location: 'London' },
      { organization: 'Acme' },
      { title: 'Analyst' },
      { skills: ['Bernoulli numbers'] },
      { links: [{ label: 'Blog', url: 'https://example.com' }] },
      { avatarUrl: 'https://example.com/ada.png' },
    ].map(change),
    (tx) => renameMember(tx, memberId, 'countess', TEST_NOW),
    change({ isPublic: false }),
    change({ isPublic: true }),
    (tx) => disableMember(tx, memberId, TEST_NOW),
    (tx) => enableMember(tx, memberId),
    (tx) => deleteMember(tx, memberId),
  ]
  for (const [index, step] of steps.entries()) {
    await directory.write(step)
    assert.equal(await directory.version(), index + 2, String(step))
    assert.deepEqual(await directory.changes(index + 1, index + 2), [memberId])
  }
  assert.deepEqual(await directory.changes(0, steps.length + 1), [memberId])
})

test('private and disabled profiles, other fields and failed transactions change nothing', async () => {
  await using directory = await createDirectory()
  const members = await directory.write(async (tx) => [
    await createMember(tx, { username: 'grace', name: 'Grace', isPublic: false }, TEST_NOW),
    await createMember(tx, { username: 'ada', name: 'Ada' }, TEST_NOW),
  ])
  assert.equal(await directory.version(), 1)
  const [hidden, ada] = members.map(({ memberId }) => memberId)
  assert.ok(hidden !== undefined && ada !== undefined)
  await directory.write((tx) => updateMember(tx, hidden, { name: 'Grace Hopper' }, TEST_NOW))
  await directory.write((tx) => deleteMember(tx, hidden))
  await directory.write((tx) => updateMember(tx, ada, { email: 'ada@example.com' }, TEST_NOW))
  await directory.write((tx) => updateMember(tx, ada, { name: 'Ada' }, TEST_NOW + 1))
  await assert.rejects(
    directory.write(async (tx) => {
      await updateMember(tx, ada, { name: 'Countess' }, TEST_NOW)
      throw new Error('rolled back')
    }),
  )
  assert.equal(await directory.version(), 1)
})

/** Rows of the ring. */
const REMEMBERED_CHANGES = 1024

test('more changes than are remembered are known to be missing, even of one statement', async () => {
  await using directory = await createDirectory()
  const added = await directory.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada' }, TEST_NOW),
  )
  const members = Array.from({ length: REMEMBERED_CHANGES + 6 }, (_, index): Member => {
    const id = index + 1
    return { ...added, memberId: id, username: `member-${id}`, isPublic: index > 4 }
  })
  await directory.write((tx) => insertMembers(tx, members))
  const version = await directory.version()
  assert.equal(version, REMEMBERED_CHANGES + 2)
  assert.equal(await directory.changes(0, version), undefined)
  assert.equal(await directory.changes(1, version), undefined)
  const latest = await directory.changes(2, version)
  assert.deepEqual(
    latest?.toSorted((one, other) => one - other),
    members.slice(6).map(({ memberId }) => memberId),
  )
})

test('profiles are read with their version, without those that are not public', async () => {
  await using directory = await createDirectory()
  const { database } = directory
  const [ada, hidden] = await directory.write(async (tx) => [
    await createMember(tx, { username: 'ada', name: 'Ada' }, TEST_NOW),
    await createMember(tx, { username: 'grace', name: 'Grace', isPublic: false }, TEST_NOW),
  ])
  const version = await readDirectoryVersion(database)
  const ids = [ada?.memberId ?? 0, hidden?.memberId ?? 0, 2 ** 28 - 1]
  assert.deepEqual(await readProfiles(database, ids), {
    version,
    profiles: new Map([[ada?.memberId, ada]]),
  })
  assert.deepEqual(await readProfiles(database, []), { version, profiles: new Map() })
})
