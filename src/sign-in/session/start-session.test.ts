import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../../test/support/store.ts'
import {
  endAllSessions,
  listSessions,
  MAX_SESSIONS,
  requireLiveSession,
} from '../../access/browser-session.ts'
import { addIdentity } from '../../access/provider-identity.ts'
import { lockMember } from '../../access/lock-member.ts'
import { createPasswordHasher, type PasswordHash } from '../../access/passwords/password-hash.ts'
import { addPasskey, listPasskeys, removePasskey } from '../../access/passkey.ts'
import { setPassword } from '../../access/passwords/password.ts'
import { RequestError } from '../../base/request-error.ts'
import { createMember, disableMember, enableMember } from '../../members/member.ts'
import { listChanges } from '../../tools/activity-log/read-activity.ts'
import { startBrowserSession, type SignInProof } from './start-session.ts'

const VISIT = { member: undefined, formToken: 'x', timeZone: 'UTC', cookies: [] }
const OLD = createPasswordHasher().dummy
const NEW = OLD.replace('AAAA', 'BBBB') as PasswordHash
const IDENTITY = { issuer: 'https://id.example', subject: 'ada' }
const PASSKEY = { credentialId: 'credential', userHandle: 'ada', name: 'Phone', counter: 0 }

async function createTestWorld() {
  const store = await createStore()
  const { database } = store
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, TEST_NOW),
  )
  const member = database.member(memberId)
  const more = {
    publicKey: new Uint8Array(1),
    transports: [],
    isBackupEligible: false,
    isSynced: false,
  }
  await member.write(async (tx) => {
    await setPassword(tx, OLD, TEST_NOW)
    await addIdentity(tx, IDENTITY, TEST_NOW)
    await addPasskey(tx, { ...PASSKEY, ...more }, TEST_NOW)
  })
  const entry = { memberId, browser: VISIT, userAgent: undefined }
  return {
    memberId,
    database,
    member,
    enter: (proof: SignInProof = { kind: 'password', hash: OLD }, now = TEST_NOW) =>
      database.write((tx) => startBrowserSession(tx, { ...entry, proof, now })),
    /** Like a reset: ends all sessions. */
    changePassword: (hash: PasswordHash) =>
      database.write(async (tx) => {
        await lockMember(tx.member(memberId))
        await setPassword(tx.member(memberId), hash, TEST_NOW)
        await endAllSessions(tx.member(memberId))
      }),
    disable: () => database.write((tx) => disableMember(tx, memberId, TEST_NOW)),
    enable: () => database.write((tx) => enableMember(tx, memberId)),
    sessions: () => listSessions(member, TEST_NOW),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('a member who was disabled after authenticating gets no session', async () => {
  await using world = await createTestWorld()
  await world.disable()
  assert.equal((await world.enter())?.kind, 'disabled')
  assert.deepEqual(await world.sessions(), [])
  await world.enable()
  assert.equal((await world.enter())?.kind, 'entered')
})

test('a session started while the member is being disabled does not survive', async () => {
  await using world = await createTestWorld()
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([world.enter(), world.disable(), world.enter()])
    assert.deepEqual(await world.sessions(), [])
    await world.enable()
  }
})

test('a password that changed after it was verified starts no session', async () => {
  await using world = await createTestWorld()
  await world.changePassword(NEW)
  assert.equal(await world.enter({ kind: 'password', hash: OLD }), undefined)
  assert.deepEqual(await world.sessions(), [])
  assert.equal((await world.enter({ kind: 'password', hash: NEW }))?.kind, 'entered')
})

test('a sign-in with the old password that races the change leaves no session', async () => {
  await using world = await createTestWorld()
  for (let round = 0; round < 8; round += 1) {
    const [before, after] = round % 2 === 0 ? [OLD, NEW] : [NEW, OLD]
    const enter = () => world.enter({ kind: 'password', hash: before })
    await Promise.all([enter(), enter(), world.changePassword(after), enter(), enter()])
    assert.deepEqual(await world.sessions(), [])
  }
})

test('a removed passkey and an identity of another member start no session', async () => {
  await using world = await createTestWorld()
  const use = { credentialId: PASSKEY.credentialId, counter: 0, isSynced: false }
  assert.equal((await world.enter({ kind: 'passkey', use }))?.kind, 'entered')
  const [passkey] = await listPasskeys(world.member)
  await world.member.write((tx) => removePasskey(tx, passkey?.passkeyId ?? ''))
  assert.equal(await world.enter({ kind: 'passkey', use }), undefined)

  assert.equal((await world.enter({ kind: 'identity', identity: IDENTITY }))?.kind, 'entered')
  const identity = { ...IDENTITY, subject: 'grace' }
  assert.equal(await world.enter({ kind: 'identity', identity }), undefined)
  assert.equal((await world.sessions()).length, 2)
})

test('an ended session has no effect', async () => {
  await using world = await createTestWorld()
  await world.enter()
  const [session] = await world.sessions()
  const act = () =>
    world.member.write((tx) => requireLiveSession(tx, session?.sessionId ?? '', TEST_NOW))
  await act()
  await world.changePassword(NEW)
  await assert.rejects(act, (error) => error instanceof RequestError && error.code === 'forbidden')
})

test('beyond the maximum the least recently used session ends', async () => {
  await using world = await createTestWorld()
  for (let count = 0; count < MAX_SESSIONS + 5; count += 1)
    await world.enter(undefined, TEST_NOW + count)
  const sessions = await world.sessions()
  assert.equal(sessions.length, MAX_SESSIONS)
  assert.equal(sessions.at(-1)?.createdAt, TEST_NOW + 5)
})

test("a sign-in appears in the member's activity with its method and browser", async () => {
  await using world = await createTestWorld()
  await world.enter()
  const [change] = await listChanges(world.member, Number.MAX_SAFE_INTEGER, 1)
  assert.equal(change?.action, 'account.session_started')
  assert.equal(change.subjectKind, 'account')
  assert.deepEqual(change.after, { method: 'password', browser: 'An unknown browser' })
})
