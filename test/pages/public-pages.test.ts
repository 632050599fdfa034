import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { openWindows } from './windows.ts'
import { complaintsOf, DESK, evaluate, judge, PHONE } from './judge.ts'

const WIDE = 'W'.repeat(120)

const PATHS = [
  '/human/ada',
  '/human/bare',
  `/human/${'w'.repeat(39)}`,
  '/human/hostile',
  '/human/nobody',
  '/missing',
  '/network',
  '/network?q=ada',
  '/network?q=zzz',
  `/network?q=${'W'.repeat(200)}`,
  '/network?cursor=x',
]

test('the page of a member is as small as it is', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await addPeople(service)
  await using opened = await openBrowser()
  const page = await opened.browser.newPage({ viewport: DESK })
  const heightOf = async (path: string) => {
    await page.goto(service.url + path)
    return (await page.locator('main').boundingBox())?.height ?? 0
  }
  const bare = await heightOf('/human/bare')
  assert.ok(bare < 220, String(bare))
  assert.ok((await heightOf('/human/ada')) > bare + 100)
})

test(
  'every public page fits every screen and is accessible',
  { skip: browserMissing },
  async () => {
    await using service = await startTestService()
    await addPeople(service)
    await using opened = await openBrowser()
    const page = await opened.browser.newPage({ viewport: PHONE })
    const complaints = complaintsOf(page)
    for (const path of PATHS) {
      await page.goto(service.url + path)
      await judge(page, path)
      // The policy allows the JSON-LD, and no member input was executed.
      assert.deepEqual(complaints, [], `${path}: the browser complains`)
      assert.equal(await evaluate(page, 'typeof alarmed'), 'undefined', path)
    }
  },
)

test('a member is found and read without a script', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await addPeople(service)
  await using opened = await openBrowser()
  const context = await opened.browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
  const page = await context.newPage()
  await page.goto(service.url)
  await page.getByRole('link', { name: 'Directory' }).click()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'First page' }).click()
  await page.getByLabel('Search members').fill('countess')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
  assert.equal(page.url(), `${service.url}/human/ada`)
  await page.getByRole('link', { name: 'Markdown' }).click()
  await page.getByText('# Ada Lovelace').waitFor()
})

test(
  'members are found while typing, and from a page that is missing',
  { skip: browserMissing },
  async () => {
    await using service = await startTestService()
    await addPeople(service)
    await using opened = await openBrowser()
    const page = await opened.browser.newPage({ viewport: PHONE })
    await page.goto(`${service.url}/missing`)
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await page.getByRole('searchbox').fill('member')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Member Number 7' }).waitFor()
    await page.getByLabel('Search members').fill('member 7')
    await page.getByText('Members with a public profile · 1', { exact: true }).waitFor()
    assert.equal(page.url(), `${service.url}/network?q=member+7`)
    await judge(page, 'the directory while typing')
    await page.getByRole('link', { name: 'Member Number 7' }).click()
    await page.waitForURL('**/human/member-7')
  },
)

test(
  'public pages keep the pages of members beside them until they sign out',
  { skip: browserMissing },
  async () => {
    await using world = await openWindows()
    const page = await world.open()
    for (const path of ['/network', '/docs', '/human/ada']) {
      await page.goto(path)
      await page.getByRole('link', { name: /^People/ }).waitFor()
    }
    await page.getByRole('link', { name: /^People/ }).click()
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'People' }).waitFor()
    await page.goto('/network')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  },
)

test('a script end tag does not end the JSON-LD', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await addPeople(service)
  await using opened = await openBrowser()
  const page = await opened.browser.newPage()
  await page.goto(`${service.url}/human/hostile`)
  const blocks = page.locator('script[type="application/ld+json"]')
  assert.equal(await blocks.count(), 1)
  const data = JSON.parse((await blocks.textContent()) ?? '') as { mainEntity: { name: string } }
  assert.equal(data.mainEntity.name, HOSTILE)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), HOSTILE)
})

const HOSTILE = '</script><!--<script>alarmed=1</script><img src=x onerror=alarmed=1>'

async function addPeople(service: TestService): Promise<void> {
  await service.addMember({
    headline: 'Countess, and the first to program a machine that is not there',
    about:
      'I translated Menabrea’s article on the Analytical Engine, and added notes of my own.\n\nThe engine weaves algebraic patterns\njust as the Jacquard loom weaves flowers and leaves.',
    title: 'Analyst',
    organization: 'Babbage & Co',
    location: 'London, United Kingdom',
    skills: ['Mathematics', 'Poetical science', 'Translation', 'Music'],
    links: [
      { label: 'Notes', url: 'https://notes.example/ada' },
      { label: 'The engine', url: 'https://www.engine.example:8443/plans?of=1843' },
    ],
  })
  await service.addMember({ username: 'bare', name: 'أحمد الخوارزمي' })
  await service.addMember({
    username: 'w'.repeat(39),
    name: WIDE,
    headline: WIDE,
    about: 'W'.repeat(5_000),
    title: WIDE,
    organization: WIDE,
    location: WIDE,
    skills: Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(60, 'W')),
    links: Array.from({ length: 20 }, (_, at) => ({
      label: `${at}`.padEnd(60, 'W'),
      url: `https://${'w'.repeat(63)}.example/${'w'.repeat(1_900)}`,
    })),
  })
  await service.addMember({
    username: 'hostile',
    name: HOSTILE,
    headline: HOSTILE,
    about: `${HOSTILE}\n\n# not a heading\n${HOSTILE}`,
    organization: HOSTILE,
    skills: [HOSTILE.slice(0, 60)],
    links: [
      { label: HOSTILE.slice(0, 60), url: 'https://evil.example/"><script>alarmed=1</script>' },
    ],
  })
  for (let at = 0; at < 20; at += 1)
    await service.addMember({
      username: `member-${at}`,
      name: `Member Number ${at}`,
      location: 'Lisbon',
    })
}
