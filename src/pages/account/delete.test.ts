import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberBrowser, oauthClient } from '../../../test/support/oauth.ts'
import { givePassword, PASSWORD } from '../../../test/support/password.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { createDatabaseLocation } from '../../../test/support/store.ts'
import { findMember, findMemberByUsername } from '../../members/member.ts'
import { askTool } from '../../../test/fixtures/member.ts'
import { isSignedIn, join, signIn, type Person } from '../../../test/fixtures/account.ts'
import { ACCOUNT_PATH } from '../../html/site-map.ts'

/** A marker in all data of the test member. */
const MARK = 'zyxwvut'

test('deleting the account deletes all its data and ends its sessions and tokens', async () => {
  await using location = await createDatabaseLocation()
  {
    await using service = await startTestService({ database: location.database })
    const fields = {
      name: `Mark ${MARK}`,
      email: `${MARK}@example.org`,
      headline: `A ${MARK} headline`,
      skills: [`${MARK} skill`],
    }
    const mark = await join(service, { ...fields, username: MARK })
    const elsewhere = await signIn(service, MARK)
    const apiToken = await service.mintToken(MARK)
    await fill(service, apiToken)
    await exportEverything(mark)
    assert.ok(countOf(await location.everything()) > 12)

    const page = await mark.visitor.get(ACCOUNT_PATH)
    const typed = { delete_username: MARK.toUpperCase(), delete_password: PASSWORD }
    const deleted = await mark.visitor.follow(await mark.visitor.submit(page, typed))
    assert.equal(deleted.status, 200)
    assert.match(deleted.text, /Account deleted/)
    assert.equal(mark.visitor.cookies['weft_session'], undefined)
    assert.equal(await isSignedIn(elsewhere), false)
    assert.equal(await oauthClient(service).call(apiToken), 401)
    assert.equal((await elsewhere.get(`/human/${MARK}`)).status, 404)
    // Searches the raw bytes of all files, including search indexes and logs.
    assert.equal(countOf(await location.everything()), 0)
  }
  assert.equal(countOf(await location.everything()), 0)
})

test('deleting the account revokes connected apps', async () => {
  await using service = await startTestService()
  const browser = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  const client = oauthClient(service)
  const clientId = await client.register()
  const tokens = await browser.connect(clientId)
  assert.equal(await client.call(tokens.access_token), 200)
  await givePassword(service, browser.member)
  const ada = await signIn(service, 'ada')
  const typed = { delete_username: 'ada', delete_password: PASSWORD }
  assert.equal((await ada.submit(await ada.get(ACCOUNT_PATH), typed)).status, 303)
  assert.equal(await client.call(tokens.access_token), 401)
  assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 400)
})

test('deletion requires the username and password and never affects other members', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const grace = await join(service, { username: 'grace', name: 'Grace Hopper' })
  for (const [delete_username, delete_password, wrong] of [
    ['grace', PASSWORD, 'delete_username'],
    ['', PASSWORD, 'delete_username'],
    ['ada', 'a wrong password', 'delete_password'],
    ['ada', '', 'delete_password'],
  ] as const) {
    const page = await ada.visitor.get(ACCOUNT_PATH)
    const refused = await ada.visitor.submit(page, { delete_username, delete_password })
    assert.equal(refused.status, 422)
    const form = refused.forms.find(({ fields }) => 'delete_username' in fields)
    assert.deepEqual(Object.keys(form?.errors ?? {}), [wrong])
    assert.match(
      refused.html,
      /<details class="rare" name="account" open>\s*<summary class="button plain danger">/,
    )
  }
  for (const { member } of [ada, grace])
    assert.ok(await findMember(service.database, member.memberId))
})

test('with an identity provider, deletion requires no password', async () => {
  const oidc = { issuer: 'https://id.example', clientId: 'weft', clientSecret: 'secret' }
  await using service = await startTestService({ oidc })
  const email = 'ada@example.org'
  const browser = await memberBrowser(service, { username: 'ada', name: 'Ada', email })
  const page = await browser.get(ACCOUNT_PATH)
  const { html } = page
  assert.match(html, /ada@example\.org/)
  assert.doesNotMatch(html, /type="password"|name="email"/)
  const send = (delete_username: string) => browser.submit(page, { delete_username })
  assert.equal((await send('grace')).status, 422)
  assert.ok(await findMemberByUsername(service.database, 'ada'))
  assert.equal((await send('ada')).status, 303)
  assert.equal(await findMemberByUsername(service.database, 'ada'), undefined)
  assert.equal((await browser.get('/user/account/email')).status, 404)
})

/** Data of each kind, written by an agent. */
async function fill(service: TestService, token: string): Promise<void> {
  const connection = { name: `Friend ${MARK}`, company: `${MARK} Ltd`, tags: [MARK] }
  await askTool(service.url, token, 'add_connections', connection)
  await askTool(service.url, token, 'save_note', { people: 'c_1', text: `${MARK} note` })
  const followUp = { people: 'c_1', text: `${MARK} call`, due_on: '2026-11-30' }
  await askTool(service.url, token, 'save_follow_up', followUp)
  await askTool(service.url, token, 'update_profile', { about: `All about ${MARK}` })
  const file = `First Name,Last Name,URL,Email Address,Company,Position,Connected On\nA,${MARK},,,,,01 Jan 2026`
  await askTool(service.url, token, 'import_connections', { content: file, format: 'linkedin' })
}

/** Creates an archive and waits for the end of its job's events. */
async function exportEverything({ visitor }: Person): Promise<void> {
  const begun = await visitor.submit(await visitor.get(ACCOUNT_PATH), {}, 'Export everything')
  await visitor.get(`${begun.location?.split('?')[0]}/events`)
  assert.ok((await visitor.get(ACCOUNT_PATH)).links[`Download weft-${MARK}-2026-11-21.zip`])
}

function countOf(rows: string): number {
  return rows.toLowerCase().split(MARK).length - 1
}
