/** MCP Apps in Chromium: shown and operated through the official AppBridge. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import type { TestService } from '../support/service.ts'
import type { McpUiStyles } from '@modelcontextprotocol/ext-apps'
import type { Page } from 'playwright-core'
import { addPerson, createMcpWorld } from '../fixtures/mcp-world.ts'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { openAppHost, type AppHost, type AppView } from './app-host.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface World extends AsyncDisposable {
  readonly service: TestService
  readonly ada: Awaited<ReturnType<typeof createMcpWorld>>['ada']
  readonly host: AppHost
  readonly page: Page
  /** The structured content of a call. */
  ask<T>(name: string, given: object): Promise<T>
}

async function openWorld(): Promise<World> {
  const stack = new AsyncDisposableStack()
  const world = stack.use(await createMcpWorld())
  const { browser } = stack.use(await openBrowser())
  const context = await browser.newContext({ viewport: { width: 720, height: 800 } })
  stack.defer(() => context.close())
  const page = await context.newPage()
  const host = stack.use(await openAppHost(world.service, page))
  return {
    service: world.service,
    ada: world.ada,
    host,
    page,
    async ask<T>(name: string, given: object) {
      const { result } = await world.ada('tools/call', { name, arguments: given })
      return result['structuredContent'] as T
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** No violation of accessibility rules, at the width of a phone and of a chat, light and dark. */
async function judgeView(page: Page, { bridge }: AppView, about: string): Promise<void> {
  const frame = page.frames().at(-1)
  assert.ok(frame)
  const axe = await readFile(AXE, 'utf8')
  for (const [width, theme] of [
    [360, 'dark'],
    [720, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await bridge.sendHostContextChange({ theme })
    await frame.waitForFunction(`document.documentElement.style.colorScheme === '${theme}'`)
    await frame.evaluate(axe)
    const violations: unknown = await frame.evaluate(
      `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
    )
    assert.deepEqual(violations, [], `${about}, ${theme}`)
    const overflow: unknown = await frame.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.equal(overflow, 0, `${about} scrolls sideways at ${width}`)
  }
}

describe('MCP Apps', { skip: browserMissing }, () => {
  test('a contact card shows text as text, completes follow-ups and adds notes', async () => {
    await using world = await openWorld()
    const id = await addPerson(world.ada, 'Grace <img src=x onerror=alert(1)>')
    await world.ask('save_note', {
      people: id,
      text: '<b>Found</b> a moth',
      on: '2026-03-05',
    })
    await world.ask('save_follow_up', { people: id, text: 'Call her', due_on: '2031-03-05' })
    await world.ask('update_connections', { people: id, company: 'Navy', title: 'Admiral' })
    const view = await world.host.show('get_connections', { people: id })
    const { frame } = view
    await frame.getByRole('heading', { name: 'Grace <img src=x onerror=alert(1)>' }).waitFor()
    await frame.getByText('Admiral · Navy').waitFor()
    await frame.getByText('<b>Found</b> a moth').waitFor()
    await judgeView(world.page, view, 'contact card')
    await frame.getByLabel('New note').fill('Met at the harbor')
    await frame.getByRole('button', { name: 'Add note' }).click()
    await frame.getByText('Note added.').waitFor()
    await frame.getByText('Met at the harbor').waitFor()
    await frame.getByRole('button', { name: 'Mark as done' }).click()
    await frame.getByText('Follow-up completed.').waitFor()
    assert.equal(await frame.getByText('Call her').count(), 0)
    const { follow_ups } = await world.ask<{ follow_ups: unknown[] }>('list_follow_ups', {})
    assert.deepEqual(follow_ups, [])
    assert.equal(view.told.length, 2)
    assert.ok(view.heights.some((height) => height > 100))
  })

  test('duplicates are merged into the chosen one, the merge is undone, and they are marked as different', async () => {
    await using world = await openWorld()
    const [first, second] = [
      await addPerson(world.ada, 'Grace Hopper'),
      await addPerson(world.ada, 'Grace M. Hopper'),
    ]
    for (const connection_id of [first, second])
      await world.ask('update_connections', { people: connection_id, company: 'Navy' })
    const view = await world.host.show('find_duplicates', {})
    const { frame } = view
    await frame.getByText('1 of 1 groups').waitFor()
    await judgeView(world.page, view, 'duplicates')
    await frame.getByRole('radio', { name: second }).check()
    await frame.getByRole('button', { name: 'Merge' }).click()
    await frame.getByRole('status').getByText(`into Grace M. Hopper (${second})`).waitFor()
    const { total } = await world.ask<{ total: number }>('find_duplicates', {})
    assert.equal(total, 0)
    await frame.getByRole('button', { name: 'Undo' }).click()
    await frame.getByText('Undone.').waitFor()
    await frame.getByRole('button', { name: 'Different people' }).click()
    await frame.getByRole('status').getByText('Marked as different people').waitFor()
    assert.equal((await world.ask<{ total: number }>('find_duplicates', {})).total, 0)
    assert.equal(view.told.length, 3)
  })

  test('an import shows its progress, its report and its rejected rows, and is undone', async () => {
    await using world = await openWorld()
    const content =
      'First Name,Last Name,Email\nGrace,Hopper,g@x.example\n,,\n,,someone@x.example\n'
    const view = await world.host.show('import_connections', { content })
    const { frame } = view
    await frame.getByText('succeeded').waitFor()
    await frame.getByText(/^[12] created$/).waitFor()
    await judgeView(world.page, view, 'import')
    await frame.getByRole('button', { name: 'Undo import' }).click()
    await frame.getByText('Import undone.').waitFor()
    const { connections } = await world.ask<{ connections: unknown[] }>('search_connections', {})
    assert.deepEqual(connections, [])
  })

  test('a preview shows the changes of an import, accepts other columns, and starts the import', async () => {
    await using world = await openWorld()
    const content =
      'Name,Email,Firm,Klub\n<b>Grace</b> Hopper,g@x.example,Navy,Chess\nBen Poe,b@x.example,Acme,Go\n,,,\n'
    const view = await world.host.show('import_connections', { content, preview: true })
    const { frame } = view
    await frame.getByRole('heading', { name: 'Import preview' }).waitFor()
    await frame.getByText('2 created', { exact: true }).waitFor()
    await frame.getByText('<b>Grace</b> Hopper', { exact: true }).waitFor()
    await frame.getByText('2 filled · Chess · Go').waitFor()
    await judgeView(world.page, view, 'import preview')
    const klub = frame.getByRole('combobox', { name: 'Import Klub as' })
    assert.match((await klub.locator('option').first().textContent()) ?? '', /custom/)
    await klub.selectOption('tags')
    await frame.getByRole('button', { name: 'Preview again' }).click()
    await frame
      .getByRole('combobox', { name: 'Import Klub as' })
      .getByText('tags')
      .first()
      .waitFor({
        state: 'attached',
      })
    assert.deepEqual((await world.ask<{ jobs: unknown[] }>('get_jobs', {})).jobs, [])
    await frame.getByRole('button', { name: 'Import', exact: true }).click()
    await frame.getByText('succeeded').waitFor()
    const { tags } = await world.ask<{ tags: { tag: string }[] }>('list_tags', {})
    assert.deepEqual(tags.map(({ tag }) => tag).sort(), ['Chess', 'Go'])
    assert.deepEqual(
      view.told.map((text) => text.replace(/\d+/, '…')),
      ['The person chose the columns Klub=tags.', 'The person started the import (task_id …).'],
    )
  })

  test('changes are undone and redone, and a failed call shows its error', async () => {
    await using world = await openWorld()
    const id = await addPerson(world.ada, 'Grace Hopper')
    await world.ask('update_connections', { people: id, company: 'Navy' })
    const dates = [{ label: 'first met', date: '2019-03-14' }]
    await world.ask('update_connections', { people: id, details: { dates } })
    await world.ask('undo', {})
    const context = { theme: 'dark', timeZone: 'Asia/Tokyo' } as const
    const view = await world.host.show('list_activity', { limit: 10 }, context)
    const { frame } = view
    await frame.getByText('Company: Navy').waitFor()
    await frame.getByText('Changed Grace Hopper', { exact: true }).first().waitFor()
    await frame.getByText('Dates: label: first met, date: 14 Mar 2019').first().waitFor()
    const text = await frame.locator('main').innerText()
    assert.doesNotMatch(text, /c_\d|[{}"]|UTC/)
    const shown = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const
    const at = new Date(world.service.clock.now()).toLocaleString('en-GB', shown)
    assert.ok(text.includes(`${at}, `), text)
    await judgeView(world.page, view, 'changes')
    const variables = { '--color-background-primary': 'rgb(1, 2, 3)' } as McpUiStyles
    await view.bridge.sendHostContextChange({ styles: { variables } })
    await world.page
      .frames()
      .at(-1)
      ?.waitForFunction(`getComputedStyle(document.body).backgroundColor === 'rgb(1, 2, 3)'`)
    await world.ask('update_connections', { people: id, company: 'Army' })
    await frame.getByRole('button', { name: 'Undo' }).first().click()
    await frame
      .locator('#status.error')
      .getByText(/changed since/)
      .waitFor()
    await world.ask('undo', {})
    await frame.getByRole('button', { name: 'Undo' }).first().click()
    await frame.getByText('Undone.', { exact: true }).waitFor()
    const { connections } = await world.ask<{ connections: { company?: string }[] }>(
      'get_connections',
      { people: [id] },
    )
    assert.deepEqual(
      connections.map(({ company }) => company),
      [undefined],
    )
  })
})
