import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPathTable, isDecodable, requestPath } from './router.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const PATHS = [
  '/',
  '/docs',
  '/docs.md',
  '/docs/:name',
  '/docs/:name.md',
  '/people/:id',
  '/people/:id/note',
  '/people/new',
  '/box/*',
  '/box/docs',
  '/box/docs/:name',
]

const table = createPathTable(PATHS.map((path) => [path, path]))

/** The path that is found, with its parameters if it has any. */
function find(url: string): unknown {
  const found = table.find(requestPath(url))
  if (!found) return undefined
  return Object.keys(found.params).length === 0 ? found.value : [found.value, found.params]
}

test('a path without parameters matches only exactly', () => {
  for (const path of ['/', '/docs', '/docs.md', '/people/new', '/box/docs'])
    assert.equal(find(path), path)
  for (const path of ['/Docs', '/docs/x/', '//docs', '/docs;a', '/people', '*', '', 'docs'])
    assert.equal(find(path), undefined, path)
})

test('the most specific of several paths is found', () => {
  assert.deepEqual(find('/docs/intro'), ['/docs/:name', { name: 'intro' }])
  assert.deepEqual(find('/docs/intro.md'), ['/docs/:name.md', { name: 'intro' }])
  assert.deepEqual(find('/docs/a.md.md'), ['/docs/:name.md', { name: 'a.md' }])
  assert.deepEqual(find('/people/7'), ['/people/:id', { id: '7' }])
  assert.deepEqual(find('/people/new/note'), ['/people/:id/note', { id: 'new' }])
  assert.deepEqual(find('/box/docs/a'), ['/box/docs/:name', { name: 'a' }])
})

test('a star matches the rest of the path', () => {
  assert.deepEqual(find('/box/'), ['/box/*', { '*': '' }])
  assert.deepEqual(find('/box/a'), ['/box/*', { '*': 'a' }])
  assert.deepEqual(find('/box/docs/a/b%20c'), ['/box/*', { '*': 'docs/a/b c' }])
  assert.equal(find('/box'), undefined)
})

test('the query string, the fragment and the origin of a request target are ignored', () => {
  assert.equal(find('/docs?a=%zz'), '/docs')
  assert.equal(find('/docs#a'), '/docs')
  for (const scheme of ['http', 'HTTP'])
    assert.equal(find(`${scheme}://weft.example/docs?a`), '/docs')
  assert.equal(find('https://weft.example'), '/')
})

test('encoded characters are decoded, but an encoded slash does not separate segments', () => {
  assert.equal(find('/%64ocs'), '/docs')
  assert.deepEqual(find('/docs/intro%2Emd'), ['/docs/:name.md', { name: 'intro' }])
  assert.deepEqual(find('/docs/a%2Fb'), ['/docs/:name', { name: 'a/b' }])
  assert.deepEqual(find('/docs/%252F%C3%A9'), ['/docs/:name', { name: '%2Fé' }])
  assert.equal(find('/docs%2Fintro'), undefined)
  assert.equal(find('/people%2Fnew'), undefined)
})

test('a parameter matches any value up to the maximum length', () => {
  const names = unicodeText({ maxLength: 128 })
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(!name.endsWith('.md'))
      assert.deepEqual(find(`/docs/${encodeURIComponent(name)}`), ['/docs/:name', { name }])
    }),
  )
  assert.equal(find(`/docs/${'a'.repeat(257)}`), undefined)
})

test('no decodable path causes an exception', () => {
  fc.assert(
    fc.property(fc.string(), (path) => {
      if (isDecodable(path)) find(`/docs/${path}`)
    }),
  )
  assert.equal(isDecodable('/docs/%C3%A9'), true)
  for (const path of ['/%', '/%zz', '/docs/%c3', '/%ff']) assert.equal(isDecodable(path), false)
})
