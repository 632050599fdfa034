import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, DESK, evaluate, judge, PHONE } from './judge.ts'
import { openWindows } from './windows.ts'

const PATH = '/user/connections'
const LOOKS = { skip: browserMissing }

test('the palette and single keys work on lists and on the page of a person', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const page = await world.open({ viewport: { width: 1280, height: 900 } })
  const complaints = complaintsOf(page)
  await page.goto('/user')
  const people = ['Alan Turing', 'Grace Hopper'].map((name) => ({ name, company: 'Navy' }))
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections: people })
  await page.goto('/user/account')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('link', { name: 'Add person' }).waitFor()
  await palette.getByRole('searchbox').fill('hop')
  await palette.getByRole('link', { name: /Grace Hopper/ }).waitFor()
  await judge(page, 'the palette')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/c_2/)
  await page.keyboard.press('n')
  await page.keyboard.type('Met j')
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Met j')
  await page.keyboard.press('Control+Enter')
  await page.locator('.note-text').getByText('Met j').waitFor()
  // What was saved is no draft, also if the keyboard sent it.
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), '')
  await page.reload()
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), '')
  // The field has the focus in the same task: the next key would open the editor otherwise.
  const OPEN = "document.querySelector('#plan summary').click(), document.activeElement.name"
  assert.equal(await evaluate(page, OPEN), 'follow_up')
  await page.keyboard.type('Send the deck')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('status').filter({ hasText: 'Added a follow-up' }).waitFor()
  await page.goto(PATH)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  assert.ok(await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).isChecked())
  await page.keyboard.press('x')
  await page.keyboard.press('k')
  await page.keyboard.press('t')
  await page.waitForURL(/c_1.*#tags$/)
  await page.getByLabel('Tag', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.goto(PATH)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await judge(page, 'the shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.locator('main #q:focus').waitFor()
  await page.goto('/user/account')
  await page.getByRole('button', { name: 'Turn off single keys' }).click()
  await page.getByText('Single keys are off').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  assert.equal(await page.getByRole('dialog').count(), 1)
  assert.deepEqual(complaints, [])
})

test('an email opens in the mail program, and the palette closes', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const input = { name: 'Grace Hopper', emails: ['grace@navy.example'] }
  await askTool(service.url, await service.mintToken(), 'add_connections', input)
  const page = await world.open({ viewport: DESK })
  await page.goto('/user/account')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('searchbox').fill('email Grace')
  const write = palette.getByRole('link', { name: 'Write to Grace Hopper' })
  await write.waitFor()
  assert.equal(await write.getAttribute('href'), 'mailto:grace@navy.example')
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'hidden' })
  assert.match(page.url(), /account$/)
})

test('the palette acts on the selection of the list', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const page = await world.open({ viewport: { width: 1280, height: 900 } })
  const complaints = complaintsOf(page)
  await page.goto('/user')
  const connections = ['Alan Turing', 'Grace Hopper', 'Ida Rhodes'].map((name) => ({ name }))
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
  await page.goto(PATH)
  for (const name of ['Alan Turing', 'Ida Rhodes'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.press('Control+k')
  await palette.getByRole('heading', { name: '2 selected people' }).waitFor()
  await judge(page, 'the palette for a selection')
  await palette.getByRole('searchbox').fill('tag')
  await palette.getByRole('link', { name: 'Log contact' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.locator('#bulk-tag:focus').waitFor()
  assert.ok(!(await palette.isVisible()))
  await page.keyboard.type('codes')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByRole('status').filter({ hasText: 'Changed the tags of' }).waitFor()
  assert.equal(await page.locator('td.tags', { hasText: 'codes' }).count(), 2)
  // With a selection, t, c and l are for all of it, whichever row has the focus.
  const row = page.getByRole('link', { name: 'Grace Hopper' })
  for (const name of ['Alan Turing', 'Ida Rhodes'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const fields = { t: '#bulk-tag', c: '#bulk-log textarea', l: '#bulk-follow-up' }
  for (const [key, field] of Object.entries(fields)) {
    await row.focus()
    await page.keyboard.press(key)
    await page.locator(`${field}:focus`).waitFor()
  }
  await page.keyboard.type('Send the slides')
  await page.getByLabel('Due date').fill('2031-02-03')
  await page.getByRole('button', { name: 'Add follow-up' }).click()
  await page.getByRole('status').filter({ hasText: 'Added a follow-up' }).waitFor()
  await row.focus()
  await page.keyboard.press('l')
  assert.equal(await page.locator('#bulk-follow-up').isVisible(), false)
  for (const name of ['Alan Turing', 'Grace Hopper'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.keyboard.press('Control+k')
  await palette.getByRole('link', { name: 'Merge' }).click()
  await page.getByRole('heading', { name: /Merge/ }).first().waitFor()
  assert.deepEqual(complaints, [])
})

test('what opens from the bar of the selection closes by Escape and beside it', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  await askTool(service.url, await service.mintToken(), 'add_connections', { name: 'Alan Turing' })
  const page = await world.open({ viewport: DESK })
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    await page.goto(PATH)
    if (viewport === PHONE) await page.locator('.selecting').click()
    await page.getByRole('checkbox', { name: 'Select Alan Turing' }).check()
    const bar = page.locator('.bulk-bar')
    for (const label of ['Tag', 'Log', 'Follow up', 'Cadence', 'Delete']) {
      const button = bar.locator('summary', { hasText: label })
      const box = button.locator('..')
      const open = async () => {
        if (!(await button.isVisible()))
          await bar.getByRole('button', { name: 'More actions' }).click()
        await button.click()
        assert.notEqual(await box.getAttribute('open'), null, label)
      }
      await open()
      await box.locator('input, textarea, select, button').last().focus()
      await page.keyboard.press('Escape')
      assert.equal(await box.getAttribute('open'), null, label)
      assert.ok(await button.evaluate((one) => one.matches(':focus')), label)
      await open()
      await page.mouse.click(4, 4)
      assert.equal(await box.getAttribute('open'), null, label)
    }
    assert.ok(await bar.isVisible(), 'the selection is kept')
  }
  await page.setViewportSize(DESK)
  await page.goto(PATH)
  await page.getByRole('checkbox', { name: 'Select Alan Turing' }).check()
  await page.keyboard.press('t')
  await page.locator('#bulk-tag:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#bulk-tagging > summary:focus').waitFor()
  assert.equal(await page.locator('#bulk-tag').isVisible(), false)
})

for (const language of ['en', 'de'])
  test(`the bar of the selection is one line on a phone (${language})`, LOOKS, async () => {
    await using world = await openWindows()
    const { service } = world
    const page = await world.open({ viewport: PHONE, locale: language })
    const complaints = complaintsOf(page)
    await page.goto('/user')
    // More rows than fit on the screen, some of which are not laid out.
    const connections = Array.from({ length: 40 }, (_, at) => ({ name: `Person ${at}` }))
    await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
    await page.goto(PATH)
    await page.locator('.selecting').click()
    const boxes = page.locator('.pick input')
    const target = await boxes.first().boundingBox()
    assert.ok(target && target.width >= 24 && target.height >= 24, JSON.stringify(target))
    for (const at of [0, 1, 39]) await boxes.nth(at).check()
    const bar = page.locator('.bulk-bar')
    // What is left out of the layout is left out of the count of the style sheet.
    const uncounted = await page.evaluate(
      `[...document.querySelectorAll('tr:has(:checked)')].filter((row) => getComputedStyle(row).contentVisibility !== 'visible').length`,
    )
    assert.equal(uncounted, 0)
    const box = await bar.boundingBox()
    assert.ok(box && box.height < 56, `${box?.height}`)
    const tops = await bar
      .locator('summary:visible, button:visible')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    assert.equal(tops.length, 3)
    assert.equal(new Set(tops).size, 1)
    await judge(page, 'the bar of the selection')
    await bar.locator('.more').click()
    const menu = page.locator('#bulk-more')
    await menu.locator('#bulk-plan > summary').click()
    await menu.locator('#bulk-follow-up').fill('Call')
    await menu.locator('#bulk-due').fill('2031-02-03')
    await judge(page, 'the menu of the selection')
    await menu.getByRole('button', { name: /follow-up|Wiedervorlage/ }).click()
    await page.locator('.notice', { hasText: /Added a follow-up|Wiedervorlage/ }).waitFor()
    assert.deepEqual(complaints, [])
  })

test(
  'no key is lost when the palette opens, and Enter waits for what is offered',
  LOOKS,
  async () => {
    await using world = await openWindows()
    const { service } = world
    const people = ['Alan Turing', 'Grace Hopper'].map((name) => ({ name }))
    await askTool(service.url, await service.mintToken(), 'add_connections', {
      connections: people,
    })
    const page = await world.open({ viewport: DESK })
    const complaints = complaintsOf(page)
    // Earlier answers come after the last one.
    const { promise: last, resolve: answered } = Promise.withResolvers<void>()
    const isLast = (address: string) => new URL(address).searchParams.get('q') === 'grace hopper'
    await page.route('**/user/palette?*', async (route) => {
      if (!isLast(route.request().url())) await last
      await route.continue().catch(() => {})
    })
    page.on('response', (response) => isLast(response.url()) && answered())
    await page.goto('/user/account')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('grace hopper')
    await page.keyboard.press('Enter')
    await page.waitForURL(/c_2$/)
    // What is typed after Enter is meant, too.
    await page.unroute('**/user/palette?*')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('agent', { delay: 0 })
    await page.keyboard.press('Enter')
    await page.keyboard.type('s')
    await page
      .getByRole('dialog', { name: 'Search' })
      .getByRole('link', { name: 'Agents', exact: true })
      .waitFor()
    await page.keyboard.press('Escape')
    // Offline, the list of people is opened, which the browser can try again.
    await page.route('**/user/palette?*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type('zuse')
    await page.keyboard.press('Enter')
    await page.waitForURL(/connections\?(?:.*&)?q=zuse/)
    assert.deepEqual(
      complaints.filter((one) => !/Failed to load/.test(one)),
      [],
    )
  },
)

test('the shortcuts are shown on the page of the account by their link', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: DESK })
  await page.goto('/user/account')
  const title = page.locator('main .shortcuts h2')
  assert.equal(await title.isVisible(), false)
  await page.getByRole('link', { name: 'All shortcuts' }).click()
  await title.waitFor()
  await judge(page, 'the account with its shortcuts')
})

test('the palette and the page that asks for a person work on a phone', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  await askTool(service.url, await service.mintToken(), 'add_connections', { name: 'Alan Turing' })
  const page = await world.open({ viewport: PHONE })
  await page.goto('/user/account')
  await page.getByRole('link', { name: 'Search' }).click()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByLabel('Search people, pages and actions').fill('import')
  await palette.getByRole('link', { name: 'Import contacts' }).waitFor()
  await judge(page, 'the palette on a phone')
  await page.goto('/user/search?then=log')
  await page.locator('main').getByRole('searchbox').fill('tur')
  await page.keyboard.press('Enter')
  await page.waitForURL(/c_1\?edit=contact/)
})

/** Two uncertain pairs: people with one name whose emails differ. */
const LOOKALIKES = ['Mary Fairfax', 'Ida Rhodes', 'Joan Clarke'].flatMap((name) => [
  { name, company: 'Navy', emails: [`${name.slice(0, 3).toLowerCase()}@one.example`] },
  {
    name,
    company: 'Navy',
    emails: [`${name.slice(0, 3).toLowerCase()}@two.example`],
    allow_duplicate: true,
  },
])

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'by keys' : 'without a script'

  test(`duplicates are merged, told apart and skipped ${how}`, LOOKS, async () => {
    await using world = await openWindows()
    const { service } = world
    for (const one of LOOKALIKES)
      await askTool(service.url, await service.mintToken(), 'add_connections', one)
    const page = await world.open({ javaScriptEnabled })
    const press = async (key: string, name: RegExp | string) => {
      if (javaScriptEnabled) return page.keyboard.press(key)
      const panel = page.locator('.sitting')
      return panel.getByRole('button', { name }).or(panel.getByRole('link', { name })).click()
    }
    await page.goto(`${PATH}/duplicates`)
    await page.getByText('1 of 3 to review').waitFor()
    const first = await page.locator('.sitting h2 bdi').textContent()
    await press('s', 'Skip')
    await page.getByText('2 of 3 to review').waitFor()
    const second = await page.locator('.sitting h2 bdi').textContent()
    assert.notEqual(second, first)
    await press('y', /^Merge into/)
    await page.getByText(`Merged 1 person into ${second}`).first().waitFor()
    // The page goes on where it was, after the skipped one.
    await page.getByText('2 of 2 to review').waitFor()
    await press('n', /^Not the same/)
    await page
      .getByRole('status')
      .getByText(/^Marked as different people:/)
      .waitFor()
    await page.getByText('You skipped 1').waitFor()
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.getByText('1 of 1 to review').waitFor()
    assert.equal(await page.locator('.sitting h2 bdi').textContent(), first)
    if (!javaScriptEnabled) return
    // Keys count only while the focus is in the panel, and not while a search is typed.
    await page.getByRole('link', { name: 'Search or do' }).click()
    await page.getByLabel('Search people, pages and actions').fill('y')
    await page.keyboard.type('ns')
    await page.keyboard.press('Escape')
    await page.getByText('1 of 1 to review').waitFor()
  })
}

test('Enter opens the row in focus, and e edits it or the person of the page', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const people = ['Alan Turing', 'Grace Hopper'].map((name) => ({ name }))
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections: people })
  const page = await world.open()
  await page.goto(PATH)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.waitForURL(/c_1\/edit/)
  await page.goto(PATH)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/c_1\?in=/)
  await page.keyboard.press('e')
  await page.waitForURL(/c_1\/edit/)
  await page.goto(`${PATH}/c_1`)
  await page.getByRole('link', { name: 'Log contact' }).click()
  await page.getByLabel('What was said (optional)').and(page.locator(':focus')).waitFor()
  await page.goto(`${PATH}/c_1`)
  await page.keyboard.press('c')
  await page.getByLabel('What was said (optional)').and(page.locator(':focus')).waitFor()
  await page.goto(`${PATH}/c_1`)
  const said = page.getByLabel('What was said (optional)')
  const contact = page.getByText('Call or meeting', { exact: true })
  await contact.click()
  await said.and(page.locator(':focus')).waitFor()
  // The form that is open stays so, and has the focus again.
  await contact.focus()
  await page.keyboard.press('Enter')
  await said.and(page.locator(':focus')).waitFor()
  await contact.click()
  await said.and(page.locator(':focus')).waitFor()
  await page.goto(`${PATH}/c_1?in=`)
  await page.keyboard.press('j')
  await page.waitForURL(/c_2\?in=/)
  await page.keyboard.press('k')
  await page.waitForURL(/c_1\?in=/)
})

test('a choice that is saved at once keeps the focus', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  await askTool(service.url, await service.mintToken(), 'add_connections', { name: 'Alan Turing' })
  const page = await world.open()
  await page.goto(`${PATH}/c_1`)
  await page.locator('#cadence').selectOption({ label: 'Every month' })
  await page.waitForURL(/change=/)
  await page.locator('#cadence:focus').waitFor()
  await page.goto(PATH)
  await page.locator('.columns-menu > summary').click()
  await page.getByRole('checkbox', { name: 'Phone' }).check()
  await page.waitForURL(/choosing=/)
  await page.getByRole('checkbox', { name: 'Phone' }).and(page.locator(':focus')).waitFor()
  await page.goto('/user/follow-ups#follow_up')
  await page.locator('#follow_up:focus').waitFor()
})
