/** Takes the screenshots of the README: `node scripts/screenshots.ts`. It needs Chromium (see test/support/browser.ts). */

import { join } from 'node:path'
import { openWindow } from '../test/pages/windows.ts'
import { openBrowser } from '../test/support/browser.ts'
import { startInventedMember } from './invented-member.ts'

const FOLDER = join(import.meta.dirname, '../docs/pictures')
/** A desktop window. */
const VIEWPORT = { width: 1200, height: 800 }

/** One per page. */
const SCREENSHOTS = [
  { name: 'home', path: '/tour', colorScheme: 'light' },
  { name: 'connections', path: '/user/connections?q=climate+berlin', colorScheme: 'light' },
  { name: 'connection', path: '/user/connections/c_1', colorScheme: 'light' },
  { name: 'network', path: '/user/network', colorScheme: 'dark' },
  { name: 'activity', path: '/user/activity', colorScheme: 'light' },
  { name: 'agents', path: '/user/integrations/mcp', colorScheme: 'light' },
  { name: 'conversation', path: '/', colorScheme: 'light' },
] as const

await using member = await startInventedMember()
await using opened = await openBrowser()
for (const { name, path, colorScheme } of SCREENSHOTS) {
  const context = await openWindow(opened.browser, member.visitor, {
    viewport: VIEWPORT,
    colorScheme,
    timezoneId: 'Europe/Stockholm',
  })
  const page = await context.newPage()
  await page.goto(path)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  await context.close()
}
