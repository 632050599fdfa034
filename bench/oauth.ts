/**
 * The authorization server: refresh grants and registrations per second, the cost of checking an OAuth access token
 * compared with an API token, and the time to connect an app. `node bench/oauth.ts`
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/base/clock.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import {
  memberBrowser,
  oauthClient,
  REDIRECT_URI,
  type MemberBrowser,
} from '../test/support/oauth.ts'
import { callOf } from './support/calls.ts'
import { median, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, pinMyself, start, temporaryFolder } from './support/machine.ts'
import { load, requireWrk, Rounds, writeRequests, type PreparedRequest } from './support/wrk.ts'
import { freePort, serve, served, weft, type Served, type Settings } from './support/weft.ts'

const IN_FLIGHT = 16
/** Refresh tokens at the start of a round: more than are in flight, because wrk uses one to check its script. */
const FAMILIES = 2 * IN_FLIGHT
const ROUNDS = 5
const SECONDS = 2
/** Apps that connect in a round, sequentially. */
const APPS = 50
const PEER = fileURLToPath(new URL('./peers/oidc-provider.mjs', import.meta.url))

export const title = `The authorization server, ${IN_FLIGHT} in flight; Weft commits to the disk, oidc-provider keeps in memory`

export async function measure(): Promise<Figure[]> {
  requireWrk()
  await using folder = await temporaryFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { folder: folder.path, publicUrl: url }
  const ada = await seedMember(settings, url)
  const apiToken = await weft(settings, 'token', 'create', '--member', 'ada', '--name', 'bench')
  await using service = await serve(settings, port)
  await using peer = await servePeer()
  pinMyself()

  const client = oauthClient({ url })
  const clientId = await client.register()
  const { access_token: accessToken } = await ada.connect(clientId)
  const families = () => connectFamilies(ada, clientId)
  const peerFamilies = () => readPeerFamilies(peer.port)
  const cases = [
    caseOf(REFRESH, service, refreshes('/oauth/token', families)),
    caseOf(PEER_REFRESH, peer, refreshes('/token', peerFamilies)),
    caseOf(REGISTER, service, registrations('/oauth/register')),
    caseOf(PEER_REGISTER, peer, registrations('/reg')),
    caseOf(API_TOKEN, service, whoami(apiToken)),
    caseOf(ACCESS_TOKEN, service, whoami(accessToken)),
  ]
  const connections: number[][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const one of round % 2 === 0 ? cases : cases.toReversed()) {
      const result = await loadCase(one, join(folder.path, 'requests'))
      if (round > 0) one.rounds.add(result) // the first round is warm-up
    }
    connections.push(await connectApps(client, ada))
  }
  return [...figuresOf(cases), connectionFigure(connections.slice(1).flat())]
}

const REFRESH = 'refresh'
const PEER_REFRESH = 'refresh, oidc-provider in memory'
const REGISTER = 'register'
const PEER_REGISTER = 'register, oidc-provider in memory'
const API_TOKEN = 'whoami with an API token'
const ACCESS_TOKEN = 'whoami with an access token'

interface Case {
  readonly name: string
  readonly served: Served
  /** New tokens for every round, because refresh tokens are single-use. */
  readonly requests: () => Promise<PreparedRequest[]>
  readonly expected: string
  readonly rotates: boolean
  readonly rounds: Rounds
}

type Kind = Pick<Case, 'requests' | 'expected' | 'rotates'>

function caseOf(name: string, of: Served, kind: Kind): Case {
  return { name, served: of, ...kind, rounds: new Rounds() }
}

interface Families {
  readonly clientId: string
  readonly tokens: readonly string[]
}

function refreshes(path: string, issue: () => Promise<Families>): Kind {
  return {
    expected: '"refresh_token":"',
    rotates: true,
    async requests() {
      const { clientId, tokens } = await issue()
      return tokens.map((token) => ({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${token}`,
      }))
    },
  }
}

function registrations(path: string): Kind {
  const body = JSON.stringify({ redirect_uris: [REDIRECT_URI], client_name: 'Bench' })
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', path, headers, body }
  return { expected: '"client_id":"', rotates: false, requests: async () => [request] }
}

function whoami(token: string): Kind {
  const request = callOf('legacy', token, 'whoami', {})
  return { expected: '"username":"ada"', rotates: false, requests: async () => [request] }
}

async function loadCase(
  {
    served: {
      port,
      process: { pid },
    },
    ...one
  }: Case,
  path: string,
) {
  const file = await writeRequests(path, port, await one.requests())
  const { expected, rotates } = one
  return load({ port, pid, file, seconds: SECONDS, expected, rotates, connections: IN_FLIGHT })
}

/** A member with a signed-in browser, created before the service opens the file. */
async function seedMember({ folder }: Settings, url: string): Promise<MemberBrowser> {
  const { database } = await openDatabase(
    { engine: 'sqlite', path: join(folder, 'weft.db') },
    { clock: systemClock, searchThreads: 1 },
  )
  await using opened = database
  const service = { database: opened, clock: systemClock, url }
  return await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
}

async function servePeer(): Promise<Served> {
  const port = await freePort()
  const child = start('server', process.execPath, [PEER, String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return served(child, port, '/families/0')
}

/** Grants of one client, each with its own refresh token. */
async function connectFamilies(member: MemberBrowser, clientId: string): Promise<Families> {
  const tokens: string[] = []
  while (tokens.length < FAMILIES) tokens.push((await member.connect(clientId)).refresh_token)
  return { clientId, tokens }
}

async function readPeerFamilies(port: number): Promise<Families> {
  const answer = await fetch(`http://127.0.0.1:${port}/families/${FAMILIES}`)
  return (await answer.json()) as Families
}

/** The total of registration, consent page, decision and exchange per app, in milliseconds. */
async function connectApps(
  client: ReturnType<typeof oauthClient>,
  member: MemberBrowser,
): Promise<number[]> {
  const times: number[] = []
  for (let app = 0; app < APPS; app++) {
    const started = performance.now()
    await member.connect(await client.register())
    times.push(performance.now() - started)
  }
  return times
}

function figuresOf(cases: readonly Case[]): Figure[] {
  const compared = new Map([
    [PEER_REFRESH, REFRESH],
    [PEER_REGISTER, REGISTER],
    [API_TOKEN, ACCESS_TOKEN],
  ])
  return cases.map(({ name, rounds }) => {
    const mine = cases.find((one) => one.name === compared.get(name))
    const value = rounds.describe('requests/s')
    return mine
      ? { name, value, ratio: `${mine.name} is ${mine.rounds.against(rounds)}` }
      : { name, value }
  })
}

function connectionFigure(times: readonly number[]): Figure {
  const value = `p50 ${median(times).toFixed(1)} ms`
  return { name: 'an app from registration to its tokens, 4 requests', value }
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
