import { listViews } from '../../connections/people/saved-views.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { connectionsCsv, importFile } from '../../../test/fixtures/import.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { until } from '../../../test/support/until.ts'
import { CONNECTIONS_PATH, DELETE_VIEW_PATH, VIEWS_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

/** The saved views in the sidebar. */
async function viewsOf({ visitor }: Person, path = CONNECTIONS_PATH): Promise<string> {
  const { html } = await visitor.get(path)
  return /aria-labelledby="views-title">(.*?)<\/ul>/s.exec(html)?.[1] ?? ''
}

test('a state of the list is saved as a view, with its count, and deleted', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace Hopper', company: 'GE' },
      { name: 'Alan Turing', company: 'NPL' },
    ],
  })
  const path = `${CONNECTIONS_PATH}?company=ge&sort=-name`
  const page = await ada.visitor.get(`${path}&page=1`)
  const saved = await ada.visitor.submit(page, { name: ` ${HOSTILE} ` }, 'Save')
  assert.equal(saved.location, `${world.service.url}${path}&change=a_2`)
  const told = await ada.visitor.follow(saved)
  assert.match(
    told.html,
    /class="toast">\s*<div class="notice[^>]*>\s*<p>Saved the view <bdi>&#60;img/,
  )
  const views = await viewsOf(ada)
  assert.ok(views.includes('company&#61;ge&#38;sort&#61;-name'), views)
  assert.ok(!views.includes('<img'))
  // The number is counted in the background.
  await until(async () => /<small>1<\/small>/.test(await viewsOf(ada)))
  assert.equal(await viewsOf(eve), '')
  const form_token = (await eve.visitor.get(CONNECTIONS_PATH)).formToken
  await eve.visitor.post(DELETE_VIEW_PATH, { form_token, view_id: '1', state: '' }, SAME_ORIGIN)
  const again = await ada.visitor.get(path)
  assert.equal((await ada.visitor.submit(again, { name: 'Engineers' }, 'Rename')).status, 303)
  assert.match(await viewsOf(ada), /Engineers/)
  const gone = await ada.visitor.submit(again, {}, 'Delete view')
  assert.equal(gone.status, 303)
  assert.match((await ada.visitor.follow(gone)).text, /Deleted the view Engineers/)
  assert.equal(await viewsOf(ada), '')
})

test('a view keeps its color, and a suggested one that begins to find people comes last', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await importFile(ada, connectionsCsv([['Grace', 'Hopper', 'GE']]))
  const page = await ada.visitor.get(`${CONNECTIONS_PATH}?company=ge`)
  await ada.visitor.submit(page, { name: 'Engineers' }, 'Save')
  const shown = (count: number) =>
    until(async () => {
      const views = await viewsOf(ada)
      const found = [...views.matchAll(/hue-(\d)"><\/span>\s*<bdi>([^<]*)/g)]
      return found.length === count && found.map(([, hue, name]) => `${name} ${hue}`)
    })
  assert.deepEqual(await shown(2), ['Engineers 4', 'No email 1'])
  await ada.ask('add_connections', { name: 'Alan Turing', email: 'alan@npl.example' })
  assert.deepEqual(await shown(3), ['Engineers 4', 'Added manually 0', 'No email 1'])
})

test('agents list and use saved views', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace Hopper', company: 'GE', emails: ['grace@x.org'] },
      { name: 'Alan Turing' },
      { name: 'Edith Clarke' },
      { name: 'Jean Bartik', note: 'secret moth' },
    ],
  })
  await saveView(ada, 'No email', 'lacks=email&sort=-name')
  await saveView(ada, 'Moths', 'q=moth')
  assert.deepEqual((await ada.ask('get_network_summary', {}))['saved_views'], ['No email', 'Moths'])
  const names = ({ connections }: Record<string, unknown>) =>
    (connections as { name: string }[]).map(({ name }) => name)
  const first = await ada.ask('search_connections', { view: ' no EMAIL ', limit: 2 })
  assert.deepEqual(names(first), ['Jean Bartik', 'Edith Clarke'])
  const rest = { view: 'No email', limit: 2, cursor: first['next_cursor'] }
  assert.deepEqual(names(await ada.ask('search_connections', rest)), ['Alan Turing'])
  assert.deepEqual(names(await ada.ask('search_connections', { view: 'Moths' })), ['Jean Bartik'])
})

async function saveView(person: Person, name: string, state: string): Promise<void> {
  const { formToken: form_token } = await person.visitor.get(CONNECTIONS_PATH)
  const saved = await person.visitor.post(VIEWS_PATH, { form_token, name, state }, SAME_ORIGIN)
  assert.equal(saved.status, 303)
}

test('the first import adds views, and a later one none', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await importFile(ada, connectionsCsv([['Grace', 'Hopper']]))
  const stored = () => listViews(world.service.database.member(ada.memberId))
  const added = await stored()
  assert.equal(added.length, 4)
  for (const { query } of added) {
    const page = await ada.visitor.get(`${CONNECTIONS_PATH}?${query}`)
    assert.equal(page.status, 200, query)
    assert.match(page.text, /Edit view/)
  }
  await ada.visitor.submit(
    await ada.visitor.get(`${CONNECTIONS_PATH}?lacks=email`),
    {},
    'Delete view',
  )
  await importFile(ada, connectionsCsv([['Alan', 'Turing']]))
  assert.equal((await stored()).length, 3)
})

test('a view without a name, or beyond the limit, is refused', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { formToken: form_token } = await ada.visitor.get(CONNECTIONS_PATH)
  const save = (name: string, state = 'q=x') =>
    ada.visitor.post(VIEWS_PATH, { form_token, name, state }, SAME_ORIGIN)
  for (const name of ['', '  ', 'x'.repeat(81)]) {
    const { status, text } = await save(name)
    assert.equal(status, 400)
    assert.match(text, /Name the view/)
  }
  for (let at = 0; at < 30; at += 1) assert.equal((await save(`View ${at}`)).status, 303)
  assert.match((await save('One more')).text, /30 saved views/)
  assert.equal((await save('View 3', 'q=y')).status, 303)
})

test('a view of the first import is hidden while it finds no one, and an own one is quiet', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await importFile(ada, 'First Name,Last Name\nGrace,Hopper\nAlan,Turing\n')
  const page = await ada.visitor.get(`${CONNECTIONS_PATH}?company=ge`)
  await ada.visitor.submit(page, { name: 'Engineers' }, 'Save')
  const views = await until(async () => {
    const shown = await viewsOf(ada)
    return /class="none"[^]*Engineers/.test(shown) && shown
  })
  assert.match(views, /No email<\/bdi\s*> <small>2</)
  assert.doesNotMatch(views, /Changed jobs|Silent for a year|<small>0/)
})
