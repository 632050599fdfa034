import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { missingOptionals, type Lockfile } from '../scripts/lockfile.ts'

test('the lockfile has an entry for every optional package, so that npm ci works on every platform', async () => {
  const text = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8')
  const missing = missingOptionals(JSON.parse(text) as Lockfile).map(({ path }) => path)
  assert.deepEqual(missing, [], 'run node scripts/complete-lockfile.ts')
})
