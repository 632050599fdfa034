/** Every document follows its standard, has the right type, and links only to existing URLs. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openGate } from '../../test/support/gate.ts'
import { memberBrowser } from '../../test/support/oauth.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { fixedClock } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { assemble } from '../http/http-service.ts'
import { defineRoute } from '../http/route.ts'
import { json } from '../http/response.ts'
import { robotsTxt } from './well-known/robots-txt.ts'
import { securityTxtRoutes } from './well-known/security-txt.route.ts'
import { NETWORK_MOUNT, serverCard } from './well-known/server-card.ts'

// One service for all tests, which only read.
let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service[Symbol.asyncDispose]())

/** Uncompressed, unless the caller names a coding. */
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(service.url + path, {
    headers: { 'accept-encoding': 'identity', ...headers },
    method,
    redirect: 'manual',
  })

const textOf = async (path: string) => (await get(path)).text()

async function jsonOf(path: string): Promise<Record<string, unknown>> {
  return (await (await get(path)).json()) as Record<string, unknown>
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Addresses of single documents with the type each is served as. */
const TYPES: Readonly<Record<string, string>> = {
  '/openapi.json': 'application/json; charset=utf-8',
  '/v1': 'application/json; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/index.md': 'text/markdown; charset=utf-8',
  '/docs.md': 'text/markdown; charset=utf-8',
  '/auth.md': 'text/markdown; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml; charset=utf-8',
  '/.well-known/api-catalog':
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
  '/.well-known/mcp.json': 'application/mcp-server-card+json',
  '/mcp/docs/server-card': 'application/mcp-server-card+json',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/.well-known/agent-skills/index.json': 'application/json; charset=utf-8',
  '/.well-known/agent-skills/weft-network/SKILL.md': 'text/markdown; charset=utf-8',
}

test('documents have a type, an ETag, a cache lifetime and CORS; a current copy is a 304', async () => {
  for (const [path, type] of Object.entries(TYPES)) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('content-type'), type, path)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300', path)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
    const text = await answer.text()
    const etag = answer.headers.get('etag')
    assert.match(etag ?? '', /^"[\w-]{27}"$/, path)
    const again = await get(path, { 'if-none-match': etag ?? '' })
    assert.deepEqual([again.status, await again.text()], [304, ''], path)
    const head = await get(path, {}, 'HEAD')
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(text)), path)
  }
})

test('pages are HTML for people and markdown for agents, with Vary', async () => {
  for (const path of ['/', '/docs', '/docs/connect', '/docs/tools', '/mcp/docs']) {
    const page = await get(path, { accept: BROWSER })
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', path)
    assert.match(await page.text(), /<h1/, path)
    const markdown = await get(path, { accept: 'text/markdown' })
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8', path)
    assert.match(await markdown.text(), /^---\ntitle: ".+"\n[^]+\n---\n\n# /, path)
    assert.notEqual(page.headers.get('etag'), markdown.headers.get('etag'), path)
    // Pages differ for signed-in members.
    const vary = 'Accept, Accept-Language, Cookie, Accept-Encoding'
    for (const answer of [page, markdown]) assert.equal(answer.headers.get('vary'), vary, path)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/, path)
    const { status } = await get(path, {
      accept: 'text/markdown',
      'if-none-match': markdown.headers.get('etag') ?? '',
    })
    assert.equal(status, 304, path)
  }
})

test('documents are compressed if the client accepts it, and a compressed copy can be a 304', async () => {
  const plain = await textOf('/openapi.json')
  const answer = await get('/openapi.json', { 'accept-encoding': 'gzip, br' })
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.ok(Number(answer.headers.get('content-length')) < plain.length / 10)
  assert.equal(await answer.text(), plain)
  const { status } = await get('/openapi.json', {
    'accept-encoding': 'gzip, br',
    'if-none-match': answer.headers.get('etag') ?? '',
  })
  assert.equal(status, 304)
})

test('the home page has Link headers for agents and a URL to copy for people', async () => {
  const answer = await get('/', { accept: BROWSER })
  const relations = (answer.headers.get('link') ?? '').split(', ').map((link) => {
    const [, address = '', relation = ''] = /^<(.+?)>; rel="([a-z-]+)"/.exec(link) ?? []
    return [relation, address]
  })
  assert.deepEqual(Object.fromEntries(relations), {
    'api-catalog': '/.well-known/api-catalog',
    'service-desc': '/openapi.json',
    'service-doc': '/docs',
    describedby: '/llms.txt',
    alternate: '/index.md',
    sitemap: '/sitemap.xml',
  })
  assert.match(await answer.text(), new RegExp(`data-copy="${service.url}/mcp"`))
})

test('the home page of a signed-in member links to their pages and is not cached', async () => {
  const { cookie } = await memberBrowser(service, { username: 'homely', name: 'Homely' })
  const own = await get('/', { accept: BROWSER, cookie })
  const text = await own.text()
  assert.match(text, /<nav id="menu"[^]+@homely[^]+class="hero"/)
  assert.doesNotMatch(text, />Sign in</)
  assert.equal(own.headers.get('cache-control'), 'no-store')
  assert.equal(own.headers.get('vary'), 'Accept, Accept-Language, Cookie')
  assert.ok(own.headers.has('link'))
  for (const stranger of ['', 'weft_session=weft_ses_nobody', 'weft_time_zone=Europe/Berlin']) {
    const answer = await get('/', { accept: BROWSER, cookie: stranger })
    assert.match(await answer.text(), />Sign in</)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  }
})

test('llms.txt is short, says when to use the service, and lists tools, documents and endpoints', async () => {
  const text = await textOf('/llms.txt')
  assert.ok(text.length < 30_000, `${text.length} characters`)
  assert.match(text, /^# Weft\n\n> .+\n\n## When to use\n/)
  for (const part of ['/auth.md', '/openapi.json', '`search_connections`', '/docs/connect.md'])
    assert.ok(text.includes(part), part)
  assert.ok(text.includes(`GET ${service.url}/api/human/{username}`))
  assert.ok(!text.includes('/assets/'))
  assert.match(await textOf('/llms-full.txt'), /# Weft[^]+## search_connections/)
})

test('auth.md has the required title and sections', async () => {
  const text = await textOf('/auth.md')
  assert.match(text, /^# .*auth\.md/)
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  assert.deepEqual(sections, [
    'Discover',
    'Pick a method',
    'Register',
    'Claim',
    'Exchange',
    'Use the access_token',
    'Errors',
    'Revocation',
  ])
  assert.match(text, /no claim step/)
  for (const [method, path] of [
    ['POST', '/mcp'],
    ['GET', '/api/jobs'],
  ] as const) {
    const response = await fetch(service.url + path, { method })
    assert.equal(response.status, 401)
    assert.match(await response.text(), /How to get one: http[^"]+\/auth\.md"/)
  }
})

test('robots.txt has usage preferences, rules for agents, and disallows private paths', async () => {
  const text = await textOf('/robots.txt')
  const groups = text.split('\n\n').slice(1, 4)
  assert.equal(groups.length, 3)
  for (const group of groups) {
    assert.match(
      group,
      /^(User-agent: \S+\n)+Content-Signal: search=yes, ai-input=yes, ai-train=no\n/,
    )
    assert.match(group, /\nContent-Usage: train-ai=n\n/)
  }
  assert.match(groups[1] ?? '', /^User-agent: Claude-User$/m)
  assert.match(groups[1] ?? '', /\nAllow: \/$/)
  assert.match(groups[2] ?? '', /^User-agent: GPTBot$/m)
  assert.match(groups[2] ?? '', /\nDisallow: \/$/)
  assert.ok(text.includes(`\nSitemap: ${service.url}/sitemap.xml\n`))
})

test('a private path does not disallow public paths below it', () => {
  const route = (path: string, access: 'public' | 'bearer' | 'browser') =>
    defineRoute({
      method: 'GET',
      path,
      operationId: path,
      summary: path,
      access,
      answers: {},
      handle: () => Promise.resolve(json({})),
    })
  const routes = [
    route('/', 'browser'),
    route('/mcp', 'bearer'),
    route('/mcp/docs', 'public'),
    route('/both', 'bearer'),
    route('/both', 'public'),
    route('/jobs/:id', 'bearer'),
  ]
  const lines = robotsTxt(routes, 'https://weft.example').split('\n')
  const closed = lines.filter((line) => line.startsWith('Disallow: '))
  assert.deepEqual(new Set(closed), new Set(['Disallow: /jobs/', 'Disallow: /mcp$', 'Disallow: /']))
  assert.equal(closed.filter((line) => line === 'Disallow: /').length, 1)
})

test('the API catalog is a linkset that links to itself', async () => {
  const answer = await get('/.well-known/api-catalog', {}, 'HEAD')
  assert.equal(
    answer.headers.get('link'),
    `<${service.url}/.well-known/api-catalog>; rel="api-catalog"`,
  )
  const { linkset } = (await jsonOf('/.well-known/api-catalog')) as {
    linkset: (Record<string, { href: string; type: string }[]> & { anchor: string })[]
  }
  assert.deepEqual(
    linkset.map(({ anchor }) => anchor),
    [`${service.url}/`, `${service.url}/mcp`],
  )
  for (const { anchor: _anchor, ...relations } of linkset)
    for (const links of Object.values(relations))
      for (const { href, type } of links) {
        const target = await fetch(href)
        assert.equal(target.status, 200, href)
        assert.equal(target.headers.get('content-type')?.split(';', 1)[0], type, href)
      }
})

test('the server card is the same at its three paths and valid for clients', async () => {
  const card = await jsonOf('/mcp/server-card')
  assert.deepEqual(await jsonOf('/.well-known/mcp/server-card.json'), card)
  assert.deepEqual(await jsonOf('/.well-known/mcp.json'), card)
  assert.deepEqual(card['remotes'], [
    {
      type: 'streamable-http',
      url: `${service.url}/mcp`,
      supportedProtocolVersions: [
        '2026-07-28',
        '2025-11-25',
        '2025-06-18',
        '2025-03-26',
        '2024-11-05',
      ],
    },
  ])
  for (const one of [card, await jsonOf('/mcp/docs/server-card')]) {
    assert.match(String(one['name']), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.ok(String(one['description']).length <= 100)
    assert.ok(!('tools' in one))
  }
})

test('a server is named by its reversed host name', () => {
  const nameAt = (publicUrl: string) =>
    (serverCard(NETWORK_MOUNT, { publicUrl, version: '1' }) as { name: string }).name
  assert.equal(nameAt('https://weft.example.org'), 'org.example.weft/network')
  assert.equal(nameAt('http://localhost:8787'), 'localhost/network')
  assert.equal(nameAt('http://127.0.0.1:8787'), '127.0.0.1/network')
  assert.match(nameAt('http://[2001:db8::1]'), /^[a-zA-Z0-9.-]+\/network$/)
})

test('the AI catalog links to the cards of both MCP servers', async () => {
  const { specVersion, entries } = (await jsonOf('/.well-known/ai-catalog.json')) as {
    specVersion: string
    entries: { identifier: string; type: string; url: string; displayName: string }[]
  }
  assert.equal(specVersion, '1.0')
  assert.equal(new Set(entries.map(({ identifier }) => identifier)).size, 2)
  for (const { identifier, type, url, displayName } of entries) {
    assert.match(identifier, /^urn:air:127\.0\.0\.1:mcp:[a-z]+$/)
    const card = await fetch(url)
    assert.equal(card.headers.get('content-type'), type)
    assert.equal(((await card.json()) as { title: string }).title, displayName)
  }
})

test('the skill matches the digest in its index', async () => {
  const index = (await jsonOf('/.well-known/agent-skills/index.json')) as {
    $schema: string
    skills: { name: string; type: string; description: string; url: string; digest: string }[]
  }
  assert.equal(index.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  const [skill] = index.skills
  assert.ok(skill && index.skills.length === 1)
  const bytes = Buffer.from(await (await fetch(skill.url)).arrayBuffer())
  assert.equal(skill.digest, `sha256:${hash('sha256', bytes, 'hex')}`)
  assert.match(skill.name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  assert.ok(skill.url.endsWith(`/${skill.name}/SKILL.md`))
  assert.ok(skill.description.length >= 40 && skill.description.length <= 1024)
  assert.ok(bytes.toString().includes(`\nname: ${skill.name}\ndescription: ${skill.description}\n`))
})

test('security.txt exists if the operator set a contact, and expires after half a year', async () => {
  assert.equal((await get('/.well-known/security.txt')).status, 404)
  const clock = fixedClock()
  const deps = { clock, publicUrl: 'https://weft.example', securityContact: 'mailto:a@b.example' }
  await using http = assemble({
    ...openGate(),
    routes: securityTxtRoutes(deps),
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/security.txt`)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.deepEqual((await answer.text()).split('\n'), [
    'Contact: mailto:a@b.example',
    'Expires: 2027-05-20T00:00:00.000Z',
    'Canonical: https://weft.example/.well-known/security.txt',
    '',
  ])
})

/** Our URLs in the links and text of a page. */
function addressesIn(text: string): string[] {
  const links = text.matchAll(/(?:href="|\]\()(\/[^"#?)]*)/g)
  const named = text.matchAll(
    /https?:\/\/127\.0\.0\.1:(\d+)((?:\/(?:[\w.-]|\{\w+\}|<\w+>|&lt;\w+&gt;)*)+)/g,
  )
  return [
    ...[...links].map(([, path = '']) => path),
    ...[...named]
      .filter(([, port]) => Number(port) === service.port)
      .map(([, , path = '']) => path),
  ].map((path) => path.replace(/(?<=.)[.]+$/, ''))
}

/** What stands for a value in an address: `{username}`, or `<username>` as it is written for people. */
const PLACE = /\{\w+\}|<\w+>|&lt;\w+&gt;/g

async function isThere(address: string): Promise<boolean> {
  // For a URL with a placeholder, checks that the path exists.
  if (address.search(PLACE) >= 0)
    return (await get(address.replaceAll(PLACE, 'x'), {}, 'OPTIONS')).status === 204
  const { status, headers } = await get(address)
  // A URL that supports another method, such as the tool endpoint, exists.
  return status === 405 ? /POST|PROPFIND/.test(headers.get('allow') ?? '') : status !== 404
}

/** The pages of the documentation, as its first page lists them. */
async function pagesOfDocs(): Promise<string[]> {
  const links = (await textOf('/docs')).matchAll(/<a href="(\/docs\/[\w-]+)"/g)
  return [...new Set([...links].map(([, path = '']) => path))]
}

test('every URL of the service in a document, page or header responds', async () => {
  const named = new Map<string, string>()
  for (const path of [...Object.keys(TYPES), '/', '/docs', '/mcp/docs', ...(await pagesOfDocs())])
    for (const accept of [BROWSER, 'text/markdown']) {
      const answer = await get(path, { accept })
      const header = (answer.headers.get('link') ?? '').matchAll(/<(\/[^>]*)>/g)
      const addresses = addressesIn(await answer.text())
      for (const address of [...header].map(([, target = '']) => target).concat(addresses))
        named.set(address, path)
    }
  assert.ok(named.size > 50, `${named.size} addresses`)
  const missing: string[] = []
  for (const [address, path] of named)
    if (!(await isThere(address))) missing.push(`${address}, named by ${path}`)
  assert.deepEqual(missing, [])
})

test('every anchor that the documentation links to exists', async () => {
  const pages = new Map<string, string>()
  for (const path of await pagesOfDocs()) pages.set(path, await textOf(path))
  assert.ok(pages.size >= 8)
  for (const [path, html] of pages)
    for (const [, target = '', anchor] of html.matchAll(/<a href="([^"#]*)#([^"]+)"/g)) {
      const page = target === '' ? html : pages.get(target.replace(service.url, ''))
      assert.ok(page?.includes(`id="${anchor}"`), `${path} links to ${target}#${anchor}`)
    }
})
