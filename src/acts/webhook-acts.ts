/** Webhooks of members, and what was sent to them. */

import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { listDeliveries, redeliver } from '../deliveries/delivery-store.ts'
import {
  changeEndpoint,
  listEndpoints,
  removeEndpoint,
  requireEndpoint,
  type Endpoint,
} from '../deliveries/endpoint-store.ts'
import { CAUSES, isCause } from '../deliveries/notice.ts'
import { WEBHOOK_FORMATS } from '../deliveries/webhook-request.ts'
import { addWebhook, rotateSecret, sendTest } from '../deliveries/webhooks.ts'
import { phrase } from '../languages/message.ts'
import { changeAct, listAct } from './act.ts'
import {
  argument,
  choice,
  listedId,
  option,
  optionOr,
  secret,
  wholeNumber,
} from './act-arguments.ts'
import type { MemberReader } from '../db/database.ts'

const ID = listedId('weft webhook list')

const CAUSE_LIST = {
  read(text: string) {
    const causes = text.split(',').map((cause) => cause.trim())
    return causes.every(isCause) ? causes : undefined
  },
  rule: `Use one or more of these, separated by commas: ${CAUSES.join(', ')}.`,
}

/** Devices and subscriptions of agents are not webhooks. */
async function requireWebhook(reader: MemberReader, id: number): Promise<Endpoint> {
  const endpoint = await requireEndpoint(reader, id).catch(() => undefined)
  if (endpoint?.kind === 'webhook') return endpoint
  throw new RequestError('not_found', `The member has no webhook with the ID ${id}.`, {
    hint: 'List webhooks with `weft webhook list`.',
  })
}

export const WEBHOOK_ACTS = [
  changeAct({
    name: 'webhook create',
    summary:
      'Add a webhook and print only its secret; the address is read from a prompt or standard input',
    action: 'create_webhook',
    label: phrase('Added a webhook'),
    member: 'option',
    fields: {
      name: option('name', 'the name to show (default: the host)'),
      format: choice('format', 'how messages are written (default: standard)', WEBHOOK_FORMATS),
      header: option('header', 'a fixed header, such as "Authorization: Bearer abc"'),
      causes: optionOr('causes', 'what it gets, separated by commas', ['summary'], CAUSE_LIST),
      address: secret('Address of the webhook'),
    },
    change: (
      { mine, now, settings },
      { name = '', format = 'standard', header = '', causes, address },
    ) => addWebhook(settings, mine, { name, format, header, causes, address }, now),
    about: (_, { endpointId }) => ({ reason: String(endpointId) }),
    done: ({ secret: result, endpointId }) => ({
      result,
      note: `Copy the secret now; you won't see it again. To send a test: weft webhook test ${endpointId}`,
    }),
  }),
  listAct({
    name: 'webhook list',
    summary: 'List the webhooks of a member',
    member: 'option',
    async list({ db }) {
      return (await listEndpoints(db, 'webhook')).map((one) => ({
        id: one.endpointId,
        name: one.name,
        address: one.addressHint,
        format: one.format,
        causes: one.causes,
        state: one.endedAt === null ? (one.failures === 0 ? 'active' : 'failing') : 'ended',
        delivered_at: rfc3339(one.deliveredAt),
        next_attempt_at: rfc3339(one.nextAttemptAt),
        error: one.error,
      }))
    },
    none: ({ member }) =>
      `${member.username} has no webhooks. Add one with \`weft webhook create\`.`,
    columns: ['id', 'name', 'address', 'state', 'delivered_at', 'next_attempt_at', 'error'],
  }),
  changeAct({
    name: 'webhook test',
    summary: 'Queue a test message, which takes the same way as all others',
    action: 'test_webhook',
    label: phrase('Tested a webhook'),
    member: 'option',
    fields: { id: ID },
    async change({ mine, now }, { id }) {
      const endpoint = await requireWebhook(mine, id)
      await sendTest(mine, endpoint, now)
      return endpoint
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: ({ name }, _, { id }) =>
      `Queued a test for ${name}. A running \`weft serve\` sends it in a few seconds; see: weft webhook log ${id}`,
  }),
  listAct({
    name: 'webhook log',
    summary: 'List the last messages to a webhook; never their text',
    member: 'option',
    fields: { id: ID, limit: optionOr('number', 'how many', 50, wholeNumber(999)) },
    async list({ db }, { id, limit }) {
      await requireWebhook(db, id)
      return (await listDeliveries(db, id, limit)).map((one) => ({
        id: one.deliveryId,
        cause: one.cause,
        state: one.state,
        attempts: one.attempts,
        status: one.status,
        created_at: rfc3339(one.createdAt),
        ended_at: rfc3339(one.endedAt),
        error: one.error,
      }))
    },
    none: () => 'No messages yet. Send one with `weft webhook test`.',
    columns: ['id', 'cause', 'state', 'attempts', 'created_at', 'error'],
  }),
  changeAct({
    name: 'webhook redeliver',
    summary: 'Send a message again, with the same ID; a webhook that ended is active again',
    action: 'redeliver',
    label: phrase('Sent a message again'),
    member: 'option',
    fields: { id: ID, delivery: argument('delivery', 'from `weft webhook log`') },
    async change({ mine, now }, { id, delivery }) {
      const endpoint = await requireWebhook(mine, id)
      if (endpoint.endedAt !== null) await changeEndpoint(mine, endpoint, {})
      if (await redeliver(mine, id, delivery, now)) return delivery
      throw new RequestError('not_found', `${delivery} is queued, or is no longer kept.`, {
        hint: 'List messages with `weft webhook log`.',
      })
    },
    about: ({ id, delivery }) => ({ reason: `${id} ${delivery}` }),
    done: (delivery) => `Queued ${delivery} again.`,
  }),
  changeAct({
    name: 'webhook rotate',
    summary: 'Print a new secret; the former one also signs for 24 hours',
    action: 'rotate_webhook',
    label: phrase('Changed the secret of a webhook'),
    member: 'option',
    fields: { id: ID },
    async change({ mine, now, settings }, { id }) {
      await requireWebhook(mine, id)
      return { secret: await rotateSecret(settings, mine, id, now) }
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: ({ secret: result }) => ({
      result,
      note: "Copy the secret now; you won't see it again.",
    }),
  }),
  changeAct({
    name: 'webhook revoke',
    summary: 'Remove a webhook and its queued messages',
    action: 'revoke_webhook',
    label: phrase('Removed a webhook'),
    member: 'option',
    fields: { id: ID },
    async change({ mine }, { id }) {
      const endpoint = await requireWebhook(mine, id)
      await removeEndpoint(mine, id)
      return endpoint
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: ({ name }) => `Removed ${name}.`,
  }),
]
