/**
 * Profile requests per second, compared with a minimal node:http server that sends the same file.
 * `node bench/profile.ts`
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineLine, pinMyself, start, temporaryFolder } from './support/machine.ts'
import { print, printFigures, type Figure } from './support/figures.ts'
import { CONNECTIONS, load, requireWrk, Rounds, writeRequests } from './support/wrk.ts'
import { freePort, PUBLIC_URL, seedMembers, serve, served, type Served } from './support/weft.ts'

const MEMBERS = 1_500
const ROUNDS = 5
const SECONDS = 2
const PEER = fileURLToPath(new URL('./peers/plain-profile.ts', import.meta.url))

export const title = `GET /api/human/:username, ${MEMBERS} members, ${CONNECTIONS} connections`

const WEFT = 'weft'
const PLAIN = 'plain node:http'
const TUNED = 'plain node:http, optimizeEmptyRequests'

export async function measure(): Promise<Figure[]> {
  requireWrk()
  pinMyself()
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const usernames = await seedMembers(settings, MEMBERS)
  await using weft = await serve(settings, await freePort())
  await using plain = await servePlain(folder.path, usernames, [])
  await using tuned = await servePlain(folder.path, usernames, ['optimized'])
  const servers = { [WEFT]: weft, [PLAIN]: plain, [TUNED]: tuned }
  await compareAnswers(weft, plain, usernames[0] ?? '')
  const full = await prepare(servers, folder.path, usernames, 'full')
  const unchanged = await prepare(servers, folder.path, usernames, 'unchanged')
  const cases = [...full, ...unchanged]
  for (const one of cases) await load({ ...one, seconds: 1 })
  for (let round = 0; round < ROUNDS; round++)
    for (const one of cases.toSorted((a, b) => ((a.turn + round) % 3) - ((b.turn + round) % 3))) {
      one.rounds.add(await load({ ...one, seconds: SECONDS }))
    }
  return [...figuresOf('200', full), ...figuresOf('304', unchanged)]
}

interface Case {
  readonly name: string
  readonly turn: number
  readonly port: number
  readonly pid: number | undefined
  readonly file: string
  readonly rounds: Rounds
}

async function servePlain(
  folder: string,
  usernames: readonly string[],
  extra: readonly string[],
): Promise<Served> {
  const port = await freePort()
  const args = [PEER, join(folder, 'weft.db'), String(port), PUBLIC_URL, ...extra]
  const child = start('server', process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  return served(child, port, `/api/human/${usernames[0] ?? ''}`)
}

/** Checks that both servers send the same body and header names, so that the comparison is fair. */
async function compareAnswers(one: Served, other: Served, username: string): Promise<void> {
  const [mine, theirs] = await Promise.all(
    [one, other].map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/human/${username}`)
      return JSON.stringify({
        headers: [...answer.headers.keys()].toSorted(),
        body: await answer.text(),
      })
    }),
  )
  if (mine !== theirs) throw new Error(`the answers differ:\n${mine}\n${theirs}`)
}

/** Requests each username in turn; for `unchanged` with the ETag that each server sent. */
async function prepare(
  servers: Readonly<Record<string, Served>>,
  folder: string,
  usernames: readonly string[],
  kind: 'full' | 'unchanged',
): Promise<Case[]> {
  const cases: Case[] = []
  for (const [name, { port, process: server }] of Object.entries(servers)) {
    const requests = []
    for (const username of usernames) {
      const path = `/api/human/${username}`
      const headers: Record<string, string> = { accept: 'application/json' }
      if (kind === 'unchanged') {
        const url = `http://127.0.0.1:${port}${path}`
        const etag = (await fetch(url)).headers.get('etag') ?? ''
        headers['if-none-match'] = etag
        const again = await fetch(url, { headers })
        if (again.status !== 304) throw new Error(`${name} answered ${again.status}, not 304`)
      }
      requests.push({ method: 'GET', path, headers })
    }
    const file = await writeRequests(join(folder, `${kind}-${port}`), port, requests)
    cases.push({ name, turn: cases.length, port, pid: server.pid, file, rounds: new Rounds() })
  }
  return cases
}

function figuresOf(status: string, cases: readonly Case[]): Figure[] {
  const mine = cases.find(({ name }) => name === WEFT)?.rounds ?? new Rounds()
  return cases.map(({ name, rounds }) => ({
    name: `${status} ${name}`,
    value: rounds.describe('requests/s'),
    ...(name !== WEFT && { ratio: `weft is ${mine.against(rounds)}` }),
    ...(name === PLAIN && status === '200' && { aim: 'aim 0.85 or better' }),
  }))
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
