import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { startOther, startWorld } from './world.ts'

const arrived: RequestListener = (_request, response) => response.end('You can close this window.')

for (const [name, host] of [
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['[::1]', '::1'],
] as const)
  test(`the decision reaches an app on http://${name}`, { skip: browserMissing }, async (t) => {
    const app = await listenOrSkip(t, host)
    if (!app) return
    await using client = app
    await using world = await startWorld()
    await using opened = await openBrowser()
    const page = await opened.browser.newPage()
    const callback = `http://${name}:${client.port}/callback`
    await page.goto(consentFor(world.url, callback))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${callback}?decision=allow`)
  })

test('canceling reaches the app, without a script', { skip: browserMissing }, async () => {
  await using client = await startOther('127.0.0.1', arrived)
  await using world = await startWorld()
  await using opened = await openBrowser()
  const context = await opened.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const callback = `http://127.0.0.1:${client.port}/callback`
  await page.goto(consentFor(world.url, callback))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${callback}?decision=deny`)
})

test('the browser opens an app with a private-use scheme', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await opened.browser.newPage()
  await page.goto(consentFor(world.url, 'cursor://anysphere.cursor-mcp/callback'))
  // The app is not installed, so its request fails. If the policy had blocked the form, the form's request would have failed.
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
  assert.equal((await failed).url(), 'cursor://anysphere.cursor-mcp/callback?decision=allow')
})

test("an app's web page may redirect into the app", { skip: browserMissing }, async () => {
  await using client = await startOther('127.0.0.1', (_request, response) =>
    response.writeHead(302, { location: 'claude://claude.ai/mcp-auth-callback' }).end(),
  )
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await opened.browser.newPage()
  await page.goto(consentFor(world.url, `http://127.0.0.1:${client.port}/callback`))
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
  assert.equal((await failed).url(), 'claude://claude.ai/mcp-auth-callback')
})

test(
  'a web page that opened the consent page in a window gets a message from it',
  { skip: browserMissing },
  async () => {
    await using world = await startWorld()
    await using client = await startOther('127.0.0.1', (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://client.test')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(pathname === '/callback' ? TELL_OPENER : OPEN_CONSENT)
    })
    await using opened = await openBrowser()
    const page = await opened.browser.newPage()
    const origin = `http://localhost:${client.port}`
    await page.goto(`${origin}/#${consentFor(world.url, `${origin}/callback`)}`)
    const [consent] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
    await consent.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('heard ?decision=allow').waitFor()
  },
)

test(
  'the button works only after the page was visible and focused for a second',
  { skip: browserMissing },
  async () => {
    await using world = await startWorld()
    await using opened = await openBrowser()
    const page = await opened.browser.newPage()
    const now = new Date('2026-11-21T12:00:00Z')
    await page.clock.install({ time: now })
    await page.clock.pauseAt(now.getTime() + 1000)
    await page.goto(`${world.url}/consent`)
    const allow = page.getByRole('button', { name: 'Allow' })
    const enabledAfter = async (milliseconds: number) => {
      await page.clock.runFor(milliseconds)
      return allow.isEnabled()
    }
    assert.equal(await enabledAfter(999), false, 'loaded')
    assert.equal(await enabledAfter(1), true)
    await page.locator('body').dispatchEvent('blur', { bubbles: true })
    assert.equal(await enabledAfter(5000), false, 'behind another window')
    for (const event of ['focus', 'pageshow', 'visibilitychange']) {
      await page.locator('body').dispatchEvent(event, { bubbles: true })
      assert.equal(await enabledAfter(999), false, event)
      assert.equal(await enabledAfter(1), true, event)
    }
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))`)
    assert.equal(await enabledAfter(5000), false, 'hidden')
  },
)

const OPEN_CONSENT = `<button onclick="window.open(location.hash.slice(1))">Connect</button>
  <script>addEventListener('message', ({ data }) => document.body.append('heard ' + data))</script>`
const TELL_OPENER = `<script>opener?.postMessage(location.search, '*')</script>`

function consentFor(url: string, redirectUri: string): string {
  return `${url}/oauth/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`
}

/** Machines without IPv6 have no ::1. */
async function listenOrSkip(t: TestContext, host: '127.0.0.1' | '::1') {
  try {
    return await startOther(host, arrived)
  } catch (error) {
    t.skip(`nothing can listen on ${host}: ${String(error)}`)
    return undefined
  }
}
