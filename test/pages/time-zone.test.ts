import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { HOUR } from '../../src/base/clock.ts'
import { askTool } from '../fixtures/member.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { memberBrowser } from '../support/oauth.ts'
import { startTestService } from '../support/service.ts'
import { cookiesOf } from './windows.ts'

const TOKYO = { timezoneId: 'Asia/Tokyo' }

test(
  'times use the reader’s time zone from the first page on',
  { skip: browserMissing },
  async () => {
    assert.deepEqual(await read(TOKYO), {
      signedIn: '22 November 2026 at 05:00 GMT+9',
      today: 'Due today 1',
    })
  },
)

test('without a script times are in UTC', { skip: browserMissing }, async () => {
  assert.deepEqual(await read({ ...TOKYO, javaScriptEnabled: false }), {
    signedIn: '21 November 2026 at 20:00 UTC',
    today: 'Next 7 days 1',
  })
})

test('a reader who travels gets the times of the new zone', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await using opened = await openBrowser()
  const zoneIn = async (options: BrowserContextOptions) => {
    const context = await opened.browser.newContext(options)
    const page = await context.newPage()
    await page.goto(`${service.url}/sign-in`)
    const state = await context.storageState()
    return { state, zone: state.cookies.find(({ name }) => name === 'weft_time_zone')?.value }
  }
  const { state, zone } = await zoneIn({ timezoneId: 'Europe/London' })
  assert.equal(zone, 'Europe/London')
  assert.equal((await zoneIn({ ...TOKYO, storageState: state })).zone, 'Asia/Tokyo')
  const withoutCookies = { ...state, cookies: [] }
  const again = { timezoneId: 'Europe/London', storageState: withoutCookies }
  assert.equal((await zoneIn(again)).zone, 'Europe/London')
})

test('public pages do not set the time zone cookie', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await using opened = await openBrowser()
  const context = await opened.browser.newContext(TOKYO)
  const page = await context.newPage()
  for (const path of ['/', '/network', '/docs', '/docs/start']) {
    await page.goto(service.url + path)
    assert.deepEqual(await context.cookies(), [], path)
  }
})

test('a tour begins in the time zone of the visitor', { skip: browserMissing }, async () => {
  await using service = await startTestService()
  await using opened = await openBrowser()
  const context = await opened.browser.newContext({ timezoneId: 'Europe/Paris' })
  const page = await context.newPage()
  await page.goto(service.url)
  await page.getByRole('link', { name: 'Look around' }).click()
  // 15:30 in UTC.
  await page.locator('.meetings time', { hasText: '16:30' }).waitFor()
})

/** It is evening in London and already tomorrow in Tokyo, when a follow-up is due. */
async function read(options: BrowserContextOptions) {
  await using service = await startTestService()
  await using opened = await openBrowser()
  service.clock.advance(8 * HOUR)
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  const context = await opened.browser.newContext(options)
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await context.addCookies(cookiesOf(ada))
  await page.goto(`${service.url}/user/account`)
  const signedIn = await page.getByText('Signed in').locator('time').getAttribute('title')
  const token = await service.mintToken()
  await askTool(service.url, token, 'add_connections', { name: 'Grace' })
  const call = { people: 'c_1', text: 'Call', due_on: '2026-11-22' }
  await askTool(service.url, token, 'save_follow_up', call)
  await page.goto(`${service.url}/user/follow-ups`)
  const today = await page.getByRole('heading', { level: 2 }).textContent()
  return { signedIn, today }
}
