import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createLink } from '../../src/access/one-time-link.ts'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { joinAddress } from '../../src/sign-in/session/one-time-link-url.ts'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { PASSWORD } from '../support/password.ts'
import { openVisitor } from '../support/visitor.ts'
import { complaintsOf, DESK, evaluate, judge, PHONE } from './judge.ts'
import { openWindows, type Windows } from './windows.ts'

const LOOKS = { skip: browserMissing }

/** Counts the clicks of a person. */
function clicker() {
  const clicks = { count: 0 }
  const click = async (target: Locator) => {
    clicks.count += 1
    await target.click()
  }
  return { clicks, click }
}

/** Ada on Monday 23 November 2026, with three people to contact again and two follow-ups. */
async function openMonday({ service }: Windows): Promise<void> {
  const token = await service.mintToken()
  const ask = (tool: string, input: object) => askTool(service.url, token, tool, input)
  const names = ['Wiktor Duarte', 'Rosa Cohen', 'Farid Eriksen', 'Tilda Kim', 'Amélie Castellanos']
  await ask('add_connections', { connections: names.map((name) => ({ name, title: 'Partner' })) })
  for (const [at, on] of ['2025-03-04', '2025-07-04', '2026-01-04'].entries()) {
    const people = [`c_${at + 1}`]
    await ask('log_interaction', { people, kind: 'call', on })
    await ask('keep_in_touch', { people, every: 1, unit: 'month' })
  }
  await ask('save_follow_up', { people: 'c_4', text: 'Send the deck', due_on: '2026-11-15' })
  await ask('save_follow_up', { people: 'c_5', text: 'Ask about the flat', due_on: '2026-11-23' })
  service.clock.advance(2 * DAY)
}

/** Where the heading and the window are. */
async function placeOf(page: Page): Promise<{ top: number; scrolled: number }> {
  const place = await evaluate(
    page,
    `({ top: document.querySelector('h1').getBoundingClientRect().top, scrolled: scrollY })`,
  )
  return place as { top: number; scrolled: number }
}

/** Asserts that the elements are whole within the window, and that nothing lies on their middle. */
async function isInSight(page: Page, selectors: readonly string[]): Promise<void> {
  const wrong = await evaluate(
    page,
    `${JSON.stringify(selectors)}.filter((selector) => {
      const one = document.querySelector(selector)
      const { left, top, right, bottom } = one.getBoundingClientRect()
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || !one.contains(at)
    })`,
  )
  assert.deepEqual(wrong, [], 'clipped or covered')
}

test('from joining to ten cadences in fifteen clicks', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const invitation = { purpose: 'invite', lifetime: HOUR } as const
  const { secret } = await service.database.write((tx) =>
    createLink(tx, invitation, service.clock.now()),
  )
  const page = await world.open({ viewport: DESK }, openVisitor(service.url))
  const complaints = complaintsOf(page)
  const { clicks, click } = clicker()
  await page.goto(joinAddress('', secret))
  await page.getByLabel('Name', { exact: true }).fill('Ева Новак')
  await page.getByLabel('Email').fill('eva@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByText('/human/eva-novak').waitFor()
  assert.equal(await page.getByLabel('Username').inputValue(), 'eva-novak')
  await click(page.getByRole('button', { name: 'Join' }))
  await page.getByRole('heading', { name: 'Welcome, Ева', level: 1 }).waitFor()
  await judge(page, 'the first day without people')
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport)
    await isInSight(page, ['.set-up .now .button'])
  }
  await click(page.getByRole('link', { name: 'Choose a file' }))
  const people = Array.from(
    { length: 24 },
    (_, at) => `Person ${at} of a long name,p${at}@example.org,199${at % 10}-12-0${(at % 9) + 1}`,
  )
  await page.getByLabel('Contact file').setInputFiles({
    name: 'contacts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Name,Email,Birthday', ...people].join('\n')),
  })
  await click(page.getByRole('button', { name: 'Preview import' }))
  await page.getByRole('heading', { name: 'Import preview' }).waitFor()
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport)
    await isInSight(page, ['button[value=import]'])
  }
  await click(page.getByRole('button', { name: 'Import', exact: true }))
  await click(page.getByRole('link', { name: 'Pick people to get in touch with' }))
  await page.getByRole('heading', { name: '24 people are here, Ева', level: 1 }).waitFor()
  await judge(page, 'the first day after an import', 'dark')
  for (let picked = 1; picked <= 10; picked += 1) {
    const row = page.getByRole('group', { name: /^Cadence for/ }).nth(picked - 1)
    const name = picked % 2 === 0 ? 'Quarter' : 'Month'
    const choice = row.getByText(name)
    await choice.scrollIntoViewIfNeeded()
    const before = await placeOf(page)
    await click(choice)
    if (picked === 10) break
    await page.getByText(`${picked} of 10`).waitFor()
    assert.deepEqual(await placeOf(page), before, 'the page does not move')
    assert.ok(await row.getByRole('radio', { name }).isChecked())
  }
  await page.getByText('10 of 10').waitFor()
  await isInSight(page, ['.pick a.button[href="/user"]'])
  assert.equal(clicks.count, 15)
  await judge(page, 'ten cadences')
  await click(page.getByRole('link', { name: 'Go to Today' }))
  await page.getByRole('heading', { name: 'Saturday 21 November', level: 1 }).waitFor()
  assert.deepEqual(complaints, [])
})

test('three contacts of a Monday are logged in four clicks on the page', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  await endFirstDay(world)
  const page = await world.open({ viewport: DESK })
  const complaints = complaintsOf(page)
  const { clicks, click } = clicker()
  await page.goto('/user')
  await page.getByRole('heading', { name: 'Monday 23 November', level: 1 }).waitFor()
  let loads = 0
  page.on('load', () => (loads += 1))
  const before = await placeOf(page)
  const row = page.locator('#c_1')
  await row.hover()
  await click(row.getByRole('link', { name: 'Log a contact with Wiktor Duarte' }).first())
  for (const [said, button] of [
    ['Moved to Lisbon.', 'Log, then Rosa'],
    ['Has a new job.', 'Log, then Farid'],
    ['Wants an introduction.', 'Log contact'],
  ] as const) {
    await page.getByText('Next contact by Wed 23 Dec 2026.', { exact: true }).first().waitFor()
    await page.locator('.logging textarea:focus').waitFor()
    await page.keyboard.type(said)
    await click(page.locator('.logging').getByRole('button', { name: button }))
    await page.getByText(/Logged a call with .* Next contact by Wed 23 Dec/).waitFor()
    await page.getByText(said).waitFor({ state: 'detached' })
    assert.deepEqual(await placeOf(page), before, 'the page does not move')
  }
  await page.getByText('Get in touch').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/user')
  assert.deepEqual([clicks.count, loads], [4, 0])
  assert.deepEqual(complaints, [])
})

test('keys act on the row in focus, and menus and notices are not covered', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  await endFirstDay(world)
  for (const viewport of [PHONE, DESK]) {
    const page = await world.open({
      viewport,
      ...(viewport === PHONE && { hasTouch: true, isMobile: true }),
    })
    const complaints = complaintsOf(page)
    await page.goto('/user')
    await page.locator('#f_2 a.t').focus()
    await page.keyboard.press('l')
    await page.locator('#later-f_2:popover-open').waitFor()
    await isInSight(page, ['#later-f_2', '#later-f_2 button', '#later-f_2 [name=due_on]'])
    await judge(page, 'a menu')
    await page.locator('#later-f_2 [name=due_on]').fill('in 3 days')
    await page.keyboard.press('Enter')
    await page.locator('[aria-labelledby=coming] #f_2').waitFor()
    assert.equal(await page.locator('.bottom .due').textContent(), '4', 'the bar counts down')
    await page.getByText('Changed a follow-up with').first().waitFor()
    await isInSight(page, ['.toast', '.toast button'])
    await page.locator('.toast button').click()
    await page.locator('[aria-labelledby=follow-ups] #f_2').waitFor()
    await page.locator('#f_2 a.t').focus()
    await page.keyboard.press('c')
    await page.locator('.logging textarea:focus').waitFor()
    await isInSight(page, ['.logging textarea', '.logging button'])
    await judge(page, 'a contact', 'dark')
    await page.keyboard.type('d')
    assert.equal(await page.locator('.logging textarea').inputValue(), 'd', 'not in fields')
    await page.locator('.logging').getByRole('link', { name: 'Cancel' }).click()
    await page.locator('.logging').waitFor({ state: 'detached' })
    await page.locator('#f_1 a.t').focus()
    await page.keyboard.press('d')
    await page.locator('#f_1').waitFor({ state: 'detached' })
    await page.locator('#f_2 a.t:focus').waitFor()
    await page.locator('.toast').getByRole('button', { name: /^Undo/ }).click()
    await page.locator('#f_1').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  }
})

test('Escape leaves the box of a row and of a person, and closes an empty one', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  await endFirstDay(world)
  const page = await world.open({ viewport: DESK })
  const complaints = complaintsOf(page)
  await page.goto('/user')
  const box = page.locator('.logging textarea')
  const [first, second] = [page.locator('#c_1 a.t:focus'), page.locator('#c_2 a.t:focus')]
  await page.locator('#c_1 a.t').focus()
  await page.keyboard.press('c')
  await page.locator('.logging textarea:focus').waitFor()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await first.waitFor()
  await page.keyboard.press('j')
  await second.waitFor()
  await page.keyboard.press('c')
  await page.locator('.logging textarea:focus').waitFor()
  await page.keyboard.type('Moved')
  await page.keyboard.press('Escape')
  await second.waitFor()
  await page.keyboard.press('k')
  await first.waitFor()
  assert.equal(await box.inputValue(), 'Moved')
  await page.goto('/user/connections/c_1')
  const [note, log] = [page.locator('#write textarea'), page.locator('#log textarea')]
  await page.keyboard.press('n')
  await page.keyboard.type('Likes tea')
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  assert.equal(await note.inputValue(), 'Likes tea')
  await page.locator('#log textarea:focus').waitFor()
  await page.keyboard.press('Escape')
  await log.waitFor({ state: 'hidden' })
  await note.waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(complaints, [])
})

for (const viewport of [DESK, PHONE])
  test(
    `a follow-up is added in one field, whose box appears with what is typed, at ${viewport.width} px`,
    LOOKS,
    async () => {
      await using world = await openWindows()
      await openMonday(world)
      await endFirstDay(world)
      const page = await world.open({ viewport })
      const complaints = complaintsOf(page)
      await page.goto('/user')
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/user/follow-ups')) sent += 1
      })
      const [field, button] = [page.locator('#follow_up'), page.locator('.adding button')]
      assert.equal(await button.isVisible(), false)
      await field.click()
      await button.waitFor()
      // Nothing is typed yet.
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await button.waitFor({ state: 'hidden' })
      await field.click()
      await page.keyboard.type('Call Tom')
      await page.keyboard.press('Escape')
      await button.waitFor()
      await field.click()
      await page.keyboard.press('End')
      await page.keyboard.type(' about the boat')
      await judge(page, 'a follow-up that is written')
      await page.keyboard.press('Control+Enter')
      await page.locator('.tasks b').getByText('Call Tom about the boat').waitFor()
      await page.locator('#follow_up:focus').waitFor()
      assert.equal(await field.inputValue(), '')
      assert.equal(new URL(page.url()).pathname, '/user')
      assert.equal(sent, 1)
      assert.deepEqual(complaints, [])
    },
  )

for (const viewport of [DESK, PHONE])
  test(
    `a new follow-up shows what is read from it, and each part is removed, at ${viewport.width} px`,
    LOOKS,
    async () => {
      await using world = await openWindows()
      await openMonday(world)
      await endFirstDay(world)
      const page = await world.open({ viewport })
      const complaints = complaintsOf(page)
      let loads = 0
      await page.goto('/user')
      page.on('load', () => (loads += 1))
      const field = page.locator('#follow_up')
      const chip = (text: string) => page.locator('.adding .chip').getByText(text)
      await field.click()
      await page.keyboard.type('Call the plumber tomorrow at 3pm')
      await chip('tomorrow · 15:00').waitFor()
      await page.locator('.adding .seg').waitFor({ state: 'hidden' })
      await isInSight(page, ['.adding .chip', '.adding .actions button'])
      await judge(page, 'a follow-up that is read')
      await field.press('Enter')
      const coming = page.locator('[aria-labelledby=coming] li :is(bdi, time)')
      await coming.getByText('Call the plumber', { exact: true }).waitFor()
      await coming.getByText('tomorrow · 15:00').waitFor()
      await page.locator('#follow_up:focus:placeholder-shown').waitFor()
      await page.keyboard.type('@Til')
      await page.locator('.mentions [aria-selected=true]').getByText('Tilda Kim').waitFor()
      await field.press('Enter')
      await chip('Tilda Kim').waitFor()
      await page.keyboard.type('send the map')
      await chip('Tilda Kim').click()
      await chip('Tilda Kim').waitFor({ state: 'detached' })
      await page.locator('#follow_up:focus').waitFor()
      await page.keyboard.type(' on Friday')
      assert.equal(await field.inputValue(), '@Tilda Kim send the map on Friday')
      await chip('in 4 days').waitFor()
      await page.locator('.adding [value=day].chip').press('Backspace')
      await chip('in 4 days').waitFor({ state: 'detached' })
      await page.locator('.adding .seg').waitFor()
      await page.locator('#follow_up:focus').press('Enter')
      const due = page.locator('[aria-labelledby=follow-ups] li bdi')
      await due.getByText('Tilda Kim send the map on Friday', { exact: true }).waitFor()
      assert.equal(loads, 0, 'the page stays')
      assert.deepEqual(complaints, [])
    },
  )

test(
  'rows of a phone end at the edge of the page, with the person below what is to be done',
  LOOKS,
  async () => {
    await using world = await openWindows()
    await openMonday(world)
    await endFirstDay(world)
    const page = await world.open({ viewport: PHONE, hasTouch: true, isMobile: true })
    for (const path of ['/user', '/user/follow-ups']) {
      await page.goto(path)
      const wrong = await evaluate(
        page,
        `[...document.querySelectorAll('.tasks > li[id]:has(> form)')].filter((row) => {
        const box = (name) => row.querySelector(name).getBoundingClientRect()
        const [title, about, when] = ['.t', '.about', '.when'].map(box)
        const [act] = [...row.querySelectorAll('.acts > .act .icon')].filter((one) => one.checkVisibility())
        const days = document.querySelector('.days').getBoundingClientRect()
        const isBelow = about.top - title.bottom < 4 && about.left === title.left
        const isInLine = Math.abs(about.top + about.bottom - when.top - when.bottom) < 4
        const isAtEdge = Math.abs(act.getBoundingClientRect().right - days.right) < 4
        return !isBelow || !isInLine || !isAtEdge
      }).map((row) => row.innerText)`,
      )
      assert.deepEqual(wrong, [], path)
    }
  },
)

test('a click on a follow-up edits it in its row', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  await endFirstDay(world)
  const page = await world.open({ viewport: DESK })
  const complaints = complaintsOf(page)
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto('/user')
  const [row, field] = [page.locator('#f_2 a.t'), page.locator('#edited-follow_up')]
  await row.click()
  await page.locator('#edited-follow_up:focus').waitFor()
  await judge(page, 'a follow-up that is edited')
  await page.locator('#f_2 .about').getByText('Amélie Castellanos').waitFor()
  await page.locator('#f_2').getByText('Tomorrow').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .locator('[aria-labelledby=coming] #f_2')
    .getByText('tomorrow', { exact: true })
    .waitFor()
  await row.click()
  await page.locator('#edited-follow_up:focus').waitFor()
  await page.locator('#f_2').getByText('Today', { exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-labelledby=follow-ups] #f_2 a.t').click()
  await page.locator('#edited-follow_up:focus').waitFor()
  await page.keyboard.press('Escape')
  await row.waitFor()
  await row.click()
  await field.fill(' ')
  await page.keyboard.press('Enter')
  // The browser shows what was rejected.
  await page.locator('#follow_up[aria-invalid]').fill('Ask about the boat')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('#f_2 b').getByText('Ask about the boat').waitFor()
  const before = loads
  await row.click()
  await page.getByRole('button', { name: 'Delete follow-up' }).click()
  await page.locator('.toast').getByRole('button', { name: /^Undo/ }).click()
  await page.locator('#f_2 b').getByText('Ask about the boat').waitFor()
  assert.equal(loads, before, 'the page stays')
  await page.locator('#f_2').getByRole('link', { name: 'Amélie Castellanos', exact: true }).click()
  await page.getByRole('heading', { name: 'Amélie Castellanos', level: 1 }).waitFor()
  assert.deepEqual(complaints, [])
})

for (const javaScriptEnabled of [true, false])
  test(
    `the plus opens the box of a follow-up ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    LOOKS,
    async () => {
      await using world = await openWindows()
      const page = await world.open({ viewport: PHONE, javaScriptEnabled })
      // From another page, and from this one.
      for (const from of ['/user', '/user/follow-ups']) {
        await page.goto(from)
        await page.locator('[popovertarget=add-menu]:visible').click()
        await page.locator('#add-menu').getByRole('link', { name: 'Add follow-up' }).click()
        await page.locator('#follow_up').and(page.locator(':focus')).waitFor()
        await page.keyboard.type('Renew')
        assert.equal(await page.locator('#follow_up').inputValue(), 'Renew')
        if (javaScriptEnabled) await page.locator('#add-menu').waitFor({ state: 'hidden' })
      }
    },
  )

test('a cadence is removed in its row, which keeps the focus and its place', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  const page = await world.open({ viewport: PHONE })
  await page.goto('/user')
  const group = page.getByRole('group', { name: 'Cadence for Tilda Kim' })
  const quarter = group.getByRole('radio', { name: 'Quarter' })
  const work = group.locator('..').locator('small')
  const placesOf = () =>
    Promise.all(
      [quarter, work].map(async (one) => {
        const { x, width } = (await one.boundingBox()) ?? {}
        return { x, width }
      }),
    )
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    const before = await placesOf()
    await quarter.focus()
    await page.keyboard.press('Space')
    await page.getByText('4 of 10').waitFor()
    assert.deepEqual(await placesOf(), before)
    if (viewport === PHONE) break
    await group.getByRole('radio', { name: 'No cadence' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('3 of 10').waitFor()
  }
  await group.getByRole('radio', { name: 'No cadence' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('3 of 10').waitFor()
  await group.locator(':focus').waitFor()
  assert.equal(await group.getByRole('radio', { checked: true }).count(), 0)
})

test('dialogs open over a row in focus, and Escape returns to it', LOOKS, async () => {
  await using world = await openWindows()
  await openMonday(world)
  await endFirstDay(world)
  const page = await world.open({ viewport: DESK })
  const complaints = complaintsOf(page)
  for (const path of ['/user', '/user/follow-ups', '/user/connections']) {
    await page.goto(path)
    let loads = 0
    const count = () => (loads += 1)
    page.on('load', count)
    await page.keyboard.press('j')
    const row = '[data-keys] a.t:focus, #people .name a:focus'
    await page.locator(row).waitFor()
    const focused = await page.locator(row).getAttribute('href')
    for (const [key, name] of [
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      assert.equal(await page.locator(row).getAttribute('href'), focused)
    }
    assert.deepEqual([new URL(page.url()).pathname, loads], [path, 0])
    page.off('load', count)
  }
  assert.deepEqual(complaints, [])
})

test(
  'without scripts, contacts are logged, follow-ups put off and cadences saved',
  LOOKS,
  async () => {
    await using world = await openWindows()
    await openMonday(world)
    const page = await world.open({ viewport: DESK, javaScriptEnabled: false })
    await page.goto('/user')
    const group = page.getByRole('group', { name: 'Cadence for Tilda Kim' })
    await group.getByText('Quarter').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('4 of 10').waitFor()
    assert.ok(await group.getByRole('radio', { name: 'Quarter' }).isChecked())
    await page.getByRole('button', { name: 'Hide these suggestions' }).click()
    await page.locator('#c_1').hover()
    await page
      .locator('#c_1')
      .getByRole('link', { name: /^Log a contact/ })
      .first()
      .click()
    await page.locator('.logging textarea:focus').waitFor()
    await page.getByRole('button', { name: 'Log, then Rosa' }).click()
    await page.getByText('Logged a call with Wiktor Duarte').first().waitFor()
    const { top } = await placeOf(page)
    assert.ok(top >= 0, 'the heading is in sight')
    await page.locator('#f_2').hover()
    await page
      .locator('#f_2')
      .getByRole('button', { name: /^Snooze/ })
      .click()
    await page.getByRole('button', { name: 'In a week' }).click()
    await page.locator('[aria-labelledby=coming] #f_2').waitFor()
    const add = page.locator('.adding').getByRole('button', { name: 'Add follow-up' })
    await page.locator('#follow_up').fill('Call Tom tomorrow')
    await add.click()
    await page.getByText('Check this, then add it.').waitFor()
    await page.locator('.adding .chip').getByText('tomorrow').waitFor()
    await add.click()
    await page
      .locator('[aria-labelledby=coming] b')
      .getByText('Call Tom', { exact: true })
      .waitFor()
  },
)

test('a form of a tour answers in place and keeps what was typed', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: DESK }, openVisitor(world.service.url))
  const complaints = complaintsOf(page)
  await page.goto('/tour')
  await page.goto('/user/connections/c_1')
  const field = page.getByRole('textbox', { name: 'Note', exact: true })
  await field.fill('Met at the harbor')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('alert').getByText('This is a tour: nothing can be changed.').waitFor()
  assert.equal(new URL(page.url()).pathname, '/user/connections/c_1')
  assert.equal(await field.inputValue(), 'Met at the harbor')
  assert.deepEqual(complaints, [])
})

/** Leaves only what is due on the page. */
async function endFirstDay({ ada }: Windows): Promise<void> {
  await ada.submit(await ada.get('/user'), {}, 'Hide these suggestions')
}
