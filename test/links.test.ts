/** Every link in every served document leads to an existing page and heading. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeRole } from '../src/members/admin-role.ts'
import { anchors } from '../src/discovery/docs/anchors.ts'
import { pathTemplate } from '../src/http/route.ts'
import { memberBrowser } from './support/oauth.ts'
import { startTestService, type TestService } from './support/service.ts'

// Both crawls share one service, because they only read.
let service: TestService

before(async () => {
  const names = ['profile', 'directory', 'ask', 'authorize', 'join', 'passkey']
  const plenty = { quota: 1_000_000, window: 60 }
  service = await startTestService({
    rateLimits: Object.fromEntries(names.map((name) => [name, plenty])),
    securityContact: 'mailto:security@weft.test',
  })
})
after(() => service[Symbol.asyncDispose]())

/** A link in a document, or a URL that is only mentioned, such as one for POST. */
interface Reference {
  readonly from: string
  readonly url: URL
  readonly kind: 'link' | 'mention'
}

interface Page {
  readonly status: number
  readonly references: readonly Reference[]
  /** The IDs that a fragment may name; undefined for a document without IDs. */
  readonly ids: ReadonlySet<string> | undefined
}

test('no served document has a dead link, as HTML or as markdown', async () => {
  const starts = service.routes
    .filter(
      ({ method, access, path }) =>
        // The redirect for contacts apps leads to a resource without GET.
        method === 'GET' && access === 'public' && !/[:*]|carddav$/.test(path),
    )
    .map(({ path }) => service.url + path)
  assert.ok(starts.length > 30)
  const people = await crawl(starts, { accept: 'text/html,*/*;q=0.8' })
  const agents = await crawl(starts, { accept: 'text/markdown,*/*;q=0.8' })
  assert.deepEqual([...people.dead, ...agents.dead], [])
  assert.ok(people.fragments > 5, `${people.fragments} fragments`)
  for (const path of [
    '/docs/running',
    '/docs/configuration',
    '/human/demo',
    '/sitemap.xml',
    '/.well-known/ai-catalog.json',
  ])
    assert.ok(people.visited.has(service.url + path), path)
})

test('no member page has a dead link', async () => {
  const { cookie, member } = await memberBrowser(service, {
    username: 'reader',
    name: 'Reader',
  })
  await service.database.write((tx) => changeRole(tx, member.memberId, 'admin'))
  const starts = service.routes
    .filter(
      ({ method, access, path }) => method === 'GET' && access === 'session' && !/[:*]/.test(path),
    )
    .map(({ path }) => service.url + path)
  const { dead, visited } = await crawl(starts, { accept: 'text/html,*/*;q=0.8', cookie })
  assert.deepEqual(dead, [])
  assert.ok(visited.size > starts.length)
})

interface Crawl {
  readonly visited: ReadonlySet<string>
  readonly dead: readonly string[]
  /** The number of links with a fragment. */
  readonly fragments: number
}

async function crawl(starts: readonly string[], headers: Record<string, string>): Promise<Crawl> {
  const pages = new Map<string, Promise<Page>>()
  const read = (address: string) => {
    const page = pages.get(address) ?? readPage(address, headers)
    pages.set(address, page)
    return page
  }
  const dead = new Set<string>()
  let fragments = 0
  const follow = async (reference: Reference): Promise<void> => {
    const { from, url, kind } = reference
    const address = url.href.replace(/#.*/, '')
    const isNew = !pages.has(address)
    const page = await read(address)
    // A link to a part of its own page leads there, whatever the page's status.
    if (!leadsSomewhere(page, address === from ? 'mention' : kind))
      dead.add(`${from} -> ${url.href} (${page.status})`)
    const fragment = decodeURIComponent(url.hash.slice(1))
    if (fragment !== '' && page.ids) {
      fragments += 1
      if (!page.ids.has(fragment)) dead.add(`${from} -> ${url.href} (heading not found)`)
    }
    // A page with a query string is checked, but its links are not followed.
    if (isNew && (url.search === '' || from === '')) await followAll(page.references)
  }
  const followAll = async (references: readonly Reference[]) => {
    for (const reference of references) await follow(reference)
  }
  await followAll(starts.map((start) => ({ from: '', url: new URL(start), kind: 'mention' })))
  return { visited: new Set(pages.keys()), dead: [...dead], fragments }
}

/** A link must succeed or redirect. A URL that is only mentioned may need another method, a token or parameters. */
function leadsSomewhere({ status }: Page, kind: Reference['kind']): boolean {
  return status < 400 || (kind === 'mention' && [400, 401, 403, 405].includes(status))
}

async function readPage(address: string, headers: Record<string, string>): Promise<Page> {
  const template = address.slice(service.url.length).replaceAll('%7B', '{').replaceAll('%7D', '}')
  if (/\{\w+\}/.test(template)) return templatePage(template)
  const answer = await fetch(address, { headers, redirect: 'manual' })
  const type = answer.headers.get('content-type') ?? ''
  const text = /^(text|application)\//.test(type) ? await answer.text() : ''
  const found = [
    ...matches(answer.headers.get('link') ?? '', /<([^>]+)>/g, 'link'),
    ...matches(answer.headers.get('location') ?? '', /^(.+)$/g, 'link'),
    ...referencesIn(text, type),
  ]
  const references = found.flatMap(([to, kind]): Reference[] => {
    const url = resolve(to, address)
    return url ? [{ from: address, url, kind }] : []
  })
  return { status: answer.status, references, ids: idsIn(text, type) }
}

/** A URL with a `{name}` must match a route. */
function templatePage(template: string): Page {
  const path = template.replace(/\?.*/, '')
  const known = service.routes.some((route) => pathTemplate(route.path) === path)
  return { status: known ? 200 : 404, references: [], ids: undefined }
}

type Found = [to: string, kind: Reference['kind']]

function referencesIn(text: string, type: string): Found[] {
  if (type.startsWith('text/html'))
    return [
      ...matches(text, /<(?:a|link)\b[^>]*?\shref="([^"]*)"/g, 'link'),
      ...matches(text, /<(?:img|script|use|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g, 'link'),
      // Text that a button copies counts like visible text.
      ...mentions(unescape(text.replaceAll(/<(?:[^>]*\sdata-copy="([^"]*)")?[^>]*>/g, ' $1 '))),
    ]
  if (/^text\/(markdown|plain)/.test(type))
    return [...matches(withoutCode(text), /\]\(<?([^)\s>]+)>?\)/g, 'link'), ...mentions(text)]
  if (/xml/.test(type)) return matches(text, /<loc>([^<]+)<\/loc>/g, 'link')
  return mentions(text)
}

/** URLs of this service in plain text or JSON. */
function mentions(text: string): Found[] {
  const end = String.raw`[^\s"'<>()\[\]\\\`,;|*…]*`
  return matches(
    // A `<name>` stands for a value, as `{name}` does.
    text.replaceAll(/<(\w+)>/g, '{$1}'),
    new RegExp(`${RegExp.escape(service.url)}(?![\\w:])${end}`, 'g'),
    'mention',
  ).map(([to, kind]) => [to.replace(/[.:?!=]+$/, ''), kind])
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

function matches(text: string, pattern: RegExp, kind: Reference['kind']): Found[] {
  return Array.from(text.matchAll(pattern), ([whole, part = whole]) => [unescape(part), kind])
}

function unescape(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

/** Undefined for URLs of other sites, which are not checked. */
function resolve(to: string, from: string): URL | undefined {
  assert.ok(URL.canParse(to, from), `${from} -> ${to}`)
  const url = new URL(to, from)
  return url.origin === service.url ? url : undefined
}

function idsIn(text: string, type: string): ReadonlySet<string> | undefined {
  if (type.startsWith('text/html'))
    return new Set(Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id))
  if (!/^text\/(markdown|plain)/.test(type)) return undefined
  const anchorOf = anchors()
  const headings = text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)
  return new Set(Array.from(headings, ([, heading = '']) => anchorOf(heading.replaceAll('`', ''))))
}
