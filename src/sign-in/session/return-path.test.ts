import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { returnPath } from './return-path.ts'
import { MEMBER_HOME_PATH } from '../../html/site-map.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'

const OURS = 'https://weft.example'

test('a path of this site is returned unchanged', () => {
  for (const path of [
    '/',
    '/user/credits',
    '/human/ada?tab=notes#top',
    '/oauth/authorize?response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2Fcb&state=a%2Fb%3D%3D&scope=network',
    '/search?q=//elsewhere.example',
    '/a/%5c%5cb/%2f%2fc',
  ])
    assert.equal(returnPath(path, OURS), path)
})

test('a URL that could lead to another site becomes the home path', () => {
  for (const attack of [
    null,
    '',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/%2e//evil.example',
    '/a/../..//evil.example',
    '@evil.example',
    '.evil.example',
    ':80/x',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'user/credits',
    '?return_to=/',
    '#x',
    '/x\r\nSet-Cookie: weft_session=1',
    '/x\0',
    '/\u200b/evil.example',
  ])
    assert.deepEqual(
      [returnPath(attack, OURS), returnPath(attack, OURS, '/')],
      [MEMBER_HOME_PATH, '/'],
      JSON.stringify(attack),
    )
})

test('non-ASCII characters are percent-encoded for the header', () => {
  assert.equal(returnPath('/human/ämne?q=日本', OURS), '/human/%C3%A4mne?q=%E6%97%A5%E6%9C%AC')
})

test('random text never leads to another site or injects a header', () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    '.',
    ':',
    '@',
    '?',
    '#',
    '%',
    '\t',
    '\n',
    '\r',
    ' ',
    '\0',
    'a',
    '//',
    '/.',
    '..',
    '%2f',
    '%5c',
    'evil.example',
    'http:',
  )
  const path = fc.oneof(
    unicodeText(),
    fc.array(pieces).map((all) => `/${all.join('')}`),
  )
  fc.assert(
    fc.property(path, (text) => {
      const found = returnPath(text, OURS)
      assert.match(found, /^\/(?![/\\])[!-~]*$/)
      assert.equal(new URL(found, OURS).origin, OURS)
      assert.equal(new URL(found, 'https://another.example').origin, 'https://another.example')
      assert.equal(returnPath(found, OURS), found)
    }),
    { numRuns: 300 },
  )
})
