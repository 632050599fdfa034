/**
 * `/healthz`, `/readyz` and `/metrics`, for supervisors, proxies and Prometheus. They are answered before everything
 * else, without rate limits, even while Weft starts or stops. They are not part of the API, so no document lists them.
 */

import { METRICS_CONTENT_TYPE } from '../base/monitoring/metrics.ts'
import { hashSecret, isSameSecret } from '../base/secrets.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Probes {
  /** Why this node must get no requests; undefined if it is ready. */
  readiness(): Promise<NotReady | undefined>
  /** Without it, `/metrics` does not exist. */
  readonly metrics?: MetricsPage | undefined
}

/** `outdated`: a newer version has migrated the database, and this node cannot work with it. */
export type NotReady = 'starting' | 'draining' | 'database' | 'outdated'

interface MetricsPage {
  text(): Promise<string>
  /** The bearer token to send. Null on a separate port, which only trusted programs can reach. */
  readonly token: string | null
}

/** Answers a probe and returns true, or returns false for any other request. */
export type AnswerProbe = (request: IncomingMessage, response: ServerResponse) => boolean

/** The process is alive, regardless of the database. A supervisor restarts it if this fails. */
const HEALTH_PATH = '/healthz'
/** Whether this node can serve requests: a proxy sends it none while this is a 503. */
const READINESS_PATH = '/readyz'
const METRICS_PATH = '/metrics'

export function answerProbes(probes: Probes): AnswerProbe {
  return (request, response) => {
    const { url } = request
    const { metrics } = probes
    if (url === HEALTH_PATH) void write(request, response, () => Promise.resolve(HEALTHY))
    else if (url === READINESS_PATH) void write(request, response, () => readinessAnswer(probes))
    else if (url === METRICS_PATH && metrics)
      void write(request, response, () => metricsAnswer(metrics, request))
    else return false
    return true
  }
}

interface ProbeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const HEALTHY = jsonAnswer(200, { status: 'ok' })
const READY = jsonAnswer(200, { status: 'ready' })

async function readinessAnswer(probes: Probes): Promise<ProbeAnswer> {
  const reason = await probes.readiness()
  return reason === undefined
    ? READY
    : jsonAnswer(503, { status: 'unavailable', reason }, { 'retry-after': '1' })
}

async function metricsAnswer(
  page: MetricsPage,
  { headers }: IncomingMessage,
): Promise<ProbeAnswer> {
  if (page.token !== null && !isBearer(headers.authorization, page.token))
    return jsonAnswer(401, { status: 'unauthorized' }, { 'www-authenticate': 'Bearer' })
  return { status: 200, headers: { 'content-type': METRICS_CONTENT_TYPE }, body: await page.text() }
}

function jsonAnswer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ProbeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: `${JSON.stringify(body)}\n`,
  }
}

async function write(
  { method }: IncomingMessage,
  response: ServerResponse,
  answer: () => Promise<ProbeAnswer>,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD'
  const { status, headers, body } = isRead
    ? await answer()
    : jsonAnswer(405, { status: 'method_not_allowed' }, { allow: 'GET, HEAD' })
  response.writeHead(status, {
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : body)
}

/** Compares hashes, which have the same length, in constant time. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return sent !== undefined && isSameSecret(hashSecret(sent), hashSecret(token))
}
