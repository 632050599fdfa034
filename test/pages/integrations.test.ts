import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { mintApiToken } from '../../src/access/api-token.ts'
import { createCloudAgent } from '../../src/access/cloud-agent.ts'
import { DAY } from '../../src/base/clock.ts'
import { PASSWORD } from '../support/password.ts'
import { browserMissing } from '../support/browser.ts'
import { oauthClient } from '../support/oauth.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { openWindows, type Windows } from './windows.ts'

const PATH = '/user/integrations/mcp'
const WIDE = 'W'.repeat(80)

test(
  'the empty page and its expanded sections fit every screen',
  { skip: browserMissing },
  async () => {
    await using world = await openWindows()
    const page = await world.open({ viewport: PHONE })
    const complaints = complaintsOf(page)
    await page.goto(PATH)
    await judge(page, 'the empty page')
    for (const client of await page.locator('.ways > details').all()) {
      await client.locator('summary').click()
      await judge(page, (await client.locator('summary').textContent()) ?? '')
    }
    await unfoldForm(page)
    await page.getByLabel('Used by').selectOption('new')
    await judge(page, 'the form')
    await page.getByLabel('Name', { exact: true }).fill(WIDE)
    await makeToken(page)
    await page.getByText("A cloud agent's name must have 1 to 80").waitFor()
    await judge(page, 'the form rejected')
    await page.getByLabel('Name of the new cloud agent').fill(WIDE)
    await makeToken(page)
    await page.getByText('Copy it now').waitFor()
    await judge(page, 'the new token')
    assert.deepEqual(complaints, [])
  },
)

test('the full page and its dialogs fit every screen', { skip: browserMissing }, async () => {
  await using world = await openWindows()
  await crowd(world)
  const page = await world.open({ viewport: PHONE })
  await page.goto(PATH)
  await judge(page, 'the crowded page')
  for (const verb of ['Disconnect', 'Revoke', 'Remove']) {
    await page.getByRole('button', { name: `${verb} ${WIDE}` }).click()
    await judge(page, verb)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Disconnect Claude' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('status').waitFor()
  await judge(page, 'the page after a disconnect')
})

test(
  'Enter cancels the dialog, and the second button confirms',
  { skip: browserMissing },
  async () => {
    await using world = await openWindows()
    await crowd(world)
    const page = await world.open()
    await page.goto(PATH)
    const button = page.getByRole('button', { name: 'Revoke nightly' })
    await button.focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Revoke nightly?' })
    await question.waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'hidden' })
    assert.equal(await button.evaluate((one) => one.matches(':focus')), true)
    await button.click()
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Token revoked.').waitFor()
    assert.equal(await button.count(), 0)
  },
)

test(
  'the link from the script section expands the token form',
  { skip: browserMissing },
  async () => {
    await using world = await openWindows()
    const page = await world.open()
    await page.goto(PATH)
    await page.getByText('Script or other program').click()
    await page.getByRole('link', { name: 'Create a token' }).click()
    await page.getByRole('button', { name: 'Create token' }).waitFor()
  },
)

test('the copy button copies the complete token', { skip: browserMissing }, async () => {
  await using world = await openWindows()
  const page = await world.open({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(PATH)
  await unfoldForm(page)
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await makeToken(page)
  await page.getByRole('button', { name: 'Copy the token' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(await oauthClient(world.service).call(copied), 200)
})

/** Sample data, including values of maximum length. */
async function crowd({ service, ada }: Windows): Promise<void> {
  const client = oauthClient(service)
  const labels = ['a', 'b'].map((letter) => letter.repeat(60)).join('.')
  for (const [client_name, uri] of [
    ['Claude', 'https://claude.ai/api/mcp/auth_callback'],
    ['Cursor', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    [WIDE, `https://weft.example.org.${labels}.example:8443/cb`],
  ] as const)
    await ada.connect(await client.register([uri], { client_name }), { redirect_uri: uri })
  const now = service.clock.now()
  await service.database.member(ada.member.memberId).write(async (tx) => {
    const { agentId } = await createCloudAgent(tx, WIDE, now)
    const own = { holder: 'ai_client' } as const
    await mintApiToken(tx, { ...own, name: 'nightly', lifetimeDays: 3 }, now)
    await mintApiToken(tx, { ...own, name: 'old', lifetimeDays: 1 }, now)
    const held = { holder: 'cloud_agent', agentId } as const
    await mintApiToken(tx, { ...held, name: WIDE, lifetimeDays: null }, now)
  })
  service.clock.advance(DAY)
}

async function unfoldForm(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'New token' }).click()
}

async function makeToken(page: Page): Promise<void> {
  const password = page.getByLabel('Current password')
  if (await password.isVisible()) await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Create token' }).click()
}
