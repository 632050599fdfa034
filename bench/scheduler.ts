/**
 * The scheduler of reminders with 100,000 members and 1,000,000 follow-ups, on each engine: what it reads to find who is
 * due, a minute of clock, and three nodes at once. `node bench/scheduler.ts [SQLite] [PostgreSQL]`
 */

import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { DAY, MINUTE } from '../src/base/clock.ts'
import { createLog } from '../src/base/log.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { statement } from '../src/db/statement.ts'
import { createReminderScheduler } from '../src/reminders/reminder-scheduler.ts'
import { findDueMembers } from '../src/reminders/reminder-settings.ts'
import { fixedClock } from '../test/support/store.ts'
import { insertPeople } from './support/directory-members.ts'
import { ENGINES, startEngines, type Engine, type Engines } from './support/engines.ts'
import { count, median, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine } from './support/machine.ts'
import { addressOf, type Settings } from './support/weft.ts'
import type { Database, Reader } from '../src/db/database.ts'

const MEMBERS = 100_000
const EACH = 10
const MINUTES = 10
const POLLS = 200

export const title = `Scheduler: ${count(MEMBERS)} members, ${count(MEMBERS * EACH)} follow-ups`

export async function measure(engines: readonly Engine[] = ENGINES): Promise<Figure[]> {
  await using started = await startEngines()
  const figures: Figure[] = []
  for (const engine of engines) {
    const settings = await started.create(engine)
    figures.push(...(await measureEngine(started, engine, settings)))
  }
  return figures
}

/** Everyone’s turn comes once a day, spread over its minutes; of ten follow-ups, one is due today. */
function seeding(now: number): string[] {
  const today = new Date(now).toISOString().slice(0, 10)
  return [
    `update members set email = username || '@example.org'`,
    `update reminder_settings set ran_at = ${now - DAY}, summarized_on = '${dayBefore(now)}',
       minute = 480, next_at = ${now} + (member_id % 1440) * ${MINUTE}`,
    `insert into follow_ups (member_id, follow_up_id, text, due_on, recurrence, counts_from, created_at, updated_at)
     with recursive n(n) as (select 1 union all select n + 1 from n where n < ${EACH})
     select member_id, n, 'Write', case when n = 1 then '${today}' else '2027-0' || (n % 9 + 1) || '-15' end,
       'none', 'due', 0, 0 from members, n`,
  ]
}

function dayBefore(now: number): string {
  return new Date(now - DAY).toISOString().slice(0, 10)
}

async function measureEngine(
  engines: Engines,
  engine: Engine,
  settings: Settings,
): Promise<Figure[]> {
  const clock = fixedClock()
  const open = async () =>
    (await openDatabase(addressOf(settings), { clock, searchThreads: 1 })).database
  await using database = await open()
  await insertPeople(database, MEMBERS, 7)
  const start = clock.now()
  const tidy = settings.address === undefined ? 'analyze' : 'vacuum analyze'
  await asOwner(engines, settings, [...seeding(start), tidy])
  const plan = await planOf(engines, settings, start + 5 * MINUTE)
  const idle: number[] = []
  for (let poll = 0; poll < POLLS; poll += 1)
    idle.push(await timed(() => findDueMembers(database, start - 1, 500)))
  await using nodes = new AsyncDisposableStack()
  const schedulerOf = (one: Database) =>
    nodes.use(createReminderScheduler({ database: one, clock, log: createLog('error') }))
  const single = schedulerOf(database)
  const minutes: number[] = []
  let reminded = 0
  for (let minute = 0; minute < MINUTES; minute += 1) {
    minutes.push(await timed(async () => (reminded += await single.remindDue())))
    clock.advance(MINUTE)
  }
  const others = [await open(), await open()].map((one) => schedulerOf(nodes.use(one)))
  const before = await countEmails(database)
  clock.advance(MINUTES * MINUTE)
  const due = (await findDueMembers(database, clock.now(), MEMBERS)).length
  const each = await Promise.all([single, ...others].map((node) => node.remindDue()))
  const sum = each.reduce((total, one) => total + one, 0)
  const { emails, members } = await countEmails(database)
  return [
    { name: `${engine}: plan of “who is due”`, value: plan },
    { name: `${engine}: a poll when no one is due`, value: `${median(idle).toFixed(2)} ms` },
    {
      name: `${engine}: a minute of clock with ${count(reminded / MINUTES)} due`,
      value: `${median(minutes).toFixed(0)} ms`,
    },
    {
      name: `${engine}: three nodes, ${count(due)} due`,
      value: `${each.join(' + ')} = ${sum}, ${emails - before.emails} emails to ${members - before.members} members`,
      aim: `${due} once each`,
    },
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** All summaries, and the members who got one. */
async function countEmails(database: Database) {
  return (await database.get(EMAILS, {})) ?? { emails: 0, members: 0 }
}

const EMAILS = statement<object, { emails: number; members: number }>(`
  select cast(count(*) as integer) as emails, cast(count(distinct member_id) as integer) as members
  from emails where kind = 'summary'`)

/** Runs statements as a role that sees all rows. */
async function asOwner(
  engines: Engines,
  settings: Settings,
  statements: readonly string[],
): Promise<string[][]> {
  if (settings.address === undefined) {
    using file = new DatabaseSync(join(settings.folder, settings.database ?? 'weft.db'))
    return statements.map((text) =>
      text.startsWith('explain')
        ? file
            .prepare(text)
            .all()
            .map(({ detail }) => String(detail))
        : (file.exec(text), []),
    )
  }
  const client = new Client({ connectionString: engines.superuserUrl() })
  await client.connect()
  try {
    const results: string[][] = []
    for (const text of statements) {
      const { rows } = await client.query<Record<string, unknown>>(text)
      results.push(rows.map((row) => String(Object.values(row)[0])))
    }
    return results
  } finally {
    await client.end()
  }
}

/** The plan of the scheduler’s statement, and the rows that it reads. */
async function planOf(engines: Engines, settings: Settings, now: number): Promise<string> {
  const [plan = []] = await asOwner(engines, settings, [await explained(settings, now)])
  if (settings.address === undefined) return plan.join('; ')
  return plan
    .filter((line) => /Scan|rows=/.test(line) && !/Limit/.test(line))
    .join(' ')
    .trim()
}

async function explained({ address }: Settings, now: number): Promise<string> {
  let text = ''
  const reader: Pick<Reader, 'all'> = {
    all: async (one) => {
      text = one.text
      return []
    },
  }
  // It only calls `all`.
  await findDueMembers(reader as Reader, now, 500)
  const filled = text.replace(':now', String(now)).replace(':limit', '500')
  return address === undefined
    ? `explain query plan ${filled}`
    : `explain (analyze, costs off, timing off, summary off) ${filled}`
}

if (import.meta.main) {
  print(machineLine())
  const asked = ENGINES.filter((engine) => process.argv.includes(engine))
  printFigures(title, await measure(asked.length > 0 ? asked : ENGINES))
}
