/**
 * Pages of a member with 10,000 connections in Chromium with a CPU slowed down four times, as a phone has it: when the
 * largest content is painted, how long the main thread blocks, how far the layout shifts, and what is transferred to a
 * browser with an empty cache. Times are the shortest of some rounds, because other work on the machine makes the others
 * longer. A trivial page of another server in the same run shows what the machine adds.
 */

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { CHROMIUM } from '../test/support/browser.ts'
import { linkedinCsv } from '../test/support/invented.ts'
import { PASSWORD } from '../test/support/password.ts'
import { SEED } from './support/calls.ts'
import { count, printFigures, type Figure } from './support/figures.ts'
import { temporaryFolder } from './support/machine.ts'
import { freePort, serve, weft } from './support/weft.ts'

export const title = 'Pages with 10,000 connections, CPU slowed down 4 times'

const PEOPLE = 10_000
const ROUNDS = 7
const SLOWDOWN = 4
const AIM = 'LCP under 1,000 ms, TBT under 150 ms, CLS under 0.02'

const PAGES = {
  'start page': '/',
  'public profile': '/human/ada',
  home: '/user',
  list: '/user/connections',
  person: '/user/connections/c_1',
  network: '/user/network',
  activity: '/user/activity',
  duplicates: '/user/connections/duplicates',
} as const

export async function measure(): Promise<Figure[]> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed')
  await using folder = await temporaryFolder()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = { folder: folder.path, publicUrl: url }
  await weft(settings, 'member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
  const file = join(folder.path, 'Connections.csv')
  await writeFile(file, linkedinCsv(PEOPLE, SEED))
  await weft(settings, 'import', file, '--member', 'ada')
  const link = await weft(settings, 'member', 'reset-link', 'ada')
  await using _served = await serve(settings, port)
  await using trivial = await serveTrivialPage()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const storageState = await signIn(browser, link)
    const figures = [await measurePage(browser, 'trivial page', trivial.url)]
    for (const [name, path] of Object.entries(PAGES)) {
      const isPublic = name === 'start page' || name === 'public profile'
      const options = isPublic ? {} : { storageState }
      figures.push(await measurePage(browser, name, url + path, options))
    }
    return figures
  } finally {
    await browser.close()
  }
}

async function serveTrivialPage() {
  const page = '<!doctype html><html lang="en"><title>Trivial</title><h1>Trivial page</h1></html>'
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function signIn(browser: Browser, link: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/reset'))
  const state = await context.storageState()
  await context.close()
  return state
}

interface Load {
  readonly lcp: number
  readonly tbt: number
  readonly cls: number
  /** Compressed bytes by kind. */
  readonly bytes: Readonly<Record<string, number>>
}

async function measurePage(
  browser: Browser,
  name: string,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Figure> {
  const loads: Load[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext(options)
    loads.push(await loadOnce(context, url))
    await context.close()
  }
  const of = (value: (load: Load) => number) => Math.min(...loads.map(value))
  const bytes = loads.at(-1)?.bytes ?? {}
  const sizes = Object.entries(bytes).map(([kind, size]) => `${kind} ${(size / 1024).toFixed(1)}`)
  const paint = `LCP ${count(of(({ lcp }) => lcp))} ms, TBT ${count(of(({ tbt }) => tbt))} ms`
  const value = `${paint}, CLS ${Math.max(...loads.map(({ cls }) => cls)).toFixed(3)}`
  return {
    name,
    value,
    ratio: `KB: ${sizes.join(', ')}`,
    ...(name !== 'trivial page' && { aim: AIM }),
  }
}

async function loadOnce(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  await page.addInitScript(OBSERVE)
  const bytes = await countBytes(page)
  await page.goto(url, { waitUntil: 'load' })
  // Long tasks and shifts after the load count too.
  await page.waitForTimeout(1000)
  const { lcp, tbt, cls } = await page.evaluate<Omit<Load, 'bytes'>>('globalThis.measured')
  return { lcp, tbt, cls, bytes }
}

async function countBytes(page: Page): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {}
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const kinds = new Map<string, string>()
  session.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)?.toLowerCase() ?? 'other'
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength
  })
  return bytes
}

/** Runs in the page. Shifts within half a second of input do not count. */
const OBSERVE = `
  globalThis.measured = { lcp: 0, tbt: 0, cls: 0 }
  const observe = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => { measured.lcp = startTime })
  observe('longtask', ({ duration }) => { measured.tbt += Math.max(0, duration - 50) })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) measured.cls += value })`

if (import.meta.main) printFigures(title, await measure())
