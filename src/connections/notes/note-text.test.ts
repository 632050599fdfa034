import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noteHtml } from './note-text.page.ts'

const PEOPLE = new Map([
  ['Rosa', { connectionId: 7, name: 'Rosa Luz' }],
  ['Rosa Luz', { connectionId: 7, name: 'Rosa Luz' }],
  ['c_9', { connectionId: 9, name: 'Rosa Luz' }],
])

function shown(text: string): string {
  return noteHtml(text, PEOPLE).toString().replaceAll(/\s+/g, ' ').replaceAll('> <', '><')
}

test('paragraphs, lists, emphasis, code and links of a note are shown as such', () => {
  assert.equal(
    shown('Two\nlines\n\nNext'),
    '<p dir="auto">Two<br />lines</p><p dir="auto">Next</p>',
  )
  assert.match(
    shown('- two children\n- the **cello**'),
    /<ul><li dir="auto">two children<\/li><li dir="auto">the <strong>cello<\/strong><\/li><\/ul>/,
  )
  assert.match(shown('1. one\n2) two'), /<ol>.*one.*two.*<\/ol>/)
  assert.match(shown('a *b* _c_ `d`'), /a <em>b<\/em><em>c<\/em><code>d<\/code>/)
  assert.match(
    shown('See [the site](https://example.org/a_b) or https://example.org.'),
    /<a href="https:\/\/example\.org\/a_b" rel="nofollow noopener noreferrer"><bdi>the site<\/bdi><\/a> or <a href="https:\/\/example\.org" [^>]*><bdi>example\.org<\/bdi><\/a>\./,
  )
  assert.match(shown('```\n<b>\n```'), /<pre tabindex="0"><code>&#60;b&#62;<\/code><\/pre>/)
})

test('HTML, images, other protocols and lone marks stay text', () => {
  assert.equal(
    shown('<img src=x onerror=alert(1)>'),
    '<p dir="auto">&#60;img src&#61;x onerror&#61;alert(1)&#62;</p>',
  )
  assert.ok(!shown('[x](javascript:alert(1))').includes('<a'))
  assert.ok(!shown('![x](https://example.org/x.png)').includes('<img'))
  for (const text of ['2 * 3 * 4', 'snake_case_name', '** a', 'me@Rosa.example'])
    assert.doesNotMatch(shown(text), /<(em|strong|a)\b/, text)
})

test('a name after an @ links the person, with the longest name that is known', () => {
  assert.match(shown('Ask @Rosa about it'), /<a href="\/user\/connections\/c_7">@Rosa<\/a> about/)
  assert.match(shown('@Rosa Luz, Berlin'), />@Rosa Luz<\/a>, Berlin/)
  assert.match(shown('@Rosa Berlin'), />@Rosa<\/a> Berlin/)
  assert.doesNotMatch(shown('@Someone'), /<a/)
  assert.match(shown('Ask @Rosa. Then call'), />@Rosa<\/a>\. Then/)
  assert.match(shown("@Rosa's brother"), />@Rosa<\/a>&#39;s brother/)
  assert.match(shown('Ask @Rosa Luz (c_9), not'), /<a href="[^"]*c_9">@Rosa Luz<\/a>, not/)
  assert.match(shown('@anna de vries (c_9)'), /<a href="[^"]*c_9">@anna de vries<\/a>/)
  for (const text of ['@Rosa Luz (c_8)', 'a@b (c_9)', '@ (c_9)', '@(c_9)'])
    assert.doesNotMatch(shown(text), /<a/, text)
})

test('every text of a note becomes the same text, without elements of its own', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'<>&"\'`*_[]()@#-1. \nRosahtps:/'.split('')) }),
      (text) => {
        const tags =
          noteHtml(text, PEOPLE)
            .toString()
            .match(/<\/?[a-z]+/g) ?? []
        for (const tag of tags)
          assert.match(tag, /^<\/?(p|br|ul|ol|li|strong|em|code|pre|blockquote|a|bdi)$/)
      },
    ),
  )
})

test('a hostile note is rendered in linear time', () => {
  for (const piece of [
    '*',
    '_',
    '`',
    '[',
    '](',
    '@A',
    '**a',
    '[a](https://',
    'https://',
    '> ',
    '- ',
    '@Rosa ',
    '@a (c_',
    '@',
    '@ (',
  ])
    assert.ok(noteHtml(piece.repeat(100_000 / piece.length), PEOPLE).toString().length > 0, piece)
})
