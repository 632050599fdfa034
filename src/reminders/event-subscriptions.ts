/** Events that wake a member's agents: what they can subscribe to or poll, and how a subscription is granted. */

import { hash } from 'node:crypto'
import { daysLater } from '../dates/calendar-day.ts'
import { dayInZone } from '../dates/time-zone.ts'
import { DAY, MINUTE, rfc3339, type Clock } from '../base/clock.ts'
import { hasCode, invalidArgument } from '../base/request-error.ts'
import { listTimedFollowUps } from '../connections/follow-ups/follow-up-list.ts'
import { readEndpointAddress, type AllowedHosts } from '../deliveries/endpoint-hosts.ts'
import {
  addEndpoint,
  changeEndpoint,
  listEndpoints,
  removeEndpoint,
  type Endpoint,
} from '../deliveries/endpoint-store.ts'
import { verifyCallback } from '../deliveries/event-request.ts'
import { isCause, type Cause, type Notice } from '../deliveries/notice.ts'
import { matches } from '../deliveries/delivery-store.ts'
import { sealFor, type SealSecret } from '../deliveries/seal-for-member.ts'
import {
  EventError,
  type EventPoll,
  type EventProvider,
  type EventSubscription,
  type EventType,
} from '../mcp/protocol/event-messages.ts'
import { wakeReminders } from '../tools/wake-reminders.ts'
import { finishedJobNotices } from './job-notices.ts'
import { followUpNotice, itemNotices, writeNames } from './reminder-notices.ts'
import { readReminderSettings } from './reminder-settings.ts'
import { summaryAt } from './summary-time.ts'
import { readSummary } from './summary.ts'
import type { Caller } from '../http/caller.ts'
import type { FetchPolicy } from '../http/public-fetch/public-fetch.ts'
import type { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import type { Database, MemberReader } from '../db/database.ts'
import type { ToolCaller } from '../mcp/server/tool-caller.ts'

interface EventDeps {
  readonly database: Database
  readonly clock: Clock
  readonly sealSecret: SealSecret
  readonly outgoing: OutgoingPool
  readonly webhookHosts: AllowedHosts
  readonly policyOf: (url: URL) => FetchPolicy
}

const DEFAULT_TTL_MS = DAY
const MAX_TTL_MS = 30 * DAY
const MIN_TTL_MS = MINUTE
/** Both secrets sign after a refresh with another one. */
const ROTATION_MS = 10 * MINUTE
/** The longest period of a poll. A poll with an older cursor gets the events of the last 7 days. */
const MAX_POLL_MS = 7 * DAY

const PERSON_FILTER = {
  type: 'object',
  properties: { connection_id: { type: 'string', description: 'Only about this person' } },
  additionalProperties: false,
} as const
const NO_FILTER = { type: 'object', properties: {}, additionalProperties: false } as const

const ID = { type: 'string' } as const
const ID_OR_NULL = { type: ['string', 'null'] } as const

const TYPES: readonly EventType[] = [
  typeOf('follow_up.due', 'A follow-up is due: on its day at the member’s hour, or at its time.', {
    follow_up_id: ID,
    connection_id: ID_OR_NULL,
    due_on: ID,
    due_time: ID_OR_NULL,
  }),
  typeOf('reconnect.due', 'The cadence of a person is due: it is time to get in touch.', {
    connection_id: ID,
    due_on: ID,
    last_contact_on: ID_OR_NULL,
  }),
  typeOf('birthday.soon', 'A birthday is ahead, and again on the day.', {
    connection_id: ID,
    on: ID,
    days: { type: 'integer' },
  }),
  typeOf('import.finished', 'An import of contacts ended.', { task_id: ID, state: ID }),
  typeOf('job_change.found', 'An import found that people have new jobs.', {
    task_id: ID,
    people: { type: 'integer' },
  }),
]

function typeOf(name: Cause, description: string, properties: object): EventType {
  const isAboutPerson = 'connection_id' in properties
  return {
    name,
    description,
    delivery: ['webhook', 'poll'],
    inputSchema: isAboutPerson ? PERSON_FILTER : NO_FILTER,
    payloadSchema: { type: 'object', properties },
  }
}

export function memberEvents(deps: EventDeps): EventProvider<ToolCaller> {
  return {
    types: TYPES,
    subscribe: ({ caller }, subscription) => subscribe(deps, caller, subscription),
    async unsubscribe({ caller }, subscription) {
      const id = subscriptionId(caller, subscription)
      return deps.database.member(caller.memberId).write(async (tx) => {
        const endpoint = await findSubscription(tx, id)
        if (endpoint) await removeEndpoint(tx, endpoint.endpointId)
        return endpoint !== undefined
      })
    },
    poll: ({ caller }, query) => poll(deps, caller, query),
  }
}

async function subscribe(
  deps: EventDeps,
  caller: Caller,
  subscription: EventSubscription,
): ReturnType<EventProvider<ToolCaller>['subscribe']> {
  const { memberId } = caller
  const cause = requireEvent(subscription)
  const url = readEndpointAddress(subscription.url, deps.webhookHosts)
  if (!url) throw invalidArgument('delivery', 'must have the public https address of a receiver')
  const id = subscriptionId(caller, subscription)
  const db = deps.database.member(memberId)
  if (!(await findSubscription(db, id))) await verify(deps, caller, { id, url, subscription })
  const now = deps.clock.now()
  const expiresAt = now + grantedTtl(subscription.ttlMs)
  const hide = (value: string) => sealFor(deps.sealSecret(), memberId, value)
  const secret = hide(subscription.secret)
  const credentialId = caller.credential.id
  const stored = await db.write(async (tx) => {
    const known = await findSubscription(tx, id)
    if (known) {
      const old = { oldSecret: known.secret, oldSecretUntil: now + ROTATION_MS }
      await changeEndpoint(tx, known, { secret, ...old, expiresAt, credentialId })
    } else {
      const endpoint = {
        kind: 'event',
        name: id,
        format: cause,
        address: hide(url.href),
        addressHint: `${url.host}/…${url.href.slice(-4)}`,
        host: url.hostname,
        secret,
        causes: [cause],
        arguments: subscription.arguments,
        credentialId,
        expiresAt,
      } as const
      await addEndpoint(tx, endpoint, now).catch(tooMany)
    }
    await wakeReminders(tx)
    return known
  })
  return { id, refreshBefore: rfc3339(expiresAt), deliveryStatus: statusOf(stored) }
}

async function verify(
  { outgoing, policyOf, clock }: EventDeps,
  { memberId }: Caller,
  {
    id,
    url,
    subscription,
  }: { readonly id: string; readonly url: URL; readonly subscription: EventSubscription },
): Promise<void> {
  const callback = { url, secret: subscription.secret, subscriptionId: id }
  const context = { policy: policyOf(url), now: clock.now() }
  const problem = await outgoing.run({ memberId, host: url.hostname }, (permit) =>
    verifyCallback(permit, callback, context),
  )
  if (problem !== undefined)
    throw new EventError(
      'CallbackEndpointError',
      'The receiver did not confirm the subscription.',
      {
        reason: problem,
      },
    )
}

function tooMany(error: unknown): never {
  if (!hasCode(error, 'conflict')) throw error
  throw new EventError('ResourceExhausted', error.message, { limit: 'subscriptions' })
}

/** Arguments must be those of the event. */
function requireEvent({
  name,
  arguments: given,
}: Pick<EventSubscription, 'name' | 'arguments'>): Cause {
  const type = TYPES.find((one) => one.name === name)
  if (!type || !isCause(name))
    throw new EventError('NotFound', 'There is no event of this name.', { kind: 'event' })
  const known = Object.keys(type.inputSchema['properties'] as object)
  for (const [key, value] of Object.entries(given)) {
    if (!known.includes(key)) throw invalidArgument(key, `is not an argument of ${name}`)
    if (typeof value !== 'string') throw invalidArgument(key, 'must be a string')
  }
  return name
}

/** By member, event, arguments and address (SEP-3415): the same again is a refresh. */
function subscriptionId(
  { memberId }: Caller,
  { name, arguments: given, url }: Pick<EventSubscription, 'name' | 'arguments' | 'url'>,
): string {
  const sorted = Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `sub_${hash('sha256', JSON.stringify([memberId, name, sorted, url]), 'base64url').slice(0, 27)}`
}

async function findSubscription(reader: MemberReader, id: string): Promise<Endpoint | undefined> {
  return (await listEndpoints(reader, 'event')).find(({ name }) => name === id)
}

function grantedTtl(wished: number | null | undefined): number {
  if (wished === undefined) return DEFAULT_TTL_MS
  return Math.min(Math.max(wished ?? MAX_TTL_MS, MIN_TTL_MS), MAX_TTL_MS)
}

function statusOf(endpoint: Endpoint | undefined) {
  const { deliveredAt = null, error = null, failingSince = null } = endpoint ?? {}
  return {
    active: true,
    lastDeliveryAt: rfc3339(deliveredAt),
    lastError: error,
    ...(failingSince !== null && { failedSince: rfc3339(failingSince) }),
  }
}

/** Occurrences are derived from the network, so polling needs no subscription and no state. The cursor is a time. */
async function poll(
  { database, clock }: EventDeps,
  { memberId, timeZone }: Caller,
  { name, arguments: given, cursor }: Parameters<EventProvider<ToolCaller>['poll']>[1],
): Promise<EventPoll> {
  const cause = requireEvent({ name, arguments: given })
  const now = clock.now()
  const since = cursor === null ? now : Date.parse(cursor)
  if (Number.isNaN(since)) throw invalidArgument('cursor', 'was not issued by this server')
  const after = Math.max(since, now - MAX_POLL_MS)
  const notices = await noticesSince(database.member(memberId), { timeZone, after, now })
  const found = notices.filter(
    (notice) => notice.cause === cause && matches({ arguments: given }, notice),
  )
  const next = rfc3339(now)
  const events = found.map(({ subject, data }) => ({
    eventId: `evt_${hash('sha256', `${memberId} ${subject}`, 'base64url').slice(0, 22)}`,
    name,
    timestamp: next,
    data: { ...data },
    cursor: next,
  }))
  return { events, cursor: next }
}

async function noticesSince(
  db: MemberReader,
  {
    timeZone,
    after,
    now,
  }: { readonly timeZone: string; readonly after: number; readonly now: number },
): Promise<Notice[]> {
  const { minute, birthdayDays } = await readReminderSettings(db)
  const nameOf = writeNames(true)
  const notices: Notice[] = []
  const last = dayInZone(timeZone, now)
  for (let day = dayInZone(timeZone, after); day <= last; day = daysLater(day, 1)) {
    const at = summaryAt(day, { timeZone, minute })
    if (at <= after || at > now) continue
    const query = { day, timeZone, days: 1, birthdayDays, agentChanges: null }
    notices.push(...itemNotices(await readSummary(db, query), query, nameOf))
  }
  const timed = await listTimedFollowUps(db, { timeZone, after, until: now })
  const jobs = await finishedJobNotices(db, { after, until: now })
  return [...notices, ...timed.map((one) => followUpNotice(one, nameOf)), ...jobs]
}
