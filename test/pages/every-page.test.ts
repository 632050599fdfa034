import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { Route } from '../../src/http/route.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { complaintsOf, evaluate, judge, looseControls, PHONE } from './judge.ts'
import { listVisits, openFurnished, type Visit } from './visits.ts'
import { openWindow } from './windows.ts'

/** The number of concurrent pages. */
const AT_ONCE = 2

test(
  'every page is valid, accessible and fits, small and wide, light and dark',
  { skip: browserMissing },
  async () => {
    await using world = await openFurnished()
    await using opened = await openBrowser()
    const { url } = world.service
    const { anonymous, rich, bare } = world.visitors
    const contexts = {
      anonymous: await openWindow(opened.browser, anonymous),
      rich: await openWindow(opened.browser, rich),
      bare: await openWindow(opened.browser, bare),
    }
    const titles = new Map<string, Visit>()
    const wrong: string[] = []
    const visits = listVisits(world).values()
    const look = async () => {
      const tabs = new Map<Visit['who'], Tab>()
      for (const visit of visits)
        try {
          const tab = tabs.get(visit.who) ?? (await openTab(contexts[visit.who]))
          tabs.set(visit.who, tab)
          const title = await lookAt(tab, url, visit)
          refuseSharedTitle(titles, title, visit)
        } catch (error) {
          wrong.push(String(error))
        }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, look))
    assert.deepEqual(wrong, [])
  },
)

/** A tab is used for many pages, because starting a renderer takes as long as checking a page. */
interface Tab {
  readonly page: Page
  readonly complaints: string[]
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  await page.setViewportSize(PHONE)
  return { page, complaints: complaintsOf(page) }
}

/** Checks a page; the phone is dark for pages that are also checked for someone else. Returns the page's title. */
async function lookAt({ page, complaints }: Tab, url: string, visit: Visit): Promise<string> {
  const { place, who, status } = visit
  const about = `${place} for ${who}`
  complaints.length = 0
  const answer = await page.goto(url + place)
  assert.equal(answer?.status(), status, about)
  assert.equal(page.url(), url + place, about)
  await judge(page, about, who === 'bare' || status !== 200 ? 'dark' : 'light', async () => {
    assert.deepEqual(await looseControls(page), [], `${about}: buttons and fields`)
    assert.deepEqual(await evaluate(page, OTHER_SIZES), [], `${about}: sizes of type`)
    await page.setViewportSize(WIDE)
    assert.deepEqual(await evaluate(page, OFF_EDGE), [], `${about}: begins at another edge`)
  })
  assert.deepEqual(complaints, [], `${about}: the browser complains`)
  assert.deepEqual(await evaluate(page, OTHER_SIZES), [], `${about}: sizes of type`)
  assert.equal(await evaluate(page, OVERFLOW_MIRRORED), 0, `${about}: does not fit when mirrored`)
  return page.title()
}

const WIDE = { width: 1920, height: 1080 }

/** The parts of a member page that do not begin at the edge where its heading begins. */
const OFF_EDGE = `(() => {
  const main = document.querySelector('.member > main')
  if (!main) return []
  const edge = main.getBoundingClientRect().left + parseFloat(getComputedStyle(main).paddingLeft)
  const isOff = (part) => Math.abs(part.getBoundingClientRect().left - edge) > 1
  return [...main.children].filter((part) => part.checkVisibility() && isOff(part)).map((part) => part.outerHTML.slice(0, 80))
})()`

/** Texts that are in none of the eight sizes of `weft.css`. */
const OTHER_SIZES = `[...document.querySelectorAll('body *')].filter((part) => {
  const isText = [...part.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '')
  const size = parseFloat(getComputedStyle(part).fontSize)
  const isKnown = [10, 12, 13, 15, 16, 18, 24, 32].some((one) => Math.abs(one - size) < 0.01)
  return (isText || part.matches('input, select, textarea')) && part.checkVisibility() && !isKnown
}).map((part) => getComputedStyle(part).fontSize + ' ' + part.outerHTML.slice(0, 80))`

/** How far the page reaches beyond the window, in pixels, if it is written from right to left. */
const OVERFLOW_MIRRORED = `(() => {
  const root = document.documentElement
  root.dir = 'rtl'
  return root.scrollWidth - root.clientWidth
})()`

/** Titles must differ, because they distinguish browser tabs. */
function refuseSharedTitle(titles: Map<string, Visit>, title: string, visit: Visit): void {
  const other = titles.get(title)
  titles.set(title, visit)
  if (other?.route === undefined || visit.route === undefined) return
  const isSame = originalOf(other.route) === originalOf(visit.route)
  assert.ok(isSame, `${other.place} and ${visit.place} have the same title, ${title}`)
}

/** `/mcp/docs` redirects browsers to the documentation. */
function originalOf({ path, copyOf = path }: Route): string {
  return copyOf === '/mcp/docs' ? '/docs' : copyOf
}
