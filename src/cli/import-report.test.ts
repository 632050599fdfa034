import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { printReport } from './import-report.ts'

test('the report lists values that were not taken in or could not be read', async () => {
  const stdout = new PassThrough()
  const terminal = {
    environment: {},
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    onStop: () => {},
  }
  printReport(terminal, {
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
    ],
    rejected_count: 0,
    rejected: [],
  })
  stdout.end()
  assert.deepEqual((await text(stdout)).split('\n').slice(2), [
    '  Kept as custom fields: Klub',
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
