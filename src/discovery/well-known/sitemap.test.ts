import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../../test/support/gate.ts'
import { createStore, TEST_NOW, type TestStore } from '../../../test/support/store.ts'
import { createLog } from '../../base/log.ts'
import { assemble } from '../../http/http-service.ts'
import { createMember, disableMember } from '../../members/member.ts'
import { createLibrary } from '../docs/library.ts'
import { readFileStarts, readPublicProfiles } from './sitemap.ts'
import { sitemapRoutes } from './sitemap.route.ts'
import { profileRoutes } from '../../members/public/profile.route.ts'

const PUBLIC_URL = 'https://weft.example'

async function addMembers({ database }: TestStore, usernames: readonly string[], isPublic = true) {
  await database.write(async (tx) => {
    for (const username of usernames)
      await createMember(tx, { username, name: username, isPublic }, TEST_NOW)
  })
}

async function serve(profilesAFile: number) {
  const store = await createStore()
  const { database, clock } = store
  const deps = {
    database,
    clock,
    publicUrl: PUBLIC_URL,
    tools: [],
    jobs: [],
    routes: () => routes,
  }
  const routes = profileRoutes(deps)
  const library = createLibrary(deps)
  const http = assemble({
    ...openGate(),
    routes: sitemapRoutes({ ...deps, library, profilesAFile }),
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    store,
    clock,
    async get(path: string) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      const text = await answer.text()
      return {
        status: answer.status,
        text,
        urls: [...text.matchAll(/<loc>([^<]+)/g)].map(([, url]) => url),
      }
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const addressOf = (username: string) => `${PUBLIC_URL}/api/human/${username}.md`

test('one file holds the pages and the public profiles with modification dates', async () => {
  await using service = await serve(10)
  await addMembers(service.store, ['ada', 'bob'])
  await addMembers(service.store, ['hidden'], false)
  const { text, urls } = await service.get('/sitemap.xml')
  assert.match(
    text,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n/,
  )
  assert.equal(urls[0], `${PUBLIC_URL}/`)
  assert.ok(urls.includes(`${PUBLIC_URL}/docs/connect`))
  assert.deepEqual(urls.slice(-2), [addressOf('ada'), addressOf('bob')])
  assert.ok(text.includes(`${addressOf('ada')}</loc><lastmod>2026-11-21T12:00:00.000Z</lastmod>`))
})

test('many profiles become an index of files with each profile once', async () => {
  await using service = await serve(3)
  const usernames = Array.from({ length: 8 }, (_, at) => `member-${at}`)
  await addMembers(service.store, usernames)
  const { text, urls } = await service.get('/sitemap.xml')
  assert.match(text, /<sitemapindex /)
  const paths = urls.map((url) => String(url).slice(PUBLIC_URL.length))
  assert.deepEqual(paths, [
    '/sitemap/pages.xml',
    '/sitemap/1.xml',
    '/sitemap/2.xml',
    '/sitemap/3.xml',
  ])
  const files = await Promise.all(paths.slice(1).map((path) => service.get(path)))
  assert.deepEqual(
    files.map(({ urls: listed }) => listed.length),
    [3, 3, 2],
  )
  assert.deepEqual(
    files.flatMap(({ urls: listed }) => listed),
    usernames.map(addressOf),
  )
  assert.equal((await service.get('/sitemap/pages.xml')).urls[0], `${PUBLIC_URL}/`)
  for (const path of ['/sitemap/4.xml', '/sitemap/0.xml', '/sitemap/x.xml', '/sitemap/1e0.xml'])
    assert.equal((await service.get(path)).status, 404, path)
})

test('the sitemap is cached for ten minutes', async () => {
  await using service = await serve(10)
  const before = (await service.get('/sitemap.xml')).urls.length
  await addMembers(service.store, ['ada'])
  service.clock.advance(9 * 60_000)
  assert.equal((await service.get('/sitemap.xml')).urls.length, before)
  service.clock.advance(61_000)
  assert.equal((await service.get('/sitemap.xml')).urls.length, before + 1)
})

test('files do not overlap; disabled members are left out', async () => {
  await using store = await createStore()
  await addMembers(store, ['a1', 'a2', 'a3', 'a4', 'a5'])
  const gone = await store.database.write((tx) =>
    createMember(tx, { username: 'a0', name: 'Gone' }, TEST_NOW),
  )
  await store.database.write((tx) => disableMember(tx, gone.memberId, TEST_NOW))
  assert.deepEqual(await readFileStarts(store.database, 2), ['', 'a2', 'a4'])
  assert.deepEqual(await readFileStarts(store.database, 5), [''])
  const names = (await readPublicProfiles(store.database, '', 2)).map(({ username }) => username)
  assert.deepEqual(names, ['a1', 'a2'])
})
