/**
 * Profiles per second: batches of twenty compared with single requests.
 * `node bench/batch.ts`
 */

import { join } from 'node:path'
import { count, median, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, pinMyself, temporaryFolder } from './support/machine.ts'
import { CONNECTIONS, load, requireWrk, Rounds, writeRequests } from './support/wrk.ts'
import { freePort, seedMembers, serve } from './support/weft.ts'

const MEMBERS = 1_500
const ITEMS = 20
const ROUNDS = 5
const SECONDS = 2

export const title = `POST /api/batch of ${ITEMS} profiles, ${MEMBERS} members, ${CONNECTIONS} connections`

export async function measure(): Promise<Figure[]> {
  requireWrk()
  pinMyself()
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const paths = (await seedMembers(settings, MEMBERS)).map((username) => `/api/human/${username}`)
  await using weft = await serve(settings, await freePort())
  const write = (name: string, requests: Parameters<typeof writeRequests>[2]) =>
    writeRequests(join(folder.path, name), weft.port, requests)
  const single = {
    name: 'one a request',
    profiles: 1,
    rounds: new Rounds(),
    file: await write(
      'singly',
      paths.map((path) => ({ method: 'GET', path, headers: {} })),
    ),
  }
  const batch = {
    name: `${ITEMS} a batch`,
    profiles: ITEMS,
    rounds: new Rounds(),
    file: await write('batches', batchesOf(paths)),
    expected: '"count":20,"responses":[{"id":"0","status":200,"body":{"object":"human"',
  }
  const { port, process: server } = weft
  for (let round = -1; round < ROUNDS; round++)
    for (const one of round % 2 === 0 ? [single, batch] : [batch, single]) {
      const result = await load({ ...one, port, pid: server.pid, seconds: SECONDS })
      if (round >= 0) one.rounds.add(result)
    }
  const profiles = (one: typeof single) => median(one.rounds.all('perSecond')) * one.profiles
  const figureOf = (one: typeof single): Figure => ({
    name: one.name,
    value: `${count(profiles(one))} profiles/s  ${one.rounds.describe('requests/s')}`,
    ratio: `${(profiles(one) / profiles(single)).toFixed(2)} times the profiles`,
  })
  return [figureOf(single), figureOf(batch)]
}

function batchesOf(paths: readonly string[]) {
  return Array.from({ length: Math.floor(paths.length / ITEMS) }, (_, nth) => {
    const requests = paths
      .slice(nth * ITEMS, (nth + 1) * ITEMS)
      .map((path, index) => ({ id: String(index), path }))
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST', path: '/api/batch', headers, body: JSON.stringify({ requests }) }
  })
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
