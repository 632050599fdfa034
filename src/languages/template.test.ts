import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateParts, textsOf, type TemplatePart } from './template.ts'

function partsOf({ raw }: TemplateStringsArray, ..._values: readonly unknown[]): TemplatePart[] {
  return templateParts(raw)
}

const texts = (parts: readonly TemplatePart[]) => textsOf(parts)

test('a text is what stands between block elements, with its values and inline elements', () => {
  assert.deepEqual(texts(partsOf`<p>${1} of <b>${2}</b></p><p>left</p>`), [
    '{0} of <b>{1}</b>',
    'left',
  ])
  assert.deepEqual(texts(partsOf`<a href="${1}">Join</a> or <a href="${2}">sign in</a>`), [
    '<a>Join</a> or <a2>sign in</a2>',
  ])
})

test('spaces and elements around a text do not belong to it', () => {
  assert.deepEqual(
    texts(partsOf`<p>
    <small class="x"> Two
    words </small>
  </p>`),
    ['Two words'],
  )
})

test('attributes that people read are texts', () => {
  const parts = partsOf`<a href="/x" title="Open ${1}"><input placeholder="Search" value="Ada" /></a>`
  assert.deepEqual(texts(parts), ['Open {0}', 'Search'])
})

test('code, values and punctuation are not texts', () => {
  assert.deepEqual(
    texts(partsOf`<code>weft serve</code> <p>${1} · ${2}</p><script>go()</script>`),
    [],
  )
  assert.deepEqual(texts(partsOf`<p>Run <code>weft serve</code></p>`), [
    'Run <code>weft serve</code>',
  ])
})

test('an element whose other tag is in another template separates texts', () => {
  assert.deepEqual(texts(partsOf`Open <a href="${1}">${2} now`), ['Open', '{0} now'])
})
