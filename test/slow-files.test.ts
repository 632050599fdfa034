import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { CHOSEN_FILES, ENGINE_SUBJECTS } from './support/engine-files.ts'
import { slowFiles } from './support/slow-files.ts'

test('the lists of test files contain only existing files', () => {
  assert.deepEqual(
    [...slowFiles(), ...ENGINE_SUBJECTS, ...CHOSEN_FILES].filter((file) => !existsSync(file)),
    [],
  )
})
