/** The connection to the mail server, by SMTP. */

import { SECOND } from '../base/clock.ts'
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport'

/** `WEFT_SMTP_URL` and `WEFT_SMTP_FROM`. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`), instead of STARTTLS. */
  readonly isImplicitTls: boolean
  /** Null if the server needs no sign-in. */
  readonly credentials: { readonly user: string; readonly password: string } | null
  /** The sender: an email address, or a name and an address in angle brackets. */
  readonly from: string
}

/** One email with its text in two forms. */
interface OutgoingEmail {
  /** Without angle brackets; the same for every attempt. */
  readonly messageId: string
  readonly to: string
  readonly date: Date
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An https URL whose POST ends such emails (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined
}

export interface MailServer {
  /**
   * Resolves with the server's reply once it has accepted the email.
   *
   * @throws {SendingError} when the server cannot be reached or rejects the email.
   */
  send(email: OutgoingEmail): Promise<string>
  /**
   * Connects and signs in, but sends nothing.
   *
   * @throws {SendingError} when the server cannot be reached or rejects the sign-in.
   */
  verify(): Promise<void>
}

/** The error for an email that was not accepted, or may not have been. */
export class SendingError extends Error {
  /** Whether the server rejected the recipient or the message permanently, so that retrying is useless. */
  readonly isPermanent: boolean
  /** Whether the server definitely did not accept the email. */
  readonly isCertain: boolean
  /** Whether the certificate of the server was rejected. */
  readonly isCertificateFault: boolean

  constructor(
    message: string,
    outcome: Pick<SendingError, 'isPermanent' | 'isCertain' | 'isCertificateFault'>,
  ) {
    super(message)
    this.name = 'SendingError'
    this.isPermanent = outcome.isPermanent
    this.isCertain = outcome.isCertain
    this.isCertificateFault = outcome.isCertificateFault
  }
}

const CONNECTION_TIMEOUT_MS = 20 * SECOND
/**
 * RFC 5321 section 4.5.3.2.6 asks senders to wait ten minutes for the reply to a message: a sender that gives up earlier
 * sends it again, although the server may have accepted it (RFC 1047).
 */
const REPLY_TIMEOUT_MS = 600 * SECOND

/** Opens a connection for each email. Nodemailer is loaded on first use. */
export function openMailServer(settings: SmtpSettings): MailServer {
  const options = transportOptions(settings)
  const transport = async () => (await import('nodemailer')).createTransport(options)
  return {
    async send({ messageId, unsubscribeUrl, ...email }) {
      try {
        const sent = await (
          await transport()
        ).sendMail({
          ...email,
          from: settings.from,
          messageId: `<${messageId}>`,
          // Vacation replies and the like ignore these (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return withoutControls(sent.response)
      } catch (error) {
        throw sendingError(settings.host, error)
      }
    },
    async verify() {
      try {
        await (await transport()).verify()
      } catch (error) {
        throw sendingError(settings.host, error)
      }
    },
  }
}

/**
 * RFC 8058: the signature of the mail server (DKIM) must cover both. `prepared`, so that they stay on one line: a fold after
 * signing would invalidate it.
 */
function unsubscribeHeaders(url: string | undefined) {
  if (url === undefined) return {}
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** The part of the sender's address after the @, for Message-IDs. */
export function senderDomain({ from }: Pick<SmtpSettings, 'from'>): string {
  return /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
}

function transportOptions(settings: SmtpSettings): SMTPTransportOptions {
  const { host, port, isImplicitTls, credentials } = settings
  const isLocal = isLoopback(host)
  return {
    host,
    port,
    secure: isImplicitTls,
    // A password is never sent over a network unencrypted. A mail server on this machine often has no valid
    // certificate.
    requireTLS: credentials !== null && !isLocal,
    ignoreTLS: isLocal,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Commands after which a 5xx reply is about this email, not about the connection or the sender. */
const ABOUT_THE_EMAIL = new Set(['RCPT TO', 'DATA'])

/** `originalCode` is that of Node, which Nodemailer replaces. */
type TransportError = Partial<
  Record<'code' | 'originalCode' | 'command' | 'syscall' | 'message' | 'reason', string>
> & { readonly responseCode?: number }

function sendingError(host: string, error: unknown): SendingError {
  const { code, command, syscall, responseCode, message, ...failed } = error as TransportError
  const isRejected = responseCode !== undefined && responseCode >= 500
  const certificateFault = CERTIFICATE_FAULTS[failed.originalCode ?? '']
  const text = certificateFault
    ? `the certificate of ${host} ${certificateFault}${failed.reason === undefined ? '' : ` (${failed.reason})`}`
    : (message ?? String(error))
  return new SendingError(withoutControls(text), {
    isPermanent: isRejected && ABOUT_THE_EMAIL.has(command ?? ''),
    // A connection that is lost after the message reports the same error as one that is lost before it.
    isCertain:
      responseCode !== undefined ||
      code === 'EDNS' ||
      code === 'EAUTH' ||
      syscall === 'connect' ||
      certificateFault !== undefined,
    isCertificateFault: certificateFault !== undefined,
  })
}

const UNTRUSTED = 'was not issued by an authority that this machine trusts'

/** Codes of Node, `tls` “X509 certificate error codes”, in words. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
}

const MAX_ERROR_LENGTH = 300

/** For logs and lists. Replies of servers are not trusted. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}+/gu, ' ').slice(0, MAX_ERROR_LENGTH)
}
