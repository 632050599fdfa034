import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readDataLines, readDataSections, wordLinesOf } from './data-file.ts'

test('reads lines and sections without comments, with either line ending', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-data-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = pathToFileURL(join(folder, 'words.txt'))
  writeFileSync(file, '# words\r\n\r\n[first]\r\nann  anna\r\n  bo\n[second]\n#\ncy\n')
  assert.deepEqual(readDataLines(file), ['[first]', 'ann  anna', '  bo', '[second]', 'cy'])
  assert.deepEqual(
    [...readDataSections(file)],
    [
      ['first', ['ann  anna', '  bo']],
      ['second', ['cy']],
    ],
  )
  const linesOf = wordLinesOf(file)
  assert.deepEqual(linesOf('first'), [['ann', 'anna'], ['bo']])
  assert.throws(() => linesOf('third'), /words\.txt has no section \[third\]/)
})

test('no data file has a section twice, of which one would be lost', () => {
  const files = globSync('**/data/*.txt', { cwd: SRC })
  assert.ok(files.length >= 10)
  for (const file of files) {
    const lines = readDataLines(pathToFileURL(join(SRC, file)))
    const sections = lines.filter((line) => /^\[.+\]$/.test(line))
    assert.deepEqual(sections, [...new Set(sections)], file)
  }
})

const SRC = fileURLToPath(new URL('../', import.meta.url))
