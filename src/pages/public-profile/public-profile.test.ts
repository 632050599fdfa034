import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../../test/support/gate.ts'
import { memberBrowser } from '../../../test/support/oauth.ts'
import { startTestService } from '../../../test/support/service.ts'
import { createStore, TEST_NOW } from '../../../test/support/store.ts'
import { openVisitor } from '../../../test/support/visitor.ts'
import { createLog } from '../../base/log.ts'
import { errorPage } from '../../html/message.page.ts'
import { assemble } from '../../http/http-service.ts'
import { FORMER_USERNAME_RETENTION_MS } from '../../members/former-usernames.ts'
import { createMember, disableMember, renameMember, updateMember } from '../../members/member.ts'
import { profileOf } from '../../members/profile.ts'
import { profilePageJsonLd } from '../../members/profile-json-ld.ts'
import { profileMarkdown } from '../../members/public/profile-markdown.ts'
import { humanRoutes } from './public-profile.route.ts'
import type { NewMember } from '../../members/member-fields.ts'

const PUBLIC_URL = 'https://weft.example'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

async function serve() {
  const { database, clock, ...store } = await createStore()
  const http = assemble({
    ...openGate(),
    routes: humanRoutes({
      database,
      clock,
      publicUrl: PUBLIC_URL,
      privacyPolicy: null,
      termsOfService: null,
    }),
    errorPage: errorPage,
    log: createLog('silent'),
  })
  const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`
  const visitor = openVisitor(url)
  return {
    database,
    clock,
    create: (fields: Partial<NewMember> = {}) =>
      database.write((tx) =>
        createMember(tx, { username: 'ada', name: 'Ada Lovelace', ...fields }, TEST_NOW),
      ),
    /** Sends a browser's Accept header by default. */
    browser: (path: string, headers: Record<string, string> = {}) =>
      visitor.get(path, { accept: BROWSER, ...headers }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

function jsonLdIn(html: string): unknown {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
  assert.equal(blocks.length, 1)
  return JSON.parse(blocks[0]?.[1] ?? '')
}

test('a profile page shows all fields and links to its Markdown and JSON', async () => {
  await using service = await serve()
  await service.create({
    headline: 'Countess',
    about: 'I translate.\nAnd add notes.\n\nOf my own.',
    title: 'Analyst',
    organization: 'Babbage & Co',
    location: 'London',
    skills: ['Mathematics'],
    links: [{ label: 'Notes', url: 'https://notes.example/ada' }],
    avatarUrl: 'https://pictures.example/ada.png',
    email: 'ada@private.example',
  })
  const { status, html, text, headers, links } = await service.browser('/human/ADA')
  assert.equal(status, 200)
  for (const part of [
    'Ada Lovelace',
    'Countess',
    'Analyst · Babbage & Co · London',
    '@ada · member since 21 Nov 2026',
    'About I translate. And add notes. Of my own.',
    'Skills Mathematics',
    'Links Notes notes.example',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.match(html, /<p dir="auto">I translate\.<br \/>And add notes\.<\/p>/)
  assert.match(html, /<title>Ada Lovelace \(@ada\) · Weft<\/title>/)
  assert.match(
    html,
    /<meta name="description" content="Countess · Analyst, Babbage &#38; Co · London"/,
  )
  assert.match(html, /<link rel="canonical" href="https:\/\/weft\.example\/human\/ada" \/>/)
  assert.doesNotMatch(html, /private\.example|<img/)
  assert.equal(links['Markdown'], `${PUBLIC_URL}/human/ada.md`)
  assert.equal(links['JSON'], `${PUBLIC_URL}/api/human/ada.json`)
  assert.match(headers.get('link') ?? '', /human\/ada\.md>; rel="alternate"; type="text\/markdown"/)
})

test('a profile with only a name has no empty sections', async () => {
  await using service = await serve()
  await service.create()
  const { html, text } = await service.browser('/human/ada')
  assert.doesNotMatch(text, /About|Skills|Links|null| · · /)
  assert.match(text, /Nothing more is public here yet\./)
  assert.match(html, /<meta name="description" content="The public profile of Ada Lovelace"/)
})

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!-- <script>',
  '"><img src=x onerror=alert(1)>',
  ']]> &lt;b&gt; ${1} !${2}',
  '[a](javascript:alert(1)) # x',
  'שלום \u200Fabc\u200E مرحبا',
]

test('member input is escaped in every field', async () => {
  await using service = await serve()
  for (const [at, text] of HOSTILE.entries()) {
    const member = await service.create({
      username: `hostile-${at}`,
      name: text,
      headline: text,
      about: `${text}\n\n${'long '.repeat(980)}`,
      title: text,
      organization: text,
      location: text,
      skills: [text],
      links: [{ label: text, url: 'https://evil.example/"><script>alert(1)</script>' }],
    })
    const { html, text: read } = await service.browser(`/human/hostile-${at}`)
    const body = html.slice(html.indexOf('<body'))
    assert.doesNotMatch(body, /<(script|img|b)\b|<!--/)
    const shown = read.split(text.replaceAll(/\s+/g, ' ')).length - 1
    assert.equal(shown, 8, read)
    // The script of every page, and the JSON-LD.
    assert.equal(html.match(/<script/g)?.length, 2)
    assert.doesNotMatch(html, /href="javascript:|\sonerror="/)
    assert.deepEqual(jsonLdIn(html), profilePageJsonLd(profileOf(member, PUBLIC_URL)))
  }
})

test('the JSON-LD is a ProfilePage about a Person with the values of the profile', async () => {
  await using service = await serve()
  const member = await service.create({ headline: 'Countess' })
  const data = jsonLdIn((await service.browser('/human/ada')).html)
  assert.deepEqual(data, profilePageJsonLd(profileOf(member, PUBLIC_URL)))
  assert.deepEqual(data, {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: `${PUBLIC_URL}/human/ada`,
    dateCreated: '2026-11-21T12:00:00.000Z',
    dateModified: '2026-11-21T12:00:00.000Z',
    mainEntity: {
      '@type': 'Person',
      '@id': `${PUBLIC_URL}/human/ada`,
      name: 'Ada Lovelace',
      alternateName: 'ada',
      url: `${PUBLIC_URL}/human/ada`,
      disambiguatingDescription: 'Countess',
    },
  })
})

test('agents get the profile as Markdown, by Accept header or URL', async () => {
  await using service = await serve()
  const member = await service.create({ about: 'I write *programs*.' })
  const markdown = await profileMarkdown(profileOf(member, PUBLIC_URL))
  for (const [path, accept] of [
    ['/human/ada', 'text/markdown'],
    ['/human/ada.md', BROWSER],
  ] as const) {
    const { html: body, headers } = await service.browser(path, { accept })
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8', path)
    assert.equal(headers.get('access-control-allow-origin'), '*', path)
    assert.equal(body, markdown, path)
  }
  const { headers } = await service.browser('/human/ada', { accept: '*/*' })
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
})

test('a cached page gets 304 until the profile changes, separately for each format', async () => {
  await using service = await serve()
  const { memberId } = await service.create()
  const page = await service.browser('/human/ada')
  const markdown = await service.browser('/human/ada', { accept: 'text/markdown' })
  for (const { headers } of [page, markdown]) {
    assert.equal(headers.get('cache-control'), 'public, max-age=60')
    assert.equal(headers.get('vary'), 'Accept, Accept-Language, Cookie, Accept-Encoding')
    assert.equal(headers.get('set-cookie'), null)
  }
  const etag = page.headers.get('etag') ?? ''
  assert.notEqual(etag, markdown.headers.get('etag'))
  const again = { 'if-none-match': etag }
  assert.equal((await service.browser('/human/ada', again)).status, 304)
  assert.equal(
    (await service.browser('/human/ada', { ...again, accept: 'text/markdown' })).status,
    200,
  )
  await service.database.write((tx) => updateMember(tx, memberId, { title: 'x' }, TEST_NOW))
  assert.equal((await service.browser('/human/ada', again)).status, 200)
})

test('unknown, private, disabled and malformed usernames get the same page with a link to the directory', async () => {
  await using service = await serve()
  await service.create({ username: 'hidden', isPublic: false })
  const { memberId } = await service.create({ username: 'gone' })
  await service.database.write((tx) => disableMember(tx, memberId, TEST_NOW))
  const texts = new Set<string>()
  for (const name of ['nobody', 'hidden', 'gone', '-x', 'x.xml', 'a%20b', 'hidden.md', 'gone.md']) {
    const { status, headers, text } = await service.browser(`/human/${name}`)
    assert.equal(status, 404, name)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', name)
    texts.add(text.replace(/Request \S+/, ''))
  }
  assert.equal(texts.size, 1, [...texts].join('\n'))
  assert.match([...texts].join(''), /No public profile with this username.*Search the directory/)
  const { headers } = await service.browser('/human/hidden', { accept: 'text/markdown' })
  assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
})

test('a former username redirects for 180 days, in the requested format', async () => {
  await using service = await serve()
  const { memberId } = await service.create()
  await service.database.write((tx) => renameMember(tx, memberId, 'augusta', service.clock.now()))
  for (const extension of ['', '.md']) {
    const { status, location } = await service.browser(`/human/Ada${extension}`)
    assert.equal(status, 301)
    assert.equal(location, `${PUBLIC_URL}/human/augusta${extension}`)
  }
  service.clock.advance(FORMER_USERNAME_RETENTION_MS)
  assert.equal((await service.browser('/human/ada')).status, 404)
})

test('the profile JSON, the sitemap and llms.txt link to the profile page', async () => {
  await using service = await startTestService()
  await service.addMember()
  const page = `${service.url}/human/ada`
  const textOf = async (address: string) => (await fetch(address)).text()
  const profile = JSON.parse(await textOf(`${service.url}/api/human/ada`)) as Record<string, string>
  assert.equal(profile['profile_url'], page)
  const sitemap = await textOf(`${service.url}/sitemap.xml`)
  for (const address of [page, `${service.url}/network`])
    assert.ok(sitemap.includes(`<loc>${address}</loc>`), address)
  const llms = await textOf(`${service.url}/llms.txt`)
  assert.ok(llms.includes(`GET ${service.url}/human/{username}\``))
  const read = openVisitor(service.url)
  assert.match((await read.get(page, { accept: BROWSER })).text, /Ada Lovelace @ada/)
})

test('signed-in members see a profile, the directory and errors beside their pages', async () => {
  await using service = await startTestService()
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  for (const path of [
    '/human/ada',
    '/network',
    '/docs',
    '/docs/connect',
    '/nowhere',
    '/human/eve',
  ]) {
    const page = await ada.get(path, { accept: BROWSER })
    assert.match(page.html, /<nav id="menu"/, path)
    assert.doesNotMatch(page.html, />Sign in</, path)
    assert.equal(page.headers.get('cache-control'), 'no-store', path)
    const anonymous = await openVisitor(service.url).get(path, { accept: BROWSER })
    assert.doesNotMatch(anonymous.html, /<nav id="menu"/, path)
    assert.equal(anonymous.status, page.status)
    // Only the owner sees what their page lacks.
    assert.equal(page.text.includes('Say who you are Headline'), path === '/human/ada', path)
    assert.doesNotMatch(anonymous.text, /Say who you are|Still empty/, path)
  }
})
