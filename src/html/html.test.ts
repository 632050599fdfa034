import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardPage } from './card-layout.ts'
import { NOTHING, attributes, html, joinHtml, rawHtml, type Html } from './html.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

/** Text that is likely to break out of an element or attribute. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', "'", '<', '>', '=', '&', '&#34;', '<!--', '-->', '</p>', ' onclick='),
      fc.constantFrom('<script>', '</script>', '<b title="', '`', '!', '${', '\n', '\0', '\u2028'),
      unicodeText(),
    ),
  )
  .map((parts) => parts.join(''))

test('text never creates an element or attribute, and is parsed back unchanged', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (title, name, text) => {
      const link = html`<a title="${title}" ${attributes({ name })}>${text}</a>`
      const read = /^<a title="([^"'<>=]*)" name="([^"'<>=]*)">([^"'<>=]*)<\/a>$/.exec(String(link))
      assert.deepEqual(read?.slice(1).map(decode), [title, name, text], String(link))
    }),
  )
})

test('text in deeply nested fragments is still escaped', () => {
  fc.assert(
    fc.property(fc.array(hostileText), (texts) => {
      const list = html`<ul>
        ${texts.map((text) => html`<li>${text}</li>`)}
      </ul>`
      const joined = joinHtml(
        texts.map((text) => html`${text}`),
        html`<br />`,
      )
      assert.equal(tagsIn(list), texts.length * 2 + 2)
      assert.equal(tagsIn(joined), Math.max(texts.length - 1, 0))
    }),
  )
})

test('a fragment is inserted unchanged, and empty values render nothing', () => {
  const item = html`<b>1 & 2</b>`
  assert.equal(String(html`<p>${item}</p>`), '<p><b>1 & 2</b></p>')
  assert.equal(String(html`<p>${[item, NOTHING, item]}</p>`), '<p><b>1 & 2</b><b>1 & 2</b></p>')
  assert.equal(String(html`${null}${undefined}${false}${''}${[]}${NOTHING}`), '')
  assert.equal(String(html`${0} ${-1.5}`), '0 -1.5')
  assert.equal(String(rawHtml('<i>')), '<i>')
})

test('a string separator is escaped as text', () => {
  assert.equal(String(joinHtml([html`<i></i>`, html`b`], ' < ')), '<i></i> &#60; b')
  assert.equal(joinHtml([], ', ').toString(), '')
})

test('attributes are omitted, have no value, or are escaped', () => {
  const written = attributes({ a: 'x"y', b: true, c: false, d: undefined, e: 0, f: '' })
  assert.equal(written.toString(), 'a="x&#34;y" b e="0" f=""')
})

test('a string that a cast passes off as a fragment is still escaped', () => {
  const cast = '<script>' as unknown as Html
  assert.equal(String(html`${cast}${[cast]}${joinHtml([cast], '')}`), '&#60;script&#62;'.repeat(3))
})

test('a value that is not a fragment does not type-check and is not markup at run time', () => {
  const attempts: readonly (() => unknown)[] = [
    // @ts-expect-error a string is not a fragment
    () => cardPage({ title: '', body: '<i>' }).body,
    // @ts-expect-error neither is it in a list
    () => joinHtml(['<i>'], ''),
    // @ts-expect-error a list of texts needs a separator
    () => html`${['<i>', '<i>']}`,
    // @ts-expect-error an object with the same method is not a fragment
    () => html`${{ toString: () => '<i>' }}`,
    // @ts-expect-error `true` is not text
    () => html`${true}<i>`,
  ]
  const rendered = attempts.map((attempt) => {
    try {
      return String(attempt())
    } catch (error) {
      return error
    }
  })
  assert.deepEqual(
    rendered.map((result) => (result instanceof TypeError ? 'throws' : /<i>/.test(String(result)))),
    [false, false, false, 'throws', 'throws'],
  )
})

function tagsIn(fragment: Html): number {
  return String(fragment).match(/</g)?.length ?? 0
}

function decode(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
}
