/**
 * The time from process start to the first response, and the memory used after it.
 * `node bench/start.ts`
 */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { machineLine, memoryOf, pinMyself, stop, temporaryFolder } from './support/machine.ts'
import { median, print, printFigures, spread, type Figure } from './support/figures.ts'
import { freePort, seedCaller, startWeft, untilAnswered, type Settings } from './support/weft.ts'

const ROUNDS = 9
const PROFILE = '/api/human/demo'
/** The time until an idle process has settled, in milliseconds. */
const REST = 1_500

export const title = 'weft serve: from spawn to the first 200 on a profile, and memory at rest'

export async function measure(): Promise<Figure[]> {
  pinMyself()
  await using folder = await temporaryFolder()
  const warm: Settings = { folder: folder.path, compileCache: join(folder.path, 'warm') }
  const token = await seedCaller(warm)
  const existing: number[] = []
  const cold: number[] = []
  const fresh: number[] = []
  const rests: number[] = []
  const searched: number[] = []
  await timeStart(warm) // fills the compile cache and seeds the demo
  for (let round = 0; round < ROUNDS; round++) {
    existing.push(await timeStart(warm))
    cold.push(await timeStart({ ...warm, compileCache: join(folder.path, `cold-${round}`) }))
    fresh.push(await timeStart({ ...warm, database: `new-${round}.db` }))
    if (round % 3 !== 0) continue
    const memory = await memoryAtRest(warm, token)
    rests.push(memory.atRest)
    searched.push(memory.searched)
  }
  return [
    { name: 'existing file', value: spread(existing, 'ms'), aim: 'aim 400 ms' },
    { name: 'existing file, nothing in the compile cache', value: spread(cold, 'ms') },
    {
      name: 'new file: migrated, demo seeded',
      value: spread(fresh, 'ms'),
      ratio: `${(median(fresh) - median(existing)).toFixed(0)} ms more`,
    },
    { name: 'memory after a few requests', value: spread(rests, 'MB'), aim: 'aim under 120 MB' },
    {
      name: 'memory with the search thread',
      value: spread(searched, 'MB'),
      aim: 'aim under 120 MB',
    },
  ]
}

/** Milliseconds. */
async function timeStart(settings: Settings): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const child = startWeft('server', settings, ['serve'], { WEFT_PORT: String(port) })
  drain(child)
  await untilAnswered(child, port, PROFILE)
  const took = performance.now() - started
  await stop(child)
  return took
}

async function memoryAtRest(
  settings: Settings,
  token: string,
): Promise<{ atRest: number; searched: number }> {
  const port = await freePort()
  const child = startWeft('server', settings, ['serve'], { WEFT_PORT: String(port) })
  drain(child)
  await untilAnswered(child, port, PROFILE)
  for (let nth = 0; nth < 10; nth++) {
    await (await fetch(`http://127.0.0.1:${port}${PROFILE}`)).text()
    await call(port, token, 'whoami', {})
  }
  await sleep(REST)
  const atRest = memoryOf(child.pid, 'VmRSS')
  await call(port, token, 'search_connections', { query: 'anna' })
  await sleep(REST)
  const searched = memoryOf(child.pid, 'VmRSS')
  await stop(child)
  return { atRest, searched }
}

async function call(port: number, token: string, name: string, args: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"isError":true'))
    throw new Error(`${name} answered ${answer.status}: ${text}`)
}

function drain(child: ReturnType<typeof startWeft>): void {
  child.stdout?.resume()
  child.stderr?.resume()
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
