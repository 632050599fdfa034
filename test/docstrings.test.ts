/** The form of the docstrings in `src/`. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/** `code` is left out for types that have none. */
const THROWS =
  /^\s*(?:\/\*\*|\*) @throws \{\w+\} (?:(?:`[a-z_]+`.*? )?when |any error of ).*\.(?: \*\/)?$/

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

test('every documented error has the same form', () => {
  const others = sources.flatMap(({ file, text }) =>
    text
      // The continuation lines of a tag are indented.
      .replaceAll(/\n\s*\*   (?=\S)/g, ' ')
      .split('\n')
      .filter((line) => line.includes('@throws') && !THROWS.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(others, [], 'write "@throws {Type} `code` when …." on a line of its own')
})
