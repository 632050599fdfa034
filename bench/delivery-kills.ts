/**
 * Kills a process with `kill -9` while it delivers, 200 times, on a SQLite file: no message and no email is lost, and what
 * arrives twice has the same `webhook-id` or Message-ID. `node bench/delivery-kills.ts [rounds]`
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startMailServer } from '../test/support/mail-server.ts'
import { MINUTE, systemClock } from '../src/base/clock.ts'
import { createLog } from '../src/base/log.ts'
import { OutgoingPool } from '../src/base/concurrency/outgoing-pool.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { createDeliverySender } from '../src/deliveries/delivery-sender.ts'
import { queueDeliveries } from '../src/deliveries/delivery-store.ts'
import { policyOfHosts } from '../src/deliveries/endpoint-hosts.ts'
import { addWebhook } from '../src/deliveries/webhooks.ts'
import { createEmailSender } from '../src/email/sender.ts'
import { openMailServer, senderDomain } from '../src/email/smtp.ts'
import { createMember } from '../src/members/member.ts'
import { queueEmail } from '../src/outbox/outbox.ts'
import { count, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, temporaryFolder } from './support/machine.ts'
import type { SmtpSettings } from '../src/email/smtp.ts'

const ROUNDS = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 200)
const WEBHOOKS = 4
/** Messages to each webhook, and emails, in a round. */
const EACH = 2
const MAX_LIFE_MS = 120
/** Between rounds: longer than the leases of a killed process. */
const PAUSE_MS = 2 * MINUTE
const SECRET = 'k'.repeat(32)

export const title = `${ROUNDS} rounds of kill -9 during deliveries`

interface Job {
  readonly path: string
  readonly hosts: readonly string[]
  readonly smtp: SmtpSettings
  /** How far the clock is ahead, in milliseconds. */
  readonly ahead: number
}

export async function measure(): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  await using mail = await startMailServer()
  const received = new Map<string, string[]>()
  const site = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { data } = JSON.parse(body) as { data: { subject: string } }
      const ids = received.get(data.subject) ?? []
      received.set(data.subject, [...ids, String(request.headers['webhook-id'])])
      setTimeout(() => response.writeHead(204).end(), 10 * Math.random())
    })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = site.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const path = join(folder.path, 'weft.db')
  const plan = await prepare(path, host)
  const job = { path, hosts: [host], smtp: mail.smtp }
  for (let round = 0; round < ROUNDS; round += 1) {
    await plan.queue(round)
    await killEarly({ ...job, ahead: round * PAUSE_MS })
  }
  // The last process lives until nothing is left.
  await deliver({ ...job, ahead: ROUNDS * PAUSE_MS }, true)
  await plan[Symbol.asyncDispose]()
  site.close()
  const lost = plan.subjects.filter((subject) => !received.has(subject)).length
  const arrivals = [...received.values()]
  const twice = arrivals.filter((ids) => ids.length > 1)
  const wrong = twice.filter((ids) => new Set(ids).size > 1).length
  const byId = Map.groupBy(mail.accepted, ({ headers }) => headers['message-id'])
  const bySubject = Map.groupBy(mail.accepted, ({ to }) => to)
  const repeated = [...byId.values()].filter((emails) => emails.length > 1).length
  const otherIds = [...bySubject.values()].filter(
    (emails) => new Set(emails.map(({ headers }) => headers['message-id'])).size > 1,
  ).length
  return [
    {
      name: 'messages',
      value: `${count(plan.subjects.length)} queued, ${lost} lost, ${twice.length} twice, ${wrong} of them with another ID`,
      aim: '0 lost, 0 with another ID',
    },
    {
      name: 'emails',
      value: `${count(plan.recipients.length)} queued, ${plan.recipients.filter((to) => !bySubject.has(to)).length} lost, ${repeated} twice, ${otherIds} with another ID`,
      aim: '0 lost, 0 with another ID',
    },
  ]
}

/** Members with a webhook each. */
async function prepare(path: string, host: string) {
  const { database } = await openDatabase(
    { engine: 'sqlite', path },
    { clock: systemClock, searchThreads: 1 },
  )
  const deps = { sealSecret: () => SECRET, webhookHosts: [host] }
  const now = systemClock.now()
  const members: number[] = []
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const fields = { username: `m-${index}`, name: 'Member' }
    const { memberId } = await database.write((tx) => createMember(tx, fields, now))
    const webhook = { name: '', address: `http://${host}/${index}`, format: 'standard', header: '' }
    await database
      .member(memberId)
      .write((tx) => addWebhook(deps, tx, { ...webhook, causes: ['summary'] }, now))
    members.push(memberId)
  }
  const subjects: string[] = []
  const recipients: string[] = []
  return {
    subjects,
    recipients,
    async queue(round: number) {
      const at = systemClock.now() + round * PAUSE_MS
      for (const memberId of members)
        await database.member(memberId).write((tx) => {
          const own = Array.from({ length: EACH }, (_, index) => `${memberId} ${round} ${index}`)
          subjects.push(...own)
          const notices = own.map((subject) => ({
            cause: 'summary' as const,
            subject,
            title: '',
            body: '',
            path: '/user',
            data: { subject },
          }))
          return queueDeliveries(tx, notices, at)
        })
      for (let index = 0; index < EACH; index += 1) {
        const recipient = `r${round}-${index}@example.org`
        recipients.push(recipient)
        const email = { kind: 'invitation', recipient, details: { note: '', days: 90 } } as const
        await database.write((tx) => queueEmail(tx, email, at))
      }
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** Starts a process that delivers, and kills it while it does. */
async function killEarly(job: Job): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    env: { ...process.env, DELIVERY_JOB: JSON.stringify(job) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  await sleep(MAX_LIFE_MS * Math.random())
  child.kill('SIGKILL')
  await ended
}

/** Delivers everything that is due; also what becomes due later, if `toTheEnd`. */
async function deliver({ path, hosts, smtp, ahead }: Job, toTheEnd = false): Promise<void> {
  let later = ahead
  const clock = { now: () => systemClock.now() + later }
  const { database } = await openDatabase({ engine: 'sqlite', path }, { clock, searchThreads: 1 })
  await using _closed = database
  const log = createLog('error')
  const publicUrl = 'https://weft.example'
  await using deliveries = createDeliverySender({
    database,
    clock,
    log,
    publicUrl,
    sealSecret: () => SECRET,
    outgoing: new OutgoingPool(),
    policyOf: policyOfHosts(hosts),
  })
  const server = openMailServer(smtp)
  const domain = senderDomain(smtp)
  await using emails = createEmailSender({ database, clock, log, server, domain, publicUrl })
  if (!toTheEnd) print('ready')
  for (let idle = 0; idle < 10; later += toTheEnd ? PAUSE_MS : 0) {
    const sent = await Promise.all([deliveries.runDue(), emails.sendDue()])
    idle = sent.every((one) => one === 0) && toTheEnd ? idle + 1 : 0
    if (idle > 0 || !toTheEnd) await sleep(1)
  }
}

const asked = process.env['DELIVERY_JOB']
if (asked !== undefined) await deliver(JSON.parse(asked) as Job)
else if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
