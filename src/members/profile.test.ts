import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { checkSchema } from '../base/schema.ts'
import { assemble } from '../http/http-service.ts'
import { FORMER_USERNAME_RETENTION_MS } from './former-usernames.ts'
import { createMember, disableMember, renameMember, updateMember } from './member.ts'
import { prefersMarkdown } from './public/prefers-markdown.ts'
import { Profile } from './profile.ts'
import { profileRoutes } from './public/profile.route.ts'
import type { NewMember } from './member-fields.ts'
import { openGate } from '../../test/support/gate.ts'

const PUBLIC_URL = 'https://weft.example'

async function serve() {
  const store = await createStore()
  const http = assemble({
    ...openGate(),
    routes: profileRoutes({ ...store, publicUrl: PUBLIC_URL }),
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    database: store.database,
    clock: store.clock,
    create: (fields: Partial<NewMember> = {}) =>
      store.database.write((tx) =>
        createMember(tx, { username: 'ada', name: 'Ada Lovelace', ...fields }, TEST_NOW),
      ),
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers, method, redirect: 'manual' }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Headers that are equal for equal responses. */
function stableHeaders(answer: Response): [string, string][] {
  const changing = new Set(['x-request-id', 'date', 'connection', 'keep-alive'])
  return [...answer.headers].filter(([name]) => !changing.has(name))
}

test('a profile is complete and equal at three URLs, case-insensitively', async () => {
  await using service = await serve()
  await service.create({
    headline: 'Countess',
    skills: ['Mathematics'],
    links: [{ label: 'Notes', url: 'https://example.com/notes' }],
    email: 'ada@example.com',
  })
  const answer = await service.get('/api/human/ADA')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=60')
  assert.equal(answer.headers.get('vary'), 'Accept')
  const profile: unknown = await answer.json()
  assert.deepEqual(profile, {
    object: 'human',
    username: 'ada',
    name: 'Ada Lovelace',
    headline: 'Countess',
    about: null,
    location: null,
    organization: null,
    title: null,
    skills: ['Mathematics'],
    links: [{ label: 'Notes', url: 'https://example.com/notes' }],
    avatar_url: null,
    profile_url: 'https://weft.example/human/ada',
    markdown_url: 'https://weft.example/api/human/ada.md',
    joined_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  })
  assert.equal(checkSchema(Profile, profile).ok, true)
  assert.deepEqual(await (await service.get('/api/human/Ada.json')).json(), profile)
  assert.deepEqual(await (await service.get('/api/human/%61da?x=1')).json(), profile)
})

test('markdown has front matter and a readable page', async () => {
  await using service = await serve()
  await service.create({
    username: '1e5',
    headline: 'Countess',
    about: 'First line\nsecond line\n\nNext paragraph',
    title: 'Analyst',
    organization: 'Engine & Co',
    location: 'London',
    skills: ['Mathematics', 'Poetry'],
    links: [{ label: 'Notes', url: 'https://example.com/notes' }],
  })
  const answer = await service.get('/api/human/1e5.md')
  assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.equal(
    await answer.text(),
    `---
username: "1e5"
updated_at: "2026-11-21T12:00:00.000Z"
url: "https://weft.example/human/1e5"
---

# Ada Lovelace

**Countess**

Analyst, Engine & Co · London

## About

First line\\
second line

Next paragraph

## Skills

- Mathematics
- Poetry

## Links

- [Notes](https://example.com/notes)
`,
  )
})

test('hostile text stays text in markdown', async () => {
  await using service = await serve()
  const hostile =
    '# x [a](javascript:alert(1)) <script>alert(1)</script> ![i](http://e.example) `c` ~~s~~ &lt;'
  await service.create({
    name: '--- # x',
    headline: hostile,
    about: `---\n# head\n> quote\n1. list\n- item\n\n    code\n\n\`\`\`\nfence\n\na | b\n--- | ---\n<b>`,
    skills: [hostile.slice(0, 60), '- nested', '1. one'],
    links: [{ label: '](javascript:alert(1))', url: 'https://example.com/)(<>' }],
  })
  const text = await (await service.get('/api/human/ada.md')).text()
  const body = text.split('---\n').slice(2).join('---\n')
  assert.doesNotMatch(body, /(?<!\\)<(script|b>)/)
  assert.doesNotMatch(body, /(?<!\\)\[a\]\(javascript/)
  assert.doesNotMatch(body, /(?<!\\)!\[i/)
  assert.doesNotMatch(body, /(?<!\\)~~s/)
  assert.doesNotMatch(body, /^(-{3}|# head|> quote|1\. list|```|- item|-{3} \|)/m)
  assert.match(body, /^# --- # x$|^# \\--- # x$/m)
  assert.match(body, /\\\]\(javascript:alert\(1\)\)\]\(/)
  assert.equal(
    body.match(/\]\(/g)?.length,
    body.match(/\\\]\(|(?<!\\)\]\(https:\/\/example\.com/g)?.length,
  )
})

test('Accept decides the format of the bare address alone', async () => {
  await using service = await serve()
  await service.create()
  const typeOf = async (path: string, accept: string) =>
    (await service.get(path, { accept })).headers.get('content-type')?.split(';')[0]
  assert.equal(await typeOf('/api/human/ada', 'text/markdown'), 'text/markdown')
  assert.equal(
    await typeOf('/api/human/ada', 'text/markdown;q=0.5, application/json'),
    'application/json',
  )
  assert.equal(await typeOf('/api/human/ada.json', 'text/markdown'), 'application/json')
  assert.equal(await typeOf('/api/human/ada.md', 'application/json'), 'text/markdown')
})

test('markdown is preferred when the Accept header puts it before JSON', () => {
  const cases: [string | undefined, boolean][] = [
    [undefined, false],
    ['*/*', false],
    ['text/html, */*;q=0.8', false],
    ['text/markdown, */*', true],
    ['text/markdown;q=0.9, */*;q=0.8', true],
    ['text/markdown;q=0.5, */*', false],
    ['application/json, text/markdown', false],
    ['text/markdown, application/json', true],
    ['TEXT/Markdown, application/json;q=0.9', true],
    ['text/markdown;q=0, */*', false],
    ['text/*', true],
    ['text/*;q=0.5, */*;q=0.5', true],
    ['text/*;q=0.5, application/*', false],
    ['text/markdown;q=nonsense', false],
    ['text/x-markdown', false],
  ]
  for (const [accept, expected] of cases)
    assert.equal(prefersMarkdown(accept), expected, accept ?? 'no header')
})

test('unknown, private, disabled and malformed usernames are one and the same 404', async () => {
  await using service = await serve()
  await service.create({ username: 'hidden', isPublic: false })
  const { memberId } = await service.create({ username: 'gone' })
  await service.database.write((tx) => disableMember(tx, memberId, TEST_NOW))
  const answers = await Promise.all(
    [
      'unknown',
      'hidden',
      'gone',
      'a',
      '-x',
      'a%20b',
      '%00',
      'x.xml',
      'hidden.json',
      'gone.md',
      'x'.repeat(60),
    ].map(async (username) => {
      const answer = await service.get(`/api/human/${username}`)
      const { request_id: _, ...problem } = (await answer.json()) as Record<string, unknown>
      const headers = stableHeaders(answer)
      return JSON.stringify([answer.status, problem, headers])
    }),
  )
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0] ?? '', /^\[404,.*"code":"not_found"/)
})

test('an unchanged profile is 304, a changed one is not, and formats differ', async () => {
  await using service = await serve()
  const { memberId } = await service.create()
  const json = (await service.get('/api/human/ada')).headers.get('etag') ?? ''
  const markdown = (await service.get('/api/human/ada.md')).headers.get('etag') ?? ''
  assert.match(json, /^"[\w.-]+"$/)
  assert.notEqual(json, markdown)
  const again = await service.get('/api/human/ada', { 'if-none-match': json })
  assert.equal(again.status, 304)
  assert.equal(again.headers.get('etag'), json)
  assert.equal(await again.text(), '')
  await service.database.write((tx) => updateMember(tx, memberId, { title: 'x' }, TEST_NOW))
  const changed = await service.get('/api/human/ada', { 'if-none-match': json })
  assert.equal(changed.status, 200)
  assert.equal(((await changed.json()) as Profile).title, 'x')
  assert.match(await (await service.get('/api/human/ada.md')).text(), /^x$/m)
})

test('a profile that was read and is then made private is gone at once', async () => {
  await using service = await serve()
  const { memberId } = await service.create()
  for (const path of ['/api/human/ada', '/api/human/ada.md'])
    assert.equal((await service.get(path)).status, 200)
  await service.database.write((tx) => updateMember(tx, memberId, { isPublic: false }, TEST_NOW))
  for (const path of ['/api/human/ada', '/api/human/ada.json', '/api/human/ada.md'])
    assert.equal((await service.get(path)).status, 404)
})

test('a former username redirects to the new one for 180 days, in the requested format', async () => {
  await using service = await serve()
  const { memberId } = await service.create()
  const rename = (username: string) =>
    service.database.write((tx) => renameMember(tx, memberId, username, service.clock.now()))
  await rename('augusta')
  await rename('countess')
  for (const [former, extension] of [
    ['ada', ''],
    ['ADA', '.json'],
    ['augusta', '.md'],
  ]) {
    const answer = await service.get(`/api/human/${former}${extension}`)
    const location = `${PUBLIC_URL}/api/human/countess${extension}`
    assert.equal(answer.status, 301)
    assert.equal(answer.headers.get('location'), location)
    assert.deepEqual(await answer.json(), { object: 'moved', username: 'countess', location })
  }
  assert.equal((await service.get('/api/human/countess')).status, 200)
  const setPublic = (isPublic: boolean) =>
    service.database.write((tx) => updateMember(tx, memberId, { isPublic }, TEST_NOW))
  await setPublic(false)
  assert.equal((await service.get('/api/human/ada')).status, 404)
  await setPublic(true)
  service.clock.advance(FORMER_USERNAME_RETENTION_MS - 1)
  assert.equal((await service.get('/api/human/ada')).status, 301)
  service.clock.advance(1)
  assert.equal((await service.get('/api/human/ada')).status, 404)
})

test('HEAD is GET without a body, and OPTIONS and unsupported methods list the allowed ones', async () => {
  await using service = await serve()
  await service.create()
  for (const path of [
    '/api/human/ada',
    '/api/human/ada.json',
    '/api/human/ada.md',
    '/api/human/nobody',
  ]) {
    const [get, head] = await Promise.all([service.get(path), service.get(path, {}, 'HEAD')])
    assert.equal(head.status, get.status)
    assert.deepEqual(stableHeaders(head), stableHeaders(get))
    assert.equal(await head.text(), '')
    const post = await service.get(path, {}, 'POST')
    assert.equal(post.status, 405)
    assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal((await service.get(path, {}, 'OPTIONS')).status, 204)
  }
})
