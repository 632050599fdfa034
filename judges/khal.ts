/** The calendar feed, imported into khal and read back without loss. Skipped if khal is not installed. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeCalendar, type CalendarEntry } from '../src/calendar/write-calendar.ts'
import { daysLater } from '../src/dates/calendar-day.ts'
import type { Verdict } from './judge.ts'

const run = promisify(execFile)
const FIRST_DAY = '2027-01-04'
const DAYS = 300

const TITLES = [
  'Ann Lee: Send the slides, then call; ask about C:\\temp',
  'Zoë Müller’s birthday',
  '田中 太郎: 資料を送る',
  'Дмитрий Соколов: позвонить',
  '👩‍🚀 Mae, “quoted”, & <b>bold</b>',
  'L'.repeat(400),
]

/** One entry a day, whose title can be recognized. */
function entries(): CalendarEntry[] {
  return Array.from({ length: DAYS }, (_, index) => ({
    uid: `f_${index}@weft.example`,
    changedAt: 1_790_000_000_000,
    start: daysLater(FIRST_DAY, index),
    title: `${index} ${TITLES[index % TITLES.length] ?? ''}`,
    url: 'https://weft.example/user',
  }))
}

export async function* khal(): AsyncGenerator<Verdict> {
  const judge = `khal imports a feed of ${DAYS} entries`
  try {
    await run('khal', ['--version'])
  } catch {
    yield { judge, content: true, skipped: true, says: 'khal is not installed' }
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'weft-khal-'))
  try {
    const config = await prepare(folder)
    const feed = join(folder, 'feed.ics')
    await writeFile(feed, writeCalendar({ name: 'Weft', entries: entries() }))
    await run('khal', ['-c', config, 'import', '--batch', '-a', 'weft', feed])
    const format = ['--format', '{start-date}|{title}', '--day-format', '']
    const list = ['-c', config, 'list', '-a', 'weft', ...format, FIRST_DAY, `${DAYS}d`]
    const { stdout } = await run('khal', list)
    const read = new Set(stdout.split('\n'))
    const lost = entries().filter(({ start, title }) => !read.has(`${String(start)}|${title}`))
    const says = lost.map(({ title }) => title).join('\n')
    yield { judge, content: lost.length === 0, says: `${lost.length} lost:\n${says}` }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the path of the settings. */
async function prepare(folder: string): Promise<string> {
  await mkdir(join(folder, 'weft'))
  const config = join(folder, 'config')
  await writeFile(
    config,
    `[calendars]
[[weft]]
path = ${join(folder, 'weft')}
type = calendar
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
default_timezone = Europe/Berlin
local_timezone = Europe/Berlin
[sqlite]
path = ${join(folder, 'khal.db')}
`,
  )
  return config
}
