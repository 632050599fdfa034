import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../../test/support/gate.ts'
import { createStore, TEST_NOW } from '../../../test/support/store.ts'
import { openVisitor, type Page } from '../../../test/support/visitor.ts'
import { createLog } from '../../base/log.ts'
import { assemble } from '../../http/http-service.ts'
import { createMember } from '../../members/member.ts'
import { networkRoutes } from './directory.route.ts'
import type { NewMember } from '../../members/member-fields.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

async function serve(members: readonly NewMember[] = []) {
  const { database, ...store } = await createStore()
  const http = assemble({
    ...openGate(),
    routes: networkRoutes({
      database,
      publicUrl: PUBLIC_URL,
      privacyPolicy: null,
      termsOfService: null,
    }),
    log: createLog('silent'),
  })
  const visitor = openVisitor(`http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`)
  await database.write(async (tx) => {
    for (const member of members) await createMember(tx, member, TEST_NOW)
  })
  return {
    visitor,
    browser: (path: string, accept = BROWSER) => visitor.get(path, { accept }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const PUBLIC_URL = 'https://weft.example'

const ADA = {
  username: 'ada',
  name: 'Ada Lovelace',
  headline: 'Countess',
  organization: 'Babbage & Co',
  location: 'London',
}

function crowd(size: number): NewMember[] {
  return Array.from({ length: size }, (_, at) => ({
    username: `member-${at}`,
    name: `Member ${at}`,
    headline: 'Weaver',
  }))
}

function usernamesOn({ html }: Page): string[] {
  return [...html.matchAll(/href="\/human\/([a-z0-9-]+)"/g)].map(([, username = '']) => username)
}

test('the directory lists public members with their work and a link to their page', async () => {
  await using service = await serve([
    ADA,
    { username: 'hidden', name: 'Hidden Person', isPublic: false },
  ])
  const page = await service.browser('/network')
  assert.equal(page.status, 200)
  assert.deepEqual(usernamesOn(page), ['ada'])
  assert.match(page.text, /Ada Lovelace @ada Countess Babbage & Co · London/)
  assert.match(page.html, /<link rel="canonical" href="https:\/\/weft\.example\/network" \/>/)
  assert.doesNotMatch(page.text, /Next page|First page|Hidden/)
})

test('a search keeps its text across pages and lists each member once', async () => {
  await using service = await serve([ADA, ...crowd(45)])
  const start = await service.browser('/network')
  let page = await service.visitor.submit(start, { q: 'member' })
  const seen = usernamesOn(page)
  for (let turns = 0; turns < 2; turns += 1) {
    assert.match(page.html, /name="q"[^>]*value="member"/)
    assert.match(page.html, /<meta name="robots" content="noindex" \/>/)
    page = await service.browser(page.links['Next page'] ?? assert.fail('there is a next page'))
    seen.push(...usernamesOn(page))
  }
  assert.equal(page.links['Next page'], undefined)
  assert.match(page.text, /No more results/)
  assert.equal(seen.length, 45)
  assert.equal(new Set(seen).size, 45)
  const first = await service.browser(page.links['First page'] ?? '')
  assert.deepEqual(usernamesOn(first), seen.slice(0, 20))
})

test('a search without results suggests what to do, and an empty directory says so', async () => {
  await using service = await serve([ADA])
  const page = await service.browser('/network?q=%3Cb%3Ezzz')
  assert.match(page.text, /No results for “ ?<b>zzz ?”/)
  assert.equal(page.links['Clear search'], `${service.visitor.url}/network`)
  await using empty = await serve()
  assert.match((await empty.browser('/network')).text, /No public profiles yet/)
})

test('an invalid query shows an error beside the field and keeps the text', async () => {
  await using service = await serve([ADA])
  const page = await service.browser(`/network?q=${'x'.repeat(201)}`)
  assert.equal(page.status, 400)
  assert.equal(page.forms[0]?.fields['q'], 'x'.repeat(201))
  assert.deepEqual(page.forms[0]?.errors, { q: 'The search must have at most 200 characters.' })
  const lost = await service.browser('/network?q=ada&cursor=nonsense')
  assert.equal(lost.status, 400)
  assert.equal(lost.forms[0]?.fields['q'], 'ada')
  const begin = lost.links['Go to the first page'] ?? assert.fail('there is a way back')
  assert.deepEqual(usernamesOn(await service.browser(begin)), ['ada'])
})

test('a program gets a problem document for an invalid query', async () => {
  await using service = await serve()
  for (const [path, accept] of [
    ['/network?cursor=nonsense', 'application/json'],
    ['/network?cursor=nonsense', 'text/markdown'],
    ['/network.md?cursor=nonsense', BROWSER],
  ] as const) {
    const { status, headers } = await service.browser(path, accept)
    assert.equal(status, 400)
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json;/)
  }
})

test('agents get the list as Markdown, with a link to the next page', async () => {
  await using service = await serve([ADA, ...crowd(20)])
  const page = await service.browser('/network', 'text/markdown')
  assert.equal(page.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.match(
    page.html,
    /^- \[Ada Lovelace\]\(https:\/\/weft\.example\/human\/ada\.md\) \(@ada\): Countess · Babbage & Co · London$/m,
  )
  const [, next = ''] =
    /\[Next page\]\(https:\/\/weft\.example(\/network\.md\?cursor=[\w-]+)\)/.exec(page.html) ?? []
  assert.match((await service.browser(next)).html, /^- \[Member \d+\]/m)
  assert.match(
    page.headers.get('link') ?? '',
    /<https:\/\/weft\.example\/network\?cursor=[\w-]+>; rel="next"/,
  )
})

test('member input is escaped in both formats', async () => {
  const hostile = '<img src=x> [a](javascript:b) **c** ~~d~~'
  await using service = await serve([
    { ...ADA, name: hostile, headline: hostile, location: hostile },
  ])
  const page = await service.browser('/network')
  assert.doesNotMatch(page.html, /<img/)
  assert.ok(page.text.includes(`${hostile} @ada ${hostile}`))
  const { html: markdown } = await service.browser('/network.md')
  assert.doesNotMatch(markdown, /(?<!\\)<img|(?<!\\)\[a\]|(?<!\\)\*\*c|(?<!\\)~~d/)
})

test('a cached page gets 304, and both formats vary by Accept', async () => {
  await using service = await serve([ADA])
  for (const accept of [BROWSER, 'text/markdown']) {
    const { headers } = await service.browser('/network', accept)
    assert.equal(headers.get('cache-control'), 'public, max-age=30')
    assert.equal(headers.get('vary'), 'Accept, Accept-Language, Cookie, Accept-Encoding')
    const kept = { accept, 'if-none-match': headers.get('etag') ?? '' }
    assert.equal((await service.visitor.get('/network', kept)).status, 304)
  }
})

test('a few members are read without values to narrow them', async () => {
  await using directory = await serve(
    crowd(4).map((one, at) => Object.assign(one, { location: at < 2 ? 'Berlin' : 'Rome' })),
  )
  const { html, text } = await directory.browser('/network')
  assert.match(text, /profile · 4/)
  assert.doesNotMatch(html, /class="narrowing"/)
})

test('filters are links with counts, kept by the search form and pages, and removed by a link', async () => {
  const company = { organization: '<b>Ag & Co', skills: ['C++'] }
  const people = crowd(25).map((one, at) =>
    Object.assign(one, { location: at < 22 ? 'Berlin, Germany' : 'Rome' }, at < 3 && company),
  )
  await using directory = await serve(people)
  const all = await directory.browser('/network')
  assert.match(all.text, /profile · 25/)
  assert.match(all.text, /Location Berlin 22 Germany 22 Rome 3 Company <b>Ag & Co 3 Skill C\+\+ 3/)
  const germany = await directory.visitor.get(all.links['Germany 22'] ?? '')
  assert.match(germany.text, /profile · 22/)
  assert.match(germany.html, /<meta property="og:title" content="Germany · Directory"/)
  assert.match(
    germany.html,
    /rel="canonical" href="https:\/\/weft.example\/network\?location&#61;Germany"/,
  )
  const next = await directory.visitor.get(germany.links['Next page'] ?? '')
  assert.equal(usernamesOn(next).length, 2)
  assert.match(next.html, /content="noindex"/)
  const both = await directory.visitor.get(germany.links['<b>Ag & Co 3'] ?? '')
  assert.equal(usernamesOn(both).length, 3)
  assert.match(both.html, /content="noindex"/)
  const searched = await directory.visitor.submit(both, { q: 'member-1' })
  assert.deepEqual(usernamesOn(searched), ['member-1'])
  const without = searched.links['Location: Germany Remove this filter'] ?? ''
  assert.equal(new URL(without).search, '?q=member-1&company=%3Cb%3EAg+%26+Co')
  const none = await directory.browser('/network?location=Rome&skill=C%2B%2B')
  assert.match(none.text, /No results\./)
  const markdown = await directory.browser('/network.md?location=Rome')
  assert.match(markdown.html, /Location: Rome/)
  assert.equal((await directory.browser(`/network?skill=${'x'.repeat(200)}`)).status, 400)
})

test('members who have only a name are found, but not listed', async () => {
  await using directory = await serve([ADA, { username: 'eve', name: 'Eve' }])
  assert.deepEqual(usernamesOn(await directory.browser('/network')), ['ada'])
  assert.deepEqual(usernamesOn(await directory.browser('/network?q=eve')), ['eve'])
})
