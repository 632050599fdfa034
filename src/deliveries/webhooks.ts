/** What members do with their webhooks, on the page and on the command line. */

import { randomBytes } from 'node:crypto'
import { DAY, rfc3339 } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { invalidArgument } from '../base/request-error.ts'
import { t } from '../languages/message.ts'
import { queueFor } from './delivery-store.ts'
import { readEndpointAddress, type AllowedHosts } from './endpoint-hosts.ts'
import { addEndpoint, changeEndpoint, requireEndpoint, type Endpoint } from './endpoint-store.ts'
import { isCause, type Cause, type Notice } from './notice.ts'
import { sealFor, unsealFor, type SealSecret } from './seal-for-member.ts'
import { WEBHOOK_FORMATS, webhookSecretOf, type WebhookFormat } from './webhook-request.ts'
import type { MemberTransaction } from '../db/database.ts'

const MAX_NAME_LENGTH = 100
/** Both secrets sign for a day after a rotation. */
const ROTATION_MS = DAY
/** A header name of RFC 9110 section 5.6.2 and a value of visible characters. */
const HEADER = /^[!#$%&'*+.^_`|~\w-]{1,100}:[ \t]*[\x21-\x7e][\x20-\x7e]{0,999}$/
/** Written by the service itself. */
const OWN_HEADERS = /^(?:host|content-|transfer-|connection|webhook-|user-agent)/i

export interface WebhookDeps {
  readonly sealSecret: SealSecret
  readonly webhookHosts: AllowedHosts
}

/** As a form or a command gives it. */
export interface NewWebhook {
  readonly name: string
  readonly address: string
  readonly format: string
  /** Empty for none. */
  readonly header: string
  readonly causes: readonly string[]
}

/**
 * Adds a webhook. The secret is in this answer only.
 *
 * @throws {RequestError} `invalid_request` when a value is not valid.
 * @throws {RequestError} `conflict` when the member has the maximum number of webhooks.
 */
export async function addWebhook(
  deps: WebhookDeps,
  tx: MemberTransaction,
  webhook: NewWebhook,
  now: number,
): Promise<{ readonly endpointId: number; readonly secret: string }> {
  const { url, ...checked } = checkWebhook(webhook, deps.webhookHosts)
  const secret = webhookSecretOf(randomBytes(32))
  const hide = (value: string) => sealFor(deps.sealSecret(), tx.memberId, value)
  const endpointId = await addEndpoint(
    tx,
    {
      ...checked,
      kind: 'webhook',
      address: hide(url.href),
      addressHint: `${url.host}/…${url.href.slice(-4)}`,
      host: url.hostname,
      secret: hide(secret),
      header: webhook.header.trim() === '' ? null : hide(webhook.header.trim()),
    },
    now,
  )
  return { endpointId, secret }
}

/**
 * Creates another secret. Both sign for a day.
 *
 * @throws {RequestError} `not_found` when the member has no such webhook.
 */
export async function rotateSecret(
  { sealSecret }: Pick<WebhookDeps, 'sealSecret'>,
  tx: MemberTransaction,
  endpointId: number,
  now: number,
): Promise<string> {
  const endpoint = await requireEndpoint(tx, endpointId)
  const secret = webhookSecretOf(randomBytes(32))
  await changeEndpoint(tx, endpoint, {
    secret: sealFor(sealSecret(), tx.memberId, secret),
    oldSecret: endpoint.secret,
    oldSecretUntil: now + ROTATION_MS,
  })
  return secret
}

/** Whether this is the secret that signs now, not a former one. */
export function isCurrentSecret(
  { sealSecret }: Pick<WebhookDeps, 'sealSecret'>,
  memberId: number,
  endpoint: Endpoint,
  secret: string,
): boolean {
  return endpoint.secret !== null && unsealFor(sealSecret(), memberId, endpoint.secret) === secret
}

/** Queues a message that takes the same way as all others. */
export async function sendTest(
  tx: MemberTransaction,
  endpoint: Endpoint,
  now: number,
): Promise<void> {
  await queueFor(tx, endpoint, [testNotice(now)], now)
}

function testNotice(now: number): Notice {
  return {
    cause: 'summary',
    subject: newId('test'),
    title: t('Test from Weft'),
    body: t('Messages arrive here.'),
    path: '/user',
    data: { test: true, sent_at: rfc3339(now) },
  }
}

interface CheckedWebhook {
  readonly name: string
  readonly url: URL
  readonly format: WebhookFormat
  readonly causes: readonly Cause[]
}

function checkWebhook(webhook: NewWebhook, hosts: AllowedHosts): CheckedWebhook {
  const url = readEndpointAddress(webhook.address, hosts)
  if (!url)
    throw invalidArgument(
      'address',
      t('must be a public https address. Ask your administrator to allow a private host'),
    )
  const name = webhook.name.trim() === '' ? url.host : webhook.name.trim()
  if (name.length > MAX_NAME_LENGTH)
    throw invalidArgument(
      'name',
      t('must have at most {maxNameLength} characters', { maxNameLength: MAX_NAME_LENGTH }),
    )
  const format = WEBHOOK_FORMATS.find((one) => one === webhook.format)
  if (!format) throw invalidArgument('format', t('is not known'))
  const header = webhook.header.trim()
  if (header !== '' && (!HEADER.test(header) || OWN_HEADERS.test(header)))
    throw invalidArgument('header', t('must be like Authorization: Bearer abc'))
  if (format === 'telegram' && !url.searchParams.has('chat_id'))
    throw invalidArgument('address', t('must have the chat, as in …/sendMessage?chat_id=123'))
  const causes = webhook.causes.filter(isCause)
  if (causes.length === 0) throw invalidArgument('causes', t('must have at least one'))
  return { name, url, format, causes }
}
