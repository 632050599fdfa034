import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../../src/base/clock.ts'
import { spendCredits } from '../../src/credits/account.ts'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { openWindows, type Windows } from './windows.ts'

const WIDE = 'W'.repeat(120)
const PAGES = ['credits', 'activity', 'follow-ups'] as const

test('credits, activity and follow-ups fit every screen', { skip: browserMissing }, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)
  for (const name of PAGES) {
    await page.goto(`/user/${name}`)
    await judge(page, `${name}, empty`)
  }
  await crowd(world)
  for (const name of PAGES) {
    await page.goto(`/user/${name}`)
    await judge(page, name)
    // From the end, because the filter is above what follows.
    for (const summary of (await page.locator('main summary').all()).toReversed())
      if (await summary.isVisible()) await summary.click()
    await judge(page, `${name}, unfolded`)
  }
  await page.locator('.adding [name=follow_up]').focus()
  await page.getByText('Time and repeat').click()
  await page.getByLabel('Repeat').waitFor()
  await judge(page, 'follow-ups, time and repeat unfolded')
  await page.getByRole('button', { name: /^Done: Call/ }).click()
  await page.getByRole('status').waitFor()
  await judge(page, 'follow-ups, one done')
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('status').filter({ hasText: 'Undid' }).waitFor()
  await judge(page, 'follow-ups, one undone')
  assert.deepEqual(complaints, [])
})

/** Sample data, including values of maximum length. */
async function crowd({ service, ada }: Windows): Promise<void> {
  const { database, clock, url } = service
  const db = database.member(ada.member.memberId)
  for (let day = 0; day < 8; day += 1) {
    for (const [index, reason] of REASONS.entries()) {
      const cost = ((day * 7 + index * 5) % 9) + 1
      const charge = { cost, reason, credentialId: `tok_${index}`, quota: 1000 }
      await db.write((tx) => spendCredits(tx, { ...charge, now: clock.now() }))
    }
    clock.advance(DAY)
  }
  const token = await service.mintToken()
  for (const [name, company] of [
    ['Grace Hopper', WIDE],
    [WIDE, 'Navy'],
    ['Alan Turing', 'Bletchley Park'],
    ['Edith Clarke', 'GE'],
  ])
    await askTool(url, token, 'add_connections', { name, company, note: WIDE.repeat(3) })
  for (const [text, due_on, recurrence, connection_id] of [
    ['Call', '2026-11-20', 'monthly', 'c_1'],
    [WIDE, '2026-11-29', 'none', 'c_2'],
    ['Write', '2027-02-01', 'quarterly', 'c_3'],
  ])
    await askTool(url, token, 'save_follow_up', { text, due_on, recurrence, people: connection_id })
  const both = { people: ['c_2', 'c_4'], tags: { add: [WIDE.slice(60), 'pioneer'] } }
  await askTool(url, token, 'update_connections', both)
  await askTool(url, token, 'update_connections', { people: 'c_1', title: 'Rear admiral' })
}

const REASONS = [
  'search_connections',
  'add_connections',
  'find_duplicates',
  'list_timeline',
  'resolve_duplicates',
  'find_introductions',
]
