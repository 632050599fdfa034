import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, DESK, judge, PHONE } from './judge.ts'
import { openWindows, type Windows } from './windows.ts'

const LOOKS = { skip: browserMissing }

async function addPeople({ service }: Windows): Promise<void> {
  const connections = [
    { name: 'Ben Ode' },
    { name: 'Rosa Luz', title: 'Partner', company: 'Oxide' },
    { name: 'Rosa Luz', title: 'Notary', company: 'Navy', allow_duplicate: true },
    { name: 'Rosamund Ito' },
  ]
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
}

test(
  'people are suggested after an @, chosen with the keyboard, and linked in the note',
  LOOKS,
  async () => {
    await using world = await openWindows()
    const page = await world.open({ viewport: DESK })
    const complaints = complaintsOf(page)
    await page.goto('/user')
    await addPeople(world)
    await page.goto('/user/connections/c_1')
    const box = page.getByLabel('Note', { exact: true })
    const list = page.getByRole('listbox', { name: 'People' })
    await box.click()
    await page.keyboard.type('Ask me@ro')
    await page.keyboard.type(' and @ros')
    await list.getByRole('option').nth(2).waitFor()
    const first = list.getByRole('option').first()
    assert.equal(await first.getAttribute('aria-selected'), 'true')
    assert.equal(await box.getAttribute('aria-activedescendant'), await first.getAttribute('id'))
    assert.equal(await box.getAttribute('aria-controls'), await list.getAttribute('id'))
    await judge(page, 'suggested people')
    // Escape closes the list, and further letters of the same name do not open it again.
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.type('a')
    assert.equal(await list.count(), 0)
    await page.keyboard.type(', @ros')
    await list.getByRole('option', { name: 'Rosa Luz Notary · Navy' }).waitFor()
    await page.keyboard.press('ArrowUp')
    assert.equal(await list.getByRole('option').last().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowDown')
    const chosen = list.locator('[aria-selected=true]')
    const id = /c_\d/.exec((await chosen.getAttribute('data-mention')) ?? '')?.[0] ?? ''
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    assert.equal(await box.inputValue(), `Ask me@ro and @rosa, @Rosa Luz (${id}) `)
    // What was inserted is one step of the keyboard's undo.
    await page.keyboard.press('Control+z')
    assert.equal(await box.inputValue(), 'Ask me@ro and @rosa, @ros')
    await page.keyboard.press('Control+y')
    assert.equal(await box.inputValue(), `Ask me@ro and @rosa, @Rosa Luz (${id}) `)
    await page.keyboard.type('or @rosam')
    await list.getByRole('option', { name: 'Rosamund Ito' }).click()
    // The space that is there already is not typed again.
    await page.keyboard.type(' today')
    assert.equal(
      await box.inputValue(),
      `Ask me@ro and @rosa, @Rosa Luz (${id}) or @Rosamund Ito today`,
    )
    await box.fill(` came with @Rosa Luz (${id})`)
    await page.keyboard.press('Home')
    await page.keyboard.type('@rosam')
    await list.getByRole('option', { name: 'Rosamund Ito' }).click()
    await page.keyboard.type('also ')
    assert.equal(await box.inputValue(), `@Rosamund Ito also came with @Rosa Luz (${id})`)
    await page.keyboard.press('Control+Enter')
    const note = page.locator('.note-text')
    await note.getByRole('link', { name: '@Rosamund Ito' }).waitFor()
    assert.equal(
      await note.getByRole('link', { name: '@Rosa Luz' }).getAttribute('href'),
      `/user/connections/${id}`,
    )
    assert.deepEqual(complaints, [])
  },
)

test('Enter of an input method is not a choice, and the box keeps its lines', LOOKS, async () => {
  await using world = await openWindows()
  const page = await world.open({ viewport: PHONE })
  await page.goto('/user')
  await addPeople(world)
  await page.goto('/user/connections/c_1')
  const box = page.getByLabel('Note', { exact: true })
  const list = page.getByRole('listbox', { name: 'People' })
  await box.click()
  await page.keyboard.type('@')
  // Composes text as input methods do, and most keyboards of phones.
  const devTools = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    devTools.send('Input.imeSetComposition', { text, selectionStart: 3, selectionEnd: 3 })
  await compose('ros')
  await list.getByRole('option').nth(2).waitFor()
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true })
  assert.equal(await list.getByRole('option').count(), 3)
  await judge(page, 'suggested people on a phone')
  await list.getByRole('option', { name: 'Rosamund Ito' }).click()
  assert.equal(await box.inputValue(), '@Rosamund Ito ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('@Someone here')
  await page.keyboard.press('Enter')
  assert.equal(await box.inputValue(), '@Rosamund Ito \n@Someone here\n')
  assert.equal(await list.count(), 0)
})
