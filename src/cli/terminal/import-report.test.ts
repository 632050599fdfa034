import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { printColumns, printReport } from './import-report.ts'
import type { Terminal } from './terminal.ts'

test('the report of a large file groups digits', async () => {
  const counts = { created: 99_000, updated: 900, unchanged: 100, skipped: 0, review: 1200 }
  const report = { format: 'table', rows: 100_000, ...counts, rejected_count: 0, rejected: [] }
  assert.deepEqual(await printed((terminal) => printReport(terminal, report)), [
    'table: 100,000 rows read',
    '  99,000 created, 900 updated, 100 unchanged, 0 skipped, 0 rejected',
    '  1,200 of the created may already be in the network. Review them under Duplicates.',
    '',
  ])
})

test('the columns of a dry run are listed with their use and first values', async () => {
  const columns = [
    { name: 'Wer', becomes: 'custom', filled: 2, examples: ['Mira Holt', 'Ben Poe'] },
    { name: 'Tel', becomes: 'phone', label: 'work', filled: 1, examples: ['+49 30 1'] },
    { name: 'Leer', becomes: 'custom', filled: 0 },
  ] as const
  assert.deepEqual(await printed((terminal) => printColumns(terminal, columns)), [
    'COLUMN  IMPORTED AS  VALUES',
    'Wer     custom       Mira Holt · Ben Poe',
    'Tel     phone:work   +49 30 1',
    'Leer    custom       (empty)',
    '',
  ])
})

test('the report lists values that were not taken in or could not be read', async () => {
  const report = {
    format: 'table',
    rows: 3,
    created: 3,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    cut_count: 2,
    cut: [{ row: 1, line: 2, fields: ['title', 'Klub'] }],
    unread_count: 1,
    unread: [{ row: 3, line: 4, column: 'Birthday', value: 'in spring' }],
    columns: [
      { name: 'Name', becomes: 'name', filled: 3 },
      { name: 'Klub', becomes: 'custom', filled: 2 },
      { name: 'Empty', becomes: 'custom', filled: 0 },
      { name: 'Opt Out', becomes: 'custom', filled: 3, left_out: 3 },
    ],
    rejected_count: 0,
    rejected: [],
  }
  const lines = await printed((terminal) => printReport(terminal, report))
  assert.deepEqual(lines.slice(2), [
    '  Kept as custom fields: Klub',
    '  Default values left out: Opt Out (3)',
    '  Rows with values that were not taken in: 2',
    'ROW  LINE  FIELDS',
    '1    2     title, Klub',
    '… and 1 more',
    '  Values that could not be read, kept as custom fields: 1',
    'ROW  LINE  COLUMN    VALUE',
    '3    4     Birthday  in spring',
    '',
  ])
})

/** The lines on standard output. */
async function printed(print: (terminal: Terminal) => void): Promise<string[]> {
  const stdout = new PassThrough()
  const stdin = new PassThrough()
  print({ environment: {}, stdin, stdout, stderr: new PassThrough(), onStop: () => {} })
  stdout.end()
  return (await text(stdout)).split('\n')
}
