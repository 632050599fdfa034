// Invented exports in the form that Monica 4.1 writes, as its source code shows: app/ExportResources for the keys, and for
// the direction of relations the page and form of a person (resources/views/people/relationship), never our reader.
// Each `.txt` file has the records that the export of the same name must become.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readWhole, rowLines } from '../../../test/fixtures/reading.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

const FIXTURES = new URL('../../../test/fixtures/monica/', import.meta.url)

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8')
}

describe('the JSON export of Monica', () => {
  for (const name of ['family', 'work', 'sparse'])
    test(`${name}: becomes the expected records`, async () => {
      const { format, rows, columns } = await readWhole(fixture(`${name}.json`))
      assert.equal(format, 'monica')
      const left = columns.filter(({ becomes }) => becomes === 'ignore')
      const report = left.map(({ name: column, filled }) => `  ${column} ${filled}`)
      const lines = [...rows.flatMap(rowLines), 'not imported:', ...report]
      assert.deepEqual(lines, fixture(`${name}.txt`).trimEnd().split('\n'))
    })

  test('is recognized in one line, and with a byte order mark', async () => {
    const text = JSON.stringify(JSON.parse(fixture('work.json')))
    const { contacts } = await readWhole(`\uFEFF${text}`)
    assert.equal(contacts.length, 5)
  })

  test('that is cut off is rejected', async () => {
    await assert.rejects(readWhole(fixture('work.json').slice(0, -500)), (error) => {
      assert.ok(error instanceof UnreadableFile)
      assert.match(error.message, /^This export of Monica is damaged/)
      return true
    })
  })

  test('without contacts is rejected', async () => {
    for (const data of ['[]', '{}', 'null', '[{"type": "contact", "values": {}}]']) {
      const text = `{"version": "1.0-preview.1", "app_version": "4.1.2", "account": {"data": ${data}}}`
      await assert.rejects(readWhole(text), { code: 'empty_file', message: /Monica has no people/ })
    }
  })

  test('with values of other kinds than expected is read as far as possible', async () => {
    for (const contacts of ['[null, 3, "x", [], {}]', '[{"properties": {"first_name": {}}}]']) {
      const data = `[{"type": "contact", "values": ${contacts}}]`
      const text = `{"version": "1.0", "app_version": "4", "account": {"data": ${data}}}`
      const { contacts: read } = await readWhole(text)
      assert.equal(read.length, 0)
    }
  })
})
