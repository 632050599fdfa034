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
    const box = await dialog.locator('.shortcuts').boundingBox()
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
    await page.locator('[popovertarget=more-actions]').click()
    const menu = page.locator('#more-actions')
    for (const part of [menu.locator('p'), menu.getByRole('button', { name: 'Delete' })])
      assert.ok(await isOnTop(page, part), await part.innerText())
  })

/** A person with a note, a contact, three colleagues and every kind of contact detail. */
async function openPerson() {
  const world = await openWindows()
  const { url } = world.service
  const token = await world.service.mintToken()
  const work = { title: 'Head of Partnerships', company: 'Bletchley Park' }
  const connections = [
    { ...work, name: 'Alan Turing', location: 'London', emails: ['alan@bletchley.example'] },
    { ...work, name: 'Joan Clarke' },
    { ...work, name: 'Hugh Alexander' },
    { ...work, name: 'Gordon Welchman' },
    { ...work, name: 'Stuart Milner' },
  ]
  await askTool(url, token, 'add_connections', { connections })
  await askTool(url, token, 'save_note', { connection_id: 'c_1', text: 'Likes chess' })
  return world
}

test(
  'what can be done with an entry is in a menu on touch screens, and beside it under a pointer',
  LOOKS,
  async () => {
    await using world = await openPerson()
    const touch = await world.open({ viewport: PHONE, hasTouch: true, isMobile: true })
    await touch.goto(PERSON)
    const note = touch.locator('.timeline > li', { hasText: 'Likes chess' })
    const edit = note.getByRole('link', { name: 'Edit note' })
    assert.equal(await edit.isVisible(), false)
    await note.getByRole('button', { name: 'More' }).click()
    await touch.locator('.timeline :popover-open').waitFor()
    for (const part of [edit, note.getByRole('button', { name: /^Undo/ })])
      assert.ok(await isOnTop(touch, part), await part.innerText())
    const menu = await note.locator('.actions').boundingBox()
    assert.ok(menu && menu.x >= 0 && menu.x + menu.width <= PHONE.width, JSON.stringify(menu))

    const desk = await world.open({ viewport: DESK })
    await desk.goto(PERSON)
    const row = desk.locator('.timeline > li', { hasText: 'Likes chess' })
    assert.equal(await row.getByRole('button', { name: 'More' }).isVisible(), false)
    await row.hover()
    assert.ok(await isOnTop(desk, row.getByRole('link', { name: 'Edit note' })))
  },
)

for (const viewport of [DESK, PHONE])
  test(
    `a field is edited where it stands, below the name, at ${viewport.width} px`,
    LOOKS,
    async () => {
      await using world = await openPerson()
      const page = await world.open({ viewport })
      await page.goto(PERSON)
      const value = await page.locator('#title').boundingBox()
      await page.goto(`${PERSON}?edit=title#title`)
      const input = page.getByRole('textbox', { name: 'Title', exact: true })
      const [form, field] = [await page.locator('#title').boundingBox(), await input.boundingBox()]
      const name = await page.getByRole('heading', { level: 1 }).boundingBox()
      assert.ok(value && form && field && name)
      assert.ok(name.y >= 0, 'the name stays in sight')
      assert.equal(form.x, value.x)
      const save = await page.locator('#title').getByRole('button', { name: 'Save' }).boundingBox()
      assert.ok(save && save.y - field.y < 48, 'the button is beside the field, or just below it')
    },
  )

test(
  'contact details have a sign before and a label below, and colleagues have faces',
  LOOKS,
  async () => {
    await using world = await openPerson()
    const page = await world.open({ viewport: DESK })
    await page.goto(PERSON)
    const row = page.locator('.record > div', { hasText: 'alan@bletchley.example' })
    const [mark, value] = [row.locator('dt .icon'), row.locator('dd a')]
    const [left, right] = [await mark.boundingBox(), await value.boundingBox()]
    assert.ok(left && right && left.x + left.width < right.x && left.y < right.y + right.height)
    assert.equal(await page.locator('.related .faces > .face').count(), 3)
    await judge(page, 'contact details')
  },
)

test('the key t opens the field of a tag at its button', LOOKS, async () => {
  await using world = await openPerson()
  const page = await world.open({ viewport: DESK })
  await page.goto(PERSON)
  await page.keyboard.press('t')
  await page.locator('#add-tag:popover-open').waitFor()
  const button = await page.locator('[popovertarget=add-tag]').boundingBox()
  const field = await page.locator('#add-tag').boundingBox()
  assert.ok(button && field && Math.abs(field.y - (button.y + button.height)) < 16)
})

test('each landmark of a page with two searches has a name of its own', LOOKS, async () => {
  await using world = await openWorld({ name: 'Alan Turing' })
  const page = await world.open({ viewport: DESK })
  for (const path of ['/user/connections', '/user/search?then=log', '/user/share']) {
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

/** Pages with menus and dialogs; that of the person also shows a notice. */
const WITH_OVERLAYS = [
  '/user',
  '/user/connections',
  PERSON,
  '/user/activity',
  '/user/network',
] as const

/** What is clipped by the window or covered, of everything that is open. Only a menu may be above a notice. */
const COVERED = `(() => {
  const open = [...document.querySelectorAll(':popover-open, dialog[open], details.dropdown[open] > div, [role=status]')]
  return open.flatMap((part) => {
    const box = part.getBoundingClientRect()
    if (box.width === 0 || box.height === 0) return []
    const name = part.id || part.className || part.tagName
    const found = []
    if (box.left < 0 || box.right > innerWidth + 1) found.push(name + ' is clipped')
    for (const control of part.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary')) {
      // Those of a closed part have boxes, too.
      if (!control.checkVisibility()) continue
      const { left, top, width, height } = control.getBoundingClientRect()
      if (width === 0 || height === 0) continue
      const [x, y] = [left + width / 2, top + height / 2]
      if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) continue
      const above = document.elementFromPoint(x, y)
      const isUnderMenu = part.matches('[role=status]') && open.some((other) => other !== part && other.contains(above))
      if (!isUnderMenu && above && !control.contains(above) && !above.contains(control))
        found.push(name + ': ' + control.textContent.trim().slice(0, 40) + ' is covered by ' + above.outerHTML.slice(0, 80))
    }
    return found
  })
})()`

for (const viewport of [DESK, PHONE])
  test(`nothing that opens is clipped or covered at ${viewport.width} px`, LOOKS, async () => {
    await using world = await openWorld({ name: 'Alan Turing', tags: ['pioneer'] }, { name: 'Ada' })
    const page = await world.open({ viewport })
    await page.goto(PERSON)
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Likes chess')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('status').first().waitFor()
    const withNotice = new URL(page.url())
    for (const path of WITH_OVERLAYS) {
      await page.goto(path === PERSON ? withNotice.pathname + withNotice.search : path)
      const menus = page.locator('details.dropdown > summary, main [popovertarget]')
      for (const menu of await menus.all()) {
        if (!(await menu.isVisible())) continue
        await menu.scrollIntoViewIfNeeded()
        await menu.click()
        assert.deepEqual(await evaluate(page, COVERED), [], `${path}: ${await menu.innerText()}`)
        await page.keyboard.press('Escape')
        await evaluate(
          page,
          `document.querySelectorAll('details.dropdown[open]').forEach((one) => { one.open = false })`,
        )
      }
    }
  })

/** What is shown below the actions of the row under the pointer. */
const ACTIONS_ON_CONTENT = `(() => {
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const boxOf = (node) => node.getBoundingClientRect()
  return [...document.querySelectorAll('.log .lines > li:hover')].flatMap((row) => {
    const form = row.querySelector(':scope > form')
    if (!form || !isShown(form)) return []
    const [action, others] = [boxOf(form), row.querySelectorAll('.line .face, .line small, .line .span, .line .what > *')]
    const isBelow = (node) => isShown(node) && boxOf(node).width > 0 && boxOf(node).right > action.left && boxOf(node).left < action.right
    return [...others].filter(isBelow).map((node) => row.innerText + ': ' + node.outerHTML)
  })
})()`

test('the actions of a row of the activity cover neither faces nor texts', LOOKS, async () => {
  const people = ['Alan', 'Ada', 'Kay', 'Jean'].map((name) => ({ name: `${name} Turing` }))
  await using world = await openWorld(...people)
  const token = await world.service.mintToken()
  for (const [at, tags] of [['c_1'], ['c_2'], ['c_3'], ['c_4']].entries())
    await askTool(world.service.url, token, 'update_connections', {
      people: tags,
      location: `Berlin ${at}`,
    })
  const page = await world.open({ viewport: DESK })
  await page.goto('/user/activity')
  const rows = page.locator('.log .lines > li')
  await rows.filter({ hasText: /and 3\sothers: location/ }).waitFor()
  for (const row of await rows.all()) {
    await row.hover()
    assert.deepEqual(await evaluate(page, ACTIONS_ON_CONTENT), [])
  }
  await rows
    .first()
    .getByRole('button', { name: /^Undo all/ })
    .waitFor()
})

test(
  'the ways to a person are whole, drawn and below each name, on narrow screens',
  LOOKS,
  async () => {
    const title = 'Regional director of partnerships and communities'
    const names = ['Alan Turing', 'Grace Hopper', 'Mia Winterbourne', 'Rosa Zimmermann', 'Ida Berg']
    const people = names.map((name) => ({ name, title, company: 'GE' }))
    const note = 'Introduced me to two people of GE at the fair in Hamburg.'
    await using world = await openWorld(...people, { name: 'Ida Noddack', note })
    const token = await world.service.mintToken()
    const called = { people: ['Ida Noddack', ...names.slice(0, 2)], kind: 'call' }
    await askTool(world.service.url, token, 'log_interaction', called)
    const page = await world.open({ viewport: PHONE })
    for (const width of [DESK.width, 768, PHONE.width]) {
      await page.setViewportSize({ ...PHONE, width })
      await page.goto('/user/network/introductions?to=GE')
      assert.equal(await page.locator('.paths > li').count(), 3)
      const rows = page.locator('.through > li')
      assert.equal(await rows.count(), 3)
      const views = await page.locator('.segments > a').all()
      const tops = await Promise.all(views.map(async (view) => (await view.boundingBox())?.y))
      assert.equal(new Set(tops).size, 1, 'the views are one row')
      const last = await page.locator('.segments > a').last().boundingBox()
      assert.ok(last && last.x + last.width <= width, 'which fits')
      const cut = await evaluate(
        page,
        `[...document.querySelectorAll(':is(.paths, .through) :is(p, small, bdi, .tie)')].filter((one) => {
        const { left, right } = one.getBoundingClientRect()
        return one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 || right > innerWidth || left < 0
      }).map(({ textContent }) => textContent)`,
      )
      assert.deepEqual(cut, [], String(width))
      if (width === DESK.width) continue
      for (const row of await rows.all()) {
        const [name, work] = [
          await row.locator('.who').boundingBox(),
          await row.locator('p').boundingBox(),
        ]
        assert.ok(name && work && work.y >= name.y + name.height - 1, 'below the name')
      }
    }
    await judge(page, 'introductions')
  },
)
