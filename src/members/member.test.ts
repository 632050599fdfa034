import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { DAY } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { searchDirectory } from './directory.ts'
import { FORMER_USERNAME_RETENTION_MS, MAX_FORMER_USERNAMES } from './former-usernames.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  findMemberByUsername,
  listMembers,
  renameMember,
  requireMember,
  requireMemberByUsername,
  updateMember,
  type CreateOptions,
} from './member.ts'
import { type Member } from './member-row.ts'
import { rankOf } from './directory-rank.ts'
import type { NewMember } from './member-fields.ts'
import type { Database } from '../db/database.ts'

const URL_BASE = 'https://weft.example'

function create(database: Database, fields: Partial<NewMember>, options?: CreateOptions) {
  return database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace', ...fields }, TEST_NOW, options),
  )
}

async function found(database: Database, q: string): Promise<string[]> {
  const page = await searchDirectory(database, { q }, URL_BASE)
  return page.members.map(({ username }) => username)
}

function refusedAt(pointer: string, code = 'invalid_request') {
  return (error: unknown) => {
    assert.ok(error instanceof RequestError, String(error))
    assert.equal(error.code, code)
    assert.equal(error.details.errors?.[0]?.pointer, pointer)
    return true
  }
}

test('a member is stored with trimmed values and defaults and found case-insensitively', async () => {
  await using store = await createStore()
  const made = await create(store.database, {
    username: 'Ada-Lovelace',
    name: '  Ada Lovelace ',
    email: 'Ada@Example.com',
    headline: '',
    about: ' One\r\n\r\nTwo ',
    skills: ['Mathematics', 'mathematics', 'Poetry'],
    links: [{ label: 'Home', url: 'https://EXAMPLE.com/a b' }],
  })
  assert.ok(made.memberId >= 1 && made.memberId < 2 ** 28)
  assert.deepEqual(made, {
    memberId: made.memberId,
    username: 'ada-lovelace',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    headline: null,
    about: 'One\n\nTwo',
    location: null,
    organization: null,
    title: null,
    skills: ['Mathematics', 'Poetry'],
    links: [{ label: 'Home', url: 'https://example.com/a%20b' }],
    avatarUrl: null,
    photo: null,
    isPublic: true,
    timeZone: null,
    version: 1,
    joinedAt: TEST_NOW,
    updatedAt: TEST_NOW,
    disabledAt: null,
  })
  assert.deepEqual(await findMemberByUsername(store.database, 'ADA-LOVELACE'), made)
  const NETWORK = memberStatement<object, { last_note: number }>()(
    'select last_note from networks where member_id = :member_id',
  )
  assert.deepEqual(
    { ...(await store.database.member(made.memberId).get(NETWORK, {})) },
    { last_note: 0 },
  )
})

test('malformed and reserved usernames are rejected, but the service can use reserved ones', async () => {
  await using store = await createStore()
  const malformed = [
    'a',
    '',
    '-ada',
    'ada-',
    'a--b',
    'ada_l',
    'ada.l',
    'ädä',
    'a b',
    'a'.repeat(40),
    'a\0b',
  ]
  const reserved = [
    'api',
    'Admin',
    'MCP',
    'well-known',
    'sign-in',
    'null',
    'undefined',
    'me',
    'demo',
    'weft',
  ]
  for (const username of [...malformed, ...reserved])
    await assert.rejects(create(store.database, { username }), refusedAt('/username'), username)
  await create(store.database, { username: 'demo' }, { allowReserved: true })
  await create(store.database, { username: 'a1' })
  await create(store.database, { username: 'x'.repeat(39) })
})

test('a taken username or email is a conflict that names the field', async () => {
  await using store = await createStore()
  const { database } = store
  const ada = await create(database, { email: 'ada@example.com' })
  await assert.rejects(create(database, { username: 'ADA' }), refusedAt('/username', 'conflict'))
  await assert.rejects(
    create(database, { username: 'other', email: 'ADA@example.com' }),
    refusedAt('/email', 'conflict'),
  )
  const grace = await create(database, { username: 'grace', email: 'grace@example.com' })
  await assert.rejects(
    database.write((tx) =>
      updateMember(tx, grace.memberId, { email: 'ada@example.com' }, TEST_NOW),
    ),
    refusedAt('/email', 'conflict'),
  )
  // A member's own address does not conflict.
  await database.write((tx) =>
    updateMember(tx, ada.memberId, { email: 'ada@example.com' }, TEST_NOW),
  )
})

test('each invalid field is rejected by name', async () => {
  await using store = await createStore()
  const wrong: [Partial<NewMember>, string][] = [
    [{ name: '' }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: '\u200b\u200d' }, '/name'],
    [{ name: 'a\0b' }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: 'a\u202eb' }, '/name'],
    [{ name: 'a\ud800' }, '/name'],
    [{ name: 'é'.normalize('NFD').repeat(61) }, '/name'],
    [{ headline: 'x'.repeat(201) }, '/headline'],
    [{ about: 'x'.repeat(5_001) }, '/about'],
    [{ about: 'a\u0007' }, '/about'],
    [{ about: 'a\udc00' }, '/about'],
    [{ location: 'x'.repeat(121) }, '/location'],
    [{ organization: 'a\tb' }, '/organization'],
    [{ title: 'x\u2028y' }, '/title'],
    [{ skills: ['ok', ''] }, '/skills/1'],
    [{ skills: ['x'.repeat(61)] }, '/skills/0'],
    [{ skills: Array.from({ length: 51 }, (_, n) => `s${n}`) }, '/skills'],
    [{ links: [{ label: 'x', url: 'javascript:alert(1)' }] }, '/links/0/url'],
    [{ links: [{ label: 'x', url: 'https:example.com' }] }, '/links/0/url'],
    [{ links: [{ label: 'x', url: 'https://a:b@example.com' }] }, '/links/0/url'],
    [{ links: [{ label: 'x', url: `https://example.com/${'a'.repeat(2_000)}` }] }, '/links/0/url'],
    [{ links: [{ label: ' ', url: 'https://example.com' }] }, '/links/0/label'],
    [
      { links: Array.from({ length: 21 }, () => ({ label: 'x', url: 'https://a.example' })) },
      '/links',
    ],
    [{ avatarUrl: 'data:image/png;base64,AA' }, '/avatar_url'],
    [{ email: 'no' }, '/email'],
    [{ email: 'a@b@c' }, '/email'],
    [{ email: 'a b@example.com' }, '/email'],
    [{ isPublic: 'yes' } as unknown as Partial<NewMember>, '/is_public'],
    [{ color: 'red' } as unknown as Partial<NewMember>, '/color'],
  ]
  for (const [fields, pointer] of wrong)
    await assert.rejects(create(store.database, fields), refusedAt(pointer), JSON.stringify(fields))
  await create(store.database, {
    name: '👩‍🚀 Ада',
    about: 'x'.repeat(5_000),
    headline: '🎉'.repeat(200),
  })
})

test('an update changes only the given fields, increments the version, and moves the member in the directory', async () => {
  await using store = await createStore()
  const { database } = store
  const { memberId } = await create(database, { headline: 'Weaver of looms', location: 'London' })
  const later = TEST_NOW + DAY
  const changed = await database.write((tx) =>
    updateMember(tx, memberId, { headline: 'Countess', location: null }, later),
  )
  assert.equal(changed.version, 2)
  assert.equal(changed.updatedAt, later)
  assert.equal(changed.joinedAt, TEST_NOW)
  assert.equal(changed.name, 'Ada Lovelace')
  assert.equal(changed.location, null)
  assert.deepEqual(await requireMember(database, memberId), changed)
  assert.deepEqual(await found(database, 'countess'), ['ada'])
  for (const q of ['weaver', 'looms', 'london', 'lond'])
    assert.deepEqual(await found(database, q), [])
})

test('private, disabled and deleted members are not in the directory', async () => {
  await using store = await createStore()
  const { database } = store
  const isListed = async () => {
    const answers = await Promise.all(
      ['', 'ada', 'ada lovelace', 'lovel', 'countess'].map((q) => found(database, q)),
    )
    assert.equal(new Set(answers.map((usernames) => usernames.length)).size, 1)
    return answers[0]?.length === 1
  }
  const change = (work: (member: Member) => Parameters<typeof database.write>[0]) => async () => {
    const member = await findMemberByUsername(database, 'ada')
    assert.ok(member)
    await database.write(work(member))
  }
  await create(database, { headline: 'Countess', isPublic: false })
  assert.equal(await isListed(), false)
  await change(
    ({ memberId }) =>
      (tx) =>
        updateMember(tx, memberId, { isPublic: true }, TEST_NOW),
  )()
  assert.equal(await isListed(), true)
  await change(
    ({ memberId }) =>
      (tx) =>
        disableMember(tx, memberId, TEST_NOW),
  )()
  assert.equal(await isListed(), false)
  await change(
    ({ memberId }) =>
      (tx) =>
        updateMember(tx, memberId, { title: 'Countess' }, TEST_NOW),
  )()
  assert.equal(await isListed(), false)
  await change(
    ({ memberId }) =>
      (tx) =>
        enableMember(tx, memberId),
  )()
  assert.equal(await isListed(), true)
  await change(
    ({ memberId }) =>
      (tx) =>
        deleteMember(tx, memberId),
  )()
  assert.equal(await isListed(), false)
  assert.equal(await findMemberByUsername(database, 'ada'), undefined)
})

test('deleting leaves no private rows and no search terms', async () => {
  await using store = await createStore()
  const { database } = store
  const { memberId } = await create(database, {})
  await database.member(memberId).write(async (tx) => {
    await tx.insertMany({
      table: 'connections',
      columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
      rows: [[1, 'Grace', 'grace', 'typed', 0, 0]],
    })
  })
  assert.equal(await database.write((tx) => deleteMember(tx, memberId)), true)
  assert.equal(await database.write((tx) => deleteMember(tx, memberId)), false)
  for (const table of ['members', 'networks', 'connections', 'directory_entries']) {
    const count = memberStatement<object, { n: number }>()(
      `select count(*) as n from ${table} where member_id = :member_id`,
    )
    assert.equal((await database.member(memberId).get(count, {}))?.n, 0, table)
  }
  const terms = statement<object, { n: number }>('select count(*) as n from directory_terms')
  assert.equal((await database.get(terms, {}))?.n, 0)
})

test('members are listed by username, page by page', async () => {
  await using store = await createStore()
  for (const username of ['cc', 'aa', 'bb']) await create(store.database, { username })
  const first = await listMembers(store.database, { limit: 2 })
  assert.deepEqual(
    first.map(({ username }) => username),
    ['aa', 'bb'],
  )
  const rest = await listMembers(store.database, { after: 'bb', limit: 2 })
  assert.deepEqual(
    rest.map(({ username }) => username),
    ['cc'],
  )
  await assert.rejects(
    requireMemberByUsername(store.database, 'zz'),
    /No member has the username “zz”/,
  )
})

test('a more complete profile ranks higher, then the older membership', async () => {
  await using store = await createStore()
  const { database } = store
  const bare = await create(database, { username: 'bare' })
  const full = await create(database, {
    username: 'full',
    headline: 'x',
    about: 'y',
    skills: ['z'],
  })
  assert.ok(rankOf(full) > rankOf(bare))
  assert.ok(rankOf(bare) > rankOf({ ...bare, joinedAt: TEST_NOW + 60 * DAY }))
  const everything = {
    ...full,
    organization: 'o',
    title: 't',
    location: 'l',
    links: [1],
    avatarUrl: 'a',
  }
  assert.ok(rankOf({ ...everything, joinedAt: 0 }) <= 4095)
  assert.ok(rankOf({ ...bare, joinedAt: Date.UTC(2100, 0) }) >= 0)
})

test('a new username is found at once, and the former one is reserved for 180 days', async () => {
  await using store = await createStore()
  const { database } = store
  const { memberId } = await create(database, {})
  const other = await create(database, { username: 'grace', name: 'Grace' })
  const rename = (id: number, username: string, now = TEST_NOW) =>
    database.write((tx) => renameMember(tx, id, username, now))
  const renamed = await rename(memberId, ' Countess ')
  assert.deepEqual([renamed.username, renamed.version], ['countess', 2])
  assert.equal(await findMemberByUsername(database, 'ada'), undefined)
  assert.deepEqual(await found(database, 'countess'), ['countess'])
  assert.equal((await rename(memberId, 'COUNTESS')).version, 2)

  const taken = refusedAt('/username', 'conflict')
  await assert.rejects(rename(other.memberId, 'ada'), taken)
  await assert.rejects(rename(other.memberId, 'countess'), taken)
  await assert.rejects(create(database, {}), taken)
  await assert.rejects(rename(memberId, 'admin'), refusedAt('/username'))
  await assert.rejects(rename(memberId, '-'), refusedAt('/username'))

  // The same member may take it back; then the other one is the former username.
  assert.equal((await rename(memberId, 'ada')).username, 'ada')
  await assert.rejects(rename(other.memberId, 'countess'), taken)
  const later = TEST_NOW + FORMER_USERNAME_RETENTION_MS
  assert.equal((await rename(other.memberId, 'countess', later)).username, 'countess')
})

test('the number of reserved usernames per member is limited', async () => {
  await using store = await createStore()
  const { memberId } = await create(store.database, {})
  const rename = (username: string, now = TEST_NOW) =>
    store.database.write((tx) => renameMember(tx, memberId, username, now))
  for (let count = 1; count <= MAX_FORMER_USERNAMES; count += 1) await rename(`ada-${count}`)
  await assert.rejects(rename('one-too-many'), refusedAt('/username', 'conflict'))
  assert.equal((await rename('ada-1')).username, 'ada-1')
  assert.equal((await rename('later', TEST_NOW + FORMER_USERNAME_RETENTION_MS)).username, 'later')
})
