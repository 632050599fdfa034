import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeparateStore, createStore, type TestStore } from '../../test/support/store.ts'
import { DAY, HOUR } from '../base/clock.ts'
import { createMember } from '../members/member.ts'
import {
  createLink,
  findLink,
  listLinks,
  revokeLink,
  revokeLinksOfMember,
  revokeLinksOfPurpose,
  sweepLinks,
  takeLink,
  type LinkPurpose,
  type NewLink,
} from './one-time-link.ts'

const INVITE: readonly LinkPurpose[] = ['invite']

async function add({ database, clock }: TestStore, link: Partial<NewLink> = {}): Promise<string> {
  const made: NewLink = { purpose: 'invite', lifetime: DAY, ...link }
  return (await database.write((tx) => createLink(tx, made, clock.now()))).secret
}

function take({ database, clock }: TestStore, secret: string, purposes = INVITE) {
  return database.write((tx) => takeLink(tx, secret, purposes, clock.now()))
}

test('a link works once', async () => {
  await using store = await createStore()
  const secret = await add(store, { note: 'for Grace' })
  assert.match(secret, /^weft_otl_[0-9A-Za-z]{49}$/)
  assert.equal((await take(store, secret))?.note, 'for Grace')
  assert.equal(await take(store, secret), undefined)
  assert.equal(await findLink(store.database, secret, INVITE, store.clock.now()), undefined)
})

test('of many concurrent uses of a link, one succeeds', async () => {
  await using store = await createStore()
  const secret = await add(store)
  const taken = await Promise.all(Array.from({ length: 12 }, () => take(store, secret)))
  assert.equal(taken.filter((link) => link !== undefined).length, 1)
})

test('a link is still valid if the transaction that used it fails', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const secret = await add(store)
  const failing = database.write(async (tx) => {
    assert.ok(await takeLink(tx, secret, INVITE, clock.now()))
    throw new Error('after that')
  })
  await assert.rejects(failing, /after that/)
  assert.ok(await take(store, secret))
})

test('a link is valid until it expires, and only for its purpose', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const secret = await add(store, { lifetime: HOUR })
  assert.equal(await take(store, secret, ['first', 'reset']), undefined)
  clock.advance(HOUR - 1)
  assert.ok(await findLink(database, secret, INVITE, clock.now()))
  clock.advance(1)
  assert.equal(await findLink(database, secret, INVITE, clock.now()), undefined)
  assert.equal(await take(store, secret), undefined)
})

test('text that is not a link is rejected', async () => {
  await using store = await createStore()
  const secret = await add(store)
  for (const text of [
    '',
    'weft_otl_',
    secret.slice(0, -1),
    `${secret} `,
    secret.toLowerCase(),
    "' or 1=1 --",
  ])
    assert.equal(await take(store, text), undefined, text)
})

test('the database holds no secret', async () => {
  await using store = await createSeparateStore()
  const secret = await add(store)
  const everything = await store.everything()
  assert.equal(everything.includes(secret), false)
  assert.equal(everything.includes(secret.slice(9, 30)), false)
})

test('links of a purpose are listed newest first and revoked by ID', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const first = await add(store, { note: 'first' })
  clock.advance(1000)
  await add(store, { note: 'second' })
  await add(store, { purpose: 'first' })
  await add(store, { lifetime: 0 })
  const listed = await listLinks(database, 'invite', clock.now())
  assert.deepEqual(
    listed.map(({ note }) => note),
    ['second', 'first'],
  )
  const { linkId = '' } = listed[1] ?? {}
  const revoke = (id: string, purpose: LinkPurpose = 'invite') =>
    database.write((tx) => revokeLink(tx, purpose, id))
  for (const id of ['', '%', linkId.slice(1), `${linkId}0`, 'zzzzzzzzzzzz'])
    assert.equal(await revoke(id), false, id)
  assert.equal(await revoke(linkId, 'reset'), false)
  assert.equal(await revoke(linkId), true)
  assert.equal(await take(store, first), undefined)
  assert.equal((await listLinks(database, 'invite', clock.now())).length, 1)
})

test('links are revoked by purpose, with their member, and when they expire', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const ada = { username: 'ada', name: 'Ada' }
  const { memberId } = await database.write((tx) => createMember(tx, ada, clock.now()))
  const first = await add(store, { purpose: 'first' })
  const reset = await add(store, { purpose: 'reset', memberId })
  const invite = await add(store)
  await database.write((tx) => revokeLinksOfPurpose(tx, 'first'))
  await database.write((tx) => revokeLinksOfMember(tx, memberId))
  assert.equal(await take(store, first, ['first']), undefined)
  assert.equal(await take(store, reset, ['reset']), undefined)
  assert.equal(await database.write((tx) => sweepLinks(tx, clock.now())), 0)
  clock.advance(DAY)
  assert.equal(await database.write((tx) => sweepLinks(tx, clock.now())), 1)
  assert.equal(await take(store, invite), undefined)
})
