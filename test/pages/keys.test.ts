import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
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
  await palette.getByRole('link', { name: 'Add connection' }).waitFor()
  await palette.getByRole('searchbox').fill('hop')
  await palette.getByRole('link', { name: /Grace Hopper/ }).waitFor()
  await judge(page, 'the palette')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/c_2/)
  await page.keyboard.press('n')
  await page.keyboard.type('Met j')
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Met j')
  await page.goto(PATH)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  assert.ok(await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).isChecked())
  await page.keyboard.press('k')
  await page.keyboard.press('t')
  await page.waitForURL(/c_1.*#tags$/)
  await page.getByLabel('Add a tag').and(page.locator(':focus')).waitFor()
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

test('the search page works on a phone', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: PHONE })
  await page.goto('/user')
  await page.getByRole('link', { name: 'Search' }).click()
  await page.waitForURL(/user\/search/)
  await page.getByLabel('Search people, pages and actions').fill('import')
  await page.keyboard.press('Enter')
  await page
    .getByRole('heading', { name: 'Import' })
    .or(page.getByText('Import contacts'))
    .first()
    .waitFor()
  await judge(page, 'search')
})
