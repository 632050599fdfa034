import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { readDataLines } from '../base/data-file.ts'
import { monthWords } from './date-words.ts'

const FOLDER = new URL('words/', import.meta.url)

test('every line of a word list has a known name, and English has them all', () => {
  for (const file of readdirSync(FOLDER)) {
    const lines = readDataLines(new URL(file, FOLDER))
    const names = lines.map((line) => line.split(' = ')[0] ?? '')
    assert.equal(new Set(names).size, names.length, file)
    for (const line of lines) assert.match(line, /^[a-z0-9-]+ = [^,=]+(?:, [^,=]+)*$/, file)
  }
  // Reading the lists fails for an unknown name.
  assert.ok(monthWords().every((words) => words.length >= 8))
})
