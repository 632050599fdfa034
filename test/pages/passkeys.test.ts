import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { HOUR } from '../../src/base/clock.ts'
import { signIn as signInByForm } from '../fixtures/account.ts'
import { authenticatorAt } from '../support/authenticator.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { ACCOUNT, addPasskey, startNamedService, type NamedService } from '../support/passkeys.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'

test('the life cycle of a passkey', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  const { service } = world
  const { page, device } = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)

  await signIn(page)
  await device.judge('no passkey yet')
  await beginByPage(page)
  await page.getByRole('heading', { name: 'Add passkey' }).waitFor()
  assert.match(await page.getByLabel('Name').inputValue(), /^Chrome on /)
  await device.judge('the page that adds one')
  await device.touch(true)
  await page.getByLabel('Name').fill('W'.repeat(80))
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  await device.judge('a passkey')

  await page.getByText('Rename').click()
  await device.judge('a passkey to rename')
  await page.getByLabel('Name', { exact: true }).fill('My phone')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Passkey renamed.').waitFor()

  service.clock.advance(HOUR)
  await page.reload()
  const yourData = page.getByRole('region', { name: 'Export' })
  await yourData.locator('summary', { hasText: 'Export' }).click()
  await yourData.getByLabel('Current password').waitFor()
  await device.touch(true)
  await yourData.getByRole('button', { name: 'Confirm with a passkey instead' }).click()
  await yourData.getByText('You confirmed it’s you.').waitFor()
  await device.judge('an export confirmed with a passkey')
  await yourData.getByRole('button', { name: 'Export everything' }).click()
  await page.getByRole('heading', { name: 'Export' }).first().waitFor()

  await page.goto(service.origin + ACCOUNT)
  await page.getByText('Delete my account').click()
  await device.touch(true)
  await page.getByRole('button', { name: 'Confirm with a passkey instead' }).last().click()
  await page.getByText('You confirmed it’s you.').waitFor()
  assert.equal(await page.getByLabel('Type ada to confirm').isVisible(), true)

  await device.touch(false)
  await signOut(page, world)
  await device.judge('the sign-in page')
  await device.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('used just now').waitFor()

  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await device.judge('the question')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Passkey removed.').waitFor()

  await device.touch(false)
  await signOut(page, world)
  await device.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('Unknown passkey.').waitFor()
  await device.judge('an unknown passkey')
  assert.deepEqual(complaints, [])
})

test('autofill offers a passkey', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  const { page, device } = await world.open()
  const complaints = complaintsOf(page)
  await signIn(page)
  await device.touch(true)
  await addByPage(page)
  // The authenticator accepts as soon as it is offered, without a button press.
  await signOut(page, world)
  await page.getByText('used just now').waitFor()
  assert.deepEqual(complaints, [])
})

test('canceling shows a message and keeps the input', { skip: browserMissing }, async () => {
  await using world = await createTestWorld()
  const { page, device } = await world.open()
  await signIn(page)
  await device.touch(true)
  await addByPage(page)

  await beginByPage(page)
  await page.getByLabel('Name').fill('Kept')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('status').getByText('already has a passkey for your account').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Kept')

  await device.touch(false)
  await signOut(page, world)
  await page.getByLabel('Email or username').fill('ada')
  await device.recognize(false)
  await device.touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('status').getByText('No passkey was used.').waitFor()
  assert.equal(await page.getByLabel('Email or username').inputValue(), 'ada')
  await judge(page, 'no passkey was used')
})

test(
  'without a script a passkey is renamed and removed, and adding one says what it requires',
  {
    skip: browserMissing,
  },
  async () => {
    await using world = await createTestWorld()
    const visitor = await signInByForm(world.service, 'ada')
    await addPasskey(visitor, authenticatorAt(world.service.origin), { name: 'Old phone' })
    const { page } = await world.open({ javaScriptEnabled: false, viewport: PHONE })
    assert.equal(await page.getByRole('button', { name: 'passkey' }).count(), 0)
    await signIn(page)
    await page.locator('summary', { hasText: 'Add passkey' }).click()
    await page.getByText('Adding a passkey requires JavaScript.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add passkey' }).count(), 0)
    await page.getByText('Rename').click()
    await page.getByLabel('Name', { exact: true }).fill('Tablet')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Passkey renamed.').waitFor()
    await page.getByRole('button', { name: 'Remove Tablet' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Passkey removed.').waitFor()
  },
)

interface World extends AsyncDisposable {
  readonly service: NamedService
  /** The sign-in page on a separate device. */
  open(options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly device: Device }>
}

/** Ada, with a password. */
async function createTestWorld(): Promise<World> {
  const service = await startNamedService()
  await givePassword(service, await service.addMember())
  const { browser, ...opened } = await openBrowser()
  return {
    service,
    async open(options = {}) {
      const page = await browser.newPage(options)
      const device = await addDevice(page)
      await page.goto(signInAddress(service))
      return { page, device }
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

/** Chromium's virtual platform authenticator with a screen lock. It does not respond at first. */
interface Device {
  touch(touched: boolean): Promise<void>
  /** Whether user verification succeeds. */
  recognize(recognized: boolean): Promise<void>
  /** Judges the page that the device is plugged into. */
  judge(about: string): Promise<void>
}

async function addDevice(page: Page): Promise<Device> {
  const debug = await page.context().newCDPSession(page)
  const authenticatorId = await plugIn(debug)
  return {
    async touch(enabled) {
      await debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    async recognize(isUserVerified) {
      await debug.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    judge: (about) => judge(page, about),
  }
}

async function plugIn(debug: CDPSession): Promise<string> {
  await debug.send('WebAuthn.enable')
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return authenticatorId
}

function signInAddress({ origin }: NamedService): string {
  return `${origin}/sign-in?return_to=${ACCOUNT}`
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email or username').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
}

async function signOut(page: Page, { service }: World): Promise<void> {
  await page.context().clearCookies()
  await page.goto(signInAddress(service))
}

async function beginByPage(page: Page): Promise<void> {
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.locator('summary', { hasText: 'Add passkey' }).click()
  await passkeys.getByLabel('Current password').fill(PASSWORD)
  await passkeys.getByRole('button', { name: 'Add passkey' }).click()
}

async function addByPage(page: Page): Promise<void> {
  await beginByPage(page)
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
}
