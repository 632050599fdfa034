import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillForm } from './fill-form.ts'
import { formKeyField, hiddenField, selectField, textArea, textField } from '../html/form.ts'
import { html, type Html } from '../html/html.ts'
import { readForms } from '../../test/support/visitor.ts'

function page(body: Html): string {
  return html`<body>
    <main id="content">${body}</main>
  </body>`.toString()
}

function form(action: string, controls: Html): Html {
  return html`<form method="post" action="${action}">
    ${hiddenField('form_token', 'now')} ${controls}
  </form>`
}

const options = ['none', 'weekly', 'monthly'].map((value) => ({ value, label: value }))

const REMINDER = html`${formKeyField()} ${hiddenField('version', '2')}
  ${textField({ name: 'what', label: 'What', autofocus: true })}
  ${textArea({ name: 'why', label: 'Why', value: 'Stored' })}
  ${selectField({ name: 'repeat', label: 'Repeat', options, value: 'none' })}
  <input type="checkbox" name="also" value="one" checked />
  <input type="checkbox" name="also" value="two" />
  <button name="act" value="save">Save</button>`

function fieldsOf(markup: string, action: string) {
  const found = readForms('http://weft.test/', markup).filter((one) => one.action.endsWith(action))
  return found.map(({ fields }) => fields)
}

test('every kind of control shows what was typed, and the page keeps its own token', () => {
  const fields = [
    ['form_token', 'before'],
    ['form_key', 'before'],
    ['version', '1'],
    ['what', '"Call" <b>'],
    ['why', '\n& more\n</textarea>'],
    ['repeat', 'weekly'],
    ['also', 'two'],
    ['act', 'save'],
  ] as const
  const { markup, hasTyped } = fillForm(page(form('/a', REMINDER)), { action: '/a', fields })
  assert.ok(hasTyped)
  const [{ form_key: key, ...filled } = {}] = fieldsOf(markup, '/a')
  assert.notEqual(key, 'before')
  assert.deepEqual(filled, {
    form_token: 'now',
    version: '1',
    what: '"Call" <b>',
    why: '\n& more\n</textarea>',
    repeat: 'weekly',
    also: 'two',
  })
  assert.equal(markup.match(/ autofocus/g)?.length, 1)
  assert.match(markup, /<form method="post" action="\/a"><p class="notice" role="status">/)
})

test('of several forms with the same path, the one with the same fixed values is filled in', () => {
  const one = (id: string) =>
    form('/a', html`${hiddenField('id', id)} ${textField({ name: 'what', label: 'What' })}`)
  const other = form('/b', textField({ name: 'other', label: 'Other' }))
  const fields = [
    ['id', '2'],
    ['what', 'typed'],
  ] as const
  const body = html`${other} ${one('1')}
    <details>${one('2')}</details>
    ${one('3')}`
  const { markup } = fillForm(page(body), { action: '/a', fields })
  assert.deepEqual(
    fieldsOf(markup, '/a').map(({ what }) => what),
    ['', 'typed', ''],
  )
  assert.match(markup, /<details open>/)
})

test('values without a control get one, except secrets', () => {
  const fields = [
    ['emails-0-value', 'a@example.com'],
    ['emails-1-value', 'b@example.com'],
    ['emails-2-value', ''],
    ['new_password', 'secret'],
  ] as const
  const controls = textField({ name: 'emails-0-value', label: 'Email' })
  const { markup } = fillForm(page(form('/a', controls)), { action: '/a', fields })
  assert.deepEqual(fieldsOf(markup, '/a'), [
    { form_token: 'now', 'emails-0-value': 'a@example.com', 'emails-1-value': 'b@example.com' },
  ])
  assert.match(markup, /<label for="emails-1-value">Emails 1 value<\/label>/)
})

test('a form with buttons only is not filled in, and a page without the form shows the texts', () => {
  const button = form('/a', html`<button name="follow_up_id" value="f_1">Done</button>`)
  const pressed = { action: '/a', fields: [['follow_up_id', 'f_1']] as const }
  const again = fillForm(page(button), pressed)
  assert.equal(again.hasTyped, false)
  assert.match(again.markup, /no changes were made/)
  assert.deepEqual(fillForm(page(html``), pressed), { markup: page(html``), hasTyped: false })
  const lost = fillForm(page(html``), { action: '/a', fields: [['note', '<b>Lunch']] })
  assert.ok(lost.hasTyped)
  assert.match(lost.markup, /Copy\s+what you typed.*<textarea readonly aria-label="Note">&#60;b/s)
})

test('whatever was typed is what the form contains', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\0', ''))
  fc.assert(
    fc.property(text, text, fc.constantFrom('none', 'weekly', 'monthly'), (what, why, repeat) => {
      const fields = [
        ['what', what],
        ['why', why],
        ['repeat', repeat],
      ] as const
      const { markup } = fillForm(page(form('/a', REMINDER)), { action: '/a', fields })
      const [filled = {}] = fieldsOf(markup, '/a')
      assert.deepEqual([filled['what'], filled['why'], filled['repeat']], [what, why, repeat])
    }),
  )
})
