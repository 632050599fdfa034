import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'
import { join } from '../../../test/fixtures/account.ts'
import { ACCOUNT_PATH, USER_PATH } from '../../html/site-map.ts'
import { currentLanguage, inLanguage } from '../../languages/language.ts'
import { readLanguage } from '../../members/member-language.ts'

const GERMAN = { 'accept-language': 'de-DE,de;q=0.9', accept: 'text/html' }

test('pages, their errors and public pages are in the language of the browser', async () => {
  await using service = await startTestService()
  const { visitor } = await join(service)
  const page = await visitor.get(USER_PATH, GERMAN)
  assert.match(page.html, /<html lang="de"/)
  assert.equal(page.headers.get('content-language'), 'de')
  assert.match(page.text, /Personen/)
  assert.match((await visitor.get('/user/connections/c_9', GERMAN)).text, /nicht gefunden/)
  // The documents are in English, and say so to everyone else, in any order of readers.
  for (const headers of [GERMAN, {}, GERMAN]) {
    const { text } = await visitor.get('/docs/start', headers)
    assert.equal(text.includes('Die Dokumentation ist auf Englisch.'), headers === GERMAN)
  }
  assert.match(
    (await visitor.get('/nowhere', GERMAN)).text,
    /Seite nicht gefunden Vielleicht ist sie umgezogen/,
  )
  for (const place of ['/', '/network']) {
    const shared = await visitor.get(place, GERMAN)
    assert.match(shared.html, /<html lang="de"/, place)
    assert.match(shared.headers.get('vary') ?? '', /Accept-Language/, place)
    assert.match((await visitor.get(place)).html, /<html lang="en"/, place)
  }
})

test('programs get English, and documents are in English', async () => {
  await using service = await startTestService()
  const headers = { 'accept-language': 'de' }
  const problem = await fetch(`${service.url}/api/human/nobody`, { headers })
  assert.match(JSON.stringify(await problem.json()), /no public profile/)
  const { visitor } = await join(service)
  assert.match(
    (await visitor.get('/docs', GERMAN)).html,
    /<html lang="de"[^]+<main\s+id="content"\s+lang="en"/,
  )
  const read = await fetch(`${service.url}/docs`, { headers: GERMAN })
  assert.match(await read.text(), /<html lang="en"/)
})

test('the language of the account comes before that of the browser', async () => {
  await using service = await startTestService()
  const { visitor, member } = await join(service)
  const chosen = await visitor.submit(await visitor.get(ACCOUNT_PATH), { language: 'de' })
  assert.match((await visitor.follow(chosen)).text, /Sprache geändert/)
  assert.match((await visitor.get(USER_PATH)).html, /<html lang="de"/)
  const { memberId } = member
  assert.equal(await readLanguage(service.database, memberId), 'de')
  const form = { language: 'xx' }
  await visitor.submit(await visitor.get(ACCOUNT_PATH), form)
  assert.match((await visitor.get(USER_PATH)).html, /<html lang="en"/)
})

test('a write runs in the language of the request that started it', async () => {
  await using service = await startTestService()
  const { member } = await join(service)
  const db = service.database.member(member.memberId)
  const write = () => db.write(() => Promise.resolve(currentLanguage()))
  const languages = ['en', 'de', 'en', 'de'] as const
  const seen = await Promise.all(languages.map((language) => inLanguage(language, write)))
  assert.deepEqual(seen, languages)
})
