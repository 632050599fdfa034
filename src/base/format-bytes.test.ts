import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, MEGABYTE } from './format-bytes.ts'

test('sizes are in units of 1,024', () => {
  const sizes = [0, 0.04, 1.44, 9.96, 50, 84.4, 999.4, 1024, 1228.8, 20_480]
  assert.deepEqual(
    sizes.map((megabytes) => formatBytes(megabytes * MEGABYTE).replace('\u00A0', ' ')),
    [
      '0.0 MB',
      '0.0 MB',
      '1.4 MB',
      '10.0 MB',
      '50 MB',
      '84 MB',
      '999 MB',
      '1 GB',
      '1.2 GB',
      '20 GB',
    ],
  )
})
