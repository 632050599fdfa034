import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { askTool } from '../../src/pages/member-fixture.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { memberBrowser } from '../support/oauth.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { complaintsOf, DESK, judge, PHONE } from './judge.ts'

const WIDE = 'W'.repeat(120)

for (const [look, options] of [
  ['a dark phone', { viewport: PHONE, colorScheme: 'dark' }],
  ['a light desk', { viewport: DESK, colorScheme: 'light' }],
] as const) {
  test(`the pages of connections fit ${look}`, { skip: browserMissing }, async () => {
    await using world = await openWorld(options)
    const { page } = world
    const complaints = complaintsOf(page)
    for (const path of ['', '/duplicates', '/deleted']) {
      await world.open(path)
      await judge(page, `connections${path}, empty`)
    }
    await crowd(world.service)
    for (const path of ['', '?q=zzz&tag=pioneer', '/c_1', '/c_1/edit', '/duplicates', '/deleted']) {
      await world.open(path)
      for (const summary of await page.locator('main summary').all()) await summary.click()
      await judge(page, `connections${path}`)
    }
    await world.open('/c_1')
    await page.getByText('Add a note').click()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('Note is required').waitFor()
    await judge(page, 'one connection, a note refused')
    await page.getByLabel('Note', { exact: true }).fill('Met at Harvard')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('status').waitFor()
    await judge(page, 'one connection, a note added')
    await world.open('/duplicates')
    await page
      .getByRole('button', { name: /^Merge/ })
      .first()
      .click()
    await page.getByRole('status').waitFor()
    await judge(page, 'duplicates, one merged')
    assert.deepEqual(complaints, [])
  })
}

interface World extends AsyncDisposable {
  readonly service: TestService
  readonly page: Page
  open(path: string): Promise<void>
}

async function openWorld(options: BrowserContextOptions): Promise<World> {
  const service = await startTestService()
  const { browser, ...opened } = await openBrowser()
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  const context = await browser.newContext(options)
  const [name = '', value = ''] = ada.cookie.split('=')
  await context.addCookies([{ name, value, url: service.url }])
  const page = await context.newPage()
  return {
    service,
    page,
    async open(path) {
      await page.goto(`${service.url}/user/connections${path}`)
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

/** Some of everything, and the longest of each. */
async function crowd(service: TestService): Promise<void> {
  const token = await service.mintToken()
  const ask = (tool: string, input: object) => askTool(service.url, token, tool, input)
  const emails = ['grace@navy.example', `${'g'.repeat(60)}@${'navy-'.repeat(10)}x.example`]
  const more = {
    tags: ['pioneer', WIDE.slice(0, 90), 'navy', 'a', 'b', 'c'],
    note: `${WIDE}\n\nMet.`,
  }
  for (const one of [
    { name: 'Grace Hopper', title: 'Rear admiral', company: 'US Navy', emails, ...more },
    { name: 'Hopper, Grace', location: 'Arlington, Virginia', emails, allow_duplicate: true },
    {
      name: 'G. Hopper',
      company: WIDE,
      emails,
      links: [`https://x.example/${WIDE}`],
      allow_duplicate: true,
    },
    {
      name: 'Alan Turing',
      company: 'Bletchley Park',
      phones: ['+44 20 7946 0000'],
      location: 'London',
    },
    {
      name: 'Alan M. Turing',
      company: 'Bletchley Park',
      title: 'Codebreaker',
      allow_duplicate: true,
    },
    { name: WIDE, title: WIDE, company: WIDE },
    { name: 'Edith Clarke', company: 'GE' },
  ])
    await ask('add_connection', one)
  const followUp = { connection_id: 'c_1', due_on: '2026-11-20', recurrence: 'monthly' }
  await ask('set_follow_up', { ...followUp, text: WIDE })
  await ask('set_follow_up', { ...followUp, text: 'Write', due_on: '2027-02-01' })
  await ask('delete_connections', { connection_ids: ['c_6', 'c_7'] })
}
