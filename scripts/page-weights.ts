/** Prints the size of each page on the first visit as a markdown table: `node scripts/page-weights.ts`. */

import { stdout } from 'node:process'
import type { BrowserContext, Response } from 'playwright-core'
import { listVisits, openFurnished } from '../test/pages/visits.ts'
import { openWindow } from '../test/pages/windows.ts'
import { openBrowser } from '../test/support/browser.ts'

interface Part {
  /** The browser's resource type. */
  readonly kind: string
  /** Bytes. */
  readonly raw: number
  /** Bytes after compression. */
  readonly sent: number
}

const COLUMNS = ['HTML', 'sent', 'CSS', 'script', 'font', 'images', 'all sent', 'requests']

stdout.write(row(['Page', ...COLUMNS]))
stdout.write(row(['---', ...COLUMNS.map(() => '---:')]))
{
  await using world = await openFurnished()
  await using opened = await openBrowser()
  const seen = new Set<string>()
  for (const { route, place, who } of listVisits(world)) {
    if (route === undefined || route.copyOf !== undefined || seen.has(`${who} ${route.path}`))
      continue
    seen.add(`${who} ${route.path}`)
    const context = await openWindow(opened.browser, world.visitors[who])
    stdout.write(row([`${route.path} (${who})`, ...figuresOf(await weigh(context, place))]))
    await context.close()
  }
}

/** Every resource that the page loads. */
async function weigh(context: BrowserContext, place: string): Promise<Part[]> {
  const page = await context.newPage()
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  await page.goto(place, { waitUntil: 'networkidle' })
  return Promise.all(
    responses.map(async (response) => {
      const request = response.request()
      const { responseBodySize: sent } = await request.sizes()
      return { kind: request.resourceType(), raw: (await response.body()).byteLength, sent }
    }),
  )
}

function figuresOf(parts: readonly Part[]): string[] {
  const sent = (...kinds: readonly string[]) =>
    bytes(parts.filter(({ kind }) => kinds.includes(kind)).map((part) => part.sent))
  return [
    bytes(parts.filter(({ kind }) => kind === 'document').map(({ raw }) => raw)),
    sent('document'),
    sent('stylesheet'),
    sent('script'),
    sent('font'),
    sent('image', 'other'),
    bytes(parts.map((part) => part.sent)),
    String(parts.length),
  ]
}

/** Formats a sum of bytes in kB (1,000 bytes). */
function bytes(sizes: readonly number[]): string {
  const sum = sizes.reduce((before, size) => before + size, 0)
  return `${(sum / 1000).toFixed(1)} kB`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}
