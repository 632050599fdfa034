import assert from 'node:assert/strict'
import { NO_LIMITS } from '../http/caller.ts'
import { test } from 'node:test'
import { DAY, MINUTE } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { hashSecret } from '../base/secrets.ts'
import { createMember, deleteMember, disableMember, enableMember } from '../members/member.ts'
import { createSeparateStore, createStore, type TestStore } from '../../test/support/store.ts'
import { until } from '../../test/support/until.ts'
import { findTokenHolder, listApiTokens, mintApiToken, revokeApiToken } from './api-token.ts'
import { bearerCheck } from './bearer.ts'

const PUBLIC_URL = 'https://weft.example.org'

async function createWorld(given?: TestStore) {
  const store = given ?? (await createStore())
  const { database, clock } = store
  const check = bearerCheck({ database, clock, publicUrl: PUBLIC_URL })
  return {
    ...store,
    check,
    /** The error for a rejected header. */
    async rejected(authorization: string | undefined): Promise<RequestError> {
      const error = await check(authorization).then(
        () => assert.fail('was accepted'),
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof RequestError)
      assert.equal(error.code, 'unauthorized')
      return error
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

async function member({ database, clock }: TestStore, username = 'ada') {
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username, name: username }, clock.now()),
  )
  const db = database.member(memberId)
  return {
    memberId,
    mint: (name: string, lifetimeDays: number | null = null) =>
      db.write((tx) =>
        mintApiToken(tx, { name, holder: 'cloud_agent', lifetimeDays }, clock.now()),
      ),
    revoke: (idOrName: string) => db.write((tx) => revokeApiToken(tx, idOrName, clock.now())),
    tokens: async () => (await listApiTokens(db)).map(({ name }) => name),
    list: () => listApiTokens(db),
  }
}

test('a new token belongs to its member and has its name and holder', async () => {
  await using world = await createWorld()
  const ada = await member(world)
  const { secret, tokenId } = await ada.mint(' ci ', 30)
  const caller = await world.check(`bearer  ${secret}`)
  assert.deepEqual(caller, {
    memberId: ada.memberId,
    username: 'ada',
    name: 'ada',
    timeZone: 'UTC',
    credential: {
      id: tokenId,
      kind: 'api_token',
      name: 'ci',
      holder: 'cloud_agent',
      agent: null,
      clientId: null,
      createdAt: world.clock.now(),
      expiresAt: world.clock.now() + 30 * DAY,
    },
    limits: NO_LIMITS,
  })
})

test('the database files contain the hash of a secret but never the secret', async () => {
  const store = await createSeparateStore()
  await using world = await createWorld(store)
  const ada = await member(world)
  const { secret, hint } = await ada.mint('ci')
  await world.check(`Bearer ${secret}`)
  const stored = await store.everything()
  assert.ok(stored.includes(hashSecret(secret)))
  assert.ok(!stored.includes(secret))
  assert.ok(!stored.includes(secret.slice(hint.length)))
  assert.ok(!JSON.stringify(await ada.list()).includes(secret.slice(hint.length)))
  assert.ok(secret.startsWith(hint) && hint.length === 'weft_pat_'.length + 4)
})

test('an expired, revoked, mistyped or unknown token is unauthorized; so is a disabled member’s', async () => {
  await using world = await createWorld()
  const ada = await member(world)
  const [lasting, short, revoked] = [
    await ada.mint('lasting'),
    await ada.mint('short', 1),
    await ada.mint('revoked'),
  ]
  assert.equal(await ada.revoke('revoked'), true)
  await world.check(`Bearer ${short.secret}`)
  world.clock.advance(DAY)
  for (const secret of [short.secret, revoked.secret, `${lasting.secret}x`, 'weft_pat_', 'x'])
    await world.rejected(`Bearer ${secret}`)
  // Directly, to bypass the fixture and the directory update.
  const { database, clock } = world
  assert.ok(await findTokenHolder(database, lasting.secret, clock.now()))
  await database.write((tx) => disableMember(tx, ada.memberId, clock.now()))
  await world.rejected(`Bearer ${lasting.secret}`)
  await database.write((tx) => enableMember(tx, ada.memberId))
  await world.check(`Bearer ${lasting.secret}`)
  await database.write((tx) => deleteMember(tx, ada.memberId))
  await world.rejected(`Bearer ${lasting.secret}`)
})

test('a 401 has a challenge, which names an error only if a token was sent', async () => {
  await using world = await createWorld()
  const challenge =
    `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp", ` +
    'scope="network"'
  const headers = async (authorization?: string) =>
    (await world.rejected(authorization)).details.headers?.['www-authenticate']
  assert.equal(await headers(), challenge)
  for (const sent of ['Basic YTpi', 'Bearer', 'Bearer a b', 'Bearer é', ''])
    assert.equal(await headers(sent), `${challenge}, error="invalid_token"`)
  assert.match((await headers('Bearer abc')) ?? '', /error="invalid_token", error_description=/)
})

test('a name becomes available only after its token is revoked', async () => {
  await using world = await createWorld()
  const [ada, grace] = [await member(world), await member(world, 'grace')]
  await ada.mint('ci')
  await grace.mint('ci')
  await assert.rejects(ada.mint(' ci'), { code: 'conflict' })
  assert.equal(await ada.revoke('ci'), true)
  assert.equal(await ada.revoke('ci'), false)
  await ada.mint('ci')
  assert.deepEqual(await ada.tokens(), ['ci'])
})

test('a token is revoked by ID or name, but never another member’s token', async () => {
  await using world = await createWorld()
  const [ada, grace] = [await member(world), await member(world, 'grace')]
  const [one, two] = [await ada.mint('one'), await ada.mint('two')]
  for (const token of [one.tokenId, 'one', two.tokenId, 'two'])
    assert.equal(await grace.revoke(token), false)
  assert.equal(await ada.revoke(one.tokenId), true)
  assert.deepEqual(await ada.tokens(), ['two'])
  assert.equal(await ada.revoke('two'), true)
  assert.deepEqual(await ada.tokens(), [])
})

/** Invisible letters, marks and a symbol. */
const UNSEEN = [
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u034f',
  '\ufe0f',
  '\u2800',
  '\u0301',
  '\u180b',
]

test('a name without visible characters and an invalid lifetime are rejected', async () => {
  await using world = await createWorld()
  const ada = await member(world)
  for (const name of ['', '  ', 'x'.repeat(81), 'a\nb', 'a\u200bb', ...UNSEEN])
    await assert.rejects(ada.mint(name), { code: 'invalid_request' })
  for (const days of [0, -1, 1.5, 3651, Number.NaN])
    await assert.rejects(ada.mint('ci', days), { code: 'invalid_request' })
  assert.deepEqual(await ada.tokens(), [])
})

test('the last use is recorded at most once a minute', async () => {
  await using world = await createWorld()
  const ada = await member(world)
  const { secret } = await ada.mint('ci')
  const lastUse = async () => (await ada.list())[0]?.lastUsedAt
  const first = world.clock.now()
  await world.check(`Bearer ${secret}`)
  await until(async () => (await lastUse()) !== null)
  world.clock.advance(MINUTE)
  await world.check(`Bearer ${secret}`)
  await world.database.write(async () => {}) // all recorded uses are written by now
  assert.equal(await lastUse(), first)
  world.clock.advance(1)
  await world.check(`Bearer ${secret}`)
  await until(async () => (await lastUse()) !== first)
  assert.equal(await lastUse(), world.clock.now())
})
