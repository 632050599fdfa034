/** Webhooks: the signature of Standard Webhooks 1.0.0, and the formats of services that have one of their own. */

import { createHmac } from 'node:crypto'
import { rfc3339, SECOND } from '../base/clock.ts'
import type { Delivery } from './delivery-store.ts'
import type { OpenEndpoint, OutgoingRequest, RequestContext } from './outgoing-request.ts'

export const WEBHOOK_FORMATS = ['standard', 'ntfy', 'slack', 'telegram', 'home_assistant'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Before the base64 of a secret. */
const SECRET_PREFIX = 'whsec_'

/** The JSON of a message, and the URL if it depends on the address. */
interface Written {
  readonly url?: URL
  readonly json: Readonly<Record<string, unknown>>
}

type Write = (endpoint: OpenEndpoint, delivery: Delivery, context: RequestContext) => Written

const FORMATS: Readonly<Record<WebhookFormat, Write>> = {
  standard: (_, delivery, context) => ({ json: messageOf(delivery, context) }),
  home_assistant: (_, delivery, context) => ({ json: messageOf(delivery, context) }),

  /** https://docs.ntfy.sh/publish/#publish-as-json: the topic is the last part of the address. */
  ntfy({ url }, { notice }, { publicUrl }) {
    const server = new URL('/', url)
    const { title, body: message, path } = notice
    const topic = decodeURIComponent(url.pathname.split('/').findLast((part) => part !== '') ?? '')
    return { url: server, json: { topic, title, message, click: publicUrl + path } }
  },

  /** https://docs.slack.dev/messaging/formatting-message-text: `&`, `<` and `>` are escaped, so that no one is pinged. */
  slack: (_, { notice: { title, body, path } }, { publicUrl }) => ({
    json: { text: `*${forSlack(title)}*\n${forSlack(body)}\n<${publicUrl}${path}|Weft>` },
  }),

  /** https://core.telegram.org/bots/api#sendmessage: the address has the chat as `chat_id`. */
  telegram({ url }, { notice: { title, body, path } }, { publicUrl }) {
    const address = new URL(url)
    const chat_id = address.searchParams.get('chat_id')
    address.search = ''
    return { url: address, json: { chat_id, text: `${title}\n${body}\n${publicUrl}${path}` } }
  },
}

export function writeWebhook(
  endpoint: OpenEndpoint,
  delivery: Delivery,
  context: RequestContext,
): OutgoingRequest {
  // Stored only if it is one of the formats.
  const { url = endpoint.url, json } = FORMATS[endpoint.format as WebhookFormat](
    endpoint,
    delivery,
    context,
  )
  const body = JSON.stringify(json)
  return {
    url,
    body,
    headers: {
      ...fixedHeader(endpoint.headerText),
      'content-type': 'application/json',
      ...signatureHeaders(endpoint.secrets, delivery.deliveryId, body, context.now),
    },
  }
}

/**
 * The headers of Standard Webhooks: the timestamp is that of the attempt, and every secret signs, so that a receiver can
 * change it.
 */
export function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  body: string,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / SECOND))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    const signed = `${messageId}.${timestamp}.${body}`
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

/** A new secret for signatures from 32 random bytes. */
export function webhookSecretOf(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64')
}

/** `type`, `timestamp` and `data`, as Standard Webhooks recommends. The text is for people. */
function messageOf(
  { notice, createdAt }: Delivery,
  { publicUrl }: RequestContext,
): Readonly<Record<string, unknown>> {
  const { cause, data, title, body, path } = notice
  return {
    type: cause,
    timestamp: rfc3339(createdAt),
    data: { ...data, title, text: body, url: publicUrl + path },
  }
}

function fixedHeader(text: string | null): Readonly<Record<string, string>> {
  if (text === null) return {}
  const colon = text.indexOf(':')
  return { [text.slice(0, colon).trim().toLowerCase()]: text.slice(colon + 1).trim() }
}

function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
