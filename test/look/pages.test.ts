import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { PAGES, startWorld } from './world.ts'

const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }

for (const [look, viewport, colorScheme] of [
  ['a light phone', PHONE, 'light'],
  ['a dark desk', DESK, 'dark'],
] as const)
  test(`every page fits and is accessible on ${look}`, { skip: browserMissing }, async () => {
    await using world = await startWorld()
    await using opened = await openBrowser()
    const context = await opened.browser.newContext({ viewport, colorScheme })
    for (const path of Object.keys(PAGES)) {
      const page = await context.newPage()
      const complaints = complaintsOf(page)
      await page.goto(world.url + path)
      assert.deepEqual(await violations(page), [], `${path}: axe`)
      const width = await evaluate(page, 'document.documentElement.scrollWidth')
      assert.equal(width, viewport.width, `${path} scrolls sideways`)
      assert.deepEqual(complaints, [], `${path}: the browser complains`)
      await page.close()
    }
  })

test('on a phone the bar is a menu that opens and closes', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await openPage(opened.browser, `${world.url}/member`, { viewport: PHONE })
  const jobs = page.getByRole('link', { name: 'Jobs' })
  assert.equal(await jobs.isVisible(), false)
  await page.getByRole('button', { name: 'Menu' }).click()
  assert.equal(await jobs.isVisible(), true)
  await page.keyboard.press('Escape')
  assert.equal(await jobs.isVisible(), false)
})

test('where there is room the bar stands open', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await openPage(opened.browser, `${world.url}/member`, { viewport: DESK })
  assert.equal(await page.getByRole('link', { name: 'Jobs' }).isVisible(), true)
  assert.equal(await page.getByRole('button', { name: 'Menu' }).isVisible(), false)
})

test('a copy button copies, and says so', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await openPage(opened.browser, `${world.url}/member`, { permissions })
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await evaluate(page, 'navigator.clipboard.readText()')
  assert.equal(copied, 'https://weft.example.org/mcp')
})

async function openPage(
  browser: Browser,
  address: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(address)
  return page
}

/** What the browser says in its console; the status of a page is no complaint. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.includes('the server responded with a status of'))
      complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Broken rules of WCAG 2.2 A and AA, and of good practice. */
async function violations(page: Page): Promise<unknown> {
  await evaluate(page, `${await readFile(AXE, 'utf8')}; undefined`)
  return evaluate(
    page,
    `axe.run().then(({ violations, passes }) => {
      if (!passes.some(({ id }) => id === 'color-contrast')) return ['axe looked at no text']
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
    })`,
  )
}

/** As a debugger does it, which the page's policy against inline scripts does not hold. */
async function evaluate(page: Page, expression: string): Promise<unknown> {
  const debug = await page.context().newCDPSession(page)
  const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  })
  await debug.detach()
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description)
  return result.value
}
