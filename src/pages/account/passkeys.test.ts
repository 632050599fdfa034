import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { test } from 'node:test'
import { createChallenge } from '../../access/passkey-challenge.ts'
import { findStoredPasskey, listPasskeys, MAX_PASSKEYS } from '../../access/passkey.ts'
import { HOUR, MINUTE } from '../../base/clock.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { statement } from '../../db/statement.ts'
import { authenticatorAt, type Deviations } from '../../../test/support/authenticator.ts'
import {
  ACCOUNT,
  addPasskey,
  beginPasskey,
  showPasskey,
  startNamedService,
} from '../../../test/support/passkeys.ts'
import { PASSWORD } from '../../../test/support/password.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openVisitor, type Page } from '../../../test/support/visitor.ts'
import { join, signIn } from '../../../test/fixtures/account.ts'

const CHROME = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
}

test('a passkey is added with a name, listed with its dates, and signs in', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service, { email: 'ada@example.org' })
  const authenticator = authenticatorAt(service.origin)
  assert.match((await visitor.get(ACCOUNT)).text, /Passkeys Sign in without a password/)
  const { page, options } = await beginPasskey(visitor)
  assert.deepEqual(
    { ...options, challenge: '', user: { ...options.user, id: '' } },
    {
      rp: { id: 'localhost', name: 'Weft' },
      user: { id: '', name: 'ada@example.org', displayName: 'Ada Lovelace' },
      challenge: '',
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 5 * MINUTE,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    },
  )
  const { sent, key } = authenticator.create(options)
  const added = await visitor.submit(page, { credential: sent, name: ' Blue key ' })
  const account = await visitor.follow(added)
  assert.match(account.text, /Passkey added/)
  assert.match(account.text, /Blue key this device only Added 21 Nov 2026 · never used/)
  service.clock.advance(2 * HOUR)
  const other = openVisitor(service.url)
  assert.equal((await showPasskey(other, authenticator, key)).status, 303)
  assert.match((await other.get(ACCOUNT)).text, /Added 21 Nov 2026 · used just now/)
})

test('the default name is the browser, and an invalid name does not lose the passkey', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  const form_token = (await visitor.get(ACCOUNT)).formToken
  const confirmed = { form_token, passkey_password: PASSWORD }
  const begun = await visitor.post(`${ACCOUNT}/passkeys/add`, confirmed)
  const page = await visitor.get(begun.location ?? '', CHROME)
  assert.equal(
    page.forms.find((form) => 'credential' in form.fields)?.fields['name'],
    'Chrome on Linux',
  )
  const { page: added } = await addPasskey(visitor, authenticatorAt(service.origin), {
    name: '\u202E',
  })
  assert.match((await visitor.follow(added)).text, /An unknown browser this device only/)
})

test('all passkeys of a member share one user handle, and an authenticator creates only one', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  const authenticator = authenticatorAt(service.origin, { isSynced: true })
  const { key } = await addPasskey(visitor, authenticator)
  assert.equal(Buffer.from(key.userHandle, 'base64url').length, 32)
  const { options } = await beginPasskey(visitor)
  assert.equal(options.user.id, key.userHandle)
  assert.deepEqual((options as { excludeCredentials?: unknown }).excludeCredentials, [
    { type: 'public-key', id: key.credentialId, transports: ['internal'] },
  ])
  assert.match((await visitor.get(ACCOUNT)).text, /My key synced Added/)
})

test('of two first passkeys created concurrently, the second must be recreated with the same handle', async () => {
  await using service = await startNamedService()
  const { visitor, member } = await join(service)
  const authenticator = authenticatorAt(service.origin)
  const begun = [await beginPasskey(visitor), await beginPasskey(visitor)]
  const answers: Page[] = []
  for (const { page, options } of begun)
    answers.push(
      await visitor.submit(page, { credential: authenticator.create(options).sent, name: 'One' }),
    )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 422],
  )
  assert.match(answers[1]?.text ?? '', /at the same time/)
  assert.equal((await listPasskeys(service.database.member(member.memberId))).length, 1)
})

test('the cookie of a session does not suffice to add a passkey, even right after the sign-in', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  const account = await visitor.get(ACCOUNT)
  const wrong = await visitor.submit(account, { passkey_password: 'not this' }, 'Add passkey')
  assert.equal(wrong.status, 422)
  assert.equal(errorOf(wrong), 'Incorrect password.')
  const empty = await visitor.submit(wrong, { passkey_password: '' }, 'Add passkey')
  assert.equal(empty.status, 422)
  assert.match(errorOf(empty), /Enter your password to confirm/)
  await beginPasskey(visitor)
})

test('a created passkey is accepted once, in time, in the same browser, for the same purpose and challenge', async () => {
  await using service = await startNamedService()
  const { visitor, member } = await join(service)
  const elsewhere = await signIn(service, 'ada')
  const { visitor: graces } = await join(service, { username: 'grace', name: 'Grace' })
  const authenticator = authenticatorAt(service.origin)
  const own = service.database.member(member.memberId)

  const { page: added, sent } = await addPasskey(visitor, authenticator)
  assert.equal(added.status, 303)
  const { page, options } = await beginPasskey(visitor)
  const send = (credential: string) => visitor.submit(page, { credential, name: 'Again' })
  assert.match((await send(sent)).text, /took too long/, 'replayed')

  const made = authenticator.create(options).sent
  for (const other of [elsewhere, graces]) {
    const { page: theirs } = await beginPasskey(other)
    const answer = await other.submit(theirs, { credential: made, name: 'Stolen' })
    assert.match(answer.text, /took too long/, 'in another browser')
  }
  service.clock.advance(5 * MINUTE)
  assert.match((await send(made)).text, /took too long/, 'late')

  const { form_token: formToken = '' } = page.forms[0]?.fields ?? {}
  const challenge = await service.database.write((tx) =>
    createChallenge(tx, { purpose: 'sign_in', formToken }, service.clock.now()),
  )
  const foreign = authenticator.create({ ...options, challenge }).sent
  assert.match((await send(foreign)).text, /took too long/, 'for another purpose')

  const attacks: readonly (readonly [string, Deviations, RegExp])[] = [
    ['another origin', { origin: 'https://evil.example' }, /only work at/],
    ['in a frame', { crossOrigin: true }, /only work at/],
    ['another relying party', { rpId: 'evil.example' }, /not accepted/],
    ['not verified', { userVerified: false }, /not accepted/],
    ['of another ceremony', { type: 'webauthn.get' }, /not accepted/],
  ]
  for (const [attack, deviations, expected] of attacks) {
    const { page: refused } = await addPasskey(visitor, authenticator, deviations)
    assert.equal(refused.status, 422, attack)
    assert.match(refused.text, expected, attack)
  }
  assert.match((await send('')).text, /sent no passkey/)
  assert.equal((await listPasskeys(own)).length, 1)
})

test('attestation certificates are accepted without verification', async () => {
  await using service = await startNamedService()
  const { visitor, member } = await join(service)
  const key = createPrivateKey({ key: MAKERS_KEY, format: 'der', type: 'pkcs8' })
  const maker = { key, certificate: MAKERS_CERTIFICATE }
  const { page } = await addPasskey(visitor, authenticatorAt(service.origin), { maker })
  assert.equal(page.status, 422)
  assert.match(page.text, /not accepted/)
  assert.deepEqual(await listPasskeys(service.database.member(member.memberId)), [])
})

/** Valid from 2020 to 2999, with all properties that WebAuthn section 8.2.1 requires. */
const MAKERS_CERTIFICATE = Buffer.from(
  'MIIBkzCCATmgAwIBAgIBATAKBggqhkjOPQQDAjBJMQswCQYDVQQGEwJERTEKMAgGA1UECgwBVDEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEKMAgGA1UEAwwBVDAgFw0yMDAxMDEwMDAwMDBaGA8yOTk5MDEwMTAwMDAwMFowSTELMAkGA1UEBhMCREUxCjAIBgNVBAoMAVQxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xCjAIBgNVBAMMAVQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARwy/xRuF83U+zujPz0uMrnQt7IMrGO65GI3Oon4PDZBs/G1PdVC0p3uIZeS7jvDhlBBDhMTp9b7Rbuo5Wtwo9loxAwDjAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIQCOi1c7BUv5L/m3MVFr3ym5+L69mqeZqs3elW4UEZWmsgIgT2XA5NanNBlePHWy/cvEat1blQxPX4rJNo+wk1ZGwUY=',
  'base64',
)
const MAKERS_KEY = Buffer.from(
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHJhZ8CcAfXb3TcSYRtKy29IJwixoq/yfRSpDFTgrV2ChRANCAARwy/xRuF83U+zujPz0uMrnQt7IMrGO65GI3Oon4PDZBs/G1PdVC0p3uIZeS7jvDhlBBDhMTp9b7Rbuo5Wtwo9l',
  'base64',
)

test('a credential belongs to one member and cannot be added again', async () => {
  await using service = await startNamedService()
  const ada = await join(service)
  const grace = await join(service, { username: 'grace', name: 'Grace' })
  const authenticator = authenticatorAt(service.origin)
  const { key } = await addPasskey(ada.visitor, authenticator)
  for (const { visitor } of [ada, grace]) {
    const deviations = { credentialId: key.credentialId }
    const { page } = await addPasskey(visitor, authenticator, deviations)
    assert.equal(page.status, 422)
    assert.match(page.text, /already added this passkey/)
  }
  const shown = await findStoredPasskey(service.database, key.credentialId)
  assert.equal(shown?.memberId, ada.member.memberId)
  const { database } = service
  assert.equal((await listPasskeys(database.member(grace.member.memberId))).length, 0)
})

test('the number of passkeys is limited', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  const authenticator = authenticatorAt(service.origin)
  await addPasskey(visitor, authenticator)
  const spare = await beginPasskey(visitor)
  for (let count = 1; count < MAX_PASSKEYS; count += 1)
    assert.equal((await addPasskey(visitor, authenticator)).page.status, 303)
  const credential = authenticator.create(spare.options).sent
  const late = await visitor.submit(spare.page, { credential, name: 'One more' })
  assert.match(late.text, /You have 20 passkeys/)
  const account = await visitor.get(ACCOUNT)
  const refused = await visitor.submit(account, { passkey_password: PASSWORD }, 'Add passkey')
  assert.match(refused.text, /You have 20 passkeys/)
})

test('requests to add a passkey are rate-limited', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  const { form_token = '' } = (await visitor.get(ACCOUNT)).forms[0]?.fields ?? {}
  const begin = () => visitor.post(`${ACCOUNT}/passkeys/add`, { form_token })
  const statuses = await Promise.all(Array.from({ length: LIMITS.passkey.quota + 1 }, begin))
  assert.equal(statuses.filter(({ status }) => status === 422).length, LIMITS.passkey.quota)
  const refused = statuses.find(({ status }) => status === 429)
  assert.match(refused?.headers.get('content-type') ?? '', /^text\/html/)
})

test('only its owner can rename and remove a passkey', async () => {
  await using service = await startNamedService()
  const ada = await join(service)
  const grace = await join(service, { username: 'grace', name: 'Grace' })
  const authenticator = authenticatorAt(service.origin)
  const { key } = await addPasskey(ada.visitor, authenticator, { name: 'Adas' })
  const own = service.database.member(ada.member.memberId)
  const [passkey] = await listPasskeys(own)
  assert.ok(passkey)
  const { passkeyId } = passkey
  const field = `name_${passkeyId}`

  const form_token = (await grace.visitor.get(ACCOUNT)).formToken
  const hers = { form_token, passkey_id: passkeyId, [field]: 'Taken' }
  const renamedByGrace = await grace.visitor.post(`${ACCOUNT}/passkeys/rename`, hers)
  assert.match(renamedByGrace.text, /already removed/)
  await grace.visitor.post(`${ACCOUNT}/passkeys/remove`, hers)
  assert.deepEqual(
    (await listPasskeys(own)).map(({ name }) => name),
    ['Adas'],
  )

  const bad = await ada.visitor.submit(await ada.visitor.get(ACCOUNT), { [field]: '  ' })
  assert.equal(bad.status, 422)
  const form = bad.forms.find(({ fields }) => field in fields)
  assert.match(form?.errors[field] ?? '', /^The name must have 1 to 80/)
  assert.match(bad.html, /<details open/)
  const gone = { form_token: bad.formToken, passkey_id: 'pky_gone' }
  const late = await ada.visitor.post(`${ACCOUNT}/passkeys/rename`, gone)
  assert.match(late.text, /already removed/, 'whatever its new name is')
  const renamed = await ada.visitor.submit(bad, { [field]: '<b>Mine</b>' })
  const page = await ada.visitor.follow(renamed)
  assert.match(page.html, /&lt;b&gt;Mine|&#60;b&#62;Mine/)

  const removed = await ada.visitor.submit(page, {}, passkeyId)
  assert.match((await ada.visitor.follow(removed)).text, /Passkey removed/)
  assert.equal((await showPasskey(openVisitor(service.url), authenticator, key)).status, 422)
})

test('deleting the account deletes its passkeys', async () => {
  await using service = await startNamedService()
  const { visitor } = await join(service)
  await addPasskey(visitor, authenticatorAt(service.origin))
  const fields = { delete_username: 'ada', delete_password: PASSWORD }
  assert.equal((await visitor.submit(await visitor.get(ACCOUNT), fields)).status, 303)
  const count = statement<object, { n: number }>('select count(*) as n from passkeys')
  assert.equal((await service.database.get(count, {}))?.n, 0)
})

test('where passkeys are unavailable, the page says why', async () => {
  await using service = await startTestService()
  const { visitor } = await join(service)
  const page = await visitor.get(ACCOUNT)
  assert.match(page.text, new RegExp(`public URL to http://localhost:${service.port}`))
  assert.doesNotMatch(page.text, /Add a passkey/)
  assert.doesNotMatch(page.html, /webauthn/)
})

function errorOf({ forms }: Page): string {
  return forms.flatMap(({ errors }) => errors['passkey_password'] ?? []).join()
}
