/** A service, and a real browser with windows of signed-in members. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { memberBrowser, type MemberBrowser } from '../support/oauth.ts'
import { givePassword } from '../support/password.ts'
import { startTestService, type TestService } from '../support/service.ts'
import type { Visitor } from '../support/visitor.ts'

export interface Windows extends AsyncDisposable {
  readonly service: TestService
  /** Ada Lovelace, without data. */
  readonly ada: MemberBrowser
  /** An empty page in a new window, for Ada by default. It resolves paths of the service. */
  open(options?: BrowserContextOptions, of?: Visitor): Promise<Page>
}

export async function openWindows(): Promise<Windows> {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService())
  const { browser } = opening.use(await openBrowser())
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  await givePassword(service, ada.member)
  const opened = opening.move()
  return {
    service,
    ada,
    open: async (options, of = ada) => (await openWindow(browser, of, options)).newPage(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A context with the visitor's current cookies. Without transitions between pages, because each draws both pages repeatedly. */
export async function openWindow(
  browser: Browser,
  visitor: Visitor,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    ...options,
    baseURL: visitor.url,
  })
  await context.addCookies(cookiesOf(visitor))
  return context
}

export function cookiesOf({ url, cookies }: Visitor) {
  return Object.entries(cookies).map(([name, value]) => ({ name, value, url }))
}
