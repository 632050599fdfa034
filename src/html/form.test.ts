import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayCount, dayFromCount } from '../dates/calendar-day.ts'
import { readDateText } from '../dates/read-date.ts'
import { splitDueTime } from '../dates/time-of-day.ts'
import { inLanguage } from '../languages/language.ts'
import {
  focusFirstInvalid,
  formError,
  hiddenField,
  selectField,
  textArea,
  textField,
} from './form.ts'
import { NOTHING, html } from './html.ts'

test('a field has a label and is described by its error and hint', () => {
  const field = textField({ name: 'email', label: 'Email', error: 'Taken.', hint: 'Yours.' })
  assert.match(String(field), /<label for="email">Email<\/label>/)
  assert.match(String(field), /<input id="email" name="email" type="text"/)
  assert.match(String(field), /aria-describedby="email-error email-hint" aria-invalid="true"/)
  assert.match(String(field), /<p class="error" id="email-error">Taken\.<\/p>/)
  assert.match(String(field), /<p class="hint" id="email-hint">Yours\.<\/p>/)
})

test('a valid field without a hint has no ARIA attributes', () => {
  const field = textField({ name: 'name', label: 'Name', required: false, autofocus: true })
  assert.doesNotMatch(String(field), /aria-|required|value|<p/)
  assert.match(String(field), / autofocus /)
})

test('a stored date is shown in words that are read as the same day', () => {
  const context = { timeZone: 'UTC', now: Date.parse('2026-11-21') }
  const day = fc
    .integer({ min: dayCount('1900-01-01'), max: dayCount('2099-12-31') })
    .map(dayFromCount)
  const language = fc.constantFrom('en' as const, 'de' as const)
  fc.assert(
    fc.property(day, language, (value, tag) => {
      inLanguage(tag, () => {
        const field = textField({ name: 'due_on', label: 'Due date', value, isDate: true })
        const shown = / value="([^"]*)"/.exec(String(field))?.[1] ?? ''
        assert.notEqual(shown, value)
        assert.equal(splitDueTime(shown, context), undefined, shown)
        const read = readDateText(shown, context, 'next-first')
        assert.deepEqual([read.ok, read.ok && read.day], [true, value], shown)
      })
    }),
  )
})

test('a submitted value is escaped', () => {
  const value = `"><script>alert('x')</script>`
  const field = textField({ name: 'name', label: 'Name', value, error: '<b>', spellcheck: false })
  assert.doesNotMatch(String(field), /<script|<b>|"">/)
  assert.match(String(field), /value="&#34;&#62;&#60;script/)
  assert.match(String(field), /spellcheck="false"/)
  assert.match(String(hiddenField('back', 'a"b')), /name="back" value="a&#34;b"/)
})

test('a select has a label, a description and one selected option', () => {
  const options = [
    { value: '30', label: 'In <30> days' },
    { value: 'never', label: 'Never' },
  ]
  const field = selectField({ name: 'ends', label: 'Ends', options, value: 'never', error: 'No.' })
  assert.match(String(field), /<label for="ends">Ends<\/label>/)
  assert.match(
    String(field),
    /<select id="ends" name="ends" aria-describedby="ends-error" aria-invalid/,
  )
  assert.match(String(field), /<option value="30">In &#60;30&#62; days<\/option>/)
  assert.match(String(field), /<option value="never" selected>Never<\/option>/)
  assert.equal(String(field).match(/ selected/g)?.length, 1)
})

test('a text area keeps its text', () => {
  const value = 'one\n\n two </textarea><b>'
  const field = textArea({ name: 'about', label: 'About', value, error: 'Too long.' })
  assert.match(
    String(field),
    /<textarea id="about" name="about" aria-describedby="about-error" aria-inv/,
  )
  assert.match(String(field), />one\n\n two &#60;\/textarea&#62;&#60;b&#62;<\/textarea>/)
})

test('formError is empty without an error', () => {
  assert.equal(formError(undefined), NOTHING)
  assert.match(String(formError('Not <right>.')), /role="alert">Not &#60;right&#62;\.</)
})

test('the first invalid control gets the focus', () => {
  const name = textField({ name: 'name', label: 'Name', autofocus: true })
  const email = textField({ name: 'email', label: 'Email', error: 'Taken.' })
  assert.equal(focusFirstInvalid(name), name)
  const focused = String(focusFirstInvalid(html`${name}${email}${email}`))
  assert.equal(focused.match(/ autofocus/g)?.length, 1)
  assert.match(focused, /<input id="email" [^>]* aria-invalid="true" autofocus \/>/)
})

test('moving the focus never changes a submitted value', () => {
  const parts = fc.constantFrom(' autofocus', ' aria-invalid="true"', ' ', '>', '<', '"', 'a', '/')
  const text = fc.array(parts).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (value, error) => {
      const invalid = textField({ name: 'a', label: 'A', value, error })
      const valid = textField({ name: 'b', label: 'B', value, autofocus: true })
      const before = String(html`${valid}${invalid}`).replace(' autofocus />', ' />')
      const after = String(focusFirstInvalid(html`${valid}${invalid}`))
      assert.equal(
        after,
        before.replace(' aria-invalid="true" />', ' aria-invalid="true" autofocus />'),
      )
    }),
  )
})
