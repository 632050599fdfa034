import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { activityPath } from '../../src/html/site-map.ts'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, DESK, evaluate, judge, PHONE } from './judge.ts'
import { openWindows } from './windows.ts'
import type { TestService } from '../support/service.ts'

const PATH = '/user/connections'
const WIDE = 'W'.repeat(120)
const LOOKS = { skip: browserMissing }

test('the connection pages fit every screen', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)
  for (const path of ['', '/new', '/duplicates', '/deleted']) {
    await page.goto(PATH + path)
    await judge(page, `connections${path}, empty`)
  }
  await crowd(world.service)
  for (const path of [
    '',
    '?q=zzz&tag=pioneer',
    '/c_1',
    '/c_1/edit',
    '/c_1/notes/n_1',
    '/c_1/follow-ups/f_1',
    '/duplicates',
    '/deleted',
  ]) {
    await page.goto(PATH + path)
    // What opens over the page covers other controls, so it comes last.
    for (const which of [':not(.dropdown) > summary', '.save-view > summary'])
      // Opening one form of the composer hides what the others show.
      for (const summary of await page.locator(`main ${which}`).all())
        if (await summary.isVisible()) await summary.click()
    await judge(page, `connections${path}`)
  }
  await page.goto(PATH)
  await page.locator('.selecting').click()
  await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByText('Follow up', { exact: true }).click()
  await judge(page, 'connections, one selected')
  await page.goto(`${PATH}/c_1`)
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Note is required').waitFor()
  await judge(page, 'one connection, a note rejected')
  await page.getByLabel('Note', { exact: true }).fill('Met at Harvard')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('status').waitFor()
  await judge(page, 'one connection, a note added')
  await page.emulateMedia({ media: 'print' })
  for (const control of await page.locator('input, textarea, select, button').all())
    assert.equal(await control.isVisible(), false, String(await control.getAttribute('name')))
  await page.getByText('Met at Harvard').first().waitFor()
  await page.emulateMedia({ media: null })
  await page.goto(activityPath('c_1'))
  await judge(page, 'the activity of one')
  await page.goto(`${PATH}/new`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Name is required').waitFor()
  await judge(page, 'a new connection with errors')
  await page.getByLabel('Name', { exact: true }).fill('Grace')
  await page.getByText('More fields').click()
  const remove = page.getByRole('button', { name: 'Remove email address 1' })
  await remove.waitFor({ state: 'hidden' })
  await page.getByLabel('Email address', { exact: true }).fill('grace@navy.example')
  await remove.waitFor()
  const addLink = page.getByRole('button', { name: 'Add link' })
  await addLink.click()
  await page.getByLabel('URL', { exact: true }).fill('https://grace.example')
  await addLink.click()
  await page.getByRole('button', { name: 'Remove link' }).first().click()
  // The rows are added and removed on the page: nothing was sent, and the second row is still empty.
  assert.equal(await page.getByLabel('URL', { exact: true }).inputValue(), '')
  await judge(page, 'a new connection with a further row')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Add anyway' }).waitFor()
  await judge(page, 'a new connection that already exists')
  await page.goto(`${PATH}/duplicates`)
  await page
    .getByRole('button', { name: /^Merge/ })
    .first()
    .click()
  await page.getByRole('status').waitFor()
  await judge(page, 'duplicates, one merged')
  assert.deepEqual(complaints, [])
})

test('the table is replaced while typing', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)
  await crowd(world.service)
  await page.goto(`${PATH}?sort=-name`)
  const field = page.getByLabel('Search people', { exact: true })
  await field.pressSequentially('bletch')
  await page.getByText(/^\d+ of \d+$/).waitFor()
  await page.locator('mark', { hasText: 'Bletchley' }).first().waitFor()
  // Shorter words may be searched first.
  await page.waitForURL(new URL(`${PATH}?q=bletch&sort=-name`, page.url()).href)
  assert.equal(await evaluate(page, 'document.activeElement.id'), 'q')
  await judge(page, 'the table while typing')
  assert.deepEqual(complaints, [])
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with a script' : 'without one'

  test(`a connection is found, tagged, noted and followed up, ${how}`, LOOKS, async () => {
    await using world = await openWindows()
    const page = await world.open({ javaScriptEnabled })
    await crowd(world.service)
    await page.goto(PATH)
    await page.getByLabel('Search people', { exact: true }).fill('bletch')
    if (javaScriptEnabled) await page.keyboard.press('Enter')
    else await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Alan Turing' }).click()
    await page.locator('[popovertarget=add-tag]').click()
    await page.getByLabel('Tag', { exact: true }).fill('codes')
    await page.locator('#add-tag').getByRole('button', { name: 'Add tag' }).click()
    await told(page, 'Changed the tags of Alan Turing')
    await page.getByLabel('Note', { exact: true }).fill('Met at the Park')
    await page.getByRole('button', { name: 'Add note' }).click()
    await told(page, 'Added a note about Alan Turing')
    await page.locator('summary', { hasText: 'Follow-up' }).click()
    await page.getByLabel('What to do').fill('Write about the machine')
    await page.getByLabel('Due date').fill('2026-11-20')
    await page.getByText('Time and repeat').click()
    await page.getByLabel('Repeat').fill('Every month')
    await page.getByRole('button', { name: 'Add follow-up' }).click()
    await told(page, 'Added a follow-up with Alan Turing')
    await page.goto('/user/follow-ups')
    const overdue = page.getByRole('region', { name: 'Overdue' })
    await overdue.getByRole('button', { name: 'Done: Write about the machine' }).click()
    await told(page, 'Next due on Sun 20 Dec 2026')
    const row = page.getByRole('listitem').filter({ hasText: 'Write about the machine' })
    await row.getByRole('link', { name: 'Alan Turing' }).first().click()
    const history = page.getByRole('region', { name: 'Timeline' })
    const entries = history.getByRole('listitem')
    await entries.getByRole('heading', { name: 'Completed: Write about the machine' }).waitFor()
    assert.equal(await entries.count(), 5)
    await history.getByRole('button', { name: 'Undo Added a note' }).click()
    await told(page, 'Undid: Added a note about Alan Turing')
    assert.equal(await page.locator('#n_1').count(), 0)
  })

  test(`a likely duplicate is added, deleted and restored, ${how}`, LOOKS, async () => {
    await using world = await openWindows()
    const page = await world.open({ javaScriptEnabled })
    await crowd(world.service)
    await page.goto(PATH)
    await page.getByRole('link', { name: 'Add person' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Rear Admiral Hopper')
    const remove = page.getByRole('button', { name: 'Remove email address 1' })
    await remove.waitFor({ state: 'hidden' })
    await page.getByLabel('Email address', { exact: true }).fill('grace@navy.example')
    await remove.waitFor()
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await page.getByRole('button', { name: 'Add anyway' }).click()
    await told(page, 'Added Rear Admiral Hopper')
    await page.locator('[popovertarget=more-actions]').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await told(page, 'Deleted Rear Admiral Hopper')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('link', { name: 'Deleted' }).click()
    await page.getByRole('button', { name: 'Restore Rear Admiral Hopper' }).click()
    await told(page, 'Restored Rear Admiral Hopper')
    await page.getByRole('link', { name: /^People/ }).click()
    await page.getByRole('link', { name: 'Rear Admiral Hopper' }).waitFor()
  })

  test(`duplicates are merged and the merge is undone, ${how}`, LOOKS, async () => {
    await using world = await openWindows()
    const page = await world.open({ javaScriptEnabled })
    await crowd(world.service)
    await page.goto(PATH)
    await page.getByRole('link', { name: 'Tidy up' }).click()
    const turing = page.getByRole('region', { name: /Turing/ })
    await skipTo(page, turing)
    await turing.getByRole('radio', { name: /Keep this one.*Alan M. Turing/ }).check()
    await turing.getByRole('button', { name: /^Merge/ }).click()
    await told(page, 'into Alan M. Turing')
    assert.equal(await turing.count(), 0)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Undid: Merged')
    await skipTo(page, turing)
  })
}

for (const javaScriptEnabled of [true, false])
  test(
    `what a merge keeps is marked at its value, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    LOOKS,
    async () => {
      await using world = await openWindows()
      await crowd(world.service)
      for (const viewport of [DESK, PHONE]) {
        const page = await world.open({ javaScriptEnabled, viewport })
        await page.goto(PATH)
        if (viewport === PHONE) await page.locator('.selecting').click()
        await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check()
        await page.getByRole('checkbox', { name: 'Select Alan Turing' }).check()
        if (viewport === PHONE) {
          if (!javaScriptEnabled) continue
          await page.getByRole('button', { name: 'More actions' }).click()
        }
        await page.getByRole('button', { name: 'Merge' }).click()
        const keep = page.locator('.compare thead [type=radio]')
        await keep.first().waitFor()
        const name = page.locator('.compare td input[name=take_name]')
        // By the choice itself or, without one, by the style sheet.
        const filled = () =>
          evaluate(
            page,
            `[...document.querySelectorAll('[name=take_name]')].slice(1)
            .map((one) => one.checked || getComputedStyle(one).appearance === 'none')`,
          )
        assert.deepEqual(await filled(), [true, false])
        await keep.last().check()
        assert.deepEqual(await filled(), [false, true])
        await name.first().check()
        assert.deepEqual(await filled(), [true, false])
        if (viewport === PHONE) continue
        const row = page.locator('.compare tbody tr').first()
        const [label, value] = await row.evaluate((one) =>
          [one.querySelector('th')?.firstChild, one.querySelector('td bdi')?.firstChild].map(
            (text) => {
              const range = one.ownerDocument.createRange()
              if (text) range.selectNodeContents(text)
              return range.getBoundingClientRect().bottom
            },
          ),
        )
        assert.ok(Math.abs((label ?? 0) - (value ?? 99)) < 4, `${label} ${value}`)
      }
    },
  )

test(
  'a row is a link, Shift selects from box to box, and phones show boxes on request',
  LOOKS,
  async () => {
    await using world = await openWindows()
    await crowd(world.service)
    for (const viewport of [DESK, PHONE]) {
      const page = await world.open({ viewport })
      await page.goto(PATH)
      const boxes = page.locator('[name=c]')
      assert.equal(await boxes.first().isVisible(), viewport === DESK)
      if (viewport === PHONE) await page.locator('.selecting').click()
      await boxes.first().click()
      await boxes.nth(2).click({ modifiers: ['Shift'] })
      assert.equal(await page.locator('[name=c]:checked').count(), 3)
      await boxes.first().click({ modifiers: ['Shift'] })
      assert.equal(await page.locator('[name=c]:checked').count(), 0)
      const row = page.locator('.people-table tbody tr').nth(1)
      const box = await row.boundingBox()
      assert.ok(box)
      await page.mouse.click(box.x + box.width - 4, box.y + 4)
      await page.waitForURL(/\/c_\d+/)
    }
  },
)

test('tags are narrowed while one is typed, and Enter adds the first', LOOKS, async () => {
  await using world = await openWindows()
  const { service } = world
  const page = await world.open({ viewport: DESK })
  await page.goto('/user')
  const connections = [
    { name: 'Ada Byron', tags: ['choir', 'climate', 'CLIMBING'] },
    { name: 'Ida Rhodes', tags: [] },
  ]
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
  await page.goto(`${PATH}?q=Ida`)
  await page.getByRole('link', { name: 'Ida Rhodes' }).click()
  const shown = () => page.locator('#add-tag .chips > :visible').allInnerTexts()
  await page.locator('[popovertarget=add-tag]').click()
  assert.equal((await shown()).length, 3)
  await page.locator('#tag').pressSequentially('cli')
  assert.deepEqual(await shown(), ['climate', 'CLIMBING'])
  await page.locator('#tag').pressSequentially('mb')
  await page.keyboard.press('Enter')
  await page.locator('#tags .badge', { hasText: 'CLIMBING' }).waitFor()
  // The field stays open. A new tag is what is typed.
  await page.locator('#tag').pressSequentially('cello')
  assert.deepEqual(await shown(), [])
  await page.keyboard.press('Enter')
  await page.locator('#tags .badge', { hasText: 'cello' }).waitFor()
})

test(
  'a tag that is typed whole is added, also if a more frequent one begins with it',
  LOOKS,
  async () => {
    await using world = await openWindows()
    const { service } = world
    const page = await world.open({ viewport: DESK })
    await page.goto('/user')
    const connections = [
      { name: 'Ada Byron', tags: ['cellar'] },
      { name: 'Eva Byron', tags: ['cellar', 'cell'] },
      { name: 'Ida Rhodes', tags: [] },
    ]
    await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
    await page.goto(`${PATH}?q=Ida`)
    await page.getByRole('link', { name: 'Ida Rhodes' }).click()
    await page.locator('[popovertarget=add-tag]').click()
    await page.locator('#tag').pressSequentially('cell')
    await page.keyboard.press('Enter')
    const badges = page.locator('#tags .badge')
    await badges.first().waitFor()
    assert.deepEqual(
      (await badges.allInnerTexts()).map((one) => one.trim()),
      ['cell'],
    )
  },
)

test(
  'columns stay where they are from search to search, and Merge stays above the bar of a phone',
  LOOKS,
  async () => {
    await using world = await openWindows()
    const token = await world.service.mintToken()
    const ask = (input: object) => askTool(world.service.url, token, 'add_connections', input)
    const title = 'Geschäftsführerin Nord'
    const location = 'New York, United States'
    await ask({ name: 'Grace Hopper', title, company: 'Kaffeerösterei', location, tags: ['sea'] })
    await ask({ name: 'Ida Rhodes', note: 'Plays the cello.' })
    for (const place of ['Rome', 'Wien'])
      await ask({
        name: 'Mia Berg',
        location: place,
        title: 'Head',
        company: 'GE',
        allow_duplicate: true,
      })
    const desk = await world.open({ viewport: DESK })
    await desk.goto(PATH)
    await desk.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    const cells = '[...document.querySelectorAll(".people-table td:not(.pick)")]'
    const cut = `${cells}.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)`
    assert.deepEqual(await evaluate(desk, cut), [])
    const starts =
      '[...document.querySelectorAll(".people-table thead th")].map((one) => one.getBoundingClientRect().x)'
    for (const viewport of [DESK, { width: 768, height: 1000 }]) {
      await desk.setViewportSize(viewport)
      await desk.goto(PATH)
      await desk.getByRole('link', { name: 'Grace Hopper' }).waitFor()
      const all = await evaluate(desk, starts)
      await desk.goto(`${PATH}?q=head+rome`)
      await desk.getByText('Weaker matches').waitFor()
      assert.deepEqual(await evaluate(desk, starts), all)
      await desk.goto(`${PATH}?q=cello`)
      const reason = desk.locator('.why', { hasText: 'cello' })
      await reason.waitFor()
      assert.deepEqual(await evaluate(desk, starts), all)
      // It stands below the name, and ends where the row does.
      const [line, row] = [
        await reason.boundingBox(),
        await desk.locator('tbody tr').first().boundingBox(),
      ]
      const name = await desk.getByRole('link', { name: 'Ida Rhodes' }).boundingBox()
      assert.ok(line && row && name)
      assert.ok(line.y >= name.y + name.height - 2, `${line.y} of ${name.y + name.height}`)
      assert.ok(line.width > row.width / 2, `${line.width} of ${row.width}`)
      assert.ok(line.y + line.height <= row.y + row.height, `${line.y} of ${row.y}`)
    }
    const phone = await world.open({ viewport: PHONE })
    await phone.goto(`${PATH}/duplicates`)
    const merge = phone.getByRole('button', { name: /^Merge into/ })
    await merge.waitFor()
    const [button, bar] = [
      await merge.boundingBox(),
      await phone.locator('nav.bottom').boundingBox(),
    ]
    assert.ok(button && bar)
    assert.ok(button.y + button.height <= bar.y, `${button.y + button.height} of ${bar.y}`)
  },
)

test(
  'the days of a follow-up are one row on phones, and the timeline begins beside the composer',
  LOOKS,
  async () => {
    await using world = await openWindows()
    const token = await world.service.mintToken()
    const ask = (tool: string, input: object) => askTool(world.service.url, token, tool, input)
    await ask('add_connections', { name: 'Grace Hopper' })
    for (const text of ['Call', 'Write', 'Send the deck', 'Ask about the ship', 'Visit'])
      await ask('save_follow_up', { people: 'c_1', text, due_on: '2026-12-01' })
    for (const locale of ['en', 'de']) {
      const page = await world.open({ viewport: PHONE, hasTouch: true, isMobile: true, locale })
      await page.goto(`${PATH}/c_1`)
      await page.locator('#plan > summary').click()
      const days = page.locator('#plan .seg > label')
      await days.last().waitFor()
      const tops = await Promise.all(
        (await days.all()).map(async (day) => (await day.boundingBox())?.y),
      )
      assert.equal(tops.length, 4)
      assert.equal(new Set(tops).size, 1, locale)
    }
    const page = await world.open({ viewport: { width: 1920, height: 1080 } })
    await page.goto(`${PATH}/c_1`)
    const timeline = page.locator('section:has(> .over > #timeline)')
    const [beside, top, entry, link] = await Promise.all(
      [
        page.locator('.with-side > div:first-child > :first-child'),
        timeline.locator('.over'),
        timeline.locator('.timeline > li').last(),
        timeline.getByRole('link', { name: 'View full history' }),
      ].map((one) => one.boundingBox()),
    )
    assert.ok(beside && top && entry && link)
    assert.ok(Math.abs(top.y - beside.y) <= 1, `${top.y} beside ${beside.y}`)
    assert.ok(link.y - entry.y - entry.height < 24, 'no gap above the link')
  },
)

test('each tab of Tidy up is a page of Tidy up', LOOKS, async () => {
  await using world = await openWindows()
  await crowd(world.service)
  const page = await world.open({ viewport: DESK })
  const here = page.getByRole('navigation', { name: 'Your pages' }).locator('[aria-current=page]')
  for (const label of ['Duplicates', 'Without email', 'Without photo', 'Deleted']) {
    await page.goto(`${PATH}/duplicates`)
    const tab = page.getByRole('navigation', { name: 'Tidy up' }).getByRole('link', { name: label })
    await tab.click()
    await tab.and(page.locator('[aria-current=page]')).waitFor()
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /^Tidy up/)
    assert.match(await here.innerText(), /^Tidy up/)
  }
  // A search there stays there, and without the filter it is the list.
  await page.getByRole('link', { name: 'Without email' }).click()
  await page.locator('#q').fill('turing')
  await page.waitForURL(/q=turing/)
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' })
  assert.match(await here.innerText(), /^Tidy up/)
  await page
    .getByRole('link', { name: /No email/ })
    .filter({ has: page.locator('.unseen') })
    .click()
  await page.getByRole('heading', { name: /^People/, level: 1 }).waitFor()
})

/** Duplicates come one at a time. */
async function skipTo(page: Page, group: Locator): Promise<void> {
  const skip = page.getByRole('link', { name: 'Skip', exact: true })
  for (let left = 10; left > 0; left -= 1) {
    await skip.or(group).first().waitFor()
    if ((await group.count()) > 0) break
    const before = page.url()
    await skip.click()
    await page.waitForURL((url) => url.href !== before)
  }
  await group.waitFor()
}

/** Waits for the notice with this text. */
async function told(page: Page, text: string): Promise<void> {
  await page.getByRole('status').locator('p', { hasText: text }).waitFor()
}

/** Sample data, including values of maximum length. */
async function crowd(service: TestService): Promise<void> {
  const token = await service.mintToken()
  const ask = (tool: string, input: object) => askTool(service.url, token, tool, input)
  const emails = ['grace@navy.example', `${'g'.repeat(60)}@${'navy-'.repeat(10)}x.example`]
  const more = {
    tags: ['pioneer', WIDE.slice(0, 90), 'navy', 'a', 'b', 'c'],
    note: `${WIDE}\n\nMet.`,
  }
  for (const one of [
    { name: 'Grace Hopper', title: 'Rear admiral', company: 'US Navy', emails, ...more },
    { name: 'Hopper, Grace', location: 'Arlington, Virginia', emails, allow_duplicate: true },
    {
      name: 'G. Hopper',
      company: WIDE,
      emails,
      links: [`https://x.example/${WIDE}`],
      allow_duplicate: true,
    },
    {
      name: 'Alan Turing',
      company: 'Bletchley Park',
      phones: ['+44 20 7946 0000'],
      location: 'London',
    },
    {
      name: 'Alan M. Turing',
      company: 'Bletchley Park',
      title: 'Codebreaker',
      allow_duplicate: true,
    },
    { name: WIDE, title: WIDE, company: WIDE },
    { name: 'Edith Clarke', company: 'GE' },
  ])
    await ask('add_connections', one)
  const followUp = { people: 'c_1', due_on: '2026-11-20', recurrence: 'monthly' }
  await ask('save_follow_up', { ...followUp, text: WIDE })
  await ask('save_follow_up', { ...followUp, text: 'Write', due_on: '2027-02-01' })
  await ask('delete_connections', { people: ['c_6', 'c_7'] })
}

test(
  'a view is named without leaving the keyboard, and its number is there at once',
  LOOKS,
  async () => {
    await using world = await openWindows()
    await crowd(world.service)
    const page = await world.open()
    await page.goto(`${PATH}?company=Navy`)
    const total = await page.locator('.total').innerText()
    await page.locator('summary', { hasText: 'Save view' }).press('Enter')
    await page.locator('input[name="name"]:focus').waitFor()
    await page.keyboard.type('The navy')
    await page.keyboard.press('Enter')
    const saved = page
      .getByRole('navigation', { name: 'Your pages' })
      .getByRole('link', { name: /^The navy/ })
    await saved.waitFor()
    assert.equal(await saved.locator('small').innerText(), total.split(' ')[0])
  },
)

test('a filter is chosen in a menu that moves nothing and closes beside it', LOOKS, async () => {
  await using world = await openWindows()
  await crowd(world.service)
  for (const javaScriptEnabled of [true, false]) {
    const page = await world.open({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    await page.goto(PATH)
    const head = page.getByRole('columnheader', { name: 'Company' })
    const before = await head.boundingBox()
    const menu = page.locator('.filter-menu')
    await menu.getByText('Filter').click()
    assert.deepEqual(await head.boundingBox(), before)
    assert.equal(await page.getByRole('link', { name: 'Clear filters' }).count(), 0)
    await menu.locator('summary', { hasText: 'Company' }).click()
    await menu.getByLabel('Company').fill('Navy')
    await menu.getByRole('button', { name: 'Apply' }).first().click()
    await page.waitForURL(/company=Navy/)
    await menu.getByText('Filter').click()
    await menu.locator('summary', { hasText: 'Has no' }).click()
    await menu.getByRole('link', { name: 'Phone' }).filter({ visible: true }).click()
    await page.waitForURL(/company=Navy&lacks=phone/)
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.waitForURL((url) => url.search === '')
    if (!javaScriptEnabled) continue
    await menu.getByText('Filter').click()
    await page.keyboard.press('Escape')
    assert.equal(await menu.getAttribute('open'), null)
    await menu.getByText('Filter').click()
    await page.getByRole('heading', { level: 1 }).click()
    assert.equal(await menu.getAttribute('open'), null)
  }
})

test('columns are chosen and moved in a menu that stays open at the column', LOOKS, async () => {
  await using world = await openWindows()
  await crowd(world.service)
  const page = await world.open()
  await page.goto(PATH)
  const menu = page.locator('.columns-menu')
  const headings = async () => (await page.locator('thead').innerText()).replaceAll(/\s+/g, ' ')
  await menu.locator('summary').click()
  await menu.getByRole('checkbox', { name: 'Birthday' }).check()
  await page.waitForURL(/birthday/)
  assert.match(await headings(), /Last contact Birthday/)
  await menu.getByRole('button', { name: 'Move up Birthday' }).click()
  await page.waitForURL(/birthday%2Ccontact/)
  assert.match(await headings(), /Birthday Last contact/)
  // The button that was pressed has the focus again.
  await page.keyboard.press('Enter')
  await page.waitForURL(/birthday%2Ctags/)
  await menu.getByRole('link', { name: 'Usual columns' }).click()
  await page.waitForURL(/connections$/)
})
