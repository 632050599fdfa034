/** On every page, all menus, dialogs and notices together with each other: nothing is clipped or covered. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { DESK, evaluate, PHONE } from './judge.ts'
import { listVisits, openFurnished, type Furnished } from './visits.ts'
import { openWindow } from './windows.ts'

/**
 * Opens one thing after another, without closing what stays open beside it, and returns what is wrong: a control whose middle
 * something else covers, and an opened part that the window cuts. A menu may be above a notice.
 */
const OPEN_ALL = `(async () => {
  const OPENED = ':popover-open, dialog[open], details.dropdown[open] > div, .bulk-bar details[open] > div, .toast, .notice[role=status]'
  const CONTROL = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
  const nameOf = (element) => element.id || element.className || element.tagName
  const cut = (part) => {
    const { left, top, right, bottom, width } = part.getBoundingClientRect()
    const isFixed = part.matches(':popover-open, dialog, .toast')
    return width > 0 && (left < -1 || right > innerWidth + 1 || (isFixed && (top < -1 || bottom > innerHeight + 1)))
  }
  const wrongIn = (parts) => parts.flatMap((part) => {
    const room = part.getBoundingClientRect()
    if (room.width === 0 || room.height === 0) return []
    const covered = [...part.querySelectorAll(CONTROL)].filter(isShown).flatMap((control) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const isAway = x < Math.max(0, room.left) || x > Math.min(innerWidth, room.right) ||
        y < Math.max(0, room.top) || y > Math.min(innerHeight, room.bottom)
      const above = isAway ? null : document.elementFromPoint(x, y)
      if (above === null || control.contains(above) || above.contains(control)) return []
      const isUnderMenu = parts.some((other) => other !== part && other.matches(':popover-open') && (other.contains(above) || other === above))
      if (isUnderMenu || above.closest('label') === control.closest('label') && control.closest('label')) return []
      return [nameOf(part) + ': ' + (control.textContent.trim() || control.name).slice(0, 30) + ' is covered by ' + above.outerHTML.slice(0, 70)]
    })
    return cut(part) ? [nameOf(part) + ' is clipped', ...covered] : covered
  })
  const box = document.querySelector('.bulk [name=c]')
  if (box) box.click()
  const openers = [...document.querySelectorAll('details.dropdown > summary, .bulk-bar details > summary, [popovertarget]:not([popovertargetaction=hide])')]
  const found = new Set(wrongIn([...document.querySelectorAll(OPENED)]))
  let opened = 0
  for (const opener of openers) {
    if (!isShown(opener)) continue
    opener.scrollIntoView({ block: 'center', behavior: 'instant' })
    opener.click()
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    opened += 1
    for (const one of wrongIn([...document.querySelectorAll(OPENED)])) found.add(opener.textContent.trim().slice(0, 30) + ' > ' + one)
    for (const one of document.querySelectorAll(':popover-open')) one.hidePopover()
  }
  return { opened, wrong: [...found], hasNotice: document.querySelector('.toast, .notice[role=status]') !== null }
})()`

interface Seen {
  readonly opened: number
  readonly wrong: readonly string[]
  readonly hasNotice: boolean
}

describe(
  'on every page, nothing that opens is clipped or covered',
  { skip: browserMissing },
  () => {
    let world: Furnished
    before(async () => (world = await openFurnished()))
    after(() => world[Symbol.asyncDispose]())

    for (const viewport of [DESK, PHONE])
      test(`at ${viewport.width} px`, async () => {
        await using opened = await openBrowser()
        const isPhone = viewport === PHONE
        const context = await openWindow(opened.browser, world.visitors.rich, {
          viewport,
          ...(isPhone && { hasTouch: true, isMobile: true }),
        })
        const page = await context.newPage()
        const wrong: string[] = []
        const seen = { opened: 0, notices: 0, pages: 0 }
        for (const { place, who, status } of listVisits(world)) {
          if (who !== 'rich' || status !== 200) continue
          const address = new URL(place, world.service.url)
          // A page that can tell of a change tells of the first one.
          address.searchParams.set('change', 'a_1')
          const answer = await page.goto(address.href)
          if (answer?.status() !== 200) await page.goto(world.service.url + place)
          const of = (await evaluate(page, OPEN_ALL)) as Seen
          seen.pages += 1
          seen.opened += of.opened
          seen.notices += of.hasNotice ? 1 : 0
          wrong.push(...of.wrong.map((one) => `${place}: ${one}`))
        }
        assert.deepEqual(wrong, [])
        assert.ok(seen.pages > 25 && seen.opened > 100 && seen.notices > 3, JSON.stringify(seen))
      })
  },
)
