/** Credits and deletion on the admin page of a member, and the audit log. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { signIn } from '../../../test/fixtures/account.ts'
import { createTestWorld, type World } from '../../../test/fixtures/admin.ts'
import { DAY } from '../../base/clock.ts'
import { creditBalance } from '../../credits/account.ts'
import { readAdminLog, recordAdminAction, sweepAdminLog } from '../../members/admin-log.ts'
import { findMember } from '../../members/member.ts'
import { changeRole } from '../../members/admin-role.ts'

const GRACE = '/admin/members/grace'

async function logged({ service }: World) {
  const { entries } = await readAdminLog(service.database, { cursor: undefined, limit: 50 })
  return entries.map(({ admin, action, member, reason }) => [admin, action, member, reason])
}

test('an admin sees a member’s balance and changes it with a reason that the member sees', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const page = await ada.visitor.get(GRACE)
  assert.match(page.text, /Remaining 1,000 Monthly allowance 1,000 Resets 1 Dec 2026/)
  const change = (credits: string, credits_reason: string) =>
    ada.visitor.submit(page, { credits, credits_reason }, 'Change credits')
  for (const [credits, reason] of [
    ['0', 'x'],
    ['many', 'x'],
    ['1.5', 'x'],
    ['-1001', 'x'],
    ['5', ' '],
    ['5', 'x'.repeat(101)],
  ] as const) {
    const refused = await change(credits, reason)
    assert.equal(refused.status, 422, credits)
    assert.match(refused.html, /aria-invalid="true"/)
  }
  const changed = await change('-200', 'a mistake')
  assert.match((await ada.visitor.follow(changed)).text, /Credits changed\. .*Remaining 800/)
  // A second click changes nothing.
  assert.equal((await change('-200', 'a mistake')).location, changed.location)
  const db = service.database.member(grace.member.memberId)
  assert.equal((await creditBalance(db, 1000, service.clock.now())).remaining, 800)
  assert.match(
    (await grace.visitor.get('/user/credits')).text,
    /Changed by an admin: a mistake 21 Nov 2026 12:00 -200 800/,
  )
  assert.deepEqual(await logged(world), [['ada', 'adjust_credits', 'grace', '-200: a mistake']])
})

test('an admin deletes a member by typing the username, and the log keeps who it was', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const { memberId } = grace.member
  const page = await ada.visitor.get(GRACE)
  const remove = (delete_username: string) =>
    ada.visitor.submit(page, { delete_username, delete_reason: 'left' }, 'Delete everything')
  for (const typed of ['', 'ada', 'Grace Hopper']) {
    const refused = await remove(typed)
    assert.equal(refused.status, 422, typed)
    assert.match(refused.text, /Type grace to delete this account/)
  }
  assert.ok(await findMember(service.database, memberId))
  // As by a double-click, and once more.
  const answers = [
    ...(await Promise.all([remove('Grace '), remove('Grace ')])),
    await remove('Grace '),
  ]
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${service.url}/admin/members?notice=deleted`])
  const [after] = answers
  assert.ok(after)
  assert.match((await ada.visitor.follow(after)).text, /Account deleted, with all its data/)
  assert.equal(await findMember(service.database, memberId), undefined)
  assert.equal((await ada.visitor.get(GRACE)).status, 404)
  assert.equal((await grace.visitor.get('/user')).status, 303)
  assert.deepEqual(await logged(world), [['ada', 'delete', 'grace', 'left']])
  assert.match(
    (await ada.visitor.get('/admin/log')).text,
    /Deleted the account @grace left @ada · 21 November 2026/,
  )
})

test('own and demo accounts are not deleted, and an admin who was demoted changes nothing', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const { formToken } = await ada.visitor.get('/user/account')
  const post = (username: string) => {
    const fields = { form_token: formToken, admin_action: 'delete', delete_username: username }
    return ada.visitor.post(`/admin/members/${username}`, fields, SAME_ORIGIN)
  }
  for (const username of ['ada', 'demo']) {
    assert.equal((await post(username)).status, 409, username)
    assert.doesNotMatch(
      (await ada.visitor.get(`/admin/members/${username}`)).text,
      /Delete account/,
    )
  }
  await service.database.write(async (tx) => {
    await changeRole(tx, grace.member.memberId, 'admin')
    await changeRole(tx, ada.member.memberId, 'member')
  })
  assert.equal((await post('grace')).status, 404)
  assert.ok(await findMember(service.database, grace.member.memberId))
  assert.deepEqual(await logged(world), [])
})

test('the log has the reasons, sign-ins and invitations of admins, and what the command line did', async () => {
  await using world = await createTestWorld()
  const { service, ada } = world
  await signIn(service, 'ada')
  await signIn(service, 'grace')
  const page = await ada.visitor.get(GRACE)
  await ada.visitor.submit(page, { disable_reason: 'asked us' }, 'disable')
  const long = await ada.visitor.submit(page, { promote_reason: 'x'.repeat(101) }, 'promote')
  assert.equal(long.status, 400)
  await ada.visitor.submit(await ada.visitor.get('/admin/invites'), { note: 'Alan', days: '3' })
  await service.database.write((tx) =>
    recordAdminAction(tx, { at: service.clock.now() + 1, action: 'export', member: 'grace' }),
  )
  const entries = await logged(world)
  assert.deepEqual(entries.slice(0, 1), [[null, 'export', 'grace', null]])
  assert.deepEqual(
    new Set(entries.slice(1).map((entry) => JSON.stringify(entry))),
    new Set([
      '["ada","sign_in",null,null]',
      '["ada","disable","grace","asked us"]',
      '["ada","invite",null,"Alan"]',
    ]),
  )
  assert.match(
    (await ada.visitor.get('/admin/log')).text,
    /Exported all data @grace Command line ·/,
  )
})

test('the log is read page by page and kept for two years', async () => {
  await using world = await createTestWorld()
  const { service, ada } = world
  const now = service.clock.now()
  await service.database.write(async (tx) => {
    for (let at = 0; at < 60; at += 1)
      await recordAdminAction(tx, { at: now - at * DAY, action: 'create', member: `m-${at}` })
  })
  const first = await ada.visitor.get('/admin/log')
  const second = await ada.visitor.get(first.links['Older'] ?? '')
  const names = [first, second].map(({ text }) =>
    [...text.matchAll(/account @(m-\d+)/g)].map(([, name]) => name),
  )
  assert.deepEqual(
    names.flat(),
    Array.from({ length: 60 }, (_, at) => `m-${at}`),
  )
  assert.equal(names[0]?.length, 50)
  const swept = await service.database.write((tx) => sweepAdminLog(tx, now + 700 * DAY))
  assert.equal(swept, 30)
})
