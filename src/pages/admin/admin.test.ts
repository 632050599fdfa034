/** The admin pages, for admins, members and visitors. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberBrowser } from '../../../test/support/oauth.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openVisitor, SAME_ORIGIN, type Page, type Visitor } from '../../../test/support/visitor.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { findMember } from '../../members/member.ts'
import { changeRole, listAdmins } from '../../members/admin-role.ts'
import { createFirstLink } from '../../sign-in/invitations/first-link.ts'
import { joinAddress } from '../../sign-in/session/one-time-link-url.ts'
import { isSignedIn, signIn } from '../../../test/fixtures/account.ts'
import { askTool } from '../../../test/fixtures/member.ts'
import { createTestWorld, type World } from '../../../test/fixtures/admin.ts'

const GRACE = '/admin/members/grace'

/** As Ada, presses a button on Grace's page and follows redirects. */
async function press({ ada: { visitor } }: World, action: string): Promise<Page> {
  return visitor.follow(await visitor.submit(await visitor.get(GRACE), {}, action))
}

async function submitAction(world: World, action: string, path = GRACE): Promise<Page> {
  const form_token = await formTokenOf(world.ada.visitor)
  return world.ada.visitor.post(path, { form_token, admin_action: action }, SAME_ORIGIN)
}

async function formTokenOf(visitor: Visitor): Promise<string> {
  return (await visitor.get('/user/account')).formToken
}

test('members get the same 404 as for an unknown path', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const form_token = await formTokenOf(grace.visitor)
  const routes = service.routes.filter(({ path }) => path.startsWith('/admin'))
  assert.ok(routes.length >= 6)
  const shape = ({ status, html }: Page) => [status, html.replaceAll(/req_\w+/g, '')]
  const nowhere = await grace.visitor.get('/nowhere', { accept: 'text/html' })
  for (const { method, path } of routes) {
    const address = path.replace(':username', 'ada')
    const page =
      method === 'GET'
        ? await grace.visitor.get(address)
        : await grace.visitor.post(
            address,
            { form_token, admin_action: 'disable', note: 'x' },
            SAME_ORIGIN,
          )
    assert.deepEqual(shape(page), shape(nowhere), `${method} ${path}`)
    assert.match(page.text, /Page not found It may have moved/)
  }
  assert.equal((await findMember(service.database, world.ada.member.memberId))?.disabledAt, null)
})

test('visitors must sign in first, and only admins see the sidebar entry', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const stranger = await openVisitor(service.url).get('/admin')
  assert.equal(stranger.location, `${service.url}/sign-in?return_to=%2Fadmin`)
  assert.ok((await ada.visitor.get('/user/account')).links['Admin'])
  assert.equal((await grace.visitor.get('/user/account')).links['Admin'], undefined)
})

test('the first member becomes an admin, the members they invite do not', async () => {
  await using service = await startTestService()
  const join = async (address: string, username: string) => {
    const visitor = openVisitor(service.url)
    const email = `${username}@example.org`
    const fields = { name: username, username, email, password: 'halting problem 1936' }
    const joined = await visitor.submit(await visitor.get(address), fields)
    assert.equal(joined.status, 303, joined.text)
    return visitor
  }
  const secret = await createFirstLink(service.database, service.clock.now())
  const founder = await join(joinAddress(service.url, secret ?? ''), 'ada')
  assert.equal((await founder.get('/admin')).status, 200)
  const invitation = { note: 'Alan', days: '3' }
  const sent = await founder.submit(await founder.get('/admin/invites'), invitation)
  const made = await founder.follow(sent)
  const [address = ''] = /http\S+\/join\?link=weft_otl_\w+/.exec(made.text) ?? []
  const invited = await join(address, 'alan')
  assert.equal((await invited.get('/admin')).status, 404)
})

test('members are found by part of a name, username or email, with wildcards escaped', async () => {
  await using world = await createTestWorld()
  const { ada, service } = world
  await service.addMember({ username: 'percent', name: '100% Wool_' })
  const found = async (query: string) => {
    const page = await ada.visitor.get(`/admin/members?q=${encodeURIComponent(query)}`)
    assert.equal(page.status, 200)
    return [...page.html.matchAll(/href="\/admin\/members\/([a-z0-9-]+)"/g)].map(([, name]) => name)
  }
  assert.deepEqual(await found(''), ['ada', 'demo', 'grace', 'percent'])
  assert.deepEqual(await found('LOVE'), ['ada'])
  assert.deepEqual(await found('grac'), ['grace'])
  assert.deepEqual(await found('Grace@Example'), ['grace'])
  assert.deepEqual(await found('example.org'), ['ada', 'grace'])
  assert.deepEqual(await found('%'), ['percent'])
  assert.deepEqual(await found('l_'), ['percent'])
  assert.deepEqual(await found('\\'), [])
  assert.deepEqual(await found("' or 1=1 --"), [])
  const noMatch = await ada.visitor.get('/admin/members?q=zz')
  assert.match(noMatch.text, /No results.*Invite someone/)
})

test('long member lists are paginated, and an invalid cursor is rejected', async () => {
  await using world = await createTestWorld()
  const { ada, service } = world
  for (let count = 0; count < 55; count += 1)
    await service.addMember({ username: `m-${String(count).padStart(2, '0')}`, name: 'M' })
  const first = await ada.visitor.get('/admin/members?q=m-')
  const names = ({ html }: Page) =>
    [...html.matchAll(/members\/(m-\d\d)"/g)].map(([, name]) => name)
  assert.equal(names(first).length, 50)
  const second = await ada.visitor.get(first.links['Next page'] ?? '')
  assert.deepEqual(names(second), ['m-50', 'm-51', 'm-52', 'm-53', 'm-54'])
  assert.equal(second.links['Next page'], undefined)
  assert.equal((await ada.visitor.get('/admin/members?q=m-&cursor=xx')).status, 400)
})

test('a page that was left open disables again a member who has been enabled since', async () => {
  await using world = await createTestWorld()
  const { ada, grace, service } = world
  const leftOpen = await ada.visitor.get(GRACE)
  const disable = async () => ada.visitor.follow(await ada.visitor.submit(leftOpen, {}, 'disable'))
  await disable()
  await press(world, 'enable')
  assert.match((await disable()).text, /Status: Disabled/)
  const found = await findMember(service.database, grace.member.memberId)
  assert.notEqual(found?.disabledAt, null)
})

test('a disabled member loses all access, and regains it except for browser sessions', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const token = await service.mintToken('grace')
  const whoami = () => askTool(service.url, token, 'whoami', {})
  await whoami()
  const disabled = await press(world, 'disable')
  assert.match(disabled.text, /Hopper disabled .*Account disabled.*not signed in.*Status: Disabled/)
  assert.equal(await isSignedIn(grace.visitor), false)
  assert.equal(
    (await fetch(`${service.url}/api/jobs`, { headers: { authorization: `Bearer ${token}` } }))
      .status,
    401,
  )

  const enabled = await press(world, 'enable')
  assert.match(enabled.text, /Account enabled/)
  await whoami()
  assert.equal(await isSignedIn(grace.visitor), false, 'signed out permanently')
  assert.equal(await isSignedIn(await signIn(service, 'grace')), true)
})

test('promoting and demoting takes effect immediately', async () => {
  await using world = await createTestWorld()
  const { grace, service } = world
  assert.match((await press(world, 'promote')).text, /is now an admin/)
  assert.equal((await grace.visitor.get('/admin')).status, 200)
  assert.match((await press(world, 'demote')).text, /is no longer an admin/)
  assert.equal((await grace.visitor.get('/admin')).status, 404)
  assert.equal((await listAdmins(service.database)).has(grace.member.memberId), false)
})

test('admin actions are recorded in the member’s activity and the log, without secrets', async () => {
  await using world = await createTestWorld()
  const { service, grace, ada, logged } = world
  const made = await press(world, 'reset_link')
  await press(world, 'promote')
  await press(world, 'demote')
  const { text } = await grace.visitor.get('/user/activity')
  assert.match(text, /A password reset link was created for you/)
  assert.match(text, /You were made an admin.*Ada Lovelace, admin/)
  assert.doesNotMatch((await ada.visitor.get('/user/activity')).text, /now an admin|reset link/)
  const actions = logged().filter(({ msg }) => msg === 'an admin acted')
  assert.deepEqual(
    actions.map(({ admin, action, member }) => [admin, action, member]),
    ['reset_link', 'promote', 'demote'].map((action) => ['ada', action, 'grace']),
  )
  const [secret = ''] = /weft_otl_\w+/.exec(made.html) ?? []
  assert.notEqual(secret, '')
  assert.equal(JSON.stringify(logged()).includes(secret), false)
  assert.equal((await service.everything()).includes(secret), false)
})

test('members cannot undo admin actions, and those do not block other undos', async () => {
  await using world = await createTestWorld()
  const { service, grace } = world
  const token = await service.mintToken('grace')
  await askTool(service.url, token, 'add_connections', { name: 'Alan Turing' })
  await press(world, 'promote')
  const page = await grace.visitor.get('/user/activity')
  const undos = page.forms.filter(({ buttons }) =>
    buttons.some(({ label }) => label.startsWith('Undo')),
  )
  assert.equal(undos.length, 1)
  const undone = await askTool(service.url, token, 'undo', {})
  assert.match(JSON.stringify(undone), /connection\.add/)
  assert.ok((await listAdmins(service.database)).has(grace.member.memberId))
})

test('a password reset link is shown once and works', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const made = await press(world, 'reset_link')
  assert.equal(made.status, 200)
  const [address = ''] = /http\S+\/reset\?link=weft_otl_\w+/.exec(made.text) ?? []
  assert.equal((await ada.visitor.get(GRACE)).html.includes('weft_otl_'), false)
  const visitor = openVisitor(service.url)
  const chosen = await visitor.submit(await visitor.get(address), {
    password: 'nanoseconds of wire',
  })
  assert.equal(chosen.status, 303)
  assert.equal(await isSignedIn(visitor), true)
  assert.equal(await isSignedIn(grace.visitor), false)
  assert.equal((await visitor.get(address)).status, 403)
})

test('actions on oneself, the demo account, unknown members, and unknown actions are rejected', async () => {
  await using world = await createTestWorld()
  const { service, ada } = world
  const own = await ada.visitor.get('/admin/members/ada')
  assert.match(own.text, /This is your own account\./)
  for (const path of ['/admin/members/ada', '/admin/members/demo'])
    for (const action of ['disable', 'demote', 'promote', 'reset_link'])
      assert.equal((await submitAction(world, action, path)).status, 409, `${action} ${path}`)
  for (const path of ['/admin/members/nobody', '/admin/members/%00', '/admin/members/..%2fada'])
    assert.equal((await submitAction(world, 'disable', path)).status, 404, path)
  for (const action of ['', 'sign_out', 'constructor'])
    assert.equal((await submitAction(world, action)).status, 400, action)
  assert.equal((await submitAction(world, 'delete')).status, 422)
  assert.ok((await listAdmins(service.database)).has(ada.member.memberId))
  assert.equal(await isSignedIn(world.grace.visitor), true)
})

test('cross-site forms and forms of other sessions are rejected', async () => {
  await using world = await createTestWorld()
  const { ada, grace, service } = world
  const action = 'disable'
  const [own, other] = [await formTokenOf(ada.visitor), await formTokenOf(grace.visitor)]
  const forged = [
    await ada.visitor.post(GRACE, { admin_action: action }, SAME_ORIGIN),
    await ada.visitor.post(GRACE, { admin_action: action, form_token: other }, SAME_ORIGIN),
    await ada.visitor.post(
      GRACE,
      { admin_action: action, form_token: own },
      { 'sec-fetch-site': 'cross-site' },
    ),
    await ada.visitor.post('/admin/invites', { form_token: other }, SAME_ORIGIN),
    await ada.visitor.post('/admin/invites/revoke', { form_token: other }, SAME_ORIGIN),
  ]
  assert.deepEqual(
    forged.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  )
  assert.equal((await findMember(service.database, grace.member.memberId))?.disabledAt, null)
})

test('the last admin cannot delete their account', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const remove = async () =>
    ada.visitor.submit(await ada.visitor.get('/user/account'), {
      delete_username: 'ada',
      delete_password: 'analytical engine no. 1',
    })
  const refused = await remove()
  assert.equal(refused.status, 409)
  assert.match(refused.text, /the only admin/)
  await service.database.write((tx) => changeRole(tx, grace.member.memberId, 'admin'))
  assert.equal((await remove()).status, 303)
})

test('invitations are created, listed without their link, and withdrawn', async () => {
  await using world = await createTestWorld()
  const { service, ada } = world
  const empty = await ada.visitor.get('/admin/invites')
  assert.match(empty.text, /Sign-up is by invitation only.*No unused invitations/)
  const sent = await ada.visitor.submit(empty, { note: 'for <Alan>', days: '1' })
  assert.equal(sent.status, 303)
  const made = await ada.visitor.follow(sent)
  assert.match(made.text, /within 1 day\./)
  const [address = ''] = /http\S+\/join\?link=weft_otl_\w+/.exec(made.text) ?? []
  const visitor = openVisitor(service.url)
  assert.equal((await visitor.get(address)).status, 200)

  const listed = await ada.visitor.get('/admin/invites')
  assert.match(listed.text, /for <Alan>.*expires 22 Nov 2026/)
  assert.equal(listed.html.includes('weft_otl_'), false)
  const inAnotherTab = await ada.visitor.get('/admin/invites')
  const withdrawn = await ada.visitor.submit(listed, {}, 'Withdraw')
  assert.equal((await ada.visitor.follow(withdrawn)).text.includes('withdrawn'), true)
  assert.equal((await visitor.get(address)).status, 403)
  assert.equal((await ada.visitor.submit(inAnotherTab, {}, 'Withdraw')).status, 404)
})

test('an invalid invitation shows errors next to the fields and keeps the input', async () => {
  await using world = await createTestWorld()
  const { ada } = world
  const page = await ada.visitor.get('/admin/invites')
  for (const days of ['0', '91', '1.5', 'many', '-1']) {
    const refused = await ada.visitor.submit(page, { note: 'x'.repeat(201), days })
    assert.equal(refused.status, 422, days)
    const form = refused.forms.find(({ fields }) => 'days' in fields)
    assert.equal(form?.fields['days'], days)
    assert.deepEqual(form?.errors, {
      note: 'The note must have at most 200 visible characters.',
      days: 'The number of days must be a whole number from 1 to 90.',
    })
  }
  assert.match((await ada.visitor.get('/admin/invites')).text, /No unused invitations/)
})

test('with sign-up closed, the page says so and creates no invitation', async () => {
  await using world = await createTestWorld({ signUp: 'closed' })
  const { ada } = world
  const page = await ada.visitor.get('/admin/invites')
  assert.match(page.text, /Sign-up is closed/)
  assert.equal(
    page.forms.some(({ fields }) => 'days' in fields),
    false,
  )
  const form_token = await formTokenOf(ada.visitor)
  const sent = { form_token, note: '', days: '7' }
  const posted = await ada.visitor.post('/admin/invites', sent, SAME_ORIGIN)
  assert.equal(posted.status, 409)
})

test('the service page shows the version, queued and failed jobs, and rate-limited requests', async () => {
  await using world = await createTestWorld({
    jobConcurrency: 0,
    rateLimits: { directory: { quota: 1, window: 60 } },
  })
  const { service, ada } = world
  const calm = await ada.visitor.get('/admin')
  assert.match(calm.text, /Weft 0\.1\.0 .*(SQLite|PostgreSQL) \d+\.\d+.*, \d+(\.\d)?\sMB/)
  assert.match(calm.text, /Started just now/)
  assert.match(calm.text, /3, including 1 admin/)
  assert.match(calm.text, /No queued or running jobs\..*None\..*No requests were rate-limited/)

  for (let count = 0; count < 3; count += 1) await fetch(`${service.url}/api/network/members`)
  await addJobs(world)
  const waiting = await ada.visitor.get('/admin')
  assert.match(waiting.text, /healthy.*Waiting Running .* 1 oldest just now 0/)
  assert.match(waiting.text, /Unreadable contacts file unreadable_file 2/)
  assert.match(waiting.text, /directory 1 per 60 s, per address 2 just now/)
  service.clock.advance(HOUR)
  assert.match((await ada.visitor.get('/admin')).text, /stuck .* no worker is running any/)
  service.clock.advance(DAY)
  assert.match((await ada.visitor.get('/admin')).text, /Failed in the last 24 hours None\./)
})

test('admin pages show no member data', async () => {
  await using world = await createTestWorld({ jobConcurrency: 0 })
  const { service, ada, grace } = world
  const token = await service.mintToken('grace')
  const added = await askTool(service.url, token, 'add_connections', { name: MARK })
  const [{ connection_id } = {}] = added['people'] as { connection_id?: string }[]
  await askTool(service.url, token, 'save_note', {
    people: connection_id,
    text: `A note of ${MARK}`,
  })
  await addJobs(world)
  for (const path of [
    '/admin',
    '/admin/members',
    '/admin/members?q=xylo',
    GRACE,
    '/admin/invites',
  ]) {
    const page = await ada.visitor.get(path)
    assert.equal(page.status, 200)
    assert.doesNotMatch(
      page.html.replaceAll('q=xylo', '').replaceAll('value="xylo"', ''),
      /xylo/i,
      path,
    )
  }
  assert.equal((await grace.visitor.get('/user/connections')).text.includes(MARK), true)
})

const MARK = 'Xylophage'

/** Grace's jobs: one queued import and two that failed because of a file. */
async function addJobs({ service, grace }: World): Promise<void> {
  const { database, clock } = service
  const error = {
    code: 'unreadable_file',
    title: 'Unreadable contacts file',
    detail: MARK,
  }
  const job = (job_id: number, state: string) => [
    job_id,
    'file_import',
    state,
    JSON.stringify({ name: MARK }),
    state === 'failed' ? JSON.stringify(error) : null,
    clock.now(),
    state === 'failed' ? clock.now() : null,
  ]
  await database.member(grace.member.memberId).write((tx) =>
    tx.insertMany({
      table: 'jobs',
      columns: ['job_id', 'kind', 'state', 'input', 'error', 'created_at', 'finished_at'],
      rows: [job(901, 'queued'), job(902, 'failed'), job(903, 'failed')],
    }),
  )
}

test('with an identity provider, there are no password reset links', async () => {
  const oidc = { issuer: 'https://login.example.org', clientId: 'weft', clientSecret: 'secret' }
  await using service = await startTestService({ oidc })
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
  await service.addMember({ username: 'grace', name: 'Grace Hopper' })
  await service.database.write((tx) => changeRole(tx, ada.member.memberId, 'admin'))
  const { html, formToken } = await ada.get(GRACE)
  assert.match(
    html,
    /People sign in at <bdi>https:&#x2F;&#x2F;login\.example\.org|People sign in at <bdi>https:\/\/login\.example\.org/,
  )
  assert.doesNotMatch(html, /reset_link/)
  const sent = { form_token: formToken, admin_action: 'reset_link' }
  const refused = await ada.post(GRACE, sent, SAME_ORIGIN)
  assert.equal(refused.status, 409)
})
