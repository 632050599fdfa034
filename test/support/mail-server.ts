/** A mail server that stores accepted messages and can misbehave. Speaks real SMTP on a free port of this machine. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { SmtpSettings } from '../../src/email/smtp.ts'

export interface ReceivedEmail {
  readonly from: string
  readonly to: string
  /** By lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded plain text and HTML. */
  readonly text: string
  readonly html: string
}

/** What the server does with a message: accepts it, never replies, closes the connection, or rejects it. */
export type Reply = 'accept' | 'hang' | 'drop' | { readonly code: number; readonly text: string }

export interface MailServerOptions {
  /** Decides about each message; `accept` by default. */
  readonly onMessage?: (email: ReceivedEmail) => Reply
  /** Rejects this recipient with 550. */
  readonly unknownRecipient?: string
  readonly credentials?: { readonly user: string; readonly password: string }
  /** Offers STARTTLS, or uses TLS from the start; neither by default. */
  readonly tls?: {
    readonly mode: 'starttls' | 'implicit'
    readonly key: string
    readonly cert: string
  }
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number
  readonly smtp: SmtpSettings
  /** `WEFT_SMTP_URL` and `WEFT_SMTP_FROM`. */
  readonly environment: Readonly<Record<string, string>>
  /** Accepted messages, oldest first. */
  readonly accepted: readonly ReceivedEmail[]
  /** Completely received messages, regardless of the reply. */
  readonly arrived: readonly ReceivedEmail[]
  /** Sign-in attempts, regardless of the reply. */
  readonly signIns: readonly { readonly isEncrypted: boolean }[]
  /** Resolves once this many messages have arrived. */
  whenArrived(count: number): Promise<void>
}

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const { onMessage = () => 'accept' as const, unknownRecipient, credentials, tls } = options
  const accepted: ReceivedEmail[] = []
  const arrived: ReceivedEmail[] = []
  const signIns: { readonly isEncrypted: boolean }[] = []
  const arrivals = new EventTarget()
  const sockets = new Map<number, Socket>()
  const server = new SMTPServer({
    ...(tls && { key: tls.key, cert: tls.cert, secure: tls.mode === 'implicit' }),
    disabledCommands: [
      ...(tls?.mode === 'starttls' ? [] : ['STARTTLS']),
      ...(credentials ? [] : ['AUTH']),
    ],
    authOptional: credentials === undefined,
    // As real servers do: no password before TLS.
    allowInsecureAuth: tls === undefined,
    logger: false,
    onAuth: ({ username, password }, session, done) => {
      signIns.push({ isEncrypted: session.secure })
      const isRight = username === credentials?.user && password === credentials?.password
      return isRight ? done(null, { user: username }) : done(replyError(535, 'wrong password'))
    },
    onRcptTo: ({ address }, _session, done) =>
      address === unknownRecipient ? done(replyError(550, 'no such user')) : done(),
    onData(stream, { envelope, remotePort }, done) {
      const receive = (raw: string): void => {
        const { mailFrom, rcptTo } = envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const email = { from, to: rcptTo[0]?.address ?? '', ...parseEmail(raw) }
        const reply = onMessage(email)
        arrived.push(email)
        arrivals.dispatchEvent(new Event('arrived'))
        if (reply === 'hang') return
        if (reply === 'drop') sockets.get(remotePort)?.destroy()
        else if (reply !== 'accept') done(replyError(reply.code, reply.text))
        else {
          accepted.push(email)
          done()
        }
      }
      text(stream).then(receive, done)
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket) => sockets.set(socket.remotePort ?? 0, socket))
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const from = 'Weft <weft@example.org>'
  const login = credentials ? `${credentials.user}:${credentials.password}@` : ''
  return {
    port,
    smtp: { host: '127.0.0.1', port, isImplicitTls: false, credentials: credentials ?? null, from },
    environment: { WEFT_SMTP_URL: `smtp://${login}127.0.0.1:${port}`, WEFT_SMTP_FROM: from },
    accepted,
    arrived,
    signIns,
    async whenArrived(count) {
      while (arrived.length < count) await once(arrivals, 'arrived')
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.values()) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

/** The only link of an email. */
export function linkIn({ text: body }: Pick<ReceivedEmail, 'text'>): string {
  const links = body.match(/https?:\/\/\S+/g) ?? []
  assert.equal(links.length, 1, body)
  return links[0]
}

function replyError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A multipart/alternative message of two parts, as RFC 2046 section 5.1.4 describes it. */
function parseEmail(raw: string): Pick<ReceivedEmail, 'headers' | 'text' | 'html'> {
  const { headers, body } = splitEntity(raw)
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  assert.ok(boundary, raw)
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitEntity(part.replace(/^\r\n/, '')))
  const partOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type))
    assert.ok(part, `no ${type}: ${raw}`)
    return decode(part.body, part.headers['content-transfer-encoding'])
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

function splitEntity(entity: string): { headers: Record<string, string>; body: string } {
  const end = entity.indexOf('\r\n\r\n')
  const lines = entity
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { headers, body: entity.slice(end + 4) }
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
