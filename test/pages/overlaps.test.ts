/** Dialogs, menus, notices and cells are shown whole: nothing covers, tears or cuts them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { evaluate, judge, DESK, PHONE } from './judge.ts'
import { openWindows } from './windows.ts'

const LOOKS = { skip: browserMissing }
const PERSON = '/user/connections/c_1'

async function openWorld(...people: readonly object[]) {
  const world = await openWindows()
  const token = await world.service.mintToken()
  await askTool(world.service.url, token, 'add_connections', { connections: people })
  return world
}

/** Whether the middle of the element is the element itself, not something above it. */
async function isOnTop(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  return element.evaluate(
    (node, at) => {
      const top = node.ownerDocument.elementFromPoint(at.x, at.y)
      return top !== null && (node === top || node.contains(top) || top.contains(node))
    },
    { x, y },
  )
}

for (const viewport of [DESK, PHONE])
  test(`the shortcuts are whole in their dialog at ${viewport.width} px`, LOOKS, async () => {
    await using world = await openWorld({ name: 'Alan Turing' })
    const page = await world.open({ viewport, hasTouch: viewport === PHONE })
    await page.goto('/user/connections')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    const box = await dialog.locator('section').boundingBox()
    const outer = await dialog.boundingBox()
    assert.ok(box && outer)
    assert.ok(box.height > 150 && box.width > outer.width - 100, JSON.stringify(box))
    const rows = dialog.locator('dt')
    assert.ok((await rows.count()) > 5)
    for (const row of await rows.all()) assert.ok(await row.isVisible())
  })

for (const viewport of [DESK, PHONE])
  test(`no notice covers the open menu of a person at ${viewport.width} px`, LOOKS, async () => {
    await using world = await openWorld({ name: 'Alan Turing' })
    const page = await world.open({ viewport })
    await page.goto(PERSON)
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Likes chess')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('status').first().waitFor()
    await evaluate(page, 'scrollTo(0, 0)')
    await page.locator('details.dropdown > summary').click()
    const menu = page.locator('details.dropdown > div')
    for (const part of [menu.locator('p'), menu.getByRole('button', { name: 'Delete' })])
      assert.ok(await isOnTop(page, part), await part.innerText())
  })

test('each landmark of a page with two searches has a name of its own', LOOKS, async () => {
  await using world = await openWorld({ name: 'Alan Turing' })
  const page = await world.open({ viewport: DESK })
  for (const path of ['/user/connections', '/user/search', '/user/share']) {
    await page.goto(path)
    await judge(page, path)
  }
})

test('tags of the list are never only an ellipsis, and their number is seen', LOOKS, async () => {
  const tags = ['conference', 'investor', 'mentor', 'pioneer']
  await using world = await openWorld({ name: 'Alan Turing', company: 'Bletchley Park', tags })
  const page = await world.open({ viewport: DESK })
  await page.goto('/user/connections')
  const cell = page.locator('td.tags')
  const cut = await cell.evaluate(
    (node) =>
      [node, ...node.querySelectorAll('.badge')].filter(
        (part) => part.scrollWidth > part.clientWidth + 1,
      ).length,
  )
  assert.equal(cut, 0, await cell.innerText())
  assert.match(await cell.innerText(), /\+\d/)
})
