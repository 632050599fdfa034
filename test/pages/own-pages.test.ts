import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../../src/base/clock.ts'
import { browserMissing } from '../support/browser.ts'
import { memberBrowser } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { openSignedIn } from '../support/visitor.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { openWindows } from './windows.ts'
import type { Page } from 'playwright-core'

const PROFILE = '/user/profile'
const ACCOUNT = '/user/account'
const WIDE = 'W'.repeat(60)
const LOOKS = { skip: browserMissing }
const ROWS = [768, 1280, 1920].flatMap((width) =>
  [ACCOUNT, '/user/address-books'].map((path) => [width, path] as const),
)

const CROWDED = {
  name: WIDE,
  email: `${'e'.repeat(60)}@example.org`,
  headline: WIDE.repeat(3),
  about: `${WIDE.repeat(4)}\n\nAnd a second paragraph.`,
  location: WIDE,
  organization: WIDE,
  title: WIDE,
  skills: [WIDE, 'Algebra', 'Poetry', 'Analytical engines'],
  links: [
    { label: WIDE, url: `https://${'a'.repeat(60)}.example/${'b'.repeat(200)}` },
    { label: 'Notes', url: 'https://ada.example/notes' },
  ],
}

test('the profile and its errors fit every screen', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  for (const who of [world.ada, world.crowded]) {
    const { username } = who.member
    const page = await world.open({ viewport: PHONE }, who)
    const complaints = complaintsOf(page)
    await page.goto(PROFILE)
    await judge(page, `the profile of ${username}`)
    await page.getByLabel('Username').fill('no one!')
    // A row of links appears when the one above it is filled in.
    const rows = await page
      .getByLabel(/^URL \d/)
      .filter({ visible: true })
      .count()
    await page.getByLabel(`Label ${rows}`).fill('Notes')
    await page.getByLabel(`URL ${rows}`).fill('https://ada.example')
    await page.getByLabel(`URL ${rows + 1}`).waitFor()
    assert.ok(await page.getByLabel(`URL ${rows + 2}`).isHidden())
    await page.getByLabel('URL 1').fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await judge(page, `the rejected profile of ${username}`)
    assert.deepEqual(complaints, [])
  }
})

test('the account and its dialogs fit every screen', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  for (const who of [world.ada, world.crowded]) {
    const { username } = who.member
    const page = await world.open({ viewport: PHONE }, who)
    const complaints = complaintsOf(page)
    await page.goto(ACCOUNT)
    await judge(page, `the account of ${username}`)
    await page.getByText('Delete my account').click()
    await page.getByLabel(/^Type .* to confirm/).fill(WIDE)
    await page.getByLabel('Current password').last().fill('wrong')
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByText('This does not match your username.').waitFor()
    await judge(page, `the rejected deletion of ${username}`)
    assert.deepEqual(complaints, [])
  }
})

test('a password, its label and its button are in one row on a desktop', LOOKS, async () => {
  await using world = await createTestWorld()
  const page = await world.open({})
  for (const [width, path] of ROWS) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(path)
    for (const closed of await page.locator('.rare > summary').all()) await closed.click()
    const rows = await page.locator('.field:has(> .reveal)').all()
    const shown = []
    for (const row of rows) if (await row.isVisible()) shown.push(row)
    assert.ok(shown.length > 0, path)
    for (const row of shown) {
      const boxes = ['label', 'input', '.reveal'].map((part) =>
        row.locator(`> ${part}`).boundingBox(),
      )
      const [label, input, button] = await Promise.all(boxes)
      assert.ok(label && input && button)
      const about = `${path} at ${width} px: ${JSON.stringify({ label, input, button })}`
      assert.ok(Math.abs(label.y - input.y) < 4 && Math.abs(button.y - input.y) < 4, about)
      assert.ok(label.x < input.x && input.x + input.width <= button.x, about)
      const hint = await row.locator('> .hint').all()
      for (const one of hint) assert.ok(((await one.boundingBox())?.y ?? 0) > label.y + 20, about)
    }
  }
})

test('an export and its job fit every screen', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  const page = await world.open({ viewport: PHONE }, world.crowded)
  const complaints = complaintsOf(page)
  await page.goto(ACCOUNT)
  await exportEverything(page)
  await page.getByRole('link', { name: 'Download' }).waitFor()
  await judge(page, 'the job that made an archive')
  await page.goto(ACCOUNT)
  await page.getByRole('link', { name: 'Download' }).waitFor()
  await judge(page, 'the account with an archive')
  assert.deepEqual(complaints, [])
})

for (const javaScriptEnabled of [true, false])
  test(
    `the preview shows unsaved input, ${javaScriptEnabled ? 'with a script' : 'without one'}`,
    { skip: browserMissing },
    async () => {
      await using world = await createTestWorld()
      const page = await world.open({ javaScriptEnabled })
      const complaints = complaintsOf(page)
      await page.goto(PROFILE)
      const preview = page.getByRole('complementary', { name: 'Preview' })
      const asIs = preview.getByText('Preview of')
      await asIs.waitFor()
      await page.getByLabel('Headline').fill('Countess of Lovelace')
      await page.getByLabel('URL 1').fill('javascript:alert(1)')
      const ask = page.getByRole('button', { name: 'Preview' })
      assert.equal(await ask.isVisible(), !javaScriptEnabled)
      if (!javaScriptEnabled) await ask.click()
      await preview.getByText('Countess of Lovelace').waitFor()
      await preview.getByText('not saved').waitFor()
      // Axe requires scripts.
      if (javaScriptEnabled) await judge(page, 'a preview')
      assert.equal(await page.getByLabel('URL 1').inputValue(), 'javascript:alert(1)')
      await page.getByLabel('URL 1').fill('')
      // A preview that arrives during the click would be a race of this test.
      const shown = javaScriptEnabled && page.waitForResponse(/\/profile\/preview$/)
      await page.getByLabel('Visibility').selectOption('private')
      await shown
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('status').filter({ hasText: 'Profile saved' }).waitFor()
      await preview.getByText('Countess of Lovelace').waitFor()
      await preview.getByText('Only you can see this profile').waitFor()
      assert.deepEqual(complaints, [])
    },
  )

test(
  'an account is exported, downloaded and then deleted, without a script',
  { skip: browserMissing },
  async () => {
    await using world = await createTestWorld()
    const page = await world.open({ javaScriptEnabled: false })
    await page.goto(ACCOUNT)
    await exportEverything(page)
    // The page reloads itself until the job has finished.
    const download = page.getByRole('link', { name: 'Download weft-ada-2026-11-22.zip' })
    await download.waitFor()
    const waiting = page.waitForEvent('download')
    await download.click()
    assert.equal((await waiting).suggestedFilename(), 'weft-ada-2026-11-22.zip')
    await page.goto(ACCOUNT)
    await download.waitFor()
    await page.getByText('Delete my account').click()
    await page.getByLabel('Type ada to confirm').fill('ada')
    await page.getByLabel('Current password').last().fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
    await page.goto(ACCOUNT)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

/** The members signed in a day ago, so the export asks for the password. */
async function exportEverything(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Export everything' }).click()
  const button = page.getByRole('button', { name: 'Export everything' })
  await page.locator('form', { has: button }).getByLabel('Current password').fill(PASSWORD)
  await button.click()
}

/** Ada, and a member with values of maximum length; both have a password and other sessions. */
async function createTestWorld() {
  const windows = await openWindows()
  const { service, ada } = windows
  const crowded = await memberBrowser(service, { username: 'w'.repeat(39), ...CROWDED })
  for (const { member } of [ada, crowded]) {
    await givePassword(service, member)
    for (const agent of USER_AGENTS) await openSignedIn(service, member, agent)
  }
  service.clock.advance(DAY)
  return { ...windows, crowded }
}

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
]
