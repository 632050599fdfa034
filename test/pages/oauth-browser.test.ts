/** An app with a loopback redirect URI and a real browser: sign-in, consent, and redirect. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { HOUR, SECOND } from '../../src/base/clock.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { authorizeParameters, newPkce, oauthClient, queryOf } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { startTestService } from '../support/service.ts'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'

const PHONE = { width: 360, height: 740 }
const EMAIL = 'ada@example.org'

test(
  'a person signs in, sees the app, allows access, and the app is connected',
  { skip: browserMissing },
  async () => {
    await using world = await createWorld({ viewport: PHONE })
    const { page, app } = world
    await page.goto(world.address)
    await signIn(page)
    await page.getByRole('heading', { name: 'Allow Test to use your network?' }).waitFor()
    const consent = await page.locator('main').innerText()
    assert.ok(consent.includes(`${new URL(app.redirectUri).host}, on this computer`), consent)
    assert.match(consent, /Any program on this computer could receive the response there/)
    assert.match(await page.locator('body').innerText(), /Signed in to .* as Ada Lovelace \(@ada\)/)
    await world.allow()

    const { code = '', ...others } = app.onlyAnswer()
    assert.deepEqual(others, { state: 'st4te', iss: world.service.url })
    const redirect = { redirect_uri: app.redirectUri }
    const exchange = [world.clientId, code, world.pkce.verifier, redirect] as const
    const { status, body } = await world.client.exchange(...exchange)
    assert.equal(status, 200)
    assert.equal(await world.client.call(String(body['access_token'])), 200)
    assert.deepEqual(world.complaints, [])
  },
)

test(
  'canceling connects nothing, and the app gets an error',
  { skip: browserMissing },
  async () => {
    await using world = await createWorld({ colorScheme: 'dark' })
    const { page, app } = world
    await page.goto(world.address)
    await signIn(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${app.redirectUri}?**`)
    const { error_description: description, ...others } = app.onlyAnswer()
    assert.deepEqual(others, { error: 'access_denied', state: 'st4te', iss: world.service.url })
    assert.notEqual(description, '')
    assert.deepEqual(world.complaints, [])
  },
)

test(
  'going back after allowing shows the consent page again, and nothing is submitted automatically',
  { skip: browserMissing },
  async () => {
    await using world = await createWorld()
    const { page, app, service } = world
    await page.goto(world.address)
    await signIn(page)
    await world.allow()
    const { code } = app.onlyAnswer()

    await page.goBack()
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()
    await page.reload()
    assert.equal(app.answers.length, 1)
    service.clock.advance(SECOND)
    await allow.click()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await signIn(page)
    await world.allow()
    assert.equal(app.answers.length, 2)
    assert.notEqual(app.answers[1]?.['code'], code)
    // The browser reports the page that asks to sign in again.
    assert.equal(world.complaints.length, 1)
    assert.match(world.complaints[0] ?? '', /422/)
  },
)

test(
  'clicks that began on another site do not allow, and a second later the button works',
  { skip: browserMissing },
  async () => {
    await using world = await createWorld()
    const { page, app, service } = world
    await page.clock.install()
    await page.goto(world.address)
    await signIn(page)
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()
    const address = page.url()
    const { x = 0, y = 0, width = 0, height = 0 } = (await allow.boundingBox()) ?? {}
    const click = () => page.mouse.click(x + width / 2, y + height / 2)

    await page.clock.pauseAt(Date.now() + HOUR)
    await page.goto(`${app.origin}/lure#${address}`)
    await click()
    await allow.waitFor()
    // The server would accept the page's age, so only the browser blocks the clicks.
    service.clock.advance(SECOND)
    await page.clock.runFor(999)
    for (let clicks = 0; clicks < 10; clicks += 1) await click()
    assert.equal(await allow.isEnabled(), false)
    assert.equal(page.url(), address)
    assert.equal(app.answers.length, 0)

    await page.clock.runFor(1)
    await allow.click()
    await page.waitForURL(`${app.redirectUri}?**`)
    assert.ok(app.onlyAnswer()['code'])
  },
)

test(
  'without JavaScript an approval within a second is asked again, and a later one arrives',
  { skip: browserMissing },
  async () => {
    await using world = await createWorld({ javaScriptEnabled: false })
    const { page, app } = world
    await page.goto(world.address)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('was not connected').waitFor()
    assert.equal(app.answers.length, 0)
    await world.allow()
    assert.ok(app.onlyAnswer()['code'])
  },
)

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email or username').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A service with Ada, her browser, and an app that asks for her network at `address`. */
async function createWorld(look: BrowserContextOptions = {}) {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startTestService())
  await givePassword(service, await service.addMember({ email: EMAIL }))
  const app = stack.use(await listen())
  const client = oauthClient(service)
  // Without a port, as registered by apps that choose the port at startup.
  const clientId = await client.register(['http://127.0.0.1/callback'])
  const pkce = newPkce()
  const asked = { ...authorizeParameters(clientId, pkce), redirect_uri: app.redirectUri }
  const { browser } = stack.use(await openBrowser())
  const page = await (await browser.newContext(look)).newPage()
  const kept = stack.move()
  return {
    service,
    app,
    client,
    clientId,
    pkce,
    address: `${service.url}/oauth/authorize?${queryOf(asked)}`,
    page,
    /** Presses the button once the person has read the page. */
    async allow() {
      const button = page.getByRole('button', { name: 'Allow' })
      await button.waitFor()
      service.clock.advance(SECOND)
      await button.click()
      await page.waitForURL(`${app.redirectUri}?**`)
    },
    complaints: complaintsOf(page),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

type Answered = Readonly<Record<string, string>>

/** The app's own server. */
async function listen() {
  const answers: Answered[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app.test')
    if (pathname === '/callback') answers.push(Object.fromEntries(searchParams))
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(pathname === '/lure' ? LURE : 'You can close this window.')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    redirectUri: `${origin}/callback`,
    /** The requests from the browser, in order. */
    answers,
    onlyAnswer(): Answered {
      const [answer, ...others] = answers
      assert.deepEqual(others, [])
      assert.ok(answer)
      return answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A page that navigates on the first click anywhere. */
const LURE = `<!doctype html><html onclick="location.href = location.hash.slice(1)">`

/** Browser errors, such as violations of the content security policy. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
