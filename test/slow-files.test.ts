import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { slowFiles } from './support/slow-files.ts'

test('the list of slow test files contains only existing files', () => {
  assert.deepEqual(
    slowFiles().filter((file) => !existsSync(file)),
    [],
  )
})
