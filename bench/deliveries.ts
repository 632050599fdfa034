/**
 * 10,000 messages of 1,000 members to slow receivers, and the time of `whoami` of another member before and meanwhile.
 * `node bench/deliveries.ts`
 */

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../src/base/clock.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { statement } from '../src/db/statement.ts'
import { queueDeliveries } from '../src/deliveries/delivery-store.ts'
import { addWebhook } from '../src/deliveries/webhooks.ts'
import { insertPeople } from './support/directory-members.ts'
import { callOf } from './support/calls.ts'
import { count, percentile, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, temporaryFolder } from './support/machine.ts'
import {
  addressOf,
  freePort,
  seedCaller,
  served,
  startWeft,
  type Settings,
} from './support/weft.ts'
import type { Notice } from '../src/deliveries/notice.ts'

const MEMBERS = 1000
const EACH = 10
/** Addresses of this machine, because few requests go to one host at a time. */
const HOSTS = Array.from({ length: 16 }, (_, index) => `127.0.0.${index + 1}`)
const SLOW_MS = 100
const CALL_INTERVAL_MS = 20
const ALONE_MS = 10_000
const SECRET = 'k'.repeat(32)

export const title = `${count(MEMBERS * EACH)} messages to receivers that take ${SLOW_MS} ms`

export async function measure(): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  const settings = { folder: folder.path }
  const token = await seedCaller(settings)
  const received = new Map<string, number>()
  const port = await freePort()
  const site = createServer((request, response) => {
    request.resume()
    const id = String(request.headers['webhook-id'])
    received.set(id, (received.get(id) ?? 0) + 1)
    setTimeout(() => response.writeHead(204).end(), SLOW_MS)
  })
  await new Promise<void>((resolve) => site.listen(port, '0.0.0.0', resolve))
  const hosts = HOSTS.map((host) => `${host}:${port}`)
  const call = await starter(settings, token, hosts)
  await using _service = call.service
  await timesOf(call.whoami, sleep(ALONE_MS / 5))
  const alone = await timesOf(call.whoami, sleep(ALONE_MS))
  await queueAll(settings, hosts)
  const startedAt = performance.now()
  const all = (async () => {
    while (received.size < MEMBERS * EACH) await sleep(100)
  })()
  const meanwhile = await timesOf(call.whoami, all)
  const seconds = (performance.now() - startedAt) / 1000
  site.close()
  const repeated = [...received.values()].filter((times) => times > 1).length
  return [
    { name: 'whoami alone', value: textOf(alone) },
    {
      name: 'whoami meanwhile',
      value: textOf(meanwhile),
      aim: 'p99 under 20 ms on a quiet machine',
    },
    {
      name: 'messages',
      value: `${count(received.size)} in ${seconds.toFixed(0)} s, ${repeated} of them twice`,
    },
  ]
}

async function starter(settings: Settings, token: string, hosts: readonly string[]) {
  const port = await freePort()
  const environment = {
    WEFT_PORT: String(port),
    WEFT_SECRET_KEY: SECRET,
    WEFT_WEBHOOK_HOSTS: hosts.join(','),
  }
  const child = startWeft('server', settings, ['serve'], environment)
  const service = await served(child, port, '/api/human/demo')
  const { path, headers, body = '' } = callOf('modern', token, 'whoami', {})
  const whoami = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    if (!(await answer.text()).includes('"username":"ada"')) throw new Error('not whoami')
  }
  return { service, whoami }
}

/** Milliseconds of calls at a steady pace until `end`. */
async function timesOf(call: () => Promise<void>, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const over = new AbortController()
  void end.then(() => over.abort())
  while (!over.signal.aborted) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
    await sleep(CALL_INTERVAL_MS)
  }
  return times
}

function textOf(times: readonly number[]): string {
  const [middle, high] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1))
  return `p50 ${middle} ms, p99 ${high} ms of ${count(times.length)} calls`
}

async function queueAll(settings: Settings, hosts: readonly string[]): Promise<void> {
  const opened = await openDatabase(addressOf(settings), { clock: systemClock, searchThreads: 1 })
  await using database = opened.database
  await insertPeople(database, MEMBERS, 7)
  const members = (await database.all(MEMBER_NUMBERS, { limit: MEMBERS })).map(
    (row) => row.member_id,
  )
  const deps = { sealSecret: () => SECRET, webhookHosts: hosts }
  const notices = Array.from({ length: EACH }, (_, index) => noticeOf(index))
  for (const [index, memberId] of members.entries()) {
    const address = `http://${hosts[index % hosts.length] ?? ''}/hook`
    const webhook = { name: '', address, format: 'standard', header: '', causes: ['summary'] }
    await database.member(memberId).write(async (tx) => {
      await addWebhook(deps, tx, webhook, systemClock.now())
      await queueDeliveries(tx, notices, systemClock.now())
    })
  }
}

const MEMBER_NUMBERS = statement<{ limit: number }, { member_id: number }>(
  "select member_id from members where username not in ('ada', 'demo') limit :limit",
)

function noticeOf(index: number): Notice {
  const subject = `summary ${index}`
  return { cause: 'summary', subject, title: 'Your day', body: '', path: '/user', data: {} }
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
