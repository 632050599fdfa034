/** A real Chromium for page tests. It sends no background requests. */

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { chromium, type Browser } from 'playwright-core'
import { TEST_ENGINE } from './store.ts'

/** The headless shell comes first: it needs about half the time. */
const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC_PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** The path of the installed Chromium. */
export const CHROMIUM = findChromium([SHELL, ...NAMES])
/** The one with everything, such as notifications, which the headless shell lacks. */
const WHOLE_CHROMIUM = findChromium(NAMES)

/** Why browser tests are skipped, for the `skip` of node:test, or false. In CI a missing browser fails them instead. */
export const browserMissing: string | false = reasonToSkip(CHROMIUM)
export const wholeBrowserMissing: string | false = reasonToSkip(WHOLE_CHROMIUM)

/** The browser that the tests of this process share, one after another. */
interface SharedBrowser {
  readonly browser: Promise<Browser>
  users: number
  /** Closes a browser that no test uses any longer. */
  closing?: NodeJS.Timeout
}

let shared: SharedBrowser | undefined

const IDLE_MS = 2000

/** How long a step waits for the page. Less than `HUNG_MS`, because each changed page would otherwise take that long to fail. */
const PATIENCE_MS = 60_000

/** A headless browser. `await using` closes its windows and deletes their data. */
export async function openBrowser(): Promise<{ readonly browser: Browser } & AsyncDisposable> {
  shared ??= { browser: launch(), users: 0 }
  const used = shared
  used.users += 1
  clearTimeout(used.closing)
  const browser = await used.browser
  return {
    browser,
    async [Symbol.asyncDispose]() {
      used.users -= 1
      if (used.users > 0) return
      await Promise.all(browser.contexts().map((context) => context.close()))
      used.closing = setTimeout(() => {
        shared = undefined
        void browser.close()
      }, IDLE_MS)
    },
  }
}

/** A browser of its own, with notifications. */
export async function openWholeBrowser(): Promise<{ readonly browser: Browser } & AsyncDisposable> {
  const browser = await launch(WHOLE_CHROMIUM)
  return { browser, [Symbol.asyncDispose]: () => browser.close() }
}

async function launch(path = CHROMIUM): Promise<Browser> {
  if (path === undefined)
    throw new Error('no Chromium was found: install it, or name it in WEFT_TEST_CHROMIUM')
  // Playwright creates a new folder for the profile and removes it.
  const options = { executablePath: path, headless: true, args: QUIET, timeout: PATIENCE_MS }
  const browser = await chromium.launch(options)
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (look) => {
    const context = await newContext(look)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return browser
}

/**
 * Chromium's sandbox needs permissions that containers lack. Most other flags disable background requests. Each document
 * runs its scripts, such as axe, anew: compiling them to optimized code costs more than it saves.
 */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--no-maglev,--no-turbofan',
]

function reasonToSkip(path: string | undefined): string | false {
  if (TEST_ENGINE === 'postgres') return 'browser tests run on SQLite only'
  return path === undefined && env['CI'] !== 'true' ? 'Chromium is not installed' : false
}

/** The path in WEFT_TEST_CHROMIUM, on the PATH, or in the macOS applications folder. */
function findChromium(names: readonly string[]): string | undefined {
  const named = env['WEFT_TEST_CHROMIUM']
  if (named !== undefined && named !== '') return named
  const folders = (env['PATH'] ?? '').split(delimiter).concat('/usr/bin', '/snap/bin')
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...places, ...MAC_PLACES].find((place) => existsSync(place))
}
