import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit'

test('a browser has the name that people know it by', () => {
  const called: readonly (readonly [string | null, string])[] = [
    [`${MAC}/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'Safari on a Mac'],
    [`${MAC}/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36`, 'Chrome on a Mac'],
    [`${MAC}/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0`, 'Edge on a Mac'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Firefox/132.0', 'Firefox on Windows'],
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0 Safari/537.36', 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) CriOS/131.0 Mobile/15E148 Safari/604.1',
      'Chrome on an iPhone',
    ],
    ['curl/8.5.0', 'An unknown browser'],
    ['<b>Firefox</b>', 'An unknown browser'],
    [null, 'An unknown browser'],
  ]
  for (const [userAgent, name] of called) assert.equal(browserName(userAgent), name)
})
