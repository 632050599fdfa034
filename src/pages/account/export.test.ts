import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, MINUTE } from '../../base/clock.ts'
import { openContacts } from '../../imports/reading/uploaded-contacts.ts'
import { readUpload } from '../../jobs/uploads.ts'
import { openArchive, type Archive } from '../../../test/fixtures/export.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { requireMember } from '../../members/member.ts'
import { authenticatorAt, type RequestOptions } from '../../../test/support/authenticator.ts'
import { addPasskey, startNamedService } from '../../../test/support/passkeys.ts'
import type { Page } from '../../../test/support/visitor.ts'
import { askTool } from '../../../test/fixtures/member.ts'
import { join, type Person } from '../../../test/fixtures/account.ts'
import { memberBrowser } from '../../../test/support/oauth.ts'
import { PASSWORD } from '../../../test/support/password.ts'
import { ACCOUNT_PATH, JOBS_PATH, exportFilePath, jobEventsPath } from '../../html/site-map.ts'

const FILENAME = 'weft-ada-2026-11-21.zip'

test('an export can be downloaded for a week', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await addGrace(service)
  const job = await exportOnPage(ada)
  for (const path of [job, ACCOUNT_PATH]) {
    const { text } = await ada.visitor.get(path)
    assert.match(text, /weft-ada-2026-11-21\.zip \d+\sKB, available until 28 November 2026/)
    const link = await downloadLink(ada, path)
    const { headers, archive } = await download(link, { cookie: ada.visitor.cookie })
    assert.equal(headers.get('content-disposition'), `attachment; filename="${FILENAME}"`)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(archive['connections.csv'] ?? '', /Grace Hopper/)
    assert.doesNotMatch(Object.values(archive).join(''), /weft_pat_|weft_ses_|argon2/)
  }
  assert.match((await ada.visitor.get(ACCOUNT_PATH)).html, /Create new export/)
  service.clock.advance(7 * DAY)
  assert.doesNotMatch((await ada.visitor.get(ACCOUNT_PATH)).text, /Download weft/)
  const old = await ada.visitor.get(job)
  assert.match(old.text, /expired on 28 November 2026/)
  assert.doesNotMatch(old.text, /Download weft/)
})

test('a second export request redirects to the running one', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const ada = await join(service)
  const [page, other] = [await ada.visitor.get(ACCOUNT_PATH), await ada.visitor.get(ACCOUNT_PATH)]
  const first = await ada.visitor.submit(page, {}, 'Export everything')
  const waiting = await ada.visitor.get(ACCOUNT_PATH)
  assert.match(waiting.text, /Your export is being created/)
  assert.equal(waiting.links['View progress'], first.location?.split('?')[0])
  const second = await ada.visitor.submit(other, {}, 'Export everything')
  assert.match((await ada.visitor.follow(second)).text, /was already running/)
  assert.equal(second.location?.split('?')[0], first.location?.split('?')[0])
})

test('an archive cannot be downloaded by other members, by session or token', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await addGrace(service)
  const job = await exportOnPage(ada)
  const exportId = (await downloadLink(ada, job)).split('/').at(-1) ?? ''
  const eve = await join(service, { username: 'eve', name: 'Eve' })
  const refused = await eve.visitor.get(exportFilePath(exportId))
  assert.equal(refused.status, 404)
  assert.match(refused.text, /no longer available/)
  const api = `${service.url}/api/exports/${exportId}`
  const authorization = `Bearer ${await service.mintToken('eve')}`
  assert.equal((await fetch(api, { headers: { authorization } })).status, 404)
  assert.equal((await fetch(api)).status, 401)
})

test('an agent starts an export with POST /api/jobs and downloads the result', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const token = await addGrace(service)
  const authorization = `Bearer ${token}`
  const posted = await fetch(`${service.url}/api/jobs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'export_data' }),
  })
  assert.equal(posted.status, 202)
  const { job_id } = (await posted.json()) as { job_id: number }
  await untilEnded(ada, jobEventsPath(job_id))
  const polled = await fetch(`${service.url}/api/jobs/${job_id}`, { headers: { authorization } })
  const { result } = (await polled.json()) as { result: Readonly<Record<string, string | number>> }
  const address = String(result['download_url'])
  const { headers, archive } = await download(address, { authorization })
  assert.equal(headers.get('content-type'), 'application/zip')
  assert.equal(Number(headers.get('content-length')), result['bytes'])
  assert.match(archive['connections.vcf'] ?? '', /FN:Grace Hopper/)
  const head = await fetch(address, { method: 'HEAD', headers: { authorization } })
  assert.equal(Number(head.headers.get('content-length')), result['bytes'])
})

test('the archive can be imported', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await addGrace(service)
  const job = await exportOnPage(ada)
  const { bytes } = await download(await downloadLink(ada, job), { cookie: ada.visitor.cookie })
  const { memberId } = await service.addMember({ username: 'eve', name: 'Eve' })
  const authorization = `Bearer ${await service.mintToken('eve')}`
  const sent = await fetch(`${service.url}/api/uploads`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/zip' },
    body: bytes,
  })
  const { upload_id } = (await sent.json()) as { upload_id: string }
  const db = service.database.member(memberId)
  const file = await openContacts(db, readUpload(db, upload_id), {})
  const names: string[] = []
  for await (const batch of file.rowBatches)
    for (const row of batch) if ('contact' in row) names.push(row.contact.name)
  assert.deepEqual(names, ['Grace Hopper'])
})

test('ten minutes after the sign-in, an export requires the password', async () => {
  await using service = await startTestService({ jobConcurrency: 0 })
  const { visitor } = await join(service)
  service.clock.advance(10 * MINUTE)
  const page = await visitor.get(ACCOUNT_PATH)
  const send = (export_password: string) =>
    visitor.submit(page, { export_password }, 'Export everything')
  for (const [typed, error] of [
    ['', 'Enter your password to confirm it’s you.'],
    ['a wrong password', 'Incorrect password.'],
  ] as const) {
    const refused = await send(typed)
    assert.equal(refused.status, 422)
    assert.ok(refused.text.includes(error), refused.text)
  }
  assert.equal((await visitor.get(JOBS_PATH)).text.includes('Export'), false)
  assert.equal((await send(PASSWORD)).status, 303)
})

test('a passkey confirms an export or the deletion of the account, once, and nothing else', async () => {
  await using service = await startNamedService()
  const { visitor, member } = await join(service)
  const { key } = await addPasskey(visitor, authenticatorAt(service.origin))
  service.clock.advance(10 * MINUTE)
  const page = await visitor.get(ACCOUNT_PATH)
  const confirm = async (action: string) => {
    const form = { form_token: page.formToken }
    const asked = await visitor.post('/user/account/confirm/options', form)
    const credential = authenticatorAt(service.origin).show(
      JSON.parse(asked.html) as RequestOptions,
      key,
    )
    return visitor.post(`/user/account/confirm/${action}`, { ...form, credential })
  }
  const refused = await visitor.post('/user/account/confirm/export_data', {
    form_token: page.formToken,
    credential: '{}',
  })
  assert.deepEqual([refused.status, fieldOf(refused)], [422, ''])

  const deletion = fieldOf(await confirm('delete_account'))
  const wrongAction = { form_token: page.formToken, confirmation: deletion }
  const notExported = await visitor.post('/user/account/export', wrongAction)
  assert.match(notExported.text, /The confirmation has expired/)

  const confirmation = fieldOf(await confirm('export_data'))
  const proof = { form_token: page.formToken, confirmation }
  const notDeleted = { ...proof, delete_username: 'ada' }
  assert.equal((await visitor.post('/user/account/delete', notDeleted)).status, 422)
  assert.equal((await visitor.post('/user/account/export', proof)).status, 303)
  assert.equal((await visitor.post('/user/account/export', proof)).status, 422)

  const late = { form_token: page.formToken, confirmation: fieldOf(await confirm('export_data')) }
  service.clock.advance(5 * MINUTE)
  assert.equal((await visitor.post('/user/account/export', late)).status, 422)

  const confirmed = {
    form_token: page.formToken,
    confirmation: fieldOf(await confirm('delete_account')),
  }
  const mistyped = await visitor.post('/user/account/delete', {
    ...confirmed,
    delete_username: 'eve',
  })
  assert.deepEqual([mistyped.status, fieldOf(mistyped)], [422, confirmed.confirmation])
  const deleted = await visitor.post('/user/account/delete', {
    ...confirmed,
    delete_username: 'ada',
  })
  assert.equal(deleted.status, 303)
  await assert.rejects(requireMember(service.database, member.memberId))
})

/** The confirmation in a form of the page; empty if there is none. */
function fieldOf({ forms }: Page): string {
  return forms.flatMap(({ fields }) => fields['confirmation'] ?? []).join()
}

test('with an identity provider, a sign-in that is not recent allows no export and no deletion', async () => {
  const oidc = { issuer: 'https://id.example', clientId: 'weft', clientSecret: 'secret' }
  await using service = await startTestService({ oidc, jobConcurrency: 0 })
  const browser = await memberBrowser(service, { username: 'ada', name: 'Ada' })
  const page = await browser.get(ACCOUNT_PATH)
  service.clock.advance(10 * MINUTE)
  const again = /Sign out and sign in again to confirm it’s you/
  const exported = await browser.submit(page, {}, 'Export everything')
  assert.equal(exported.status, 422)
  assert.match(exported.text, again)
  const deleted = await browser.submit(page, { delete_username: 'ada' })
  assert.equal(deleted.status, 422)
  assert.match(deleted.text, again)
})

/** Adds a connection through an agent and returns the agent's token. */
async function addGrace(service: TestService): Promise<string> {
  const token = await service.mintToken()
  await askTool(service.url, token, 'add_connections', { name: 'Grace Hopper', tags: ['navy'] })
  return token
}

/** Starts an export, waits for the job, and returns the URL of its page. */
async function exportOnPage({ visitor }: Person): Promise<string> {
  const page = await visitor.get(ACCOUNT_PATH)
  const begun = await visitor.submit(page, {}, 'Export everything')
  assert.equal(begun.status, 303, begun.text)
  const notice = new URL(begun.location ?? '').searchParams.get('notice')
  assert.equal(notice, 'exporting')
  const job = (begun.location ?? '').split('?')[0] ?? ''
  await untilEnded({ visitor }, `${job}/events`)
  return job
}

/** Waits for the end of the event stream. */
async function untilEnded({ visitor }: Pick<Person, 'visitor'>, events: string): Promise<void> {
  await visitor.get(events)
}

async function downloadLink({ visitor }: Person, path: string): Promise<string> {
  const link = (await visitor.get(path)).links[`Download ${FILENAME}`]
  assert.ok(link)
  return link
}

async function download(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ headers: Headers; bytes: Uint8Array<ArrayBuffer>; archive: Archive }> {
  const answer = await fetch(address, { headers })
  assert.equal(answer.status, 200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { headers: answer.headers, bytes, archive: await openArchive(bytes) }
}
