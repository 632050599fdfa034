import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { checkSchema } from '../base/schema.ts'
import { tokenize } from '../base/tokenize.ts'
import { assemble } from '../http/http-service.ts'
import { DirectoryPage, searchDirectory } from './directory.ts'
import { directoryRoutes } from './public/directory.route.ts'
import { createMember, updateMember } from './member.ts'
import type { Member } from './member-row.ts'
import { rankOf } from './directory-rank.ts'
import type { NewMember } from './member-fields.ts'
import type { Database } from '../db/database.ts'
import { openGate } from '../../test/support/gate.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const PUBLIC_URL = 'https://weft.example'

async function serve(members: readonly NewMember[] = []) {
  const store = await createStore()
  const http = assemble({
    ...openGate(),
    routes: directoryRoutes({ database: store.database, publicUrl: PUBLIC_URL }),
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  const get = (search: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/api/network/members${search}`, { headers, method })
  await createAll(store.database, members)
  return {
    database: store.database,
    get,
    page: async (search: string) => (await (await get(search)).json()) as DirectoryPage,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

function createAll(database: Database, members: readonly NewMember[]): Promise<Member[]> {
  return database.write(async (tx) => {
    const made: Member[] = []
    for (const member of members) made.push(await createMember(tx, member, TEST_NOW))
    return made
  })
}

async function found(database: Database, q: string, perPage = 100): Promise<string[]> {
  const { members } = await searchDirectory(database, { q, perPage }, PUBLIC_URL)
  return members.map(({ username }) => username)
}

function person(username: string, name: string, rest: Partial<NewMember> = {}): NewMember {
  return { username, name, ...rest }
}

test('a page contains complete public members only, with a link to the next page', async () => {
  await using service = await serve([
    person('ada', 'Ada Lovelace', { headline: 'Countess', email: 'ada@example.com' }),
    person('grace', 'Grace Hopper', { location: 'New York', organization: 'Navy' }),
    person('hidden', 'Hidden Person', { isPublic: false }),
  ])
  const answer = await service.get('?per_page=1&q=')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=30')
  const page = (await answer.json()) as DirectoryPage
  assert.equal(checkSchema(DirectoryPage, page).ok, true)
  assert.deepEqual(
    { ...page, next_cursor: '' },
    {
      object: 'list',
      members: [
        {
          object: 'human_summary',
          username: 'grace',
          name: 'Grace Hopper',
          headline: null,
          location: 'New York',
          organization: 'Navy',
          url: 'https://weft.example/human/grace',
        },
      ],
      per_page: 1,
      has_more: true,
      next_cursor: '',
    },
  )
  const link = /^<https:\/\/weft\.example\/api\/network\/members(\?.*)>; rel="next"$/.exec(
    answer.headers.get('link') ?? '',
  )
  const next = await service.get(link?.[1] ?? '')
  assert.equal(next.headers.get('link'), null)
  const last = (await next.json()) as DirectoryPage
  assert.deepEqual(
    last.members.map(({ username }) => username),
    ['ada'],
  )
  assert.deepEqual([last.has_more, last.next_cursor], [false, null])
})

test('words are found in every public field, without accents, in any case and order', async () => {
  await using service = await serve([
    person('jm', 'Jürgen Müller', {
      headline: 'Keeper of bees',
      organization: 'Zuckerhütte',
      title: 'Imker',
      location: 'København',
      skills: ['Carpentry', 'C++'],
      about: 'secretword',
      email: 'mailword@example.com',
    }),
    person('elodie-d', 'Élodie Durand'),
    person('wang', '王伟'),
  ])
  const { database } = service
  for (const q of [
    'muller',
    'MÜLLER jurgen',
    'bees',
    'zuckerhutte',
    'imker',
    'kobenhavn',
    'carpentry',
    'bees mull',
  ])
    assert.deepEqual(await found(database, q), ['jm'], q)
  for (const q of ['elodie', 'ÉLODIE', 'elodie-d', 'Elodie D'])
    assert.deepEqual(await found(database, q), ['elodie-d'], q)
  assert.deepEqual(await found(database, '伟'), ['wang'])
  for (const q of ['secretword', 'mailword', 'muller elodie', '!!!', '🎉', '""'])
    assert.deepEqual(await found(database, q), [], q)
})

test('only the last word may be a prefix', async () => {
  await using service = await serve([
    person('p1', 'Anna Schwarzenegger', { headline: 'Communications engineering' }),
  ])
  const { database } = service
  for (const word of ['schwarzenegger', 'communications', 'engineering'])
    for (let length = 1; length <= word.length; length++)
      assert.deepEqual(
        await found(database, `anna ${word.slice(0, length)}`),
        ['p1'],
        word.slice(0, length),
      )
  assert.deepEqual(await found(database, 'schwarz anna'), [])
  assert.deepEqual(await found(database, 'communicatio anna'), [])
  assert.deepEqual(await found(database, 'chwarz'), [])
})

test('a prefix of more words than are expanded still finds all of them', async () => {
  await using service = await serve(
    Array.from({ length: 150 }, (_, n) =>
      person(`m${n}`, `Member ${n}`, { headline: `abcdefgh${n.toString(36)}x` }),
    ),
  )
  const first = await service.page('?q=abcdefgh&per_page=100')
  const rest = await service.page(`?q=abcdefgh&per_page=100&cursor=${first.next_cursor}`)
  assert.equal(
    new Set([...first.members, ...rest.members].map(({ username }) => username)).size,
    150,
  )
  // 1, and 36 to 71 in base 36.
  assert.equal((await found(service.database, 'abcdefgh1')).length, 37)
})

test('a whole username is found even if names start with it', async () => {
  await using service = await serve([
    person('martinson-k', '王伟'),
    person('other', 'Eva Martinsonova'),
    person('third', 'Martinsonsky'),
  ])
  const usernames = await found(service.database, 'martinson')
  assert.deepEqual(usernames.sort(), ['martinson-k', 'other', 'third'])
})

test('order: exact username, exact name, words of a name, then the rest, with more complete profiles first', async () => {
  const full = { headline: 'Ada', about: 'x', location: 'y', organization: 'z', title: 't' }
  await using service = await serve([
    person('other1', 'Someone', full),
    person('other2', 'Someone', { headline: 'Ada' }),
    person('x1', 'Adalbert Stifter', { headline: 'poet' }),
    person('x2', 'Ada Lovelace'),
    person('x3', 'Ada'),
    person('ada', 'Zed'),
  ])
  assert.deepEqual(await found(service.database, 'ada'), [
    'ada',
    'x3',
    'x1',
    'x2',
    'other1',
    'other2',
  ])
})

test('special characters in a query are plain text', async () => {
  await using service = await serve([
    person('ada', 'Ada Lovelace', { headline: 'and or not near' }),
  ])
  const { database } = service
  const hostile = [
    'ada AND',
    'ada OR x',
    'NOT ada',
    'NEAR(ada lovelace)',
    '"ada',
    "ada'--",
    'name:ada',
    '{name}:ada',
    '^ada',
    'ada*',
    '=ada',
    '(ada',
    'ada)',
    "'; drop table members; --",
    '-ada',
    '+ada',
    'a'.repeat(200),
    'ada '.repeat(50),
    '%',
    '_',
    '\\',
  ]
  for (const q of hostile) {
    const answer = await service.get(`?q=${encodeURIComponent(q)}`)
    assert.equal(answer.status, 200, q)
  }
  for (const q of ['"ada', "ada'--", '^ada', 'ada*', '=ada', '(ada', '-ada', 'NOT ada', 'ada AND'])
    assert.deepEqual(await found(database, q), ['ada'], q)
  assert.deepEqual(await found(database, 'ada OR x'), [])
  await fc.assert(
    fc.asyncProperty(unicodeText({ maxLength: 60 }), async (q) => {
      await found(database, q)
    }),
    { numRuns: 100 },
  )
})

test('an invalid parameter is a 400 that names it', async () => {
  await using service = await serve([person('aa', 'A'), person('bb', 'B'), person('cc', 'A')])
  const { next_cursor } = await service.page('?per_page=1&q=a')
  assert.ok(next_cursor)
  const json = Buffer.from('{"tier":0}').toString('base64url')
  const wrong: [string, string][] = [
    ['?per_page=0', '/per_page'],
    ['?per_page=101', '/per_page'],
    ['?per_page=x', '/per_page'],
    ['?per_page=1.5', '/per_page'],
    ['?page=0', '/page'],
    ['?page=51', '/page'],
    ['?page=11&per_page=100', '/page'],
    [`?page=2&q=a&cursor=${next_cursor}`, '/page'],
    ['?cursor=', '/cursor'],
    ['?cursor=nonsense', '/cursor'],
    [`?cursor=${json}`, '/cursor'],
    [`?q=a&cursor=${next_cursor}A`, '/cursor'],
    [`?q=a&cursor=${next_cursor}%0a`, '/cursor'],
    [`?q=b&cursor=${next_cursor}`, '/cursor'],
    [`?cursor=${next_cursor}`, '/cursor'],
    [`?q=${'x'.repeat(201)}`, '/q'],
    [`?q=${'x'.repeat(10_000)}`, '/q'],
    [`?q=a${'%CC%81'.repeat(300)}`, '/q'],
    ['?q=%00', '/q'],
  ]
  for (const [search, pointer] of wrong) {
    const answer = await service.get(search)
    const problem = (await answer.json()) as { code: string; errors: { pointer: string }[] }
    assert.deepEqual(
      [answer.status, problem.code, problem.errors[0]?.pointer],
      [400, 'invalid_request', pointer],
      search.slice(0, 80),
    )
  }
  assert.equal((await service.get(`?q=${'%F0%9F%8E%89'.repeat(200)}`)).status, 200)
  assert.equal((await service.get('?unknown=1&per_page=100')).status, 200)
})

test('numbered pages equal the pages of a cursor', async () => {
  await using service = await serve(
    Array.from({ length: 7 }, (_, n) => person(`m${n}`, `Ada ${n}`)),
  )
  const second = await service.page('?q=ada&per_page=3&page=2')
  const { next_cursor } = await service.page('?q=ada&per_page=3&page=1')
  assert.deepEqual(second, await service.page(`?q=ada&per_page=3&cursor=${next_cursor}`))
  const beyond = await service.page('?q=ada&per_page=3&page=4')
  assert.deepEqual([beyond.members.length, beyond.has_more], [0, false])
})

const VOCABULARY =
  'ada anna an adalbert engineer engineering engineers communications communication müller mull berlin software 王 x1'.split(
    ' ',
  )

test('all pages together contain every match once, ordered by tier and rank', async () => {
  const text = fc
    .array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 3 })
    .map((list) => list.join(' '))
  const someone = fc.record({
    name: text,
    headline: fc.option(text),
    skills: fc.array(text, { maxLength: 2 }),
  })
  const query = fc
    .tuple(
      fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 2 }),
      fc.constantFrom(...VOCABULARY),
      fc.nat(12),
    )
    .map(([whole, last, cut]) => [...whole, last.slice(0, cut + 1)].join(' '))
  await fc.assert(
    fc.asyncProperty(
      fc.array(someone, { minLength: 1, maxLength: 40 }),
      fc.array(query, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (people, queries, perPage) => {
        await using store = await createStore()
        const { database } = store
        const usernames = ['ada', 'ada-x1', 'mull', ...people.map((_, n) => `zz-${n}`)]
        const members = await createAll(
          database,
          people.map((fields, n) => ({
            ...fields,
            username: usernames[n] ?? '',
            isPublic: n % 5 !== 4,
          })),
        )
        for (const q of ['', ...queries])
          assert.deepEqual(await walk(database, q, perPage), expected(members, q), q)
      },
    ),
    { numRuns: 25 },
  )
})

async function walk(database: Database, q: string, perPage: number): Promise<string[]> {
  const usernames: string[] = []
  let cursor: string | null = null
  do {
    const page: DirectoryPage = await searchDirectory(
      database,
      { q, perPage, ...(cursor === null ? {} : { cursor }) },
      PUBLIC_URL,
    )
    assert.ok(page.members.length === perPage || !page.has_more)
    usernames.push(...page.members.map(({ username }) => username))
    cursor = page.next_cursor
  } while (cursor !== null)
  return usernames
}

/** The expected result, computed from all members: assigned to tiers and sorted. */
function expected(members: readonly Member[], q: string): string[] {
  const asked = tokenize(q)
  return members
    .filter(({ isPublic }) => isPublic)
    .map((member) => ({ member, tier: tierOf(member, asked) }))
    .filter(({ tier }) => tier < 4)
    .sort(
      (a, b) =>
        a.tier - b.tier ||
        rankOf(b.member) - rankOf(a.member) ||
        a.member.memberId - b.member.memberId,
    )
    .map(({ member }) => member.username)
}

function tierOf(member: Member, asked: readonly string[]): number {
  const name = tokenize(member.name)
  const inName = [...name, ...tokenize(member.username)]
  const all = [...inName, ...tokenize([member.headline, ...member.skills].join(' '))]
  const has = (list: readonly string[]) =>
    asked.every((word, n) =>
      list.some((one) => (n === asked.length - 1 ? one.startsWith(word) : one === word)),
    )
  if (asked.length === 0 || member.username === asked.join('-')) return 0
  if (name.join(' ') === asked.join(' ')) return 1
  return has(inName) ? 2 : has(all) ? 3 : 4
}

test('an updated member is found by new words and not by old ones', async () => {
  await using service = await serve()
  const { database } = service
  const [ada] = await createAll(database, [person('ada', 'Ada Byron', { skills: ['engineering'] })])
  assert.ok(ada)
  for (const q of ['byron', 'engineer']) assert.deepEqual(await found(database, q), ['ada'], q)
  await database.write((tx) =>
    updateMember(tx, ada.memberId, { name: 'Ada Lovelace', skills: ['weaving'] }, TEST_NOW),
  )
  for (const q of ['byron', 'engineer', 'engineering', 'ada byron'])
    assert.deepEqual(await found(database, q), [], q)
  for (const q of ['lovelace', 'weaving', 'ada lovelace'])
    assert.deepEqual(await found(database, q), ['ada'], q)
})

test('304 for an unchanged page, HEAD without a body, 405 and OPTIONS', async () => {
  await using service = await serve([person('ada', 'Ada Lovelace')])
  const answer = await service.get('?q=ada')
  const etag = answer.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{27}"$/)
  assert.equal((await service.get('?q=ada', { 'if-none-match': etag })).status, 304)
  assert.equal((await service.get('?q=nobody', { 'if-none-match': etag })).status, 200)
  const head = await service.get('?q=ada', {}, 'HEAD')
  assert.equal(head.headers.get('etag'), etag)
  assert.equal(head.headers.get('content-length'), String((await answer.text()).length))
  assert.equal(await head.text(), '')
  const post = await service.get('', {}, 'POST')
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  assert.equal((await service.get('', {}, 'OPTIONS')).status, 204)
})

test('filters narrow the API and stay in the link to the next page', async () => {
  const people = ['ada', 'bob', 'cyd'].map((username) =>
    person(username, 'Lovelace', { location: username === 'cyd' ? 'Rome' : 'Berlin, Germany' }),
  )
  await using service = await serve(people)
  const answer = await service.get('?location=germany&q=lovelace&per_page=1')
  const page = (await answer.json()) as DirectoryPage
  assert.equal(page.members[0]?.location, 'Berlin, Germany')
  const [, next = ''] = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? []
  const rest = (await (await service.get(new URL(next).search)).json()) as DirectoryPage
  assert.deepEqual([rest.members.length, rest.has_more], [1, false])
  const cursor = encodeURIComponent(page.next_cursor ?? '')
  for (const query of [`?q=lovelace&cursor=${cursor}`, `?skill=${'x'.repeat(121)}`])
    assert.equal((await service.get(query)).status, 400)
})
