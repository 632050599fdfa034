/**
 * A network of 10,000 people with 200,000 interactions, on each engine: what agents ask about contacts, over HTTP, and
 * log_interaction beside a note. `node bench/interactions.ts [SQLite] [PostgreSQL]`
 */

import { systemClock } from '../src/base/clock.ts'
import { dayAt, daysLater } from '../src/dates/calendar-day.ts'
import { storeCadences } from '../src/connections/cadence/cadence-store.ts'
import { insertInteractions, onDay } from '../src/connections/interactions/interaction-store.ts'
import { localNowOf, refreshContactTimes } from '../src/connections/last-contact/contact-times.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { Caller } from './support/caller.ts'
import { ENGINES, startEngines, type Engine } from './support/engines.ts'
import { median, percentile, print, printFigures, type Figure } from './support/figures.ts'
import { addMember, addPeople, records } from './support/large-network.ts'
import { machineLine } from './support/machine.ts'
import { prepareAll } from './support/prepared.ts'
import { addressOf, freePort, serve, weft, type Settings } from './support/weft.ts'

const PEOPLE = 10_000
const EACH = 20
export const title = `Contacts with ${PEOPLE} people, ${PEOPLE * EACH} interactions`

/** The p99 is that of the ten slowest. */
const CALLS = 1_000
/** The first calls load the search index and compile code. */
const WARM_UP = 200
const AIM_MS = 10
const AIM_RATIO = 1.3

export async function measure(engines: readonly Engine[] = ENGINES): Promise<Figure[]> {
  await using started = await startEngines()
  const figures: Figure[] = []
  for (const engine of engines) {
    const settings = await started.create(engine)
    await seed(settings)
    const token = await weft(settings, 'token', 'create', '--member', 'ada', '--name', 'bench')
    await using service = await serve(settings, await freePort())
    await prepared(settings)
    const caller = new Caller(service, token)
    for (const [name, tool, inputOf] of READS)
      figures.push(await measureRead(caller, `${engine}: ${name}`, { tool, inputOf }))
    figures.push(await measureWrites(caller, engine))
  }
  return figures
}

async function prepared(settings: Settings): Promise<void> {
  const opened = await openDatabase(addressOf(settings), { clock: systemClock, searchThreads: 1 })
  await using database = opened.database
  await prepareAll(database)
}

/** Each person has been contacted on 20 days, one in three has a cadence. */
async function seed(settings: Settings): Promise<void> {
  const opened = await openDatabase(addressOf(settings), { clock: systemClock, searchThreads: 1 })
  await using database = opened.database
  const member = await addMember(database, 'ada')
  await addPeople(database, member, records(PEOPLE))
  const db = database.member(member)
  const now = systemClock.now()
  const today = dayAt(now)
  const batch = 500
  for (let first = 1; first <= PEOPLE; first += batch)
    await db.write(async (tx) => {
      const ids = Array.from({ length: batch }, (_, at) => first + at)
      const drafts = ids.flatMap((id) =>
        Array.from({ length: EACH }, (_, nth) => ({
          ...onDay(daysLater(today, -((id * 7 + nth * 31 * (1 + (id % 4))) % 1500))),
          kind: (['call', 'meeting', 'message'] as const)[nth % 3] ?? 'call',
          direction: null,
          subject: nth % 5 === 0 ? 'Catch up' : null,
          text: null,
          source: 'typed',
          sourceKey: null,
          people: nth % 4 === 0 && id < PEOPLE ? [id, id + 1] : [id],
        })),
      )
      await insertInteractions(tx, drafts, now)
      await refreshContactTimes(tx, ids, await localNowOf(tx, now))
      const cadence = {
        every: 2,
        unit: 'month',
        setOn: today,
        pausedUntil: null,
        isMuted: 0,
      } as const
      await storeCadences(tx, new Map(ids.filter((id) => id % 3 === 0).map((id) => [id, cadence])))
    })
}

type InputOf = (nth: number) => object

/** A person, another one each time. */
const person = (nth: number) => `c_${1 + ((nth * 7_919) % PEOPLE)}`
const day = (nth: number) => daysLater(dayAt(systemClock.now()), -(nth % 400))

const READS: readonly (readonly [name: string, tool: string, inputOf: InputOf])[] = [
  ['whoami, to compare', 'whoami', () => ({})],
  ['list_who_to_contact', 'list_who_to_contact', () => ({})],
  ['get_briefing of a day', 'get_briefing', (nth) => ({ day: day(nth) })],
  ['get_briefing of a person', 'get_briefing', (nth) => ({ people: [person(nth)] })],
  ['list_timeline of a person', 'list_timeline', (nth) => ({ connection_id: person(nth) })],
  ['list_timeline of all', 'list_timeline', (nth) => ({ until: day(nth) })],
  ['list by last contact', 'search_connections', (nth) => ({ last_contact_before: day(nth) })],
  ['list by due date', 'search_connections', (nth) => ({ due_by: day(nth) })],
  [
    'search by last contact',
    'search_connections',
    (nth) => ({ query: QUERIES[nth % QUERIES.length], last_contact_before: day(nth) }),
  ],
  [
    'search sorted by last contact',
    'search_connections',
    (nth) => ({ query: QUERIES[nth % QUERIES.length], sort: 'last_contact' }),
  ],
]

const QUERIES = ['engineer', 'Berlin', 'founder', 'nurse', 'designers in London', 'sales', 'Anna']

async function measureRead(
  caller: Caller,
  name: string,
  { tool, inputOf }: { readonly tool: string; readonly inputOf: InputOf },
): Promise<Figure> {
  const times: number[] = []
  for (let nth = -WARM_UP; nth < CALLS; nth += 1) {
    const { ms } = await caller.call(tool, inputOf(nth + WARM_UP))
    if (nth >= 0) times.push(ms)
  }
  const [half, last] = [median(times), percentile(times, 0.99)]
  return {
    name,
    value: `p50 ${half.toFixed(1)} ms, p99 ${last.toFixed(1)} ms`,
    aim: `p99 under ${AIM_MS}`,
  }
}

/** In turns, so that other work on the machine slows both. */
async function measureWrites(caller: Caller, engine: Engine): Promise<Figure> {
  const [notes, logs]: [number[], number[]] = [[], []]
  for (let nth = -WARM_UP; nth < CALLS; nth += 1) {
    const at = nth + WARM_UP
    const note = await caller.call('save_note', { people: [person(at)], text: 'Lunch' })
    const log = await caller.call('log_interaction', { people: [person(at)], kind: 'call' })
    if (nth < 0) continue
    notes.push(note.ms)
    logs.push(log.ms)
  }
  const ratio = median(logs) / median(notes)
  return {
    name: `${engine}: log_interaction`,
    value: `${median(logs).toFixed(2)} ms`,
    ratio: `${ratio.toFixed(2)} times save_note`,
    aim: `at most ${AIM_RATIO}`,
  }
}

if (import.meta.main) {
  print(machineLine())
  const asked = ENGINES.filter((engine) => process.argv.includes(engine))
  printFigures(title, await measure(asked.length > 0 ? asked : ENGINES))
}
