// Invented exports in the form that these programs write. Each `.txt` file has the records that the export of the same name must become.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readWhole, rowLines } from '../../../test/fixtures/reading.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

const FIXTURES = new URL('../../../test/fixtures/apps/', import.meta.url)

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8')
}

for (const name of ['nametag.json', 'meerkat.csv', 'contrack.json'])
  test(`${name}: becomes the expected records`, async () => {
    const { format, rows, columns } = await readWhole(fixture(name))
    assert.equal(format, 'table')
    const report = columns.map((one) => `${one.name} ${one.filled} = ${one.becomes}`)
    const expected = fixture(name.replace(/\.\w+$/, '.txt')).trimEnd()
    assert.equal([...rows.flatMap(rowLines), ...report].join('\n'), expected)
  })

test('an export of Nametag that is cut off is rejected', async () => {
  await assert.rejects(readWhole(fixture('nametag.json').slice(0, -500)), (error) => {
    assert.ok(error instanceof UnreadableFile)
    assert.match(error.message, /^This export of Nametag is damaged/)
    return true
  })
})

test('values of other kinds than expected are read as far as possible', async () => {
  const head = '{"version": "1.1", "exportDate": "2026-08-14", "user": {}'
  for (const people of ['[null, 3, [], {}]', '[{"name": {}, "groups": 3, "emails": [1]}]']) {
    const { contacts } = await readWhole(`${head}, "people": ${people}, "journalEntries": [1, {}]}`)
    assert.deepEqual(contacts, [])
  }
})

test('exports without people are rejected', async () => {
  for (const [program, text] of [
    ['Nametag', '{"version": "1.1", "exportDate": "2026-08-14", "user": {}, "people": {}}'],
    ['Contrack', '{"exportedAt": "2026-08-14", "version": 1, "contacts": []}'],
    ['Meerkat', '=== CONTACTS ===\nID,Firstname,Lastname\n=== NOTES ===\nID\n=== X ===\n'],
  ] as const)
    await assert.rejects(readWhole(text), {
      code: 'empty_file',
      message: `This export of ${program} has no people.`,
    })
})
