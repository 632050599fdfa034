import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compose } from './email-layout.ts'

const URL = 'https://weft.example/user'

function emailOf(text: string) {
  const item = { text, detail: text, isLate: true, url: URL }
  return compose({
    subject: text,
    paragraphs: [text],
    facts: [[text, text]],
    sections: [{ title: 'Follow-ups', items: [item] }],
    link: { label: 'Open Weft', url: URL },
    closing: [text],
    footer: { label: 'Change', url: URL },
  })
}

const HOSTILE = [
  '<img src=//x>',
  '"><script>',
  "' onload=x",
  'url(//x)',
  '&#60;',
  '\u202e',
  'x'.repeat(99),
]
const words = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' })))

test('plain text is broken between words into lines of at most 72 columns, and loses none', () => {
  fc.assert(
    fc.property(words, (given) => {
      const paragraph = given.join(' ').replaceAll(/\s+/gu, ' ').trim()
      const [block = ''] = emailOf(paragraph).text.split('\n\n')
      assert.equal(block.replaceAll('\n', ' '), paragraph)
      for (const line of block.split('\n'))
        assert.ok(line.length <= 72 || !line.includes(' '), line)
    }),
  )
})

test('HTML loads nothing, and text never becomes markup', () => {
  const tags = (html: string) => [...html.matchAll(/<(\w+)/g)].map(([, name]) => name).join(' ')
  const plain = tags(emailOf('Call').html)
  fc.assert(
    fc.property(words, (given) => {
      const { html } = emailOf(given.join(' '))
      assert.equal(tags(html), plain)
      const styles = [...html.matchAll(/<style>[^]*?<\/style>|style="[^"]*"/g)].join(' ')
      assert.doesNotMatch(styles, /url\(|@import/)
    }),
  )
  assert.doesNotMatch(plain, /img|link|script|iframe|object|source/)
})
