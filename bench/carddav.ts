/**
 * The address book of Weft beside Radicale, xandikos and sabre/dav, with the same cards: a list of all ETags, cards by multiget
 * of 50, a sync of 10 changes, the first sync of vdirsyncer, memory, and `whoami` of others meanwhile. Servers take turns.
 * `node bench/carddav.ts [cards]`
 */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCardServers, type Cards, type CardServer } from './peers/carddav-servers.ts'
import { callOf, SEED } from './support/calls.ts'
import {
  machineLine,
  memoryOf,
  pinMyself,
  resetPeakMemory,
  temporaryFolder,
} from './support/machine.ts'
import {
  count,
  median,
  percentile,
  print,
  printFigures,
  ratioOf,
  type Figure,
} from './support/figures.ts'
import { prepareAll } from './support/prepared.ts'
import { addressOf, freePort, seedCaller, serve, weft, type Settings } from './support/weft.ts'
import { systemClock } from '../src/base/clock.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { inventedPeople } from '../test/support/invented.ts'

const CARDS = import.meta.main ? Number(process.argv[2] ?? 10_000) : 10_000
const ROUNDS = 3
/** Milliseconds. A server that takes longer is measured once. */
const SLOW = 10_000
/** Milliseconds after which a first sync is stopped. */
const MAX_SYNC = 120_000
/** Reports of a multiget, spread over the book. A slow server gets fewer. */
const REPORTS = 20
const AT_ONCE = 50
const CHANGES = 10
const run = promisify(execFile)

export const title = `CardDAV: ${count(CARDS)} cards, beside other servers in the same rounds`

export async function measure(): Promise<Figure[]> {
  pinMyself()
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const token = await seedCaller(settings)
  const file = join(folder.path, 'people.vcf')
  await writeFile(file, vcards())
  await weft(settings, 'import', file, '--member', 'ada')
  {
    // In the background, this would take memory of the service meanwhile.
    const { database } = await openDatabase(addressOf(settings), {
      clock: systemClock,
      searchThreads: 1,
    })
    await using _closed = database
    await prepareAll(database)
  }
  await using own = await startWeft(settings)
  const cards = await readAll(own)
  await using stack = new AsyncDisposableStack()
  const { servers, missing } = await startCardServers(folder.path, cards)
  for (const server of servers) stack.use(server)
  for (const reason of missing) print(reason)
  for (const server of servers) await listEtags(server) // fills caches
  const given = { names: [...cards.keys()], folder: folder.path }
  const figures: Figure[] = []
  for (const measured of MEASURES)
    figures.push(...(await compare([own, ...servers], measured, given)))
  return [...figures, ...(await whoamiMeanwhile([own, ...servers], token, folder.path))]
}

interface Given {
  /** The names of all cards, in their URLs. */
  readonly names: readonly string[]
  readonly folder: string
}

interface Measured {
  readonly name: string
  /** The aim for Weft. */
  readonly aim: string
  /** Milliseconds. */
  readonly measureOnce: (server: CardServer, given: Given) => Promise<number>
}

const MEASURES: readonly Measured[] = [
  {
    name: 'all ETags',
    aim: 'aim 150 ms',
    measureOnce: (server) => timed(() => listEtags(server)),
  },
  { name: `multiget of ${AT_ONCE}`, aim: '', measureOnce: reportTime },
  { name: `sync of ${CHANGES} changes`, aim: 'aim 10 ms', measureOnce: syncOfChanges },
  {
    name: 'first sync of vdirsyncer',
    aim: '',
    measureOnce: (server, { folder }) => firstSync(server, folder),
  },
]

async function compare(
  servers: readonly CardServer[],
  { name, aim, measureOnce }: Measured,
  given: Given,
): Promise<Figure[]> {
  const taken = new Map(servers.map((server) => [server, [] as number[]]))
  const peaks = new Map<CardServer, number>()
  for (let round = 0; round < ROUNDS; round++)
    for (const [server, times] of taken) {
      if ((times[0] ?? 0) > SLOW) continue
      resetPeakMemory(server.pid)
      times.push(await measureOnce(server, given))
      const peak = memoryOf(server.pid, 'VmHWM')
      peaks.set(server, Math.max(peaks.get(server) ?? 0, peak))
      print(`${name}, ${server.name}: ${count(times.at(-1) ?? 0)} ms, ${count(peak)} MB`)
    }
  const [own = []] = taken.values()
  return [...taken].map(([server, times]) => {
    const more = (peaks.get(server) ?? 0) - server.atRest
    const value = `${median(times).toFixed(1)} ms, ${count(more)} MB more`
    const ratio = times === own ? '' : `Weft is ${ratioOf(times, own).toFixed(1)} times as fast`
    return { name: `${name}: ${server.name}`, value, ratio, aim: times === own ? aim : '' }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function startWeft(settings: Settings): Promise<CardServer> {
  const { port, process: child, ...served } = await serve(settings, await freePort())
  const password = await weft(settings, 'device', 'create', '--member', 'ada', '--name', 'bench')
  await fetch(`http://127.0.0.1:${port}/dav/`, { method: 'OPTIONS' })
  const server = {
    ...served,
    atRest: memoryOf(child.pid, 'VmRSS'),
    name: 'Weft',
    pid: child.pid ?? 0,
    origin: `http://127.0.0.1:${port}`,
    book: '/dav/',
    username: 'ada',
    password,
  }
  const body = '<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>'
  const [, principal = ''] =
    /<D:href>(\/dav\/\d+\/)/.exec(await ask(server, 'PROPFIND', '', { body })) ?? []
  return { ...server, book: `${principal}contacts/` }
}

/** A request to the address book, or to a card in it. */
async function ask(
  { origin, book, username, password }: Omit<CardServer, typeof Symbol.asyncDispose>,
  method: string,
  name: string,
  { body, depth = '0' }: { readonly body: string; readonly depth?: string },
): Promise<string> {
  const asked = request(origin + book + name, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${username}:${password}`)}`,
      'content-type': method === 'PUT' ? 'text/vcard; charset=utf-8' : 'application/xml',
      depth,
    },
  })
  asked.end(body)
  // No time limit, unlike `fetch`: a first list of Radicale takes minutes.
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const said = await text(answer)
  const { statusCode = 0 } = answer
  if (statusCode >= 300) throw new Error(`${method} ${origin}${book}${name}: ${statusCode} ${said}`)
  return said
}

/** The paths of all cards. */
async function listEtags(server: CardServer): Promise<string[]> {
  const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'
  const paths = hrefsIn(await ask(server, 'PROPFIND', '', { body, depth: '1' })).filter(
    (path) => path !== server.book,
  )
  if (paths.length < CARDS * 0.9) throw new Error(`${server.name} has ${paths.length} cards`)
  return paths
}

function hrefsIn(said: string): string[] {
  return [...said.matchAll(/<(?:\w+:)?href>(.*?)<\//g)].map(([, path = '']) => path)
}

async function readAll(server: CardServer): Promise<Cards> {
  const paths = await listEtags(server)
  const cards = new Map<string, string>()
  for (let at = 0; at < paths.length; at += AT_ONCE)
    for (const [name, card] of await multiget(server, paths.slice(at, at + AT_ONCE)))
      cards.set(name, card)
  return cards
}

async function multiget(server: CardServer, paths: readonly string[]): Promise<Cards> {
  const hrefs = paths.map((path) => `<D:href>${path}</D:href>`)
  const body = `<C:addressbook-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/><C:address-data/></D:prop>${hrefs.join('')}</C:addressbook-multiget>`
  const said = await ask(server, 'REPORT', '', { body, depth: '1' })
  const cards = new Map<string, string>()
  let name = ''
  for (const [, href, card] of said.matchAll(/<(?:\w+:)?href>(.*?)<\/|(BEGIN:VCARD.*?END:VCARD)/gs))
    if (card === undefined) name = href?.slice(href.lastIndexOf('/') + 1) ?? ''
    else cards.set(name, unescaped(card))
  if (cards.size !== paths.length)
    throw new Error(`${server.name}: ${cards.size} of ${paths.length} cards`)
  return cards
}

/** The time of a report on average. */
async function reportTime(server: CardServer, { names }: Given): Promise<number> {
  const paths = names.map((name) => server.book + name)
  const step = Math.floor(paths.length / REPORTS)
  let [reports, took] = [0, 0]
  for (; reports < REPORTS && took < SLOW; reports += 1) {
    const some = paths.slice(reports * step, reports * step + AT_ONCE)
    took += await timed(() => multiget(server, some))
  }
  return took / reports
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&#13;', '\r'],
  ['&quot;', '"'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]

function unescaped(card: string): string {
  return ENTITIES.reduce((left, [entity, one]) => left.replaceAll(entity, one), `${card}\r\n`)
}

let edits = 0

/** Changes cards, and measures the report alone. */
async function syncOfChanges(server: CardServer, { names }: Given): Promise<number> {
  const report = (token: string) => ({
    body: `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`,
  })
  const tokenIn = (said: string) => /sync-token>(.*?)<\//.exec(said)?.[1] ?? ''
  const find = '<propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>'
  const token = tokenIn(await ask(server, 'PROPFIND', '', { body: find }))
  for (const name of names.slice(0, CHANGES)) {
    edits += 1
    const uid = name.replace(/\.vcf$/, '')
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:Person ${edits}`, 'N:;;;;']
    const body = [...lines, `NOTE:${edits}`, 'END:VCARD', ''].join('\r\n')
    await ask(server, 'PUT', name, { body })
  }
  let said = ''
  const took = await timed(async () => (said = await ask(server, 'REPORT', '', report(token))))
  const found = hrefsIn(said).filter((path) => path !== server.book)
  if (found.length !== CHANGES) throw new Error(`${server.name}: ${found.length} changes`)
  return took
}

let syncs = 0

async function firstSync(
  { origin, book, username, password }: CardServer,
  folder: string,
): Promise<number> {
  syncs += 1
  const home = join(folder, `vdirsyncer-${syncs}`)
  await mkdir(join(home, 'local'), { recursive: true })
  const config = join(home, 'config')
  await writeFile(
    config,
    `[general]
status_path = "${home}/status/"
[pair bench]
a = "local"
b = "remote"
collections = null
[storage local]
type = "filesystem"
path = "${home}/local"
fileext = ".vcf"
[storage remote]
type = "carddav"
url = "${origin}${book}"
username = "${username}"
password = "${password}"
`,
  )
  await run('vdirsyncer', ['-c', config, 'discover'])
  return timed(() =>
    run('vdirsyncer', ['-c', config, 'sync'], { timeout: MAX_SYNC }).catch((error: unknown) => {
      if (!(error instanceof Error && 'killed' in error && error.killed)) throw error
    }),
  )
}

/** How long `whoami` takes alone, during a first sync, and during one of another server, which loads the machine too. */
async function whoamiMeanwhile(
  [own, ...others]: readonly [CardServer, ...CardServer[]],
  token: string,
  folder: string,
): Promise<Figure[]> {
  const servers = [own, ...others.slice(-1)]
  const { path, headers, body } = callOf('legacy', token, 'whoami', {})
  const callUntil = async (isOver: () => boolean) => {
    const times: number[] = []
    while (!isOver())
      times.push(
        await timed(async () =>
          (await fetch(own.origin + path, { method: 'POST', headers, body: body ?? null })).text(),
        ),
      )
    return times
  }
  const duringSyncOf = async (server: CardServer) => {
    let isRead = false
    const read = firstSync(server, folder).finally(() => (isRead = true))
    const times = await callUntil(() => isRead)
    await read
    return times
  }
  const taken: Record<string, number[][]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    const until = performance.now() + 2000
    ;(taken['alone'] ??= []).push(await callUntil(() => performance.now() > until))
    for (const server of servers)
      (taken[`during a first sync of ${server.name}`] ??= []).push(await duringSyncOf(server))
  }
  return Object.entries(taken).map(([when, rounds]) => {
    const [half, most] = [0.5, 0.99].map((share) => percentile(rounds.flat(), share).toFixed(1))
    return { name: `whoami of others ${when}`, value: `${half} ms, p99 ${most} ms` }
  })
}

function vcards(): string {
  const people = inventedPeople(SEED)
  return Array.from({ length: CARDS }, () => {
    const { value: person } = people.next()
    return [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${person.familyName};${person.givenName};;;`,
      `FN:${person.name}`,
      `EMAIL;TYPE=INTERNET:${person.email}`,
      `TEL;TYPE=CELL:${person.phone}`,
      `ORG:${person.company.replaceAll(/[;,]/g, '\\$&')}`,
      `TITLE:${person.title.replaceAll(/[;,]/g, '\\$&')}`,
      `URL:${person.profileUrl}`,
      'END:VCARD',
      '',
    ].join('\r\n')
  }).join('')
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
