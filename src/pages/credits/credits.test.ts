import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../../base/clock.ts'
import { periodOf } from '../../credits/month.ts'
import { refundCredits, spendCredits } from '../../credits/account.ts'
import { revokeApiToken } from '../../access/api-token.ts'
import { createGrant, revokeGrant } from '../../oauth/grant.ts'
import { oauthClient } from '../../../test/support/oauth.ts'
import { createTestWorld, type Person, type World } from '../../../test/fixtures/member.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'

const show = ({ visitor }: Person, search = '') => visitor.get(CREDITS_PATH + search)

async function spend(
  { service }: World,
  { memberId }: Person,
  cost: number,
  reason = 'find_duplicates',
  credentialId: string | null = 'grant_gone',
): Promise<void> {
  const charge = { cost, reason, credentialId, quota: 1000, now: service.clock.now() }
  await service.database.member(memberId).write((tx) => spendCredits(tx, charge))
}

test('without spending the full monthly allowance remains', async () => {
  await using world = await createTestWorld()
  const { text } = await show(await world.join('ada'))
  assert.match(text, /Remaining this month 1,000 of 1,000 credits Resets to 1,000 on 1 Dec 2026/)
  assert.match(text, /Spent in November 2026 No credits spent since 1 November 2026\./)
  assert.match(text, /No entries yet/)
})

test('spending is shown by day and tool, by agent, and as ledger entries', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('find_duplicates')
  world.service.clock.advance(2 * DAY)
  await ada.ask('find_duplicates')
  const { text, html } = await show(ada)
  assert.match(text, /995 of 1,000 credits/)
  assert.match(text, /5 credits this month, most of it on 21 November 2026 \(3\)\./)
  assert.match(text, /21 November 2026, Find duplicate people: 2 credits/)
  assert.match(
    text,
    /Day Find duplicate people Add people Total 21 Nov 2026 2 1 3 23 Nov 2026 2 – 2 Total 4 1 5/,
  )
  assert.doesNotMatch(text, /By agent and token/, 'of one alone, the history says it all')
  assert.match(
    text,
    /Find duplicate people Claude 23 Nov 2026 12:00 -2 995 Find duplicate people Claude 21 Nov 2026 12:00 -2 997 Add people Claude 21 Nov 2026 12:00 -1 999 Monthly allowance 21 Nov 2026 12:00 \+1,000 1,000/,
  )
  assert.equal([...html.matchAll(/<rect\s+class="series-\d"\s+x=/g)].length, 3)
  const cookie = `${ada.visitor.cookie}; weft_time_zone=Asia%2FTokyo`
  const inTokyo = await ada.visitor.get(CREDITS_PATH, { cookie })
  assert.match(inTokyo.text, /Find duplicate people Claude 23 Nov 2026 21:00 -2 995/)
})

test('refunds do not count as spending, and a new month resets the balance', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await spend(world, ada, 5, 'file_import')
  const now = world.service.clock.now()
  const charge = { cost: 5, reason: 'file_import', credentialId: 'grant_gone', now }
  const back = { ...charge, chargedPeriod: periodOf(now).periodStart }
  await world.service.database.member(ada.memberId).write((tx) => refundCredits(tx, back))
  const { text } = await show(ada)
  assert.match(text, /1,000 of 1,000 credits .* No credits spent since/)
  assert.match(text, /Refund: Import a contact file Disconnected app .{17} \+5 1,000/)
  await spend(world, ada, 7)
  world.service.clock.advance(10 * DAY)
  const next = await show(ada)
  assert.match(next.text, /1,000 of 1,000 credits .* on 1 Jan 2027/)
  assert.match(next.text, /Spent in December 2026 No credits spent since 1 December 2026/)
  await spend(world, ada, 1)
  assert.match((await show(ada)).text, /Expired at the end of the month .{16,18} -993 0/)
})

test('with no credits left, the page explains the effect', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await spend(world, ada, 1000)
  assert.match((await show(ada)).text, /0 of 1,000 credits You have no credits left/)
})

test('ended credentials are marked', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await spend(world, ada, 3)
  await spend(world, ada, 2, 'file_import', null)
  const db = world.service.database.member(ada.memberId)
  await db.write((tx) => revokeApiToken(tx, 'Claude', world.service.clock.now()))
  assert.match((await show(ada)).text, /Disconnected app 1 3 You 1 2 Claude revoked 1 1/)
})

test('a disconnected app keeps its name', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  const app = {
    clientName: 'Cursor',
    redirectHost: 'cursor.example',
    scope: 'weft',
    resource: null,
  }
  const clientId = await oauthClient(world.service).register()
  const grantId = await db.write((tx) =>
    createGrant(tx, { ...app, clientId }, world.service.clock.now()),
  )
  await spend(world, ada, 3, 'find_duplicates', grantId)
  await db.write((tx) => revokeGrant(tx, grantId))
  const { text } = await show(ada)
  assert.match(text, /Find duplicate people Cursor disconnected .{17} -3 997/)
})

test('spending of other members is not visible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('find_duplicates')
  assert.match((await show(eve)).text, /1,000 of 1,000 .* No entries yet.* No credits spent /)
})

test('older entries are paginated without gaps or duplicates', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (let count = 0; count < 55; count += 1) await spend(world, ada, 1)
  const seen: number[] = []
  let page = await show(ada)
  // The calls of an agent within an hour are one line.
  assert.match(page.text, /Find duplicate people × 50 12:00 .* Disconnected app .{17} -50 945 /)
  for (;;) {
    const [, ledger = ''] = page.text.split('History Description Date Credits Balance')
    seen.push(...[...ledger.matchAll(/-1 (9\d\d)/g)].map(([, left]) => Number(left)))
    const older = page.links['Older']
    if (older === undefined) break
    page = await ada.visitor.get(older)
    assert.equal(page.links['Newest'], world.service.url + CREDITS_PATH)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 55 }, (_, index) => 945 + index),
  )
  assert.equal((await show(ada, '?cursor=x')).status, 400)
})
