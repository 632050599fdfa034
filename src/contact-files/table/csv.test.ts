import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { type CsvRecord, csvScanner } from './csv.ts'

function records(chunks: readonly string[], columns = 3, delimiter = ','): CsvRecord[] {
  const scanner = csvScanner({ delimiter, columns, line: 1 })
  return [...chunks.flatMap((chunk) => [...scanner.push(chunk, false)]), ...scanner.push('', true)]
}

const NEVER_CLOSED = 'A quotation mark opened in this row is never closed'
const PART_OF_A_ROW =
  'This row has fewer columns than the header and follows a row whose quotation mark is never closed'

test('reads quoted delimiters, doubled quotes and line breaks inside cells', () => {
  assert.deepEqual(records(['a,"b, ""c""","d\r\ne"\r\nf,g,h\r\n']), [
    { line: 1, cells: ['a', 'b, "c"', 'd\r\ne'] },
    { line: 3, cells: ['f', 'g', 'h'] },
  ])
})

test('counts lines of old Macintosh files and skips blank lines', () => {
  assert.deepEqual(records(['a,b\r\rc,d\r']), [
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['c', 'd'] },
  ])
})

test('keeps a lone quotation mark as text', () => {
  assert.deepEqual(records(['"Ina "The Fox" Berg",5" screen,x']), [
    { line: 1, cells: ['Ina "The Fox" Berg', '5" screen', 'x'] },
  ])
})

test('an unclosed quotation mark rejects only its own row', () => {
  const [broken, ...others] = records(['"Ann,x,y\nBob,"Foo, Inc.",z\nCyd,Bar,w\n'])
  assert.deepEqual(broken, { line: 1, cells: [], broken: NEVER_CLOSED })
  assert.deepEqual(others, [
    { line: 2, cells: ['Bob', 'Foo, Inc.', 'z'] },
    { line: 3, cells: ['Cyd', 'Bar', 'w'] },
  ])
})

test('an unclosed cell does not swallow the following rows', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `Name ${index},Company,Job\n`)
  const read = records([`"Lost,x,y\n${rows.join('')}`])
  assert.equal(read.length, 20_001)
  assert.equal(read[0]?.broken, NEVER_CLOSED)
  assert.deepEqual(read.at(-1), { line: 20_001, cells: ['Name 19999', 'Company', 'Job'] })
})

test('a file that ends inside a quoted cell loses only that row', () => {
  assert.deepEqual(records(['a,b,c\nd,e,"a note\nof many\nlin']), [
    { line: 1, cells: ['a', 'b', 'c'] },
    { line: 2, cells: [], broken: NEVER_CLOSED },
    { line: 3, cells: [], broken: PART_OF_A_ROW },
    { line: 4, cells: [], broken: PART_OF_A_ROW },
  ])
})

test('rejects a cell over a million characters and continues', () => {
  const long = 'x'.repeat(1_000_001)
  const read = records([`a,${long},c\nd,e,f\n`])
  assert.match(read[0]?.broken ?? '', /1,000,000/)
  assert.deepEqual(read[1], { line: 2, cells: ['d', 'e', 'f'] })
  assert.match(records([`a,"${long}",c\nd,e,f\n`])[0]?.broken ?? '', /1,000,000/)
})

test('agrees with csv-parse on every well-formed file', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', '\n', '\r\n', '😀'),
  })
  const table = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { maxLength: 8 })
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, lineBreak) => {
      const file = rows.map((row) => row.map(quote).join(',')).join(lineBreak)
      const theirs = parse(file, { relax_column_count: true, record_delimiter: lineBreak })
      assert.deepEqual(
        records([file]).map(({ cells }) => cells),
        theirs,
      )
    }),
  )
})

test('reads the same wherever the text is cut into chunks', () => {
  const piece = fc.constantFrom('a', ',', '"', '""', '\n', '\r\n', '\r', ' ', 'bcd,efg,"h"\n')
  const pieces = fc.array(piece, { maxLength: 60 })
  fc.assert(
    fc.property(pieces, (chunks) => assert.deepEqual(records(chunks), records([chunks.join('')]))),
    { numRuns: 500 },
  )
})

test('takes linear time when every row is broken', { timeout: 4000 }, () => {
  assert.ok(records(['""""a\n'.repeat(100_000)]).length > 0)
  assert.ok(records(['"a\n'.repeat(100_000)]).length > 0)
  assert.ok(records(['"'.repeat(300_001)]).length > 0)
})
