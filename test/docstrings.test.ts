/** The form of the docstrings in `src/`. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  assert.deepEqual(others, [], 'write "@throws {Type} `code` when …." on a separate line')
})

test('functions that other folders import have a docstring', () => {
  const imported = new Set(sources.flatMap(importsOfOtherFolders))
  const missing = sources.flatMap(({ file, text }) => {
    const lines = text.split('\n')
    const functions = lines.flatMap((line, index) => {
      const [, name] = /^export (?:async )?function\*? (\w+)/.exec(line) ?? []
      return name === undefined ? [] : [{ name, before: lines[index - 1] ?? '' }]
    })
    // The docstring of a file is about its only function.
    if (new Set(functions.map(({ name }) => name)).size === 1 && text.startsWith('/**')) return []
    return functions
      .filter(({ before, name }) => !before.endsWith('*/') && !isOverloadOf(name, before))
      .map(({ name }) => `${file} ${name}`)
      .filter((name) => imported.has(name))
  })
  assert.deepEqual(missing, [], 'document what callers must know beyond the signature')
})

function isOverloadOf(name: string, line: string): boolean {
  return line.startsWith(`export function ${name}(`)
}

/** As `file name`. */
function importsOfOtherFolders({ file, text }: (typeof sources)[number]): string[] {
  const folder = dirname(file)
  return [...text.matchAll(/\{([^{}]*)\}\s*(?:from|= await import\()\s*'(\.[^']+)'/g)]
    .map(([, names = '', path = '']) => ({ names, target: join(folder, path) }))
    .filter(({ target }) => dirname(target) !== folder)
    .flatMap(({ names, target }) =>
      names.split(',').map((name) => `${target} ${/^\s*(?:type )?(\w*)/.exec(name)?.[1] ?? ''}`),
    )
}
