import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { complaintsOf, DESK, evaluate, judge, PHONE } from './judge.ts'
import { PAGES, startWorld } from './world.ts'

test('every page fits every screen and is accessible', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await opened.browser.newPage({ viewport: PHONE })
  const complaints = complaintsOf(page)
  for (const path of Object.keys(PAGES)) {
    await page.goto(world.url + path)
    await judge(page, path)
    assert.deepEqual(complaints, [], `${path}: the browser complains`)
  }
})

test(
  'on a phone the sidebar is a menu that opens and closes',
  { skip: browserMissing },
  async () => {
    await using world = await startWorld()
    await using opened = await openBrowser()
    const page = await openPage(opened.browser, `${world.url}/member`, { viewport: PHONE })
    const agents = page.getByRole('link', { name: 'Agents', exact: true })
    assert.equal(await agents.isVisible(), false)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    assert.equal(await agents.isVisible(), true)
    await page.keyboard.press('Escape')
    assert.equal(await agents.isVisible(), false)
  },
)

test('on a large screen the sidebar is always visible', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await openPage(opened.browser, `${world.url}/member`, { viewport: DESK })
  assert.equal(await page.getByRole('link', { name: 'Agents', exact: true }).isVisible(), true)
  assert.equal(await page.getByRole('button', { name: 'More', exact: true }).isVisible(), false)
})

test('a copy button copies and confirms', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await openPage(opened.browser, `${world.url}/member`, { permissions })
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await evaluate(page, 'navigator.clipboard.readText()')
  assert.equal(copied, 'https://weft.example.org/mcp')
})

test('without clipboard access, the value is selected', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await openPage(opened.browser, `${world.url}/member`, {})
  // As over http on any host other than localhost.
  await evaluate(page, "Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await page.getByRole('button', { name: 'Copy' }).click()
  assert.equal(await evaluate(page, 'getSelection().toString()'), 'https://weft.example.org/mcp')
})

test('a double-click submits a form once', { skip: browserMissing }, async () => {
  await using world = await startWorld()
  await using opened = await openBrowser()
  const page = await openPage(opened.browser, `${world.url}/form`, {})
  await page.getByLabel('Email').fill('ada@example.org')
  await evaluate(
    page,
    `globalThis.rejected = []
    addEventListener('submit', (event) => {
      rejected.push(event.defaultPrevented)
      event.preventDefault()
    })`,
  )
  const button = page.getByRole('button', { name: 'Sign in' })
  await button.dblclick()
  assert.deepEqual(await evaluate(page, 'rejected'), [false, true])
  await evaluate(page, "void dispatchEvent(new Event('pageshow'))")
  await button.click()
  assert.deepEqual(await evaluate(page, 'rejected'), [false, true, false])
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
