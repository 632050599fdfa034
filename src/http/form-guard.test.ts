import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFormToken } from './form-guard.ts'
import { content } from './response.ts'

const BROWSER = { formToken: 'token.7.proof' }
const FIELD = '<input type="hidden" name="form_token" value="token.7.proof" />'

function tokensIn(markup: string, type = 'text/html; charset=utf-8'): string[] {
  const { body } = withFormToken(content(markup, type), BROWSER)
  return String(body).split(FIELD)
}

test('each form that is sent to this site has the token of the browser, first', () => {
  const one = '<form method="post" action="/a">'
  const other = '<form\n  class="bulk" action="/b?c&#61;1" method="post" data-text="&#62;"\n>'
  assert.deepEqual(tokensIn(`<p>${one}<b>x</b></form>${other}</form>`), [
    `<p>${one}`,
    `<b>x</b></form>${other}`,
    '</form>',
  ])
})

test('forms that read, that close a dialog or that are sent elsewhere have no token', () => {
  const forms = [
    '<form action="/user/search" role="search"></form>',
    '<form method="dialog"></form>',
    '<form method="post" action="https://example.org/"></form>',
    '<form method="post" action="//example.org/"></form>',
    '<form method="post"></form>',
    '<p>&#60;form method=&#34;post&#34; action=&#34;/a&#34;&#62;</p>',
  ]
  assert.deepEqual(tokensIn(forms.join('')), [forms.join('')])
})

test('other responses than pages stay as they are', () => {
  const form = '<form method="post" action="/a"></form>'
  for (const type of ['application/json', 'text/csv', 'text/markdown; charset=utf-8'])
    assert.deepEqual(tokensIn(form, type), [form])
  const photo = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(form) }
  assert.equal(withFormToken(photo, BROWSER), photo)
})

test('a long text without the end of a tag is read in linear time', () => {
  const hostile = ['<form '.repeat(50_000), `<form ${' method="post"'.repeat(20_000)}`]
  for (const text of hostile) assert.deepEqual(tokensIn(text), [text])
})
