import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { describeClient } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

const URI = 'http://localhost:3000/callback'

function named(name: string | null): string {
  return describeClient({ redirect_uris: [URI], client_name: name }).name
}

const refusedName = { code: 'invalid_client_metadata', message: /^client_name must/ }

test('a name is kept unchanged except for repeated spaces', () => {
  for (const name of [
    'Claude Code',
    'Zoë’s Agent – β',
    '東京エージェント',
    '<script>alert(1)</script>',
  ])
    assert.equal(named(name), name)
  assert.equal(named('  My\u00a0\u3000 App '), 'My App')
  assert.equal(named('x'.repeat(120)), 'x'.repeat(120))
  assert.equal(named('😀'.repeat(120)), '😀'.repeat(120))
})

test('a name with invisible or misleading characters is rejected', () => {
  const hostile = {
    'bidi override': 'Claude\u202eedoC',
    'bidi isolate': 'Claude\u2067Code',
    'right-to-left mark': 'Claude\u200f',
    'zero width space': 'Cla\u200bude',
    'zero width joiner': 'Cla\u200dude',
    'soft hyphen': 'Cla\u00adude',
    'byte order mark': 'Cla\ufeffude',
    'hangul filler': '\u3164',
    'braille blank': '\u2800',
    'variation selector': 'Claude\ufe0f',
    'tag characters': 'Claude\u{e0041}',
    'private use': 'Claude\ue000',
    NUL: 'Claude\0',
    newline: 'Claude\nis safe',
    'line separator': 'Claude\u2028is safe',
    tab: 'Claude\tCode',
    escape: 'Claude\u001b[31m',
    'half a surrogate pair': 'Claude\ud83d',
    'a tower of accents': `C${'\u0301'.repeat(5)}`,
    'nothing at all': '',
    'only spaces': ' \u00a0\u3000',
    'too much': 'x'.repeat(121),
    'far too much': 'x'.repeat(20_000),
  }
  for (const [what, name] of Object.entries(hostile))
    assert.throws(() => named(name), refusedName, what)
})

test('an app without a name is named after its redirect URI', () => {
  assert.equal(named(null), 'localhost:3000')
  assert.equal(describeClient({ redirect_uris: ['cursor://x/cb', URI] }).name, 'cursor:')
})

test('an invalid redirect URI is reported with its index', () => {
  assert.throws(() => describeClient({ redirect_uris: [URI, 'http://a.example/cb'] }), {
    code: 'invalid_redirect_uri',
    message: /^redirect_uris\[1\]: .+https\.$/,
  })
})

test('an app that lists flows must list the supported one', () => {
  const flows = (grant_types: string[] | null, response_types: string[] | null) =>
    describeClient({ redirect_uris: [URI], grant_types, response_types })
  flows(['implicit', 'authorization_code'], ['code', 'token'])
  flows(null, null)
  for (const [grants, responses] of [
    [['client_credentials'], ['code']],
    [[], null],
    [['authorization_code'], ['token']],
    [null, []],
  ] as const)
    assert.throws(() => flows(grants && [...grants], responses && [...responses]), {
      code: 'invalid_client_metadata',
    })
})

test('client_uri is kept only if it is https', () => {
  const page = (client_uri: string | null) =>
    describeClient({ redirect_uris: [URI], client_uri }).uri
  assert.equal(page('https://App.example'), 'https://app.example/')
  const dropped = [
    null,
    '',
    'app.example',
    'http://app.example/',
    'javascript:alert(1)',
    'https://ada@app.example/',
    `https://app.example/${'x'.repeat(2000)}`,
  ]
  for (const uri of dropped) assert.equal(page(uri), null, String(uri))
})

test('property: any name is rejected or is one visible line of at most 120 characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\u202e', 'é', '\u0301', '字') })
  fc.assert(
    fc.property(fc.oneof(text, unicodeText({ maxLength: 150 })), (given) => {
      try {
        const name = named(given)
        assert.doesNotMatch(name, /[\p{C}\p{Zl}\p{Zp}]/u)
        assert.ok(name !== '' && name === name.trim() && Array.from(name).length <= 120)
        assert.equal(named(name), name)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
      }
    }),
  )
})
