import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { createTestWorld as openService, type World as Service } from '../fixtures/admin.ts'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { changeRole } from '../../src/members/admin-role.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { openWindow } from './windows.ts'

const WIDE = 'W'.repeat(60)

test('the admin pages and their dialogs fit every screen', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  const page = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)
  await page.goto('/admin')
  await judge(page, 'the service')

  await page.goto('/admin/members')
  await judge(page, 'the members')
  await page.getByLabel('Search members').fill('zz')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('No results.').waitFor()
  await judge(page, 'a search without results')

  for (const username of ['grace', 'w'.repeat(39), 'ada', 'demo']) {
    await page.goto(`/admin/members/${username}`)
    await judge(page, `the member ${username}`)
  }
  await page.goto('/admin/members/grace')
  await page.getByRole('button', { name: 'Disable Grace Hopper' }).click()
  await page.getByRole('dialog').waitFor()
  await judge(page, 'the confirmation before a member is disabled')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Create link for Grace Hopper' }).click()
  await page.getByText("you won't see it again").waitFor()
  await judge(page, 'a password reset link')

  await page.getByText('Add or remove credits').click()
  await page.getByRole('textbox', { name: 'Credits' }).fill('-5000')
  await page.getByRole('textbox', { name: 'Reason' }).first().fill(WIDE)
  await page.getByRole('button', { name: 'Change credits' }).click()
  await page.getByText('cannot be removed').waitFor()
  await page.getByText('Delete this account').click()
  await judge(page, 'rejected credits and the form that deletes a member')
  await page.goto('/admin/log')
  await judge(page, 'the audit log')

  await page.goto('/admin/invites')
  await judge(page, 'no invitations')
  await page.getByLabel('Expires after (days)').fill('0')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('must be a whole number').waitFor()
  await judge(page, 'a rejected invitation')
  await page.getByLabel('Note').fill(WIDE.repeat(3))
  await page.getByLabel('Expires after (days)').fill('30')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Invitation created').waitFor()
  await judge(page, 'an invitation')
  assert.deepEqual(complaints, [])
})

test(
  'a member is disabled, enabled, promoted and deleted without a script',
  { skip: browserMissing },
  async () => {
    await using world = await createTestWorld()
    const page = await world.open({ javaScriptEnabled: false })
    await page.goto('/admin/members/grace')
    await page.getByRole('button', { name: 'Disable Grace Hopper' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Account disabled').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Account enabled').waitFor()
    await page.getByRole('button', { name: 'Promote Grace Hopper' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click()
    await page.getByText('is now an admin').waitFor()
    await page.getByText('Delete this account').click()
    await page.getByLabel('Type grace to confirm').fill('grace')
    await page.getByLabel('Reason (optional)').last().fill('left the company')
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByText('Account deleted').waitFor()
    await page.goto('/admin/log')
    await page.getByText('left the company').waitFor()
  },
)

/** Several members, one with values of maximum length; queued, running and failed jobs; and rate-limited requests. */
async function createTestWorld() {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(
    await openService({
      jobConcurrency: 0,
      rateLimits: { directory: { quota: 1, window: 60 } },
    }),
  )
  await settle(world)
  const { browser } = opening.use(await openBrowser())
  const opened = opening.move()
  return {
    /** A page in a new window, signed in as the admin Ada. */
    async open(options: BrowserContextOptions) {
      return (await openWindow(browser, world.ada.visitor, options)).newPage()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function settle({ service, grace }: Service): Promise<void> {
  const { database, clock } = service
  const email = `${'e'.repeat(60)}@example.org`
  const wide = await service.addMember({ username: 'w'.repeat(39), name: WIDE, email })
  await service.addMember({ username: 'alan', name: 'Alan Turing', email: 'alan@example.org' })
  await database.write((tx) => changeRole(tx, wide.memberId, 'admin'))
  clock.advance(DAY)
  for (let count = 0; count < 3; count += 1) await fetch(`${service.url}/api/network/members`)
  const [now, failed] = [
    clock.now(),
    JSON.stringify({ code: 'unreadable_file', title: 'x'.repeat(20) }),
  ]
  await database.member(grace.member.memberId).write((tx) =>
    tx.insertMany({
      table: 'jobs',
      columns: [
        'job_id',
        'kind',
        'state',
        'input',
        'error',
        'created_at',
        'finished_at',
        'lease_until',
      ],
      rows: [
        [901, 'file_import', 'queued', '{}', null, now - HOUR, null, null],
        [902, 'embed_objects', 'running', '{}', null, now - HOUR, null, now - 1],
        [903, 'file_import', 'failed', '{}', failed, now, now, null],
      ],
    }),
  )
}
