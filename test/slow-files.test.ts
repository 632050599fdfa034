import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { ENGINE_INDEPENDENT } from './support/engine-files.ts'
import { slowFiles } from './support/slow-files.ts'

test('the lists of test files contain only existing files', () => {
  assert.deepEqual(
    [...slowFiles(), ...ENGINE_INDEPENDENT].filter((file) => !existsSync(file)),
    [],
  )
})
