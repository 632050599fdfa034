/** TLS between Weft and the mail server. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createCertificate, OPENSSL_MISSING } from '../../test/support/certificate.ts'
import { runWeft } from '../../test/support/in-process.ts'
import { startMailServer } from '../../test/support/mail-server.ts'
import { createStore } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { listEmails, queueEmail } from '../outbox/outbox.ts'
import { createEmailSender } from './sender.ts'
import { openMailServer, type SmtpSettings } from './smtp.ts'
import type { Finding } from '../operate/doctor-finding.ts'

/** This machine, under an address for which Weft requires TLS. */
const HOST = '0.0.0.0'
const CREDENTIALS = { user: 'weft', password: 'secret' }
const MODES = ['starttls', 'implicit'] as const
const SKIP = { skip: OPENSSL_MISSING }

const VERIFY = `
  const { openMailServer } = await import(${JSON.stringify(new URL('smtp.ts', import.meta.url).href)})
  const results = []
  for (const settings of JSON.parse(process.argv[1]))
    results.push(await openMailServer(settings).verify().then(() => 'ok', ({ message }) => message))
  console.log(JSON.stringify(results))`

/** Verifies each server in a process that trusts these certificates. Node reads them only when it starts. */
async function verifyTrusting(
  certificates: readonly string[],
  settings: readonly SmtpSettings[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-smtp-'))
  try {
    const file = join(folder, 'authorities.pem')
    await writeFile(file, certificates.join('\n'))
    const args = ['--input-type=module', '--eval', VERIFY, JSON.stringify(settings)]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: file }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    return JSON.parse(stdout) as string[]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test(
  'a trusted server is used by STARTTLS and by TLS from the start, and passwords only then',
  SKIP,
  async () => {
    await using servers = new AsyncDisposableStack()
    const cases = await Promise.all(
      MODES.flatMap((mode) =>
        (['right', 'other name', 'expired'] as const).map(async (kind) => {
          const subject = kind === 'other name' ? 'IP:192.0.2.1' : `IP:${HOST}`
          const certificate = await createCertificate(
            subject,
            kind === 'expired' ? 'expired' : 'valid',
          )
          const server = await startMailServer({
            credentials: CREDENTIALS,
            tls: { mode, ...certificate },
          })
          const smtp = { ...server.smtp, host: HOST, isImplicitTls: mode === 'implicit' }
          return { kind, certificate, server: servers.use(server), smtp }
        }),
      ),
    )
    const plain = servers.use(await startMailServer({ credentials: CREDENTIALS }))
    const results = await verifyTrusting(
      cases.map(({ certificate }) => certificate.cert),
      [...cases.map(({ smtp }) => smtp), { ...plain.smtp, host: HOST }],
    )
    for (const [index, { kind, server }] of cases.entries()) {
      const expected = {
        right: /^ok$/,
        'other name': /^the certificate of 0\.0\.0\.0 is for another name \(.*192\.0\.2\.1\)$/,
        expired: /^the certificate of 0\.0\.0\.0 has expired$/,
      }[kind]
      assert.match(results[index] ?? '', expected)
      assert.deepEqual(server.signIns, kind === 'right' ? [{ isEncrypted: true }] : [])
    }
    // Without STARTTLS, the password stays here.
    assert.match(results.at(-1) ?? '', /STARTTLS/)
    assert.deepEqual(plain.signIns, [])
  },
)

test(
  'a certificate that is not trusted is named in the outbox and by the doctor, and the email waits',
  SKIP,
  async () => {
    const certificate = await createCertificate(`IP:${HOST}`)
    await using mail = await startMailServer({ tls: { mode: 'implicit', ...certificate } })
    await using store = await createStore()
    const { database, clock } = store
    await using sender = createEmailSender({
      database,
      clock,
      log: createLog('silent'),
      server: openMailServer({ ...mail.smtp, host: HOST, isImplicitTls: true }),
      domain: 'example.org',
      publicUrl: 'https://weft.example',
    })
    const invitation = {
      kind: 'invitation',
      recipient: 'grace@example.org',
      details: { days: 7 },
    } as const
    await database.write((tx) => queueEmail(tx, invitation, clock.now()))
    await sender.sendDue()
    const [email] = await listEmails(database, { limit: 1 })
    const untrusted =
      /the certificate of 0\.0\.0\.0 was not issued by an authority that this machine trusts/
    assert.equal(email?.state, 'queued')
    assert.match(email.error ?? '', untrusted)
    assert.deepEqual(mail.arrived, [])

    const { stdout } = await runWeft(
      {
        WEFT_DATABASE: store.address,
        WEFT_SMTP_URL: `smtps://${HOST}:${mail.port}`,
        WEFT_SMTP_FROM: 'weft@example.org',
      },
      ['doctor', '--json'],
    )
    const findings = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding)
    const finding = findings.find(
      ({ check, severity }) => check === 'email' && severity === 'error',
    )
    assert.match(finding?.message ?? '', untrusted)
    assert.match(finding?.fix ?? '', /NODE_EXTRA_CA_CERTS/)
  },
)
