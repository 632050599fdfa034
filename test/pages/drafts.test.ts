/** Drafts of notes, interactions, people and the profile, which outlive their tab. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { endAllSessions } from '../../src/access/browser-session.ts'
import { join } from '../fixtures/account.ts'
import { askTool } from '../fixtures/member.ts'
import { pngOf } from '../fixtures/photos.ts'
import { browserMissing } from '../support/browser.ts'
import { PASSWORD } from '../support/password.ts'
import { complaintsOf, judge } from './judge.ts'
import { cookiesOf, openWindows } from './windows.ts'

const PERSON = '/user/connections/c_1'
const LOOKS = { skip: browserMissing }
const noteOf = (page: Page) => page.getByRole('textbox', { name: 'Note', exact: true })
const saved = (page: Page) => page.getByRole('status').getByText('Added a note').first().waitFor()
const stored = (page: Page) =>
  page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('weft-draft')).length")

async function openWorld() {
  const world = await openWindows()
  const token = await world.service.mintToken()
  await askTool(world.service.url, token, 'add_connections', { name: 'Alan Turing' })
  return world
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email or username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function tab(page: Page, name: string): Promise<void> {
  await page.locator('.composer > details > summary', { hasText: name }).click()
}

/** A new tab in the same window; the former one is closed. */
async function reopen(page: Page, path = PERSON): Promise<Page> {
  const next = await page.context().newPage()
  await page.close()
  await next.goto(path)
  return next
}

test(
  'a note and a contact that were not saved come back in a new tab, until they are saved',
  LOOKS,
  async () => {
    await using world = await openWorld()
    let page = await world.open()
    const complaints = complaintsOf(page)
    await page.goto(PERSON)
    await noteOf(page).fill('Likes chess')
    await tab(page, 'Call or meeting')
    await page.getByRole('radio', { name: 'Meeting' }).check()
    await page.getByLabel('What was said (optional)').fill('About tea')
    page = await reopen(page)
    assert.ok(await page.getByLabel('What was said (optional)').isVisible())
    assert.ok(await page.getByRole('radio', { name: 'Meeting' }).isChecked())
    await judge(page, 'restored drafts')
    await tab(page, 'Note')
    assert.equal(await noteOf(page).inputValue(), 'Likes chess')
    await page.getByRole('button', { name: 'Add note' }).click()
    await saved(page)
    await tab(page, 'Note')
    assert.equal(await noteOf(page).inputValue(), '')
    // The URL still names the change. What is typed since is another draft.
    await noteOf(page).fill('Plays Go')
    await page.reload()
    await tab(page, 'Note')
    assert.equal(await noteOf(page).inputValue(), 'Plays Go')
    await noteOf(page).fill('')
    await tab(page, 'Call or meeting')
    await page.getByRole('button', { name: 'Log contact' }).click()
    await page.waitForURL(/change=/)
    page = await reopen(page)
    assert.equal(await noteOf(page).inputValue(), '')
    assert.equal(await page.getByLabel('What was said (optional)').isVisible(), false)
    assert.equal(await stored(page), 0)
    assert.deepEqual(complaints, [])
  },
)

test(
  'a note that could not be sent comes back, also where the URL names an earlier change',
  LOOKS,
  async () => {
    await using world = await openWorld()
    const page = await world.open()
    await page.goto(PERSON)
    await noteOf(page).fill('First')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.waitForURL(/change=/)
    const address = page.url()
    await noteOf(page).fill('Second')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.waitForURL(/chrome-error/)
    await page.context().setOffline(false)
    await page.goto(address)
    assert.equal(await noteOf(page).inputValue(), 'Second')
  },
)

test('drafts end after 30 days and on signing out', LOOKS, async () => {
  await using world = await openWorld()
  const { service } = world
  let page = await world.open()
  await page.goto(PERSON)
  await noteOf(page).fill('For a month')
  await page.evaluate(`for (const key of Object.keys(localStorage).filter((key) => key.startsWith('weft-draft'))) {
    const draft = JSON.parse(localStorage[key])
    localStorage[key] = JSON.stringify({ ...draft, at: draft.at - 31 * 24 * 3600 * 1000 })
  }`)
  page = await reopen(page)
  assert.equal(await noteOf(page).inputValue(), '')
  assert.equal(await stored(page), 0)
  await noteOf(page).fill('Only for now')
  assert.equal(await stored(page), 1)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${service.url}/`)
  assert.equal(await stored(page), 0)
})

test(
  'a page of another member removes drafts, but not those of its own member',
  LOOKS,
  async () => {
    await using world = await openWorld()
    const { service, ada } = world
    const grace = await join(service, { username: 'grace', name: 'Grace', email: 'g@example.org' })
    let page = await world.open()
    await page.goto(PERSON)
    await noteOf(page).fill('Only for Ada')
    page = await reopen(page, '/user/connections')
    assert.equal(await stored(page), 1)
    page = await reopen(page, '/docs')
    assert.equal(await stored(page), 1)
    await page.context().addCookies(cookiesOf(grace.visitor))
    page = await reopen(page, '/user/connections')
    assert.equal(await stored(page), 0)
    await page.context().addCookies(cookiesOf(ada))
    page = await reopen(page)
    assert.equal(await noteOf(page).inputValue(), '')
  },
)

test(
  'the page for signing in removes the drafts of a session that ended elsewhere',
  LOOKS,
  async () => {
    await using world = await openWorld()
    const { service, ada } = world
    const page = await world.open()
    await page.goto(PERSON)
    await noteOf(page).fill('Only for Ada')
    await service.database.member(ada.member.memberId).write((tx) => endAllSessions(tx))
    assert.equal(await stored(page), 1)
    await page.goto('/user/connections')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    assert.equal(await stored(page), 0)
  },
)

test('deleting the account removes what the browser has stored', LOOKS, async () => {
  await using world = await openWorld()
  const page = await world.open()
  await page.goto(PERSON)
  await noteOf(page).fill('Only for Ada')
  await page.goto('/user/account')
  await page.evaluate("localStorage.setItem('other', '1')")
  assert.equal(await stored(page), 1)
  await page.locator('summary', { hasText: 'Delete my account' }).click()
  await page.getByLabel('Type ada to confirm').fill('ada')
  await page.locator('[name=delete_password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Delete everything' }).click()
  await page.getByText('Account deleted').first().waitFor()
  assert.equal(await page.evaluate("localStorage.getItem('other')"), null)
  assert.equal(await stored(page), 0)
})

test('after signing in again there is one text, which also outlives its tab', LOOKS, async () => {
  await using world = await openWorld()
  const { service, ada } = world
  let page = await world.open()
  await page.context().clearCookies()
  await page.goto(PERSON)
  await signIn(page)
  await noteOf(page).fill('Likes chess')
  await service.database.member(ada.member.memberId).write((tx) => endAllSessions(tx))
  await page.getByRole('button', { name: 'Add note' }).click()
  await signIn(page)
  await page.getByText('What you typed is filled in').waitFor()
  assert.equal(await noteOf(page).inputValue(), 'Likes chess')
  await noteOf(page).fill('Likes chess and tea')
  page = await reopen(page)
  assert.equal(await noteOf(page).inputValue(), 'Likes chess and tea')
  await page.getByRole('button', { name: 'Add note' }).click()
  await saved(page)
  page = await reopen(page)
  assert.equal(await noteOf(page).inputValue(), '')
  assert.equal(await page.getByText('Likes chess and tea').count(), 1)
})

const photo = () => ({
  name: 'a.png',
  mimeType: 'image/png',
  buffer: Buffer.from(pngOf([90, 20, 20], 64, 64)),
})

test('a photo is uploaded without losing what was typed beside it', LOOKS, async () => {
  await using world = await openWorld()
  let page = await world.open()
  const complaints = complaintsOf(page)
  const headline = () => page.getByLabel('Headline')
  await page.goto('/user/profile')
  await headline().fill('Likes engines')
  await page.locator('#photo').setInputFiles(photo())
  await page.getByText('Photo saved.').waitFor()
  assert.equal(await headline().inputValue(), 'Likes engines')
  await page.locator('aside').getByText('Likes engines').waitFor()
  await page.getByLabel('Username').fill('a b')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Fix the errors below').waitFor()
  page = await reopen(page, '/user/profile')
  assert.equal(await headline().inputValue(), 'Likes engines')
  assert.equal(await page.getByLabel('Username').inputValue(), 'a b')
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Profile saved.').waitFor()
  assert.equal(await stored(page), 0)
  const title = () => page.getByLabel('Title', { exact: true })
  await page.goto(`${PERSON}/edit`)
  await title().fill('Fellow')
  await page.locator('[name=emails-0-value]').fill('turing@example.org')
  await page.getByRole('button', { name: 'Add email' }).click()
  await page.locator('[name^=emails-1][name$=-value]').fill('alan@example.org')
  await page.locator('#photo').setInputFiles(photo())
  await page.waitForURL(/change=/)
  page = await reopen(page, `${PERSON}/edit`)
  assert.equal(await title().inputValue(), 'Fellow')
  assert.equal(await page.locator('[name^=emails-1][name$=-value]').count(), 1)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/c_1\?change=/)
  await page.getByText('alan@example.org').first().waitFor()
  assert.equal(await stored(page), 0)
  await page.goto(`${PERSON}/edit`)
  assert.equal(await title().inputValue(), 'Fellow')
  assert.deepEqual(complaints, [])
})

test('a field that an agent changed meanwhile is not filled in again', LOOKS, async () => {
  await using world = await openWorld()
  const { service } = world
  let page = await world.open()
  await page.goto(`${PERSON}/edit`)
  await page.getByLabel('Title', { exact: true }).fill('Fellow')
  await page.getByLabel('Company').first().fill('Bletchley')
  const change = { people: 'c_1', title: 'Reader' }
  await askTool(service.url, await service.mintToken(), 'update_connections', change)
  page = await reopen(page, `${PERSON}/edit`)
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Reader')
  assert.equal(await page.getByLabel('Company').first().inputValue(), 'Bletchley')
})

test('without a script nothing is stored', LOOKS, async () => {
  await using world = await openWorld()
  const page = await world.open({ javaScriptEnabled: false })
  await page.goto(PERSON)
  await noteOf(page).fill('Likes chess')
  await page.getByRole('button', { name: 'Add note' }).click()
  await saved(page)
})
