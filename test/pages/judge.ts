/** The checks that every page must pass in a browser. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'
import { htmlMistakes } from './html-rules.ts'

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1280, height: 800 }

type Scheme = 'light' | 'dark'

/**
 * Asserts that the page was sent as valid HTML, keeps its Content-Security-Policy, passes axe, has exactly one `h1`, and
 * is no wider than the window: on a phone in one color scheme, then on a desktop in the other, where `atDesk` can look
 * further. Then the window is as before.
 */
export async function judge(
  page: Page,
  about: string,
  phone: Scheme = 'light',
  atDesk = async () => {},
): Promise<void> {
  assert.deepEqual(htmlMistakes(await sentDocument(page)), [], `${about}: HTML`)
  assert.deepEqual(await brokenPolicies(page), [], `${about}: Content-Security-Policy`)
  assert.equal(await page.locator('h1').count(), 1, `${about}: headings of the first level`)
  const before = page.viewportSize() ?? PHONE
  await judgeLook(page, `${about}, a ${phone} phone`, PHONE, phone, ALL_RULES)
  const desk = phone === 'light' ? 'dark' : 'light'
  await judgeLook(page, `${about}, a ${desk} desktop`, DESK, desk, LOOK_RULES)
  await atDesk()
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: null })
}

async function judgeLook(
  page: Page,
  about: string,
  viewport: typeof PHONE,
  colorScheme: Scheme,
  rules: object,
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport)
  // What lies under the pointer after the last click depends on when the browser looks.
  await page.mouse.move(0, 0)
  await evaluate(page, SETTLED)
  assert.deepEqual(await violations(page, rules), [], `${about}: axe`)
  const width = await evaluate(page, 'document.documentElement.scrollWidth')
  assert.equal(width, viewport.width, `${about} scrolls sideways`)
}

/** Waits for the next frames and for what fades in or out: axe ignores what is transparent, and judges what is nearly so. */
const SETTLED = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  await frame()
  const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.allSettled(fading.map(({ finished }) => finished))
})()`

/**
 * What breaks the language of the drawings on a desktop: more than one filled button, buttons wider than their text, fields
 * wider than 420 pixels; also with each rare form open.
 */
export async function looseControls(page: Page): Promise<unknown> {
  return evaluate(page, LOOSE_CONTROLS)
}

/** The searches of the list and of the palette, the composer and what is edited in a row are as wide as their pages. */
const LOOSE_CONTROLS = `(() => {
  const main = document.querySelector('main')
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('.unseen, [popover]:not(:popover-open)')
  const colorOf = (node) => getComputedStyle(node).backgroundColor
  const probe = main.appendChild(document.createElement('i'))
  probe.style.background = 'var(--fill)'
  const fill = colorOf(probe)
  probe.remove()
  const measure = () => {
    const buttons = [...main.querySelectorAll('button, .button')].filter(isShown)
    const filled = buttons.filter((button) => colorOf(button) === fill)
    const found = filled.length > 1 ? ['filled: ' + filled.map(({ innerText }) => innerText).join(', ')] : []
    if (!document.body.matches('.member')) return found
    for (const button of buttons) {
      const text = document.createRange()
      text.selectNodeContents(button)
      const room = button.getBoundingClientRect().width - text.getBoundingClientRect().width
      if (colorOf(button) !== 'rgba(0, 0, 0, 0)' && room > 64 && !button.closest('.even'))
        found.push(button.innerText + ' is ' + Math.round(room) + ' px wider than its text')
    }
    const fields = main.querySelectorAll('input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), select')
    for (const field of [...fields].filter(isShown)) {
      const { width } = field.getBoundingClientRect()
      if (width > 420.5 && !field.matches('.list .search *, .palette *, .composer *, .in-place *'))
        found.push(field.name + ' is ' + Math.round(width) + ' px wide')
    }
    return found
  }
  const found = measure()
  for (const rare of main.querySelectorAll('details.rare:not([open])')) {
    rare.open = true
    found.push(...measure().map((one) => rare.innerText.slice(0, 30) + ' opened: ' + one))
    rare.open = false
  }
  return found
})()`

/** All violations of the Content-Security-Policy since the document was loaded. */
export async function brokenPolicies(page: Page): Promise<unknown> {
  return evaluate(
    page,
    `(() => {
      const observer = new ReportingObserver(() => {}, { types: ['csp-violation'], buffered: true })
      observer.observe()
      return observer.takeRecords().map(({ body }) => [body.effectiveDirective, body.blockedURL, body.sample])
    })()`,
  )
}

/** Collects console messages, except for response statuses. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.includes('the server responded with a status of'))
      complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** The page's HTML as received, for any request method. */
async function sentDocument(page: Page): Promise<string> {
  const requests = await page.requests()
  const documents = requests.filter(
    (request) => request.isNavigationRequest() && request.frame() === page.mainFrame(),
  )
  const response = await documents.at(-1)?.response()
  assert.ok(response, 'the page came by no request')
  return response.text()
}

/** One per page, because attaching one takes longer than most expressions. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>()

/** Evaluates through the debugger, which the page's policy against inline scripts does not affect. */
export async function evaluate(page: Page, expression: string): Promise<unknown> {
  const attached = debuggers.get(page) ?? page.context().newCDPSession(page)
  debuggers.set(page, attached)
  const debug = await attached
  const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description)
  return result.value
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Axe describes only violations in full, and reads no style sheets that pages have loaded already. */
const QUICK = { resultTypes: ['violations'], preload: false, iframes: false }

/** WCAG 2.2 A and AA and best practices. Axe checks target sizes only on request. */
const ALL_RULES = { ...QUICK, rules: { 'target-size': { enabled: true } } }

/** The rules that depend on the window size or on colors. */
const LOOK_RULES = {
  ...QUICK,
  runOnly: [
    'color-contrast',
    'link-in-text-block',
    'target-size',
    'scrollable-region-focusable',
    'nested-interactive',
    'button-name',
    'link-name',
    'region',
    'landmark-unique',
  ],
}

async function violations(page: Page, options: object): Promise<unknown> {
  const isThere = await evaluate(page, "typeof axe === 'object'")
  if (isThere !== true) await evaluate(page, `${AXE}; undefined`)
  return evaluate(
    page,
    `axe.run(${JSON.stringify(options)}).then(({ violations, passes }) => {
      if (!passes.some(({ id }) => id === 'color-contrast')) return ['axe checked no text']
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => [html, failureSummary])])
    })`,
  )
}
