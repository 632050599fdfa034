import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '../../src/access/one-time-link.ts'
import { HOUR, SECOND } from '../../src/base/clock.ts'
import type { Transaction } from '../../src/db/database.ts'
import { memberStatement } from '../../src/db/statement.ts'
import { jobPath } from '../../src/html/site-map.ts'
import { askTool } from '../fixtures/member.ts'
import { joinAddress, resetAddress } from '../../src/sign-in/session/one-time-link-url.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { authorizeParameters, newPkce, oauthClient, queryOf } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { startOther } from './world.ts'

interface Journey {
  readonly service: TestService
  readonly page: Page
  /** Navigates to a path of the service. */
  readonly go: (path: string) => Promise<void>
  /** Checks the current page with `judge`. */
  readonly look: (about: string) => Promise<void>
}

const AGENTS = '/user/integrations/mcp'
const GRACE = { name: 'Grace Hopper', username: 'grace', email: 'grace@example.org' }

/** User journeys, by name. */
const JOURNEYS: Readonly<Record<string, (journey: Journey) => Promise<void>>> = {
  async 'an invitation is accepted after a mistake'({ service, page, go, look }) {
    const invitation = { purpose: 'invite', lifetime: HOUR } as const
    const { secret } = await write(service, (tx, now) => createLink(tx, invitation, now))
    await go(joinAddress('', secret))
    await page.getByLabel('Name', { exact: true }).fill(GRACE.name)
    await page.getByLabel('Username').fill('no one!')
    await page.getByLabel('Email').fill(GRACE.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.locator('#username-error').waitFor()
    assert.equal(await focused(page), 'username')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), GRACE.name)
    await look('a rejected invitation')
    await page.getByLabel('Username').fill(GRACE.username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Welcome, Grace', level: 1 }).waitFor()
    await page.getByText(GRACE.name).first().waitFor({ state: 'attached' })
    await go(joinAddress('', secret))
    await look('an accepted invitation')
  },

  async 'a wrong password is reported and focused; then the member signs in and out'(journey) {
    const { service, page, go, look } = journey
    await givePassword(service, await service.addMember())
    await go('/user/credits')
    await signIn(page, 'ada', 'a wrong guess')
    await page.getByRole('alert').waitFor()
    assert.equal(await focused(page), 'password')
    assert.equal(await page.getByLabel('Email or username').inputValue(), 'ada')
    await look('a rejected sign-in')
    await signIn(page, 'ada', PASSWORD)
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look('signed out')
    await go('/user/credits')
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  },

  async 'a new password is chosen by a link, once'({ service, page, go, look }) {
    const member = await service.addMember()
    await givePassword(service, member)
    const { memberId } = member
    const link = { purpose: 'reset', lifetime: HOUR, memberId } as const
    const { secret } = await write(service, (tx, now) => createLink(tx, link, now))
    const change = page.getByRole('button', { name: 'Change password' })
    await go(resetAddress('', secret))
    await page.getByLabel('New password').fill('short')
    await change.click()
    await page.locator('#password-error').waitFor()
    assert.equal(await focused(page), 'password')
    await look('a rejected password')
    await page.getByLabel('New password').fill('nanoseconds of wire')
    await change.click()
    await page.waitForURL(`${service.url}/user`)
    await go('/user/credits')
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
    await go(resetAddress('', secret))
    await look('a link that was used')
    await page.getByText('no longer valid').waitFor()
  },

  async 'an app is denied, then allowed, then disconnected'({ service, page, go, look }) {
    await enter({ service, page, go })
    await using app = await startOther('127.0.0.1', (_request, response) =>
      response.end('You can close this window.'),
    )
    const redirect_uri = `http://127.0.0.1:${app.port}/callback`
    const client = await oauthClient(service).register([redirect_uri], { client_name: 'Cursor' })
    const pkce = newPkce()
    const request = { ...authorizeParameters(client, pkce), redirect_uri }
    await go(`/oauth/authorize?${queryOf(request)}`)
    await look('the question')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/\/callback\?.*error=access_denied/)
    await go(`/oauth/authorize?${queryOf(request)}`)
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await signIn(page, 'ada', PASSWORD)
    await look('the question after signing in again')
    service.clock.advance(SECOND)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/callback\?.*code=/)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    await oauthClient(service).exchange(client, code, pkce.verifier, { redirect_uri })
    await go(AGENTS)
    await page.getByRole('button', { name: 'Disconnect Cursor' }).click()
    await confirm(page, 'Disconnect')
    await page.getByRole('status').waitFor()
    await look('the page without the app')
    assert.equal(await page.getByRole('button', { name: 'Disconnect Cursor' }).count(), 0)
  },

  async 'a token is created, shown once and revoked; a cloud agent is removed with its tokens'(
    journey,
  ) {
    const { page, go, look } = journey
    await enter(journey)
    await go(AGENTS)
    await makeToken(page, 'nightly')
    await page.getByText('Copy it now').waitFor()
    await look('a new token')
    await page.getByRole('link', { name: 'Done' }).click()
    assert.equal(await page.getByText(/weft_pat_\w{40}/).count(), 0)
    await page.getByRole('button', { name: 'Revoke nightly' }).click()
    await confirm(page, 'Revoke')
    await page.getByText('Token revoked.').waitFor()
    await makeToken(page, 'worker', 'Night shift')
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Remove Night shift' }).click()
    await confirm(page, 'Remove')
    await page.getByText('Cloud agent removed').waitFor()
    assert.equal(await page.getByText('worker').count(), 0)
  },

  async 'a member is found in the directory, viewed and left again'({ service, page, go, look }) {
    await service.addMember({ headline: 'Countess of Lovelace' })
    await service.addMember({ username: 'alan', name: 'Alan Turing' })
    await go('/')
    await page.getByRole('link', { name: 'Directory' }).click()
    await page.getByLabel('Search members').fill('countess')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=countess/)
    assert.equal(await page.getByRole('link', { name: 'Alan Turing' }).count(), 0)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
    await look('a profile')
    await page.goBack()
    assert.equal(await page.getByLabel('Search members').inputValue(), 'countess')
  },

  async 'the documentation is searched and read'({ page, go, look }) {
    await go('/docs')
    await page.getByRole('search').getByRole('searchbox').fill('refresh token')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=refresh/)
    await look('the search results')
    await page.locator('.found a').first().click()
    await page.waitForURL(/\/docs\/[a-z]/)
    await look('a page of the documentation')
  },

  async 'a job is stopped, credits are shown, and a change is undone'(journey) {
    const { service, page, go, look } = journey
    const memberId = await enter(journey)
    const now = service.clock.now()
    const job = { job_id: JOB_ID, now, lease_until: now + HOUR }
    await service.database.member(memberId).write((tx) => tx.run(ADD_JOB, job))
    const token = await service.mintToken()
    await askTool(service.url, token, 'add_connections', { name: 'Alan Turing' })
    await go(jobPath(JOB_ID))
    await page.getByRole('button', { name: 'Stop' }).first().click()
    await confirm(page, 'Stop')
    await page.getByRole('status').first().waitFor()
    await look('a job that is stopped')
    await go('/user/credits')
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
    await look('credits')
    await go('/user/activity')
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await page.getByRole('status').waitFor()
    await look('an undone change')
  },
}

for (const [how, javaScriptEnabled] of [
  ['with', true],
  ['without', false],
] as const)
  for (const [name, journey] of Object.entries(JOURNEYS))
    test(`${name}, ${how} a script`, { skip: browserMissing }, async () => {
      await using service = await startTestService()
      await using opened = await openBrowser()
      const page = await opened.browser.newPage({
        viewport: PHONE,
        javaScriptEnabled,
        reducedMotion: 'reduce',
      })
      const complaints = complaintsOf(page)
      await journey({
        service,
        page,
        go: async (path) => void (await page.goto(service.url + path)),
        // The page is the same without a script, but can only be inspected with one.
        look: (about) => (javaScriptEnabled ? judge(page, about) : Promise.resolve()),
      })
      assert.deepEqual(complaints, [])
    })

/** Signs in Ada and returns her member ID. */
async function enter({ service, page, go }: Omit<Journey, 'look'>): Promise<number> {
  const member = await service.addMember()
  await givePassword(service, member)
  await go('/sign-in')
  await signIn(page, 'ada', PASSWORD)
  await page.getByRole('heading', { name: 'Welcome, Ada', level: 1 }).waitFor()
  return member.memberId
}

async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Email or username').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The name of the focused field. */
async function focused(page: Page): Promise<string | null> {
  return page.locator(':focus').getAttribute('name')
}

/** The confirm button of a dialog. */
async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

async function makeToken(page: Page, name: string, agent?: string): Promise<void> {
  await page.locator('summary', { hasText: 'New token' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  if (agent !== undefined) {
    const agentName = page.getByLabel('Name of the new cloud agent')
    assert.equal(await agentName.isVisible(), false)
    await page.getByLabel('Used by').selectOption('new')
    await agentName.fill(agent)
  }
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create token' }).click()
}

function write<Result>(
  { database, clock }: TestService,
  work: (tx: Transaction, now: number) => Promise<Result>,
): Promise<Result> {
  return database.write((tx) => work(tx, clock.now()))
}

const JOB_ID = 7

/** A job leased by another worker. */
const ADD_JOB = memberStatement<{ job_id: number; now: number; lease_until: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, progress_done, progress_total, worker, lease_until,
    created_at, started_at)
  values (:job_id, :member_id, 'purge_deleted', 'running', '{}', 10, 100, 'elsewhere', :lease_until, :now, :now)`)
