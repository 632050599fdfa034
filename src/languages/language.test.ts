import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../html/html.ts'
import { namesByPreference } from '../http/content/accept.ts'
import { currentLanguage, inLanguage, perLanguage } from './language.ts'
import { requestLanguage } from './request-language.ts'
import { t } from './message.ts'

test('the language is what the member chose, else the best match for Accept-Language', () => {
  const expected = {
    'de-AT,en;q=0.8': 'de',
    'fr, DE;q=0.5, en;q=0.7': 'en',
    'de;q=0, en': 'en',
    'ja,zh': 'en',
    '*': 'en',
    ';;,=': 'en',
  } as const
  for (const [header, language] of Object.entries(expected))
    assert.equal(requestLanguage(undefined, namesByPreference(header)), language, header)
  assert.equal(requestLanguage(null, namesByPreference(undefined)), 'en')
  assert.equal(requestLanguage('de', namesByPreference('en')), 'de')
  assert.equal(requestLanguage('tlh', namesByPreference('de')), 'de')
})

test('texts of code and templates are in the language of the request', async () => {
  const write = async () => {
    await Promise.resolve()
    return [currentLanguage(), t('Save'), String(html`<button title="Search">Save</button>`)]
  }
  const [english, german] = await Promise.all([write(), inLanguage('de', write)])
  assert.deepEqual(english, ['en', 'Save', '<button title="Search">Save</button>'])
  assert.deepEqual(german, ['de', 'Speichern', '<button title="Suchen">Speichern</button>'])
})

test('values are escaped in every language, and numbers decide the plural', () => {
  const write = () => String(html`<p>Move ${'<b>'} up</p>`)
  assert.equal(write(), '<p>Move &#60;b&#62; up</p>')
  assert.ok(inLanguage('de', write).includes('&#60;b&#62;'))
  const count = (one: number) =>
    inLanguage('de', () => t('{count, plural, one {# person} other {# people}}', { count: one }))
  assert.deepEqual([count(1), count(2_500)], ['1 Person', '2.500 Personen'])
})

test('a value is made once for each language', () => {
  let made = 0
  const locale = perLanguage((one) => `${one} ${++made}`)
  assert.deepEqual([locale(), inLanguage('de', locale), locale()], ['en-GB 1', 'de 2', 'en-GB 1'])
})
