/** Passkeys in the browser flow: created on the account page and used on the sign-in page. */

import assert from 'node:assert/strict'
import type { CreationOptions, RequestOptions } from './authenticator.ts'
import type { Authenticator, Deviations, SoftKey } from './authenticator.ts'
import { PASSWORD } from './password.ts'
import { freePort } from './free-port.ts'
import { startTestService, type TestService } from './service.ts'
import type { Page, Visitor } from './visitor.ts'

export const ACCOUNT = '/user/account'

export interface NamedService extends TestService {
  /** Its public address. */
  readonly origin: string
}

/** A service with a host name in its public URL, which passkeys need. Visitors use it, because forms accept no other. */
export async function startNamedService(): Promise<NamedService> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const service = await startTestService({ port, publicUrl: origin })
  return { ...service, origin, url: origin }
}

/** The options in the page after "Add a passkey". */
export async function beginPasskey(
  visitor: Visitor,
): Promise<{ readonly page: Page; readonly options: CreationOptions }> {
  const fields = { passkey_password: PASSWORD }
  const begun = await visitor.submit(await visitor.get(ACCOUNT), fields, 'Add passkey')
  const page = await visitor.follow(begun)
  assert.equal(page.status, 200, page.text)
  return { page, options: creationOptionsOf(page) }
}

export function creationOptionsOf({ html }: Page): CreationOptions {
  const [, text = ''] = /data-options="([^"]*)"/.exec(html) ?? []
  const decoded = text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  return JSON.parse(decoded.replaceAll('&quot;', '"')) as CreationOptions
}

/** Adds a passkey, starting from the account page. */
export async function addPasskey(
  visitor: Visitor,
  authenticator: Authenticator,
  { name = 'My key', ...deviations }: Deviations & { readonly name?: string } = {},
): Promise<{ readonly page: Page; readonly key: SoftKey; readonly sent: string }> {
  const { page, options } = await beginPasskey(visitor)
  const { sent, key } = authenticator.create(options, deviations)
  return { page: await visitor.submit(page, { credential: sent, name }), key, sent }
}

/** The options that the script of the sign-in page gets. */
export async function askToShow(visitor: Visitor, page: Page): Promise<RequestOptions> {
  const form = { form_token: page.formToken }
  const answer = await visitor.post('/sign-in/passkey/options', form)
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.html) as RequestOptions
}

/** Signs in with a passkey, starting from the sign-in page. */
export async function showPasskey(
  visitor: Visitor,
  authenticator: Authenticator,
  key: SoftKey,
  deviations: Deviations = {},
): Promise<Page> {
  const page = await visitor.get('/sign-in')
  const credential = authenticator.show(await askToShow(visitor, page), key, deviations)
  return visitor.submit(page, { credential })
}
