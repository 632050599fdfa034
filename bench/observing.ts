/**
 * The cost of metrics and the request log: profile requests per second with and without them.
 * `node bench/observing.ts`
 */

import { join } from 'node:path'
import { machineLine, pinMyself, temporaryFolder } from './support/machine.ts'
import { print, printFigures, type Figure } from './support/figures.ts'
import { CONNECTIONS, load, requireWrk, Rounds, writeRequests } from './support/wrk.ts'
import { freePort, seedMembers, served, startWeft, type Served } from './support/weft.ts'

const MEMBERS = 500
const ROUNDS = 7
const SECONDS = 2

export const title = `GET /api/human/:username with metrics and logs, ${CONNECTIONS} connections`

const NEITHER = 'neither'

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [NEITHER]: {},
  metrics: { WEFT_METRICS_PORT: '0' },
  'log of errors (default)': { WEFT_LOG_LEVEL: 'info' },
  'log of all requests': { WEFT_LOG_LEVEL: 'info', WEFT_LOG_REQUESTS: 'all' },
}

const AIMS: Readonly<Record<string, string>> = {
  metrics: 'aim 0.97',
  'log of all requests': 'aim 0.95',
}

export async function measure(): Promise<Figure[]> {
  requireWrk()
  pinMyself()
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const usernames = await seedMembers(settings, MEMBERS)
  await using servers = new AsyncDisposableStack()
  const cases = []
  for (const [name, environment] of Object.entries(CASES)) {
    const server: Served = servers.use(await serve(settings, environment))
    const requests = usernames.map((username) => ({
      method: 'GET',
      path: `/api/human/${username}`,
      headers: { accept: 'application/json' },
    }))
    const { port, process: child } = server
    const file = await writeRequests(join(folder.path, `requests-${port}`), port, requests)
    cases.push({ name, port, pid: child.pid, file, rounds: new Rounds() })
  }
  for (const one of cases) await load({ ...one, seconds: 1 })
  for (let round = 0; round < ROUNDS; round++)
    for (const index of cases.keys()) {
      const one = cases[(index + round) % cases.length]
      if (one) one.rounds.add(await load({ ...one, seconds: SECONDS }))
    }
  const base = cases.find(({ name }) => name === NEITHER)?.rounds ?? new Rounds()
  return cases.map(({ name, rounds }) => {
    const value = rounds.describe('requests/s')
    const ratio = name === NEITHER ? '' : `${rounds.against(base)} of neither`
    return { name, value, ratio, aim: AIMS[name] ?? '' }
  })
}

async function serve(
  settings: { readonly folder: string },
  environment: Readonly<Record<string, string>>,
): Promise<Served> {
  const port = await freePort()
  const child = startWeft('server', settings, ['serve'], {
    WEFT_PORT: String(port),
    ...environment,
  })
  child.stderr?.resume()
  return served(child, port, '/api/human/demo')
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
