/** Certificates for test servers, created with OpenSSL. */

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The reason to skip a test; false if OpenSSL is installed. */
export const OPENSSL_MISSING =
  spawnSync('openssl', ['version']).error !== undefined && 'openssl is not installed'

export interface Certificate {
  /** In PEM format. */
  readonly key: string
  readonly cert: string
}

/**
 * A self-signed certificate for a subject such as `IP:127.0.0.1` or `DNS:localhost`, valid for a day or already
 * expired.
 */
export async function createCertificate(
  subject: string,
  validity: 'valid' | 'expired' = 'valid',
): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-certificate-'))
  const at = (name: string) => join(folder, name)
  try {
    await writeFile(at('extensions'), `subjectAltName=${subject}`)
    // A client that trusts several of them picks one by its subject.
    run(
      `req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${randomUUID()} -keyout ${at('key')} -out ${at('request')}`,
    )
    // Unlike `req -x509`, it can also create an expired one.
    const days = validity === 'valid' ? 1 : -1
    run(
      `x509 -req -in ${at('request')} -signkey ${at('key')} -days ${days} -extfile ${at('extensions')} -out ${at('cert')}`,
    )
    return { key: await readFile(at('key'), 'utf8'), cert: await readFile(at('cert'), 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(command: string): void {
  const { status, stderr } = spawnSync('openssl', command.split(' '))
  if (status !== 0) throw new Error(String(stderr))
}
