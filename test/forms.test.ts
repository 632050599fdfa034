/** All forms: a reload does not resubmit, all errors are shown at once, and the first has the focus. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, PASSWORD } from './support/password.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openSignedIn, openVisitor, type Page, type Visitor } from './support/visitor.ts'
import { requireMemberByUsername } from '../src/members/member.ts'
import { changeRole } from '../src/members/admin-role.ts'

async function signedIn(service: TestService): Promise<Visitor> {
  const ada = await service.addMember({ email: 'ada@example.org' })
  await service.addMember({ username: 'grace', name: 'Grace', email: 'grace@example.org' })
  await service.database.write((tx) => changeRole(tx, ada.memberId, 'admin'))
  await givePassword(service, ada)
  return openSignedIn(service, ada)
}

/** The names of the controls that are marked as wrong, in the order of the page. */
function wrongOf({ html }: Page): string[] {
  const controls = [...html.matchAll(/<(?:input|select|textarea) [^>]*>/g)].map(([tag]) => tag)
  return controls
    .filter((tag) => tag.includes('aria-invalid="true"'))
    .map((tag) => / name="([^"]*)"/.exec(tag)?.[1] ?? '')
}

function focusedOf({ html }: Page): string[] {
  return [...html.matchAll(/<[^>]* autofocus(?=[ />])[^>]*>/g)].map(
    ([tag]) => / name="([^"]*)"/.exec(tag)?.[1] ?? tag,
  )
}

test('a form shows all errors at once and focuses the first', async () => {
  await using service = await startTestService({ signUp: 'open' })
  const ada = await signedIn(service)
  const add = await ada.submit(await ada.get('/user/connections/new'), { name: 'Alan Turing' })
  const person = new URL(add.location ?? '').pathname
  const cases: readonly (readonly [string, Record<string, string>, readonly string[]])[] = [
    [
      '/user/connections/new',
      { name: ' ', birthday: 'May', 'emails-0-value': 'none', profile_url: '::' },
      ['name', 'emails-0-value', 'profile_url', 'birthday'],
    ],
    [
      `${person}/edit`,
      { name: '', birthday: 'May', connected_on: '2026-02-30' },
      ['name', 'birthday', 'connected_on'],
    ],
    [person, { note: '', note_on: '2026-02-30' }, ['note', 'note_on']],
    [person, { follow_up: '', due_on: '2026-02-30' }, ['follow_up', 'due_on']],
    [
      '/user/profile',
      { name: '', username: '--', avatar_url: 'x' },
      ['name', 'username', 'avatar_url'],
    ],
    [
      '/user/integrations/mcp',
      { name: ' ', holder: 'new', agent_name: ' ' },
      ['name', 'agent_name', 'confirm_password'],
    ],
    ['/user/account', { email: 'none', email_password: 'wrong' }, ['email', 'email_password']],
    [
      '/user/account',
      { current_password: 'wrong', new_password: 'short' },
      ['current_password', 'new_password'],
    ],
    [
      '/user/account',
      { delete_username: 'x', delete_password: 'wrong' },
      ['delete_username', 'delete_password'],
    ],
    ['/user/custom-fields', { name: ' ', kind: 'choice', choices: '' }, ['name', 'choices']],
    ['/admin/invites', { note: 'x'.repeat(300), days: '0' }, ['note', 'days']],
  ]
  for (const [path, fields, wrong] of cases) {
    const refused = await ada.submit(await ada.get(path), fields)
    const told = `${path} ${JSON.stringify(fields)}`
    assert.equal(refused.status, 422, `${told} ${refused.text.slice(0, 300)}`)
    assert.deepEqual(wrongOf(refused).sort(), [...wrong].sort(), told)
    assert.deepEqual(focusedOf(refused), wrongOf(refused).slice(0, 1), told)
  }

  const stranger = openVisitor(service.url)
  const joining = { name: ' ', username: 'ada', email: 'none', password: 'short' }
  const refused = await stranger.submit(await stranger.get('/join'), joining)
  assert.deepEqual(wrongOf(refused), ['name', 'username', 'email', 'password'])
  assert.deepEqual(focusedOf(refused), ['name'])
  const fine = { ...joining, name: 'Ada', email: 'a@example.org' }
  const next = await stranger.submit(await stranger.get('/join'), fine)
  assert.deepEqual([wrongOf(next), focusedOf(next)], [['username', 'password'], ['username']])
})

test('the result of a form is shown once after a redirect, and a reload neither shows nor creates it again', async () => {
  await using service = await startTestService()
  const ada = await signedIn(service)
  const shown: readonly (readonly [string, Record<string, string>, string | undefined, RegExp])[] =
    [
      [
        '/user/integrations/mcp',
        { name: 'laptop', confirm_password: PASSWORD },
        undefined,
        /weft_pat_\w{20,}/,
      ],
      ['/admin/invites', { note: 'Alan', days: '3' }, undefined, /weft_otl_\w{20,}/],
      ['/admin/members/grace', {}, 'reset_link', /weft_otl_\w{20,}/],
    ]
  for (const [path, fields, button, secret] of shown) {
    const sent = await ada.submit(await ada.get(path), fields, button)
    assert.deepEqual([sent.status, new URL(sent.location ?? '').pathname], [303, path])
    const [value = ''] = secret.exec((await ada.get(path)).html) ?? []
    assert.notEqual(value, '', path)
    assert.doesNotMatch((await ada.get(path)).html, secret)
    assert.ok(!(await service.everything()).includes(value), 'stored nowhere')
    assert.ok(!sent.headers.getSetCookie().join().includes(value), 'in no cookie in plain text')
  }
})

test('a result of another session and a forged one are not shown', async () => {
  await using service = await startTestService()
  const ada = await signedIn(service)
  const path = '/user/integrations/mcp'
  const sent = await ada.submit(await ada.get(path), { name: 'laptop', confirm_password: PASSWORD })
  const cookie = sent.headers.getSetCookie().find((line) => line.startsWith('weft_result=')) ?? ''
  const [pair = ''] = cookie.split(';')
  assert.match(cookie, /HttpOnly/i)
  const grace = await service.addMember({ username: 'alan', name: 'Alan' })
  const other = await openSignedIn(service, grace)
  for (const made of [pair, 'weft_result=', 'weft_result=AAAA', `${pair}AAAA`]) {
    const headers = { cookie: `${other.cookie}; ${made}` }
    const page = await fetch(new URL(path, service.url), { headers })
    assert.equal(page.status, 200)
    assert.doesNotMatch(await page.text(), /weft_pat_\w{20}/)
  }
})

test('deleting an account leads to a page that can be reloaded', async () => {
  await using service = await startTestService()
  const ada = await signedIn(service)
  await service.database.write(async (tx) => {
    await changeRole(tx, (await requireMemberByUsername(tx, 'grace')).memberId, 'admin')
  })
  assert.equal((await ada.get('/user/account/delete')).status, 303, 'of an existing member')
  const fields = { delete_username: 'ada', delete_password: PASSWORD }
  const deleted = await ada.submit(await ada.get('/user/account'), fields)
  assert.equal(deleted.status, 303)
  for (let load = 0; load < 2; load += 1)
    assert.match((await ada.get(deleted.location ?? '')).text, /Account deleted/)
})
