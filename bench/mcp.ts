/**
 * Tool calls per second: whoami and the metered search of 10,000 connections, compared with an echo tool of the
 * official SDK.
 * Run `npm ci` in this folder, then `node bench/mcp.ts`.
 */

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { linkedinCsv } from '../test/support/invented.ts'
import { callOf, queriesOf, SEED, type Era } from './support/calls.ts'
import { machineLine, pinMyself, start, temporaryFolder } from './support/machine.ts'
import { count, print, printFigures, type Figure } from './support/figures.ts'
import {
  CONNECTIONS,
  load,
  requireWrk,
  Rounds,
  writeRequests,
  type PreparedRequest,
} from './support/wrk.ts'
import { freePort, seedCaller, serve, served, weft, type Served } from './support/weft.ts'

const PEOPLE = 10_000
const ROUNDS = 5
/** The CPU time of a search falls during the first 30 s of load, until the engine has optimized its functions. */
const WARM_UP_SECONDS = 10
const SECONDS = 2
const PEER = fileURLToPath(new URL('./peers/sdk-echo.mjs', import.meta.url))
const SDK = fileURLToPath(new URL('./node_modules/@modelcontextprotocol/server', import.meta.url))

export const title = `POST /mcp, tools/call, ${CONNECTIONS} connections, against the echo of @modelcontextprotocol/server 2.4.0`

const ECHO = 'SDK echo'
const TUNED = 'SDK echo, its schema made once'

const ERAS: readonly Era[] = ['legacy', 'modern']

export async function measure(): Promise<Figure[]> {
  requireWrk()
  if (!existsSync(SDK))
    throw new Error('The official SDK is not installed. Run npm ci --prefix bench.')
  pinMyself()
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const token = await seedCaller(settings)
  const file = join(folder.path, 'Connections.csv')
  await writeFile(file, linkedinCsv(PEOPLE, SEED))
  await weft(settings, 'import', file, '--member', 'ada')
  await using service = await serve(settings, await freePort())
  await using echo = await serveEcho(token)
  await using tuned = await serveEcho(token, 'once')
  const ledger = new Ledger(join(folder.path, 'weft.db'))

  const cases: Case[] = []
  for (const era of ERAS) {
    const call = (name: string, args: object) => callOf(era, token, name, args)
    const add = async (
      name: string,
      { port, process: { pid } }: Served,
      expected: string,
      requests: PreparedRequest[],
    ) => {
      const prepared = await writeRequests(
        join(folder.path, `requests-${cases.length}`),
        port,
        requests,
      )
      cases.push({ name, era, port, pid, expected, file: prepared, rounds: new Rounds() })
    }
    await add(ECHO, echo, 'hello there', [call('echo', { text: 'hello there' })])
    await add(TUNED, tuned, 'hello there', [call('echo', { text: 'hello there' })])
    await add('whoami', service, '"username":"ada"', [call('whoami', {})])
    const queries = queriesOf(PEOPLE).map((args) => call('search_connections', args))
    await add('search_connections', service, '"structuredContent":{"connections":[', queries)
  }
  await checkSearches(service.port, token, ledger)
  for (const one of cases) await load({ ...one, seconds: WARM_UP_SECONDS })
  let [answered, charged] = [0, 0]
  for (let round = 0; round < ROUNDS; round++)
    for (const one of round % 2 === 0 ? cases : cases.toReversed()) {
      const before = ledger.charges()
      const result = await load({ ...one, seconds: SECONDS })
      one.rounds.add(result)
      if (one.name !== 'search_connections') continue
      const charges = (await ledger.settledCharges()) - before
      // The last requests of a run are sent and charged, but the load generator does not wait for their responses.
      if (charges < result.answered || charges > result.sent)
        throw new Error(`${result.answered} of ${result.sent} calls answered, ${charges} charged`)
      answered += result.answered
      charged += charges
    }
  ledger.check()
  return figuresOf(cases, `${count(answered)} answered, ${count(charged)} charged`)
}

interface Case {
  readonly name: string
  readonly era: Era
  readonly port: number
  readonly pid: number | undefined
  readonly expected: string
  readonly file: string
  readonly rounds: Rounds
}

async function serveEcho(token: string, ...extra: readonly string[]): Promise<Served> {
  const port = await freePort()
  const child = start('server', process.execPath, [PEER, String(port), token, ...extra], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return served(child, port, '/')
}

/** Checks before the measurement that every query has results and is charged exactly once. */
async function checkSearches(port: number, token: string, ledger: Ledger): Promise<void> {
  const before = ledger.charges()
  const queries = queriesOf(PEOPLE).slice(0, 200)
  const found = await Promise.all(
    queries.map(async (args) => {
      const { path, headers, body = '' } = callOf('legacy', token, 'search_connections', args)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body,
      })
      const { result } = (await answer.json()) as {
        result: { isError?: boolean; structuredContent: { count: number } }
      }
      return result.isError === true ? 0 : result.structuredContent.count
    }),
  )
  const missed = queries.filter((_, nth) => (found[nth] ?? 0) === 0)
  if (missed.length > 0) throw new Error(`found no one: ${JSON.stringify(missed.slice(0, 5))}`)
  const charges = ledger.charges() - before
  if (charges !== queries.length) throw new Error(`${queries.length} calls, ${charges} charged`)
}

class Ledger {
  readonly #database: DatabaseSync
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true })
  }

  charges(): number {
    return this.#number(`select count(*) as n from credit_ledger where kind = 'charge'`)
  }

  /** Waits until pending charges are committed. */
  async settledCharges(): Promise<number> {
    for (let last = -1; ;) {
      const now = this.charges()
      if (now === last) return now
      last = now
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** Checks that the ledger entries add up to the balance. */
  check(): void {
    const sum = this.#number('select sum(delta) as n from credit_ledger')
    const left = this.#number('select remaining as n from credit_accounts')
    if (sum !== left) throw new Error(`the ledger sums to ${sum}, the account has ${left}`)
  }

  #number(sql: string): number {
    return (this.#database.prepare(sql).get() as { n: number } | undefined)?.n ?? 0
  }
}

function figuresOf(cases: readonly Case[], ledger: string): Figure[] {
  const aims: Record<string, string> = {
    whoami: 'aim 8 or more',
    search_connections: 'aim 3 or more',
  }
  const roundsOf = (name: string, era: Era) =>
    cases.find((one) => one.name === name && one.era === era)?.rounds ?? new Rounds()
  const figures = cases.map(({ name, era, rounds }): Figure => {
    const aim = aims[name]
    const [echo, tuned] = [ECHO, TUNED].map((other) => rounds.against(roundsOf(other, era)))
    return {
      name: `${era} ${name}`,
      value: rounds.describe('calls/s'),
      ...(aim !== undefined && { ratio: `${echo ?? ''}; schema once ${tuned ?? ''}`, aim }),
    }
  })
  return [...figures, { name: 'searches in the ledger', value: ledger }]
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
