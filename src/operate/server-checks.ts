/** Checks the servers that an installation uses: its own public URL, the identity provider, mail, embeddings and Redis. */

import { messageOf } from '../base/thrown.ts'
import { SECOND, type Clock } from '../base/clock.ts'
import { withinTime } from '../base/concurrency/within-time.ts'
import { openMailServer, SendingError } from '../email/smtp.ts'
import {
  compareClocks,
  failure,
  ok,
  reasonOf,
  unlessSlow,
  warning,
  type CheckOutcome,
} from './doctor-finding.ts'
import type { Config } from '../config/config.ts'

/** Long enough for a server that is slow, which is a different finding from one that does not respond. */
const NETWORK_TIMEOUT_MS = 20 * SECOND

export async function checkPublicUrl(
  { publicUrl }: Config,
  clock: Clock,
): Promise<CheckOutcome | undefined> {
  if (publicUrl === null) return undefined
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS)
  const startedAt = clock.now()
  let answer: Response
  try {
    answer = await fetch(`${publicUrl}/readyz`, { redirect: 'manual', signal })
  } catch (error) {
    return warning(
      `${publicUrl} does not respond: ${reasonOf(error)}.`,
      'Start Weft. If it runs, check the DNS name, the certificate, the proxy and the firewall. Some networks cannot reach their own public URL.',
    )
  }
  const text = await answer.text()
  if (answer.status >= 300 && answer.status < 400)
    return failure(
      `${publicUrl} redirects to ${answer.headers.get('location') ?? 'another URL'}.`,
      'Set WEFT_PUBLIC_URL to the URL that does not redirect. Agents do not follow redirects of a POST.',
    )
  if (!/"status":"(ready|unavailable)"/.test(text))
    return failure(
      `Another program responds at ${publicUrl} (status ${answer.status}).`,
      'Configure the proxy to pass every path of this host to Weft.',
    )
  if (answer.status !== 200)
    return failure(`Weft is not ready: ${text.trim()}`, 'See the log of `weft serve`.')
  const ahead = Date.parse(answer.headers.get('date') ?? '') - clock.now()
  const responds = ok(`Weft responds at ${publicUrl}.`)
  return compareClocks(publicUrl, ahead) ?? unlessSlow(responds, publicUrl, startedAt, clock.now())
}

export async function checkIdentityProvider(
  { oidc }: Config,
  clock: Clock,
): Promise<CheckOutcome | undefined> {
  if (!oidc) return undefined
  const url = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const fix = 'Check WEFT_OIDC_ISSUER, and that this machine can reach it.'
  const startedAt = clock.now()
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) })
    const metadata = (await answer.json()) as { issuer?: string }
    return metadata.issuer === oidc.issuer
      ? unlessSlow(ok(`${oidc.issuer} responds.`), oidc.issuer, startedAt, clock.now())
      : failure(`${url} names another issuer: ${metadata.issuer ?? 'none'}.`, fix)
  } catch (error) {
    return failure(`${url} cannot be read: ${reasonOf(error)}.`, fix)
  }
}

/** Many servers greet unknown clients after a delay. Sending waits as long for a greeting, and longer for a reply. */
const MAIL_TIMEOUT_MS = 60 * SECOND

export async function checkMailServer({ smtp }: Config, clock: Clock): Promise<CheckOutcome> {
  if (!smtp) return ok('No mail server: members ask an admin for a password reset link.')
  const name = `${smtp.host}:${smtp.port}`
  const fix = 'Check WEFT_SMTP_URL, then run: weft email test ADDRESS'
  const late = () => new Error(`no answer within ${MAIL_TIMEOUT_MS / SECOND} s`)
  const startedAt = clock.now()
  try {
    await withinTime(MAIL_TIMEOUT_MS, openMailServer(smtp).verify(), late)
    const accepts = ok(`The mail server ${name} accepts connections.`)
    return unlessSlow(accepts, `The mail server ${name}`, startedAt, clock.now())
  } catch (error) {
    const isCertificateFault = error instanceof SendingError && error.isCertificateFault
    return failure(
      `The mail server ${name} cannot be used: ${reasonOf(error)}.`,
      isCertificateFault ? CERTIFICATE_FIX : fix,
    )
  }
}

/** RFC 8058 section 4. Whether the relay signs them is seen only in an email that it has sent. */
export function adviseOnSignatures({ smtp }: Config): CheckOutcome | undefined {
  if (!smtp) return undefined
  return ok(
    `Summaries have the headers List-Unsubscribe and List-Unsubscribe-Post. The DKIM signature of ${smtp.host} must cover both, or mailboxes offer no Unsubscribe: look for them in h= of the DKIM-Signature of a summary.`,
  )
}

export async function checkEmbeddings(
  { embeddings }: Config,
  clock: Clock,
): Promise<CheckOutcome | undefined> {
  if (!embeddings) return undefined
  if ('folder' in embeddings) return checkModelFolder(embeddings.folder)
  const { endpointModel } = await import('../embeddings/endpoint-model.ts')
  const startedAt = clock.now()
  try {
    await endpointModel(embeddings, {
      patience: NETWORK_TIMEOUT_MS,
      pause: async () => {},
    }).embed(['engineer'])
    const answers = ok(`${embeddings.url} embeds texts.`)
    return unlessSlow(answers, `The embeddings endpoint ${embeddings.url}`, startedAt, clock.now())
  } catch (error) {
    return failure(
      `${messageOf(error)} Semantic search does not work: ${embeddings.url}`,
      'Check that it runs, and WEFT_EMBEDDINGS_URL, WEFT_EMBEDDINGS_MODEL and WEFT_EMBEDDINGS_KEY.',
    )
  }
}

async function checkModelFolder(folder: string): Promise<CheckOutcome> {
  const { folderModel } = await import('../embeddings/local-model.ts')
  try {
    await folderModel(folder).embed(['engineer'])
    return ok(`The model in ${folder} embeds texts.`)
  } catch (error) {
    return failure(
      `${messageOf(error)} Semantic search does not work.`,
      'Check WEFT_EMBEDDINGS_FOLDER.',
    )
  }
}

const CERTIFICATE_FIX =
  'Renew the certificate of the mail server, or use a host name that it covers. Set NODE_EXTRA_CA_CERTS to the certificate of a private authority.'

export async function checkRedisServer({ redisUrl }: Config): Promise<CheckOutcome | undefined> {
  if (redisUrl === null) return undefined
  const { checkRedis } = await import('../guards/shared-windows.ts')
  try {
    return ok(`Redis ${await checkRedis(redisUrl)} counts rate limits for all nodes.`)
  } catch (error) {
    return failure(
      `Redis cannot be used: ${reasonOf(error)}.`,
      'Check WEFT_REDIS_URL, and that the server runs, accepts writes and has free memory. Meanwhile each node counts rate limits by itself.',
    )
  }
}
