import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { createSeparateStore, createStore, type TestStore } from '../../../test/support/store.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { createMember } from '../../members/member.ts'
import { createPasswordHasher, type PasswordHash, type PasswordHasher } from './password-hash.ts'
import { hashPassword, setPassword, verifyPassword } from './password.ts'

const PASSWORD = 'correct horse, battery'

const hasher = createPasswordHasher()

async function checkPassword(...given: Parameters<typeof verifyPassword>): Promise<boolean> {
  return (await verifyPassword(...given)) !== undefined
}

/** With the lowest cost, for tests where only the number of hashes matters. */
const QUICK = hasher.dummy.replace('m=19456,t=2', 'm=8,t=1') as PasswordHash

async function addMember({ database, clock }: TestStore, hash?: PasswordHash): Promise<number> {
  return database.write(async (tx) => {
    const { memberId } = await createMember(tx, { username: 'ada', name: 'Ada' }, clock.now())
    if (hash) await setPassword(tx.member(memberId), hash, clock.now())
    return memberId
  })
}

const STORED = memberStatement<object, { hash: string; changed_at: number }>()(
  'select hash, changed_at from passwords where member_id = :member_id',
)

test('only the correct password is accepted, and only for its member', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await addMember(store, await hashPassword(hasher, PASSWORD))
  const check = (memberId: number | undefined, password: string) =>
    checkPassword({ database, hasher }, memberId, password)
  assert.equal(await check(ada, PASSWORD), true)
  for (const wrong of ['', `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(100_000)])
    assert.equal(await check(ada, wrong), false, wrong.slice(0, 30))
  assert.equal(await check(undefined, PASSWORD), false)
  assert.equal(await check(ada + 1, PASSWORD), false)
})

test('the stored value is an Argon2id hash with its own salt, without any part of the password', async () => {
  await using store = await createSeparateStore()
  await addMember(store, await hashPassword(hasher, PASSWORD))
  assert.equal((await store.everything()).includes(PASSWORD), false)
  const [one, other] = [await hasher.hash(PASSWORD), await hasher.hash(PASSWORD)]
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, other)
})

test('a letter matches regardless of how the keyboard composes it', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await addMember(store, await hashPassword(hasher, 'Zo\u00eb und \u00c5ngstr\u00f6m'))
  const decomposed = 'Zoe\u0308 und A\u030angstro\u0308m'
  assert.equal(await checkPassword({ database, hasher }, ada, decomposed), true)
})

test('a hash with an older cost still verifies and is then replaced', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const ada = await addMember(store, cheapHash(PASSWORD))
  const changedAt = clock.now()
  clock.advance(1000)
  assert.equal(await checkPassword({ database, hasher }, ada, 'not that one'), false)
  assert.match(await stored(), /m=8192,t=1,p=2/)
  assert.equal(await checkPassword({ database, hasher }, ada, PASSWORD), true)
  assert.match(await stored(), /m=19456,t=2,p=1/)
  assert.equal(await checkPassword({ database, hasher }, ada, PASSWORD), true)

  async function stored(): Promise<string> {
    const row = await database.member(ada).get(STORED, {})
    assert.equal(row?.changed_at, changedAt, 'the password itself did not change')
    return row.hash
  }
})

/** As other programs write them, with a cost that we no longer use. */
function cheapHash(password: string): PasswordHash {
  const nonce = Buffer.from('a salt of 16 byt')
  const cost = { memory: 8192, passes: 1, parallelism: 2 }
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=8192,t=1,p=2$${base64(nonce)}$${base64(tag)}` as PasswordHash
}

test('a hash from another program is accepted', async () => {
  // The hash of the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`
  const known =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await hasher.matches('password', known as PasswordHash), true)
  assert.equal(await hasher.matches('Password', known as PasswordHash), false)
})

test('the decoy costs the same as a real hash and matches no password', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4).join('$')
  assert.equal(cost(hasher.dummy), cost(await hasher.hash(PASSWORD)))
  assert.deepEqual(
    hasher.dummy
      .split('$')
      .map(({ length }) => length)
      .slice(4),
    [22, 43],
  )
  assert.equal(await hasher.matches('', hasher.dummy), false)
})

test('checking an unknown member, or one without a password, does the same amount of hashing', async () => {
  await using store = await createStore()
  const ada = await addMember(store)
  const compared: string[] = []
  const watched: PasswordHasher = {
    ...hasher,
    matches(password, hash) {
      compared.push(hash)
      return hasher.matches(password, hash)
    },
  }
  for (const memberId of [undefined, ada])
    for (const password of [PASSWORD, 'x'.repeat(5000)])
      assert.equal(
        await checkPassword({ database: store.database, hasher: watched }, memberId, password),
        false,
      )
  assert.deepEqual(compared, [hasher.dummy, hasher.dummy, hasher.dummy, hasher.dummy])
})

test('a flood of passwords is rejected before it uses all resources', async () => {
  const busy = createPasswordHasher()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 104 }, () => busy.matches('flood', QUICK)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 2, 'two at once, a hundred waiting')
  for (const one of refused) {
    assert.ok(one.status === 'rejected' && one.reason instanceof RequestError)
    assert.equal(one.reason.code, 'unavailable')
    assert.ok((one.reason.details.retryAfter ?? 0) > 0)
  }
  assert.equal(await busy.matches('later', QUICK), false, 'its permits are free again')
})

test('failed work releases its permit', async () => {
  const turns = createPasswordHasher()
  const broken = 'not a hash' as PasswordHash
  await Promise.allSettled(Array.from({ length: 10 }, () => turns.matches('x', broken)))
  assert.equal(await turns.matches('x', QUICK), false)
})
