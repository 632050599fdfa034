/** An admin who is demoted or disabled while their form is being submitted. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { request } from 'node:http'
import { createLink, listLinks } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { disableMember, findMember } from '../../members/member.ts'
import { changeRole, listAdmins } from '../../members/admin-role.ts'
import { createTestWorld, type World } from '../../../test/fixtures/admin.ts'

/** Sends the form headers, runs `meanwhile`, then sends the body. Returns the response status. */
async function sendLate(
  { service, ada: { visitor } }: World,
  path: string,
  fields: Readonly<Record<string, string>>,
  meanwhile: () => Promise<unknown>,
): Promise<number | undefined> {
  const page = await visitor.get('/user/account')
  const { form_token = '' } = page.forms[0]?.fields ?? {}
  const body = new URLSearchParams({ ...fields, form_token }).toString()
  const { weft_session = '' } = visitor.cookies
  const sent = request(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      cookie: `weft_session=${weft_session}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  const answered = once(sent, 'response')
  sent.flushHeaders()
  await once(sent, 'continue')
  await meanwhile()
  sent.end(body)
  // The only argument of `response`.
  const [answer] = (await answered) as [NodeJS.ReadableStream & { statusCode?: number }]
  answer.resume()
  return answer.statusCode
}

test('the form of an admin who was demoted in the meantime has no effect', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const { database, clock } = service
  const now = clock.now()
  const other = await service.addMember({ username: 'mary', name: 'Mary' })
  await database.write((tx) => changeRole(tx, other.memberId, 'admin'))
  await database.write((tx) => createLink(tx, { purpose: 'invite', lifetime: DAY }, now))
  const [link] = await listLinks(database, 'invite', now)
  assert.ok(link)
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/admin/members/grace', { admin_action: 'promote' }],
    ['/admin/members/grace', { admin_action: 'disable' }],
    ['/admin/members/grace', { admin_action: 'reset_link' }],
    ['/admin/invites', { note: 'A friend', days: '7' }],
    ['/admin/invites/revoke', { link_id: link.linkId }],
  ]
  const { memberId } = ada.member
  for (const [path, fields] of forms) {
    const demote = () => database.write((tx) => changeRole(tx, memberId, 'member'))
    assert.equal(await sendLate(world, path, fields, demote), 404, JSON.stringify(fields))
    await database.write((tx) => changeRole(tx, memberId, 'admin'))
  }
  const disable = () => database.write((tx) => disableMember(tx, memberId, now))
  assert.equal(
    await sendLate(world, '/admin/members/grace', { admin_action: 'promote' }, disable),
    404,
  )

  assert.deepEqual(await listAdmins(database), new Set([memberId, other.memberId]))
  assert.equal((await findMember(database, grace.member.memberId))?.disabledAt, null)
  assert.deepEqual(await listLinks(database, 'invite', now), [link])
  assert.deepEqual(await listLinks(database, 'reset', now), [])
})
